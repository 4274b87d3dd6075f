"""Checking derivatives against differences: what to do before trusting a rule."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.tensor import Tensor, wrap
from ..numbers.dtypes import typename
from . import forward_ad
from .reverse import grad
from .starts import Gradients


class GradcheckError(RuntimeError):
    """What `gradcheck` and `gradgradcheck` raise."""


def gradcheck(
    func: Callable, inputs: Tensor | Sequence, *, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
    raise_exception: bool = True, check_forward_ad: bool = False, check_backward_ad: bool = True,
    fast_mode: bool = False,
) -> bool:  # fmt: skip
    """Whether the gradients of `func` at `inputs` are what small finite differences say.

    Args:
        func: takes Tensors, returns one Tensor or a tuple.
        inputs: one Tensor or a tuple; those that require grad are checked, and should be float64.
        eps: the step of the differences.
        atol, rtol: how far the two may be apart: |analytical - numerical| ≤ atol + rtol · |numerical|.
        raise_exception: raise a `GradcheckError` that shows both, instead of returning False.
        check_forward_ad, check_backward_ad: which of the two modes to check.
        fast_mode: accepted and ignored: every element is compared.

    >>> import minigrad as mg
    >>> x = mg.tensor([0.5, 2.0], dtype=float, requires_grad=True)
    >>> mg.autograd.gradcheck(lambda x: x.sin() * x, x)
    True
    >>> mg.autograd.gradcheck(lambda x: x.detach() * x, x, raise_exception=False)
    False
    """
    inputs = tuple(inputs) if isinstance(inputs, list | tuple) else (inputs,)
    try:
        check = _Check(func, inputs, eps, atol, rtol)
        if check_backward_ad:
            check.backward()
        if check_forward_ad:
            check.forward()
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable, inputs: Tensor | Sequence, grad_outputs: Gradients = None, *, check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True, **options: Any,
) -> bool:  # fmt: skip
    """`gradcheck` of the gradients themselves: the second derivatives of `func`.

    Args:
        grad_outputs: where the first backward starts; random by default.
        check_rev_over_rev, check_fwd_over_rev: which mode to lay over the backward.
        options: those of `gradcheck`.

    >>> import minigrad as mg
    >>> mg.autograd.gradgradcheck(lambda x: x**3, mg.tensor([0.5], dtype=float, requires_grad=True))
    True
    """
    inputs = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if grad_outputs is None:
        draw = np.random.default_rng(0).standard_normal
        outputs = _differentiable(_results(func, inputs))
        drawn = [draw(out.shape).astype(out.array.dtype) * (1 + 1j if out.is_complex() else 1) for out in outputs]
        grad_outputs = [wrap(one).requires_grad_() for one in drawn]
    grad_outputs = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)
    count = len(grad_outputs)

    def first_gradients(*everything):
        given = everything[:-count]
        wanted = [x for x in given if isinstance(x, Tensor) and x.requires_grad]
        outputs = _differentiable(_results(func, given))
        found = grad(outputs, wanted, everything[-count:], create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None and g.requires_grad)

    given = (*inputs, *grad_outputs)
    return gradcheck(
        first_gradients, given, check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev, **options
    )


def _results(func, inputs) -> tuple:
    found = func(*inputs)
    found = found if isinstance(found, tuple | list) else (found,)
    for one in found:
        if not isinstance(one, Tensor):  # else what is not looked at would pass
            raise AttributeError(f"what is checked must return Tensors, but returned '{typename(one)}'")
    return tuple(found)


def _differentiable(outputs: tuple) -> list:
    return [out for out in outputs if isinstance(out, Tensor) and out.requires_grad]


def reals(array: np.ndarray) -> np.ndarray:
    """All numbers in a row, a complex one as its real and its imaginary part: so one comparison serves both kinds.

    It fits PyTorch's convention for gradients, which are ∂L/∂(real part) + i ∂L/∂(imaginary part).
    """
    flat = np.ascontiguousarray(array).ravel()
    return flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat


def unit_seeds(out: np.ndarray) -> np.ndarray:
    """One gradient for each real number in an output, 1 there and 0 elsewhere."""
    eye = np.eye(reals(out).size, dtype=out.real.dtype)
    return (eye.view(out.dtype) if np.iscomplexobj(out) else eye).reshape(len(eye), *out.shape)


class _Check:
    """One function at one point: its outputs, and its Jacobian by differences."""

    def __init__(self, func, inputs, eps, atol, rtol):
        self.func, self.inputs, self.eps, self.atol, self.rtol = func, inputs, eps, atol, rtol
        self.moving = [x for x in inputs if isinstance(x, Tensor) and x.requires_grad]
        if not self.moving:
            raise ValueError("gradcheck expects at least one input tensor to require gradient")
        if any(x.array.real.dtype != np.float64 for x in self.moving):
            warnings.warn("an input is not a double precision number: other differences are too rough", stacklevel=4)
        results = _results(func, inputs)
        self.checked = [i for i, out in enumerate(results) if isinstance(out, Tensor) and out.requires_grad]
        self.outputs = [results[i] for i in self.checked]
        self.numerical = [self.differences(x) for x in self.moving]  # [input][output]: (output size, input size)

    def differences(self, x) -> list:
        """d outputs / d x, by moving each element of x a step to each side."""
        columns = []
        for i in np.ndindex(x.array.shape):
            before = x.array[i]
            for direction in (1, 1j) if x.is_complex() else (1,):
                sides = []
                for step in (self.eps, -self.eps):
                    x.array[i] = before + step * direction
                    sides.append(self.values())
                columns.append([(right - left) / (2 * self.eps) for right, left in zip(*sides)])
            x.array[i] = before
        if not columns:
            return [np.zeros((reals(out.array).size, 0)) for out in self.outputs]
        return [np.stack(column, axis=1) for column in zip(*columns)]

    def values(self) -> list:
        results = _results(self.func, self.inputs)
        return [reals(results[i].array).astype(np.float64) for i in self.checked]

    def pull(self, k: int, seed, **options) -> list:
        """One backward from output k; an input that it does not reach has gradient zero."""
        found = grad(self.outputs[k], self.moving, seed, retain_graph=True, allow_unused=True, **options)
        return [np.zeros_like(x.array) if g is None else g.array for g, x in zip(found, self.moving)]

    def backward(self) -> None:
        if not self.outputs:
            self.nothing_changes()
        for k, out in enumerate(self.outputs):
            seeds = unit_seeds(out.array)
            rows = [self.pull(k, wrap(seed)) for seed in seeds]
            for j, x in enumerate(self.moving):
                analytical = np.array([reals(row[j]) for row in rows]).reshape(len(seeds), reals(x.array).size)
                self.compare(k, j, self.numerical[j][k], analytical)
            seed = wrap(np.ones_like(out.array))
            for j, (one, two) in enumerate(zip(self.pull(k, seed), self.pull(k, seed))):
                if not np.array_equal(one, two, equal_nan=True):
                    raise GradcheckError(
                        f"Backward is not reentrant: two runs give different gradients of output {k} for input {j}"
                    )

    def nothing_changes(self) -> None:
        """Where no output has a gradient, none may depend on the inputs."""
        results = _results(self.func, self.inputs)
        self.checked = [i for i, out in enumerate(results) if isinstance(out, Tensor) and out.is_floating_point()]
        if any(np.abs(jacobian).max(initial=0) for x in self.moving for jacobian in self.differences(x)):
            raise GradcheckError("Numerical gradient for function expected to be zero")

    def forward(self) -> None:
        """Each column of the Jacobian by one tangent."""
        for j, x in enumerate(self.moving):
            for i, direction in enumerate(unit_seeds(x.array)):
                with forward_ad.dual_level():
                    dual = forward_ad.make_dual(x, wrap(direction))
                    moved = [dual if given is x else given for given in self.inputs]
                    results = _results(self.func, moved)
                    tangents = [forward_ad.unpack_dual(results[index]).tangent for index in self.checked]
                for k, tangent in enumerate(tangents):
                    like = self.outputs[k].array
                    column = reals(np.zeros_like(like) if tangent is None else tangent.array.astype(like.dtype))
                    self.compare(k, j, self.numerical[j][k][:, i], column, "computed with forward mode")

    def compare(self, k: int, j: int, numerical, analytical, how: str = "") -> None:
        if not np.allclose(analytical, numerical, self.rtol, self.atol, equal_nan=True):
            raise GradcheckError(
                f"Jacobian {how + ' ' if how else ''}mismatch for output {k} with respect to input {j},\n"
                f"numerical:{numerical}\nanalytical:{analytical}\n"
            )
