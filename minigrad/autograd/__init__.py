"""Reverse-mode differentiation: the graph, the engine that walks it, and what listens to it."""

import importlib

from ..core import events, hooks, views
from ..core.modes import enable_grad, no_grad, set_grad_enabled
from ..words import absent
from . import forward_ad, function
from .function import Function
from .grad_mode import inference_mode, is_grad_enabled, is_inference_mode_enabled
from .gradcheck import GradcheckError, gradcheck, gradgradcheck
from .reverse import backward, grad, walk

__all__ = [
    "Function", "GradcheckError", "backward", "enable_grad", "events", "forward_ad", "function", "grad", "gradcheck",
    "gradgradcheck", "hooks", "inference_mode", "is_grad_enabled", "is_inference_mode_enabled", "no_grad",
    "set_grad_enabled", "views", "walk",
]  # fmt: skip

LATER = {  # rarely needed, and so imported when first asked for: modules, and names with the module that has them
    **dict.fromkeys(("anomaly", "functional", "graph", "profiler", "variable")),
    **dict.fromkeys(("detect_anomaly", "set_detect_anomaly"), "anomaly"),
    "AutogradMeta": "meta",
    "Variable": "variable",
}


def __getattr__(name: str):
    if name in LATER:
        module = importlib.import_module(f".{LATER[name] or name}", __name__)
        return getattr(module, name) if LATER[name] else module
    raise absent.error(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
