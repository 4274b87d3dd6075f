"""The backward of what a watched call returned, for whoever goes backward later: written down at once, as lines."""

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from ..core.backward import schedule
from ..core.graph import AccumulateGrad, node_of
from ..core.op_node import OpNode
from ..core.tensor import Tensor
from ..words.advice import freed
from .lines import Value
from .memory import is_dense
from .node import contributions, ends_of
from .surroundings import Seen
from .tape import Tape
from .traced import Traced


class GoingBack:
    """The way from what is returned to what was given, and no farther.

    Attributes:
        begins: which line of the tape is its first one.
        ends: the tensors with a history that are returned.
        arriving: the gradients that they get.
        starts: the tensors that it leads to; `parts`, what it brings them, and `slopes`, copies of that.
        refusal: the error, where there is no way: its graph was freed, or something was overwritten.
        frees: by result, the nodes whose values it lets go, with the starts that these lead to, as bits.
        lead_on: the results that lead to others.
    """

    def __init__(
        self, tape: Tape, seen: Collection[Seen], values: dict[int, Value], result: Any, refuse: Callable[[str], None]
    ) -> None:
        self._refuse, self.begins = refuse, len(tape.lines)
        self.arriving: list[Value] = []
        self.parts: list[Value | None] = []
        self.slopes: list[Value | None] = []
        self.refusal: Exception | None = None
        self.frees: list[dict[int, int]] = []
        self.lead_on = frozenset[int]()
        read = {value for line in tape.lines for value in line.reads}
        self.starts = [one for one in seen if one.tensor._requires_grad and values[id(one.tensor)] in read]
        given = {one.tensor._node: None for one in seen if one.tensor._node is not None}
        edges = [(node, node.edges) for node in given]
        for node, there in edges:
            node.edges = [None] * len(there)
        try:
            self.ends = self._ends(result, values)
            if self.ends:
                self._write(tape, given)
        finally:
            for node, there in edges:
                node.edges = there

    def _ends(self, result: Any, known: Collection[int]) -> list[Tensor]:
        try:
            ends = ends_of(result, known)
        except RuntimeError:  # as of one of several views
            self._refuse("returns a view of what it has changed since")
            return []
        if all(isinstance(end._data, Traced) for end in ends):
            return ends
        self._refuse("returns a tensor that comes from where nobody watches")
        return []

    def _write(self, tape: Tape, given: Collection[Any]) -> None:
        arrays = [end._data.plain for end in self.ends]  # a gradient mostly lies as its tensor does
        ones = [tape.shared(np.ones_like(one, order="K" if is_dense(one) else "C")) for one in arrays]
        for one in ones:
            one.is_number = not one.shape
        self.arriving = [one.value for one in ones]
        nodes, _ = schedule({end._node: None for end in self.ends})
        graphs = [schedule([end._node])[0] for end in self.ends] if len(self.ends) > 1 else [nodes]
        # One of them may lead to another, which a plan cannot tell: it goes back from all at once.
        reached = {node for graph in graphs if len(graphs) > 1 for node in graph[1:]}
        self.lead_on = frozenset(i for i, end in enumerate(self.ends) if end._node in reached)
        leaves = {id(node.variable) for node in nodes if node.is_leaf} - {id(one.tensor) for one in self.starts}
        known = {node for node in nodes if isinstance(node, OpNode | AccumulateGrad) or node in given}
        starts = self.starts = [one for one in self.starts if node_of(one.tensor) in nodes]
        spent = let_go([end._node for end in self.ends])
        if spent is None and (len(known) < len(nodes) or any(node.hooks is not None for node in nodes)):
            return self._refuse("returns what has a hook, or a Function of your own, in its history")
        errors = [RuntimeError(freed(spent)) if spent else self._slopes(tape, self.ends, starts, ones)]
        if errors[0] is not None and len(ones) > 1 and not spent:
            errors = [self._slopes(tape, [end], starts, [one]) for end, one in zip(self.ends, ones)]
        if any(errors) and not all(errors):
            self._refuse("goes back through a part of what it returns")
        if leaves and not any(errors):
            self._refuse("returns what leads to a leaf that it makes itself")
        self.refusal = errors[0]
        self.slopes = self.slopes if self.refusal is None else []
        bits = leading(nodes, [node_of(one.tensor) for one in self.starts])
        letting = {node for node in nodes if isinstance(node, OpNode) and node.plan.frees}
        self.frees = [{node.sequence: bits[node] for node in graph if node in letting} for graph in graphs]

    def _slopes(self, tape: Tape, ends: list[Tensor], starts: list[Seen], arriving: list) -> Exception | None:
        """Write the lines from these results; or say why there are none."""
        del tape.lines[self.begins :]
        try:
            with tape.running():
                places = [(node_of(one.tensor), one.tensor._index) for one in starts]
                found = contributions(ends, places, arriving)
            pairs = [(one, part) for one, place in zip(starts, places) for part in found[place] or [None]]
            self.starts = [one for one, _ in pairs]
            self.parts = [part if part is None else part.value for _, part in pairs]
            self.slopes = [part if part is None else copied(part) for _, part in pairs]
        except Exception as error:
            del tape.lines[self.begins :]
            if not isinstance(error, RuntimeError):
                self._refuse("returns what cannot be gone back from yet")
            return error.with_traceback(None)
        return None


def let_go(stack: list) -> OpNode | None:
    """The youngest node whose values are gone, if every way leads to one: a step has gone backward itself."""
    met: dict[Any, bool] = {}  # whether its values are gone
    while stack:
        node = stack.pop()
        if not isinstance(node, OpNode):
            return None
        if node not in met:
            met[node] = node.saved is None
            stack += [] if met[node] else filter(None, node.edges)
    return max((node for node in met if met[node]), key=lambda node: node.sequence, default=None)


def leading(nodes: list, starts: list) -> dict[Any, int]:
    """To which of the starts each of these nodes leads, as bits."""
    found: Counter = Counter()
    for place, start in enumerate(starts):
        found[start] |= 1 << place
    for node in reversed(nodes):  # what it leads to comes first
        for edge in node.edges:
            found[node] |= found[edge]
    return found


def copied(part: Any) -> Value:
    """A copy of a gradient, which is nobody else's; or itself, if a copy would lie otherwise."""
    copy = part.copy().value
    return copy if copy.strides == part.value.strides else part.value
