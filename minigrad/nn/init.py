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

from ..core.modes import no_grad
from ..core.tensor import Tensor, wrap
from ..words import absent

PLAIN = "linear sigmoid conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d".split()
GAINS = dict.fromkeys(PLAIN, 1) | {"tanh": 5 / 3, "relu": math.sqrt(2), "selu": 3 / 4}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """How much a function narrows the spread of its input, and so by what the weights before it should widen it.

    >>> import minigrad as mg
    >>> round(mg.nn.init.calculate_gain("relu"), 4)
    1.4142
    """
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, int | float):
            raise ValueError(f"negative_slope {slope} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return GAINS[nonlinearity]


@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Numbers spread evenly over [a, b).

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.init.uniform_(mg.empty(3), -1, 1)
    tensor([-0.0075,  0.5364, -0.8230])
    """
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Normal numbers.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.nn.init.normal_(mg.empty(3), std=0.1)
    tensor([ 0.1541, -0.0293, -0.2179])
    """
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def constant_(tensor: Tensor, val: float) -> Tensor:
    """One number everywhere.

    >>> import minigrad as mg
    >>> mg.nn.init.constant_(mg.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Ones.

    >>> import minigrad as mg
    >>> mg.nn.init.ones_(mg.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros.

    >>> import minigrad as mg
    >>> mg.nn.init.zeros_(mg.ones(2))
    tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs feed one output of a weight, and how many outputs one input feeds.

    >>> import minigrad as mg
    >>> mg.nn.init._calculate_fan_in_and_fan_out(mg.empty(8, 2, 5, 5))
    (50, 200)
    """
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    places = math.prod(tensor.shape[2:])  # of a convolution's kernel
    return tensor.shape[1] * places, tensor.shape[0] * places


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Even numbers that keep the variance the same, forwards and backwards (Glorot).

    >>> import minigrad as mg
    >>> w = mg.nn.init.xavier_uniform_(mg.empty(100, 50))
    >>> w.abs().max() <= (6 / 150) ** 0.5
    tensor(True)
    """
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor))))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Normal numbers that keep the variance the same, forwards and backwards (Glorot).

    >>> import minigrad as mg
    >>> w = mg.nn.init.xavier_normal_(mg.empty(100, 50))
    >>> abs(w.std() - (2 / 150) ** 0.5) < 0.01
    tensor(True)
    """
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor))), generator)


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Even numbers that keep the variance the same through a layer and its nonlinearity (He).

    >>> import minigrad as mg
    >>> w = mg.nn.init.kaiming_uniform_(mg.empty(100, 50), nonlinearity="relu")
    >>> w.abs().max() <= (6 / 50) ** 0.5
    tensor(True)
    """
    bound = math.sqrt(3.0) * kaiming_deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Normal numbers that keep the variance the same through a layer and its nonlinearity (He).

    >>> import minigrad as mg
    >>> w = mg.nn.init.kaiming_normal_(mg.empty(100, 50), nonlinearity="relu")
    >>> abs(w.std() - (2 / 50) ** 0.5) < 0.02
    tensor(True)
    """
    return normal_(tensor, 0.0, kaiming_deviation(tensor, a, mode, nonlinearity), generator)


def kaiming_deviation(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    if not tensor.numel():
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return 0.0
    modes = ["fan_in", "fan_out"]
    if mode.lower() not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    fan = _calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Rows (or columns, whichever are fewer) at right angles to each other and of length `gain`.

    >>> import minigrad as mg
    >>> w = mg.nn.init.orthogonal_(mg.empty(2, 3))
    >>> mg.allclose(w @ w.T, mg.eye(2), atol=1e-6)
    True
    """
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    drawn = wrap(np.zeros((rows, tensor.numel() // rows), tensor.array.dtype)).normal_(generator=generator).array
    wide = drawn.shape[1] > rows
    q, r = np.linalg.qr(drawn.T if wide else drawn)
    q = q * np.sign(np.diag(r))  # so that every orthogonal matrix is as likely as any other
    return tensor.copy_(wrap((q.T if wide else q).reshape(tensor.shape))).mul_(gain)


__getattr__ = absent.answer(__name__)
