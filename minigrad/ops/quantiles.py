"""Quantiles: the value below which a given part of the elements lies, between two of them in a straight line."""

from ..tensor import Tensor, wrap
from .elementwise import where
from .shape import check_dim
from .sorting import sort_along
from .special import lerp

BELOW = {"lower": "floor", "higher": "ceil", "nearest": "round", "linear": "floor", "midpoint": "floor"}


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """What the fraction `q` of the elements do not exceed: of all, or along a dimension.

    >>> import minigrad as mg
    >>> mg.quantile(mg.tensor([0.0, 10.0, 40.0]), 0.75)
    tensor(25.)
    """
    return _quantile(input, q, dim, keepdim, interpolation, False)


def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """`quantile` of the elements that are numbers."""
    return _quantile(input, q, dim, keepdim, interpolation, True)


def _quantile(input, q, dim, keepdim, interpolation, skip):
    q = checked(input, q, interpolation)
    if dim is not None:
        check_dim(dim, input.ndim)
    in_a_row = input.reshape(-1) if dim is None or not input.ndim else input.movedim(dim, -1)
    values = sort_along(in_a_row, -1, False, False)[0]  # what is no number comes last
    known, last = (values == values).array, values.shape[-1] - 1
    if skip:
        rank = q * wrap((known.sum(-1, keepdims=True) - 1).clip(0).astype(values.array.dtype))
    else:
        rank = where(wrap(known.all(-1, keepdims=True)), q * last, last)
    at = getattr(rank, BELOW[interpolation])()
    found = _pick(values, at)
    if interpolation in ("linear", "midpoint"):
        weight = rank - at.detach() if interpolation == "linear" else wrap(0.5 * (rank == rank).array)
        found = lerp(found, _pick(values, rank.ceil()), weight.to(values.dtype))
    found = found.movedim(-1, 0) if q.ndim else found.squeeze(-1)
    if not keepdim:
        return found
    if dim is None or not input.ndim:
        return found.reshape((*q.shape, *(1,) * input.ndim))
    return found.unsqueeze(dim % input.ndim + q.ndim)


def _pick(values, rank):
    return values.gather(-1, rank.detach().long())


def checked(input, q, interpolation) -> Tensor:
    """The fraction as a tensor, or PyTorch's refusal."""
    if not input.numel():
        raise RuntimeError("quantile() input tensor must be non-empty")
    if input.dtype.itemsize < 4 or not input.is_floating_point():
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if interpolation not in BELOW:
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got " + interpolation
        )
    if isinstance(q, int | float):
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        return input.new_tensor(float(q))
    if not isinstance(q, Tensor):
        raise TypeError(f"quantile(): argument 'q' must be Tensor or float, not {type(q).__name__}")
    if q.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if q.dtype is not input.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if not ((q.array >= 0) & (q.array <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    return q
