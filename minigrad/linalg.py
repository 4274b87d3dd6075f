"""Norms, after `torch.linalg`."""

from .ops import reduction


def vector_norm(input, ord=2, dim=None, keepdim=False):
    """The length of a vector: √Σx² for `ord=2`, Σ|x| for 1, the largest |x| for infinity.

    >>> import minigrad as mg
    >>> vector_norm(mg.tensor([3.0, 4.0]))
    tensor(5.)
    """
    return reduction.vector_norm(input, ord, tuple(dim) if isinstance(dim, list) else dim, keepdim)
