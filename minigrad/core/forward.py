"""The forward: `perform` runs an operation and leaves its node in the graph. No operation happens anywhere else.

Before that the arguments are gathered: by `quick_way` in the common cases, else by `apply`.
"""

from collections.abc import Callable
from functools import partial
from itertools import repeat
from threading import get_ident
from time import perf_counter_ns

import numpy as np

from ..numbers.dtypes import FLOAT32, FLOAT64, is_differentiable
from ..numbers.memory import as_all_lie
from ..numbers.promotion import forward_for, has_complex, promoted
from ..numbers.quiet import is_taken, quietly, silent
from ..words.refusals import explained
from ..words.source import here
from .events import Made, Mutated, Saved, event, forward_listeners, heard, tell, wants_source
from .graph import leaf_node, sequence
from .hooks import keep_retaining
from .modes import dual_levels, inferring, modes, packers, paused
from .op_node import UNCHANGING
from .tensor import Tensor, wrap
from .views import changed, check_overwritable, rebase, relate

NUMPYS = (np.ndarray, np.generic)  # what a rule computes with; of other things alone no operation makes anything
DECISIVE = (Tensor, np.generic)  # what would decide the type of a result, and must not where it is an option
MAYBE = "where it can be"  # for a row whose result is a view or a copy, as the memory permits
new, ndarray = object.__new__, np.ndarray


def perform(op, values, call, edges=None, wanted=0, kept=None, details=None):
    """Compute, record, tell: what every operation does, however its arguments were gathered.

    Args:
        values: all arguments in the order of the forward.
        call: the forward, followed by the same arguments as NumPy sees them.
        edges, wanted: where the gradients of the inputs go, and which of them are asked for (see `Plan`).
        kept: `call` and `values` as the node keeps them, if that is not what they are.
        details: what `finished` needs to know, if the result is more than one new tensor.
    """
    started = perf_counter_ns() if forward_listeners else 0
    try:
        out = quietly(*call)
    except Exception as error:
        out = computed_apart(op, values, call, error)
    if started:
        ended = perf_counter_ns()

    node = None
    if wanted:
        plan = op.plans.get(wanted) or op.plan(wanted)
        node = (plan.node_type or op.choose_node(values))()
        node.sequence = next(sequence)
        node.edges, node.plan, node.special = edges, plan, False
        keep = plan.keep
        node.saved = () if keep is None else keep(call, values) if kept is None else keep(*kept)

    if details is not None:
        result = finished(op, values, call, out, node, *details)
    else:
        result = new(Tensor)
        result._data, result._node, result._requires_grad = out, node, node is not None
        result._base, result._counter = None, [0] if wanted else None  # set here, they are found fast; most are saved
        if wanted:
            node.shape, node.dtype = out.shape, out.dtype
            if plan.keeps_output:
                op.keep(node, result)
        elif inferring and get_ident() in inferring:
            result._inference = True
    if started:
        say_made(op, values, result, node, started, ended, before=kept and kept[0][1])
    return result


def computed_apart(op, values, call, error):
    """The forward once more in this thread's own context, if another thread was in the shared one; else the refusal."""
    try:
        if not is_taken(error):
            raise error
        return silent.run(*call)
    except Exception as error:  # a name that ends here: else this frame and the error keep each other
        raise explained(op, error, call[1:], values) from None


def say_made(op, values, result, node, started, ended, before=None) -> None:
    source = here([value for value in values if isinstance(value, Tensor)]) if wants_source else None
    if node is not None and source is not None:
        node.source = source
    if heard[Made] is not None:
        heard[Made](event(Made, (op, values, result, node, started, ended, source, before)))
    if node is not None and heard[Saved] is not None:
        for name, value in node.saved_values():
            tell(event(Saved, (node, name, value)))
    if before is not None and heard[Mutated] is not None:
        tell(Mutated(result, op, result._counter[0] if result._counter else 0, source))  # 0: of an inference tensor


# == all arguments =========================================================================================


def apply(op, values, into=None):
    """Run an operation on any arguments, in the order of its forward; an in-place twin overwrites the tensor `into`."""
    if into is not None:
        check_overwritable(into, values)
    if len(values) > op.last and any(isinstance(option, Tensor) for option in values[op.last :]):
        values = (*values[: op.last], *map(op.option, range(op.last, len(values)), values[op.last :]))
    arrays, edges, indices, wanted, alike = inputs(op, values)
    before = dual_levels[-1].before(values, into) if dual_levels else values
    forward, conjugates, kept = op.forward, False, None
    if not alike:
        arrays = promoted(op, arrays)
        forward = forward_for(op, arrays)
        conjugates = op.holomorphic and has_complex(arrays)
    in_float32, call = forward is not op.forward, (forward, *arrays)
    if into is not None:
        wanted = wanted if is_differentiable(into._data.dtype) else 0
        if forward_listeners or (wanted and (op.plans.get(wanted) or op.plan(wanted)).takes_first):
            # Somebody listens, or a rule needs what will be overwritten.
            old = wrap(into.array.copy(), counter=UNCHANGING)
            seen = [old if one is into and (packers or not i) else one for i, one in enumerate(values)]
            kept = (None, *(one._data if one is old else array for one, array in zip(seen, arrays))), seen
        call = (partial(op.overwrite, into, forward), *arrays)
    result = perform(op, values, call, edges, wanted, kept, (into, indices, conjugates, in_float32, before))
    if wanted and into is not None and into._base is not None and into._replay:  # the base has a new history, too
        rebase(into)
    return result


def inputs(op, values) -> tuple:
    """What NumPy will see of the arguments, and where their gradients will go.

    That is: the arrays; the edges; which output of its node an input is, where not the first; which edges are wanted
    (see `Plan`); and whether all tensors are of one type, float32 or float64.
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
                dtype, mixed = array.dtype, mixed or dtype is not None
            if recording and value._base is not None and op.slots:
                value._refresh()
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


def finished(op, values, call, out, node, into, indices, conjugates, in_float32, before):
    """The result, or the results, of an operation with any arguments."""
    if node is not None:
        if indices:
            node.special, node.indices = True, list(map(indices.get, range(len(node.edges)), repeat(0)))
        if conjugates or in_float32:
            node.special, node.conjugates, node.in_float32 = True, conjugates, in_float32
        node.shape, node.dtype = ((), None) if op.outputs else (out.shape, out.dtype)
    if op.outputs:
        result = op.results(out, node, values)
    elif into is not None:
        result = overwritten(op, into, node)
    else:
        result = wrap(as_all_lie(out, call[1:]) if op.elementwise and op.last > 1 < out.ndim else out, node)
        if op.view and (op.view is not MAYBE or not out.size or np.may_share_memory(out, call[1])):
            relate(result, values[0], op, values[1:])
        if node is not None and node.plan.keeps_output:
            op.keep(node, result)
    if inferring and get_ident() in inferring and into is None:
        for tensor in result if op.outputs else (result,):
            tensor._inference = tensor._base is None  # its memory is new, and can never enter a graph
    if dual_levels:
        dual_levels[-1].after(op, before, result, node, into)
    if packers:
        packers[-1](node)
    return result


def overwritten(op, into, node):
    """A tensor after it was overwritten: with the node as its history, where that was recorded."""
    changed(into)
    if node is not None:
        keep_retaining(into, node, 0)
        into._node, into._index, into._requires_grad, into._taken = node, 0, True, into._counter[0]
        if node.plan.keeps_output:  # only now has the change been counted
            op.keep(node, into)
    return into


# == the common cases ======================================================================================


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


constants32, constants64 = Constants(FLOAT32), Constants(FLOAT64)


def quick_way(op, apply=apply) -> Callable:
    """`apply` of one operation, quick for floats of one type: one tensor with its options, two, or one and a number."""
    forward, two, numbers, has_options = op.forward, op.last == 2, op.numbers, not op.only_inputs

    def run(*values):
        a = values[0]
        if not isinstance(a, Tensor):
            if two and isinstance(values[1], Tensor):
                return apply(op, values)
            if not (isinstance(a, NUMPYS) or (two and isinstance(values[1], NUMPYS))):
                raise op.no_tensor(0, a)
            try:
                return forward(*values)  # plain NumPy, which is what makes a rule fast
            except (TypeError, AttributeError) as error:
                raise op.unsuited(values) or error from None
        if dual_levels or packers:
            return apply(op, values)
        x, edge, recording = a._data, None, not paused or get_ident() not in paused
        if recording:
            if a._base is not None:
                a._refresh()
            if a._requires_grad:
                edge = a._node or a._accumulator() or leaf_node(a)
                if edge.special:
                    return apply(op, values)
        dtype = x.dtype
        if dtype is not FLOAT32 and dtype is not FLOAT64:
            return apply(op, values)

        if two:
            if isinstance(b := values[1], Tensor):
                y = b._data
                if y.dtype is not dtype or (a._base is not None and op.elementwise and not x.flags.c_contiguous):
                    return apply(op, values)  # as most of PyTorch's, the result of a view that is turned lies as that
                if recording and b._base is not None:
                    b._refresh()
                if recording and b._requires_grad:
                    other = b._node or b._accumulator() or leaf_node(b)
                    if other.special:
                        return apply(op, values)
                    return perform(op, values, (forward, x, y), (edge, other), 0b111 if edge else 0b110)
            elif type(b) in numbers:
                y = b
                if b and type(x) is ndarray:  # a zero has a sign, which a dict does not see
                    y = constants32[b] if dtype is FLOAT32 else constants64[b]
            else:
                return apply(op, values)
            edges, wanted = ((edge, None), 0b101) if edge else (None, 0)
            return perform(op, values, (forward, x, y), edges, wanted)

        for option in values[1:] if has_options else ():
            if isinstance(option, DECISIVE):
                return apply(op, values)
        call = (forward, x, *values[1:]) if has_options else (forward, x)
        if edge is not None:
            return perform(op, values, call, (edge,), 0b11)
        return perform(op, values, call)

    return run
