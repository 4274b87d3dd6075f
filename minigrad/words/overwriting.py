"""What is said of a tensor that must not be changed in place, or was."""

import re

# Why a view must not be changed in place: what the refusal ends with.
SEVERAL = (
    " This view is the output of a function that returns multiple views. Such functions do not allow the output views "
    "to be modified inplace. You should replace the inplace operation by an out-of-place one."
)
OVERRIDDEN = (
    " This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic "
    "to handle view+inplace would override the custom backward associated with the custom Function, leading to "
    "incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."
)
AMBIGUOUS = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
    "the view and the inplace either both inside the {} block (if you don't want the inplace to be tracked) or both "
    "outside (if you want the inplace to be tracked)."
)
IN_NO_GRAD, IN_INFERENCE = AMBIGUOUS.format("no_grad"), AMBIGUOUS.format("inference_mode")
LEAF = (
    "a leaf Variable that requires grad is being used in an in-place operation.\nTo change its numbers, as an "
    "optimizer does, write the line under `with no_grad():`; to compute with it, write the result to a new tensor."
)
INFERENCE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
    "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
)
DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, please "
    "use out-of-place `.detach()` instead"
)


def refused(view, how: str = "is being") -> RuntimeError:
    """PyTorch's refusal to change a view in place, or to use one after its base was changed."""
    why, output = view._forbids, "A view"
    if view._node is not None:
        output = f"Output {view._index} of {re.sub(r'Backward[0-9]*$', '', view._node.name())} is a view"
        if why in (SEVERAL, OVERRIDDEN):
            return RuntimeError(f"{output} and {how} modified inplace.{why}")
        output += " of a view which"
    made, now = ("inference", "in normal mode") if why is IN_INFERENCE else ("no_grad", "with grad mode enabled")
    return RuntimeError(f"{output} was created in {made} mode and {how} modified inplace {now}.{why}")
