"""A forward that nobody watched, read off its graph: as far as the graph and the user's variables still know it."""

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.autograd.graph import Node

from .large import Large
from .moments import UNKNOWN, Moment, data, place


class Named(NamedTuple):
    """An operation of which only the name is known."""

    name: str


class Reader:
    """Reads nodes into moments, as if their operations ran now.

    Args:
        tensors: those whose values are known.
    """

    def __init__(self, tensors: Iterable[Tensor]) -> None:
        self.values: dict = {}
        for tensor in tensors:
            self.values.setdefault(place(tensor), Large.kept(tensor.numbers))

    def moments(self, nodes: list[Node]) -> list[Moment]:
        """One for each node, oldest first."""
        kept = {node: saved(node) for node in nodes}
        for node in nodes:
            for save, value in kept[node]:
                if save.output is not None:
                    self.values.setdefault((node, save.output), value)
                elif save.slot is not None and node.edges[save.slot] is not None:
                    self.values.setdefault(place_of(node, save.slot), value)
        return [self._moment(node, kept[node]) for node in nodes]

    def _moment(self, node: Node, kept: list[tuple]) -> Moment:
        op = getattr(node, "op", None)
        positions: Any = range(len(node.edges))
        values: list[Any] = [UNKNOWN] * len(node.edges)
        if op is None:
            op = Named(re.sub(r".*:|Backward\d*$", "", node.name()))
        else:
            positions = node.arguments
            values = [
                op.presets.get(name, UNKNOWN) if i >= op.last else UNKNOWN for i, name in enumerate(op.parameters)
            ]
            values += [UNKNOWN] * len(node.edges) if op.many else []
            for save, value in kept:
                if save.output is None:
                    values[save.position] = value
        tensors: list[Any] = [None] * len(values)
        given: list[Any] = [None] * len(values)
        for slot, i in enumerate(positions):
            target = node.edges[slot]
            if target is not None:
                where = place_of(node, slot)
                tensors[i], given[i] = getattr(target, "variable", None), (where, True)
                values[i] = self.values.get(where, UNKNOWN) if tensors[i] is None else Large.kept(tensors[i].numbers)
            elif isinstance(values[i], np.ndarray | np.generic):
                given[i] = id(values[i]), False
        places = [(node, index) for index in range(node.outputs)]
        outputs = [self.values.get(one, UNKNOWN) for one in places]
        return Moment(events.Made(op, tensors, (), node, 0, 0), (values, given, outputs, places))


def place_of(node: Node, slot: int) -> Any:
    """The place of the tensor behind one slot of a node."""
    target, index = node.next_functions[slot]
    return id(target.variable) if target.is_leaf else (target, index)


def saved(node: Node) -> list[tuple]:
    """What a node still holds: pairs of a `Save` and the value."""
    values: list[tuple] = []
    for i, save in enumerate(node.saves):
        try:
            values += [] if save.shape_only else [(save, data(node.unpack(i)))]
        except RuntimeError:
            pass  # let go by a backward, or overwritten in place
    return values


def reachable(roots: Iterable[Node]) -> list[Node]:
    """All nodes that the roots lead to, oldest first."""
    return sorted(all_from(roots, lambda node: node.edges), key=lambda node: node.sequence)


def all_from(roots: Iterable[Any], targets: Callable[[Any], Iterable[Any]]) -> list[Any]:
    """All that the roots lead to, each once."""
    found = dict.fromkeys(roots)
    stack = list(found)
    while stack:
        for target in targets(stack.pop()):
            if target is not None and target not in found:
                found[target] = None
                stack.append(target)
    return list(found)
