"""Known ways to get a backward wrong, each as a context manager that plants the mistake in this very engine.

A lesson shows what comes of a misconception; a test shows that the suite would notice. Inside the block the engine is
wrong for every thread; after it, it is exactly what it was.

>>> import minigrad as mg
>>> x = mg.tensor(3.0, requires_grad=True)
>>> with overwrites_in_flight():
...     (x * x).backward()
>>> x.grad
tensor(3.)
>>> print(overwrites_in_flight.misconception)
It may seem that a value used twice keeps the gradient of its last use; but each use adds its part.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .compiler.compiled import planted
from .core import backward as reverse
from .core.graph import AccumulateGrad
from .core.op_node import OpNode
from .core.tensor import Tensor
from .ops import elementwise


@dataclass(frozen=True)
class Fault:
    """A mistake that can be planted: `with fault(): ...`"""

    name: str
    misconception: str  # in one sentence
    plant: Callable[[], Any]

    @contextlib.contextmanager
    def __call__(self):
        planted.append(self)
        try:
            with self.plant():
                yield
        finally:
            planted.remove(self)


FAULTS: dict[str, Fault] = {}


def fault(misconception: str):
    """Declare one: a function whose answer plants it as a block begins, and removes it at the end."""

    def declare(plant: Callable[[], Any]) -> Fault:
        FAULTS[plant.__name__] = Fault(plant.__name__.replace("_", " "), misconception, plant)
        return FAULTS[plant.__name__]

    return declare


@contextlib.contextmanager
def replaced(owner, name: str, other):
    """Another function in the place of one of the engine's."""
    original = getattr(owner, name)
    setattr(owner, name, other(original))
    try:
        yield
    finally:
        setattr(owner, name, original)


@contextlib.contextmanager
def replaced_in_nodes(wrong):
    """`wrong(right, node, g, …)` in the place of each node's `gradients`, which is called: no shorter way is taken."""

    def instead(right):
        return lambda node, g, scope=None, tensors=False: wrong(right, node, g, scope, tensors)

    def all_special(schedule):
        def scheduled(roots, targets=None):
            order, scope = schedule(roots, targets)
            for node in order:
                node.special = True
            return order, scope

        return scheduled

    with replaced(OpNode, "gradients", instead), replaced(reverse, "schedule", all_special):
        yield


_aside: list[tuple[Any, dict]] = []  # operations whose rules are wrong at this moment, with what is right


@contextlib.contextmanager
def rewritten(row, **rules):
    """Other rules in a row of the tables. What is planned from the right ones, or said of them, is put aside."""
    op = row.op
    aside = parts(op)
    op.rules.update(rules)
    op.plans.clear()
    for name in rules:
        op.rules_say.pop(name, None)
    _aside.append((op, aside))
    try:
        yield
    finally:
        _aside.pop()
        put(op, aside)


def parts(op) -> dict[str, dict]:
    """All that follows from the rules of an operation."""
    return {part: dict(getattr(op, part)) for part in ("rules", "rules_say", "plans")}


def put(op, parts: dict[str, dict]) -> None:
    for part, entries in parts.items():
        getattr(op, part).clear()
        getattr(op, part).update(entries)


@contextlib.contextmanager
def right_rules():
    """The right rules, whatever is planted: for who compares with them what a wrong engine did."""
    planted = [(op, parts(op)) for op, _ in _aside]
    for op, right in reversed(_aside):
        put(op, right)
    try:
        yield
    finally:
        for op, wrong in planted:
            put(op, wrong)


# == sums ==================================================================================================


@fault("It may seem that a value used twice keeps the gradient of its last use; but each use adds its part.")
def overwrites_in_flight():
    return replaced(reverse, "summed", lambda summed: lambda before, part: part)


@fault("It may seem that a new backward replaces what is in `.grad`; but it adds to it, until somebody zeroes it.")
def overwrites_at_the_leaf():
    def set_anew(deposit):
        def wrong(self, part, tensors=False):
            self.variable._grad = None
            deposit(self, part, tensors)

        return wrong

    return replaced(AccumulateGrad, "deposit", set_anew)


@fault(
    "It may seem that a gradient has the shape of the result; "
    "but it has that of the input, summed where one value was used many times."
)
def forgets_the_broadcast():
    return replaced(reverse, "conform", lambda conform: lambda part, node, slot: part)


# == rules =================================================================================================


@fault("It may seem that both inputs of a difference receive the same gradient; but the second one is subtracted.")
def wrong_sign():
    return rewritten(elementwise.sub, b=lambda g: g)


@fault("It may seem that the gradient of `a * b` for `a` is `a`; but it is `b`, the other factor.")
def swaps_the_operands():
    return rewritten(elementwise.mul, a=lambda g, a: g * a, b=lambda g, b: g * b)


@fault(
    "It may seem that a node hands on its own derivative; but it multiplies it with the gradient that comes from above."
)
def forgets_the_upstream():
    return replaced_in_nodes(lambda right, node, g, *how: right(node, ones(g), *how))


def ones(g):
    if isinstance(g, list | tuple):
        return type(g)(None if one is None else ones(one) for one in g)
    return g * 0 + 1 if isinstance(g, Tensor) else g * g.dtype.type(0) + g.dtype.type(1)


# == the walk ==============================================================================================


@fault(
    "It may seem that any order will do as long as each node runs once; "
    "but a node must wait until all its parts have arrived."
)
def depth_first():
    def first_come(schedule):
        def wrong(roots, targets=None):
            right, scope = schedule(roots, targets)
            order, stack = {}, list(roots)
            while stack:
                node = stack.pop()
                if node not in order:
                    order[node] = None
                    stack.extend(target for target in reversed(node.edges) if target is not None)
            return [node for node in order if scope is None or node in scope], scope

        return wrong

    return replaced(reverse, "schedule", first_come)


@fault(
    "It may seem that each backward continues with what the last one left inside the graph; "
    "but only `.grad` of leaves remembers."
)
def remembers_inside():
    kept: dict = {}

    def added(right, node, g, *how):
        if not isinstance(g, list | tuple):
            g = kept[node] = kept[node] + g if node in kept else g
        return right(node, g, *how)

    return replaced_in_nodes(added)


# == saved values ==========================================================================================


@fault("It may seem that a graph has served once its backward ran; but with retain_graph=True it is asked for again.")
def frees_too_early():
    def and_free(right, node, g, *how):
        parts = right(node, g, *how)
        node.free()
        return parts

    return replaced_in_nodes(and_free)


@fault(
    "It may seem that the backward sees the values of today; "
    "but it needs those of the forward, and a value changed in place since then is another."
)
def uses_changed_values():
    def as_of_now(right, node, g, *how):
        saved, count = node.saved, len(node.plan.saves)
        if saved:
            node.saved = (*saved[:count], *(now for counter in node.counters for now in (counter, counter[0])))
        try:
            return right(node, g, *how)
        finally:
            node.saved = saved

    return replaced_in_nodes(as_of_now)
