"""Initial values, written over tensors; nothing here is recorded.

>>> import minigrad as mg
>>> w = mg.empty(2, 3)
>>> constant_(w, 0.5)
tensor([[0.5000, 0.5000, 0.5000],
        [0.5000, 0.5000, 0.5000]])
>>> calculate_gain("tanh")
1.6666666666666667
"""

import math
import warnings
from typing import Any

import numpy as np

from ..autograd.grad_mode import no_grad
from ..creation import empty_like
from ..ops import where
from ..tensor import Tensor, wrap

GAINS = {"tanh": 5 / 3, "relu": math.sqrt(2), "selu": 3 / 4}  # the others neither widen nor narrow: 1
PLAIN = {"linear", "sigmoid"} | {f"conv{way}{n}d" for way in ("", "_transpose") for n in (1, 2, 3)}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """How much a function narrows the spread of its input, and so by what the weights before it should widen it."""
    if nonlinearity in PLAIN:
        return 1
    if nonlinearity == "leaky_relu":
        if param is None:
            param = 0.01
        elif isinstance(param, bool) or not isinstance(param, int | float):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + param**2))
    if nonlinearity not in GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return GAINS[nonlinearity]


@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Numbers spread evenly over [a, b)."""
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Normal numbers."""
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Normal numbers of which none is outside [a, b]: those that are refused are drawn anew."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            stacklevel=2,
        )
    below_a, below_b = (math.erf((end - mean) / std / math.sqrt(2)) / 2 for end in (a, b))
    most_likely = min(max(mean, a), b)

    def refused(numbers: Tensor) -> Tensor:
        """Draw them, and say which do not count."""
        if below_b - below_a > 0.3:
            numbers.normal_(mean, std, generator=generator)
            return (numbers < a) | (numbers > b)
        numbers.uniform_(a, b, generator=generator)  # each counts as often as the curve is high there
        height = ((numbers - mean) / std) ** 2 * -0.5 - -0.5 * ((most_likely - mean) / std) ** 2
        return empty_like(numbers).uniform_(generator=generator).log_() > height

    pending = refused(tensor)
    while pending.any():
        others = empty_like(tensor)
        again = refused(others)
        tensor.copy_(where(pending, others, tensor))
        pending = pending & again
    return tensor


@no_grad()
def constant_(tensor: Tensor, val: float) -> Tensor:
    """One number everywhere."""
    return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return constant_(tensor, 0.0)


@no_grad()
def eye_(tensor: Tensor) -> Tensor:
    """Ones on the diagonal: a linear layer that hands its input on."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(wrap(np.eye(*tensor.shape)))


def fans(tensor: Tensor) -> tuple[int, int]:
    """How many inputs feed one output of a weight, and how many outputs one input feeds."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    places = math.prod(tensor.shape[2:])  # of a convolution's kernel
    return tensor.shape[1] * places, tensor.shape[0] * places


def fan(tensor: Tensor, mode: str) -> int:
    modes = ("fan_in", "fan_out")
    if mode.lower() not in modes:
        raise ValueError(f"Mode {mode.lower()} not supported, please use one of {list(modes)}")
    return fans(tensor)[modes.index(mode.lower())]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Even numbers that keep the variance the same, forwards and backwards (Glorot)."""
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / sum(fans(tensor))))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Normal numbers that keep the variance the same, forwards and backwards (Glorot)."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(fans(tensor))), generator)


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Even numbers that keep the variance the same through a layer and its nonlinearity (He)."""
    if not tensor.numel():
        return nothing_to_draw(tensor)
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(fan(tensor, mode)))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Normal numbers that keep the variance the same through a layer and its nonlinearity (He)."""
    if not tensor.numel():
        return nothing_to_draw(tensor)
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(fan(tensor, mode)), generator)


def nothing_to_draw(tensor: Tensor) -> Tensor:
    warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
    return tensor


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Rows (or columns, whichever are fewer) at right angles to each other and of length `gain`."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    rows = tensor.shape[0]
    drawn = wrap(np.zeros((rows, tensor.numel() // rows), tensor.array.dtype)).normal_(generator=generator).array
    wide = drawn.shape[1] > rows
    q, r = np.linalg.qr(drawn.T if wide else drawn)
    q = q * np.sign(np.diag(r))  # so that every orthogonal matrix is as likely as any other
    return tensor.copy_(wrap((q.T if wide else q).reshape(tensor.shape) * gain))
