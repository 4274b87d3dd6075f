"""The engine: `apply` runs an operation and records it; `walk_from` runs the record backwards.

These are the only two places where an operation happens and where a derivative flows. Everything else in this package
is a table of formulas, a way of calling these two, or a listener.
"""

from functools import lru_cache
from itertools import repeat
from operator import add, attrgetter
from time import perf_counter_ns

import numpy as np

from ..dtypes import FLOAT32, FLOAT64
from ..tensor import Tensor, counter_of, wrap
from . import events, forward_ad, views
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
    event,
    forward_listeners,
    heard,
    tell,
)
from .graph import conform, leaf_node
from .hooks import keep_retaining, run_accumulated_hooks, run_post_hooks, run_pre_hooks, run_tensor_hooks
from .modes import dual_levels, modes, packers, paused, set_grad_enabled
from .source import here

NUMBERS = frozenset((int, float, bool))  # these never change the type of a floating tensor
MAYBE = "where it can be"  # for a row whose result is a view or a copy, as the memory permits
new = object.__new__
age = attrgetter("sequence")

# == forward ===============================================================================================


def apply(op, values, into=None):
    """Run one operation on its arguments and, if one of them asks for a gradient, leave a node in the graph.

    `values` are all arguments in the order of the forward; `into` is the tensor to overwrite, for an in-place twin.
    """
    if into is not None and dual_levels:
        values = forward_ad.as_it_was(values)
    arrays, edges, indices, wanted, alike = inputs(op, values)
    forward, conjugates, plan, node = op.forward, False, None, None
    if not alike:
        arrays = op.promote(arrays)
        forward = op.forward_for(arrays)
        conjugates = op.holomorphic and has_complex(arrays)
    given, kept = values, arrays
    if wanted:
        plan = op.plans.get(wanted) or op.plan(wanted)
        if into is not None and plan.rereads:  # a rule needs what is about to be overwritten
            given, kept = (None, *values[1:]), [into.array.copy(), *arrays[1:]]

    started = perf_counter_ns() if forward_listeners else 0
    try:
        out = forward(*arrays) if into is None else op.overwrite(into, arrays, wanted, forward)
    except Exception as error:
        raise op.explained(error, arrays, values) from None
    ended = perf_counter_ns() if started else 0

    if plan is not None:
        node = record(op, plan, given, kept, edges, out)
        if indices:
            node.indices = list(map(indices.get, range(len(edges)), repeat(0)))
        if conjugates or forward is not op.forward:
            node.special, node.conjugates, node.in_float32 = True, conjugates, forward is not op.forward
    result = op.results(out, node, values) if op.outputs else output(op, values, arrays, out, node, into)
    if paused and modes.state.inference:
        for tensor in result if op.outputs else (result,):
            tensor._inference = True  # it can never enter a graph
    if dual_levels:
        forward_ad.propagate(op, values, result)
        forward_ad.keep_tangents(node, values, result)
        if node is None and into is not None and into._replay:
            forward_ad.reach_base(into)
    if into is not None and node is not None and into._base is not None and into._replay:
        views.rebase(into)
        if plan.keeps_output:
            op.keep(node, into)  # only now has the change been counted
    if packers:
        packers[-1](node)
    if started:
        say_made(op, values, result, node, started, ended, into)
    return result


def inputs(op, values) -> tuple:
    """What NumPy will see of the arguments, and where their gradients will go.

    That is: the arrays; the edges; which output of its node an input is, where it is not the first; which edges are
    wanted, in the form that `Plan` explains; and whether all tensors are of one type, float32 or float64.
    """
    arrays: list = []
    edges: list = []
    indices, wanted, dtype, mixed = {}, 0, None, False
    recording = not paused or modes.state.grad
    for value in values:
        if isinstance(value, Tensor):
            array = value._data
            arrays.append(array)
            if array.dtype is not dtype:
                dtype, mixed = array.dtype, dtype is not None
            if recording and value._base is not None:
                views.refresh(value)
            source = value._node
            if source is None and value._requires_grad:
                source = leaf_node(value)
            if source is None or not recording:
                edges.append(None)
            else:
                if source.outputs > 1:
                    indices[len(edges)] = value._index
                wanted |= 1 << len(edges)
                edges.append(source)
        else:
            if op.only_inputs or op.first <= len(arrays) < op.last:
                edges.append(None)
                if type(value) not in NUMBERS:
                    value, mixed = op.constant(value, len(arrays)), True
            arrays.append(value)
    if wanted and not op.all_slots:
        edges, indices, wanted = op.differentiable(edges, indices, wanted)
    alike = not mixed and (dtype is FLOAT32 or dtype is FLOAT64)
    return arrays, edges, indices, wanted and wanted | 1 << len(edges), alike


def output(op, values, arrays, out, node, into):
    """The result as a tensor that points to its node: a new one, or the one that was overwritten."""
    if into is None:
        result = wrap(out)
        if op.view and (op.view is not MAYBE or np.may_share_memory(out, arrays[0])):
            views.relate(result, values[0], op, values[1:])
    else:
        result = into
        if into._base is None or node is None or not into._replay:
            views.changed(into)
    if node is not None:
        if into is not None:
            keep_retaining(into, node, 0)
        result._node, result._requires_grad = node, True
        if node.plan.keeps_output and (into is None or not into._replay):
            op.keep(node, result)
    return result


def record(op, plan, values, arrays, edges, out):
    """The node of an operation, with what its derivative needs."""
    saved, stamps = [] if plan.saves else (), ()
    for position, shape_only in plan.takes:
        array, value = arrays[position], values[position]
        if shape_only:
            array = array.shape
        elif isinstance(value, Tensor):
            counter = value._counter or counter_of(value)
            stamps += ((len(saved), counter, counter[0]),)
        saved.append(array)
    node = (op.node_type or op.choose_node(values))(edges, saved, stamps, plan)
    if not op.outputs:
        node.shape = out.shape
        node.dtype = out.dtype
    return node


def apply_to_floats(op, values):
    """The short way through `apply` for what most operations have before them, while nobody watches: one tensor of
    floats, two of one type, or one and a number. It takes the same steps, without the questions of all the others.
    """
    a, other = values[0], None
    if not isinstance(a, Tensor) or a._base is not None or forward_listeners or dual_levels or packers:
        return apply(op, values)
    x, source = a._data, a._node
    dtype = x.dtype
    if source is None and a._requires_grad:
        source = leaf_node(a)
    if (dtype is not FLOAT32 and dtype is not FLOAT64) or (source is not None and source.outputs > 1):
        return apply(op, values)
    if op.last == 1:
        arrays = (x,) if len(values) == 1 else (x, *values[1:])
        edges, wanted = (source,), 0b11
    else:
        b = y = values[1]
        if type(b) not in NUMBERS:
            if not isinstance(b, Tensor) or b._base is not None or b._data.dtype is not dtype:
                return apply(op, values)
            y, other = b._data, b._node
            if other is None and b._requires_grad:
                other = leaf_node(b)
            if other is not None and other.outputs > 1:
                return apply(op, values)
        arrays, edges, wanted = (x, y), (source, other), 0b100 + (source is not None) + 2 * (other is not None)
    try:
        out = op.forward(*arrays)
    except Exception as error:
        raise op.explained(error, arrays, values) from None
    result = new(Tensor)
    result._data = out
    if (source is not None or other is not None) and (not paused or modes.state.grad):
        plan = op.plans.get(wanted) or op.plan(wanted)
        result._node = node = record(op, plan, values, arrays, edges, out)
        result._requires_grad = True
        if plan.keeps_output:
            op.keep(node, result)
    if paused and modes.state.inference:
        result._inference = True
    return result


def overwrite_floats(compute, into, *others) -> bool:
    """The short way of a change in place: of floats that are no view, by a number or floats of the same type, with
    nothing to record. Whether it could be taken; all refusals are the long way's. `compute` is called as NumPy's
    functions are.
    """
    x = into._data
    if type(x) is not np.ndarray or into._base is not None or into._inference:
        return False
    if forward_listeners or dual_levels or packers or (x.dtype is not FLOAT32 and x.dtype is not FLOAT64):
        return False
    recording = not paused or modes.state.grad
    if (recording and into._requires_grad) or (paused and modes.state.inference):
        return False
    arrays = [x]
    for other in others:
        if type(other) not in NUMBERS:
            if not isinstance(other, Tensor) or other._base is not None or (recording and other._requires_grad):
                return False
            other = other._data
            if other.dtype is not x.dtype:
                return False
        arrays.append(other)
    try:
        compute(*arrays, out=x)
    except (ValueError, TypeError):
        return False
    views.changed(into)
    return True


def has_complex(arrays) -> bool:
    return any(np.iscomplexobj(array) for array in arrays if isinstance(array, np.ndarray | np.generic | complex))


def say_made(op, values, result, node, started, ended, into) -> None:
    source = here([value for value in values if isinstance(value, Tensor)]) if events.wants_source else None
    if node is not None:
        node.source = source
    if heard[Made]:
        tell(event(Made, (op, values, result, node, started, ended, source)))
    if heard[Saved] and node is not None:
        for name, value in node.saved_values():
            tell(event(Saved, (node, name, value)))
    if heard[Mutated] and into is not None:
        tell(Mutated(into, op, into._counter[0], source))


# == backward ==============================================================================================


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
                if target.is_leaf:
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


def walk_from(seeds, retain_graph, create_graph, *, targets=None, captured=None, kinds=frozenset(events.KINDS)):
    """The backward itself, one event at a time, of the kinds asked for; with none it runs through in silence.

    `seeds` are triples (node, which of its outputs, gradient). A gradient is a plain array, or, with `create_graph`, a
    Tensor, and then the very same rules record themselves. `captured` collects, by node and output, the gradients that
    `autograd.grad` returns; with it, leaves are read and nothing is deposited.
    """
    tensors, plus, fit = create_graph, add, conform
    if tensors:  # grad mode is on within each of these calls only: it never leaks out through a yield
        plus, fit = set_grad_enabled(True)(add), set_grad_enabled(True)(conform)
    say_seeded, say_visited, say_freed, say_sent, say_accumulated, say_deposited, say_hooks, say_failed = asked(kinds)
    arriving: dict = {}  # for each node, the gradient so far; a list of them where the operation made several outputs
    for node, index, gradient in seeds:
        own = np.array(gradient) if node.is_leaf and not tensors else gradient
        arrive(arriving, node, index, own, plus)
        if say_seeded:
            yield event(Seeded, (node, index, gradient))
    order, scope = schedule(arriving, targets)

    for node in order:
        g = arriving.pop(node, None)
        if g is None:
            continue
        hooks, edges, runs = node.hooks, node.edges, True
        try:
            if scope is not None:
                runs = node.is_leaf or not scope.isdisjoint(edges)
                if captured and node in captured:
                    # as in PyTorch, where a node that runs as well is read before its hooks
                    runs = runs and not node.is_leaf
                    if hooks is not None and not runs:
                        g = yield from run_tensor_hooks(node, g, tensors, say_hooks, order)
                    for index in captured[node]:
                        captured[node][index] = g if node.outputs == 1 else g[index]
                    if not runs:
                        continue
            if hooks is not None:
                g = yield from run_tensor_hooks(node, g, tensors, say_hooks, order)
            if not runs:
                continue
            if hooks is not None and hooks.pre:
                g = yield from run_pre_hooks(node, g, tensors, say_hooks)
                if g is None:
                    continue
            if node.is_leaf:
                if not node.variable._requires_grad:  # frozen since
                    continue
                before = node.variable._grad
                before = before.array.copy() if say_deposited and before is not None else None
                if tensors:
                    with set_grad_enabled(True):
                        node.deposit(g, tensors=True)
                else:
                    node.deposit(g)
                if say_deposited:
                    yield event(Deposited, (node, node.variable, before, g, node.variable._grad.array))
                if hooks is not None:
                    yield from run_accumulated_hooks(node, g, tensors, say_hooks)
                continue

            started = perf_counter_ns() if say_visited else 0
            if tensors:
                with set_grad_enabled(True):
                    parts = node.gradients(g, scope, tensors=True)
            else:
                parts = node.gradients(g, scope)
            if say_visited:
                yield event(Visited, (node, g, parts, started, perf_counter_ns()))
            if hooks is not None and hooks.post:
                parts = yield from run_post_hooks(node, parts, g, tensors, say_hooks)
            if not retain_graph and node.free() and say_freed:
                yield event(Freed, (node,))

            for slot, part in enumerate(parts):
                if part is None:
                    continue
                target, whole = edges[slot], part
                if part.shape != target.shape or part.dtype is not target.dtype:
                    part = fit(part, node, slot)
                if target.is_leaf and not tensors and (part is g or part.base is not None or not node.makes_new):
                    part = np.array(part)  # a leaf owns its gradient
                if say_sent:
                    yield event(Sent, (node, slot, target, node.indices[slot] if node.indices else 0, whole, part))
                if target not in arriving and target.outputs == 1:  # the common case of `arrive`, written out
                    arriving[target] = part
                else:
                    index = node.indices[slot] if node.indices else 0
                    before, after = arrive(arriving, target, index, part, plus)
                    if say_accumulated and before is not None:
                        yield event(Accumulated, (target, index, before, part, after))
        except Exception as error:
            if say_failed:
                yield event(Failed, (node, error))
            raise


@lru_cache
def asked(kinds) -> tuple:
    """Which events of a backward are among these kinds."""
    told = (Seeded, Visited, Freed, Sent, Accumulated, Deposited, HookCalled, Failed)
    return tuple(kind in kinds for kind in told)


def arrive(arriving, node, index, part, plus):
    """Add a part to what has arrived at a node; returns what was there, and the sum."""
    if node.outputs == 1:
        before = arriving.get(node)
        after = arriving[node] = part if before is None else plus(before, part)
    else:
        buffer = arriving.setdefault(node, [None] * node.outputs)
        before = buffer[index]
        after = buffer[index] = part if before is None else plus(before, part)
    return before, after
