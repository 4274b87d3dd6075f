"""What surrounds training: data in batches, and recomputation instead of memory."""

import importlib

from ..words import absent

LATER = ("checkpoint", "data")  # imported when first asked for


def __getattr__(name: str):
    if name in LATER:
        return importlib.import_module(f".{name}", __name__)
    raise absent.error(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
