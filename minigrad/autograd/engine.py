"""The forward: `apply` runs an operation and leaves its node in the graph. No operation happens anywhere else.

Most take the short way: the same steps, written out for the arguments that most operations have.
"""

from collections.abc import Callable
from itertools import repeat
from time import perf_counter_ns

import numpy as np

from ..dtypes import FLOAT32, FLOAT64, is_differentiable
from ..promotion import forward_for, promoted
from ..quiet import is_taken, quietly, silent
from ..tensor import Tensor, counter_of, wrap
from ..words.advice import explained
from ..words.source import here, mark
from . import events, forward_ad, views
from .events import Made, Mutated, Saved, event, forward_listeners, heard, tell
from .grad_mode import dual_levels, modes, packers, paused
from .graph import UNCHANGING, Joint, OpNode, leaf_node, sequence
from .hooks import keep_retaining

NUMBERS = frozenset((int, float, bool))  # these never change the type of a floating tensor
PLAIN = NUMBERS | {complex, list, tuple}
MAYBE = "where it can be"  # for a row whose result is a view or a copy, as the memory permits
new, ndarray = object.__new__, np.ndarray


def apply(op, values, into=None):
    """Run one operation on its arguments and, if one of them asks for a gradient, leave a node in the graph.

    `values` are all arguments in the order of the forward; `into` is the tensor to overwrite, for an in-place twin.
    """
    if into is not None:
        views.check_overwritable(into, values)
    if any(isinstance(option, Tensor) for option in values[op.last :]):
        values = (*values[: op.last], *map(as_number, values[op.last :]))
    arrays, edges, indices, wanted, alike = inputs(op, values)
    before = forward_ad.as_they_were(values, into) if into is not None and dual_levels else values
    forward, conjugates, plan, node = op.forward, False, None, None
    if not alike:
        arrays = promoted(op, arrays)
        forward = forward_for(op, arrays)
        conjugates = op.holomorphic and has_complex(arrays)
    given, kept = values, arrays
    if into is not None and not is_differentiable(into._data.dtype):
        wanted = 0
    if wanted:
        plan = op.plans.get(wanted) or op.plan(wanted)
        if into is not None and plan.takes_a:  # a rule needs what is about to be overwritten
            given, kept = (None, *values[1:]), [into.array.copy(), *arrays[1:]]

    started = perf_counter_ns() if forward_listeners else 0
    try:
        out = silent.run(forward, *arrays) if into is None else silent.run(op.overwrite, into, arrays, forward)
    except Exception as error:
        raise explained(op, error, arrays, values) from None
    ended = perf_counter_ns() if started else 0

    if plan is not None:
        node = record(op, plan, given, kept, edges, out)
        if indices:
            node.indices = list(map(indices.get, range(len(edges)), repeat(0)))
        if conjugates or forward is not op.forward:
            node.special, node.conjugates, node.in_float32 = True, conjugates, forward is not op.forward
    result = op.results(out, node, values) if op.outputs else output(op, values, arrays, out, node, into)
    if paused and modes.state.inference and into is None:
        for tensor in result if op.outputs else (result,):
            tensor._inference = tensor._base is None  # its memory is new, and can never enter a graph
    if into is not None and node is not None and into._base is not None and into._replay:
        views.rebase(into)
        if plan.keeps_output:
            op.keep(node, into)  # only now has the change been counted
    if dual_levels:
        forward_ad.propagate(op, before, result, into is not None)
        forward_ad.keep_tangents(node, before, result)
    if packers:
        packers[-1](node)
    if started:
        say_made(op, values, result, node, started, ended, into)
    return result


def as_number(option):
    """An option; one that is a tensor without dimensions stands for its number, and must not decide the type."""
    is_number = isinstance(option, Tensor) and not option.ndim and option._data.dtype.kind in "iuf"
    return option.item() if is_number else option


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
            array = value.array if op.view else value._data  # a view shares memory, so there must be some
            arrays.append(array)
            if array.dtype is not dtype:
                dtype, mixed = array.dtype, dtype is not None
            if recording and value._base is not None and op.slots:
                views.refresh(value)
            edge = value._node
            if edge is None and value._requires_grad:
                edge = leaf_node(value)
            if edge is None or not recording:
                edges.append(None)
            else:
                if edge.outputs > 1:
                    indices[len(edges)] = value._index
                wanted |= 1 << len(edges)
                edges.append(edge)
        else:
            if op.only_inputs or op.first <= len(arrays) < op.last:
                edges.append(None)
                if type(value) not in op.numbers:
                    value, mixed = op.constant(value, len(arrays)), True
            elif isinstance(value, np.generic) and type(value) is not np.bool_:  # a mask: Python's ~True is -2
                value = value.item()
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
    saved = stamps = ()
    for position, shape_only in plan.takes:
        array, value = arrays[position], values[position]
        counter = UNCHANGING
        if shape_only:
            array = array.shape
        elif isinstance(value, Tensor):
            counter = value._counter or counter_of(value)
        elif position == op.places_at and modes.picking_by:
            counter = Joint([counter_of(one) if isinstance(one, Tensor) else one for one in modes.picking_by])
        saved += (array,)
        stamps += (counter, counter[0])
    node = op.choose_node(values)(edges, saved, stamps, plan)
    node.shape, node.dtype = ((), None) if op.outputs else (out.shape, out.dtype)
    return node


class Constants(dict):
    """Python's numbers as arrays without dimensions, of one type: with these NumPy computes in half the time."""

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype

    def __missing__(self, number):
        if len(self) > 1000:  # a number that changes at each step is not worth keeping
            self.clear()
        self[number] = array = np.array(number, self.dtype)
        array.flags.writeable = False
        return array


constants = {dtype: Constants(dtype) for dtype in (FLOAT32, FLOAT64)}


def short_way(op) -> Callable:
    """`apply` as a function of one operation, written out for what most operations have before them: a tensor of floats
    and perhaps options, or two of one type, or one and a number. It takes the same steps, without the questions that
    all the others ask. With no Tensor it is plain NumPy, which is what makes a rule fast.
    """
    forward, plans, count, two = op.forward, op.plans, len(op.parameters), op.last == 2
    numbers, chooses = op.numbers, count > 1 and not two
    kind = None if callable(op.grad_fn) else OpNode  # whose own class `shown` gives it when somebody looks

    def run(a, b=None, *options):
        if not isinstance(a, Tensor):
            if two and isinstance(b, Tensor):
                return apply(op, (a, b))
            if type(a) in PLAIN and (not two or type(b) in PLAIN):  # no array either: it is no rule that calls
                raise op.no_tensor(0, a)
            try:
                return forward(a) if count == 1 else forward(a, b) if count == 2 else forward(a, b, *options)
            except (TypeError, AttributeError) as error:
                raise op.unsuited((a, b)) or error from None
        if dual_levels or packers:
            return apply(op, (a, b, *options)[:count])
        if chooses and (isinstance(b, Tensor) or (options and any(isinstance(option, Tensor) for option in options))):
            return apply(op, (a, b, *options)[:count])
        recording = not paused or modes.state.grad
        if recording and a._base is not None:
            views.refresh(a)
        x, y, edge_a, edge_b = a._data, b, a._node, None
        dtype = x.dtype
        if edge_a is None and a._requires_grad and recording:
            edge_a = leaf_node(a)
        if (dtype is not FLOAT32 and dtype is not FLOAT64) or (edge_a is not None and edge_a.outputs > 1):
            return apply(op, (a, b, *options)[:count])
        if two:
            if type(b) in numbers:
                if b and type(x) is ndarray:  # a zero has a sign, which a dict does not see
                    y = constants[dtype][b]
            elif not isinstance(b, Tensor) or b._data.dtype is not dtype:
                return apply(op, (a, b))
            else:
                if recording and b._base is not None:
                    views.refresh(b)
                y, edge_b = b._data, b._node
                if edge_b is None and b._requires_grad and recording:
                    edge_b = leaf_node(b)
                if edge_b is not None and edge_b.outputs > 1:
                    return apply(op, (a, b))

        started = perf_counter_ns() if forward_listeners else 0
        try:
            if count == 1:
                out = quietly(forward, x)
            else:
                out = quietly(forward, x, y) if count == 2 else quietly(forward, x, y, *options)
        except Exception as error:
            if is_taken(error):
                return apply(op, (a, b, *options)[:count])
            raise explained(op, error, (x, y, *options)[:count], (a, b, *options)[:count]) from None
        ended = perf_counter_ns() if started else 0

        if chooses and out.dtype is not dtype and any(isinstance(option, np.generic) for option in (b, *options)):
            return apply(op, (a, b, *options))  # NumPy's numbers would decide the type; Python's do not
        result, node = new(Tensor), None
        result._data = out
        if recording and (edge_a is not None or edge_b is not None):
            wanted = 0b100 + (edge_a is not None) + 2 * (edge_b is not None) if two else 0b11  # see Plan
            plan = plans.get(wanted) or op.plan(wanted)
            result._node = node = new(kind or op.choose_node((a, b, *options)))
            result._requires_grad = True
            node.sequence = next(sequence)
            node.edges = (edge_a, edge_b) if two else (edge_a,)
            node.plan, node.shape, node.dtype = plan, out.shape, out.dtype
            saved = stamps = ()
            if plan.saves:
                if plan.takes_a:
                    counter = a._counter or counter_of(a)
                    saved, stamps = (x,), (counter, counter[0])
                if plan.takes_b:
                    number = edge_b is None and type(b) in NUMBERS
                    counter = UNCHANGING if number else b._counter or counter_of(b)
                    saved += (b if number else y,)
                    stamps += (counter, counter[0])
                for position, shape_only in plan.takes_else:
                    value = options[position - 2] if position > 1 else y if position else x
                    saved += (value.shape if shape_only else value,)
                    stamps += (UNCHANGING, 0)
            node.saved, node.stamps = saved, stamps
            if plan.keeps_output:
                op.keep(node, result)
        if paused and modes.state.inference:
            result._inference = True
        if started:
            say_made(op, (a, b, *options)[:count], result, node, started, ended, None)
        return result

    return run


def short_way_in_place(compute, count: int, long: Callable, numbers: frozenset = NUMBERS) -> Callable:
    """The same for a change in place that nobody has to record: of floats that are no view, by a number or by floats of
    the same type. `compute` is called as NumPy's functions are, the result last; all that is refused, `long` refuses.
    """

    def run(into, *others, **options):
        if options or forward_listeners or dual_levels or packers or len(others) != count:
            return long(into, *others, **options)
        x, recording = into._data, not paused or modes.state.grad
        dtype = x.dtype
        if dtype is not FLOAT32 and dtype is not FLOAT64:
            return long(into, *others)
        if into._base is not None or into._inference or (recording and into._requires_grad):
            return long(into, *others)
        if paused and modes.state.inference:
            return long(into, *others)
        if others and type(y := others[0]) not in numbers:
            if not isinstance(y, Tensor) or y._data.dtype is not dtype or (recording and y.requires_grad):
                return long(into, y)
            if y._base is not None:  # perhaps of what is written to
                return long(into, y)
            y = y._data
        memory = x if type(x) is ndarray else None
        try:
            out = silent.run(compute, x, y, memory) if others else silent.run(compute, x, memory)
        except (ValueError, TypeError):  # a shape that does not fit
            return long(into, *others)
        if memory is None:  # a number that nobody shares is replaced by another
            if out.shape:
                return long(into, *others)
            into._data = out
        counter = into._counter or counter_of(into)
        counter[:] = counter[0] + 1, mark(2)
        return into

    return run


def has_complex(arrays) -> bool:
    return any(np.iscomplexobj(array) for array in arrays if isinstance(array, np.ndarray | np.generic | complex))


def say_made(op, values, result, node, started, ended, into) -> None:
    source = here([value for value in values if isinstance(value, Tensor)]) if events.wants_source else None
    if node is not None and source is not None:
        node.source = source
    for callback in heard[Made]:
        callback(event(Made, (op, values, result, node, started, ended, source)))
    if node is not None and heard[Saved]:
        for name, value in node.saved_values():
            tell(event(Saved, (node, name, value)))
    if heard[Mutated] and into is not None:
        tell(Mutated(into, op, into._counter[0], source))
