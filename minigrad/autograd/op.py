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
from dataclasses import dataclass

import numpy as np

from ..dtypes import CATEGORY, SHORT_NAMES, common, default_float, promote
from ..tensor import Tensor, counter_of, wrap
from . import formula
from .engine import NUMBERS, apply
from .graph import OpNode

TORCH_NAMES = {"a": "self", "b": "other", "out": "result"}  # how `_saved_…` attributes and keyword arguments call them
SYNONYMS = {"axis": "dim", "axes": "dim", "keepdims": "keepdim"}  # NumPy's words, which PyTorch accepts as well


@dataclass(slots=True, frozen=True)
class Save:
    """One value that a node keeps."""

    name: str
    slot: int | None  # which input it is
    output: int | None  # or which output
    position: int  # or which argument of the forward
    shape_only: bool

    @property
    def attribute(self) -> str:
        if self.shape_only:
            base = self.name.removesuffix("_shape")
            return f"_saved_{TORCH_NAMES.get(base, base)}_sym_sizes"
        return f"_saved_{TORCH_NAMES.get(self.name, self.name)}"


class Plan:
    """What a node needs when a given set of inputs requires grad: which rules run, and which values they are given."""

    def __init__(self, op, wanted: int) -> None:
        self.saves: list[Save] = []
        self.rules: list[tuple] = []  # (slot, rule, which saved values it takes; None: all in order)
        chosen = [(slot, op.rule(slot)) for slot in range(wanted.bit_length()) if wanted >> slot & 1]
        needed = {name for slot, rule in chosen if rule for name in parameters(rule)[1:] if name != "i"}
        for name in sorted(needed, key=op.rank):
            self.saves.append(op.save(name))
        for slot, rule in chosen:
            if rule:
                picks = tuple(self._index(name) for name in parameters(rule)[1:] if name != "i")
                bound = _at(rule, slot) if "i" in parameters(rule) else rule
                self.rules.append((slot, bound, None if picks == tuple(range(len(self.saves))) else picks))
        inputs = [save for save in self.saves if save.output is None]
        self.takes = [(save.position, save.shape_only) for save in inputs]
        self.keeps_output = len(inputs) < len(self.saves)
        self.frees = any((s.slot is not None or s.output is not None) and not s.shape_only for s in self.saves)

    def _index(self, name: str) -> int:
        return [save.name for save in self.saves].index(name)


def _at(rule, slot: int):
    """A rule that serves many inputs, told which one it is."""
    where = parameters(rule).index("i")
    return lambda *values: rule(*values[:where], slot, *values[where:])


def parameters(function) -> tuple:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


class Op:
    """An operation as the tables declare it; see the head of this file.

    >>> import minigrad as mg
    >>> mg.mul.op.inputs
    ('a', 'b')
    >>> print(mg.sin.op.derivative("a"))
    ∂out/∂a = cos(a)
    """

    def __init__(self, forward, rules, *, ufunc, grad_fn, elementwise, linear, view, outputs, jvp, floats, says, mixes, write):
        self.forward, self.rules = forward, rules
        self.name = getattr(forward, "__name__", "op").strip("_")  # the table's own name for it follows from `named`
        self.ufunc = ufunc
        self.elementwise = ufunc is not None if elementwise is None else elementwise
        self.linear, self.view, self.floats, self.says = linear, view, floats, says
        self.mixes = self.elementwise if mixes is None else mixes  # whether inputs of several types meet in one
        self.outputs = outputs
        self.custom_jvp, self.write = jvp, write
        self.grad_fn = grad_fn
        self.node_types: dict = {}
        self.node_type: type | None = None  # the one class, where the arguments do not decide
        self.plans: dict[int, Plan] = {}
        self.inputs = tuple(rules)
        self.parameters, self.defaults, self.first, self.last = self._read_signature()
        self.only_inputs = not self.many and len(self.inputs) == len(self.parameters)
        required = [i for i, name in enumerate(self.parameters) if name not in self.defaults]
        self.required = required[-1] + 1 if required else 0
        self.filling = tuple(self.defaults.get(name) for name in self.parameters)  # for arguments left out at the end
        self.slots = [i for i, name in enumerate(self.inputs) if rules[name]]
        self.all_slots = len(self.slots) == len(self.inputs)

    def _read_signature(self):
        """Where the inputs stand among the parameters of the forward, and the defaults of its options."""
        if self.ufunc is not None:
            return self.inputs, {}, 0, len(self.inputs)
        signature = inspect.signature(self.forward).parameters
        self.many = any(p.kind is p.VAR_POSITIONAL for p in signature.values())
        names = tuple(name for name, p in signature.items() if p.kind is not p.VAR_POSITIONAL)
        defaults = {name: p.default for name, p in signature.items() if p.default is not p.empty}
        if self.many:
            return names, defaults, len(names), float("inf")
        if names[: len(self.inputs)] != self.inputs:
            raise TypeError(f"the inputs {self.inputs} must be the first parameters of the forward, which has {names}")
        return names, defaults, 0, len(self.inputs)

    many = False

    # -- calling ---------------------------------------------------------------------------------------------------

    def bind(self, args: tuple, options: dict) -> list:
        """All arguments in the order of the forward."""
        if len(args) > len(self.parameters):
            raise TypeError(
                f"{self.name}() takes {len(self.parameters)} positional arguments but {len(args)} were given"
            )
        values = dict(zip(self.parameters, args))
        for given, value in options.items():
            name = self._parameter(given)
            if name is None:
                raise TypeError(f"{self.name}() got an unexpected keyword argument '{given}'")
            if name in values:
                raise TypeError(f"{self.name}() got multiple values for argument '{given}'")
            values[name] = value
        missing = [name for name in self.parameters if name not in values and name not in self.defaults]
        if missing:
            shown = ", ".join(f'"{self.torch_name(name)}"' for name in missing)
            raise TypeError(f"{self.name}() missing {len(missing)} required positional arguments: {shown}")
        return [values[name] if name in values else self.defaults[name] for name in self.parameters]

    def _parameter(self, given: str) -> str | None:
        if given in self.parameters:
            return given
        for name in self.parameters:
            if given in (self.torch_name(name), SYNONYMS.get(name)) or SYNONYMS.get(given) == name:
                return name
        return self.parameters[0] if given == "self" else None

    def torch_name(self, name: str) -> str:
        if name == self.parameters[0]:
            return "input"
        return TORCH_NAMES.get(name, name)

    def constant(self, value, position: int):
        """An argument that is no Tensor, as NumPy takes it."""
        kind = type(value)
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, np.ndarray) or (value is None and self.parameters[position] in self.defaults):
            return value
        name = self.torch_name(self.parameters[min(position, len(self.parameters) - 1)])
        raise TypeError(
            f"{self.name}(): argument '{name}' (position {position + 1}) must be Tensor, not {kind.__name__}"
        )

    # -- types -----------------------------------------------------------------------------------------------------

    def promote(self, arrays: list) -> list:
        """The inputs in the type in which PyTorch would compute; reached only when types differ or are no floats."""
        if not (self.mixes or self.floats):
            return arrays
        inputs = range(self.first, min(self.last, len(arrays)))
        operands = [
            arrays[i] for i in inputs if arrays[i] is not None and not (i < len(self.inputs) and self.is_condition(i))
        ]
        result = common(operands)
        if self.floats and CATEGORY[result.kind] < 2:
            result = promote(result, default_float())
        return [
            value.astype(result, copy=False)
            if position in inputs and isinstance(value, np.ndarray | np.generic) and not self.is_condition(position)
            else (result.type(value) if position in inputs and type(value) in NUMBERS and result.kind != "b" else value)
            for position, value in enumerate(arrays)
        ]

    def is_condition(self, position: int) -> bool:
        return not self.many and self.rules.get(self.parameters[position]) is None and any(self.rules.values())

    # -- recording -------------------------------------------------------------------------------------------------

    def rule(self, slot: int):
        return self.rules[self.inputs[0 if self.many else self.slots[slot]]]

    def needs(self, name: str) -> tuple:
        """What the rule of one input takes besides the gradient."""
        return parameters(self.rules[name])[1:]

    def plan(self, wanted: int) -> Plan:
        plan = self.plans.get(wanted)
        if plan is None:
            plan = self.plans[wanted] = Plan(self, wanted)
        return plan

    def rank(self, name: str) -> int:
        """Saved values stand in the order of the forward's arguments, outputs last."""
        base = name.removesuffix("_shape")
        return self.parameters.index(base) if base in self.parameters else len(self.parameters)

    def save(self, name: str) -> Save:
        base = name.removesuffix("_shape") if name not in self.parameters else name
        if base in self.parameters:
            position = self.parameters.index(base)
            slot = self.slots.index(position) if position in self.slots and not self.many else None
            return Save(name, slot, None, position, base != name)
        return Save(name, None, (self.outputs or ("out",)).index(name), -1, False)

    def choose_node(self, values) -> type:
        """The class of the node, named as PyTorch names it: SinBackward0."""
        name = self.grad_fn(*values) if callable(self.grad_fn) else self.grad_fn
        found = self.node_types.get(name)
        if found is None:
            title = name or "".join(word.capitalize() for word in self.name.split("_")) + "Backward0"
            contents = {"op": self, "__module__": OpNode.__module__}
            found = self.node_types[name] = type(title, (OpNode,), contents)
            for rule in filter(None, self.rules.values()):
                for saved in set(parameters(rule)[1:]) - {"i"}:
                    found.expose(self.save(saved).attribute)
            if not callable(self.grad_fn):
                self.node_type = found
        return found

    def differentiable(self, edges: list, indices, wanted: int) -> tuple:
        """The edges of the inputs that have a rule, and which of them are wanted: a condition is no slot."""
        wanted = sum(1 << slot for slot, i in enumerate(self.slots) if wanted >> i & 1)
        indices = indices and {slot: indices.get(i, 0) for slot, i in enumerate(self.slots)}
        return [edges[i] for i in self.slots], indices, wanted

    def alias(self, view: Tensor, base: Tensor) -> None:
        """A view shares its base's memory and version counter."""
        view._counter = counter_of(base)
        view._base = base if base._base is None else base._base

    def keep(self, node, result: Tensor, output: int = 0) -> None:
        """Save an output: as array and version, for a node never holds the tensor that it made."""
        counter = counter_of(result)
        node.stamps += (len(node.saved), counter, counter[0])
        node.saved.append(result._data)

    def results(self, outs, node) -> tuple:
        """The several outputs of an operation as Tensors; those of an integer type carry no gradient."""
        results = tuple(map(wrap, outs))
        if node is not None:
            node.outputs = len(results)
            node.made = [(result._data.shape, result._data.dtype) for result in results]
            for index, (result, (_, dtype)) in enumerate(zip(results, node.made)):
                if dtype.kind in "fc":
                    result._node, result._index, result._requires_grad = node, index, True
            for save in node.plan.saves:
                if save.output is not None:
                    self.keep(node, results[save.output])
        return results

    def overwrite(self, into: Tensor, arrays: list, wanted: int) -> np.ndarray:
        """The forward, written over a tensor's memory, with PyTorch's refusals."""
        if wanted and into._requires_grad and into._node is None:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        target = into.array
        if self.write is not None:
            self.write(target, *arrays)
            return target
        if self.ufunc is not None and arrays[0] is target:
            try:
                return self.ufunc(*arrays, out=target)
            except (ValueError, TypeError):
                pass  # a shape or a type that does not fit: said below
        out = self.forward(*arrays)
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

    def detach_for_good(self, result) -> None:
        """What was made in inference mode never enters a graph."""
        for tensor in result if isinstance(result, tuple) else (result,):
            tensor._inference = True

    def explained(self, error: ValueError, arrays: list) -> Exception:
        """NumPy's refusal in PyTorch's words, where the shapes do not fit."""
        shapes = [array.shape for array in arrays if isinstance(array, np.ndarray)]
        if "broadcast" not in str(error) or len(shapes) < 2:
            return error
        ndim = max(map(len, shapes))
        padded = [(1,) * (ndim - len(shape)) + shape for shape in shapes]
        for dim in range(ndim - 1, -1, -1):
            sizes = [shape[dim] for shape in padded]
            different = [n for n in sizes if n != 1]
            if len(set(different)) > 1:
                a, b = different[0], next(n for n in different if n != different[0])
                return RuntimeError(
                    f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
                )
        return error

    # -- telling ---------------------------------------------------------------------------------------------------

    def documentation(self) -> str:
        return f"{self.name}({', '.join(map(self.torch_name, self.parameters))})"

    def derivative(self, name: str) -> str:
        """How a person writes the rule of one input: `∂out/∂a = cos(a)`."""
        return formula.derivative(self, name)

    def __repr__(self) -> str:
        return f"Op({self.name}: {', '.join(self.parameters)})"


def op(
    forward,
    *,
    ufunc=None,
    grad_fn=None,
    elementwise=None,
    linear=False,
    view=False,
    outputs=None,
    jvp=None,
    floats=False,
    says=None,
    mixes=None,
    write=None,
    **rules,
):
    """Declare an operation; returns the function that a person calls, with the declaration as its attribute `op`.

    ufunc        the NumPy function that this is, where the forward is not that itself
    grad_fn      the node's name where it is not SinBackward0: a string, or a function of the arguments
    elementwise  each output element depends on one element of each input (NumPy's ufuncs are)
    linear       True: the result is linear in all inputs together · "each": linear in each by itself, as a product is
    view         the result shares the first input's memory
    outputs      the names of the outputs, where there are several
    jvp          the forward-mode rule, where it does not follow from the others
    floats       integers are computed as floats
    mixes        inputs of different types meet in the common one (elementwise operations do)
    write        the in-place form, where it does not follow: a function of the memory to overwrite and the arguments
    says         how a person writes the operation: "a · b"
    """
    row = Op(
        forward,
        rules,
        ufunc=ufunc if ufunc or not isinstance(forward, np.ufunc) else forward,
        grad_fn=grad_fn,
        elementwise=elementwise,
        linear=linear,
        view=view,
        outputs=outputs,
        jvp=jvp,
        floats=floats,
        says=says,
        mixes=mixes,
        write=write,
    )
    arity, many, required, filling = len(row.parameters), row.many, row.required, row.filling

    def call(*args, **options):
        if many:
            args = (*row.bind((), options), *args)
        elif options or not required <= len(args) <= arity:
            args = row.bind(args, options)
        elif len(args) < arity:
            args += filling[len(args) :]
        for value in args:
            if isinstance(value, Tensor):
                return apply(row, args)
        return forward(*args)  # no Tensor: plain NumPy, which is what makes a rule fast

    call.op = row
    return call


def named(table: dict) -> dict:
    """The rows of a table (a module's globals) by name; each row learns its own name."""
    rows = {name: value for name, value in table.items() if hasattr(value, "op")}
    for name, function in rows.items():
        if function.__name__ != "call":
            continue  # a second name for a row that has one
        function.op.name = name.strip("_")
        function.__name__ = function.__qualname__ = function.op.name
        function.__doc__ = function.op.documentation()
    return rows
