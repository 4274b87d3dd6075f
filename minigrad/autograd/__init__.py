"""Reverse-mode differentiation: the graph, the engine that walks it, and what listens to it."""

import importlib

from . import events, forward_ad, function, graph, hooks, views
from .function import Function
from .gradcheck import GradcheckError, gradcheck, gradgradcheck
from .modes import enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad, set_grad_enabled
from .reverse import backward, grad, walk

LATER = ("functional", "profiler", "saved_hooks")  # rarely needed, and so imported when first asked for


def __getattr__(name: str):
    if name in LATER:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'minigrad.autograd' has no attribute '{name}'")
