"""What surrounds training: data in batches (`data`), and recomputation instead of memory (`checkpoint`).

>>> import minigrad as mg
>>> pairs = mg.utils.data.TensorDataset(mg.arange(3), mg.arange(3) * 10)
>>> list(mg.utils.data.DataLoader(pairs, batch_size=2))
[[tensor([0, 1]), tensor([ 0, 10])], [tensor([2]), tensor([20])]]
"""

from ..words import absent

LATER = {name: name for name in ("checkpoint", "data")}  # imported when first asked for
__getattr__ = absent.answer(__name__, LATER)


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
