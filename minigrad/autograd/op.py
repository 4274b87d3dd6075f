"""One row of the tables: an operation, its derivatives, and all that follows from these few lines.

    sin = op(np.sin, a=lambda g, a: g * cos(a))
    mul = op(np.multiply, a=lambda g, b: g * b, b=lambda g, a: g * a)

The first argument computes the forward on arrays. Each keyword is an input with its rule: how the gradient `g` of the
result becomes the gradient of that input (None: no gradient flows there). The rule's own parameters say what the
backward needs, and so what is saved:

    g            the incoming gradient (`gs`: one for each output, where there are several)
    a, b, dim …  an input or an option, by its name in the forward
    a_shape      only the shape of an input: the array itself is not kept
    out, …       an output, by its name
    i            the slot, where one rule serves many inputs (`*tensors` in the forward)

A rule is written once and runs on arrays in an ordinary backward, and on Tensors under `create_graph`, where it
records itself. So it may use operators, methods and other rows, but no NumPy function.
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from ..dtypes import CATEGORY, SHORT_NAMES, common, default_float, half_of, is_differentiable, promote, widened
from ..tensor import Tensor, counter_of, wrap
from . import formula
from .advice import with_operands
from .engine import long_way, short_way
from .graph import OpNode
from .plan import TORCH_NAMES, Plan, Save, parameters
from .views import check_overwritable, relate

BOOLEANS = {  # what arithmetic on bool tensors is refused with
    "neg": "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
    "the `~` or `logical_not()` operator instead.",
    "sub": "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
    "operator instead.",
    "rsub": "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
    "use the `~` or `logical_not()` operator instead.",
}
CONSTANTS = frozenset((int, float, bool, complex))
SYNONYMS = {"axis": "dim", "axes": "dim", "keepdims": "keepdim"}  # NumPy's words, which PyTorch accepts as well


@dataclass(eq=False)
class Op:
    """An operation as the tables declare it; see the head of this file.

    >>> import minigrad as mg
    >>> mg.mul.op.inputs
    ('a', 'b')
    >>> print(mg.sin.op.derivative("a"))
    ∂out/∂a = cos(a)
    """

    forward: Callable
    rules: dict
    ufunc: np.ufunc | None = None  # the NumPy function that this is, where the forward is not that itself
    grad_fn: Any = None  # the node's name where it is not SinBackward0: a string, or a function of the arguments
    elementwise: bool | None = None  # each output element depends on one of each input; NumPy's ufuncs are so
    linear: Any = False  # True: in all inputs together · "each": in each by itself, as a product is
    view: Any = False  # the result shares the first input's memory: True, or MAYBE
    outputs: tuple | None = None  # the names of the outputs, where there are several
    holomorphic: bool = (
        True  # for complex numbers, the rule is the complex derivative; else it is complete as it stands
    )
    floats: bool = False  # integers are computed as floats
    mixes: bool | None = None  # inputs of different types meet in the common one; elementwise operations do
    overloads: dict = field(default_factory=dict)  # what to call instead, by what asks for it: an option that is given,
    # or an input that is a number, for which PyTorch has forms of their own, with no slot for it in the graph
    write: Callable | None = None  # the in-place form, where it does not follow: of the memory and the arguments
    says: str | None = None  # how a person writes the operation: "a · b"
    name: str = "op"
    function: Any = None  # what a person calls
    node_type: type | None = None  # the class of its nodes, where the arguments do not decide it
    node_types: dict = field(default_factory=dict)
    plans: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ufunc = self.forward if isinstance(self.forward, np.ufunc) else self.ufunc
        self.elementwise = self.ufunc is not None if self.elementwise is None else self.elementwise
        self.mixes = self.elementwise if self.mixes is None else self.mixes
        self.inputs = tuple(self.rules)
        self.many = False
        self.parameters, self.defaults = self.inputs, dict[str, Any]()
        if self.ufunc is None:
            self._read_signature()
        # the arguments from `first` up to `last` are inputs, all others options
        self.first = len(self.parameters) if self.many else 0
        self.last = sys.maxsize if self.many else len(self.inputs)
        self.only_inputs = not self.many and self.inputs == self.parameters
        required = [i for i, name in enumerate(self.parameters) if name not in self.defaults]
        self.required = required[-1] + 1 if required else 0
        self.filling = tuple(self.defaults.get(name) for name in self.parameters)  # for what is left out at the end
        self.slots = [i for i, name in enumerate(self.inputs) if self.rules[name]]
        self.all_slots = len(self.slots) == len(self.inputs)
        plain = self.all_slots and not (self.many or self.outputs or self.view)
        simple = len(self.inputs) == 1 or (len(self.inputs) == 2 and self.only_inputs)
        self.run: Callable = short_way(self) if plain and simple else long_way(self)
        self.asks_for_numbers = any(name in self.inputs for name in self.overloads)  # else only options choose a form

    def _read_signature(self) -> None:
        forward: Any = self.forward  # whose code says in no time what `inspect.signature` says slowly
        code = forward.__code__
        self.many = bool(code.co_flags & inspect.CO_VARARGS)
        self.parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        defaults, keyword_defaults = forward.__defaults__ or (), forward.__kwdefaults__ or {}
        self.defaults = dict(zip(reversed(self.parameters[: code.co_argcount]), reversed(defaults))) | keyword_defaults
        if not self.many and self.parameters[: len(self.inputs)] != self.inputs:
            raise TypeError(f"the inputs {self.inputs} must come first in the forward, which has {self.parameters}")

    # -- calling ---------------------------------------------------------------------------------------------------

    def overload(self, args, options=()) -> Callable:
        """The function for this way of calling: `x % 2` runs another row than `x % y`."""
        for name, other in self.overloads.items() if options or self.asks_for_numbers else ():
            position = self.inputs.index(name) if name in self.inputs else len(args)
            if name in options or (position < len(args) and type(args[position]) in CONSTANTS):
                return other
        return self.function

    def bind(self, args: tuple, options: dict) -> tuple:
        """All arguments in the order of the forward."""
        if self.many:
            return (*self.filling, *args) if not options else (*self._bound((), options), *args)
        if not options and self.required <= len(args) <= len(self.parameters):
            return args + self.filling[len(args) :]
        return self._bound(args, options)

    def _bound(self, args: tuple, options: dict) -> tuple:
        if len(args) > len(self.parameters):
            raise TypeError(
                f"{self.name}() takes {len(self.parameters)} positional arguments but {len(args)} were given"
            )
        values = dict(zip(self.parameters, args))
        for given, value in options.items():
            name = next((name for name in self.parameters if given in self.spellings(name)), None)
            if name is None:
                raise TypeError(f"{self.name}() got an unexpected keyword argument '{given}'")
            if name in values:
                raise TypeError(f"{self.name}() got multiple values for argument '{given}'")
            values[name] = value
        missing = [self.torch_name(name) for name in self.parameters if name not in {**self.defaults, **values}]
        if missing:
            shown = ", ".join(f'"{name}"' for name in missing)
            raise TypeError(f"{self.name}() missing {len(missing)} required positional arguments: {shown}")
        return tuple(values[name] if name in values else self.defaults[name] for name in self.parameters)

    def spellings(self, name: str) -> set:
        """The keywords under which an argument may be given: ours, PyTorch's and NumPy's."""
        torch_name = self.torch_name(name)
        numpy_names = {ours for ours, theirs in SYNONYMS.items() if name in (ours, theirs)}
        return {name, torch_name, SYNONYMS.get(name)} | numpy_names | ({"self"} if torch_name == "input" else set())

    def torch_name(self, name: str) -> str:
        return "input" if name == self.parameters[0] else TORCH_NAMES.get(name, name)

    def constant(self, value, position: int):
        """An argument that is no Tensor, as NumPy takes it."""
        if isinstance(value, np.generic):
            return value.item()
        name = self.parameters[min(position, len(self.parameters) - 1)]
        if isinstance(value, np.ndarray | complex) or (value is None and name in self.defaults):
            return value
        raise TypeError(
            f"{self.name}(): argument '{self.torch_name(name)}' (position {position + 1}) must be Tensor, "
            f"not {type(value).__name__}"
        )

    def is_operand(self, position: int) -> bool:
        """Whether an argument takes part in the arithmetic; a condition or an index does not."""
        if self.many or not any(self.rules.values()):
            return self.first <= position < self.last
        return position < len(self.inputs) and self.rules[self.inputs[position]] is not None

    def promote(self, arrays: list) -> list:
        """The operands in the type in which PyTorch would compute; reached only when types differ or are no floats."""
        if not (self.mixes or self.floats):
            return arrays
        if self.name in ("sub", "rsub"):
            bools = [isinstance(value, bool) or getattr(value, "dtype", None) == np.bool_ for value in arrays]
            if any(bools):
                raise RuntimeError(BOOLEANS["sub" if all(bools) else "rsub"])
        operands = [i for i, value in enumerate(arrays) if self.is_operand(i) and value is not None]
        result = common([arrays[i] for i in operands])
        if self.floats and CATEGORY[result.kind] < CATEGORY["f"]:
            result = promote(result, default_float())
        for i in operands:
            if isinstance(arrays[i], np.ndarray | np.generic):
                arrays[i] = arrays[i].astype(result, copy=False)
            elif result.kind != "b" and half_of([result.type(0)]) is None:
                arrays[i] = result.type(arrays[i])
        return arrays

    def forward_for(self, arrays: list) -> Callable:
        """The forward for these types: half precision is computed in float32, and rounded once.

        As in PyTorch; where also a number is rounded first, but for a factor or a divisor.
        """
        half = half_of(arrays)
        if half is None or self.view or "dtype" in self.parameters:
            return self.forward

        def in_float32(*arrays):
            values = list(map(widened, arrays))
            for i, name in enumerate(self.parameters):
                if name in ("b", "exponent") and isinstance(values[i], float) and self.name not in ("mul", "div"):
                    values[i] = float(half.type(values[i]))
            out = self.forward(*values)
            if self.outputs:
                return type(out)(rounded(one, half) for one in out)
            return rounded(out, half)

        return in_float32

    # -- recording -------------------------------------------------------------------------------------------------

    def input_of(self, slot: int) -> str:
        """The input that an edge belongs to."""
        return self.inputs[0 if self.many else self.slots[slot]]

    def needs(self, name: str) -> tuple:
        """What the rule of one input takes besides the gradient."""
        return parameters(self.rules[name])[1:]

    def plan(self, wanted: int) -> Plan:
        plan = self.plans[wanted] = Plan(self, wanted)
        return plan

    def rank(self, name: str) -> int:
        """Saved values stand in the order of the forward's arguments, but inputs first and outputs last."""
        if name in self.parameters:
            return self.parameters.index(name) - len(self.parameters) * (name in self.inputs)
        shape_of = name.removesuffix("_shape")
        return self.parameters.index(shape_of) if shape_of in self.parameters else len(self.parameters)

    def save(self, name: str) -> Save:
        """Where a value that a rule asks for comes from."""
        base = name if name in self.parameters else name.removesuffix("_shape")
        if base not in self.parameters:
            return Save(name, output=(self.outputs or ("out",)).index(name))
        position = self.parameters.index(base)
        slot = self.slots.index(position) if position in self.slots and not self.many else None
        return Save(name, slot, None, position, base != name)

    def choose_node(self, values) -> type:
        """The class of the node, named as PyTorch names it: SinBackward0."""
        varies = callable(self.grad_fn)
        name = self.grad_fn(*values) if varies else self.grad_fn
        if name not in self.node_types:
            title = name or "".join(word.capitalize() for word in self.name.split("_")) + "Backward0"
            saves = [self.save(x) for rule in self.rules.values() if rule for x in parameters(rule)[1:] if x != "i"]
            contents: dict = {"op": self, "__module__": OpNode.__module__}
            contents |= {save.attribute: OpNode.saved_property(save.attribute) for save in saves}
            tensors = [save.attribute for save in saves if save.is_tensor]
            contents |= {f"_raw{attribute}": OpNode.raw_saved_property(attribute) for attribute in tensors}
            self.node_types[name] = type(title, (OpNode,), contents)
        found = self.node_types[name]
        if not varies:
            self.node_type = found
        return found

    def differentiable(self, edges: list, indices, wanted: int) -> tuple:
        """The edges of the inputs that have a rule, and which of them are wanted: a condition is no slot."""
        wanted = sum(1 << slot for slot, i in enumerate(self.slots) if wanted >> i & 1)
        indices = indices and {slot: indices.get(i, 0) for slot, i in enumerate(self.slots)}
        return [edges[i] for i in self.slots], indices, wanted

    def keep(self, node, result: Tensor, output: int = 0) -> None:
        """Save an output: as array and version, for a node never holds the tensor that it made."""
        counter = counter_of(result)
        node.stamps += ((len(node.saved), counter, counter[0]),)
        node.saved.append(result._data)

    def results(self, outs, node, values) -> tuple:
        """The several outputs of an operation as Tensors; those of an integer type carry no gradient."""
        results = tuple(map(wrap, outs))
        for index, result in enumerate(results if self.view else ()):
            relate(result, values[0], self, values[1:], index)
        if node is not None:
            node.outputs, node.special = len(results), True
            node.made = [(result._data.shape, result._data.dtype) for result in results]
            for index, (result, (_, dtype)) in enumerate(zip(results, node.made)):
                if is_differentiable(dtype):
                    result._node, result._index, result._requires_grad = node, index, True
            for save in node.plan.saves:
                if save.output is not None:
                    self.keep(node, results[save.output])
        return results

    def overwrite(self, into: Tensor, arrays: list, wanted: int, forward: Callable) -> np.ndarray:
        """The forward, written over a tensor's memory, with PyTorch's refusals."""
        check_overwritable(into, wanted)
        target = into.array
        if self.write is not None and forward is self.forward:
            self.write(target, *arrays)
            return target
        if self.ufunc is not None and arrays[0] is target and forward is self.forward:
            try:
                return self.ufunc(*arrays, out=target)
            except (ValueError, TypeError):
                pass  # a shape or a type that does not fit: said below
        out = forward(*arrays)
        if out.shape != target.shape:
            raise RuntimeError(
                f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(out.shape)}"
            )
        if CATEGORY[out.dtype.kind] > CATEGORY[target.dtype.kind]:
            raise RuntimeError(
                f"result type {SHORT_NAMES[out.dtype.name]} can't be cast to the desired output type "
                f"{SHORT_NAMES[target.dtype.name]}"
            )
        target[...] = out
        return target

    # -- telling ---------------------------------------------------------------------------------------------------

    def explained(self, error: Exception, arrays: list, values) -> Exception:
        """A refusal of the forward in PyTorch's words, then in the user's."""
        return with_operands(self._in_torch_words(error, arrays), values)

    def _in_torch_words(self, error: Exception, arrays: list) -> Exception:
        """NumPy's refusal as PyTorch would say it, where a dimension, a type or the shapes do not fit."""
        if isinstance(error, np.exceptions.AxisError) and error.axis is not None:
            ndim = max(error.ndim or 0, 1)
            low, high = -ndim, ndim - 1
            return IndexError(
                f"Dimension out of range (expected to be in range of [{low}, {high}], but got {error.axis})"
            )
        if isinstance(error, TypeError):
            return self._type_error(error, arrays)
        shapes = [array.shape for array in arrays if isinstance(array, np.ndarray)]
        ndim = max(map(len, shapes), default=0)
        for dim in range(ndim - 1, -1, -1) if "broadcast" in str(error) else ():
            sizes = [shape[dim - ndim] for shape in shapes if len(shape) >= ndim - dim and shape[dim - ndim] != 1]
            for other in sizes:
                if other != sizes[0]:
                    return RuntimeError(
                        f"The size of tensor a ({sizes[0]}) must match the size of tensor b ({other}) at "
                        f"non-singleton dimension {dim}"
                    )
        return error

    def _type_error(self, error: TypeError, arrays: list) -> Exception:
        if "numpy boolean" in str(error):
            return RuntimeError(BOOLEANS[self.name])
        if "not supported for the input types" not in str(error):
            return error
        if self.ufunc is np.invert:
            return TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
        kind = SHORT_NAMES[next(array.dtype.name for array in arrays if hasattr(array, "dtype"))]
        # PyTorch's type and words for an operation that has no meaning for a type of number
        return NotImplementedError(f"\"{self.name}_cpu\" not implemented for '{kind}'")

    def derivative(self, name: str) -> str:
        """How a person writes the rule of one input: `∂out/∂a = cos(a)`."""
        return formula.derivative(self, name)

    def signature(self) -> inspect.Signature:
        """How the operation is called, in PyTorch's words."""
        kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
        return inspect.Signature(
            [
                inspect.Parameter(self.torch_name(name), kind, default=self.defaults.get(name, empty))
                for name in self.parameters
            ]
        )

    def __repr__(self) -> str:
        return f"Op({self.name}{self.signature()})"


def rounded(out, half):
    return out.astype(half) if out.dtype.kind == "f" else out


SETTINGS = {setting.name for setting in fields(Op)}


def op(forward, **given):
    """Declare an operation: `op(forward, **rules)`, and the settings of `Op` where it needs some.

    Returns the function that a person calls, with the declaration as its attribute `op`.
    """
    rules = {name: rule for name, rule in given.items() if name not in SETTINGS}
    row = Op(forward, rules, **{name: value for name, value in given.items() if name in SETTINGS})
    arity, overloads, run, bind = -1 if row.many else len(row.parameters), row.overloads, row.run, row.bind

    def call(*args, **options):
        if overloads and (other := row.overload(args, options)) is not call:
            return other(*args, **options)
        if options or len(args) != arity:
            args = bind(args, options)
        return run(*args)

    call.op = row  # type: ignore[attr-defined]
    row.function = call
    return call


def named(table: dict) -> dict:
    """The rows of a table (a module's globals) by name; each row learns its own name."""
    rows = {name: value for name, value in table.items() if hasattr(value, "op")}
    for name, function in rows.items():
        if function.__name__ == "call":  # else it is a second name for a row that has one
            row = function.op
            row.name = function.__name__ = function.__qualname__ = name.strip("_")
            signature = function.__signature__ = row.signature()
            differentiable = ", ".join(row.torch_name(one) for one in row.inputs if row.rules[one])
            says = row.says or f"Op({row.name}{signature})"
            function.__doc__ = f"{says}\n\nDifferentiable in: {differentiable or 'nothing'}."
    return rows
