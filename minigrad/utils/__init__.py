"""What surrounds training: data in batches, and recomputation instead of memory."""

from ..words import absent

LATER = {name: name for name in ("checkpoint", "data")}  # imported when first asked for
__getattr__ = absent.answer(__name__, LATER)


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
