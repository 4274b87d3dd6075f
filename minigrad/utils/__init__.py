"""What surrounds training: data in batches, recomputation instead of memory, and a timer."""

import importlib

LATER = ("benchmark", "checkpoint", "data")  # imported when first asked for


def __getattr__(name: str):
    if name in LATER:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'minigrad.utils' has no attribute '{name}'; it has {', '.join(LATER)}")
