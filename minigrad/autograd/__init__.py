"""Reverse-mode differentiation: the graph, the engine that walks it, and what listens to it.

>>> import minigrad as mg
>>> x = mg.tensor(3.0, requires_grad=True)
>>> mg.autograd.grad(x * x, x)
(tensor(6.),)
"""

from ..core import events, hooks, views
from ..core.modes import enable_grad, no_grad, set_grad_enabled
from ..words import absent
from . import forward_ad, function
from .function import Function
from .grad_mode import inference_mode, is_grad_enabled, is_inference_mode_enabled
from .gradcheck import GradcheckError, gradcheck, gradgradcheck
from .reverse import backward, grad, walk
from .saved_tensor import SavedTensor

__all__ = [
    "Function", "GradcheckError", "SavedTensor", "backward", "enable_grad", "events", "forward_ad", "function",
    "grad", "gradcheck", "gradgradcheck", "hooks", "inference_mode", "is_grad_enabled",
    "is_inference_mode_enabled", "no_grad", "set_grad_enabled", "views", "walk",
]  # fmt: skip

LATER = {  # rarely needed, and so imported when first asked for: modules, and names with the module that has them
    **{name: name for name in ("anomaly", "functional", "graph", "profiler", "variable")},
    **dict.fromkeys(("detect_anomaly", "set_detect_anomaly"), "anomaly"),
    "AutogradMeta": "meta",
    "Variable": "variable",
}
__getattr__ = absent.answer(__name__, LATER)


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
