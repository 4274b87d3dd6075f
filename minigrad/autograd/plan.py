"""What a node keeps and runs: worked out once for each operation and each set of inputs that want a gradient."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ..calling import TORCH_NAMES
from ..words.source import PACKAGE


class Save(NamedTuple):
    """One value that a node keeps."""

    name: str
    slot: int | None = None  # which input it is
    output: int | None = None  # or which output
    position: int = -1  # which argument of the forward
    shape_only: bool = False
    held: bool = False  # an input without a derivative: a condition, an index, a mask

    @property
    def is_tensor(self) -> bool:
        """Whether it is an input or an output, and not an option or a mere shape."""
        return not self.shape_only and (self.slot is not None or self.output is not None or self.held)

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
        self.op, self.count = op, wanted.bit_length() - 1
        slots = frozenset(slot for slot in range(self.count) if wanted >> slot & 1)
        inputs = {op.input_of(slot) for slot in slots}
        needs = {name for one in inputs for name in op.needs(one) if name != "i"}
        self.saves = [op.save(name) for name in sorted(needs, key=op.rank)]
        # What is saved before there is a result: places in the arguments, and whether only the shape. Then the same for
        # the short way: the first tensor, the second one, everything else.
        self.takes = [(save.position, save.shape_only) for save in self.saves if save.output is None]
        self.takes_a, self.takes_b = (0, False) in self.takes, (1, False) in self.takes and op.last == 2
        self.takes_else = [one for one in self.takes if one[1] or one[0] >= op.last]
        self.keeps_output = len(self.takes) < len(self.saves)
        self.frees = any(save.is_tensor for save in self.saves)
        self.parts = self.of_slots(slots)
        stamped = [i for i, save in enumerate(self.saves) if not save.shape_only]
        changes = " or ".join(f"stamps[{2 * i}][0] is not stamps[{2 * i + 1}]" for i in stamped)
        self.outdated = eval(f"lambda stamps: {changes or False}")  # whether any version counter has moved
        self.shown_as = None if callable(op.grad_fn) else op.choose_node(())  # the class of the nodes, named in one way

    @lru_cache(4096)  # noqa: B019 - a plan lives as long as its operation
    def of_slots(self, slots: frozenset) -> Callable:
        """One part of the gradient for each edge in `slots`, None for the others: a line of Python that calls rules.

        For a product it reads `lambda g, saved: [rule0(g, saved[1]), rule1(g, saved[0])]`.
        """
        names, count, op = [save.name for save in self.saves], self.count, self.op

        def call(name: str, rule, slot) -> str:
            given = (f"saved[{names.index(x)}]" if x in names else str(slot) for x in parameters(rule)[1:])
            return f"{name}({', '.join(['g', *given])})"

        if op.many:  # one rule for all
            rules = {"rule": op.rules[op.inputs[0]], "asked": [slot in slots for slot in range(count)]}
            parts = f"{call('rule', rules['rule'], 'i')} if asked[i] else None for i in range({count})"
        else:
            rules = {f"rule{slot}": op.rules[op.input_of(slot)] for slot in slots}
            calls = {slot: call(f"rule{slot}", rules[f"rule{slot}"], slot) for slot in slots}
            parts = ", ".join(calls.get(slot, "None") for slot in range(count))
        called = f"{PACKAGE}the rules of {op.name}"  # as if it stood in this package: it is no line of the user's
        return eval(compile(f"lambda g, saved: [{parts}]", called, "eval"), rules)


def parameters(function) -> tuple:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]
