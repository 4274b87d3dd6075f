"""A recorded run as a program: executed by itself it gives the same bits, for every row of the tables and more."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.compiler import simplifying
from minigrad.compiler.tape import MAKERS
from minigrad.nn import functional as F
from tests.ops import cases  # not their list itself: a recorder looks for names in all that a test's module holds
from tests.oracle import listed
from widgets import program, record
from widgets.program import forward
from widgets.program.draft import same

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def check(run, simplify=False, **expected):
    """That the program of a run computes these tensors, bit by bit."""
    written = run.program(simplify)
    found = written.run()
    for name, tensor in expected.items():
        assert same(found[name], tensor.detach().numpy()), f"{name}\n{written}"
    return written


@pytest.mark.parametrize("case", cases.CASES, ids=lambda case: case.id)
def test_each_row_of_the_tables(case):
    leaves = {f"x{i}": mg.tensor(x, requires_grad=x.dtype.kind in "fc") for i, x in enumerate(case.fixed())}
    with record() as run:
        run._recorder.names.give(leaves.items())
        outs = [out for out in listed(case.call(mg)(*leaves.values())) if out.requires_grad]
        if outs:
            mg.autograd.backward(outs, [mg.ones_like(out) for out in outs])
    gradients = {f"{name}_grad": leaf.grad for name, leaf in leaves.items() if leaf.grad is not None}
    check(run, **gradients)
    check(run, simplify=True, **gradients)


def test_it_reads_as_one_would_write_it():
    a = mg.linspace(0, 6, 5, requires_grad=True)
    with record() as run:
        b = mg.sin(a)
        c = 2 * b
        d = c + 1
        out = d.sum()
        out.backward()
    whole, shorter = str(run.program()).splitlines(), run.program(simplify=True)
    assert whole[2:] == [
        "# given: a, float32 of shape (5,)",
        "",
        "b = np.sin(a)                     # mg.sin(a)",
        "c = b * 2                         # 2 * b",
        "d = c + 1                         # c + 1",
        "out = np.sum(d)                   # d.sum()",
        "d_out = np.float32(1.0)           # the backward begins here",
        "d_d = np.empty((5,), np.float32)  # SumBackward0",
        "d_d[...] = d_out",
        "d_c = d_d                         # AddBackward0",
        "d_b = d_c * 2                     # MulBackward0",
        "d_a = d_b * np.cos(a)             # SinBackward0",
        "a_grad = d_a                      # AccumulateGrad",
    ]
    assert str(shorter).splitlines()[4:] == [
        "b = np.sin(a)                       # mg.sin(a)",
        "c = b * 2                           # 2 * b",
        "d = c + 1                           # c + 1",
        "out = np.sum(d)                     # d.sum()",
        "d_out = np.float32(1.0)             # the backward begins here",
        "d_d = np.broadcast_to(d_out, (5,))  # SumBackward0",
        "d_b = d_d * 2                       # MulBackward0",
        "a_grad = d_b * np.cos(a)            # SinBackward0",
    ]
    assert shorter.removed == [("d_c = d_d", "the same array"), ("a_grad = d_a", "the same array")]
    check(run, True, a_grad=a.grad, out=out)


def test_the_user_may_have_taken_the_names_of_what_has_none():
    t1, t2, t3 = mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]), mg.tensor([5.0, 6.0])
    with record() as run:
        out = (t1 + t2) * t3 + (t1 + t2).exp()
    assert "t4 = t1 + t2" in str(check(run, simplify=True, out=out))


def test_a_mask_is_named_and_what_it_leaves_is_written_with_where():
    x = mg.tensor([-1.0, 2.0], requires_grad=True)
    with record() as run:
        y = x.relu().masked_fill(x > 5, 0.0)
        y.sum().backward()
    lines = [line.partition("  ")[0] for line in str(check(run, x_grad=x.grad)).splitlines()]
    assert "y = np.where(t2, np.float32(0.0), t1)" in lines
    assert "d_x = np.where(t1 != 0, np.where(np.invert(t2), d_y, 0), 0)" in lines


def test_what_the_user_calls_x_is_called_so():
    mg.manual_seed(3)
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        mg.nn.functional.dropout(x, p=0.5).sum().backward()  # its mask has no name, and comes first
    assert "# given: x, float32 of shape (2,)" in str(run.program())
    check(run, x_grad=x.grad)


def test_two_parameters_of_one_name_have_gradients_of_their_own_names():
    class Block(mg.nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = mg.nn.Linear(1, 1, bias=False)

        def forward(self, x):
            return self.lin(x)

    class Twice(mg.nn.Module):
        def __init__(self):
            super().__init__()
            self.parts = mg.nn.ModuleList([Block(), Block()])

        def forward(self, x):
            for part in self.parts:
                x = part(x)
            return x

    net = Twice()
    with record() as run:
        net(mg.ones(1, 1)).backward()
    lines = [line.text for line in run.program().lines if "grad" in line.text]
    assert sorted(lines) == ["lin_weight_2_grad = d_lin_weight_2", "lin_weight_grad = d_lin_weight"]


@pytest.mark.parametrize("create_graph", [False, True])
def test_what_autograd_grad_gave_is_wanted(create_graph):
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        y = (x**3).sum()
        (slope,) = mg.autograd.grad(y, x, create_graph=create_graph)
        (bend,) = mg.autograd.grad(slope.sum(), x) if create_graph else (None,)
    left = [found.tolist() for found in run.program(simplify=True).run().values() if np.shape(found) == (2,)]
    assert [3.0, 12.0] in left and (not create_graph or [6.0, 12.0] in left)


def test_an_index_of_one_part_has_no_comma():
    y = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with record() as run:
        z = y[:2]
        w = z[(0, 1),]
    assert [line.partition("  ")[0] for line in str(check(run, z=z, w=w)).splitlines()[4:]] == [
        "z = y[:2]",
        "w = z[np.array([0, 1], np.int64)]",
    ]


def test_other_numbers_may_take_the_place_of_those_of_the_run():
    written = program(lambda a: (a.sin() * 2).sum(), mg.tensor([0.0, 1.0]))
    np.testing.assert_allclose(written.run(a=[2.0, 3.0])["a_grad"], 2 * np.cos([2.0, 3.0]), rtol=1e-6)
    with pytest.raises(TypeError, match="is not given b; it is given a"):
        written.run(b=1.0)


def broadcast():
    w, c = mg.randn(3, requires_grad=True), mg.randn(1, requires_grad=True)
    with record() as run:
        y = (mg.ones(2, 3) * w + c).exp().mean()
        y.backward()
    return run, {"w_grad": w.grad, "c_grad": c.grad, "y": y}


def twice_differentiated():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        (g,) = mg.autograd.grad((x**3).sum(), x, create_graph=True)
        (g * g).sum().backward()
    return run, {"x_grad": x.grad, "g": g}


def asked_for_a_gradient():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        (g,) = mg.autograd.grad((x.sin() * x).sum(), x)
        h = g * 2
    return run, {"h": h}


def of_single_numbers_raised():
    x = mg.tensor([0.3, 1.1], requires_grad=True)
    with record() as run:
        y = sum((x * k).sum() ** 2.3 + 1.7 ** (x[0] * k) for k in range(1, 9)) + x.norm(1.3)
        y.backward()
    return run, {"x_grad": x.grad, "y": y}


def through_a_view():
    a, b = mg.randn(2, 3, requires_grad=True), mg.randn(3, requires_grad=True)
    with record() as run:
        y = a * 1
        y[0].mul_(b)
        y.sum().backward()
    return run, {"a_grad": a.grad, "b_grad": b.grad}


def trained_by_hand():
    w, bias, x, y = mg.randn(3, 2, requires_grad=True), mg.zeros(2, requires_grad=True), mg.randn(4, 3), [0, 1, 1, 0]
    with record() as run:
        for _ in range(3):
            loss = F.cross_entropy((x @ w + bias).relu(), mg.tensor(y))
            loss.backward()
            with mg.no_grad():
                w -= 0.1 * w.grad
                bias -= 0.1 * bias.grad
            w.grad.zero_()
            bias.grad = None
    return run, {"w": w, "bias": bias}


def accumulated():
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        for _ in range(2):
            (w * 3).backward()
        with mg.no_grad():
            w -= 0.1 * w.grad
    return run, {"w_grad_2": w.grad}


def cut_off():
    w = mg.tensor([2.0, 3.0], requires_grad=True)
    with record() as run:
        a = w * 2
        (a * a.detach()).sum().backward()
    return run, {"w_grad": w.grad}


def of_two_types():
    w, v = mg.tensor([2.0, 3.0], dtype=mg.float16, requires_grad=True), mg.tensor([1.5, 2.0], requires_grad=True)
    with record() as run:
        (w * v + w.sigmoid()).sum().backward()
    return run, {"w_grad": w.grad, "v_grad": v.grad}


def of_several_outputs():
    w = mg.randn(4, requires_grad=True)
    with record() as run:
        a, b = w.split(2)
        (a * b).max().backward()
    return run, {"w_grad": w.grad}


def with_a_function_of_ones_own():
    class Exp(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y

    w = mg.randn(3, requires_grad=True)
    with record() as run:
        Exp.apply(w).sum().backward()
    return run, {"w_grad": w.grad}


def with_a_function_that_returns_more_than_tensors():
    class Twice(mg.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return None, x * 2, 3

        @staticmethod
        def backward(ctx, _, g, __):
            return g * 2

    w = mg.randn(3, requires_grad=True)
    with record() as run:
        Twice.apply(w)[1].sum().backward()
    return run, {"w_grad": w.grad}


def with_truth_values_written_over_numbers():
    w = mg.randn(3, requires_grad=True)
    with record() as run:
        y = (w * 2).lt_(0.5)
        (y * w).sum().backward()
    return run, {"w_grad": w.grad, "y": y}


def with_a_gradient_that_was_put_there():
    w = mg.randn(3, requires_grad=True)
    with record() as run:
        (w * w).sum().backward()
        w.grad = mg.ones(3)
        with mg.no_grad():
            w.sub_(w.grad)
    return run, {"w": w}


def with_a_module():
    m, x = mg.nn.Sequential(mg.nn.Linear(3, 4), mg.nn.Tanh(), mg.nn.Linear(4, 1)), mg.randn(5, 3)
    with record() as run:
        m(x).square().mean().backward()
    return run, {"m_0_weight_grad": m[0].weight.grad, "m_2_bias_grad": m[2].bias.grad}


def with_an_optimizer():
    m, x = mg.nn.Linear(3, 1), mg.randn(5, 3)
    optimizer = mg.optim.Adam(m.parameters())
    with record() as run:
        for _ in range(2):
            optimizer.zero_grad()
            m(x).square().mean().backward()
            optimizer.step()
    return run, {"m_weight": m.weight, "m_bias": m.bias}


def with_single_complex_numbers():
    z, w = mg.tensor(1.3 + 0.7j, requires_grad=True), mg.tensor(0.1 - 2.3j, requires_grad=True)
    with record() as run:
        out = (z * w + z / w - 2 / z).abs() + (z.conj() * z).real
        out.backward()
    return run, {"out": out, "z_grad": z.grad, "w_grad": w.grad}


def with_numbers_that_have_no_sign():
    w = mg.randn(3, requires_grad=True)
    with record() as run:
        masked = (w + np.array([0.0, -np.inf, 1.0])).softmax(0)
        ((masked * w).sum() * complex(np.nan, 1)).abs().backward()
    return run, {"w_grad": w.grad}


RUNS = (
    accumulated, asked_for_a_gradient, broadcast, cut_off, of_several_outputs, of_single_numbers_raised, of_two_types,
    through_a_view, trained_by_hand, twice_differentiated, with_a_function_of_ones_own,
    with_a_function_that_returns_more_than_tensors, with_a_gradient_that_was_put_there, with_a_module,
    with_an_optimizer, with_numbers_that_have_no_sign, with_single_complex_numbers,
    with_truth_values_written_over_numbers,
)  # fmt: skip


@pytest.mark.parametrize("simplify", [False, True], ids=["as it is", "simplified"])
@pytest.mark.parametrize("made", RUNS)
def test_runs(made, simplify):
    run, expected = made()
    check(run, simplify, **expected)


@pytest.mark.parametrize(
    ("hook", "is_left_out"),
    [
        (lambda g: g * 2, False),
        (lambda g: (g * 2).clamp(max=1), False),
        (lambda g: None, False),
        (lambda g: mg.tensor(2 * g.numpy()), True),
    ],
)
@pytest.mark.parametrize("on", ["result", "leaf"])
def test_a_hook_is_left_out_unless_its_gradient_was_computed_in_sight(hook, is_left_out, on):
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        y = x * x
        (y if on == "result" else x).register_hook(hook)
        y.sum().backward()
    assert same(run.program().run()["x_grad"], (x.grad / 2 if is_left_out else x.grad).numpy())
    assert ("# hooks are left out" in str(run.program())) == is_left_out


def test_a_line_of_a_rule_has_the_short_name_of_its_node():
    a = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        b = a * 3
        b[0] = 5.0
        b.sum().backward()
    assert "# CopySlices" in str(run.program()) and "::" not in str(run.program())


def test_what_cannot_be_written():
    w = mg.tensor([2.0, 3.0], requires_grad=True)
    y = w + 2  # no rule of a sum keeps the 2
    with record() as run:
        (y * y).sum().backward()
    with pytest.raises(ValueError, match="a part of its forward was not seen"):
        run.program()
    large = mg.ones(200, 200, requires_grad=True)
    with record() as run:
        large.sum().backward()
    with pytest.raises(ValueError, match=r"at most 16,384 numbers, but large has the shape \(200, 200\)"):
        run.program()
    with pytest.raises(RuntimeError, match="nothing was recorded"):
        record().program()
    with pytest.raises(TypeError, match="takes a function and its inputs, but got Tensor"):
        program(w.sum())


def test_a_program_that_computes_anything_else_is_not_made():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        (x * x).sum().backward()
    (_, (_, _, (product,), _), _), *_ = run._recorder.moments
    product[0] += 1
    with pytest.raises(ValueError, match="came out otherwise"):
        run.program()


def test_numbers_that_were_drawn_stand_in_the_program_and_none_are_drawn_again():
    x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with record() as run:
        (x.clone().uniform_() * F.dropout(x, 0.5)).sum().backward()
    state = mg.get_rng_state()
    check(run, x_grad=x.grad)
    check(run, simplify=True, x_grad=x.grad)
    assert mg.equal(mg.get_rng_state(), state)


def test_nothing_stays_behind():
    before = [getattr(np, name) for name in MAKERS], mg.get_rng_state()
    run, _ = trained_by_hand()
    state = mg.get_rng_state()
    run.step()
    run.program()
    assert [getattr(np, name) for name in MAKERS] == before[0]
    assert mg.equal(mg.get_rng_state(), state)


def test_a_gradient_that_is_the_same_all_over_lies_as_it_did_where_sums_depend_on_it():
    mg.manual_seed(0)
    x = mg.randn(1, 1, 2, 3, dtype=mg.float64, requires_grad=True)
    w = mg.randn(1, 1, 3, 3, dtype=mg.float64, requires_grad=True)
    with record() as run:
        F.conv2d(x, w, padding=1).sum().backward()
    check(run, x_grad=x.grad, w_grad=w.grad)
    check(run, simplify=True, x_grad=x.grad, w_grad=w.grad)


def test_views_of_what_takes_the_place_of_an_array_are_told_apart():
    x = mg.tensor([3.0, 1.0, 2.0], requires_grad=True)
    with record() as run:
        a, b, c = x.unbind()
        (b * c).backward()  # the gradients are c and b, both of x's memory
    check(run, simplify=True, x_grad=x.grad)


def test_what_is_read_by_nobody_goes_and_what_is_computed_twice_is_computed_once():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        a = x.exp() * 1
        b = x.exp() + 0
        (a * b).sum().backward()
    shorter = run.program(simplify=True)
    assert {why for _, why in shorter.removed} == {
        "times 1", "plus 0", "computed already", "nobody reads it", "the same array",
    }  # fmt: skip
    assert str(shorter).count("np.exp(x)") == 1
    check(run, True, x_grad=x.grad)


def test_the_checker_sees_what_a_careless_compiler_does(monkeypatch):
    """Without the care for what shares memory, a value from before a change stands for one from after it."""
    monkeypatch.setattr(simplifying, "sharing", lambda lines: {})
    monkeypatch.setattr(
        simplifying.Simplified, "_changed", property(lambda self: set(), lambda self, found: None), False
    )
    run, expected = trained_by_hand()
    with pytest.raises(AssertionError):
        check(run, True, **expected)


OPTIMIZERS = {
    "SGD": lambda p: mg.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1),
    "Adam": lambda p: mg.optim.Adam(p, lr=0.1),
    "AdamW": lambda p: mg.optim.AdamW(p, lr=0.1, maximize=True),
    "RMSprop": lambda p: mg.optim.RMSprop(p, lr=0.1, momentum=0.5),
}


@pytest.mark.parametrize("before", [0, 2])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_what_an_optimizer_computes_is_part_of_it(name, before):
    w, b = mg.tensor([1.0, 2.0], requires_grad=True), mg.tensor(0.5, requires_grad=True)
    optimizer = OPTIMIZERS[name]([w, b])

    def improve():
        optimizer.zero_grad()
        (w * w * b).sum().backward()
        optimizer.step()

    for _ in range(before):
        improve()
    with record() as run:
        for _ in range(3):
            improve()
    last = "b_7" if name == "AdamW" else "b_4"  # whose decay is a change by itself
    written = check(run, **{"w": w, last: b})
    assert not [given for given in written.inputs if given.endswith("changed")]
    lines, frames = run.trace["program"]["lines"], run.trace["frames"]
    steps = [text for text, why, at in lines if why == "optimizer.step()"]
    assert len(steps) >= 6
    assert {frames[one]["kind"] for _, why, at in lines if why == "optimizer.step()" for one in at} == {"mutated"}


def test_what_an_optimizer_computes_costs_the_story_nothing():
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    optimizer = OPTIMIZERS["Adam"]([w])
    with record() as run:
        for _ in range(100):
            optimizer.zero_grad()
            (w * w).sum().backward()
            optimizer.step()
    kinds = [frame["kind"] for frame in run.trace["frames"]]
    assert [kinds.count(kind) for kind in ("made", "mutated", "iteration")] == [68, 34, 66]  # as many as fit


def test_iterations_of_which_little_was_kept_leave_no_program():
    w = mg.tensor(1.0, requires_grad=True)
    optimizer = mg.optim.SGD([w], lr=0.1)
    with record(iterations=[1, 4]) as run:
        for _ in range(4):
            optimizer.zero_grad()
            (w * w).backward()
            optimizer.step()
    with pytest.raises(ValueError, match="between its steps are iterations of which only the loss was kept"):
        run.program()


def test_what_the_forward_computed_is_not_called_by_the_name_of_a_gradient():
    a = mg.tensor([0.5, 1.0], requires_grad=True)
    with record() as run:
        b = a.sin() * a
        b.sum().backward()
    first, *_, last = str(check(run, True, a_grad=a.grad)).splitlines()[4:]
    assert first.startswith("t1 = np.sin(a) ") and last.startswith("a_grad = t1 + a * np.cos(a) ")


def test_the_user_s_names_stay_where_a_line_goes():
    a = mg.tensor([0.5, 1.0], requires_grad=True)
    with record() as run:
        c = 2 * a.sin() * 1
        (c * a).sum().backward()
    assert str(run.program(simplify=True)).splitlines()[4].startswith("c = np.sin(a) * 2 ")


def test_what_is_changed_before_it_is_read_is_given_as_it_was():
    x, w = mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0], requires_grad=True)
    with record() as run:
        x.add_(1.0)
        (w * x).sum().backward()
    assert check(run, w_grad=w.grad, x=x).inputs["x"].tolist() == [1.0, 2.0]


def test_memory_of_which_nothing_was_heard_is_given_as_it_was_before_it_is_filled():
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        out = mg.zeros(3)
        out[0] = w[0] * 2
        out[1:] = w
        (out * out).sum().backward()
    assert check(run, w_grad=w.grad, out_3=out).inputs["out"].tolist() == [0.0, 0.0, 0.0]


def test_memory_that_is_written_over_unread_is_not_given():
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        out = mg.empty(2)
        out.copy_(w)
        (out * out).sum().backward()
    assert list(check(run, w_grad=w.grad, out=out).inputs) == ["w"]


def test_a_change_through_another_name_arrives_in_all_that_share_the_memory():
    w, c = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True), mg.tensor(5.0, requires_grad=True)
    with record() as run:
        h = w * 3
        turned, free = h.t(), h.t().detach()
        one = free[0]
        with mg.no_grad():
            one[0].zero_()  # an element of a row
            h.mul_(2)
        free.add_(c)  # under another name, and recorded
        loss = (h * h).sum() + (one * turned).sum()
        loss.backward()
    check(run, w_grad=w.grad, c_grad=c.grad, loss=loss)
    check(run, True, w_grad=w.grad, c_grad=c.grad, loss=loss)


class Squared(mg.autograd.Function):
    """Written over what it is given."""

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.save_for_backward(x.clone())
        return x.mul_(x)

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g


def through_masks_and_indices(a):
    h = a * 2
    h[h > 0] = 1.5
    rows = mg.tensor([0, 1])
    h[rows] = h[rows] * a
    h[[1], 1:] += a[1, 1:]
    return h * h


def through_parts_that_are_not_recorded(a):
    whole = mg.ones(6)
    first, second = whole.split(3)
    first.zero_()
    second += 1
    return a * whole.view(2, 3)


def through_what_was_turned(a):
    h = a * 1
    row = h[0]
    h.t_()
    row.mul_(2)
    h.detach().t().mul_(3)
    return h


def through_stretched_memory(a):
    whole = mg.zeros(2, 2, 3)
    whole += a
    whole.view(-1)[::4].copy_(a[0])
    return whole


def through_a_function_on_a_view(a):
    h = a * 1
    Squared.apply(h[0])
    return h


def before_a_gradient_of_a_gradient(a):
    h = a * 1
    h[0].mul_(a[1])
    (gradient,) = mg.autograd.grad((h**3).sum(), a, create_graph=True)
    return gradient * gradient


IN_PLACE = [
    through_masks_and_indices, through_parts_that_are_not_recorded, through_what_was_turned, through_stretched_memory,
    through_a_function_on_a_view, before_a_gradient_of_a_gradient,
]  # fmt: skip


@pytest.mark.parametrize("program", IN_PLACE, ids=lambda program: program.__name__)
def test_a_change_in_place(program):
    a = mg.tensor([[1.0, -2.0, 0.5], [-1.5, 3.0, 2.5]], requires_grad=True)
    with record() as run:
        out = program(a).sum()
        out.backward()
    check(run, a_grad=a.grad, out=out)
    check(run, True, a_grad=a.grad, out=out)


def test_what_is_squared_in_place_is_given_as_it_was():
    x = mg.tensor([1.0, -2.0])
    with record() as run:
        x.square_()
        y = x * 2
    assert check(run, y=y).run(x=np.array([3.0, 4.0]))["y"].tolist() == [18.0, 32.0]


def test_a_sign_that_is_turned_over_in_place_is_no_difference():
    x = mg.tensor([1.0, -2.0])
    with record() as run:
        x.neg_()
        y = x * 2
    assert run.program().run(x=np.array([3.0, 4.0]))["y"].tolist() == [-6.0, -8.0]
    assert "x[...] = -x " in str(check(run, y=y))


@pytest.mark.parametrize("through_a_view", [False, True])
def test_what_was_made_before_the_block_may_be_changed_in_it(through_a_view):
    w = mg.tensor([1.0, 2.0], requires_grad=True)
    h = w * 3
    changed = h[:1] if through_a_view else h
    with record() as run:
        changed.mul_(2)
        (h * h).sum().backward()
    check(run, w_grad=w.grad)


def test_a_view_that_was_written_to_is_called_as_before():
    w = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with record() as run:
        part = (w * 2)[:2]
        part.mul_(10)
        part.mul_(10)
        part.sum().backward()
    check(run, w_grad=w.grad)
    labels = [node["label"] for node in run.trace["nodes"]]
    assert [label[:5] for label in labels if label[:4] == "part"] == ["part ", "part₂", "part₃", "part₄", "part₅"]
    assert not any("shares" in frame["say"] for frame in run.trace["frames"])


def test_a_run_is_stepped_through_even_if_its_program_cannot_be_written(monkeypatch):
    monkeypatch.setattr(forward, "apply", lambda *given: 1 / 0)
    w = mg.tensor(2.0, requires_grad=True)
    with record() as run:
        (w * w).backward()
    with pytest.raises(ValueError, match="could not be computed again, line by line") as stopped:
        run.program()
    assert type(stopped.value.__cause__) is ZeroDivisionError
    assert run.trace["program"] == {
        "why_not": "There is no program of this run: what ran could not be computed again, line by line."
    }


@pytest.mark.parametrize("numbers", [[1.0, 2.5], [3.0, np.inf]])
def test_two_results_of_the_same_number_are_two(numbers):
    """A number that NumPy keeps as such has no memory: nothing may be found there."""
    x, k = (mg.tensor(numbers, requires_grad=True) for _ in range(2))
    with record() as run:
        a = x.sum()
        b = k.sum()
        c = a * b
        c.backward()
    assert "c = a * b" in str(run.program())
    assert run.program().run(x=[1.0, 1.0], k=[3.0, 3.0])["c"] == 12
    multiply = next(line for line in run.trace["live"]["lines"] if line[0] == "multiply")
    assert len(set(multiply[2])) == 2  # nor does the page, where a number is moved


def test_a_comparison_of_comparisons_is_no_chain():
    x, k = mg.tensor([1.0, -1.0]), mg.tensor([1.0, 2.0])
    with record() as run:
        y = (x > 0) == (k > 0)
        s = (x.sum() > -1) != (k > 0)
    assert "y = (x > 0) == (k > 0) " in str(check(run, y=y, s=s))


def test_a_number_that_has_its_type_already_is_not_converted():
    z, w = mg.tensor([1.3 + 0.7j]), mg.tensor([0.1 - 2.3j])
    with record() as run:
        y = z * w
    assert str(check(run, y=y)).splitlines()[5:] == ["y = z * w  # z * w"]


@pytest.mark.parametrize("number", [0.9, [0.9]])
@pytest.mark.parametrize("forgets", [True, False])
def test_what_data_was_set_from_follows_the_number_that_it_was(number, forgets):
    def trained(w):
        for _ in range(2):
            (w * w * w).sum().backward()
            w.data = w.data - 0.1 * w.grad.data
            if forgets:
                w.grad = None
            else:
                w.grad.data.zero_()
        (w * w * w).sum().backward()

    w, v = mg.tensor(number, requires_grad=True), mg.tensor(number).add(0.5).requires_grad_()
    with record() as run:
        trained(w)
    written = run.program()
    assert [*written.inputs] == ["w"] and "lines" in run.trace["live"]
    for given, leaf in ((w * 0 + mg.tensor(number), w), (mg.tensor(number).add(0.5), v)):
        if leaf is v:
            trained(v)
        found = written.run(w=given.detach().numpy())
        last = max((name for name in found if name.startswith("w_grad")), key=lambda name: (len(name), name))
        assert same(found[last], leaf.grad.numpy()), written


def test_a_program_says_that_iterations_came_after_it():
    for kept, is_said in (2, True), (5, False):
        w = mg.tensor([1.0, 2.0], requires_grad=True)
        with record(iterations=range(1, kept + 1)) as run:
            for _ in range(5):
                (w * w).sum().backward()
                with mg.no_grad():
                    w -= 0.25 * w.grad
                w.grad = None
        assert ("after its last line came iterations of which only the loss was kept" in str(run.program())) is is_said
        assert run.program().run()["w"].tolist() == [0.5**kept, 2 * 0.5**kept]
