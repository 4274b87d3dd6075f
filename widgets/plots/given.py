"""What a plot is given: checked, so that a mistake is one clear sentence; and what the engine says about it."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import minigrad as mg
from minigrad import Tensor, enable_grad
from minigrad.autograd import grad


def leaf(value: Any, name: str, dtype: Any = None) -> Tensor:
    """A leaf of our own with the caller's numbers: drawing must not touch their `.grad`."""
    try:
        tensor = value.detach() if isinstance(value, Tensor) else mg.as_tensor(value)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{name} must be a Tensor or numbers, but is {type(value).__name__}") from None
    if tensor.is_complex():
        raise TypeError(f"{name} must be real to be drawn, but is {tensor.dtype}")
    if not tensor.is_floating_point():
        tensor = tensor.to(mg.get_default_dtype())
    return tensor.to(dtype or tensor.dtype).clone().requires_grad_()


def points(value: Any, name: str = "a") -> Tensor:
    """A leaf of at least two points along a line."""
    tensor = leaf(value, name)
    if tensor.dim() != 1 or len(tensor) < 2:
        raise ValueError(f"{name} must be two or more points in a row, but has the shape {tuple(tensor.shape)}")
    return different(tensor, name)


def different(points: Tensor, name: str = "a") -> Tensor:
    """Points that span a line."""
    x = array(points)
    if len(np.unique(x[np.isfinite(x)])) < 2:
        raise ValueError(f"{name} must have two or more points that are finite and different")
    return points


def checked(result: Any, name: str = "f") -> Tensor:
    """The result of the caller's function: a Tensor that knows how it was made."""
    if not isinstance(result, Tensor):
        raise TypeError(f"{name} must return a Tensor, but returned {type(result).__name__}")
    if not result.requires_grad:
        raise ValueError(f"{name}'s result has no gradient: was it detached, made under no_grad(), or of no input?")
    if result.is_complex():
        raise TypeError(f"{name} must return real numbers to be drawn, but returned {result.dtype}")
    return result


def one_number(result: Any, name: str = "f") -> Tensor:
    result = checked(result, name)
    if result.numel() != 1:
        raise ValueError(f"{name} must return one number, but returned the shape {tuple(result.shape)}: add .sum()?")
    return result.sum()


def callable_(f: Any, name: str = "f", takes: int | None = None) -> Callable:
    """A function; where it is known how many arguments it will get, one that takes so many."""
    if not callable(f):
        raise TypeError(f"{name} must be a function, but is {type(f).__name__}")
    if takes is not None:
        try:
            inspect.signature(f).bind(*[None] * takes)
        except TypeError as error:
            call = f"{name}({', '.join('a' * takes)})"
            raise TypeError(f"{name} is called as {call}, but does not take that: {error}") from None
        except ValueError:
            pass  # a function of C, which does not say
    return f


def real(value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{name} must be a number, but is {value!r}") from None
    if not np.isfinite(number):
        raise ValueError(f"{name} must be a finite number, but is {number}")
    return number


def interval(between: Any, name: str = "between") -> tuple[float, float]:
    """Two numbers, the smaller first."""
    low, high = (real(end, name) for end in between)
    if not low < high:
        raise ValueError(f"{name} must be two numbers, the smaller first, but is {between}")
    return low, high


def count(value: Any, name: str, least: int = 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be a whole number, {least} or more, but is {value!r}")
    return value


def pointwise(result: Any, a: Tensor) -> Tensor:
    """A result with one value for each point, made of its own point alone; else a sum of gradients is no slope."""
    result = checked(result)
    if result.shape != a.shape:
        raise ValueError(f"f must return one value for each of the {len(a)} points, but returned {tuple(result.shape)}")
    # A weight for each value must come out at its own point, and nowhere else.
    weights = 1 + np.random.default_rng(0).random(len(a))
    plain, weighed = (array(slopes((result * mg.tensor(v, dtype=a.dtype)).sum(), a)) for v in (1, weights))
    most = np.abs(plain[np.isfinite(plain)]).max(initial=0)
    digits = max(1e-4, 50 * float(np.finfo(plain.dtype).eps))
    if not np.allclose(plain * weights, weighed, rtol=digits, atol=digits / 100 * most, equal_nan=True):
        raise ValueError(
            "each value of f must depend on its own point alone; see plot_jacobian for one that mixes them"
        )
    return result


def slopes(result: Tensor, x: Tensor, name: str = "f") -> Tensor:
    """The gradient of one number, which must have been made of x."""
    try:
        (found,) = grad(result, x, retain_graph=True, allow_unused=True)
    except RuntimeError as error:
        raise ValueError(f"there is no gradient to draw: {error}") from None
    if found is None:
        raise ValueError(f"there is no gradient to draw: {name}'s result was not made of what it was given")
    return found


def derivatives(result: Tensor, a: Tensor, orders: int) -> list[Tensor]:
    """The derivatives of each value with respect to its own point: one backward of their sum for each order."""
    found = []
    for order in range(1, orders + 1):
        slope = None
        if result.requires_grad:  # what is constant is not, and has the slope 0
            (slope,) = grad(result.sum(), a, create_graph=order < orders, retain_graph=True, allow_unused=True)
        result = mg.zeros_like(a) if slope is None else slope
        found.append(result.detach())
    return found


def values(analytic: Callable, x: np.ndarray) -> np.ndarray:
    """What the caller's formula says at the points."""
    try:
        return np.broadcast_to(np.asarray(callable_(analytic, "analytic")(x.astype(float)), dtype=float), x.shape)
    except (TypeError, ValueError) as error:
        raise ValueError(f"analytic must take an array of points and give a number for each: {error}") from None


@contextmanager
def measuring() -> Iterator[None]:
    """Inside, operations are recorded, whatever the caller has switched off; what is not finite is told in words."""
    with enable_grad(), np.errstate(all="ignore"):
        yield


def array(tensor: Tensor) -> np.ndarray:
    return tensor.detach().numpy()
