"""The backward: `walk_from` runs the record of the forward in reverse. No derivative flows anywhere else.

A person calls `backward`, `grad`, or `walk`, which is the backward held in the hand.
"""

from functools import lru_cache
from operator import add as summed
from operator import attrgetter
from time import perf_counter_ns
from typing import Any

import numpy as np

from .. import dtypes
from ..quiet import handling, ignore, quiet
from ..tensor import Tensor, wrap
from ..words.advice import unrecorded
from . import events
from .events import Accumulated, Deposited, Failed, Freed, HookCalled, Seeded, Sent, Visited, event
from .grad_mode import dual_levels, set_grad_enabled
from .graph import GradientEdge, Node, node_of
from .hooks import run_accumulated_hooks, run_post_hooks, run_pre_hooks, run_tensor_hooks
from .unbroadcast import conform

age = attrgetter("sequence")
SILENCE = (False,) * 8
UNDIFFERENTIATED = "One of the differentiated Tensors does not require grad"


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None
) -> None:
    """Add to each leaf's `.grad` the gradient of the sum of `tensors`.

    Args:
        tensors: one Tensor (or GradientEdge) or several, of which the derivative is taken.
        grad_tensors: for each, the gradient that starts there; None stands for 1 where a tensor has one element.
        retain_graph: keep what the graph saved, for another backward. Default: the value of `create_graph`.
        create_graph: record the backward itself, for derivatives of higher order.
        inputs: only these tensors receive a gradient (a dict of tensors will do); all leaves if omitted.

    >>> import minigrad as mg
    >>> w, x = mg.tensor([1.0], requires_grad=True), mg.tensor([2.0])
    >>> backward((w + x) * (w + 1))
    >>> w.grad
    tensor([5.])
    """
    grad_tensors = grad_variables if grad_tensors is None else grad_tensors
    heard, before = events.heard, handling.set(ignore)
    try:
        for said in walk(tensors, grad_tensors, retain_graph, create_graph, inputs, kinds=events.kinds_heard()):
            for callback in heard[type(said)]:
                callback(said)
    finally:
        handling.reset(before)


def walk(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None, *, kinds=events.KINDS):
    """The backward, one event at a time: `backward` is this iterator, run to its end. `kinds` says which events.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> for event in walk(x * x):
    ...     print(type(event).__name__, event.node.name())
    Seeded MulBackward0
    Visited MulBackward0
    Freed MulBackward0
    Sent MulBackward0
    Sent MulBackward0
    Accumulated AccumulateGrad
    Deposited AccumulateGrad
    """
    targets = None
    if inputs is not None:
        inputs = inputs.values() if type(inputs) is dict else inputs
        inputs = (inputs,) if isinstance(inputs, (Tensor, GradientEdge)) else tuple(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        for tensor in inputs:
            if isinstance(tensor, Tensor) and (not tensor.is_leaf or not tensor.requires_grad):
                tensor.retain_grad()  # which says what is wrong with a tensor that requires no gradient
        targets = [checked_node(tensor, UNDIFFERENTIATED) for tensor in tensors_of(inputs)]
    seeds = starting_points(tensors, grad_tensors, create_graph or dual_levels)
    retain_graph = create_graph if retain_graph is None else retain_graph
    return walk_from(seeds, retain_graph, create_graph, targets=targets, kinds=frozenset(kinds))


@quiet
def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
) -> Any:
    """The gradients of the sum of `outputs` with respect to `inputs`, returned and deposited nowhere.

    Args:
        outputs, inputs: Tensors or GradientEdges, one or several; or a dict of inputs, for a dict of gradients.
        grad_outputs: the gradients that start at the outputs, as `grad_tensors` in `backward`.
        retain_graph, create_graph: as in `backward`.
        only_inputs: ignored, as in PyTorch.
        allow_unused: None for an input that the outputs do not depend on, instead of an error.
        is_grads_batched: each of `grad_outputs` has one more dimension in front, and so have the results.
        materialize_grads: zeros instead of None for an unused input.

    >>> import minigrad as mg
    >>> x = mg.tensor([2.0], requires_grad=True)
    >>> (first,) = grad(x**2, x, create_graph=True)
    >>> first, grad(first, x)
    (tensor([4.], grad_fn=<MulBackward0>), (tensor([2.]),))
    """
    if type(inputs) is dict:  # such as dict(model.named_parameters())
        options = (retain_graph, create_graph, only_inputs, allow_unused, is_grads_batched, materialize_grads)
        return dict(zip(inputs, grad(outputs, tuple(inputs.values()), grad_outputs, *options)))
    given = (inputs,) if isinstance(inputs, (Tensor, GradientEdge)) else tuple(inputs)
    outputs, inputs = tensors_of(outputs), tensors_of(given)
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if grad_outputs is not None:
        grad_outputs = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    retain_graph = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        from ..batching import grad_of_rows  # rarely needed

        unused = {"allow_unused": allow_unused, "materialize_grads": materialize_grads}
        return grad_of_rows(outputs, inputs, grad_outputs, retain_graph, create_graph, **unused)

    captured: dict = {}
    places = [(checked_node(tensor, UNDIFFERENTIATED), tensor._index) for tensor in inputs]
    for node, index in places:
        captured.setdefault(node, {})[index] = None
    seeds = starting_points(outputs, grad_outputs, create_graph or dual_levels)
    kinds = events.kinds_heard()
    for said in walk_from(seeds, retain_graph, create_graph, targets=list(captured), captured=captured, kinds=kinds):
        events.tell(said)

    results: list[Tensor | None] = []
    for i, (tensor, (node, index)) in enumerate(zip(inputs, places)):
        g = captured[node][index]
        if g is None and materialize_grads:
            if isinstance(given[i], GradientEdge):
                raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
            results.append(wrap(np.zeros_like(tensor.array)).requires_grad_(create_graph))
        elif g is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {i} appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior."
            )
        elif g is None or isinstance(g, Tensor):
            results.append(g)
        else:
            results.append(wrap(np.array(g, copy=None if getattr(g, "base", None) is None else True)))
    return tuple(results)


def tensors_of(given) -> tuple:
    """One thing or several as a tuple; for a GradientEdge a tensor at that place of the graph."""
    if isinstance(given, Tensor):
        return (given,)
    several = (given,) if isinstance(given, GradientEdge) else given
    return tuple([one.stand_in() if isinstance(one, GradientEdge) else one for one in several])


def checked_node(tensor, refusal: str) -> Node:
    """Where a tensor's gradient arrives, or PyTorch's refusal."""
    if not isinstance(tensor, Tensor):
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(tensor).__name__}")
    if not tensor.requires_grad:
        raise RuntimeError(refusal + unrecorded(tensor))
    return node_of(tensor)


def starting_points(tensors, gradients, as_tensors) -> list:
    """The nodes and outputs at which a backward starts, each with its gradient, checked as PyTorch checks them."""
    if isinstance(tensors, Tensor):
        if gradients is None and tensors._requires_grad and tensors._base is None:  # `loss.backward()`, in short
            gradient = implicit_gradient(tensors._data)
            return [(node_of(tensors), tensors._index, wrap(gradient) if as_tensors else gradient)]
        tensors = (tensors,)
    else:
        tensors = tensors_of(tensors)
    if gradients is None:
        gradients = (None,) * len(tensors)
    else:
        gradients = (gradients,) if isinstance(gradients, Tensor) else tuple(gradients)
    if len(gradients) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(gradients)} gradients")
    seeds: list[tuple] = []
    for tensor, gradient in zip(tensors, gradients):
        i = len(seeds)
        if not isinstance(tensor, Tensor):
            raise TypeError(f"element {i} of tensors must be a Tensor, but got {type(tensor).__name__}")
        if gradient is not None:
            check_gradient(gradient, tensor, i)
            gradient = gradient.to(tensor.dtype)
        node = node_of(tensor) if tensor.requires_grad else None
        if node is None or (node.is_leaf and node.variable is not tensor):  # a view from before its base asked for it
            why = unrecorded(tensor, i)
            raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn{why}")
        if gradient is None:
            gradient = implicit_gradient(tensor._data)
            gradient = wrap(gradient) if as_tensors else gradient
        elif not as_tensors:
            gradient = gradient._data
        seeds.append((node, tensor._index, gradient))
    return seeds


def implicit_gradient(data):
    """The gradient of a loss with respect to itself: 1."""
    if data.size != 1:
        raise RuntimeError(
            "grad can be implicitly created only for scalar outputs\n"
            f"This one has the shape {list(data.shape)}: start from one number, such as its .sum() or .mean(), or pass "
            "a gradient of that shape."
        )
    one = real_one(data.dtype)
    return np.full(data.shape, one) if data.shape else one


@lru_cache
def real_one(dtype):
    if dtype.kind == "c":
        raise RuntimeError(f"grad can be implicitly created only for real scalar outputs but got {dtypes.ALL[dtype]}")
    return dtype.type(1)


def check_gradient(gradient, tensor, i: int) -> None:
    if not isinstance(gradient, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
    if gradient.shape != tensor.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of {gradient.shape} and output[{i}] has a shape of "
            f"{tensor.shape}."
        )
    if (gradient.array.dtype.kind == "c") != (tensor.array.dtype.kind == "c"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            f"grad_output[{i}] has a dtype of {gradient.dtype} and output[{i}] has a dtype of {tensor.dtype}."
        )


# == the walk ==============================================================================================


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

    `seeds` are triples (node, which of its outputs, gradient). A gradient is a plain array, or a Tensor, with which the
    very same rules carry tangents along and, with `create_graph`, record themselves. `captured` collects, by node and
    output, the gradients that `autograd.grad` returns; with it, leaves are read and nothing is deposited.
    """
    tensors, plus, fit = bool(seeds) and isinstance(seeds[0][2], Tensor), summed, conform
    if tensors:  # the mode is set within each of these calls only: it never leaks out through a yield
        plus, fit = set_grad_enabled(create_graph)(summed), set_grad_enabled(create_graph)(conform)
    told = asked(kinds) if kinds else SILENCE
    say_seeded, say_visited, say_freed, say_sent, say_accumulated, say_deposited, say_hooks, say_failed = told
    arriving: dict = {}  # for each node, the gradient so far; a list of them where the operation made several outputs
    for node, index, gradient in seeds:
        own = np.array(gradient) if node.is_leaf and not tensors else gradient
        if len(seeds) == 1 == node.outputs:
            arriving[node] = own
        else:
            arrive(arriving, node, index, own, plus)
        if say_seeded:
            yield event(Seeded, (node, index, gradient))
    order, scope = schedule(arriving, targets)

    try:
        for node in order:
            g = arriving.pop(node, None)  # None: all who might have sent to it sent None, as a Function may
            hooks, edges = node.hooks, node.edges
            if hooks is not None or scope is not None:
                runs, g = yield from received(node, g, tensors, scope, captured, say_hooks, order)
                if not runs:
                    continue
            if node.is_leaf:
                if not node.variable._requires_grad:  # frozen since
                    continue
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
            else:
                parts = node.gradients(g, scope)
            if say_visited and g is not None:
                yield event(Visited, (node, g, parts, started, perf_counter_ns()))
            if hooks is not None and hooks.post:
                parts = yield from run_post_hooks(node, parts, g, tensors, say_hooks)
            if not retain_graph and node.saved and node.free() and say_freed:
                yield event(Freed, (node,))

            for slot, part in enumerate(parts):
                if part is None:
                    continue
                target, whole = edges[slot], part
                if part.shape != target.shape or part.dtype is not target.dtype:
                    part = fit(part, node, slot)
                if target.is_leaf and not tensors and (part is g or part.base is not None or not node.makes_new):
                    part = part.copy()  # a leaf owns its gradient
                if say_sent:
                    yield event(Sent, (node, slot, target, node.indices[slot] if node.indices else 0, whole, part))
                if target.outputs == 1 and not say_accumulated:  # the common case of `arrive`, written out
                    before = arriving.get(target)
                    arriving[target] = part if before is None else plus(before, part)
                else:
                    index = node.indices[slot] if node.indices else 0
                    before, after = arrive(arriving, target, index, part, plus)
                    if say_accumulated and before is not None:
                        yield event(Accumulated, (target, index, before, part, after))
    except Exception as error:
        if say_failed:
            yield event(Failed, (node, error))
        raise


def received(node, g, tensors, scope, captured, say, order):
    """What happens to a complete gradient before its node runs: `autograd.grad` reads it, and hooks may replace it.

    Returns whether the node is to run, and on which gradient.
    """
    hooks, runs = node.hooks, captured is None or node.is_leaf or not scope.isdisjoint(node.edges)
    if captured and node in captured:
        runs = runs and not node.is_leaf
        if hooks is not None and not runs:  # as in PyTorch, where a node that runs as well is read before its hooks
            g = yield from run_tensor_hooks(node, g, tensors, say, order)
        for index in captured[node]:
            captured[node][index] = g if node.outputs == 1 or g is None else g[index]
        if not runs:
            return False, None
    if hooks is not None:
        g = yield from run_tensor_hooks(node, g, tensors, say, order)
        if runs and hooks.pre:
            g = yield from run_pre_hooks(node, g, tensors, say)
    return runs, g


def deposited(leaf, g, tensors, say, say_hooks):
    """The end of a path: a leaf's `.grad` grows, and those who wait for that are told."""
    before = leaf.variable._grad
    before = before._data.copy() if say and before is not None else None
    if tensors and g is not None:
        with set_grad_enabled(True):
            leaf.deposit(g, tensors=True)
    elif g is not None:
        leaf.deposit(g.copy() if leaf.hooks is not None and leaf.hooks.post else g)  # a hook sees it afterwards
    if say and g is not None:
        yield event(Deposited, (leaf, leaf.variable, before, g, leaf.variable._grad._data))
    if leaf.hooks is not None:
        yield from run_accumulated_hooks(leaf, g, tensors, say_hooks)


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
