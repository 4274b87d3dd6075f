"""Sliders: a move changes numbers and picture, quickly; the first picture stays for pages without a kernel."""

import time

import numpy as np
import pytest

import minigrad as mg
from widgets import plot_descent, plot_tangent

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def tangent():
    return plot_tangent(mg.sin, at=0.0, step=1.0, between=(-2, 8), live=True)


def test_the_point_and_the_step_move(tangent):
    _, axes = tangent
    tangent.sliders["at"].value = 2.0
    tangent.sliders["step"].value = 0.5
    lines = {line.get_label(): line.get_xydata() for line in axes.lines}
    np.testing.assert_allclose(lines["secant"], [[2, np.sin(2)], [2.5, np.sin(2.5)]])
    (left, low), (right, high) = lines["tangent, ∂f/∂a"]
    assert (high - low) / (right - left) == pytest.approx(np.cos(2))
    assert str(tangent).splitlines()[1] == f"tangent: ∂f/∂a = {np.cos(2):.4g}, by autograd"
    assert "with h = 0.5" in tangent.plot.svg
    tangent.sliders["step"].value = 0.0
    assert str(tangent).endswith("secant: none, with h = 0")


def test_the_learning_rate_moves_the_path():
    live = plot_descent(lambda w: w**2, 1.0, lr=0.1, epochs=3, live=True)
    live.sliders["lr"].value = 0.25
    np.testing.assert_array_equal(live.plot.numbers["path"][:, 0], [1, 0.5, 0.25, 0.125])
    _, (valley, curve) = live
    np.testing.assert_array_equal(valley.lines[0].get_xdata(), [1, 0.5, 0.25, 0.125])
    np.testing.assert_array_equal(curve.lines[0].get_ydata(), [1, 0.25, 0.0625, 0.015625])
    assert str(live).startswith("3 epochs of SGD, lr = 0.25\n")
    live.sliders["lr"].value = 0.0
    assert str(live).endswith("w from 1 to 1")


def test_a_page_without_a_kernel_keeps_the_first_picture(tangent):
    (before, said), html = tangent.place.kept()
    assert WIDGET not in before and "data-page" not in html
    assert said["image/png"]["alt"] == tangent.plot.title
    tangent.sliders["at"].value = 3.0
    (after, _), _ = tangent.place.kept()
    assert after == before and after["image/svg+xml"] != tangent.plot.svg
    assert after["text/plain"].startswith("f(a) at a = 0: 0\n")


def test_what_moves_fits_in_the_picture_that_stays(tangent):
    _, axes = tangent
    limits = axes.get_xlim(), axes.get_ylim()
    for at in (-2.0, 3.3, 8.0):
        tangent.sliders["at"].value = at
        assert (axes.get_xlim(), axes.get_ylim()) == limits


def test_what_the_function_says_against_a_place_is_shown():
    def picky(a):
        if a < 1:
            raise ValueError("not below one")
        return a * a

    live = plot_tangent(picky, at=2.0, step=0.5, between=(1, 3), live=True)
    live.sliders["step"].value = -1.0
    assert str(live).splitlines()[2].startswith("secant: ")
    live.sliders["at"].value = 1.2
    assert str(live) == "ValueError: not below one"
    live.sliders["at"].value = 3.0
    assert str(live).startswith("f(a) at a = 3: 9\n")


def test_sliders_can_be_told_apart_and_moved_by_small_steps(tangent):
    at, step = tangent.sliders.values()
    assert (at.description, step.description) == ("a", "step h")
    assert at.step == pytest.approx(0.1) and (at.min, at.max) == (-2, 8)


def test_where_there_is_no_slope_nothing_warns(recwarn):
    assert "tangent: ∂f/∂a = -inf" in str(plot_tangent(lambda a: 1 / a, at=0.0))
    assert recwarn.list == []


def test_a_short_descent_prints_nothing(capsys):
    plot_descent(lambda w: w**2, 1.0, epochs=50)
    plot_descent(lambda w: w**2, 1.0, lr=1e30, epochs=50)
    assert capsys.readouterr() == ("", "")


def test_a_long_descent_has_a_progress_bar(capsys):
    def slow(w):
        if w.requires_grad:  # while it trains, not while the surface is drawn
            time.sleep(0.03)
        return w**2

    plot_descent(slow, 1.0, epochs=45)
    assert "descent: " in capsys.readouterr().err
