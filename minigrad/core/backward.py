"""The backward: `walk_from` runs the record of the forward in reverse. No derivative flows anywhere else.

`faults.py` plants known mistakes here: it replaces `summed`, `conform` and `schedule` by name, so a walk looks these
up in this file each time it begins.
"""

from functools import lru_cache
from operator import add as summed, attrgetter
from time import perf_counter_ns

import numpy as np

from ..words.refusals import of_rule
from .events import KINDS, Accumulated, Deposited, Failed, Freed, HookCalled, Seeded, Sent, Visited, event
from .graph import AccumulateGrad
from .hooks import Walk, run_accumulated_hooks, run_post_hooks, run_pre_hooks, run_tensor_hooks
from .modes import set_grad_enabled
from .tensor import Tensor
from .unbroadcast import conform

age = attrgetter("sequence")


def schedule(roots, targets=None):
    """The nodes that the roots lead to, in the order in which they run, and (with targets) the set of those that run.

    A node is younger than the nodes that made its inputs. So "youngest first" visits each node after all that send to
    it, and once: that is the topological order, without a search for it. A leaf, whatever its age, comes right after
    the last node that sends to it.
    With `targets`, only nodes on the way to one of them are kept.
    """
    order, leaves, seen, scope = list(roots), set(), {None, *roots}, None
    for node in order:  # which grows meanwhile
        for target in node.edges:
            if target not in seen:
                seen.add(target)
                if type(target) is AccumulateGrad:
                    leaves.add(target)
                else:
                    order.append(target)
    if len(order) > 1:
        order.sort(key=age, reverse=True)
    if targets is not None:
        scope = set(targets)
        for node in reversed(order):  # oldest first: whether an input leads to a target is known before it is asked
            if not scope.isdisjoint(node.edges):
                scope.add(node)
        order = [node for node in order if node in scope]
        leaves &= scope
    tail = []
    while leaves:  # from the oldest node on: who sends to a leaf last?
        node = order.pop()
        for target in reversed(node.edges):
            if target in leaves:
                leaves.remove(target)
                tail.append(target)
        tail.append(node)
    order.extend(reversed(tail))
    return order, scope


def walk_from(seeds, retain_graph, create_graph, *, targets=None, captured=None, kinds=frozenset(KINDS)):
    """The backward itself, one event at a time, of the kinds asked for; with none it runs through in silence.

    `seeds` are triples (node, which of its outputs, gradient). A gradient is a plain array, or a Tensor, with which the
    very same rules carry tangents along and, with `create_graph`, record themselves. `captured` collects, by node and
    output, the gradients that `autograd.grad` returns; with it, leaves are read and nothing is deposited.
    """
    tensors, plus, fit = bool(seeds) and isinstance(seeds[0][2], Tensor), summed, conform
    if tensors:  # the mode is set within each of these calls only: it never leaks out through a yield
        plus, fit = set_grad_enabled(create_graph)(summed), set_grad_enabled(create_graph)(conform)
    say_seeded, say_visited, say_freed, say_sent, say_accumulated, say_deposited, say_hooks, say_failed = asked(kinds)
    arriving: dict = {}  # for each node, the gradient so far; a list of them where the operation made several outputs
    for node, index, gradient in seeds:
        own = np.array(gradient) if node.is_leaf and not tensors else gradient
        arrive(arriving, node, index, own, plus)
        if say_seeded:
            yield event(Seeded, (node, index, gradient))
    order, scope = schedule(arriving, targets)
    walk, plain = Walk(order), scope is None and not (tensors or kinds)

    try:
        for node in walk:
            g = arriving.pop(node, None)  # None: all who might have sent to it sent None, as a Function may
            edges, plan, simple = node.edges, node.plan, False
            if plain and plan is not None and not node.special and g is not None:  # what the rest is, in short
                simple, parts = True, plan.parts(g, node.saved) or node.gradients(g)
                if plan.frees and not retain_graph:
                    node.saved = None
            else:
                hooks, indices = (node.hooks, node.indices) if node.special else (None, None)
                if hooks is not None or scope is not None:
                    runs, g = yield from received(node, g, tensors, scope, captured, say_hooks, walk)
                    if not runs:
                        continue
                if node.is_leaf:
                    if tensors and not create_graph and g is not None:
                        g = np.array(g._data)  # to `.grad`, as in PyTorch, tangents do not go along
                    if create_graph or say_deposited or hooks is not None:
                        yield from deposited(node, g, create_graph, say_deposited, say_hooks)
                    elif g is not None:
                        node.deposit(g)
                    continue

                started = perf_counter_ns() if say_visited else 0
                if g is None:
                    with set_grad_enabled(tensors):
                        parts = node.on_nothing(scope, tensors)
                elif tensors:
                    with set_grad_enabled(create_graph):
                        parts = node.gradients(g, scope, True)
                elif node.special or scope is not None or (parts := plan.parts(g, node.saved)) is None:
                    parts = node.gradients(g, scope)
                if say_visited and (g is not None or any(part is not None for part in parts)):
                    yield event(Visited, (node, g, parts, started, perf_counter_ns()))
                if hooks is not None and hooks.post:
                    parts = yield from run_post_hooks(node, parts, g, tensors, say_hooks)
                if not retain_graph and node.saved and node.free() and say_freed:
                    yield event(Freed, (node,))

            for slot, part in enumerate(parts):
                if part is None:
                    continue
                target = edges[slot]
                if part.shape != target.shape or part.dtype is not target.dtype:
                    part = fit(part, node, slot)
                before = arriving.get(target)
                if before is None and type(target) is AccumulateGrad and not tensors:
                    if part is g or part.base is not None or not node.makes_new:
                        part = part.copy()  # a leaf owns its gradient
                if simple:
                    arriving[target] = part if before is None else plus(before, part)
                    continue
                if say_sent:
                    yield event(Sent, (node, slot, target, indices[slot] if indices else 0, parts[slot], part))
                before, after = arrive(arriving, target, indices[slot] if indices else 0, part, plus)
                if say_accumulated and before is not None:
                    yield event(Accumulated, (target, indices[slot] if indices else 0, before, part, after))
    except Exception as error:
        refusal = of_rule(error) if node.plan else None
        if say_failed:
            yield event(Failed, (node, refusal or error))
        if refusal:
            raise refusal.with_traceback(error.__traceback__) from None
        raise


def received(node, g, tensors, scope, captured, say, walk):
    """What happens to a complete gradient before its node runs: `autograd.grad` reads it, and hooks may replace it.

    Returns whether the node is to run, and on which gradient.
    """
    hooks, runs = node.hooks, captured is None or node.is_leaf or not scope.isdisjoint(node.edges)
    if captured and node in captured:
        runs = runs and not node.is_leaf
        if hooks is not None and not runs:  # as in PyTorch, where a node that runs as well is read before its hooks
            g = yield from run_tensor_hooks(node, g, tensors, say, walk)
        for index in captured[node]:
            captured[node][index] = g if node.outputs == 1 or g is None else g[index]
        if not runs:
            return False, None
    if hooks is not None:
        g = yield from run_tensor_hooks(node, g, tensors, say, walk)
        if runs and hooks.pre:
            g = yield from run_pre_hooks(node, g, tensors, say)
    return runs, g


def deposited(leaf, g, tensors, say, say_hooks):
    """The end of a path: a leaf's `.grad` grows, and those who wait for that are told."""
    variable, grad = leaf.variable, leaf.variable._grad
    before = grad._data.copy() if say and grad is not None else None
    if g is not None:
        deposit = set_grad_enabled(True)(leaf.deposit) if tensors else leaf.deposit
        deposit(g, tensors)
        if say and variable._requires_grad:  # else it was frozen since, and keeps nothing
            yield event(Deposited, (leaf, variable, before, g, variable._grad._data))
    if leaf.hooks is not None:
        yield from run_accumulated_hooks(leaf, g, tensors, say_hooks)


@lru_cache
def asked(kinds) -> tuple:
    """Which events of a backward are among these kinds."""
    told = (Seeded, Visited, Freed, Sent, Accumulated, Deposited, HookCalled, Failed)
    return tuple(kind in kinds for kind in told)


def arrive(arriving, node, index, part, plus):
    """Add a part to what has arrived at a node; returns what was there, and the sum."""
    one = node.outputs == 1
    place, key = (arriving, node) if one else (arriving.setdefault(node, [None] * node.outputs), index)
    before = arriving.get(node) if one else place[index]
    place[key] = after = part if before is None else plus(before, part)
    return before, after
