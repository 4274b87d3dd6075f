"""Tensor: an array, its gradient, its history.

What a person does with a tensor is not here: operations are rows of the tables in `ops/`; conversions, printing, hooks
and `backward()` stand in `tensors/`. Both become its methods when the package is imported.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..numbers import dtypes
from ..numbers.dtypes import dtype
from ..numbers.size_and_device import Size
from .modes import modes

if TYPE_CHECKING:  # what the tables and `tensors/` give it
    from ..methods import Methods
else:
    Methods = object


class Tensor(Methods):
    """An n-dimensional array that remembers how it was made; the head of the package has an example."""

    # The numbers: an array; or, without dimensions, a (much faster) NumPy scalar, until its memory is shared.
    _data: Any
    # What all tensors on the same memory share, made when somebody first asks: a list of how often the memory was
    # changed in place and, after the first change, where in the user's code the last one was (a `mark`).
    _counter: list | None = None

    _requires_grad = False
    _grad: Tensor | None = None
    _node: Any = None  # the node of the graph that made it; None for a leaf
    _index = 0  # which output of that node it is
    # Of a leaf: called, it gives the AccumulateGrad node, for as long as a graph needs that: a weak reference.
    _accumulator: Any = type(None)
    _hooks: Any = None  # of a leaf: its hooks; those of other tensors hang on the node that made them

    # Of a view (see views.py):
    _base: Any = None  # the tensor whose memory it shows
    _replay: tuple | None = None  # the steps by which it was taken
    _moves: tuple = ((), ())  # of a base: how it was rearranged in place, and how to undo that
    _taken = 0  # the version of the memory to which its history belongs
    _forbids: str | None = None  # why it must not be changed in place

    _inference = False  # whether it was made in inference mode
    _dual: tuple | None = None  # in forward mode: the level, and the direction in which it changes there
    __array_priority__ = 1000  # NumPy's arrays leave `array * tensor` to the tensor

    def __new__(cls, *data, dtype=None, device=None):
        """`Tensor([1, 2])` makes floats; `Tensor(2, 3)` an array of that shape. Prefer `tensor()` and `empty()`."""
        if len(data) == 1 and not isinstance(data[0], int):
            given = data[0].array if isinstance(data[0], Tensor) else np.array(data[0])
            array = given.astype(dtypes.default_float(), copy=not isinstance(data[0], Tensor))
        else:
            array = np.zeros(data or 0, dtypes.default_float())
        return wrap(array, cls=cls)

    def __hash__(self) -> int:
        return id(self)

    # -- its numbers -----------------------------------------------------------------------------------------------

    @property
    def array(self) -> np.ndarray:
        """The numbers, as an array whose memory this tensor uses from now on."""
        if not isinstance(self._data, np.ndarray):
            self._data = np.asarray(self._data)
            if self._counter is not None:  # somebody saved the number; from now on it may change unseen, in its memory
                self._counter[0] = Located(self._counter[0])
                self._counter[0].memory = self._data
        return self._data

    @property
    def numbers(self) -> np.ndarray | np.generic:
        """The numbers as they are now, to look at: unlike `array`, it gives a single number no memory of its own."""
        return self._data

    @property
    def shape(self) -> Size:
        return tuple.__new__(Size, self._data.shape)  # NumPy has made sure of the sizes

    @property
    def ndim(self) -> int:
        return self._data.ndim

    @property
    def dtype(self) -> dtype:
        return dtypes.ALL[self._data.dtype]

    # -- its history -----------------------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        return self._requires_grad or (self._base is not None and self._base._requires_grad)

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        if not isinstance(flag, bool):
            raise RuntimeError("requires_grad must be a bool")
        if self._node is not None:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables."
                + " If you want to use a computed variable in a subgraph that doesn't require differentiation use "
                "var_no_grad = var.detach()." * (not flag)
            )
        if flag and not dtypes.is_differentiable(self.array.dtype):
            raise RuntimeError(dtypes.no_gradient("only Tensors of floating point and complex dtype", self._data.dtype))
        if flag and self._inference and not modes.state.inference:
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        self._requires_grad = bool(flag)

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made this tensor."""
        return self.grad_fn is None

    @property
    def grad_fn(self):
        """The node of the graph that made this tensor; None for a leaf."""
        if self._base is not None:
            self._refresh()
        return self._node and self._node.shown()

    @property
    def made_by(self) -> tuple | None:
        """The node that made it, and which of its outputs it is; None for a leaf.

        Unlike `grad_fn`, it takes no view anew: of one whose memory was changed since, it tells what made it before.
        """
        return None if self._node is None else (self._node, self._index)

    def _refresh(self) -> None:
        """Give a view the history that its memory has by now: views.py says how."""


class Detached(int):
    """A version of what has lost its history in place: the node that made it can no longer be reached from there."""

    sequence: int


class Replaced(int):
    """A version of what was given other numbers by `x.data = …`: who had saved it from that node reads them now."""

    sequence: int
    memory: np.ndarray


class Located(int):
    """A version of a number that was saved before it had any memory: there it is from now on."""

    memory: np.ndarray


new = object.__new__


def wrap(array, node=None, index: int = 0, counter: list | None = None, cls: type = Tensor) -> Tensor:
    """A Tensor over an array; with a node, one that has a history."""
    tensor: Tensor = new(cls)
    tensor._data, tensor._node, tensor._requires_grad = array, node, node is not None
    tensor._base, tensor._index, tensor._counter = None, index, counter
    return tensor


def counter_of(tensor: Tensor) -> list:
    """The version counter of a tensor's memory, made when somebody first depends on it."""
    if tensor._inference:  # which keeps none
        if modes.state.enabled and "grad" not in modes.transforms:
            raise RuntimeError(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode "
                "in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor "
                "and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
            )
        return [0]
    if tensor._counter is None:
        tensor._counter = [0]
    return tensor._counter


def adds_to_tensor(methods: type) -> type:
    """Give Tensor the methods and properties that stand in a class above the core."""
    for name, member in vars(methods).items():
        if isinstance(member, FunctionType | property):
            setattr(Tensor, name, member)
        if isinstance(member, FunctionType):
            member.__qualname__ = f"Tensor.{name}"
    return methods
