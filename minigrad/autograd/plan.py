"""What a node keeps and runs: worked out once for each operation and each set of inputs that want a gradient."""

from typing import NamedTuple

TORCH_NAMES = {"a": "self", "b": "other", "out": "result"}  # how `_saved_…` attributes and keyword arguments call them


class Save(NamedTuple):
    """One value that a node keeps."""

    name: str
    slot: int | None = None  # which input it is
    output: int | None = None  # or which output
    position: int = -1  # which argument of the forward
    shape_only: bool = False

    @property
    def is_tensor(self) -> bool:
        """Whether it is an input or an output, and not an option or a mere shape."""
        return not self.shape_only and (self.slot is not None or self.output is not None)

    @property
    def attribute(self) -> str:
        """The node's attribute for it, as in PyTorch."""
        base = self.name.removesuffix("_shape") if self.shape_only else self.name
        return f"_saved_{TORCH_NAMES.get(base, base)}{'_sym_sizes' if self.shape_only else ''}"


class Plan:
    """What a node needs when a given set of inputs requires grad: which rules run, and which values they are given.

    The set is a binary number, one digit per edge, with a 1 in front of them all.
    """

    def __init__(self, op, wanted: int) -> None:
        count = wanted.bit_length() - 1
        slots = [slot for slot in range(count) if wanted >> slot & 1]
        needs = {slot: [name for name in op.needs(op.input_of(slot)) if name != "i"] for slot in slots}
        names = sorted({name for needed in needs.values() for name in needed}, key=op.rank)
        self.saves = [op.save(name) for name in names]
        self.takes = [(save.position, save.shape_only) for save in self.saves if save.output is None]
        self.rereads = self.takes[:1] == [(0, False)]
        self.keeps_output = len(self.takes) < len(self.saves)
        self.frees = any(save.is_tensor for save in self.saves)
        self.rules: list = [None] * count  # for each edge a function of the gradient and the saved values
        for slot in slots:
            rule, picks = op.rules[op.input_of(slot)], [names.index(name) for name in needs[slot]]
            if "i" in parameters(rule):
                rule = for_slot(rule, slot)
            self.rules[slot] = prepared(rule, picks)
        self.parts = together(self.rules)

    def some_parts(self, g, saved, edges, scope) -> list:
        """Those parts alone that lead somewhere within `scope`."""
        return [rule(g, saved) if rule and target in scope else None for rule, target in zip(self.rules, edges)]


def for_slot(rule, slot: int):
    """A rule that serves many inputs, told which one it is."""
    where = parameters(rule).index("i")
    return lambda *values: rule(*values[:where], slot, *values[where:])


def prepared(rule, picks: list):
    """A rule as a function of the gradient and of all that a node saved, from which it picks."""
    if not picks:
        return lambda g, saved: rule(g)
    if len(picks) == 1:
        (i,) = picks
        return lambda g, saved: rule(g, saved[i])
    if len(picks) == 2:
        i, j = picks
        return lambda g, saved: rule(g, saved[i], saved[j])
    return lambda g, saved: rule(g, *[saved[i] for i in picks])


def together(rules: list):
    """All rules of a plan as one function, which gives one part per edge; written out for one edge and for two."""
    if len(rules) == 1:
        (only,) = rules
        return lambda g, saved: [only(g, saved)]
    if len(rules) == 2:
        first, second = rules
        if second is None:
            return lambda g, saved: [first(g, saved), None]
        if first is None:
            return lambda g, saved: [None, second(g, saved)]
        return lambda g, saved: [first(g, saved), second(g, saved)]
    return lambda g, saved: [rule and rule(g, saved) for rule in rules]


def parameters(function) -> tuple:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]
