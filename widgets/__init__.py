"""Everything that a person looks at. It listens to minigrad, which knows nothing of it.

In a notebook, importing it makes `%%step` and `%%after` known.

>>> import minigrad as mg
>>> from widgets import draw
>>> a = mg.tensor(0.0, requires_grad=True)
>>> draw(2 * mg.sin(a), names={"a": a})
a            AccumulateGrad  0         .grad –
v1 = sin(a)  SinBackward0    not kept
v2 = v1 * 2  MulBackward0    0
"""

import importlib
import os
import sys
from typing import TYPE_CHECKING

from minigrad.words.absent import nearest
from minigrad.words.source import PACKAGES

from .drawing.graph import Drawing, draw
from .drawing.layout import LayoutError
from .drawing.plans import draw_plan
from .showing.compare import Comparison, compare
from .showing.loading import load
from .showing.run import Run, record
from .showing.stepping import program, step
from .words import language

PACKAGES.append(os.path.dirname(os.path.abspath(__file__)) + os.sep)  # errors and traces speak of the caller's lines

if TYPE_CHECKING:  # so that editors and type checkers know them
    from .lessons.lesson import Lesson as Lesson
    from .plots import (
        plot_accumulation as plot_accumulation,
        plot_activations as plot_activations,
        plot_descent as plot_descent,
        plot_figure as plot_figure,
        plot_gradcheck as plot_gradcheck,
        plot_gradient as plot_gradient,
        plot_jacobian as plot_jacobian,
        plot_losses as plot_losses,
        plot_parameters as plot_parameters,
        plot_profile as plot_profile,
        plot_tangent as plot_tangent,
        set_theme as set_theme,
    )

# Written out, because type checkers read it. A star brings the plots, too.
__all__ = [
    "Comparison",
    "Drawing",
    "LayoutError",
    "Lesson",
    "Run",
    "compare",
    "draw",
    "draw_plan",
    "language",
    "load",
    "plot_accumulation",
    "plot_activations",
    "plot_descent",
    "plot_figure",
    "plot_gradcheck",
    "plot_gradient",
    "plot_jacobian",
    "plot_losses",
    "plot_parameters",
    "plot_profile",
    "plot_tangent",
    "program",
    "record",
    "set_theme",
    "step",
]
# Imported when first asked for, as Lesson is: they bring matplotlib, ipywidgets and IPython.
PLOTS = [name for name in __all__ if name.startswith("plot_") or name == "set_theme"]


def __getattr__(name: str):
    if name in PLOTS:
        return getattr(importlib.import_module(".plots", __name__), name)
    if name == "Lesson":
        return importlib.import_module(".lessons.lesson", __name__).Lesson
    why = f"module 'widgets' has no attribute '{name}'{nearest(name, __dir__())}"
    raise AttributeError(why, name=name, obj=None)


def load_ipython_extension(shell) -> None:
    """What `%load_ext widgets` calls."""
    importlib.import_module(".showing.magic", __name__).register(shell)
    importlib.import_module(".lessons.after", __name__).register(shell)


if "IPython" in sys.modules and (_shell := sys.modules["IPython"].get_ipython()) is not None:
    load_ipython_extension(_shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
