"""Plots that show what a gradient means: one line to call, in the project's style. See docs/plots.md."""

from .accumulation import plot_accumulation
from .activations import plot_activations
from .descent import plot_descent
from .figure import Plot, set_theme
from .gradcheck import plot_gradcheck
from .gradient import plot_gradient
from .jacobian import plot_jacobian
from .losses import plot_losses
from .parameters import plot_parameters
from .profile import plot_profile
from .tangent import plot_tangent
from .yours import plot_figure
