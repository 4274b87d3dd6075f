"""Views, and what changes through them, their base or their leaf: each small program answers as in PyTorch."""

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, recorded


def leaf(m):
    return m.tensor([[0.5, 2.0], [0.25, 1.0]], dtype=m.float64, requires_grad=True)


def through_a_view(twin: str):
    """The operation saves its result, whose version moves once, although base and view are both written anew."""

    def program(m):
        x = leaf(m)
        y = x * 1
        view = y[:1]
        getattr(view, twin)()
        (y * y).sum().backward()
        return [y.tolist(), x.grad.tolist(), y._version, y.grad_fn.name(), view.tolist()]

    return program


def frozen_afterwards(m):
    x, w = leaf(m), leaf(m)
    y = (x * w).sum()
    x.requires_grad_(False)
    y.backward()
    return [x.grad is None, w.grad.tolist()]


def one_of_several_views_of_a_changed_base(m):
    y = leaf(m) * 1
    first = y.unbind()[0]
    y.mul_(2)
    return first.grad_fn


def one_of_several_views_used_after_a_change(m):
    y = leaf(m) * 1
    first, second = y.split(1)
    y[1].zero_()
    return (first * 2).sum()


def an_unrecorded_view_of_a_changed_base(m):
    y = leaf(m) * 1
    with m.no_grad():
        view = y[0]
    y.mul_(2)
    return view.grad_fn


def an_unrecorded_view_requires_grad(m):
    y = leaf(m) * 1
    with m.no_grad():
        view = y[0]
    return [view.requires_grad, view.is_leaf, (view * 2).requires_grad]


def a_base_that_comes_to_require_grad(m):
    base = m.zeros(2, 2)
    view = base.view(4)
    base.requires_grad_()
    return [view.requires_grad, (view * 2).requires_grad]


def parts_of_complex_numbers(m):
    found = []
    for part in ("real", "imag"):
        z = m.tensor([1 + 2j, 3j], dtype=m.complex128, requires_grad=True)
        y = z * 1
        view = getattr(y, part)
        view.mul_(2)
        y.abs().sum().backward()
        found.append([str(y.detach()), str(z.grad), view._is_view(), view._base is y, view._version])
    return found


def views_of_inference_tensors(m):
    with m.inference_mode():
        x = m.ones(2, 2)
    return [x.t().is_inference(), x[0].tolist(), x.detach().is_inference(), (x.view(4) + 1).is_inference()]


def contiguous_copies(m):
    x = leaf(m)
    y = x.t().contiguous()
    return [y._is_view(), y.grad_fn.name(), y.stride(), x.contiguous() is x]


def integers_carry_no_gradient(m):
    x = leaf(m)
    found = [x.long(), x.bool(), x.to(m.int32), x.type(m.int64)]
    return [[one.requires_grad, one.tolist()] for one in found]


def everything_of_a_leaf(m):
    leaf(m)[...] = 0


def a_part_of_a_leaf(m):
    leaf(m)[0] = 0


def more_dimensions_than_there_are(m):
    return m.ones(2, 2).copy_(m.ones(1, 2, 2))


NUMBERS = """
s.index_add_(0, i, s * 3)   s.index_select(0, i)
s.gather(0, i[0])
s.gather(0, i)   s.unbind(0)   s.split(1)   s.chunk(2)   s.flip(0)   s.cumsum(0)   s.diagonal()   m.ones(3).diagonal()
s.sort()[1]   s.topk(1)[0]   s.squeeze()   s.t()   s.max(0)[1]   s.repeat(2)   s.expand(2)   s.flatten()   s.view(1, 1)
"""


def of_a_number(expression: str):
    """Operations along a dimension, of a tensor that has none."""
    return lambda m: eval(expression, {"m": m, "s": m.tensor(2.0), "i": m.tensor([0])})


def rearranged(call: str, take: str, change: str):
    """A base that is rearranged in place has views from before; then the memory is changed."""

    def question(m):
        w = m.ones(1, 3, requires_grad=True)
        x = m.arange(3.0).reshape(1, 3) * w
        v = eval(take, {"x": x})
        eval(f"x.{call}", {"x": x})
        eval(change, {"x": x, "v": v})
        found = [x.detach(), v.detach(), x._version, x.grad_fn.name()]
        for out in (x, v):
            found += m.autograd.grad((out * out).sum(), w, retain_graph=True)
        return found

    return question


REARRANGEMENTS = "t_() transpose_(0,1) unsqueeze_(0) unsqueeze_(dim=-1) squeeze_() squeeze_(0) squeeze_((0,))".split()
TAKEN = "x[0] x.t()[1] x.view(-1)[1:] x.unsqueeze_(0)[0,0]".split()
CHANGES = "x.mul_(3) v.mul_(3) x.view(-1)[:2].mul_(3) v.add_(x.sum())".split()


def of_lines(lines: str):
    """A program as text; `found` is what it answers."""

    def question(m):
        def leaf(*values):
            return m.tensor(values, dtype=m.float64, requires_grad=True)

        class Double(m.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                return 2 * g * ctx.saved_tensors[0]

        def off(call):
            return m.no_grad()(call)()

        def inferring(call):
            return m.inference_mode()(call)()

        names = {"m": m, "off": off, "inferring": inferring, "leaf": leaf, "Double": Double}
        names |= {"a": m.arange(1.0, 10.0).reshape(3, 3), "found": []}
        exec(lines.strip(), names)
        return names["found"]

    return question


# w: a leaf, x: made of it, v: a view of x whose history is stale, because x was changed since
STALE = [f"w = leaf(1.0); x = w * m.ones(3); v = x[1:]; x.mul_(3); {lines}; found += [w.grad]" for lines in """
v.backward(m.ones(2).double())
found += m.autograd.grad(v, w, m.ones(2).double())
found += m.autograd.grad(v * 2, v, m.ones(2).double())
v.retain_grad(); (v * 2).sum().backward(); found += [v.grad, v.retains_grad]
e = m.autograd.graph.get_gradient_edge(v); found += m.autograd.grad((v * 2).sum(), e)
Double.apply(v).sum().backward()
g, = m.autograd.grad(Double.apply(v).sum(), w, create_graph=True); g.backward()
m.utils.checkpoint.checkpoint(lambda z: z * z, v, use_reentrant=False).sum().backward()
m.autograd.graph.register_multi_grad_hook((v,), found.extend); (v * 2).sum().backward()
(v * 2).sum().backward(inputs=[v]); found += [v.grad]
m.autograd.backward([v, v * v], [m.ones(2).double()] * 2)
x.requires_grad_(); v.sum().backward()
v.requires_grad_(); v.sum().backward()
x.requires_grad = True
""".strip().split("\n")]  # fmt: skip
# x: a base that asks for its gradient after its view v was taken; p: a normal tensor, i: one of inference mode
LATE = [f"x = m.ones(3); v = x[1:]; o = x.unbind(); {lines}" for lines in """
x.requires_grad_(); found += [v.requires_grad, v.is_leaf, o[0].requires_grad]
x.requires_grad_(); y = v * 2; y.sum().backward(); found += [y.requires_grad, v.grad, x.grad]
x.requires_grad_(); v.backward(m.ones(2))
x.requires_grad_(); m.autograd.grad((v * 2).sum(), v)
x.requires_grad_(); v.retain_grad(); v.register_hook(lambda g: 1 / 0); (v * 2).sum().backward(); found += [v.grad]
x.requires_grad_(); v.mul_(2)
x.mul_(leaf(2.0).float()); v.numpy()
x.mul_(leaf(2.0).float()); v.mul_(3)
x.mul_(leaf(2.0).float()); found += [o[0].requires_grad]; o[0] * 2
x.mul_(leaf(2.0).float()); v.register_post_accumulate_grad_hook(print)
x.mul_(leaf(2.0).float()); found += ["Invalid" in str(o[0]), "grad_fn" in str(v)]
""".strip().split("\n")]  # fmt: skip
FORBIDDEN = """
y = leaf(1, 2) * 1; o = off(lambda: y.unbind()); found += [o[0].requires_grad]; o[0].mul_(3)
y = leaf(1, 2) * 1; o = off(lambda: y.split(1)); o[0].mul_(3)
y = leaf(1, 2) * 1; o = off(lambda: y.chunk(2)); y.mul_(3); o[0] * 2
y = leaf(1, 2) * 1; o = y.unbind(); o[0].unsqueeze(0).mul_(2)
y = leaf(1, 2) * 1; o = off(lambda: y.view(1, 2)); o[0].mul_(2)
y = leaf(1, 2) * 1; o = off(lambda: y.view(1, 2)); o.unbind()[0].mul_(2)
y = leaf(1, 2) * 1; o = inferring(lambda: y.view(1, 2)); o.mul_(2)
y = leaf(1, 2) * 1; o = inferring(lambda: y.view(1, 2)); y.mul_(2); o * 2
y = leaf(1, 2) * 1; o = inferring(lambda: y.unbind()); o[0].mul_(2)
x = leaf(1, 2); off(lambda: x.numpy().fill(5)); found += [x]
x = leaf(1, 2); i = m.tensor([1]); (x[i] ** 2).sum().backward(create_graph=True); i.add_(0); x.grad.sum().backward()
y = leaf(1, 2, 3) * 1; v = off(lambda: y[1:]); s = v.as_strided((1,), (1,)); s.mul_(2)
y = leaf(1, 2, 3) * 1; v = y[1:].as_strided((2,), (1,)); v.sum().backward(); found += [v]
v = a[1:]; v[..., 0] += leaf(1).float(); v.sum().backward(); found += [a, v]
v = a[1:]; a.mul_(leaf(2).float()); v[v > 0] = 3
y = leaf(1, 2) * 1; z = y * y; y.detach_(); z.sum().backward()
y = leaf(1, 2) * 1; z = y.exp(); q = z * 2; z.detach_(); q.sum().backward(); found += [z.requires_grad, z._version]
y = leaf(1, 2) * 1; inferring(lambda: y.detach_()); inferring(lambda: y[:1].detach_()); found += [y.requires_grad]
x = leaf(1, 2); v = x[:1]; x.requires_grad_(False); x.mul_(2); v.sum().backward(); found += [v.requires_grad, x.grad]
w = leaf(1); x = w * 1; v = x[:1]; x.detach_(); x.mul_(2); v.sum().backward(); found += [v.is_leaf, w.grad]
a.t_(); a.diagonal().fill_(7); a[0, 0].mT; found += [a]
y = leaf(1, 2).view(1, 2) * 1; off(lambda: y.t_()); found += [y.requires_grad, y._version]
""".strip().split("\n")  # fmt: skip
INFERENCE = [
    f"p = leaf(1.0, 2.0); q = p * 1\nwith m.inference_mode(): i = m.ones(2).double(); {lines}\n"
    "found += [[one.is_inference(), one.requires_grad] for one in [p, q, i, r, *s]]\n"
    "found += [p, q._version, r._is_view()]" for lines in """
q.fill_(1); r = q[0]; s = q.unbind()
p.mul_(2); r = p * 2; s = [p.detach(), p.data, p.view(-1), p.clone(), p.float(), i.detach(), i.data]
q.copy_(i); i.copy_(q); q.add_(i); i.add_(q); i[0] = q[0]; q[1] = i[1]; r = q.expand(2, 2); s = [r.sum()]
r = i[0]; s = [i.view(1, 2), i.contiguous(), m.nn.Linear(1, 1).weight, m.from_numpy(a.numpy()), i.sort()[0]]
q.normal_(); q.uniform_(); m.nn.functional.relu_(q); q.unsqueeze_(0); p.zero_(); r = q; s = m.sort(q)
""".strip().split("\n")
]  # fmt: skip
MEMORY = """
a.diagonal().fill_(2); a.diagonal(1)[0] = 7; a.diagonal().mul_(a.diagonal()); found += [a]
x = m.ones(1); x.expand(3)[0] = 5; x.expand(1).mul_(2); x.expand_as(a)[:1, 0] += 1; found += [x]
x = m.ones(3); y = x.expand_as(a); y.fill_(3); y[0].mul_(2); y[0] = 2.5; y.zero_(); y[y == 0] = 4; found += [x]
m.ones(3).expand(2, 3).mul_(2)
m.ones(3).expand(2, 3).detach().add_(1)
m.ones(3).expand(2, 3)[:] = m.ones(3)
m.ones(3).expand(2, 3)[:, 0] = 2.0
m.ones(3).expand(2, 3).normal_()
m.ones(3).expand(2, 3).scatter_(0, m.tensor([[0]]), 3.0)
y = m.einsum("ii->i", a); y.fill_(0); y += 1; found += [a]
y = leaf(1, 2) * 1; y.expand(1, 2)[0].mul_(3); y.sum().backward(); found += [y]
a[1:] = a[:-1]
a[1:].add_(a[:-1])
a[1:].copy_(a[:-1])
a.add_(a[1])
a.add_(a.t())
a[0].sub_(a[0, 1:2])
a[0].index_add_(0, m.tensor([0]), a[0, :1])
a[0].index_add_(0, m.tensor([0, 1, 2]), a[0])
a[0].scatter_(0, m.tensor([0]), a[0, :1])
a[0][m.tensor([0, 2])] = a[0, :2]
a[0].index_put_((m.tensor([0]),), a[0, :1])
a.mul_(a); a.add_(a.detach()); a.copy_(a[:]); found += [a]
a[:2].add_(a[1:, :2].sum()); a[:, 0] = a[:, 1]; a[0].sub_(a[:, 0]); found += [a]
a.diagonal().sub_(a[0]); a[1:, 1:].sub_(a[:2, :1]); found += [a]
a[1:] = a[0]; a[0, 1:] = a[0, 2]; a[0].fill_(a[0, 1]); a[:2] = a[2:]; found += [a]
y = leaf(1, 2, 3); h = m.autograd.functional.hessian(lambda x: (x.narrow(0, -2, 2) ** 3).sum(), y); found += [h]
x = leaf(1, 2, 3); y = x.narrow(-1, m.tensor(-2), 2); (y * y).sum().backward(); found += [y, x.grad, x.narrow(0, 3, 0)]
a.narrow(0, -5, 2)
a.narrow(0, 1, -1)
a.narrow(0, 4, 0)
a.narrow(0, 2, 2)
a.narrow(2, 1, 1)
a.sum().narrow(0, 0, 1)
""".strip().split("\n")  # fmt: skip
SHARING = """
a.flip(0) a.repeat_interleave(1) a.repeat_interleave(2,1)
a.diff(n=0) a.t() a.T a.mT a.reshape(-1)
a.T.reshape(-1) a.ravel() a.flatten() a.view(9) a.squeeze() a.unsqueeze(0) a.expand(2,3,3)
a.expand_as(a) a.repeat(1,1) a.tile(1) a.narrow(0,1,2) a.select(0,1) a.unbind()[0] a.split(2)[1] a.chunk(2)[0]
a.diagonal() a.diag() a.tril() a[0] a[[0]] a[a>0] a[:] a[...] a[None] a.movedim(0,1)
a.swapaxes(0,1) a.unfold(0,2,1) a.as_strided((2,),(2,)) a.clone() a.detach() a.contiguous() a.T.contiguous()
a.to(m.float32) a.double() a.float() a.abs() a.clamp() a.relu() a.sum(()) a.roll(0) a.cumsum(0)
a.index_select(0,m.tensor([0,1,2])) a.gather(0,m.tensor([[0]])) a[0,0].gather(0,m.tensor([0])) a[0,0].max(0)[0]
a[0,0].sort()[0] a[0,0].median(0)[0] m.cat([a]) m.stack([a])[0] m.hstack([a])
m.atleast_2d(a) m.broadcast_to(a,(3,3)) m.meshgrid(a[0])[0] m.where(a>0,a,a)
m.nn.functional.dropout(a,0.0) m.nn.functional.dropout(a,0.5,False) m.nn.functional.pad(a,(0,0))
m.einsum("ij->ji",a) m.einsum("ij->ij",a) m.einsum("ii->i",a)
m.nn.Identity()(a) m.nn.Flatten(0)(a) m.as_tensor(a) m.from_numpy(a.numpy()) a.data
m.nn.functional.avg_pool2d(a[None],1) m.nn.functional.max_pool2d(a[None],1) m.real(a) a.conj() m.triu(a,-9)
a.permute(0,1) a.view_as(a) a.reshape_as(a) a.type(m.float32) a.round() a.masked_select(a>0)

""".split()


def shared(expression: str):
    """Whether a result is its input, is a view, and changes with the input."""

    def question(m):
        a = m.arange(9.0).reshape(3, 3).clone()
        out = eval(expression, {"m": m, "a": a})
        before = out.tolist()
        a.add_(1)
        return [out is a, out._is_view(), out._base is a, out.tolist() != before]

    return question


PROGRAMS = (
    frozen_afterwards, one_of_several_views_of_a_changed_base, one_of_several_views_used_after_a_change,
    an_unrecorded_view_of_a_changed_base, an_unrecorded_view_requires_grad, a_base_that_comes_to_require_grad,
    parts_of_complex_numbers, views_of_inference_tensors, contiguous_copies, integers_carry_no_gradient,
    everything_of_a_leaf, a_part_of_a_leaf, more_dimensions_than_there_are,
)  # fmt: skip
SAVE_THEIR_RESULT = "tanh_ sigmoid_ exp_ sqrt_ rsqrt_ reciprocal_ relu_ exp2_ expm1_ tan_".split()
QUESTIONS = (
    {one.__name__: one for one in PROGRAMS}
    | {f"{twin} through a view": through_a_view(twin) for twin in SAVE_THEIR_RESULT}
    | {
        f"v={take} x.{call} {change}": rearranged(call, take, change)
        for call in REARRANGEMENTS
        for take in TAKEN
        for change in CHANGES
        if not ("_" in take and call in ("t_()",))  # of three dimensions
    }
    | {one: of_lines(one) for one in STALE + LATE + FORBIDDEN + INFERENCE + MEMORY}
    | {one: shared(one) for one in SHARING}
    | {one: of_a_number(one) for line in NUMBERS.split("\n") for one in line.split("   ") if one}
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", QUESTIONS)
def test_it_is_pytorchs(name):
    found = answer(QUESTIONS[name], mg)
    if "raises" in found:
        found["raises"][1] = found["raises"][1].partition("\n")[0]  # the rest names the variable
    assert_same(found, recorded("views")[name])


def test_a_view_from_before_as_strided_in_place_is_refused_after_a_change():
    x = mg.arange(6.0).requires_grad_() * 2
    view = x[1:]
    x.as_strided_((2,), (1,)).mul_(3)
    with pytest.raises(RuntimeError, match=r"Take the view anew after as_strided_\(\)"):
        view.sum().backward()


def test_a_tangent_is_rearranged_with_its_tensor():
    with mg.autograd.forward_ad.dual_level():
        x = mg.autograd.forward_ad.make_dual(mg.ones(2, 3), mg.arange(6.0).reshape(2, 3))
        assert mg.autograd.forward_ad.unpack_dual(x.t_() * 2).tangent.tolist() == [[0, 6], [2, 8], [4, 10]]


def test_what_is_not_recorded_asks_for_no_history():
    """A view of several whose base was changed has none that could be taken; its numbers can be read all the same."""
    y = mg.ones(2, requires_grad=True) * 1
    first, _ = y.unbind()
    y.mul_(3)
    with mg.no_grad():
        assert [(first + 1).item(), (first + first).item(), mg.stack([first])[0].item()] == [4, 6, 3]
    with pytest.raises(RuntimeError, match="its base or another view of its base has been modified"):
        first + 1


@pytest.mark.parametrize("change", ["add_(1)", "add_(mg.tensor(1.0))", "zero_()", "exp_()"])
def test_the_short_way_changes_no_view_that_must_not_be_changed(change):
    y = mg.ones(2, requires_grad=True) * 1
    with mg.no_grad():
        view = y[0]
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and is being modified inplace"):
        eval(f"view.{change}", {"view": view, "mg": mg})
    assert y.tolist() == [1.0, 1.0]
