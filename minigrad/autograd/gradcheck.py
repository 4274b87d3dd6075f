"""Checking derivatives against differences: what to do before trusting a rule."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.modes import enable_grad
from ..core.tensor import Tensor, wrap
from ..numbers.dtypes import typename
from . import forward_ad
from .function import Function
from .reverse import grad
from .starts import Gradients


class GradcheckError(RuntimeError):
    """What `gradcheck` and `gradgradcheck` raise."""


def gradcheck(
    func: Callable, inputs: Tensor | Sequence, *, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
    raise_exception: bool = True, nondet_tol: float = 0.0, check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False, check_batched_grad: bool = False, check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False, check_backward_ad: bool = True, fast_mode: bool = False,
) -> bool:  # fmt: skip
    """Whether the gradients of `func` at `inputs` are what small finite differences say.

    Args:
        func: takes Tensors, returns one Tensor or a tuple.
        inputs: one Tensor or a tuple; those that require grad are checked, and should be float64.
        eps: the step of the differences.
        atol, rtol: how far the two may be apart: |analytical - numerical| ≤ atol + rtol · |numerical|.
        raise_exception: raise a `GradcheckError` that shows both, instead of returning False.
        nondet_tol: how far two runs of the same backward may be apart.
        check_undefined_grad: also check that an output at which no gradient arrives counts as one where 0 arrives.
        check_forward_ad, check_backward_ad: which of the two modes to check.
        check_grad_dtypes, check_batched_grad, check_batched_forward_grad: accepted: here a gradient always has its
            input's type, and a batch is computed one by one.
        fast_mode: accepted and ignored: every element is compared.

    >>> import minigrad as mg
    >>> x = mg.tensor([0.5, 2.0], dtype=float, requires_grad=True)
    >>> mg.autograd.gradcheck(lambda x: x.sin() * x, x)
    True
    >>> mg.autograd.gradcheck(lambda x: x.detach() * x, x, raise_exception=False)
    False
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    inputs = tuple(inputs) if isinstance(inputs, list | tuple) else (inputs,)
    try:
        check = _Check(func, inputs, eps, atol, rtol)
        if check_backward_ad:
            check.backward(nondet_tol)
        if check_forward_ad:
            check.forward()
        if check_backward_ad:
            check.nothing_comes_of_nothing(check_undefined_grad)
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


def check_input(i: int, array: np.ndarray) -> None:
    """Say what makes differences rough, and refuse what makes them wrong."""
    if array.real.dtype != np.float64:
        warnings.warn(
            f"Input #{i} requires gradient and is not a double precision floating point or complex. This check will "
            "likely fail if all the inputs are not of double precision floating point or complex. ",
            stacklevel=4,
        )
    if any(not step and size > 1 for step, size in zip(array.strides, array.shape)):
        raise RuntimeError(
            f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping "
            "to be able to compute the numerical gradients correctly. You should call .contiguous on the input before "
            "passing it to gradcheck."
        )


class Severed(Function):
    """Hands a value on, and no gradient back."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return None


class _Check:
    """One function at one point: its outputs, and its Jacobian by differences."""

    def __init__(self, func, inputs, eps, atol, rtol):
        self.func, self.inputs, self.eps, self.atol, self.rtol = func, inputs, eps, atol, rtol
        self.moving = [x for x in inputs if isinstance(x, Tensor) and x.requires_grad]
        if not self.moving:
            raise ValueError(
                "gradcheck expects at least one input tensor to require gradient, but none of them have "
                "requires_grad=True."
            )
        for i, x in enumerate(inputs):
            if isinstance(x, Tensor) and x.requires_grad:
                check_input(i, x.array)
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
                for step in (-self.eps, self.eps):
                    x.array[i] = before + step * direction
                    sides.append(self.values())
                columns.append([self.slope(left, right, i) for left, right in zip(*sides)])
            x.array[i] = before
        if not columns:
            return [np.zeros((reals(out.array).size, 0)) for out in self.outputs]
        return [np.stack(column, axis=1) for column in zip(*columns)]

    def values(self) -> list:
        results = _results(self.func, self.inputs)
        return [results[i].detach().clone() for i in self.checked]  # which may be the input itself, soon moved again

    def slope(self, left, right, at) -> np.ndarray:
        for what in ("shape", "dtype"):
            if getattr(left, what) != getattr(right, what):
                raise AssertionError(
                    f"Expected `func` to return outputs with the same {what} when inputs are perturbed on index {at} "
                    f"by {self.eps}, but got: {what}s {getattr(left, what)} and {getattr(right, what)}."
                )
        left, right = (reals(one.array).astype(np.float64) for one in (left, right))
        with np.errstate(invalid="ignore"):  # inf - inf
            return (right - left) / (2 * self.eps)

    def pull(self, k: int, seed, **options) -> list:
        """One backward from output k; an input that it does not reach has gradient zero."""
        found = grad(self.outputs[k], self.moving, seed, retain_graph=True, allow_unused=True, **options)
        return [np.zeros_like(x.array) if g is None else g.array for g, x in zip(found, self.moving)]

    def backward(self, nondet_tol: float) -> None:
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
                if not np.allclose(one, two, 0, nondet_tol, equal_nan=True):
                    raise GradcheckError(
                        f"Backward is not reentrant: two runs give different gradients of output {k} for input {j}"
                    )

    def nothing_comes_of_nothing(self, undefined: bool) -> None:
        """What a backward gives is multiplied by what it is given: 0 of 0, also of a 0 that never arrived."""
        if not self.outputs:
            return
        if self.reached(self.outputs):
            raise GradcheckError("backward not multiplied by grad_output")
        count = len(self.outputs)
        for missing in [{*range(count)}, *({k} for k in range(count) if count > 1)] if undefined else []:
            outputs = _differentiable(_results(self.func, self.inputs))
            with enable_grad():
                outputs = [Severed.apply(out) if k in missing else out for k, out in enumerate(outputs)]
            try:
                found = self.reached(outputs)
            except Exception as error:
                raise GradcheckError("Expected backward function to handle undefined output grads") from error
            if found:
                raise GradcheckError(
                    "Expected all input grads to be undefined or zero when all output grads are undefined or zero"
                )

    def reached(self, outputs) -> bool:
        """Whether anything but 0 arrives if the backward starts from 0."""
        seeds = [wrap(np.zeros_like(out.array)) for out in outputs]
        found = grad(outputs, self.moving, seeds, retain_graph=True, allow_unused=True)
        return any(bool((g.array != 0).any()) for g in found if g is not None)

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
