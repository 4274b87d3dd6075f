"""The families: one module for each kind of programs, with a function `write(sketch)`.

With `KINDS = True` a refusal must be of the same kind in both libraries (IndexError, TypeError …).
"""
