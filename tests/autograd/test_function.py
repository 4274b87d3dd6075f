"""Operations of one's own: what `ctx` can do, what is refused, and in which words, as PyTorch answers.

Each question makes a Function of a few lambdas. Both libraries are asked what comes back, and what the backward saw.
"""

import re

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, judge, leaf, recorded


def shown(value):
    if isinstance(value, tuple | list):
        return [shown(one) for one in value]
    return value.name() if hasattr(value, "next_functions") else repr(value)


def function(m, forward, backward=lambda ctx, g: g, **more):
    methods = {"forward": forward, "backward": backward, **more}
    return type("Op", (m.autograd.Function,), {name: staticmethod(one) for name, one in methods.items() if one})


def ran(forward, backward=lambda ctx, g: g, values=(1, 2), prepare=lambda x: (x,), **more):
    """What is returned, what `.grad` becomes, and what passed through the backward."""

    def question(m):
        seen = []

        def noted(ctx, *gs):
            seen.append(shown([gs, list(ctx.needs_input_grad), m.is_grad_enabled()]))
            return backward(ctx, *gs)

        x = leaf(m, *values)
        out = function(m, forward, backward and noted, **more).apply(*prepare(x))
        first = out[0] if isinstance(out, tuple | list) else out
        found = [shown(out), type(out).__name__]
        if isinstance(first, m.Tensor) and first.requires_grad:
            found += [shown([first.grad_fn, first._is_view(), first._base is x])]
            first.sum().backward()
        return [*found, seen, shown(x.grad)]

    return question


def twice(ctx, x):
    return x * 2


def marked(how):
    """A forward with two results that tells `ctx` something about the second."""

    def forward(ctx, x):
        y, z = x * 2, x * 3
        how(ctx, z)
        return y, z

    return forward


def dirty(ctx, x):
    x.add_(1)
    ctx.mark_dirty(x)
    return x


def dirty_but_kept_back(ctx, x):
    dirty(ctx, x)
    return x * 2


def saves_its_output(ctx, x):
    y = x.exp()
    ctx.save_for_backward(y)
    ctx.note = "seen"
    return y


def saves_twice(ctx, x):
    ctx.save_for_backward(x)
    ctx.save_for_backward(x * 2)
    return x * 2


def saves_a_number(ctx, x):
    ctx.save_for_backward(3)
    return x


def saves_inputs(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def with_saved(ctx, g):
    return g * ctx.saved_tensors[0]


def second_derivative(forward, backward):
    def question(m):
        x = leaf(m, 1, 2)
        (first,) = m.autograd.grad(function(m, forward, backward).apply(x).sum(), x, create_graph=True)
        return shown([first, m.autograd.grad(first.sum(), x)])

    return question


def cubed(ctx, x):
    ctx.save_for_backward(x)
    return x**3


def after_it_ran(look):
    def question(m):
        y = function(m, saves_its_output, with_saved).apply(leaf(m, 1))
        before = shown([y.grad_fn.note, list(y.grad_fn.saved_tensors), y.grad_fn.name(), type(y.grad_fn).__name__])
        y.backward()
        return [before, shown(look(y))]

    return question


def in_place(forward, change, times=1.0, constant=False):
    def question(m):
        x = leaf(m, 1, 2).requires_grad_(not constant)
        y = function(m, forward, lambda ctx, *g: g).apply(x if times is None else x * times)
        change(y)
        return "not refused"

    return question


def named(forward, **arguments):
    def question(m):
        given = {name: leaf(m, value) for name, value in arguments.items()}
        function(m, forward, lambda ctx, g: (g * 7, g * 5)).apply(**given).backward()
        return shown([one.grad for one in given.values()])

    return question


def in_forward_mode(**methods):
    def question(m):
        fa = m.autograd.forward_ad
        with fa.dual_level():
            dual = fa.make_dual(m.tensor([3.0]), m.tensor([1.0]))
            return shown(fa.unpack_dual(function(m, **methods).apply(dual)).tangent)

    return question


def kept_for_jvp(ctx, x):
    ctx.save_for_forward(x)
    return x**2


def doubled(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x


def twice_as_much(ctx, *gs):
    return gs[0] * 2


def doubled_within(view, forward=doubled, **state):
    """What a Function leaves behind that doubles a part of a tensor in place."""

    def question(m):
        x = m.tensor([1.0, 2.0, 3.0, 4.0], **{"requires_grad": True, **state})
        base = x * 1
        part, seen = view(base), []
        base.retain_grad()
        out = function(m, forward, twice_as_much).apply(part)
        base.register_hook(lambda grad: seen.append(repr(grad)))
        found = [out is part, out._version, base._version, base.tolist(), out.tolist()]
        (base * base + part.sum()).sum().backward()
        return [*found, seen, shown([x.grad, base.grad])]

    return question


def two_changed(m):
    a, b = leaf(m, 1, 2), leaf(m, 3, 4)
    c, d = a * 1, b * 1

    def forward(ctx, c, d):
        ctx.mark_dirty(c.mul_(2), d.mul_(3))
        return d, c

    y, z = function(m, forward, lambda ctx, g, h: (h * 2, g * 3)).apply(c, d)
    (c * d).sum().backward()
    return [y is d, z is c, y.output_nr, z.output_nr, shown([a.grad, b.grad])]


def changed_without_history(mode):
    """A changed tensor whose gradient flows nowhere comes back without one."""

    def question(m):
        a = leaf(m, 1, 2) * 1

        def forward(ctx, a):
            if mode == "constant":
                ctx.mark_non_differentiable(a)
            return doubled(ctx, a)

        with m.set_grad_enabled(mode != "no_grad"):
            out = function(m, forward, twice_as_much).apply(a)
        return shown([out, a]) + [out is a, out._version]

    return question


def part_of_constants(m):
    base, w = m.ones(3), leaf(m, 5, 6)

    def forward(ctx, part, w):
        ctx.mark_dirty(part.mul_(w))
        return part

    function(m, forward, lambda ctx, g: (g, g * 7)).apply(base[1:], w)
    base.sum().backward()
    return [base.requires_grad, base.tolist(), shown(w.grad)]


def undeclared(ctx, x):
    return x.mul_(2)


def comes_from_elsewhere(grad_mode):
    """A Function returns what it was not given: that learns of it, or forgets its history."""

    def question(m):
        x, outside = leaf(m, 1, 2), leaf(m, 3, 4) * 1
        with m.set_grad_enabled(grad_mode):
            out = function(m, lambda ctx, x: outside, twice_as_much).apply(x)
        return [out is outside, outside.grad_fn and outside.grad_fn.name(), outside.requires_grad]

    return question


def nothing_sent(*how):
    """A backward that returns None: what is before it in the graph runs all the same, on nothing."""

    def question(m):
        said = []

        def note(name):
            return lambda *seen: said.append([name, shown(seen[: 1 + (name != "accumulated")])])

        x = leaf(m, 1, 2)
        y = function(m, twice, lambda ctx, g: said.append(repr(g)) or g + 5).apply(x.sin()) if "function" in how else x
        z = y * 3
        if "hooks" in how:
            x.register_hook(note("x"))
            z.register_hook(note("z"))
            z.grad_fn.register_prehook(note("pre"))
            z.grad_fn.register_hook(note("post"))
        out = function(m, twice, lambda ctx, g: None).apply(z).sum()
        found = m.autograd.grad(out, [z, x], allow_unused=True) if "grad" in how else out.backward()
        return [said, shown([x.grad, found])]

    return question


def one_of_two_outputs(hook):
    def question(m):
        x, seen = leaf(m, 1, 2, 3, 4), []
        a, b = x.split(2)
        for name, one in (("a", a), ("b", b)):
            one.register_hook(lambda grad, name=name: seen.append([name, repr(grad)]))
        b.register_hook(hook)
        m.autograd.graph.register_multi_grad_hook((a, b, x), lambda grads: seen.append(shown(grads)))
        a.sum().backward()
        return [seen, shown(x.grad)]

    return question


def nothing_through_what_was_overwritten(m):
    """On nothing, too, a node asks for what it had saved."""
    y = leaf(m, 1, 2).exp()
    z = function(m, twice, lambda ctx, g: None).apply(y)
    y.mul_(2)
    z.sum().backward()


def with_defaults(*args, **named):
    """A forward with defaults and a setup_context, which sees them."""

    def question(m):
        def setup(ctx, inputs, output):
            ctx.factor = inputs[1] * inputs[2]

        def backward(ctx, g):
            return g * ctx.factor, None, None

        x = leaf(m, 1, 2)
        out = function(m, lambda x, k=3, j=4: x * k * j, backward, setup_context=setup).apply(x, *args, **named)
        out.sum().backward()
        return shown([out, x.grad])

    return question


def constant_second_derivative(m):
    """What the backward returns may be kept elsewhere, so it is not told to require grad."""
    x, kept = leaf(m, 1, 2), m.ones(2)
    once = m.autograd.function.once_differentiable
    y = function(m, twice, once(lambda ctx, g: kept)).apply(x)
    (first,) = m.autograd.grad((y * y).sum(), x, create_graph=True)
    found = [repr(first), kept.requires_grad]
    m.autograd.grad(first.sum(), x)
    return found


def constants_of_one_node(m):
    """All that a backward returns once is refused by one node."""
    x, y = leaf(m, 1, 2), leaf(m, 3, 4)
    once = m.autograd.function.once_differentiable
    z = function(m, lambda ctx, x, y: x * y, once(lambda ctx, g: (g * 3, g * 2))).apply(x, y)
    first, second = m.autograd.grad((z * z).sum(), (x, y), create_graph=True)
    return [first.grad_fn is second.grad_fn, second.output_nr, type(first.grad_fn).__name__]


def ctx_kept_longer_than_the_graph(m):
    x, kept = leaf(m, 1, 2), []
    y = function(m, lambda ctx, x: ctx.save_for_backward(x) or x * 2, lambda ctx, g: kept.append(ctx) or g).apply(x)
    y.sum().backward()
    del y
    return kept[0].saved_tensors


def freed_but_not_asked_for(m):
    x = leaf(m, 1, 2)
    y = function(m, lambda ctx, x: ctx.save_for_backward(x) or x * 2, lambda ctx, g: g * 3).apply(x).sum()
    y.backward()
    y.backward()
    return shown(x.grad)


def recording_off(m):
    with m.no_grad():
        y = function(m, saves_its_output).apply(leaf(m, 1))
    return shown([y, function(m, saves_its_output).apply(m.ones(1))])


QUESTIONS = {
    "one result": ran(twice, lambda ctx, g: g * 2),
    "results of several kinds": ran(lambda ctx, x: (x * 2, 5, None), lambda ctx, *gs: gs[0] * 2),
    "a second result unused": ran(marked(lambda ctx, z: None), lambda ctx, *gs: gs[0] * 2),
    "no zeros for it": ran(marked(lambda ctx, z: ctx.set_materialize_grads(False)), lambda ctx, *gs: gs[0] * 2),
    "a constant result": ran(marked(lambda ctx, z: ctx.mark_non_differentiable(z)), lambda ctx, *gs: gs[0] * 2),
    "a result in integers": ran(lambda ctx, x: x.argmax()),
    "a number": ran(lambda ctx, x: 3),
    "nothing": ran(lambda ctx, x: None),
    "a list": ran(lambda ctx, x: [x * 1, x * 2]),
    "the input itself": ran(lambda ctx, x: x, lambda ctx, g: g * 3),
    "a part of the input": ran(lambda ctx, x: x[:1], lambda ctx, g: g.expand(2)),
    "the same result twice": ran(lambda ctx, x: (x * 2,) * 2, lambda ctx, a, b: a + b),
    "another argument": ran(lambda ctx, x, n: x * n, lambda ctx, g: (g * 3, None), prepare=lambda x: (x, 3)),
    "one input twice": ran(lambda ctx, x, y: x * y, lambda ctx, g: (g * 2, g * 3), prepare=lambda x: (x, x)),
    "a tensor in a list": ran(lambda ctx, xs: xs[0] * 1, lambda ctx, g: None, prepare=lambda x: ([x],)),
    "changed in place": ran(dirty, lambda ctx, g: g * 3, prepare=lambda x: (x * 2,)),
    "a leaf changed in place": ran(dirty),
    "changed in place and not returned": ran(dirty_but_kept_back, prepare=lambda x: (x * 1,)),
    "saved, by setup_context": ran(lambda x: x * 2, with_saved, setup_context=saves_inputs),
    "saved twice": ran(saves_twice, with_saved),
    "a number saved": ran(saves_a_number),
    "what was saved is cleared": ran(saves_twice, with_saved, clear_saved_tensors_on_access=True),
    "what was saved is cleared, and looked at again": ran(
        saves_twice, lambda ctx, g: with_saved(ctx, with_saved(ctx, g)), clear_saved_tensors_on_access=True
    ),
    "gradients in one list": ran(twice, lambda ctx, gs: gs.pop() * 2, boxed_grads_call=True),
    "two gradients in one list": ran(
        marked(lambda ctx, z: None), lambda ctx, gs: gs[0] * 2 + gs[1] * 3, boxed_grads_call=True
    ),
    "the output saved": ran(saves_its_output, with_saved),
    "too many gradients": ran(twice, lambda ctx, g: (g, g)),
    "too many, but None": ran(twice, lambda ctx, g: (g, None, None)),
    "too few gradients": ran(lambda ctx, x, y: x * y, prepare=lambda x: (x, x)),
    "a gradient of another shape": ran(twice, lambda ctx, g: g.new_ones(3)),
    "a gradient of another type": ran(twice, lambda ctx, g: g.double()),
    "a gradient that is a number": ran(twice, lambda ctx, g: 3),
    "a gradient in a list": ran(twice, lambda ctx, g: [g]),
    "a gradient for a number": ran(lambda ctx, x, n: x * n, lambda ctx, g: (g, g), prepare=lambda x: (x, 3)),
    "no backward": ran(twice, None),
    "no forward": ran(None),
    "backward and vjp": ran(twice, vjp=lambda ctx, g: g),
    "vjp": ran(twice, None, vjp=lambda ctx, g: g * 2),
    "an attribute that ctx has not": ran(twice, lambda ctx, g: ctx.missing),
    "second derivative": second_derivative(cubed, lambda ctx, g: g * 3 * ctx.saved_tensors[0] ** 2),
    "second derivative through the output": second_derivative(saves_its_output, with_saved),
    "a second backward": after_it_ran(lambda y: y.backward()),
    "saved tensors afterwards": after_it_ran(lambda y: y.grad_fn.saved_tensors),
    "a returned input changed": in_place(lambda ctx, x: x, lambda y: y.add_(1)),
    "a returned leaf changed": in_place(lambda ctx, x: x, lambda y: y.add_(1), None),
    "a returned part changed": in_place(lambda ctx, x: x[:1], lambda y: y.add_(1)),
    "a part of constants, changed by what has a gradient": in_place(
        lambda ctx, x: x[:1], lambda y: y.add_(y.new_ones(1).requires_grad_()), constant=True
    ),
    "one part of two changed": in_place(lambda ctx, x: (x[:1], x[1:]), lambda ys: ys[0].add_(1)),
    "a part changed": doubled_within(lambda base: base[1:3]),
    "a part of a part changed": doubled_within(lambda base: base.view(2, 2).t()[1:]),
    "all of it changed": doubled_within(lambda base: base),
    "one part of several changed": doubled_within(lambda base: base.split(2)[0]),
    "a part changed, and more returned": doubled_within(lambda base: base[1:3], lambda ctx, x: (doubled(ctx, x), None)),
    "a part of constants changed": part_of_constants,
    "a part of a leaf changed": lambda m: function(m, doubled).apply(leaf(m, 1, 2)[:1]),
    "two changed": two_changed,
    "changed without history": changed_without_history("no_grad"),
    "changed and marked as a constant": changed_without_history("constant"),
    "changed and not marked": ran(undeclared, twice_as_much, prepare=lambda x: (x * 1,)),
    "changed, and a part returned": ran(lambda ctx, x: doubled(ctx, x)[:1], prepare=lambda x: (x * 1,)),
    "changed, and returned with a part": ran(
        lambda ctx, x: (doubled(ctx, x), x[:1]), twice_as_much, prepare=lambda x: (x * 1,)
    ),
    "saved before it was changed": ran(
        lambda ctx, x: ctx.save_for_backward(x) or doubled(ctx, x), with_saved, prepare=lambda x: (x * 1,)
    ),
    "something new marked as changed": ran(lambda ctx, x: doubled(ctx, x * 1)),
    "a part of something new marked as changed": ran(lambda ctx, x: doubled(ctx, (x * 1)[:1])),
    "the input itself, a constant": ran(lambda ctx, x: ctx.mark_non_differentiable(x) or (x, x * 2), twice_as_much),
    "returned from elsewhere": comes_from_elsewhere(True),
    "returned from elsewhere, recording off": comes_from_elsewhere(False),
    **{f"nothing sent, {' '.join(how)}": nothing_sent(*how) for how in (["hooks"], ["function"], ["function", "grad"])},
    "one of two outputs": one_of_two_outputs(lambda grad: None),
    "one of two outputs, replaced": one_of_two_outputs(lambda grad: 3 if grad is None else None),
    "nothing through what was overwritten": nothing_through_what_was_overwritten,
    "defaults": with_defaults(),
    "defaults, one given": with_defaults(5),
    "defaults, the last by name": with_defaults(j=5),
    "defaults and an unknown name": with_defaults(q=2),
    "defaults and too many": with_defaults(1, 2, 3),
    "saved and returned, by setup_context": ran(lambda x: x, with_saved, setup_context=saves_inputs),
    "once differentiable": constant_second_derivative,
    "once differentiable, of two inputs": constants_of_one_node,
    "ctx kept longer than the graph": ctx_kept_longer_than_the_graph,
    "a second backward that does not ask": freed_but_not_asked_for,
    "a complex gradient": ran(twice, lambda ctx, g: g * 1j),
    "a number for a number": ran(lambda ctx, x, n: x * n, lambda ctx, g: (g, 3), prepare=lambda x: (x, 3)),
    "arguments by name": named(lambda ctx, x, k: x * k, k=2, x=3),
    "an unknown name": named(lambda ctx, x: x, x=1, q=2),
    "a name without a place": named(lambda ctx, x, *, k: x * k, x=1, k=2),
    "called": lambda m: function(m, twice)()(leaf(m, 1)),
    "recording off": recording_off,
    "forward mode": in_forward_mode(forward=kept_for_jvp, jvp=lambda ctx, t: 2 * ctx.saved_tensors[0] * t),
    "forward mode without a rule": in_forward_mode(forward=twice),
}


OWN_WORDS = {
    "a part of constants, changed by what has a gradient": "This view was created inside a custom Function",
    "a leaf changed in place": "a leaf Variable that requires grad is being used in an in-place operation",
    "a complex gradient": "OpBackward returned a complex gradient for a real input",
    "called": r"a Function is not called: use Op.apply\(...\)",
}


@pytest.mark.filterwarnings("ignore:ctx.mark_dirty")
@pytest.mark.parametrize("name", [name for name in QUESTIONS if name not in OWN_WORDS])
def test_as_pytorch_answers(name):
    assert_same(first_sentence(answer(QUESTIONS[name], mg)), first_sentence(recorded("function")[name]))


def first_sentence(found):
    """An error without what is said after PyTorch's own words, or by PyTorch about itself."""
    if isinstance(found, dict) and "raises" in found:
        kind, words = found["raises"]
        return [kind, re.split(r"\n|  \(Could| You can ask| - got \(|\. ", words.strip())[0].rstrip(".")]
    return found


@pytest.mark.parametrize("name", OWN_WORDS)
def test_an_error_says_what_is_wrong(name):
    with pytest.raises(RuntimeError, match=OWN_WORDS[name]):
        QUESTIONS[name](mg)
    assert recorded("function")[name]["raises"][0] == "RuntimeError"


def test_a_returned_input_refuses_when_its_base_has_changed():
    """As in PyTorch: what came before would no longer be what the function's own backward is about."""
    x = leaf(mg, 1, 2)
    base = x * 1
    out = function(mg, lambda ctx, x: x, lambda ctx, g: g * 10).apply(base)
    base.mul_(2)
    with pytest.raises(RuntimeError, match="its base or another view of its base has been modified inplace"):
        out.sum()


def test_what_is_left_out_by_name_has_its_default():
    x, k = leaf(mg, 3), leaf(mg, 2)
    scaled = function(mg, lambda ctx, x, shift=1.0, k=1.0: x * k + shift, lambda ctx, g: (g * 7, None, g * 5))
    out = scaled.apply(x, k=k)
    out.backward()
    assert out.tolist() == [7.0] and x.grad.tolist() == [7.0] and k.grad.tolist() == [5.0]


def test_a_gradient_with_too_few_dimensions_is_refused():
    class Short(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return g[0]

    with pytest.raises(RuntimeError, match=r"invalid gradient at index 0 - got \[3\] but expected .* \[3, 3\]"):
        Short.apply(mg.ones(3, 3, requires_grad=True)).sum().backward()


def test_a_number_that_comes_back_unchanged_shares_its_memory():
    class Both(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * 2, y

        @staticmethod
        def backward(ctx, g_x, g_y):
            return g_x * 2, g_y

    number = mg.tensor(0.5) * 1
    _, same = Both.apply(mg.tensor(1.5, requires_grad=True), number)
    number.add_(1)
    assert same.item() == 1.5


def test_a_refusal_tells_the_whole_name():
    class BackwardsView(mg.autograd.Function):
        forward, backward = staticmethod(lambda ctx, x: x.view(1)), staticmethod(lambda ctx, g: g.view(1))

    view = BackwardsView.apply(leaf(mg, 1.0) * 1)
    with pytest.raises(RuntimeError, match="Output 0 of BackwardsView is a view"):
        view.mul_(2)


def test_its_node_is_shown_as_in_pytorch():
    class Twice(mg.autograd.Function):
        forward = staticmethod(lambda ctx, x: x * 2)
        backward = staticmethod(mg.autograd.function.once_differentiable(lambda ctx, g: g * 2))

    x = mg.ones(1, requires_grad=True)
    y = Twice.apply(x)
    assert re.match("<minigrad.autograd.function.TwiceBackward object at 0x", repr(y.grad_fn))
    (g,) = mg.autograd.grad(y * y, x, create_graph=True)
    assert repr(g) == "tensor([8.], grad_fn=<Error>)"


@pytest.mark.parametrize("m", [mg, pytest.param("torch", id="torch")])
def test_what_is_saved_is_looked_at_where_a_backward_may_ask_for_it(m):
    m = judge() if m == "torch" else m

    class Saving(m.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(3)
            return x * 2

    assert Saving.apply(m.ones(1)).tolist() == [2]
    with pytest.raises(TypeError, match="save_for_backward can only save variables, but argument 0 is of type int"):
        Saving.apply(m.ones(1, requires_grad=True))
