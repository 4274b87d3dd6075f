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

from collections.abc import Callable
from typing import Any

import numpy as np

from ..numbers.dtypes import NUMBERS, is_differentiable
from ..numbers.memory import check_apart, check_unstretched, writeable, written
from ..numbers.promotion import WEAK
from ..words import help
from ..words.calling import Signature
from .forward import NUMPYS, apply, quick_way
from .op_node import OpNode, Plan, Save, parameters
from .tensor import Tensor, counter_of, wrap
from .views import relate


class Op(Signature):
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
    elementwise: bool | None = None  # each element of the result depends on one of each input, as in NumPy's ufuncs
    linear: Any = False  # True: in all inputs together · "each": in each by itself, as a product is
    view: Any = False  # the result shares the first input's memory: True, or MAYBE
    outputs: tuple | None = None  # the names of the outputs, where there are several
    holomorphic: bool = True  # the rule is the complex derivative, which the engine conjugates; else the rule does
    floats: bool = False  # integers are computed as floats
    numbers: frozenset = WEAK  # the types of Python's numbers that may stand for an input
    mixes: bool | None = None  # inputs are brought to one type; by default those of elementwise operations
    # What to call instead, for the cases in which PyTorch runs another form. A key is an option that was given, or an
    # input that is a number; the key None stands for a call with one input and nothing else.
    overloads: dict = {}
    write: Callable | None = None  # writes the result into memory, where that is not the forward and then a copy
    places: str | None = None  # the option that holds indices or a mask; a node keeps it as it keeps inputs
    # Which memory an in-place form may write to. "any": all. "apart": what no other input uses. None: all that is not
    # stretched; and if the operation is elementwise, other inputs may use exactly the same elements, or none of them.
    memory: str | None = None
    says: str | None = None  # how a person writes the operation: "a · b"
    # By input, how a person writes its rule, where the code does not read well. `{g}` is the gradient of the result,
    # `{count}` how many numbers share it in a mean. A text without `{g}` is the factor by which `g` is multiplied.
    rules_say: dict = {}
    spoken: str = ""  # how a person says the operation: "the sine of {}"
    public: str | None = None  # where it is offered (see ops/public.py); None: where its table says
    also: str = ""  # its other names there
    twin: Callable | None = None  # makes `x.sin_()`, where that is not this row written over the tensor
    # The kinds of number that PyTorch refuses, a letter for each: b bool, i integers, f floats, e halves, c complex. Or
    # a dict, which has a sentence or an error for each letter; None stands for PyTorch's usual words.
    refuses: Any = ""
    kernel: str = ""  # the name in PyTorch's usual words, where it is not the row's name and "_cpu"
    typed_by: tuple = ()  # the arguments whose kind of number counts for `refuses`, where it is not all inputs
    divisor: str = ""  # the argument by which integers are divided, and which must not be 0
    name: str = "op"
    function: Any = None  # what a person calls

    def __init__(self, forward, rules: dict, **settings) -> None:
        vars(self).update(DEFAULTS, **settings)  # in the row itself, where Python finds them faster than in its class
        self.forward, self.rules, self.overloads = forward, rules, dict(self.overloads)
        self.node_types: dict = {}  # the classes of its nodes, by name
        self.plans: dict = {}
        self.ufunc = self.forward if isinstance(self.forward, np.ufunc) else self.ufunc
        self.elementwise = self.ufunc is not None if self.elementwise is None else self.elementwise
        self.mixes = self.elementwise if self.mixes is None else self.mixes
        super().__init__(self.ufunc or self.forward, tuple(self.rules), alone=None in self.overloads)
        self.places_at = self.parameters.index(self.places) if self.places else None
        self.slots = [i for i, name in enumerate(self.inputs) if self.rules[name]]  # the inputs that have an edge
        self.takes_all_gradients = any("gs" in parameters(rules[self.inputs[i]])[:1] for i in self.slots)
        self.all_slots = len(self.slots) == len(self.inputs)
        plain = self.all_slots and not (self.many or self.outputs or self.view or self.places)
        simple = len(self.inputs) == 1 or (len(self.inputs) == 2 and self.only_inputs)
        self.run: Callable | None = quick_way(self) if plain and simple else None
        self.asks_for_numbers = any(name in self.inputs for name in self.overloads)  # if not, only options do

    def variant(self, **changes) -> "Op":
        """A row that differs from this one in a few settings."""
        settings = {name: vars(self)[name] for name in ("forward", "rules", *SETTINGS)}
        return Op(**settings | changes)

    # -- calling ---------------------------------------------------------------------------------------------------

    def overload(self, args, options=()) -> Callable:
        """The function for this way of calling: `x % 2` runs another row than `x % y`."""
        for name in options or ("inplace", "") * (len(args) > len(self.parameters)):  # one more than there are: that
            if name in self.overloads and (name not in self.inputs or isinstance(options[name], NUMBERS)):
                return self.overloads[name]
        for name, other in self.overloads.items() if self.asks_for_numbers else ():
            position = self.inputs.index(name) if name in self.inputs else len(args)
            if position < len(args) and isinstance(args[position], NUMBERS):
                return other
        return self.function

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
            return Save(name, output=self.output_called(name))
        position = self.parameters.index(base)
        slot = self.slots.index(position) if position in self.slots and not self.many else None
        held = slot is None and not self.many and (position < self.last or position == self.places_at)
        return Save(name, slot, None, position, base != name, held)

    def choose_node(self, values) -> type:
        """The class of the node, named as PyTorch names it: SinBackward0."""
        name = self.grad_fn(*values) if callable(self.grad_fn) else self.grad_fn
        return self.node_types.get(name) or self.make_node(name)

    def make_node(self, name: str | None) -> type:
        title = name or "".join(word.capitalize() for word in self.name.split("_")) + "Backward0"
        saves = [self.save(x) for rule in self.rules.values() if rule for x in parameters(rule)[1:] if x != "i"]
        properties = {save.attribute: OpNode.saved_property(save.attribute) for save in saves}
        self.node_types[name] = type(title, (OpNode,), {"__module__": OpNode.__module__, **properties})
        return self.node_types[name]

    def differentiable(self, edges: list, indices, wanted: int) -> tuple:
        """The edges of the inputs that have a rule, and which of these are wanted; a condition has neither."""
        wanted = sum(1 << slot for slot, i in enumerate(self.slots) if wanted >> i & 1)
        indices = indices and {slot: indices.get(i, 0) for slot, i in enumerate(self.slots)}
        return [edges[i] for i in self.slots], indices, wanted

    def keep(self, node, result: Tensor) -> None:
        """Save an output: as array and version, for a node never holds the tensor that it made."""
        counter = counter_of(result)
        count = len(node.saved) // 3
        node.saved = (*node.saved[:count], result._data, *node.saved[count:], counter, counter[0])

    def results(self, outs, node, values) -> tuple:
        """The several outputs of an operation as Tensors; those of an integer type carry no gradient."""
        results = tuple(map(wrap, outs))
        for index, result in enumerate(results if self.view else ()):
            relate(result, values[0], self, values[1:], index)
        if node is not None:
            live = [result for result in results if is_differentiable(result._data.dtype)]
            for index, result in enumerate(live):
                result._node, result._index, result._requires_grad = node, index, True
            node.outputs, node.special = len(live), True
            node.made = [(result._data.shape, result._data.dtype) for result in live]
            node.shape, node.dtype = node.made[0] if len(live) == 1 else ((), None)
            for save in node.plan.saves:
                if save.output is not None:
                    self.keep(node, results[save.output])
        return results

    def overwrite(self, into: Tensor, forward: Callable, *arrays) -> np.ndarray:
        """The forward, written over a tensor's memory, with PyTorch's refusals."""
        if self.memory != "any":
            check_unstretched(into.array)
            if self.elementwise or self.memory:
                check_apart(into.array, arrays[1:], self.memory is None)
        target = writeable(into.array)
        if self.write is not None and forward is self.forward:
            try:
                self.write(target, *arrays)
                return target
            except TypeError:
                pass  # a type that does not fit: said below
        # integers may be refused after some of them were written: 2 ** -1
        if self.ufunc and arrays[0] is into._data and forward is self.forward and target.dtype.kind in "fc":
            try:
                return self.ufunc(*arrays, out=target)
            except (ValueError, TypeError):
                pass  # a shape or a type that does not fit: said below
        return written(forward(*arrays), target)


SETTINGS = Op.__annotations__.keys() - {"forward", "rules"}
DEFAULTS = {name: getattr(Op, name) for name in SETTINGS}


def op(forward, **given):
    """Declare an operation: `op(forward, **rules)`, and the settings of `Op` where it needs some.

    Returns the function that a person calls, with the declaration as its attribute `op`.
    """
    rules = {name: rule for name, rule in given.items() if name not in SETTINGS}
    row = Op(forward, rules, **{name: value for name, value in given.items() if name in SETTINGS})
    run, count, required, filling = row.run, len(row.parameters), row.required, row.filling
    choosy, choose, many, bind, exact = row.asks_for_numbers, row.overload, row.many, row.bind, row.exact
    alone = row.overloads[None].op.run if None in row.overloads else None
    direct = run and not (choosy or exact or (alone and count == 1))

    def call(*args, **options):
        given = len(args)
        if direct and given == count and not options:
            return run(*args)
        if alone and given + len(options) == 1 and (args or "input" in options):
            return alone(*args, *options.values())
        if choosy or (row.overloads and (options or given > count)):
            other = choose(args, options)
            if other is not call:
                return other(*args, **options)
        if many or options or given > count or given < required:
            args = bind(args, options)
        elif given < count:
            args += filling[given:]
        for i, types in exact:
            if type(args[i]) not in types:
                args = row.settled(args, i)
        if run:
            return run(*args)
        for value in args:
            if isinstance(value, Tensor):
                return apply(row, args)
        if not any(isinstance(value, NUMPYS) for value in args):
            raise row.no_tensor(0, args[0] if args else None)
        try:
            return forward(*args)  # no Tensor: plain NumPy, which is what makes a rule fast
        except (TypeError, AttributeError) as error:
            raise row.unsuited(args) or error from None

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
            function.__module__, function.__signature__ = table.get("__name__", "__main__"), row.signature()
            function.__doc__ = help.page(row)
    return rows
