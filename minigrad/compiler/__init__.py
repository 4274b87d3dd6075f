"""A run of the engine as the list of what NumPy was asked: it can be read, shortened, and run again."""

from .compiled import compile
from .explaining import explain
