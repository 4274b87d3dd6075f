"""What operations with several results return: tuples whose parts have names, and print as PyTorch's do.

>>> import minigrad as mg
>>> mg.tensor([[1, 3], [4, 2]]).max(1)
minigrad.return_types.max(
values=tensor([3, 4]),
indices=tensor([1, 0]))
"""

from typing import NamedTuple

from .tensor import Tensor
from .words import printing


def shown(self) -> str:
    parts = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
    return f"{printing.options.namespace}.return_types.{type(self).__name__}(\n{parts})"


class Extremes(NamedTuple):
    """Elements that were picked along a dimension, and where they were."""

    values: Tensor
    indices: Tensor


class aminmax(NamedTuple):
    """The smallest and the largest element."""

    min: Tensor
    max: Tensor


class linalg_slogdet(NamedTuple):
    """A determinant as sign · e^logabsdet."""

    sign: Tensor
    logabsdet: Tensor


class linalg_qr(NamedTuple):
    """Q, whose columns stand at right angles, and R, a triangle."""

    Q: Tensor
    R: Tensor


class linalg_eigh(NamedTuple):
    """What a symmetric matrix stretches, and by how much."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class linalg_eig(NamedTuple):
    """What a matrix stretches, and by how much, as complex numbers."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class linalg_lstsq(NamedTuple):
    """What comes nearest, how far it is off, and what the matrix is like."""

    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor


class linalg_svd(NamedTuple):
    """A turn, a stretch, and another turn."""

    U: Tensor
    S: Tensor
    Vh: Tensor


class svd(NamedTuple):
    """A turn, a stretch, and another turn the other way round."""

    U: Tensor
    S: Tensor
    V: Tensor


for _kind in (Extremes, aminmax, linalg_slogdet, linalg_qr, linalg_eigh, linalg_eig, linalg_lstsq, linalg_svd, svd):
    setattr(_kind, "__repr__", shown)  # noqa: B010 - a NamedTuple takes no methods of such a name
OF_EXTREMES = {  # one for each operation, because each prints its name
    name: type(name, (Extremes,), {"__module__": __name__, "__slots__": ()})
    for name in "max min median nanmedian kthvalue mode cummax cummin sort topk".split()
}
globals().update(OF_EXTREMES)
