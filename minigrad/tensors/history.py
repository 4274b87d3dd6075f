"""What a person asks of a tensor's history and gradient, and says about them: backward, hooks, detach."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable
from typing import Self

from ..core import events
from ..core.graph import node_of
from ..core.hooks import HookDict, RemovableHandle, hooks_of
from ..core.modes import modes
from ..core.tensor import Detached, Replaced, Tensor, adds_to_tensor, counter_of, wrap
from ..numbers import dtypes
from ..words.calling import kind_of

LEAF_ONLY = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, "
    "use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the "
    "leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more informations."
)

TRANSFORMED = (
    "You are attempting to call Tensor.{0}() {1}inside of a function being transformed by a functorch transform. This "
    "is unsupported, please attempt to use the functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call "
    "{0}() outside of a function being transformed instead."
)


@adds_to_tensor
class History(Tensor):
    """What each tensor knows of its history, and what can be done about it."""

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Say whether operations on this tensor shall be recorded.

        >>> import minigrad as mg
        >>> w = mg.tensor([1.0, 2.0]).requires_grad_()
        >>> w * 2
        tensor([2., 4.], grad_fn=<MulBackward0>)
        """
        if not isinstance(requires_grad, bool):
            kind = type(requires_grad).__name__
            raise TypeError(f"requires_grad_(): argument 'requires_grad' (position 1) must be bool, not {kind}")
        if requires_grad and modes.transforms:
            raise RuntimeError(
                TRANSFORMED.format("requires_grad_", "(or perhaps using torch.autograd.functional.* APIs) ")
            )
        if requires_grad and not dtypes.is_differentiable(self._data.dtype):
            raise RuntimeError(dtypes.no_gradient("only Tensors of floating point dtype", self._data.dtype))
        if self._node is None or not requires_grad:
            self.requires_grad = requires_grad
        return self

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` this is.

        >>> import minigrad as mg
        >>> first, second = mg.ones(2, requires_grad=True).unbind()
        >>> second.output_nr
        1
        """
        return self._index

    @property
    def _version(self) -> int:
        """How often the memory was changed in place."""
        if self._inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        return int(self._counter[0]) if self._counter else 0

    def _is_view(self) -> bool:
        return self._base is not None

    @property
    def grad(self) -> Tensor | None:
        """What backward passes have deposited here; None, not zeros, before the first.

        >>> import minigrad as mg
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> x.grad is None
        True
        >>> for _ in range(2):
        ...     (x * x).backward()
        >>> x.grad
        tensor(12.)
        """
        if self._grad is None and self._node is not None and not self.retains_grad:
            warnings.warn(LEAF_ONLY, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            if not isinstance(value, Tensor):
                raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {kind_of(value)}")
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
        if value is None and before is not None and events.heard[events.Zeroed] is not None:
            events.tell(events.Zeroed(self, before._data, None))

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def retain_grad(self) -> None:
        """Keep the gradient of a tensor that is no leaf, too.

        >>> import minigrad as mg
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> y = x * 2
        >>> y.retain_grad()
        >>> (y * y).backward()
        >>> y.grad, x.grad
        (tensor(12.), tensor(24.))
        """
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if modes.transforms:
            raise RuntimeError(TRANSFORMED.format("retain_grad", ""))
        if not self.is_leaf:
            hooks_of(self._node).retain[self._index] = weakref.ref(self)

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad()` was called."""
        hooks = self._node.hooks if self._node else None
        return hooks is not None and hooks.retains(self, self._index)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
        """Call `hook(grad)` when the gradient of this tensor is complete; what it returns replaces the gradient.

        >>> import minigrad as mg
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> handle = x.register_hook(lambda grad: grad * 10)
        >>> (x * 2).backward()
        >>> x.grad
        tensor(20.)
        >>> handle.remove()
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        own = self._backward_hooks  # of a stale view, too: as in PyTorch, they go on where its hooks are
        if own is None:
            own = hooks_of(node_of(self)).tensor.setdefault(self._index, HookDict())
        return RemovableHandle(own, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> RemovableHandle:
        """Call `hook(tensor)` after a gradient was added to `.grad` of this leaf.

        >>> import minigrad as mg
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> _ = x.register_post_accumulate_grad_hook(lambda leaf: print("now", leaf.grad))
        >>> (x * 2 + x).backward()
        now tensor(3.)
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if not self.is_leaf:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        hooks = hooks_of(node_of(self))
        return RemovableHandle(hooks.accumulated, hook)

    @property
    def _backward_hooks(self) -> HookDict | None:
        """The hooks on this tensor's gradient, by the numbers of their handles; None before the first."""
        hooks = self._node.hooks if self._node else self._hooks
        return hooks and hooks.tensor.get(self._index)

    def detach(self) -> Tensor:
        """The same memory, without the history.

        >>> import minigrad as mg
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> (x * x.detach()).backward()
        >>> x.grad
        tensor(3.)
        """
        detached = wrap(self.array, counter=None if self._inference else counter_of(self))
        detached._inference = self._inference
        return detached

    def detach_(self) -> Self:
        """Forget the history, in place.

        >>> import minigrad as mg
        >>> y = mg.ones(2, requires_grad=True) * 3
        >>> y.detach_()
        tensor([3., 3.])
        """
        if modes.state.inference:
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
        """The same memory, without the history, and with a version counter of its own: changes go unnoticed.

        >>> import minigrad as mg
        >>> w = mg.tensor([1.0, 2.0], requires_grad=True)
        >>> w.data -= 1
        >>> w, w._version
        (tensor([0., 1.], requires_grad=True), 0)
        """
        data = wrap(self.array)
        data._inference = self._inference
        return data

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {kind_of(value)}")
        if self.requires_grad and not dtypes.is_differentiable(value.array.dtype):
            raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
        node = self._node or self._accumulator()
        if node is not None and self._counter is not None:
            self._counter[0] = replaced = Replaced(self._counter[0])
            replaced.sequence, replaced.memory = node.sequence, value.array
        if (value.shape, value.dtype) != (self.shape, self.dtype):
            self._accumulator = type(None)  # from now on a gradient must look otherwise when it arrives here
        self._data = value.array


def empty_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Set one `.grad` to None, or its numbers to zero, as modules and optimizers do before the next backward.

    >>> import minigrad as mg
    >>> w = mg.ones(2, requires_grad=True)
    >>> w.sum().backward()
    >>> empty_gradient(w, set_to_none=False)
    >>> w.grad
    tensor([0., 0.])
    """
    if set_to_none:
        parameter.grad = None
    elif parameter.grad is not None:
        gradient = parameter.grad
        if gradient.grad_fn is None:
            gradient.requires_grad_(False)
        else:
            gradient.detach_()  # itself: others may hold it
        gradient.zero_()
