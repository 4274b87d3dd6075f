"""minigrad: an automatic differentiation engine small enough to read, with PyTorch's names and behaviour.

>>> import minigrad as mg
>>> a = mg.tensor([0.0, 1.0], requires_grad=True)
>>> (2 * mg.sin(a) + 1).sum().backward()
>>> a.grad
tensor([2.0000, 1.0806])
"""

import os
import sys
import warnings
from math import e, inf, nan, pi
from typing import TYPE_CHECKING

from . import autograd, linalg, ops as _ops, random, return_types

# A strict type checker takes "name as name", or a star, for what the package offers.
from .autograd.grad_mode import *  # noqa: F403 - it lists its names
from .core.tensor import Tensor as Tensor
from .numbers.dtypes import (
    TYPES,
    dtype as dtype,
    get_default_dtype as get_default_dtype,
    promote_types as promote_types,
    set_default_dtype as set_default_dtype,
)
from .numbers.limits import finfo as finfo, iinfo as iinfo
from .numbers.size_and_device import Size as Size, device as device
from .random import sampling
from .tensors import conversions as _conversions, facts, history, numpys_calls as _numpys_calls, protocols
from .tensors.creation import *  # noqa: F403 - it lists its names
from .words import absent
from .words.absent import accelerator, backends, cuda
from .words.printing import printoptions, set_printoptions

if TYPE_CHECKING:
    from . import nn as nn, optim as optim
    from .compiler import compile as compile, explain as explain
    from .functions import *  # noqa: F403 - the functions of the tables

__version__ = "0.1.0"

globals().update(TYPES)
globals().update(sampling.functions)
globals().update(_ops.functions)
globals().update(facts.functions)

# 1 / 0 is inf and log(-1) is nan, without a word, as in PyTorch; NumPy would warn of its own work inside this package
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.")

if "IPython" in sys.modules and os.path.exists("widgets.py"):  # in a notebook, the first place where imports look
    warnings.warn(
        "the file widgets.py in this folder hides the package widgets, which shows what minigrad does: "
        "rename the file, or write `from minigrad_widgets import …`",
        stacklevel=2,
    )

# not needed by all, and so imported when first asked for
LATER = {name: name for name in ("func", "nn", "optim", "serialization", "special", "utils")}
LATER["vmap"] = "func.batching"
LATER |= dict.fromkeys(("save", "load"), "serialization") | dict.fromkeys(("compile", "explain"), "compiler")
LATER |= dict.fromkeys(("is_anomaly_enabled", "is_anomaly_check_nan_enabled"), "autograd.anomaly")


if not TYPE_CHECKING:
    __getattr__ = absent.answer(__name__, LATER)


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})  # so that a notebook completes `mg.nn`, too
