"""The engine: `apply` runs an operation and records it; `walk` runs the record backwards.

These are the only two places where an operation happens and where a derivative flows. Everything else in this package
is a table of formulas, a way of calling these two, or a listener.
"""

from operator import add, attrgetter
from time import perf_counter_ns

import numpy as np

from ..dtypes import FLOAT32, FLOAT64
from ..tensor import Tensor, wrap
from . import events, forward_ad
from .events import (
    Accumulated,
    Deposited,
    Failed,
    Freed,
    HookCalled,
    Made,
    Mutated,
    Saved,
    Seeded,
    Sent,
    Visited,
    listeners,
    tell,
)
from .graph import NOWHERE, conform, leaf_edge
from .modes import dual_levels, modes, set_grad_enabled
from .source import here

NUMBERS = frozenset((int, float, bool, complex))
NEVER_CHANGES = [0]  # the version counter of numbers and options
age = attrgetter("sequence")
new = object.__new__


def apply(op, values, into=None):
    """Run one operation on its arguments and, if one of them asks for a gradient, leave a node in the graph.

    `values` are all arguments in the order of the forward; `into` is the tensor to overwrite, for an in-place twin.
    """
    arrays, edges = [], []  # what NumPy will see; where the gradients will go
    wanted, dtype, mixed, recording = 0, None, False, modes.grad
    for value in values:
        if isinstance(value, Tensor):
            array = value._data
            arrays.append(array)
            if array.dtype is not dtype:
                dtype, mixed = array.dtype, dtype is not None
            if recording and value._requires_grad:
                wanted |= 1 << len(edges)
                edges.append(value._edge or leaf_edge(value))
            else:
                edges.append(NOWHERE)
        elif op.first <= len(arrays) < op.last:
            edges.append(NOWHERE)
            if type(value) not in NUMBERS:
                value, mixed = op.constant(value, len(arrays)), True
            arrays.append(value)
        else:
            arrays.append(value)
    if mixed or (dtype is not FLOAT32 and dtype is not FLOAT64):
        arrays = op.promote(arrays)

    started = perf_counter_ns() if listeners else 0
    out = op.forward(*arrays) if into is None else overwritten(op, arrays, into, wanted)
    ended = perf_counter_ns() if started else 0

    node = None
    if wanted and not op.all_slots:
        edges, wanted = op.differentiable(edges, wanted)
    if wanted:
        plan = op.plans.get(wanted) or op.plan(wanted)
        if plan.rules:
            saved = []
            for position in plan.takes:
                value = values[position]
                counter = value._counter if isinstance(value, Tensor) else NEVER_CHANGES
                saved.append((arrays[position], counter, counter[0]))
            for i in plan.shapes:
                saved[i] = (saved[i][0].shape, NEVER_CHANGES, 0)
            node = (op.node_type or op.choose_node(values))(edges, saved, plan)
    if into is not None:
        into._counter[0] += 1
    if op.outputs:
        result = op.results(out, node, values)
    else:
        result = into
        if into is None:  # `wrap(out)`, written out because each operation comes by here
            result = new(Tensor)
            result._data = out
            result._counter = [0]
        if node is not None:
            result._edge = (node, 0, out.shape, out.dtype)
            result._requires_grad = True
            if plan.keeps_output:
                saved.append((out, result._counter, result._counter[0]))
    if op.view:
        op.alias(result, values[0])
    if not recording and modes.inference:
        op.detach_for_good(result)
    if dual_levels:
        forward_ad.propagate(op, values, result)
    if started:
        say_made(op, values, result, node, started, ended, into)
    return result


def overwritten(op, arrays, into, wanted):
    """The array of `into` after an in-place operation, with PyTorch's refusals."""
    if wanted and into._requires_grad and into._edge is None:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    target = into.array
    out = np.asarray(op.forward(*arrays))
    if out.shape != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(out.shape)}"
        )
    op.check_cast(out.dtype, target.dtype)
    target[...] = out
    return target


def say_made(op, values, result, node, started, ended, into) -> None:
    inputs = [value for value in values if isinstance(value, Tensor)]
    source = here(inputs) if events.wants_source else None
    if node is not None:
        node.source = source
    tell(Made(op, values, result, node, started, ended, source))
    if node is not None:
        for save, (value, _, version) in zip(node.plan.saves, node.saved):
            tell(Saved(node, save.name, value, version))
    if into is not None:
        tell(Mutated(into, op, into._counter[0], source))


def schedule(roots, targets=None):
    """The nodes that the roots lead to, in the order in which they run, and the set of those that run.

    A node is always younger than its inputs. So "youngest first" visits each node after all that send to it, and once:
    that is the topological order, without a search for it. A leaf comes right after the last node that sends to it.
    With `targets`, only nodes on the way to one of them are kept.
    """
    seen, touching = set(roots), set()
    stack = [root for root in seen if not root.is_leaf]
    order = [root for root in seen if root.is_leaf]
    while stack:
        node = stack.pop()
        order.append(node)
        for edge in node.edges:
            target = edge[0]
            if target is None:
                continue
            if target.is_leaf:
                touching.add(node)
            elif target not in seen:
                seen.add(target)
                stack.append(target)
    order.sort(key=age, reverse=True)
    scope = None
    if targets is not None:
        scope = set(targets)
        for node in reversed(order):  # oldest first: whether an input leads to a target is known before it is asked
            if any(edge[0] in scope for edge in node.edges):
                scope.add(node)
        order = [node for node in order if node in scope]
    if touching:
        closing, placed = {}, set()
        for node in sorted(touching, key=age):
            if scope is None or node in scope:
                for edge in node.edges:
                    leaf = edge[0]
                    if leaf is not None and leaf.is_leaf and leaf not in placed and (scope is None or leaf in scope):
                        placed.add(leaf)
                        closing.setdefault(node, []).append(leaf)
        order = [one for node in order if node not in placed for one in (node, *closing.get(node, ()))]
    return order, scope


def walk_from(seeds, retain_graph, create_graph, *, targets=None, captured=None, speaking=True):
    """The backward itself, one event at a time; with `speaking` off it runs through in silence.

    `seeds` are pairs of an edge and the gradient that starts there. A gradient is a plain array, or, with
    `create_graph`, a Tensor, and then the very same rules record themselves. `captured` collects, by (node, index),
    the gradients that `autograd.grad` returns; with it, leaves are read and nothing is deposited.
    """
    tensors, plus, fit = create_graph, add, conform
    if tensors:  # grad mode is on within each of these calls only: it never leaks out through a yield
        plus, fit = set_grad_enabled(True)(add), set_grad_enabled(True)(conform)
    arriving: dict = {}  # for each node, the gradient so far; a list of them where the operation made several outputs
    for edge, gradient in seeds:
        arrive(arriving, edge, gradient, plus)
        if speaking:
            yield Seeded(edge[0], edge[1], gradient)
    order, scope = schedule([edge[0] for edge, _ in seeds], targets)

    for node in order:
        g = arriving.pop(node, None)
        if g is None:
            continue
        try:
            hooks = node.hooks
            runs = scope is None or node.is_leaf or any(edge[0] in scope for edge in node.edges)
            if captured is not None and node in captured:
                if hooks is not None and not runs:  # PyTorch's order: a node that runs as well is read before its hooks
                    g = yield from run_hooks(node, g, "tensor", tensors, speaking)
                for index in captured[node]:
                    captured[node][index] = g if node.outputs == 1 else g[index]
                if node.is_leaf or not runs:
                    continue
            if hooks is not None:
                g = yield from run_hooks(node, g, "tensor", tensors, speaking)
            if node.is_leaf:
                yield from deposit(node, g, tensors, speaking)
                continue
            if not runs:
                continue
            if hooks is not None and hooks.pre:
                g = yield from run_hooks(node, g, "pre", tensors, speaking)

            started = perf_counter_ns() if speaking else 0
            if tensors:
                with set_grad_enabled(True):
                    parts = node.gradients(g, scope, tensors=True)
            else:
                parts = node.gradients(g, scope)
            if speaking:
                yield Visited(node, g, parts, started, perf_counter_ns())
            if hooks is not None and hooks.post:
                parts = yield from run_post_hooks(node, parts, g, tensors, speaking)
            if not retain_graph and node.free() and speaking:
                yield Freed(node)

            for slot, edge in enumerate(node.edges):
                part = parts[slot]
                if part is None:
                    continue
                target, index, shape, dtype = edge
                whole = part
                if part.shape != shape or part.dtype is not dtype:
                    part = fit(part, edge, node, slot)
                if target.is_leaf and not tensors and (part is g or part.base is not None or not node.makes_new):
                    part = np.array(part)  # a leaf owns its gradient
                if target.outputs == 1 and target not in arriving:  # the common case of `arrive`, written out
                    before, after = None, part
                    arriving[target] = part
                else:
                    before, after = arrive(arriving, edge, part, plus)
                if speaking:
                    yield Sent(node, slot, target, index, whole, part)
                    if before is not None:
                        yield Accumulated(target, index, before, part, after)
        except Exception as error:
            if speaking:
                yield Failed(node, error)
            raise


def arrive(arriving, edge, part, plus):
    """Add a part to what has arrived at the end of an edge; returns what was there, and the sum."""
    node, index = edge[0], edge[1]
    if node.outputs == 1:
        before = arriving.get(node)
        after = arriving[node] = part if before is None else plus(before, part)
    else:
        buffer = arriving.setdefault(node, [None] * node.outputs)
        before = buffer[index]
        after = buffer[index] = part if before is None else plus(before, part)
    return before, after


def deposit(node, g, tensors, speaking):
    """Put a complete gradient into a leaf's mailbox, then run the hooks that wait for that."""
    leaf = node.variable
    old = leaf._grad
    before = old.array.copy() if speaking and old is not None else None
    with set_grad_enabled(tensors):
        node.deposit(g if tensors else np.asarray(g), tensors)
    if speaking:
        yield Deposited(node, leaf, before, g, leaf._grad.array)
    for hook in tuple((node.hooks and node.hooks.accumulated or {}).values()):
        with set_grad_enabled(tensors):
            hook(leaf)
        if speaking:
            yield HookCalled(node, "accumulated", hook, leaf._grad, leaf._grad)


def run_hooks(node, g, kind, tensors, speaking):
    """Show a gradient to the hooks before the node runs: those of its tensors, or its own; each may replace it."""
    several = node.outputs > 1
    shown = list(g) if several else [g]
    shown = [value if tensors or value is None else wrap(np.asarray(value)) for value in shown]
    touched = False
    if kind == "tensor":
        for index, hooks in sorted(node.hooks.tensor.items()):
            for hook in tuple(hooks.values()):
                before = shown[index]
                if before is None:
                    continue
                with set_grad_enabled(tensors):
                    answer = hook(before)
                if answer is not None:
                    shown[index] = checked_replacement(answer, before, hook)
                touched = True
                if speaking:
                    yield HookCalled(node, "tensor", hook, before, shown[index])
        for index, reference in node.hooks.retain.items():
            tensor, gradient = reference(), shown[index]
            if tensor is not None and gradient is not None:
                own = gradient if tensors else wrap(gradient.array.copy())
                old, tensor._grad = tensor._grad, own if tensor._grad is None else tensor._grad + own
                if speaking:
                    yield HookCalled(node, "retain_grad", tensor, old, tensor._grad)
    else:
        for hook in tuple(node.hooks.pre.values()):
            before = tuple(shown)
            with set_grad_enabled(tensors):
                answer = hook(before)
            if answer is not None:
                shown = list(answer) if isinstance(answer, tuple) else [answer]
            touched = True
            if speaking:
                yield HookCalled(node, "pre", hook, before, tuple(shown))
    if not touched:
        return g
    if not tensors:  # copied: a hook may have kept what it saw
        shown = [None if value is None else value.array.copy() for value in shown]
    return shown if several else shown[0]


def run_post_hooks(node, parts, g, tensors, speaking):
    """Show what a node computed to the hooks registered on it; they may replace it."""

    def tensor(value):
        return value if value is None or isinstance(value, Tensor) else wrap(np.asarray(value))

    outer = tuple(map(tensor, g if node.outputs > 1 else [g]))
    for hook in tuple(node.hooks.post.values()):
        before = tuple(map(tensor, parts))
        with set_grad_enabled(tensors):
            answer = hook(before, outer)
        if answer is not None:
            answer = answer if isinstance(answer, tuple) else (answer,)
            if len(answer) != len(parts):
                raise RuntimeError(
                    f"hook '{hook_name(hook)}' has returned an incorrect number of values (got {len(answer)}, but "
                    f"expected {len(parts)})"
                )
            parts = [a if tensors or a is None else a.array.copy() for a in answer]
        if speaking:
            yield HookCalled(node, "post", hook, before, tuple(map(tensor, parts)))
    return parts


def checked_replacement(answer, before, hook) -> Tensor:
    """What a tensor hook returned instead of the gradient, if it fits."""
    if not isinstance(answer, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(answer).__name__}'")
    if answer.shape != before.shape:
        raise RuntimeError(
            f"hook '{hook_name(hook)}' has changed the size of value"
        )
    if answer.dtype is not before.dtype:
        raise RuntimeError(f"hook '{hook_name(hook)}' has changed the type of value (was {before.type()} got {answer.type()})")
    return answer


def hook_name(hook) -> str:
    return getattr(hook, "__name__", type(hook).__name__)
