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

from ..tensor import Tensor, counter_of
from ..words.source import mark
from . import engine
from .grad_mode import enable_grad, modes, without_tangents
from .hooks import keep_retaining

SEVERAL = (
    "Output {index} of {name} is a view and is being modified inplace. This view is the output of a function that "
    "returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace "
    "the inplace operation by an out-of-place one."
)
UNRECORDED = (
    "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this use case "
    "is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace "
    "either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want "
    "the inplace to be tracked)."
)
INDIRECTLY = "its base or another view of its base has been modified"
LEAF = (
    "a leaf Variable that requires grad is being used in an in-place operation.\n"
    "To change its numbers, as an optimizer does, write the line under `with no_grad():`; to compute with it, write "
    "the result to a new tensor."
)
INFERENCE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
    "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
)


def relate(view: Tensor, base: Tensor, op, options: tuple, index: int | None = None) -> None:
    """Note that `op` took `view` from `base`: as the only result, or as number `index` of several."""
    if base._inference:
        view._inference = True
    else:
        view._counter = counter_of(base)
    view._base = base if base._base is None else base._base
    view._replay = None if index is not None else (base._replay or base._moves[0]) + ((op, options),)
    view._taken = view._counter[0] if view._counter else 0
    view._forbids = base._forbids
    if index is not None:
        name = op.choose_node((base, *options)).__name__.partition("Backward")[0]
        view._forbids = SEVERAL.format(index=index, name=name)
    if not modes.state.grad and not modes.state.inference:
        view._forbids = UNRECORDED


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
    if not view._base._requires_grad:
        return
    if view._counter is not None and view._taken != view._counter[0]:
        if view._forbids:
            raise RuntimeError(view._forbids.replace("is being modified", INDIRECTLY))
        if view._replay is not None:
            _take_anew(view)
    elif not view._requires_grad and view._replay is not None:
        view._requires_grad = True  # taken when nothing was recorded, or before its base asked for it: a leaf


@enable_grad()
def _take_anew(view: Tensor) -> None:
    fresh = replayed(path(view), view._base)
    keep_retaining(view, fresh._node, fresh._index)
    view._node, view._index, view._requires_grad = fresh._node, fresh._index, fresh._requires_grad
    view._taken = view._counter[0] if view._counter else 0


def check_overwritable(tensor: Tensor, recorded) -> None:
    """PyTorch's refusals to change a tensor in place."""
    if tensor._inference and not modes.state.inference:
        raise RuntimeError(INFERENCE)
    array, base = tensor.array, tensor._base
    stretched = base is not None and any(n > 1 and step == 0 for n, step in zip(array.shape, array.strides))
    if stretched or not array.flags.writeable:
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )
    involved = recorded or tensor._requires_grad or (base is not None and tensor.requires_grad)
    if not involved or not modes.state.grad:
        return
    if base is not None and tensor._forbids and (recorded or base._requires_grad):
        raise RuntimeError(tensor._forbids)
    if base is not None and base._requires_grad and base._node is None:
        raise RuntimeError(LEAF.replace("a leaf", "a view of a leaf"))
    if tensor._requires_grad and tensor._node is None:
        raise RuntimeError(LEAF)


@without_tangents()
def rebase(view: Tensor) -> None:
    """After a recorded change through a view: the base has the change in its history, and the view is taken from it."""
    from ..ops.index import overlay  # a row, and so imported only when all rows are there

    engine.apply(overlay.op, (view._base, view, path(view)), into=view._base)
    _take_anew(view)
