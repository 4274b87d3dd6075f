"""The hunt: small random programs, run in minigrad and in PyTorch, and compared in all that they leave behind.

    python -m tests.hunt --families views,einsum --count 1000 --seed 7

A *family* is a module in `families/`: its docstring says what kind of programs it writes, and `write(sketch)` writes
one, a function of the sketch's seed alone. `sketch.py` is the paper it writes on, `judge.py` runs a program in one
library and says where two runs differ, `shrink.py` cuts a disagreement down to the lines that it needs, and `known.py`
lists those in which our answer is the better one. `test_hunt.py` runs a share of each family with the other tests.
"""
