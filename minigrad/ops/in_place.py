"""In-place twins: `x.mul_(y)` is the row of `x * y`, its result written over `x`."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .. import dtypes
from ..autograd.engine import apply, short_way_in_place
from ..autograd.events import Zeroed, heard, tell
from ..autograd.grad_mode import modes, no_grad
from ..autograd.views import check_overwritable, writeable
from ..tensor import Tensor, counter_of
from . import copying, elementwise, gamma, gathering, matrix, rearranging, scattering, shape, special, statistics

TWINS = (
    "neg add sub mul div reciprocal fmod remainder floor_divide square sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos "
    "tan asin acos atan sinh cosh tanh asinh acosh atanh abs sign floor ceil round trunc relu sigmoid "
    "hypot atan2 sgn erf erfc logit frac nan_to_num deg2rad rad2deg xlogy lerp addcmul addcdiv "
    "clamp_min clamp_max cumsum cumprod tril triu "
    "copysign ldexp nextafter heaviside gcd lcm bitwise_left_shift bitwise_right_shift "
    "lgamma digamma erfinv i0 sinc"
).split()
COPIED = (  # no gradient flows through these, or they are compositions: computed by themselves, and then copied
    "eq ne lt le gt ge bitwise_not bitwise_and bitwise_or bitwise_xor addbmm"
).split()
ACTIVATIONS = {  # and their nodes, where PyTorch calls those of the in-place form differently
    "celu": "CeluBackward1", "elu": "EluBackward1", "leaky_relu": "LeakyReluBackward1", "selu": "EluBackward1",
    "threshold": "ThresholdBackward1",
} | dict.fromkeys(("hardsigmoid", "hardswish", "hardtanh", "mish", "relu6", "silu"))  # fmt: skip
UNDERIVABLE = "asinh acosh atanh".split()  # PyTorch does not differentiate them in place
UNRECORDED = "logical_not logical_and logical_or logical_xor".split()  # as in PyTorch, where the old history stays
SCATTERING = "scatter_add index_add index_copy index_fill index_put masked_fill masked_scatter".split()
GATHERING = "scatter scatter_reduce index_reduce put".split()
PRODUCTS = {
    "addmm": matrix.addmm_of, "addmv": matrix.plus_product, "baddbmm": matrix.plus_product, "addr": matrix.plus_outer,
}  # fmt: skip
MOVED = {  # no number changes, only their arrangement
    "t": shape.t, "transpose": shape.transpose, "swapaxes": rearranging.swapaxes, "swapdims": shape.transpose,
    "squeeze": rearranging.squeeze_dims, "unsqueeze": shape.unsqueeze, "as_strided": rearranging.as_strided,
}  # fmt: skip
OTHER_NAMES = {
    "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div", "negative": "neg", "absolute": "abs",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh", "fix": "trunc", "greater": "gt", "less": "lt", "greater_equal": "ge", "less_equal": "le",
    "not_equal": "ne", "clip": "clamp",
}  # fmt: skip
SIGNS = {
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_", "__ipow__": "pow_",
    "__ifloordiv__": "floor_divide_", "__imod__": "remainder_", "__iand__": "bitwise_and_", "__ior__": "bitwise_or_",
    "__ixor__": "bitwise_xor_", "__ilshift__": "bitwise_left_shift_", "__irshift__": "bitwise_right_shift_",
}  # fmt: skip


NUMBERS = {"squeeze": 3}  # by which those of the nodes are higher than out of place, where it is not 1


def twins(rows: dict, functions: dict) -> dict[str, Callable]:
    """All methods that change their tensor, by name."""
    made = {f"{name}_": twin_of(rows[name].op) for name in TWINS}
    made |= {f"{name}_": unless_recorded(name, made[f"{name}_"]) for name in UNDERIVABLE}
    made["abs_"] = of_real_numbers(made["abs_"])
    made |= {f"{name}_": copied(functions[name]) for name in COPIED}
    made |= {f"{name}_": no_grad()(copied(functions[name])) for name in UNRECORDED}
    made |= {f"{name}_": plus_product(functions[name], row) for name, row in PRODUCTS.items()}
    made |= {f"{name}_": getattr(scattering, f"{name}_") for name in SCATTERING}
    made |= {f"{name}_": getattr(gathering, f"{name}_") for name in GATHERING}
    made |= {f"{name}_": moved_in_place(function, NUMBERS.get(name, 1)) for name, function in MOVED.items()}
    made |= {name: mapped(name) for name in ("apply_", "map_", "map2_")}
    made |= {one.__name__: one for one in (pow_, float_power_, clamp_, copy_, fill_, zero_, fill_diagonal_)}
    made |= {one.__name__: one for one in (polygamma_, mvlgamma_, renorm_, conj_physical_)}
    made |= {f"{name}_": made[f"{other}_"] for name, other in OTHER_NAMES.items()}
    return titled(made) | {sign: made[name] for sign, name in SIGNS.items()}


def titled(made: dict) -> dict:
    """The twins with the names and words that help() shows."""
    for name, twin in made.items():
        if twin.__doc__ is None:
            twin.__name__ = twin.__qualname__ = name
            twin.__doc__ = f"`{name.removesuffix('_')}`, written over the tensor itself."
    return made


def activations(rows: dict) -> dict[str, Callable]:
    """The functions of networks that may overwrite their argument."""
    made = {name: with_node(rows[name], node) if node else rows[name].op for name, node in ACTIVATIONS.items()}
    return titled({f"{name}_": twin_of(row) for name, row in made.items()})


def twin_of(row):
    """`x.mul_(y)`: the same row, the result written over x."""

    def twin(self, *args, **options):
        if "dtype" in row.overloads and options.pop("dtype", None) not in (None, self.dtype):
            raise RuntimeError("Bad in-place call: input tensor dtype and output tensor dtype should match")
        args = (self, *args)
        op = row.overload(args, options).op if row.asks_for_numbers or options else row
        if options or len(args) != len(op.parameters):
            args = op.bind(args, options)
        return apply(op, args, into=self)

    if row.ufunc and row.only_inputs and not row.write:
        return short_way_in_place(row.ufunc, len(row.inputs) - 1, twin, row.numbers)
    return twin


def unless_recorded(name: str, twin):
    def refusing(input):
        if input.requires_grad and modes.state.grad:
            check_overwritable(input, (input,))
            raise NotImplementedError(f"the derivative for 'inplace version of {name}' is not implemented.")
        return twin(input)

    return refusing


def of_real_numbers(absolute):
    def twin(self):
        if self.is_complex():
            raise RuntimeError("In-place abs is not supported for complex tensors.")
        return absolute(self)

    return twin


def copied(function):
    def twin(self, *args, **options):
        return copy_(self, function(copying.clone(self), *args, **options))

    return twin


def plus_product(function, row):
    def twin(self, *factors, beta=1, alpha=1, **named):
        a, b = inspect.signature(function).bind(self, *factors, **named).args[1:]
        if beta != 1:
            return copy_(self, function(copying.clone(self), a, b, beta=beta, alpha=alpha))
        return apply(row.op, (self, a if alpha == 1 else a * alpha, b), into=self)

    return twin


@functools.cache
def numbered(node_type: type, number: int) -> type:
    """The node's type under the number that PyTorch gives to the in-place form: so much higher."""
    name, _, was = node_type.__name__.partition("Backward")
    name = f"{name}Backward{int(was) + number}"
    return type(name, (node_type,), {"__module__": node_type.__module__})


def moved_in_place(function, number: int):
    """`x.t_()`: the tensor itself takes the new arrangement; its memory stays."""

    def twin(self, *args, **options):
        check_overwritable(self, (self,))
        fresh, replay, base = function(self, *args, **options), self._replay, self._base
        if fresh._node is not None and fresh is not self:
            fresh._node.__class__ = numbered(type(fresh._node.shown()), number)
        if base is None and fresh is not self:
            self._moves = moved(self, *fresh._replay[len(self._moves[0]) :])
        elif replay is not None and fresh is not self:
            self._replay = replay + fresh._replay[len(replay) :]
        self._data, self._dual = fresh._data, fresh._dual
        counter_of(self)[0] += 1
        if modes.state.grad:  # else a view's history is taken anew when somebody asks for it
            self._node, self._index, self._requires_grad = fresh._node, fresh._index, fresh._requires_grad
            self._taken = self._counter[0]
        return self

    return twin


def moved(base: Tensor, step: tuple) -> tuple:
    """How a base came to be arranged as it is, and how to undo it: older views are taken from what it was."""
    (done, undoing), (op, _) = base._moves, step
    if undoing is None or op is rearranging.as_strided_to.op:
        return (*done, step), None
    back = step if op in (shape.t.op, shape.transpose.op) else (shape.reshape_to.op, (base.shape,))
    return (*done, step), (back, *undoing)


def mapped(name: str):
    """`x.map_(y, f)` calls a Python function for each element; nothing of it is recorded."""

    def twin(self, *tensors_and_function):
        *others, function = tensors_and_function
        if any(x.requires_grad for x in (self, *others)):
            raise RuntimeError(f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead.")
        arrays = [np.broadcast_to(x.array, self.shape) for x in (self, *others)]
        if self.numel():
            writeable(self.array)[...] = np.vectorize(function, otypes=[self.array.dtype])(*arrays)
        return self

    return twin


# == of their own kind ====================================================================================


def pow_(self, exponent):
    """`pow`, written over the tensor itself."""
    row = elementwise.power_of_tensor if isinstance(exponent, Tensor) else elementwise.power_of_number
    return apply(row.op, (self, exponent), into=self)


def float_power_(self, exponent):
    """`float_power`, written over the tensor itself, which must be as wide as the result."""
    if self.array.dtype not in (np.float64, np.complex128):
        kind = dtypes.SHORT_NAMES[self.dtype.name]
        raise RuntimeError(f"the base given to float_power_ has dtype {kind} but the operation's result requires dtype Double")
    return pow_(self, exponent)


def clamp_(self, min=None, max=None):
    """`clamp`, written over the tensor itself."""
    elementwise.check_bounds(min, max)
    tensors = isinstance(min, Tensor) or isinstance(max, Tensor)
    row = elementwise.clamp_to_tensors if tensors else elementwise.clamp_to_numbers
    return apply(row.op, (self, min, max), into=self)


def copy_(self, src, non_blocking=False):
    """Take over another tensor's numbers; gradients flow to it."""
    return apply(copying.copy.op, (self, src), into=self)


def fill_(self, value):
    """One number everywhere."""
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{value.ndim} dimensions."
            )
        return apply(copying.fill_with.op, (self, value), into=self)
    return apply(copying.fill.op, (self, value), into=self)


def zero_(self):
    """Zeros everywhere: what `x.grad.zero_()` does between two steps."""
    if not heard[Zeroed]:
        return emptied(self)
    before = self.array.copy()
    emptied(self)
    tell(Zeroed(self, before, self.array))
    return self


def zeroed(_, out):
    if out is None:
        raise TypeError("a number has no memory")
    out.fill(0)
    return out


emptied = short_way_in_place(zeroed, 0, lambda self: apply(copying.zero.op, (self,), into=self))


def fill_diagonal_(self, fill_value, wrap=False):
    """One number along the diagonal; with `wrap`, again from each row at which a tall matrix starts anew."""
    if self.ndim < 2:
        raise RuntimeError("dimensions must larger than 1")
    if self.ndim > 2 and len({*self.shape}) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    if self.ndim == 2 and not wrap:
        self.diagonal().fill_(fill_value)
        return self
    step = sum(self.stride())
    rows, columns = self.shape[0], min(self.shape)
    count = (rows * columns + step - 1) // step if wrap and self.ndim == 2 and rows > columns + 1 else columns
    rearranging.as_strided(self, (count,), (step,)).fill_(fill_value)
    return self


def with_node(row, name: str):
    """A row whose twin PyTorch calls differently."""
    return replace(row.op, grad_fn=name, node_types={}, plans={})


POLYGAMMA = with_node(gamma.polygamma_at, "PolygammaBackward1")
CONJ = with_node(special.conj_physical, "ConjPhysicalBackward1")


def polygamma_(self, n):
    """`polygamma`, written over the tensor itself."""
    return apply(POLYGAMMA, (self, n), into=self)


def mvlgamma_(self, p):
    """`mvlgamma`, written over the tensor itself."""
    return apply(gamma.multigamma.op, (self, p), into=self)


def renorm_(self, p, dim, maxnorm):
    """`renorm`, written over the tensor itself."""
    return apply(statistics.renormed.op, (self, p, dim, maxnorm), into=self)


def conj_physical_(self):
    """`conj_physical`, written over the tensor itself."""
    return apply(CONJ, (self,), into=self)
