"""Dual tensors: how they are printed, what changes in place do to them, what is refused, and Functions with a `jvp`."""

import gc
import re
import threading
import weakref

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded


def printed(change):
    def question(m):
        fa = m.autograd.forward_ad
        with fa.dual_level():
            dual = change(m, fa.make_dual(m.tensor([1.0, 2.0]), m.tensor([3.0, 4.0])))
            inside = [repr(dual), repr(fa.unpack_dual(dual).primal)]
        return [*inside, repr(dual)]

    return question


QUESTIONS = {
    "as it is": printed(lambda m, dual: dual),
    "long": printed(lambda m, dual: m.cat([dual] * 12)),
    "in another type": printed(lambda m, dual: dual.double()),
    "in another type and back": printed(lambda m, dual: (dual.double() * dual).half()),
    "the real part of a complex one": printed(lambda m, dual: dual.to(m.complex64).real),
    "a constant": printed(lambda m, dual: m.ones(2)),
    "cut off": printed(lambda m, dual: dual.detach()),
}


def T(m, *numbers):
    return m.tensor([float(number) for number in numbers])


def inside(program):
    """`program(m, f, d, e)` within a dual level, with two duals, the second of one number."""

    def question(m):
        f = m.autograd.forward_ad
        with f.dual_level():
            d, e = f.make_dual(T(m, 1, 2), T(m, 3, 4)), f.make_dual(T(m, 5), T(m, 7))
            try:
                return program(m, f, d, e)
            except Exception as error:  # ours may go on
                return type(error).__name__, str(error).partition("\n")[0]

    return question


def done(tensor, *changes):
    """The tensor, after calls of its methods: a name and its arguments each."""
    for name, *arguments in changes:
        getattr(tensor, name)(*arguments)
    return tensor


def changed(m, f, what, *change):
    """All that is seen of a change in place of one of several tensors on one memory."""
    tangent, plain = T(m, 3, 4, 5), T(m, 1, 2, 3)
    d = f.make_dual(plain, tangent)
    y = d * 1
    seen = {"d": d, "a view of d": d[1:], "y": y, "a view": y[1:], "a view of that": y[1:][1:], "a part": y.split(2)[0]}
    seen |= {"a copy": y.clone(), "the same shape": y.reshape(3), "the value": f.unpack_dual(y).primal}
    seen |= {"cut off": y.detach(), "constant": plain * 1}
    seen |= {"a view of a constant": seen["constant"][1:], "its last": seen["constant"].unbind()[2]}
    done(seen[what], *change)
    return {name: repr(one) for name, one in {**seen, "tangent": tangent}.items()}


CHANGES = {
    f"{what}.{name}": (what, (name, *arguments))
    for what in ("d", "a view of d", "y", "a view", "a view of that", "a part", "a copy", "the same shape", "the value")
    for name, *arguments in (("mul_", 2), ("sin_",), ("zero_",), ("t_",))[: 1 if what == "d" else 4]
}
QUESTIONS |= {
    name: inside(lambda m, f, d, e, change=change: changed(m, f, *change)) for name, change in CHANGES.items()
}
QUESTIONS |= {  # a dual changes what had no tangent
    f"{what}.{name}": inside(lambda m, f, d, e, what=what, name=name: changed(m, f, what, (name, (e * 1).sum())))
    for what in ("constant", "a view of a constant", "its last", "cut off", "the value")
    for name in ("mul_", "fill_", "add_")
}
QUESTIONS |= {
    name: inside(program)
    for name, program in {
        "mul_ by a part of itself": lambda m, f, d, e: repr(d.mul_(d[:1].clone())),
        "a copy's tangent": lambda m, f, d, e: f.unpack_dual(d.clone()).tangent is f.unpack_dual(d).tangent,
        "an element set": lambda m, f, d, e: [d.__setitem__(0, 3.0), repr(d)],
        "an element set to a dual": lambda m, f, d, e: [d.__setitem__(0, e.sum()), repr(d)],
        "unbind": lambda m, f, d, e: (lambda a, b: [a.mul_(2), b.zero_(), repr(d), repr(a), repr(b)])(*d.unbind()),
        "t_ after a view": lambda m, f, d, e: (lambda y, v: [y.t_(), v.mul_(3), repr(y), repr(v)])(
            *(lambda y: (y, y[0]))(m.stack([d, d]))
        ),
        "detach_": lambda m, f, d, e: [repr((d * 1).detach_()), repr(d)],
        "detach_ of the dual": lambda m, f, d, e: d.detach_(),
        "a leaf as tangent, in place": lambda m, f, d, e: f.make_dual(T(m, 1), T(m, 1).requires_grad_()).mul_(2),
        "a tangent stretched": lambda m, f, d, e: repr(f.make_dual(T(m, 1, 2), T(m, 1).expand(2)).mul_(T(m, 3, 4))),
        "a tangent of another arrangement": lambda m, f, d, e: (
            f.unpack_dual(f.make_dual(m.ones(3, 2).t(), m.ones(2, 3))).tangent.stride()
        ),
        "a value stretched": lambda m, f, d, e: f.make_dual(T(m, 1).expand(2), T(m, 1, 1)),
        "tangents of other types": lambda m, f, d, e: [
            repr(f.make_dual(m.ones(1), T(m, 2).double())), repr(f.make_dual(T(m, 2).double(), m.ones(1))),
            repr(f.make_dual(T(m, 2), T(m, 2) * 1j)),
        ],
        "another size": lambda m, f, d, e: f.make_dual(T(m, 1, 2), T(m, 1)),
        "an integer": lambda m, f, d, e: f.make_dual(m.tensor([1]), T(m, 1)),
        "an integer as tangent": lambda m, f, d, e: f.make_dual(T(m, 1), m.tensor([1])),
        "None as tangent": lambda m, f, d, e: f.make_dual(T(m, 1), None),
        "no level": lambda m, f, d, e: f.make_dual(T(m, 1), T(m, 1), level=-1),
        "the level": lambda m, f, d, e: repr(f.make_dual(T(m, 1), T(m, 1), level=0)),
        "unpacked at no level": lambda m, f, d, e: repr(f.unpack_dual(d, level=-1)),
        "a dual of a dual": lambda m, f, d, e: f.make_dual(d, T(m, 1, 1)),
        "a dual as tangent": lambda m, f, d, e: f.make_dual(T(m, 1, 1), d),
        "a level in a level": lambda m, f, d, e: f.enter_dual_level(),
        "jvp in a level": lambda m, f, d, e: m.func.jvp(m.sin, (T(m, 1),), (T(m, 1),)),
        "grad of a dual": lambda m, f, d, e: repr(f.unpack_dual(m.func.grad(lambda x: x.sin().sum())(d))),
        "a gradient's tangent": lambda m, f, d, e: repr(
            m.autograd.grad((d.requires_grad_() ** 3).sum(), d, create_graph=False)
        ),
        "a deposited gradient": lambda m, f, d, e: (lambda x: [(x**3).sum().backward(), repr(x.grad)])(
            done(d * 1, ("requires_grad_",))
        ),
        "what a hook sees": lambda m, f, d, e: (lambda x, seen: [
            x.register_hook(lambda g: seen.append(repr(g))) is None, (x**3).sum().backward(), seen
        ])(done(d * 1, ("requires_grad_",)), []),
        "mse_loss of what depends on itself": lambda m, f, d, e: repr(m.nn.functional.mse_loss(d, d * 3)),
        "mse_loss of itself": lambda m, f, d, e: repr(m.nn.functional.mse_loss(d, d)),
    }.items()
}  # fmt: skip


def left(m):
    f = m.autograd.forward_ad
    with f.dual_level() as level:
        d = f.make_dual(T(m, 1, 2), T(m, 3, 4))
        y = (d * 2).requires_grad_()
        z = y.sin()
    with f.dual_level():
        (g,) = m.autograd.grad(z.sum(), y, create_graph=True)
        return [level, repr(d), repr(y), repr(f.unpack_dual(d * 1)), repr(g.detach())]


QUESTIONS |= {
    "a level that was left": left,
    "no level to leave": lambda m: m.autograd.forward_ad.exit_dual_level(),
    "unpacked outside": lambda m: repr(m.autograd.forward_ad.unpack_dual(T(m, 1))),
    "made outside": lambda m: m.autograd.forward_ad.make_dual(T(m, 1), T(m, 1)),
}


# == a Function's own jvp ==================================================================================


def own_jvp(forward, jvp, first=True, second=True):
    """A Function of two tensors (each a dual or a constant) and a number."""

    def question(m):
        f, told = m.autograd.forward_ad, []

        class Own(m.autograd.Function):
            @staticmethod
            def forward(ctx, x, y, k):
                told.append(repr(f.unpack_dual(x).tangent))
                return forward(ctx, x, y)

            @staticmethod
            def jvp(ctx, x, y, k):
                told.extend([repr(x), repr(y), k, len(ctx.saved_tensors), m.is_grad_enabled()])
                return jvp(ctx, x, y)

        with f.dual_level():
            x, y = (
                f.make_dual(T(m, *v), T(m, 3, 4)) if dual else T(m, *v)
                for v, dual in (((1, 2), first), ((5, 6), second))
            )
            outputs = Own.apply(x, y, 3)
            several = outputs if isinstance(outputs, tuple) else (outputs,)
            return [told, *(repr(f.unpack_dual(one)) if isinstance(one, m.Tensor) else one for one in several), repr(x)]

    return question


def product(ctx, x, y):
    ctx.save_for_forward(x, y)
    return x * y


def product_moved(ctx, x, y):
    a, b = ctx.saved_tensors
    return x * b + a * y


def unmaterialized(ctx, x, y):
    ctx.set_materialize_grads(False)
    return x * 2


def in_place(ctx, x, y):
    ctx.mark_dirty(x)
    return x.mul_(2).add_(y)


def non_differentiable(ctx, x, y):
    z = x * 2
    ctx.mark_non_differentiable(z)
    return z, x * 3


FORWARDS = {  # each with some ways to push the tangents
    "product": (product, [product_moved]),
    "no zeros": (unmaterialized, [lambda c, x, y: y if x is None else x]),
    "in place": (in_place, [
        lambda c, x, y: x.mul_(2).add_(y), lambda c, x, y: x * 2 + y, lambda c, x, y: x.mul_(2).clone(),
        lambda c, x, y: x, lambda c, x, y: y.add_(y),
    ]),
    "as it is": (lambda c, x, y: x, [lambda c, x, y: x, lambda c, x, y: x * 2, lambda c, x, y: x.view_as(x)]),
    "a view": (lambda c, x, y: x[:1], [lambda c, x, y: x[:1], lambda c, x, y: x[:1] * 2]),
    "two": (lambda c, x, y: (x * 2, x.sum()), [lambda c, x, y: (x * 2, x.sum()), lambda c, x, y: x * 2]),
    "bool": (lambda c, x, y: (x > 0, x), [lambda c, x, y: (None, x.view_as(x)), lambda c, x, y: (x, x)]),
    "constant": (non_differentiable, [lambda c, x, y: (None, x), lambda c, x, y: (x, x)]),
    "one": (lambda c, x, y: x * 2, [lambda c, x, y: x.sum(), lambda c, x, y: 3.0]),
}  # fmt: skip
QUESTIONS |= {
    f"jvp, {name} {i}, {first:d}{second:d}": own_jvp(forward, jvp, first, second)
    for name, (forward, ways) in FORWARDS.items()
    for i, jvp in enumerate(ways)
    for first, second in ((True, True), (True, False), (False, True))
}


def sine(m, simple: bool, rule: bool = False):
    """A Function with all derivatives; the simple one does not fit into `func`."""

    class Sine(m.autograd.Function):
        generate_vmap_rule = rule

        @staticmethod
        def forward(x):
            return x.sin()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0].cos()

        @staticmethod
        def jvp(ctx, x):
            return x * ctx.saved_tensors[0].cos()

    class Simple(Sine):
        @staticmethod
        def forward(ctx, x):
            Sine.setup_context(ctx, (x,), None)
            return x.sin()

        setup_context = m.autograd.Function.setup_context

    return (Simple if simple else Sine).apply


def forward_over_reverse(m, function):
    f, x = m.autograd.forward_ad, T(m, 1, 2).double().requires_grad_()
    with f.dual_level():
        d = f.make_dual(x, T(m, 3, 4).double())
        (g,) = m.autograd.grad(function(d).sum(), x, create_graph=True)
        return f.unpack_dual(g).tangent


def reverse_over_forward(m, function):
    f, x = m.autograd.forward_ad, T(m, 1, 2).double().requires_grad_()
    with f.dual_level():
        return m.autograd.grad(f.unpack_dual(function(f.make_dual(x, T(m, 3, 4).double()))).tangent.sum(), x)


USES = {
    "forward over reverse": forward_over_reverse,
    "reverse over forward": reverse_over_forward,
    "gradcheck": lambda m, f: m.autograd.gradcheck(f, (T(m, 1, 2).double().requires_grad_(),), check_forward_ad=True),
    "gradgradcheck": lambda m, f: m.autograd.gradgradcheck(
        f, (T(m, 1, 2).double().requires_grad_(),), check_fwd_over_rev=True, check_rev_over_rev=True
    ),
    "func.jvp": lambda m, f: m.func.jvp(f, (T(m, 1, 2).double(),), (T(m, 3, 4).double(),)),
    "func.grad": lambda m, f: m.func.grad(lambda x: f(x).sum())(T(m, 1, 2).double()),
    "func.vmap": lambda m, f: m.func.vmap(f)(T(m, 1, 2).double()),
    "func.jacfwd": lambda m, f: m.func.jacfwd(f)(T(m, 1, 2).double()),
    "func.jacrev": lambda m, f: m.func.jacrev(f)(T(m, 1, 2).double()),
    "func.hessian": lambda m, f: m.func.hessian(lambda x: f(x).sum())(T(m, 1, 2).double()),
    "jacrev of jacfwd": lambda m, f: m.func.jacrev(m.func.jacfwd(f))(T(m, 1, 2).double()),
    "jacfwd of jacfwd": lambda m, f: m.func.jacfwd(m.func.jacfwd(f))(T(m, 1, 2).double()),
}
WITH_A_RULE = {"func.vmap", "func.jacfwd", "func.hessian", "jacrev of jacfwd", "jacfwd of jacfwd"}  # a loop needs none
QUESTIONS |= {
    f"{use} of a sine, {kind}": lambda m, use=use, options=options: USES[use](m, sine(m, *options))
    for use in USES
    for kind, options in {"simple": (True,), "general": (False,), "with a rule": (False, True)}.items()
    if (use, kind) != ("jacfwd of jacfwd", "with a rule")  # PyTorch's answer is zeros
    if kind != "general" or use not in WITH_A_RULE
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_prints(name):
    assert_same(in_own_words(name, answer(QUESTIONS[name], mg)), in_own_words(name, recorded("forward_ad")[name]))


OURS = re.compile("^jvp, |of a sine|^no level to leave")  # what is refused in our own words


def in_own_words(name, found):
    """Of an error of a Function, or about a level, its kind alone."""
    if isinstance(found, dict) and "raises" in found and OURS.search(name):
        return found["raises"][0]
    return found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("jvp, in place 3, 11", "must do to the tangents what its forward does to the values"),
        ("jvp, a view 1, 11", "return a view where that returns a view"),
        ("jvp, two 1, 11", r"invalid number of forward gradients \(expected 2 but got 1\)"),
        ("jvp, constant 1, 11", "returned Tensor for output 0; expected None, for that is constant"),
        ("jvp, one 1, 11", "returned float for output 0; expected a Tensor or None"),
        ("no level to leave", "exit a forward AD level that is not under way"),
        ("func.grad of a sine, simple", "it must override the setup_context staticmethod"),
    ],
)
def test_an_error_says_what_is_wrong(name, words):
    with pytest.raises(RuntimeError, match=words):
        QUESTIONS[name](mg)


def test_numbers_that_are_equal_begin_to_deviate_by_nothing_forwards_too():
    x, direction = mg.tensor([3.0, 3.0]), mg.tensor([1.0, 2.0])
    for deviation in (mg.std, lambda x: mg.std_mean(x)[0], lambda x: x.std(0)):
        assert mg.func.jvp(deviation, (x,), (direction,))[1].item() == 0 == mg.func.grad(deviation)(x).sum().item()


def test_there_is_one_level():
    f = mg.autograd.forward_ad
    with f.dual_level():
        with pytest.raises(RuntimeError, match="exit a forward AD level that is not under way"):
            f.exit_dual_level(level=3)
        with pytest.raises(RuntimeError, match="no level exists"):
            f.make_dual(T(mg, 1), T(mg, 1), level=1)


def test_no_cycle_outlives_a_level():
    """A node keeps the tangents of what it saved, and a tangent's history leads back to the node."""
    f = mg.autograd.forward_ad
    gc.collect()
    gc.disable()
    try:
        with f.dual_level():
            y = f.make_dual(T(mg, 1, 2).requires_grad_(), T(mg, 3, 4)).exp()
            node = weakref.ref(y.grad_fn)
            assert f.unpack_dual(y).tangent.requires_grad
        del y
        assert node() is None
    finally:
        gc.enable()


def test_a_level_is_open_until_it_is_left():
    f = mg.autograd.forward_ad
    f.dual_level().__enter__()  # held by nobody, as between two cells of a notebook
    try:
        assert f.unpack_dual(f.make_dual(T(mg, 1), T(mg, 1)) * 2).tangent is not None
    finally:
        f.exit_dual_level()


def test_a_thread_that_heeds_no_tangents_takes_them_from_no_other():
    f, inside, done = mg.autograd.forward_ad, threading.Event(), threading.Event()

    class Slow(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):  # behind the back of forward mode
            inside.set()
            assert done.wait(10)
            return x.clone()

        jvp = staticmethod(lambda ctx, tangent: tangent)

    with f.dual_level():
        dual = f.make_dual(T(mg, 1), T(mg, 1))
        other = threading.Thread(target=lambda: Slow.apply(dual))
        other.start()
        assert inside.wait(10)
        found = f.unpack_dual(dual * 2).tangent
        done.set()
        other.join()
    assert found is not None
    with pytest.raises(RuntimeError, match="not under way"):
        f.exit_dual_level()
