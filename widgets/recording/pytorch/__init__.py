"""PyTorch, heard as minigrad is: what it does becomes minigrad's events, and nothing beyond knows which engine spoke.

Nothing here is imported before the program has imported PyTorch; `listening` is the way in.
"""

import contextlib
import sys


def listening() -> contextlib.AbstractContextManager:
    """While this runs, what PyTorch does in this thread is told as minigrad's events; if the program uses it at all."""
    if getattr(sys.modules.get("torch"), "__name__", "") != "torch":  # none, or minigrad by that name
        return contextlib.nullcontext()
    from .listening import Listening

    return Listening()
