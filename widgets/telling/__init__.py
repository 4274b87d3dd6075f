"""From moments to a trace: who takes part, what changes, and a sentence about it."""
