"""Derivatives of functions: Jacobians, Hessians, and their products with vectors.

>>> import minigrad as mg
>>> jacobian(lambda x: x**2, mg.tensor([1.0, 2.0]))
tensor([[2., 0.],
        [0., 4.]])
>>> hessian(lambda x: (x**3).sum(), mg.tensor([1.0, 2.0]))
tensor([[ 6.,  0.],
        [ 0., 12.]])

`inputs`, what `func` returns, and `v` are each a Tensor or a tuple of Tensors, and the answer is nested accordingly.
With `create_graph` the answer can itself be differentiated. With `strict` an input that plays no part is an error, else
its derivative is zeros.
"""

from collections.abc import Callable
from typing import Any

from ..core.modes import enable_grad, set_grad_enabled
from ..core.tensor import Tensor
from ..func.matrices import block_of, jacfwd
from ..tensors.creation import zeros_like
from .grad_mode import is_grad_enabled
from .reverse import grad

Tensors = Tensor | tuple[Tensor, ...]

# == products with a vector ================================================================================


def vjp(
    func: Callable, inputs: Tensors, v: Tensors | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(inputs)`, and vᵀJ: one backward, started with `v` (1 where the output is one number).

    >>> import minigrad as mg
    >>> vjp(lambda x: 2 * x, mg.tensor([1.0, 2.0]), mg.tensor([1.0, 10.0]))
    (tensor([2., 4.]), tensor([ 2., 20.]))
    """
    return _product("vjp", func, inputs, v, create_graph, strict)


def jvp(
    func: Callable, inputs: Tensors, v: Tensors | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(inputs)`, and Jv: how the output changes when the inputs change in the direction `v`.

    Two backwards take the place of a forward mode, which `minigrad.func.jvp` uses.

    >>> import minigrad as mg
    >>> jvp(lambda x: x**2, mg.tensor([1.0, 2.0]), mg.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    return _product("jvp", func, inputs, v, create_graph, strict)


def vhp(
    func: Callable, inputs: Tensors, v: Tensors | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(inputs)`, one number, and vᵀH: a backward through the backward, started with `v`.

    >>> import minigrad as mg
    >>> vhp(lambda x: (x**3).sum(), mg.tensor([1.0, 2.0]), mg.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    return _product("vhp", func, inputs, v, create_graph, strict)


def hvp(
    func: Callable, inputs: Tensors, v: Tensors | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(inputs)`, one number, and Hv. Where H is symmetric, `vhp` gives the same with one backward less."""
    return _product("hvp", func, inputs, v, create_graph, strict)


def _product(name: str, func: Callable, inputs: Tensors, v, create_graph: bool, strict: bool) -> tuple[Any, Any]:
    """A vector times a matrix takes one backward; a matrix times a vector takes two.

    uᵀJ, which a backward computes, is linear in u, and its derivative with respect to u in the direction v is Jv.
    """
    with enable_grad():
        call = _Call(name, inputs, create_graph, strict)
        if name != "vjp":
            v = call.vector(v, call.inputs, call.many_inputs, INPUT_NOT_SINGLE)
        call.run(func)
        if name == "vjp":
            v = call.vector(v, call.outputs, call.many_outputs, OUTPUT_NOT_SINGLE)
        starts, ends, many = call.outputs, call.inputs, call.many_inputs
        if name in ("vhp", "hvp"):
            starts = call.slope()
        if name in ("jvp", "hvp"):
            many = call.many_outputs if name == "jvp" else many
            u = tuple(zeros_like(one).requires_grad_() for one in (starts if name == "jvp" else ends))
            starts, ends = _grad(starts, ends, u, True), u
        if name == "jvp":
            _check_recorded(starts, CONSTANT_GRADIENT, strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        constant = CONSTANT_JACOBIAN if name in ("vjp", "jvp") else CONSTANT_HESSIAN
        found = _filled(_grad(starts, ends, v, create_graph), ends, strict, create_graph, UNUSED[name], constant)
    return call.nested(call.outputs, call.many_outputs), call.nested(found, many)


# == whole matrices ========================================================================================


def jacobian(
    func: Callable,
    inputs: Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """All derivatives of all outputs: entry [i][j] belongs to output i and input j, and has both their shapes.

    Reverse mode takes one backward per number in the outputs; forward mode one forward per number in the inputs.
    `vectorize` changes nothing in the result, and nothing in the work either: rows are computed one after another.

    >>> import minigrad as mg
    >>> jacobian(lambda x, y: x * y, (mg.tensor([1.0, 2.0]), mg.tensor(3.0)))
    (tensor([[3., 0.],
            [0., 3.]]), tensor([1., 2.]))
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs '
            'than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        for option in ["create_graph"] * create_graph + ["strict"] * strict:
            kind = NotImplementedError if option == "create_graph" else RuntimeError  # the types that PyTorch raises
            raise kind(REFUSED.format(option, FORWARD, " (yet)", option, REVERSE))
        if not vectorize:  # PyTorch's refusal, type and words, so that what runs here runs there
            raise NotImplementedError(
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for "
                "`vectorize=True`."
            )
        return _by_columns(func, inputs)
    with enable_grad():
        call = _Call("jacobian", inputs, create_graph, strict).run(func)
        if strict and vectorize:
            raise RuntimeError(REFUSED.format("strict", "`vectorized=True`", "", "strict", "`vectorize=False`"))
        matrix = []
        for o, output in enumerate(call.outputs):
            unused = f"Output {o} of the user-provided function is independent of input {{i}}.{NOT_STRICT}"
            rows = []
            for number in output.reshape(-1) if output.numel() else ():
                row = _grad((number,), call.inputs, None, create_graph)
                rows.append(_filled(row, call.inputs, strict, create_graph, unused, CONSTANT_JACOBIAN))
            columns = list(zip(*rows)) or [()] * len(call.inputs)
            matrix.append([block_of(column, 0, output, input) for column, input in zip(columns, call.inputs)])
    rows = [call.nested(row, call.many_inputs) for row in matrix]
    return tuple(rows) if call.many_outputs else rows[0]


def _by_columns(func: Callable, inputs: Tensors) -> Any:
    """Forward mode: move one number of the inputs at a time, and see how all outputs move with it."""
    many_inputs, inputs = _tensors(inputs, "inputs", "jacobian")

    def checked(*moving):
        outputs = func(*moving)
        _tensors(outputs, OUTPUTS, "jacobian")
        return outputs

    matrix = jacfwd(checked, tuple(range(len(inputs))))(*inputs)
    if many_inputs:
        return matrix
    return tuple(row[0] for row in matrix) if isinstance(matrix[0], tuple) else matrix[0]


def hessian(
    func: Callable,
    inputs: Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """All second derivatives of a function that returns one number: the Jacobian of its Jacobian.

    >>> import minigrad as mg
    >>> hessian(lambda x: x.prod(), mg.tensor([2.0, 3.0]))
    tensor([[0., 1.],
            [1., 0.]])
    """
    many_inputs, inputs = _tensors(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def number(*inputs):
        output = func(*inputs)
        _check_recorded(_tensors(output, OUTPUTS, "hessian")[1], OUTPUT_NOT_RECORDED, strict)
        return _single("hessian", output).squeeze()

    def slope(*inputs):
        inputs = tuple(input.requires_grad_() for input in inputs)
        found = jacobian(number, inputs, create_graph=True)
        _check_recorded(found, LINEAR, strict)
        return found

    matrix = jacobian(slope, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return matrix if many_inputs else matrix[0][0]


# == what they share =======================================================================================


class _Call:
    """`func` called on inputs of its own, with PyTorch's checks of what goes in and comes out."""

    def __init__(self, name: str, inputs, create_graph: bool, strict: bool) -> None:
        self.name, self.create_graph, self.strict = name, create_graph, strict
        self.many_inputs, inputs = _tensors(inputs, "inputs", name)
        self.inputs = tuple(self.own(one).requires_grad_() for one in inputs)

    def run(self, func) -> "_Call":
        self.many_outputs, self.outputs = _tensors(func(*self.inputs), OUTPUTS, self.name)
        _check_recorded(self.outputs, OUTPUT_NOT_RECORDED, self.strict)
        return self

    def own(self, tensor: Tensor) -> Tensor:
        """A tensor of our own, so that an input is told from the same tensor used inside of `func`."""
        return tensor.view_as(tensor) if self.create_graph and tensor.requires_grad else tensor.detach()

    def vector(self, v, like: tuple, many: bool, must_be_single: str):
        """`v`, checked against what it belongs to."""
        if v is None:
            if len(like) != 1 or like[0].numel() != 1:
                raise RuntimeError(f"The vector v can only be None if the {must_be_single}")
            return None
        v = _tensors(v, "v", self.name)[1]
        if len(v) != len(like):
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}."
                if many
                else "The given v should contain a single Tensor."
            )
        for i, (one, other) in enumerate(zip(v, like)):
            if one.shape != other.shape:
                entry = f"Entry {i} in " if many else ""
                raise RuntimeError(f"{entry}v has invalid size: should be {other.shape} but got {one.shape}.")
        return tuple(self.own(one) for one in v)

    def slope(self) -> tuple:
        """The gradient of the one number that `func` returned, ready to be differentiated again."""
        _single(self.name, self.outputs if self.many_outputs else self.outputs[0])
        found = _grad(self.outputs, self.inputs, None, True)
        _check_recorded(found, LINEAR, self.strict)
        return found

    def nested(self, tensors, many: bool):
        """As the person gave it: with history only if that was asked for, in a tuple only if it came in one."""
        tensors = tuple(one if self.create_graph else one.detach() for one in tensors)
        return tensors if many else tensors[0]


def _tensors(value, what: str, function: str) -> tuple[bool, tuple]:
    """Whether it is a tuple, and the tuple."""
    many = isinstance(value, tuple)
    for i, one in enumerate(value if many else (value,)):
        if not isinstance(one, Tensor):
            which = f"value at index {i}" if many else f"given {what}"
            raise TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the {which} has "
                f"type {type(one)}."
            )
    return many, value if many else (value,)


def _single(name: str, output) -> Tensor:
    if isinstance(output, tuple):
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if output.numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")
    return output


def _grad(outputs, inputs, v, create_graph: bool) -> tuple:
    """`autograd.grad` of those outputs that have a history; None for an input that plays no part."""
    v = (None,) * len(outputs) if v is None else v
    pairs = [(out, seed) for out, seed in zip(outputs, v) if out is not None and out.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    recorded, seeds = zip(*pairs)
    return grad(recorded, inputs, seeds, retain_graph=True, create_graph=create_graph, allow_unused=True)


def _filled(found, like, strict: bool, create_graph: bool, unused: str, constant: str) -> tuple:
    """Zeros where nothing arrived; in strict mode an error instead."""
    for i, one in enumerate(found) if strict else ():
        if one is None:
            raise RuntimeError(unused.format(i=i))
        if create_graph and not one.requires_grad:
            raise RuntimeError(constant.format(i=i))
    return tuple(zeros_like(other) if one is None else one for one, other in zip(found, like))


def _check_recorded(tensors, refusal: str, strict: bool) -> None:
    for i, one in enumerate(tensors) if strict else ():
        if one is None:
            raise RuntimeError(UNUSED_INPUT.format(i=i))
        if not one.requires_grad:
            raise RuntimeError(refusal.format(i=i))


OUTPUTS = "outputs of the user-provided function"
NOT_STRICT = " This is not allowed in strict mode."
OUTPUT_NOT_SINGLE = "user-provided function returns a single Tensor with a single element."
INPUT_NOT_SINGLE = "input to the user-provided function is a single Tensor with a single element."
OUTPUT_NOT_RECORDED = (
    "Output {i} of the user-provided function does not require gradients. The outputs must be computed in a "
    "differentiable manner from the input when running in strict mode."
)
UNUSED_INPUT = "The output of the user-provided function is independent of input {i}." + NOT_STRICT
UNUSED = {
    "vjp": UNUSED_INPUT,
    "jvp": "The gradient with respect to the input is independent of entry {i} in the grad_outputs when using the "
    "double backward trick to compute forward mode gradients." + NOT_STRICT,
    "vhp": "The jacobian of the user-provided function is independent of input {i}." + NOT_STRICT,
    "hvp": "The hessian of the user-provided function is independent of entry {i} in the grad_jacobian. This is not "
    "allowed in strict mode as it prevents from using the double backward trick to replace forward mode AD.",
}
CONSTANT_GRADIENT = (
    "The gradient with respect to input {i} is independent of the inputs of the user-provided function." + NOT_STRICT
)
CONSTANT_JACOBIAN = UNUSED["vhp"][:-1] + " when create_graph=True."
CONSTANT_HESSIAN = CONSTANT_JACOBIAN.replace("jacobian", "hessian")
LINEAR = (
    "While computing the hessian, found that the jacobian of the user-provided function with respect to input {i} is "
    "independent of the input. This is not allowed in strict mode. You should ensure that your function is twice "
    "differentiable and that the jacobian depends on the inputs (this would be violated by a linear function for "
    "example)."
)
FORWARD, REVERSE = '`strategy="forward-mode"`', '`strategy="reverse-mode"`'
REFUSED = (
    "torch.autograd.functional.jacobian: `{}=True` and {} are not supported together{}. Please either set `{}=False` "
    "or {}."
)
