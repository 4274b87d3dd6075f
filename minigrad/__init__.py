"""minigrad: an automatic differentiation engine small enough to read, with PyTorch's names and behaviour.

>>> import minigrad as mg
>>> a = mg.tensor([0.0, 1.0], requires_grad=True)
>>> (2 * mg.sin(a) + 1).sum().backward()
>>> a.grad
tensor([2.0000, 1.0806])
"""

import importlib
import warnings
from math import e, inf, nan, pi
from typing import TYPE_CHECKING

from . import absent, autograd, dtypes, facts, linalg, random, sampling
from . import ops as _ops
from .absent import accelerator, backends, compile, cuda
from .autograd import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .creation import (
    arange,
    as_tensor,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    tensor,
    tril_indices,
    triu_indices,
    zeros,
    zeros_like,
)
from .dtypes import TYPES, dtype, get_default_dtype, promote_types, set_default_dtype
from .tensor import Size, Tensor, device
from .words.printing import get_printoptions, printoptions, set_printoptions

__version__ = "0.1.0"

globals().update(TYPES)
globals().update(sampling.functions)
globals().update(_ops.functions)
globals().update(facts.functions)
globals().update(linalg.functions)

# 1 / 0 is inf and log(-1) is nan, without a word, as in PyTorch; NumPy would warn of its own work inside this package
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.")


LATER = {
    "func": "func",
    "nn": "nn",
    "optim": "optim",
    "profiler": "profiler",
    "return_types": "return_types",
    "special": "special",
    "utils": "utils",
    "vmap": "batching",
}  # not needed by all, and so imported when first asked for
LATER |= dict.fromkeys(("save", "load"), "serialization")
LATER |= dict.fromkeys(
    ("is_anomaly_enabled", "is_anomaly_check_nan_enabled", "set_anomaly_enabled"), "autograd.anomaly"
)


if TYPE_CHECKING:
    from . import nn, optim
    from .functions import *  # noqa: F403 - the functions of the tables
else:

    def __getattr__(name: str):
        if name in LATER:
            module = importlib.import_module(f".{LATER[name]}", __name__)
            return getattr(module, name, module)
        if name == "bfloat16":
            return dtypes.bfloat16()
        raise absent.error("minigrad", name)


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})  # so that a notebook completes `mg.nn`, too


setattr(Tensor, "cuda", absent.to_cuda)  # noqa: B010 - a method that only refuses
