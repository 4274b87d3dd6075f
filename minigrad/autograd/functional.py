"""Derivatives of functions: Jacobians, Hessians, and their products with vectors.

`inputs`, what `func` returns, and `v` are each a Tensor or a tuple of Tensors, and the answer is nested accordingly.
With `create_graph` the answer can itself be differentiated. The derivative of an input that plays no part is zeros, or
refused where all shall be `strict`.
"""

from collections.abc import Callable
from typing import Any

from ..core.modes import enable_grad, set_grad_enabled
from ..core.tensor import Tensor
from ..func.matrices import block_of
from ..tensors.creation import zeros_like
from .grad_mode import is_grad_enabled
from .reverse import grad

Tensors = Tensor | tuple[Tensor, ...]

# == products with a vector ================================================================================


def vjp(func: Callable, inputs: Tensors, v: Tensors | None = None, create_graph=False, strict=False) -> tuple[Any, Any]:
    """`func(inputs)`, and vᵀJ: one backward, started with `v` (1 where the output is one number).

    >>> import minigrad as mg
    >>> mg.autograd.functional.vjp(lambda x: 2 * x, mg.tensor([1.0, 2.0]), mg.tensor([1.0, 10.0]))
    (tensor([2., 4.]), tensor([ 2., 20.]))
    """
    return _product("vjp", func, inputs, v, create_graph, strict)


def jvp(func: Callable, inputs: Tensors, v: Tensors | None = None, create_graph=False, strict=False) -> tuple[Any, Any]:
    """`func(inputs)`, and Jv: how the output changes when the inputs change in the direction `v`.

    Two backwards take the place of a forward mode, which `minigrad.func.jvp` uses.

    >>> import minigrad as mg
    >>> mg.autograd.functional.jvp(lambda x: x**2, mg.tensor([1.0, 2.0]), mg.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    return _product("jvp", func, inputs, v, create_graph, strict)


def vhp(func: Callable, inputs: Tensors, v: Tensors | None = None, create_graph=False, strict=False) -> tuple[Any, Any]:
    """`func(inputs)`, one number, and vᵀH: a backward through the backward, started with `v`.

    >>> import minigrad as mg
    >>> mg.autograd.functional.vhp(lambda x: (x**3).sum(), mg.tensor([1.0, 2.0]), mg.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    return _product("vhp", func, inputs, v, create_graph, strict)


def hvp(func: Callable, inputs: Tensors, v: Tensors | None = None, create_graph=False, strict=False) -> tuple[Any, Any]:
    """`func(inputs)`, one number, and Hv. Where H is symmetric, `vhp` gives the same with one backward less."""
    return _product("hvp", func, inputs, v, create_graph, strict)


def _product(name: str, func: Callable, inputs: Tensors, v, create_graph: bool, strict: bool) -> tuple[Any, Any]:
    """A vector times a matrix takes one backward; a matrix times a vector takes two.

    uᵀJ, which a backward computes, is linear in u, and its derivative with respect to u in the direction v is Jv.
    """
    with enable_grad():
        call = _Call(name, func, inputs, create_graph, strict)
        v = call.vector(v)
        starts, ends, many = call.outputs, call.inputs, call.many_inputs
        order = 1
        if name in ("vhp", "hvp"):
            _check_single(name, starts if call.many_outputs else starts[0])
            starts, order = _grad(starts, ends, None, True, strict), 2  # ready to be differentiated again
        if name in ("jvp", "hvp"):
            many = call.many_outputs if name == "jvp" else many
            u = tuple(zeros_like(one).requires_grad_() for one in (starts if name == "jvp" else ends))
            starts, ends = _grad(starts, ends, u, True, strict, order), u
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = _grad(starts, ends, v, create_graph, strict, order)
    return call.nested(call.outputs, call.many_outputs), call.nested(found, many)


# == whole matrices ========================================================================================


def jacobian(
    func: Callable, inputs: Tensors, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """All derivatives of all outputs: entry [i][j] belongs to output i and input j, and has both their shapes.

    One backward for each number in the outputs; `minigrad.func.jacfwd` takes one forward for each in the inputs.
    `vectorize` and `strategy` change nothing in the result, and nothing in the work either: rows are computed one
    after another. `strict`: an output that does not depend on an input is refused.

    >>> import minigrad as mg
    >>> mg.autograd.functional.jacobian(lambda x, y: x * y, (mg.tensor([1.0, 2.0]), mg.tensor(3.0)))
    (tensor([[3., 0.],
            [0., 3.]]), tensor([1., 2.]))
    """
    # PyTorch's type of error: it goes forward in this combination alone, so a program that runs here runs there.
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(f'Expected strategy to be either "forward-mode" or "reverse-mode", but got {strategy!r}')
    if strategy != "reverse-mode" and (not vectorize or strict or create_graph):
        raise NotImplementedError('strategy="forward-mode" goes with vectorize=True, without strict and create_graph')
    if strict and vectorize:
        raise RuntimeError("vectorize=True is not supported together with strict=True")
    with enable_grad():
        call, matrix = _Call("jacobian", func, inputs, create_graph, strict), []
        for i, output in enumerate(call.outputs):
            numbers = output.reshape(-1) if output.numel() else ()
            rows = [_grad((one,), call.inputs, None, create_graph, strict, which=f"Output {i}") for one in numbers]
            columns = list(zip(*rows)) or [()] * len(call.inputs)
            matrix.append([block_of(column, 0, output, input) for column, input in zip(columns, call.inputs)])
    rows = [call.nested(row, call.many_inputs) for row in matrix]
    return tuple(rows) if call.many_outputs else rows[0]


def hessian(
    func: Callable, inputs: Tensors, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """All second derivatives of a function that returns one number: the Jacobian of its Jacobian.

    >>> import minigrad as mg
    >>> mg.autograd.functional.hessian(lambda x: x.prod(), mg.tensor([2.0, 3.0]))
    tensor([[0., 1.],
            [1., 0.]])
    """
    many_inputs, inputs = _tensors(inputs, "inputs", "hessian")

    def number(*inputs):
        output = func(*inputs)
        _tensors(output, OUTPUTS, "hessian")
        _check_single("hessian", output)
        return output.squeeze()

    def slope(*inputs):
        inputs = tuple(input.requires_grad_() for input in inputs)
        return jacobian(number, inputs, True, strict)

    matrix = jacobian(slope, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return matrix if many_inputs else matrix[0][0]


# == what they share =======================================================================================


class _Call:
    """`func` called on inputs of its own, with PyTorch's checks of what goes in and comes out."""

    def __init__(self, name: str, func: Callable, inputs, create_graph: bool, strict: bool) -> None:
        self.name, self.create_graph = name, create_graph
        self.many_inputs, inputs = _tensors(inputs, "inputs", name)
        self.inputs = tuple(self.own(one).requires_grad_() for one in inputs)
        self.many_outputs, self.outputs = _tensors(func(*self.inputs), OUTPUTS, name)
        for i, output in enumerate(self.outputs):
            if strict and not output.requires_grad:
                raise RuntimeError(
                    f"Output {i} of the user-provided function does not require gradients. The outputs must be "
                    "computed in a differentiable manner from the input when running in strict mode."
                )

    def own(self, tensor: Tensor) -> Tensor:
        """A tensor of our own, so that an input is told from the same tensor used inside of `func`."""
        return tensor.view_as(tensor) if self.create_graph and tensor.requires_grad else tensor.detach()

    def vector(self, v):
        """`v`, which must look like the tensors that it belongs to; a single number needs none."""
        to_outputs = self.name == "vjp"
        like, many = (self.outputs, self.many_outputs) if to_outputs else (self.inputs, self.many_inputs)
        if v is None:
            if len(like) == 1 and like[0].numel() == 1:
                return None
            whose = "user-provided function returns" if to_outputs else "input to the user-provided function is"
            raise RuntimeError(f"The vector v can only be None if the {whose} a single Tensor with a single element.")
        given = _tensors(v, "v", self.name)[1]
        if len(given) != len(like):
            wrong = f"v is a tuple of invalid length: should be {len(like)} but got {len(given)}."
            raise RuntimeError(wrong if many else "The given v should contain a single Tensor.")
        for i, (one, other) in enumerate(zip(given, like)):
            if one.shape != other.shape:
                entry = f"Entry {i} in " if many else ""
                raise RuntimeError(f"{entry}v has invalid size: should be {other.shape} but got {one.shape}.")
        return tuple(self.own(one) for one in given)

    def nested(self, tensors, many: bool):
        """As the person gave it: with history only if that was asked for, in a tuple only if it came in one."""
        tensors = tuple(one if self.create_graph else one.detach() for one in tensors)
        return tensors if many else tensors[0]


def _tensors(value, what: str, function: str) -> tuple[bool, tuple]:
    """Whether it is a tuple, and the tuple."""
    many = isinstance(value, tuple)
    for i, one in enumerate(value if many else (value,)):
        if not isinstance(one, Tensor):
            raise TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the "
                f"{f'value at index {i}' if many else f'given {what}'} has type {type(one)}."
            )
    return many, value if many else (value,)


def _check_single(name: str, output) -> None:
    if isinstance(output, tuple):
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if output.numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")


def _grad(outputs, inputs, v, create_graph: bool, strict=False, order=1, which="The output") -> tuple:
    """`autograd.grad` of those outputs that have a history; zeros for an input that plays no part, unless `strict`.

    `order` says which derivative of the function this is, `which` what is differentiated, if it is the first.
    """
    v = (None,) * len(outputs) if v is None else v
    pairs = [(out, seed) for out, seed in zip(outputs, v) if out.requires_grad]
    if not pairs:
        return tuple(map(zeros_like, inputs))
    recorded, seeds = zip(*pairs)
    found = grad(recorded, inputs, seeds, retain_graph=True, create_graph=create_graph, allow_unused=True)
    for i, one in enumerate(found) if strict else ():
        if one is None or (create_graph and not one.requires_grad):
            what = (which, "The jacobian", "The hessian")[order if one is not None else order - 1]
            raise RuntimeError(
                f"{what} of the user-provided function is independent of input {i}. This is not allowed in strict mode."
            )
    return tuple(zeros_like(one) if gradient is None else gradient for one, gradient in zip(inputs, found))


OUTPUTS = "outputs of the user-provided function"
