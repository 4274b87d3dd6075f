"""What a plot shows is what the engine says: the data in its Axes, number by number."""

import functools
import math

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_hex
from matplotlib.patches import StepPatch
from matplotlib.quiver import Quiver

import minigrad as mg
import widgets
from minigrad.autograd import functional, grad, profiler
from widgets.colours import COLOURS

A = mg.linspace(0.0, 2 * math.pi, steps=25)


def line(axes, label):
    """The data of a line in the legend."""
    (found,) = [each for each in axes.lines if each.get_label() == label]
    return found.get_xydata().T


def one(axes, kind):
    (found,) = [each for each in axes.get_children() if isinstance(each, kind)]
    return found


def meaning(artist):
    """What an artist's colour means."""
    return next(name for name, colour in COLOURS.items() if colour.light == to_hex(artist.get_color()))


# == plot_gradient =========================================================================================


def test_a_function_and_its_gradient_side_by_side():
    """The two figures of the notes on autograd: 2 sin(a) + 1, and 2 cos(a)."""
    figure, (left, right) = plot = widgets.plot_gradient(
        lambda a: 2 * mg.sin(a) + 1, A, analytic=lambda a: 2 * np.cos(a)
    )
    a = A.clone().requires_grad_()
    out = 2 * mg.sin(a) + 1
    out.sum().backward()
    np.testing.assert_array_equal(left.lines[0].get_xydata().T, [A.numpy(), out.detach().numpy()])
    np.testing.assert_array_equal(line(right, "autograd"), [A.numpy(), a.grad.numpy()])
    x, y = line(right, "analytic")
    np.testing.assert_array_equal(y, 2 * np.cos(x))
    assert plot.numbers["differences"] == [np.abs(a.grad.numpy() - 2 * np.cos(A.numpy().astype(float))).max()]
    assert left.get_position().x1 <= right.get_position().x0
    assert [meaning(each) for each in (left.lines[0], *right.lines)] == ["value", "ink", "gradient"]
    assert [axes.get_title() for axes in figure.axes] == ["f(a)", "∂f/∂a"]


def test_finite_differences_stand_in_for_what_is_not_known():
    _, (_, right) = plot = widgets.plot_gradient(mg.sin, A.to(mg.float64))
    x, y = line(right, "finite differences")
    np.testing.assert_allclose(y, np.cos(x), atol=1e-8)
    assert plot.numbers["differences"][0] < 1e-8
    assert str(plot).endswith("largest difference from finite differences: below 1e-09")


def test_a_wrong_derivative_is_told_by_how_much():
    plot = widgets.plot_gradient(mg.sin, A, analytic=lambda a: np.cos(a) + 0.25)
    assert str(plot).endswith("largest difference from analytic: 0.25")


def test_several_orders():
    a = mg.linspace(-1, 2, 7, dtype=mg.float64)
    exact = [lambda a: 4 * a**3, lambda a: 12 * a**2, lambda a: 24 * a]
    for analytic in (exact, None):
        _, axes = widgets.plot_gradient(lambda a: a**4, a, orders=3, analytic=analytic)
        for order, panel in enumerate(axes[1:]):
            np.testing.assert_allclose(line(panel, "autograd")[1], exact[order](a.numpy()), rtol=1e-14)
        assert [panel.get_title() for panel in axes] == ["f(a)", "∂f/∂a", "∂²f/∂a²", "∂³f/∂a³"]
    np.testing.assert_allclose(line(axes[3], "finite differences")[1], exact[2](a.numpy()), rtol=1e-8, atol=1e-8)


def test_orders_beyond_the_last_are_zero():
    _, axes = widgets.plot_gradient(lambda a: 3 * a, A, orders=2)
    np.testing.assert_array_equal(line(axes[1], "autograd")[1], np.full(25, 3.0))
    np.testing.assert_array_equal(line(axes[2], "autograd")[1], np.zeros(25))
    assert axes[1].get_ylim()[1] > 3.2  # a flat line is not blown up until its rounding fills the panel


def test_a_variable_and_what_was_made_of_it():
    a = A.clone().requires_grad_()
    b = mg.exp(-a)
    _, (_, right) = widgets.plot_gradient(a, b)
    assert a.grad is None
    assert right.get_title() == "∂b/∂a"
    np.testing.assert_array_equal(line(right, "autograd")[1], grad(b.sum(), a, retain_graph=True)[0].numpy())
    x = a.detach().numpy()
    np.testing.assert_array_equal(
        line(right, "finite differences")[1], np.gradient(b.detach().numpy(), x, edge_order=2)
    )
    b.sum().backward()  # the graph is still there
    (2 * a).sum().backward()
    _, (_, right) = widgets.plot_gradient(a, b)  # and now it is gone, but a.grad has arrived
    assert right.get_title() == "a.grad"
    np.testing.assert_array_equal(line(right, "autograd")[1], a.grad.numpy())


def test_what_is_not_finite_is_counted_and_not_compared():
    with np.errstate(all="raise"):  # and NumPy's warnings are kept from the learner
        plot = widgets.plot_gradient(mg.sqrt, [0.0, 1.0, 4.0], analytic=lambda a: 0.5 * a**-0.5)
    assert "∂f/∂a from 0.25 to 0.5, and 1 not finite; largest difference from analytic: below 1e-06, which is" in str(
        plot
    )
    assert str(plot).endswith("where both are finite")


def test_many_points_do_not_make_a_large_picture():
    _, (left, right) = plot = widgets.plot_gradient(mg.sin, mg.linspace(0, 6, 10_001))
    assert len(left.lines[0].get_xdata()) == len(line(right, "autograd")[0]) == 10_001
    assert len(plot.svg) < 200_000


def test_points_in_any_order_and_labels_of_ones_own():
    a = mg.tensor([2.0, 0.0, 1.0, 1.0])
    _, (left, right) = plot = widgets.plot_gradient(lambda a: a**2, a, labels=("t", "t²"))
    np.testing.assert_array_equal(left.lines[0].get_xdata(), [0, 1, 1, 2])
    np.testing.assert_array_equal(line(right, "autograd"), [[2, 0, 1, 1], [4, 0, 2, 2]])
    assert (left.get_title(), right.get_title(), right.get_xlabel()) == ("t²", "∂(t²)/∂t", "t")
    assert str(plot).startswith("t² at 4 points, t from 0 to 2: from 0 to 4")


# == plot_tangent ==========================================================================================


def test_the_tangent_touches_and_the_secant_cuts():
    _, axes = plot = widgets.plot_tangent(mg.sin, at=1.0, step=0.5, between=(-1, 6))
    x = mg.tensor(1.0, dtype=mg.float64, requires_grad=True)
    y = mg.sin(x)
    y.backward()
    ends = np.array([-1, 6])
    np.testing.assert_array_equal(line(axes, "tangent, ∂f/∂a"), [ends, y.item() + x.grad.item() * (ends - 1)])
    np.testing.assert_allclose(line(axes, "secant"), [[1, 1.5], np.sin([1, 1.5])], rtol=1e-15)
    curve = line(axes, "f(a)")
    np.testing.assert_allclose(curve[1], np.sin(curve[0]), rtol=1e-15, atol=1e-15)
    assert f"tangent: ∂f/∂a = {np.cos(1):.4g}, by autograd" in str(plot)
    assert f"= {(np.sin(1.5) - np.sin(1)) / 0.5:.4g}, with h = 0.5" in str(plot)


# == plot_accumulation =====================================================================================


def test_gradients_that_nobody_zeroes_add_up():
    """The notes' numbers: 6, 12, 18, 24 against 6, 6, 6, 6."""
    w, x = mg.tensor([2.0], requires_grad=True), mg.tensor([1.0], requires_grad=True)
    w.grad = before = mg.tensor([99.0])
    figure, (kept, fresh) = plot = widgets.plot_accumulation(lambda: (w + x) * (w + 1), w)
    assert [bar.get_height() for bar in kept.containers[0]] == [6, 12, 18, 24]
    assert [bar.get_height() for bar in fresh.containers[0]] == [6, 6, 6, 6]
    assert w.grad is before and x.grad is None
    assert "not zeroed: 6, 12, 18, 24\n" in str(plot)
    assert kept.get_ylim() == fresh.get_ylim()


def test_six_passes_of_a_layer_against_zeroed_ones():
    mg.manual_seed(0)
    model = mg.nn.Sequential(mg.nn.Linear(20, 8), mg.nn.ReLU(), mg.nn.Linear(8, 4))
    given, ideal = mg.randn(16, 20), mg.randn(16, 4)

    def loss():
        return (ideal - model(given)).pow(2).sum()

    _, (kept, fresh) = widgets.plot_accumulation(loss, model[2].weight, passes=6)
    (first,) = grad(loss(), [model[2].weight])
    first = first.numpy().ravel()[:10]
    assert len(kept.lines) == len(fresh.lines) == 11  # ten elements, and the line at 0
    for element, (many, single) in enumerate(zip(kept.lines[1:], fresh.lines[1:])):
        np.testing.assert_allclose(many.get_ydata(), first[element] * np.arange(1, 7), rtol=1e-5)
        np.testing.assert_array_equal(single.get_ydata(), np.full(6, first[element]))
    assert all(p.grad is None for p in model.parameters())


# == plot_descent ==========================================================================================


def test_the_path_is_the_optimizers():
    """The notes' regression: b and w after 1,000 epochs, by hand."""
    mg.manual_seed(42)
    x = mg.rand(100, 1)
    y = 1 + 2 * x + 0.1 * mg.randn(100, 1)
    b, w = mg.randn(1), mg.randn(1)

    def loss(b, w):
        return ((b + w * x - y) ** 2).mean()

    _, (surface, curve) = plot = widgets.plot_descent(loss, (b, w), lr=0.1, epochs=1000, labels=("b", "w"))
    b, w = b.clone().requires_grad_(), w.clone().requires_grad_()
    path, losses, gradients = [], [], []
    for _ in range(1001):
        error = loss(b, w)
        error.backward()
        path.append([b.item(), w.item()])
        losses.append(error.item())
        gradients.append([b.grad.item(), w.grad.item()])
        with mg.no_grad():
            b -= 0.1 * b.grad
            w -= 0.1 * w.grad
        b.grad.zero_()
        w.grad.zero_()
    np.testing.assert_array_equal(surface.lines[0].get_xydata(), path)
    np.testing.assert_array_equal(curve.lines[0].get_xydata(), np.column_stack([np.arange(1001), losses]))
    arrows = one(surface, Quiver)
    for tail, *tip in zip(arrows.get_offsets(), arrows.U, arrows.V):
        epoch = path.index(list(tail))
        assert tip == [-gradients[epoch][0], -gradients[epoch][1]]
    assert len(arrows.U) > 3
    assert (surface.get_xlabel(), surface.get_ylabel()) == ("b", "w")
    assert "1000 epochs of SGD, lr = 0.1" in str(plot)
    middle = np.mean([surface.get_xlim(), surface.get_ylim()], axis=1)
    here = loss(*mg.tensor(middle, dtype=mg.float32).reshape(2, 1)).item()
    assert plot.numbers["surface"][15, 15] == pytest.approx(here, rel=1e-5)  # the middle of 31 by 31


def test_the_curve_is_drawn_as_far_as_one_likes():
    _, (valley, _) = widgets.plot_descent(lambda w: w**2, 2.0, epochs=3, between=(-2, 3))
    x, y = valley.lines[1].get_xydata().T
    assert (x[0], x[-1]) == (-2, 3) == valley.get_xlim()
    np.testing.assert_allclose(y, x**2, rtol=1e-6)


def test_one_parameter_goes_down_a_curve():
    _, (valley, curve) = widgets.plot_descent(lambda w: (w - 3) ** 2, 0.0, lr=0.25, epochs=3)
    np.testing.assert_array_equal(
        valley.lines[0].get_xydata(), [[0, 9], [1.5, 2.25], [2.25, 0.5625], [2.625, 0.140625]]
    )
    x, y = valley.lines[1].get_xydata().T
    np.testing.assert_allclose(y, (x - 3) ** 2, rtol=1e-5, atol=1e-6)
    arrows = one(valley, Quiver)
    np.testing.assert_array_equal(arrows.U, -2 * (arrows.get_offsets()[:, 0] - 3))
    assert not arrows.V.any()


def test_another_optimizer_and_a_descent_that_diverges():
    momentum = functools.partial(mg.optim.SGD, momentum=0.9)
    plot = widgets.plot_descent(lambda w: w**2, 1.0, epochs=2, optimizer=momentum)
    np.testing.assert_allclose(plot.numbers["path"][:, 0], [1, 0.8, 0.46], rtol=1e-6)
    assert str(plot).startswith("2 epochs of SGD, lr = 0.1\n")
    assert str(widgets.plot_descent(lambda w: w**2, 1.0, lr=1e30, epochs=9)).startswith(
        "1 epochs of SGD, lr = 1e+30, then it diverged\nL from 1 to inf"
    )


def test_a_surface_with_holes_and_a_flat_one():
    plot = widgets.plot_descent(lambda a, b: a - mg.log(a) + b**2, (0.05, 1.0), lr=0.01, epochs=300)
    holes = np.isnan(plot.numbers["surface"])
    assert holes[:, 0].all() and not holes[:, -1].any()  # left of 0 there is no logarithm
    assert "var(--mg-value)" in plot.svg
    flat = widgets.plot_descent(lambda a, b: 0 * a + 0 * b + 2, (2.0, 1.0), epochs=3)
    assert (flat.numbers["surface"] == 2).all() and str(flat).splitlines()[1] == "L from 2 to 2"


# == plot_jacobian =========================================================================================


@pytest.mark.parametrize("v", [None, [1.0, -2.0, 3.0]])
def test_the_squares_are_the_jacobian_and_the_bars_its_product(v):
    def f(x):
        return mg.stack([x[0] * x[1], mg.sin(x[0]), -(x[1] ** 2)])

    x = mg.tensor([0.5, 2.0], dtype=mg.float64)
    _, (heat, bars) = plot = widgets.plot_jacobian(f, x, v)
    exact = [[2, 0.5], [np.cos(0.5), 0], [0, -4]]
    squares = one(heat, QuadMesh).get_array()
    np.testing.assert_array_equal(squares, functional.jacobian(f, x).numpy())
    np.testing.assert_allclose(squares, exact)
    heights = [bar.get_height() for bar in bars.containers[0]]
    np.testing.assert_allclose(heights, np.array(v or [1, 1, 1]) @ exact)
    signs = [to_hex(bar.get_facecolor()) for bar in bars.containers[0]]
    assert signs == [COLOURS["negative" if height < 0 else "gradient"].light for height in heights]
    assert [text.get_text() for text in heat.texts] == ["2", "0.5", "0.8776", "0", "0", "-4"]
    assert heat.get_ylim()[0] > heat.get_ylim()[1]  # row 0 is on top, as in a printed matrix
    assert "2 of 6 entries are zero" in str(plot)


def test_tensors_of_more_dimensions_are_laid_out_and_cancelled_noise_is_zero():
    plot = widgets.plot_jacobian(lambda x: x.reshape(4).softmax(0), mg.randn(2, 2))
    assert plot.numbers["jacobian"].shape == (4, 4)
    assert "v·J by one backward: [0, 0, 0, 0]; largest difference from the product: below 1e-06, which is" in str(plot)
    _, (heat, _) = widgets.plot_jacobian(lambda x: x.cumsum(0), mg.ones(40))
    assert not heat.texts and one(heat, QuadMesh).get_rasterized()


# == plot_gradcheck ========================================================================================


def test_truncation_falls_rounding_rises_and_autograd_is_flat():
    _, axes = plot = widgets.plot_gradcheck(mg.exp, 1.0, analytic=np.exp)
    h, forward = line(axes, "forward differences")
    _, central = line(axes, "central differences")
    for step, error in zip(h[::10], forward[::10]):
        assert error == pytest.approx(abs((np.exp(1 + step) - np.exp(1.0)) / step - np.e), rel=1e-6, abs=1e-15 / step)
    assert central[-9] == pytest.approx((np.e * (np.sinh(h[-9]) / h[-9] - 1)), rel=1e-6)
    slope = (
        np.polyfit(np.log(h[-13:-4]), np.log(forward[-13:-4]), 1)[0],
        np.polyfit(np.log(h[-13:-4]), np.log(central[-13:-4]), 1)[0],
    )
    assert slope == pytest.approx((1, 2), abs=0.05)
    assert forward[:8].mean() > 1e3 * forward[24:32].mean()
    _, flat = line(axes, "autograd")
    assert flat[0] == flat[1] < 1e-15
    assert plot.numbers["autograd"] == abs(mg.tensor(1.0, dtype=mg.float64).exp().item() - np.e)


def test_errors_are_measured_from_more_digits_or_from_autograd():
    assert "in float32 at 25 steps from 1e-06 to 1, measured from autograd in float64" in str(
        widgets.plot_gradcheck(lambda x: mg.sin(x).sum(), mg.tensor([1.0, 2.0]))
    )
    assert "central differences: " in str(widgets.plot_gradcheck(lambda x: x * 0, 1.0))  # no error has no logarithm
    plot = widgets.plot_gradcheck(mg.sin, 1.0, steps=[1e-3, 1e-6])
    assert str(plot).endswith("autograd: the reference; the line is the rounding of its last digit")
    np.testing.assert_array_equal(plot.numbers["steps"], [1e-6, 1e-3])
    assert plot.numbers["central"][1] == pytest.approx(np.cos(1) * (1e-3) ** 2 / 6, rel=1e-3)


# == plot_profile ==========================================================================================


def test_the_bars_are_the_profilers_times():
    x = mg.ones(50, 50, requires_grad=True)
    with profiler.profile() as recorded:
        for _ in range(3):
            mg.sin(x).sum().backward()
        mg.cos(x.detach())
    _, axes = plot = widgets.plot_profile(recorded)
    assert str(plot).splitlines() == [
        "cos: 1 forward, 0 backward",
        "sin: 3 forward, 3 backward",
        "sum: 3 forward, 3 backward",
    ]
    averages = {row.key: row.self_cpu_time_total for row in recorded.key_averages()}
    names = [label.get_text().partition(" ")[0] for label in axes.get_yticklabels()]
    assert sorted(names) == ["cos", "sin", "sum"]
    ahead, back = ({name: bar.get_width() for name, bar in zip(names, bars)} for bars in axes.containers)
    for name in names:
        assert ahead[name] == pytest.approx(averages[f"aten::{name}"] / 1e3)
        assert back[name] == pytest.approx(averages.get(f"{name.capitalize()}Backward0", 0) / 1e3)
    totals = [ahead[name] + back[name] for name in names]
    assert totals == sorted(totals)  # the slowest is on top
    assert len(widgets.plot_profile(recorded, most=2).axes.get_yticklabels()) == 2


# == plot_parameters =======================================================================================


def test_histograms_of_values_and_of_the_sizes_of_gradients():
    w = mg.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
    late = mg.tensor([1.0], requires_grad=True)
    (w * mg.tensor([[10.0, -100.0], [0.0, 1000.0]])).sum().backward()
    _, (values, gradients) = plot = widgets.plot_parameters({"w": w, "late": late})
    assert str(plot).splitlines() == [
        "w, 4 values: from -2 to 3; typical |gradient| 1e+02, and 1 are 0",
        "late, 1 value: from 1 to 1; .grad –",
    ]
    steps = [each for each in values.get_children() if isinstance(each, StepPatch)]
    counts, edges, _ = steps[0].get_data()
    np.testing.assert_allclose((0 - counts) / 0.85, np.histogram([1, -2, 0.5, 3], edges)[0])  # the largest is 1
    counts, edges, _ = one(gradients, StepPatch).get_data()
    np.testing.assert_allclose((0 - counts) / 0.85, np.histogram([1, 2, 3], edges)[0])  # powers of ten
    assert [text.get_text() for text in gradients.texts] == ["–"]  # not yet is not zero


class Sine(mg.nn.Module):
    """Bounded on the way forward, steep on the way back."""

    def forward(self, x):
        return mg.sin(x)


@pytest.mark.parametrize(
    ("activation", "scale", "said"),
    [(mg.nn.Sigmoid, 1, "vanish"), (Sine, 30, "explode"), (mg.nn.Identity, 1, "neither vanish nor explode")],
)
def test_vanishing_and_exploding_gradients_are_told(activation, scale, said):
    mg.manual_seed(0)
    layers = [layer for _ in range(5) for layer in (mg.nn.Linear(30, 30), activation())]
    model = mg.nn.Sequential(*layers)
    with mg.no_grad():
        for layer in layers[::2]:
            layer.weight *= scale
    model(mg.randn(8, 30)).sum().backward()
    words = str(widgets.plot_parameters(model)).splitlines()
    assert words[-1].startswith(f"from 8.weight back to 0.weight, gradients {said}: ×")
    sizes = [float((layer.weight.grad**2).mean() ** 0.5) for layer in layers[::2]]
    assert words[-1].endswith(f"×{sizes[0] / sizes[-1]:.1g}")


# == plot_activations ======================================================================================


def test_each_activation_with_its_derivative():
    _, axes = widgets.plot_activations()
    assert [panel.get_title() for panel in axes][:4] == ["relu", "leaky_relu", "elu", "sigmoid"]
    for panel in axes:
        function = getattr(mg.nn.functional, panel.get_title())
        x, y = line(panel, "f(x)")
        a = mg.tensor(x, requires_grad=True)
        out = function(a)
        np.testing.assert_array_equal(y, out.detach().numpy())
        np.testing.assert_array_equal(line(panel, "∂f/∂x")[1], grad(out.sum(), a)[0].numpy())


def test_an_activation_of_ones_own():
    def cube(x):
        return x**3

    _, axes = widgets.plot_activations([cube], between=(0, 1))
    assert axes.get_title() == "cube"
    x, slope = line(axes, "∂f/∂x")
    np.testing.assert_allclose(slope, 3 * x**2)


# == plot_losses ===========================================================================================


def test_the_losses_are_drawn_as_they_are():
    losses = [mg.tensor(4.0, requires_grad=True), 1, np.float32(0.25)]
    plot = widgets.plot_losses(losses)
    np.testing.assert_array_equal(line(plot.axes, "loss")[1], [4, 1, 0.25])
    assert plot.axes.get_yscale() == "log" and plot.text == "loss: 4 at first, 0.25 after 2 steps"
    assert widgets.plot_losses([4.0, 3.0]).axes.get_yscale() == "linear"
    assert widgets.plot_losses([40.0, 0.0, -1.0]).axes.get_yscale() == "linear"


def test_losses_to_compare_and_losses_that_ran_away():
    plot = widgets.plot_losses({"slow": [4.0, 3.0, 3.5], "fast": [4.0, np.inf, np.nan]})
    assert plot.text.splitlines() == [
        "slow: 4 at first, 3.5 after 2 steps; lowest, 3, after 1",
        "fast: 4 at first, nan after 2 steps; first not finite at step 1",
    ]
    assert {drawn.get_linestyle() for drawn in plot.axes.get_lines()} == {"-", "--"}
    assert [text.get_text() for text in plot.axes.get_legend().get_texts()] == ["slow", "fast"]


# What is said of how an error behaves, checked by cases where it is known.
SAID = {
    "balanced": (mg.exp, 1.0, "of order 1, down to steps near 10⁻⁸", "of order 2, down to steps near 10⁻⁵"),
    "a corner": (mg.abs, 0.0, "1 at each step, however small", "0 at each step, however small"),
    "far out": (lambda x: x**2, 1e6, "of order 1, down to steps near 10⁻²,", "rounding alone"),
    "straight": (lambda x: 3 * x, 1.0, "rounding alone", "rounding alone"),
    "exact": (mg.cos, 0.0, "of order 1, and no rounding", "0 at each step"),
    "beside a corner": (mg.relu, 1e-3, "rounding alone", "0.4995 at a step of 1, 0.2188 at a step of 0.001778"),
}


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_of_an_error_is_measured(name):
    f, x, forward, central = SAID[name]
    _, first, second, _ = str(widgets.plot_gradcheck(f, x)).splitlines()
    assert forward in first and central in second


def test_a_pole_is_no_line_and_flattens_nothing():
    plot = widgets.plot_gradient(lambda a: 1 / a, mg.linspace(-2, 2, 50))
    (x, y), low = plot.axes[0].lines[0].get_xydata().T, plot.axes[1].get_ylim()[0]
    (gap,) = np.flatnonzero(np.isnan(y))
    assert x[gap] == pytest.approx(0, abs=1e-6) and -100 < low < -50 and "(2 beyond the picture)" in plot.text
    sine = widgets.plot_gradient(lambda a: mg.sin(20 * a), mg.linspace(0, 6, 31))
    assert not np.isnan(sine.axes[0].lines[0].get_ydata()).any() and "beyond" not in sine.text


def test_where_the_function_is_no_number_there_is_no_gradient():
    plot = widgets.plot_gradient(mg.log, [-1.0, 1.0, 2.0])
    np.testing.assert_array_equal(line(plot.axes[1], "autograd")[1], [np.nan, 1, 0.5])


def test_of_several_orders_the_first_has_the_legend():
    axes = widgets.plot_gradient(mg.sin, mg.linspace(0.0, 6.0, steps=9), orders=3).axes
    assert [panel.get_legend() is not None for panel in axes] == [False, True, False, False]
