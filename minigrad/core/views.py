"""Views under in-place changes: two tensors, one memory, one history.

A view shares its base's memory and version counter, and remembers how it was taken (`_replay`). After a change through
either of them the histories are mended:

- changed through the base: the view's history is stale, which its version tells; it is taken anew from the base when
  somebody next asks for it (`refresh`);
- changed through the view: the base's new history is "the old base, with this part replaced" (`overlay`), and the
  view's is "that part of the new base" (`rebase`).

>>> import minigrad as mg
>>> x = mg.ones(3, requires_grad=True)
>>> y = x * 2
>>> _ = y[:2].mul_(10)
>>> y.sum().backward()
>>> x.grad
tensor([20., 20.,  2.])
"""

import copy

from ..words.overwriting import IN_INFERENCE, IN_NO_GRAD, INFERENCE, LEAF, SEVERAL, refused
from ..words.source import mark
from .graph import leaf_node
from .hooks import keep_retaining
from .modes import enable_grad, modes, without_tangents
from .tensor import Tensor, counter_of, wrap


def relate(view: Tensor, base: Tensor, op, options: tuple, index: int | None = None) -> None:
    """Note that `op` took `view` from `base`: as the only result, or as number `index` of several."""
    if base._inference:
        view._inference = True
        return
    view._counter = counter_of(base)
    view._taken = view._counter[0]
    steps, state = base._moves[0] if base._base is None else base._replay, modes.state
    view._base = base if base._base is None else base._base
    view._replay = None if index is not None or steps is None else steps + ((op, options),)
    if index is not None and state.grad:
        view._forbids = SEVERAL
    else:
        view._forbids = base._forbids or (IN_INFERENCE if state.inference else None if state.grad else IN_NO_GRAD)


def root_of(value):
    """The tensor whose memory this is."""
    base = getattr(value, "_base", None)
    return value if base is None else base


def changed(tensor: Tensor) -> None:
    """The memory of a tensor was changed: its version counts up and remembers where in the user's code that was."""
    counter = tensor._counter or counter_of(tensor)
    counter[:] = counter[0] + 1, mark(3)  # the user is above an in-place function and `apply`, at least


def replayed(replay, whole):
    """The part of `whole`, an array or a Tensor, that a view shows."""
    for op, options in replay:
        whole = op.function(whole, *options)
    return whole


def path(view: Tensor) -> tuple:
    """The steps to a view from its base, which may have been rearranged (`base.t_()`) since the view was taken."""
    (done, undoing), steps = view._base._moves, view._replay or ()
    if steps[: len(done)] == done:
        return steps[len(done) :]
    if undoing is None:
        raise RuntimeError(
            "This is a view of a tensor on which as_strided_() was called later, and one of the two was changed in "
            "place since: which elements it shows is not known here. Take the view anew after as_strided_()."
        )
    return undoing + steps


def refresh(view: Tensor) -> None:
    """Give a view the history that its memory has by now."""
    if view._node is None and not view._base._requires_grad:
        return
    if view._counter is not None and view._taken != view._counter[0]:
        if view._forbids:
            raise refused(view, "its base or another view of its base has been")
        if view._replay is not None:
            _take_anew(view)
    elif not view._requires_grad:
        # Taken when nothing was recorded, or before its base asked for it: it requires grad, and hands none on.
        data = view._data
        view._requires_grad, view._accumulator = True, lambda: leaf_node(wrap(data))


@enable_grad()
def _take_anew(view: Tensor) -> None:
    whole = view._base
    if not whole._requires_grad:  # it was detached in place: what the view hands on arrives nowhere
        whole = wrap(whole._data)
        whole._requires_grad = True
    fresh = replayed(path(view), whole)
    if fresh is view._base:  # which was rearranged in place as the view had been
        fresh = fresh.view_as(fresh)
    keep_retaining(view, fresh._node, fresh._index)
    view._node, view._index, view._requires_grad = fresh._node, fresh._index, fresh._requires_grad
    view._taken = view._counter[0] if view._counter else 0


def check_overwritable(tensor: Tensor, given) -> None:
    """PyTorch's refusals to change a tensor in place by what is given, whose history is not asked for before."""
    if modes.state.grad and any(isinstance(one, Tensor) and one.requires_grad for one in given):
        base = tensor._base
        if tensor._forbids:
            raise refused(tensor)
        if tensor.requires_grad and base is not None and base._node is None:
            raise RuntimeError(LEAF.replace("a leaf", "a view of a leaf"))
        if tensor.requires_grad and tensor._node is None:
            raise RuntimeError(LEAF)
    if tensor._inference and not modes.state.inference:
        raise RuntimeError(INFERENCE)


@without_tangents()
def rebase(view: Tensor) -> None:
    """After a recorded change through a view: the base has the change in its history, and the view is taken from it."""
    # Its history is the one that was just made, whatever happened before; and the base counts the change again.
    view._taken = counter_of(view)[0] = counter_of(view)[0] - 1
    edges = view._node.edges
    if edges[0] is not None and edges[0].hooks is not None:  # in PyTorch, its gradient goes straight to the base
        edges[0] = copy.copy(edges[0])
        edges[0].hooks = None
    view._base._overlay(view, path(view))  # a row of the tables, which gives Tensor this method
    _take_anew(view)


Tensor._refresh = refresh  # type: ignore[method-assign, assignment]
