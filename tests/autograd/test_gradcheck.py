"""The checkers are checked: they accept what is right, and nothing else."""

import functools
import warnings

import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd import GradcheckError, gradcheck, gradgradcheck
from minigrad.core.row import op

from ..oracle import answer, assert_same, leaf, recorded

point = functools.partial(leaf, mg, 0.5, 2.0, dtype=float)  # where a function is checked, if it does not matter where


def wrong(rule, forward=np.square):
    """An operation with a planted rule."""
    return op(forward, a=rule)


# `np.square` with gradients that are not its own: 123 is what another engine's checker accepted
WRONG = {
    "123": wrong(lambda g, a: g * 0 + 123),
    "twice": wrong(lambda g, a: g * 4 * a),
    "sign": wrong(lambda g, a: g * -2 * a),
    "no upstream": wrong(lambda g, a: 2 * a + g * 0),
    "nothing": wrong(lambda g, a: g * 0),
    "the value": wrong(lambda g, a: g * a * a),
    "off by a hundredth": wrong(lambda g, a: g * 2.02 * a),
    "right but for one element": wrong(lambda g, a: g * (2 * a + (a == 2.0) * 0.1)),
}
RIGHT = wrong(lambda g, a: g * 2 * a)
each_wrong = pytest.mark.parametrize("function", WRONG.values(), ids=WRONG)


def test_the_right_rule_is_accepted():
    assert gradcheck(RIGHT, point()) and gradgradcheck(RIGHT, point())


def test_the_options_of_batches_and_types_are_taken():
    options = {"check_batched_grad": True, "check_grad_dtypes": True}
    assert gradcheck(mg.sin, point(), check_forward_ad=True, check_batched_forward_grad=True, **options)
    assert gradgradcheck(mg.sin, point(), **options)


@each_wrong
def test_a_wrong_rule_is_refused(function):
    with pytest.raises(GradcheckError, match="^Jacobian mismatch for output 0 with respect to input 0,\nnumerical:"):
        gradcheck(lambda x: function(x) * 3, point())


@each_wrong
def test_a_wrong_rule_is_refused_fast_and_in_forward_mode(function):
    scaled = lambda x: function(x) * 3  # noqa: E731
    assert not gradcheck(scaled, point(), fast_mode=True, raise_exception=False)
    if function is not WRONG["no upstream"]:  # whose factor is right
        assert not gradcheck(
            scaled,
            point(),
            check_forward_ad=True,
            check_backward_ad=False,
            raise_exception=False,
        )


def test_raise_exception_false_answers_instead():
    assert gradcheck(WRONG["sign"], point(), raise_exception=False) is False
    assert gradgradcheck(wrong(lambda g, a: g * 2 * a.detach()), point(), raise_exception=False) is False


def test_a_wrong_second_derivative_is_refused_though_the_first_is_right():
    function = wrong(lambda g, a: g * 2 * (a.detach() if isinstance(a, mg.Tensor) else a))
    assert gradcheck(function, point())
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        gradgradcheck(function, point())


def test_the_text_shows_both_jacobians():
    with pytest.raises(GradcheckError) as raised:
        gradcheck(WRONG["sign"], leaf(mg, 0.5, dtype=float))
    assert str(raised.value).startswith("Jacobian mismatch for output 0 with respect to input 0,\nnumerical:")
    numerical, analytical = (part.split("\n")[0] for part in str(raised.value).split(":")[1:3])
    assert "[[1." in numerical and "[[-1.]]" in analytical


def test_the_text_names_the_output_and_the_input():
    def function(a, b):
        return a * 1, a * b + WRONG["sign"](b)

    with pytest.raises(GradcheckError, match="for output 1 with respect to input 1"):
        gradcheck(function, (point(), point()))


def test_tolerances():
    function = wrong(lambda g, a: g * (2 * a + 1e-4))
    assert not gradcheck(function, point(), atol=1e-6, rtol=1e-6, raise_exception=False)
    assert gradcheck(function, point(), atol=1e-3, rtol=0)
    assert gradcheck(function, point(), atol=0, rtol=1e-2)


def test_eps_is_the_step():
    points = []

    def function(x):
        points.append(x.detach().numpy().copy())
        return x * x

    gradcheck(function, leaf(mg, 1.0, dtype=float), eps=0.25, atol=1.0)
    assert {0.75, 1.0, 1.25} == set(np.concatenate(points).tolist())


def test_the_inputs_are_left_as_they_were():
    x = point()
    gradcheck(mg.sin, x)
    gradgradcheck(mg.sin, x)
    assert x.tolist() == [0.5, 2.0] and x.grad is None and x._version == 0


def test_only_inputs_that_require_grad_are_checked():
    constant = mg.tensor([3.0, 4.0], dtype=float)
    assert gradcheck(lambda a, b, c: a * b * c, (point(), constant, 2.0))


def test_several_outputs_and_outputs_that_are_no_tensors():
    assert gradcheck(lambda a: (a.sin(), a.cos().sum()), point())
    assert gradcheck(lambda a: tuple(a.unbind()), point())
    assert gradcheck(lambda a: tuple(a.max(0)), point())
    assert gradgradcheck(lambda a: (a.sin(), a.cos().sum()), point())


def test_grad_outputs_may_be_given():
    assert gradgradcheck(lambda a: a**3, point(), mg.tensor([1.0, -2.0], dtype=float, requires_grad=True))


def test_a_backward_that_is_never_the_same():
    draws = iter(np.linspace(0.0, 1e-7, 100))
    function = wrong(lambda g, a: g * (2 * a + next(draws)))
    with pytest.raises(GradcheckError, match="Backward is not reentrant"):
        gradcheck(function, point())

    assert gradcheck(function, point(), nondet_tol=1e-6)


def test_inputs_that_cannot_be_moved_one_by_one():
    x = mg.ones(1, dtype=float, requires_grad=True)
    with pytest.raises(RuntimeError, match="The 0th input has a dimension with stride 0"):
        gradcheck(mg.sin, x.expand(2), raise_exception=False)
    for change, what in ((lambda x: mg.cat([x, x]), "shape"), (lambda x: x.float(), "dtype")):
        with pytest.raises(AssertionError, match=f"same {what} when inputs are perturbed"):
            gradcheck(lambda x, change=change: change(x) if x >= 1 else x * 1, x)


def test_forward_over_reverse():
    assert gradgradcheck(lambda a: a.sin() * a, point(), check_fwd_over_rev=True, check_rev_over_rev=False)
    assert gradgradcheck(lambda a: a.sin() * a, point(), check_fwd_over_rev=True)


def test_no_mode_at_all_is_no_check():
    with pytest.raises(AssertionError, match="at least one of check_forward_ad or check_backward_ad"):
        gradcheck(lambda x: x.detach() * x, point(), check_backward_ad=False)


def test_float32_warns():
    x = mg.tensor([1.0], requires_grad=True)
    with pytest.warns(UserWarning, match="Input #0 requires gradient and is not a double precision") as heard:
        gradcheck(lambda x: x * 2, x, atol=1e-1, eps=1e-2)
    assert heard[0].filename == __file__


def test_float64_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gradcheck(lambda x: x * 2, point())
        assert not gradcheck(lambda x: x * mg.inf, point(), raise_exception=False)  # NumPy: inf - inf is invalid


def test_an_empty_input_or_output_has_nothing_to_be_wrong():
    assert gradcheck(mg.sin, mg.zeros(0, dtype=float, requires_grad=True))
    assert gradcheck(lambda x: x[:0], point())


def test_grad_mode_outside_does_not_matter():
    with mg.no_grad():
        assert mg.autograd.gradcheck(mg.enable_grad()(mg.sin), point())


def on_tensors(text: str, check: str):
    def question(m):
        x = m.tensor([0.5, 2.0, -1.0], dtype=m.float64, requires_grad=True)
        return getattr(m.autograd, check)(eval(f"lambda x: {text}", {"m": m}), x, raise_exception=False)

    return question


RIGHT_OR_WRONG = """
x.sin()   x.detach() * x   x * x * x.detach()   m.relu(x)   (x - 0.5).abs()   x.detach()   x.round()   x.sum() * 0
m.sqrt(x * x)   x.clamp(-1, 1)   x.max()   (x - x).exp()   x.float().double()   (x > 0) * x   x.clone()
""".split("   ")
RIGHT_OR_WRONG = [one.strip() for line in RIGHT_OR_WRONG for one in line.split("\n") if one.strip()]
QUESTIONS = {
    f"{check} {text}": on_tensors(text, check) for text in RIGHT_OR_WRONG for check in ("gradcheck", "gradgradcheck")
}


def doubled_with(backward, results=1, zeros=True, **options):
    """Is a Function of one number, which doubles it, accepted with this backward?"""

    options = {"raise_exception": False, **options}

    def question(m):
        class Doubled(m.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(zeros)
                ctx.save_for_backward(x)
                return x * 2 if results == 1 else (x * 2, x * 2)

        Doubled.backward = staticmethod(backward)
        return m.autograd.gradcheck(Doubled.apply, leaf(m, 0.5, dtype=m.float64), **options)

    return question


def those_that_came(ctx, *gs):
    came = [g * 2 for g in gs if g is not None]
    return sum(came) if came else None


QUESTIONS |= {
    "multiplied": doubled_with(lambda ctx, g: g * 2),
    "not multiplied": doubled_with(lambda ctx, g: g.new_full((1,), 2.0)),
    "not multiplied where it is 0": doubled_with(lambda ctx, g: g * 2 + (g == 0)),
    "zeros": doubled_with(lambda ctx, *gs: (gs[0] + gs[1]) * 2, 2),
    "no zeros": doubled_with(lambda ctx, g: g if g is None else g * 2, 1, False),
    "no zeros, of two": doubled_with(those_that_came, 2, False),
    "no zeros, something of nothing": doubled_with(
        lambda ctx, g: ctx.saved_tensors[0] * 3 if g is None else g * 2, 1, False
    ),
    "no zeros, not asked for": doubled_with(lambda ctx, g: g * 2, 1, False, check_undefined_grad=False),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_verdict_is_pytorchs(name):
    assert_same(answer(QUESTIONS[name], mg), recorded("gradcheck")[name])


def test_a_backward_that_stumbles_over_what_never_arrived():
    """PyTorch lets a TypeError through, whatever `raise_exception` says."""
    question = doubled_with(lambda ctx, g: g * 2, 1, False, raise_exception=True)
    with pytest.raises(GradcheckError, match="Expected backward function to handle undefined output grads"):
        question(mg)
