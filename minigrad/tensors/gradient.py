"""Emptying `.grad` before the next backward, as modules and optimizers do."""

from ..core.tensor import Tensor


def empty_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Set one `.grad` to None, or its numbers to zero.

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
        parameter.grad = parameter.grad.detach() if parameter.grad.requires_grad else parameter.grad
        parameter.grad.zero_()
