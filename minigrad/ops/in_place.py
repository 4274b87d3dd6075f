"""In-place twins: `x.mul_(y)` is the row of `x * y`, its result written over `x`.

A row is written over its tensor as it is, unless its setting `twin` names one of the other ways. Where nobody records
and nobody listens, NumPy writes, the version counts up, and that is all.
"""

import functools
from collections.abc import Callable
from threading import get_ident

import numpy as np

from ..core.events import forward_listeners
from ..core.forward import apply
from ..core.modes import dual_levels, inferring, no_grad, packers, paused
from ..core.tensor import Tensor, counter_of
from ..core.views import check_overwritable
from ..numbers.dtypes import FLOAT32, FLOAT64
from ..numbers.memory import check_type
from ..numbers.promotion import WEAK
from ..numbers.quiet import quietly
from ..words import help
from ..words.source import mark


def twin_of(row):
    """`x.mul_(y)`: the same row, the result written over x."""

    def twin(self, *args, **options):
        if "dtype" in row.overloads and options.pop("dtype", None) not in (None, self.dtype):
            raise RuntimeError("Bad in-place call: input tensor dtype and output tensor dtype should match")
        args = (self, *args)
        op = row.overload(args, options).op if row.asks_for_numbers or options else row
        if options or len(args) != len(op.parameters):
            args = op.bind(args, options)
        return apply(op, args, into=self)

    if row.ufunc and row.only_inputs and not row.write:
        return quick_in_place(row.ufunc, len(row.inputs) - 1, twin, row.numbers)
    return twin


def quick_in_place(compute: Callable, count: int, twin: Callable, numbers: frozenset = WEAK) -> Callable:
    """A twin that is quick with floats that are no view, and with `count` more arguments: a number, or floats of the
    same type. `compute` is called as NumPy's functions are, the result last. All else is left to `twin`.
    """

    def run(into, *others, **options):
        if options or forward_listeners or dual_levels or packers or len(others) != count:
            return twin(into, *others, **options)
        x, recording = into._data, not paused or get_ident() not in paused
        dtype = x.dtype
        if dtype is not FLOAT32 and dtype is not FLOAT64:
            return twin(into, *others)
        if into._base is not None or into._inference or (recording and into._requires_grad) or inferring:
            return twin(into, *others)
        if others and type(y := others[0]) not in numbers:
            if not isinstance(y, Tensor) or y._data.dtype is not dtype or (recording and y.requires_grad):
                return twin(into, y)
            if y._base is not None:  # perhaps of what is written to
                return twin(into, y)
            y = y._data
        memory = x if type(x) is np.ndarray else None
        try:
            out = quietly(compute, x, y, memory) if others else quietly(compute, x, memory)
        except (ValueError, TypeError, RuntimeError):  # a shape that does not fit; or another thread computes now
            return twin(into, *others)
        if memory is None:  # a number that nobody shares is replaced by another
            if out.shape or out.dtype is not dtype:
                return twin(into, *others)
            into._data = out
        counter = into._counter or counter_of(into)
        counter[:] = counter[0] + 1, mark(2)
        return into

    run.as_operator = lambda limited: quick_in_place(compute, count, limited(twin), numbers)  # type: ignore[attr-defined]
    return run


def of_real_numbers(function):
    """The size of a complex number is none, so it is not written over one."""
    refusal = {"c": f"In-place {function.op.name} is not supported for complex tensors."}
    return twin_of(function.op.variant(refuses=dict.fromkeys(function.op.refuses) | refusal))


def copied(function):
    """No gradient flows through it, or it is composed: computed by itself, and then copied."""

    def twin(self, *args, **options):
        result = function(self.clone(), *args, **options)
        check_type(result.array.dtype, self.array.dtype)
        return self.copy_(result)

    return twin


def unrecorded(function):
    """As in PyTorch, where the old history stays."""
    return no_grad()(copied(function))


def as_node(name: str):
    """PyTorch calls the node of the in-place form differently."""
    return lambda function: twin_of(function.op.variant(grad_fn=name))


@functools.cache
def numbered(node_type: type, number: int) -> type:
    """The node's type under the number that PyTorch gives to the in-place form: so much higher."""
    name, _, was = node_type.__name__.partition("Backward")
    name = f"{name}Backward{int(was) + number}"
    return type(name, (node_type,), {"__module__": node_type.__module__})


def moved(function, number: int = 1):
    """`x.t_()`: the tensor itself takes the new arrangement, and no number of its changes."""

    def twin(self, *args, **options):
        check_overwritable(self, (self,))
        fresh, replay, base = function(self, *args, **options), self._replay, self._base
        if fresh._node is not None and fresh is not self:
            fresh._node.__class__ = numbered(type(fresh._node.shown()), number)
        if base is None and fresh._replay is not None and fresh is not self:  # an inference tensor has no views to mend
            self._moves = moves_of(self, *fresh._replay[len(self._moves[0]) :])
        elif replay is not None and fresh is not self:
            self._replay = replay + fresh._replay[len(replay) :]
        self._data, self._dual = fresh._data, fresh._dual
        counter_of(self)[0] += 1
        if fresh._node is not None:  # else a view's history is taken anew when somebody asks for it
            self._node, self._index, self._requires_grad = fresh._node, fresh._index, fresh._requires_grad
            self._taken = self._counter[0]
        return self

    return twin


reshaping: list = []  # the row that gives a tensor another shape, which its own table puts here


def moves_of(base: Tensor, step: tuple) -> tuple:
    """How a base came to be arranged as it is, and how to undo it: older views are taken from what it was."""
    (done, undoing), (op, _) = base._moves, step
    if undoing is None or op.name == "as_strided_to":
        return (*done, step), None
    back = step if op.name in ("t", "transpose") else (reshaping[0], (base.shape,))
    return (*done, step), (back, *undoing)


def on_request(function: Callable, twin: Callable) -> Callable:
    """The form with the option `inplace`, which PyTorch's activations have."""

    count = len(function.op.parameters)

    def form(*args, inplace=False, **options):
        if len(args) > count:
            *args, inplace = args
        if inplace and "input" in options:
            args = (options.pop("input"), *args)
        is_refused = args and not isinstance(args[0], Tensor)  # by the function, in words
        return (twin if inplace and not is_refused else function)(*args, **options)

    return form


def titled(twin: Callable, function: Callable, name: str) -> Callable:
    """A twin with the name and words that help() shows."""
    twin.__name__ = twin.__qualname__ = f"{name}_"
    twin.__doc__ = help.page_of_twin(getattr(function, "op", None), twin.__name__)
    return twin
