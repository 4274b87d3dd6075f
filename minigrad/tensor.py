"""Tensor: an array, its gradient, its history.

The operations on tensors are not here: they are rows of the tables in `ops/`, which become methods and operators in
`ops/__init__.py`.
"""

from __future__ import annotations

import warnings
import weakref
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from . import autograd, dtypes
from .dtypes import dtype
from .protocols import Protocols
from .size_and_device import CPU, Size, device
from .words import printing

if TYPE_CHECKING:  # the rows of the tables, which become methods when the package is imported
    from .methods import Methods
else:
    Methods = object

LEAF_ONLY = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, "
    "use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the "
    "leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more informations."
)


class Tensor(Protocols, Methods):
    """An n-dimensional array that remembers how it was made.

    >>> import minigrad as mg
    >>> a = mg.tensor([0.0, 1.0], requires_grad=True)
    >>> b = (2 * mg.sin(a) + 1).sum()
    >>> b.backward()
    >>> a.grad
    tensor([2.0000, 1.0806])
    """

    _data: (
        Any  # the numbers: an array; or, without dimensions, a (much faster) NumPy scalar, until its memory is shared
    )
    _counter: Any = None  # a list that all tensors on the same memory share: how often it was changed in place, and
    # where in the user's code the last time (a `mark`); None as long as nobody has asked
    _requires_grad = False
    _grad: Tensor | None = None
    _node: Any = None  # the node of the graph that made it; None for a leaf
    _index = 0  # which output of that node it is
    _accumulator: Any = None  # a leaf's AccumulateGrad node, weakly, for as long as a graph needs it
    _hooks = None  # a leaf's hooks; those of other tensors are kept by the node that made them
    _base: Any = None  # the tensor whose memory this one is a view of; with it come, see autograd/views.py:
    _replay: tuple | None = None  # how the view was taken
    _moves: tuple = ((), ())  # how a base was rearranged in place, and how to undo it
    _taken = 0  # at which version
    _forbids: str | None = None  # why it must not be changed in place
    _inference = False
    _dual: tuple | None = None  # in forward mode: the level, and the direction in which it changes there
    __array_priority__ = 1000

    def __new__(cls, *data, dtype=None, device=None):
        """`Tensor([1, 2])` makes floats; `Tensor(2, 3)` an array of that shape. Prefer `tensor()` and `empty()`."""
        if len(data) == 1 and not isinstance(data[0], int):
            given = data[0].array if isinstance(data[0], Tensor) else np.array(data[0])
            array = given.astype(dtypes.default_float(), copy=not isinstance(data[0], Tensor))
        else:
            array = np.zeros(data or 0, dtypes.default_float())
        return wrap(array, cls=cls)

    # -- what it is ------------------------------------------------------------------------------------------------

    @property
    def array(self) -> np.ndarray:
        """The numbers, as an array whose memory this tensor uses from now on."""
        if not isinstance(self._data, np.ndarray):
            self._data = np.asarray(self._data)
            if (
                self._counter is not None
            ):  # it was saved as a number, but who changes the memory unseen changes that, too
                self._counter[0] = Located(self._counter[0])
                self._counter[0].memory = self._data
        return self._data

    @array.setter
    def array(self, value: np.ndarray) -> None:
        self._data = value

    @property
    def shape(self) -> Size:
        return Size(self._data.shape)

    def size(self, dim: int | None = None):
        """The shape, or its length along one dimension."""
        return self.shape if dim is None else self._data.shape[dim]

    @property
    def ndim(self) -> int:
        return self._data.ndim

    def dim(self) -> int:
        return self._data.ndim

    def numel(self) -> int:
        return self._data.size

    nelement = numel

    @property
    def dtype(self) -> dtype:
        return dtypes.ALL[self._data.dtype]

    @property
    def device(self) -> device:
        return CPU

    @property
    def itemsize(self) -> int:
        return self.array.itemsize

    def element_size(self) -> int:
        return self.array.itemsize

    def is_floating_point(self) -> bool:
        return self._data.dtype.kind in dtypes.FLOATS

    def is_complex(self) -> bool:
        return self._data.dtype.kind == "c"

    def is_contiguous(self) -> bool:
        return self.array.flags.c_contiguous

    # -- its history -----------------------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        return self._requires_grad or (self._base is not None and self._base._requires_grad)

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        if not isinstance(flag, bool | np.bool_ | int):
            raise RuntimeError("requires_grad must be a bool")
        if not self.is_leaf:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables."
                + " If you want to use a computed variable in a subgraph that doesn't require differentiation use "
                "var_no_grad = var.detach()." * (not flag)
            )
        if flag and not dtypes.is_differentiable(self.array.dtype):
            raise RuntimeError(dtypes.no_gradient("only Tensors of floating point and complex dtype", self._data.dtype))
        if flag and self._inference and not autograd.is_inference_mode_enabled():
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        self._requires_grad = bool(flag)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Say whether operations on this tensor shall be recorded."""
        if not isinstance(requires_grad, bool):
            kind = type(requires_grad).__name__
            raise TypeError(f"requires_grad_(): argument 'requires_grad' (position 1) must be bool, not {kind}")
        if requires_grad and not dtypes.is_differentiable(self._data.dtype):
            raise RuntimeError(dtypes.no_gradient("only Tensors of floating point dtype", self._data.dtype))
        if self.is_leaf or not requires_grad:
            self.requires_grad = requires_grad
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made this tensor."""
        return self.grad_fn is None

    @property
    def grad_fn(self):
        """The node of the graph that made this tensor; None for a leaf."""
        if self._base is not None:
            autograd.views.refresh(self)
        return self._node and self._node.shown()

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` this is."""
        return self._index

    @property
    def _version(self) -> int:
        """How often the memory was changed in place."""
        if self._inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        return int(self._counter[0]) if self._counter else 0

    def _is_view(self) -> bool:
        return self._base is not None

    def is_inference(self) -> bool:
        return self._inference

    # -- its gradient ----------------------------------------------------------------------------------------------

    @property
    def grad(self) -> Tensor | None:
        """What backward passes have deposited here; None, not zeros, before the first."""
        if self._grad is None and self._node is not None and not self.retains_grad:
            warnings.warn(LEAF_ONLY, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            if not isinstance(value, Tensor):
                raise TypeError(
                    f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
                )
            if value is self:
                raise RuntimeError("can't assign Variable as its own grad")
            if value.array.dtype != self.array.dtype:
                raise RuntimeError(
                    f"attempting to assign a gradient with dtype '{value.dtype}' to a tensor with dtype '{self.dtype}'."
                    " The gradient must match the tensor's dtype. To accumulate a gradient of another dtype, cast it."
                )
            if value.shape != self.shape:
                raise RuntimeError(
                    f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size "
                    f"'{list(self.shape)}'. Please ensure that the gradient and the tensor are the same size"
                )
        before, self._grad = self._grad, value
        if value is None and before is not None and autograd.events.heard[autograd.events.Zeroed]:
            autograd.events.tell(autograd.events.Zeroed(self, before._data, None))

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None) -> None:
        """Add to each leaf's `.grad` the derivative of this tensor; see `autograd.backward`."""
        autograd.backward(self, gradient, retain_graph, create_graph, None, inputs)

    def retain_grad(self) -> None:
        """Keep the gradient of a tensor that is no leaf, too."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if not self.is_leaf:
            autograd.hooks.hooks_of(self._node).retain[self._index] = weakref.ref(self)

    @property
    def retains_grad(self) -> bool:
        hooks = self._node.hooks if self._node else None
        return hooks is not None and hooks.retains(self, self._index)

    def register_hook(self, hook):
        """Call `hook(grad)` when the gradient of this tensor is complete; what it returns replaces the gradient."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        return autograd.hooks.register(autograd.graph.node_of(self), self._index, hook)

    def register_post_accumulate_grad_hook(self, hook):
        """Call `hook(tensor)` after a gradient was added to `.grad` of this leaf."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if not self.is_leaf:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        hooks = autograd.hooks.hooks_of(autograd.graph.node_of(self))
        return autograd.hooks.RemovableHandle(hooks.accumulated, hook)

    @property
    def _backward_hooks(self) -> dict | None:
        """The hooks on this tensor's gradient, by the numbers of their handles; None before the first."""
        hooks = self._node.hooks if self._node else self._hooks
        return hooks and hooks.tensor.get(self._index)

    @property
    def volatile(self) -> bool:
        """What `no_grad` was called in PyTorch's past."""
        warnings.warn("volatile was removed (Variable.volatile is always False)", UserWarning, stacklevel=2)
        return False

    @property
    def _tangent(self) -> Tensor | None:
        """The direction in which it changes, in forward mode."""
        return autograd.forward_ad.tangent_of(self) if autograd.forward_ad.levels else None

    # -- out of the graph ------------------------------------------------------------------------------------------

    def detach(self) -> Tensor:
        """The same memory, without the history."""
        detached = wrap(self.array, counter=None if self._inference else counter_of(self))
        detached._inference = self._inference
        return detached

    def detach_(self) -> Tensor:
        """Forget the history, in place."""
        if autograd.is_inference_mode_enabled():
            return self
        if self._base is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) "
                "for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and "
                "hence detach_() cannot be called on these gradients. To fix this error, please refer to the "
                "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
            )
        if self._node is not None and self._counter is not None:  # perhaps somebody has saved it, with its history
            self._counter[0] = Detached(self._counter[0])
            self._counter[0].sequence = self._node.sequence
        self._node, self._index, self._requires_grad, self._dual = None, 0, False, None
        return self

    @property
    def data(self) -> Tensor:
        """The same memory, without the history, and with a version counter of its own: changes go unnoticed."""
        data = wrap(self.array)
        data._inference = self._inference
        return data

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        self.array = value.array

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """The array itself, sharing memory."""
        if not force and self.requires_grad and autograd.is_grad_enabled():
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.array.dtype.kind == "V":
            raise TypeError("Got unsupported ScalarType BFloat16: NumPy has no such type; use tensor.float().numpy()")
        return self.array

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def item(self) -> Any:
        """The number in a tensor of one element."""
        if self.array.size != 1:
            raise RuntimeError(f"a Tensor with {self.array.size} elements cannot be converted to Scalar")
        return self.array.item()

    def tolist(self):
        return self.array.tolist()

    # -- shown and copied ------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        try:
            grad_fn = self.grad_fn and self.grad_fn.name()
        except RuntimeError:  # a view that was not to be changed, and was
            grad_fn = "Invalid"
        default = dtypes.default_float()
        tangent = None if self._tangent is None else f"{self._tangent}"
        facts = {"requires_grad": self.requires_grad, "grad_fn": grad_fn, "tangent": tangent}
        return printing.text(self.array, default_dtype=default, **facts)

    def __format__(self, spec: str) -> str:
        return printing.formatted(self.array, spec, str(self))

    def __hash__(self) -> int:
        return id(self)

    def _notes(self) -> dict:
        """What a person has written on it."""
        return {name: value for name, value in vars(self).items() if not hasattr(Tensor, name) and name != "_data"}

    def __reduce__(self):
        return rebuilt, (type(self), self.array, self.requires_grad), self._notes()

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                "moment."
            )
        copy = wrap(self.array.copy(), cls=type(self))
        memo[id(self)] = copy
        vars(copy).update(deepcopy(self._notes(), memo))
        copy._requires_grad = self._requires_grad
        copy._grad = None if self._grad is None else self._grad.__deepcopy__(memo)
        return copy


class Detached(int):
    """A version of what has lost its history in place: the node that made it can no longer be reached from there."""

    sequence: int


class Located(int):
    """A version of a number that was saved before it had any memory: there it is from now on."""

    memory: np.ndarray


def wrap(array, node=None, index: int = 0, counter: list | None = None, cls: type = Tensor) -> Tensor:
    """A Tensor over an array; with a node, one that has a history."""
    tensor: Tensor = object.__new__(cls)
    tensor._data = array
    tensor._counter = counter
    if node is not None:
        tensor._node = node
        tensor._index = index
        tensor._requires_grad = True
    return tensor


def rebuilt(cls: type, array: np.ndarray, requires_grad: bool) -> Tensor:
    """A tensor as `pickle` keeps it: a leaf, without its gradient."""
    tensor = wrap(dtypes.with_own_dtype(array), cls=cls)
    tensor._requires_grad = requires_grad
    return tensor


def counter_of(tensor: Tensor) -> list:
    """The version counter of a tensor's memory, made when somebody first depends on it."""
    if tensor._counter is None:
        if tensor._inference and autograd.is_grad_enabled():
            raise RuntimeError(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode "
                "in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor "
                "and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
            )
        tensor._counter = [0]
    return tensor._counter
