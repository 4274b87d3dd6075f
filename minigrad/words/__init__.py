"""What the engine says to a person: numbers as they print, rules as they are written, places in a program, errors."""
