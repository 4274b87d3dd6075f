"""The same program on both engines is told in the same words: whatever the stepper says, it says of PyTorch, too."""

import contextlib
import functools
import linecache
import re

import pytest

import minigrad
import minigrad.nn
import minigrad.optim
from widgets import record
from widgets.program.draft import NoProgram

torch = pytest.importorskip("torch")
pytest.importorskip("torch.utils.checkpoint")

PROGRAMS = {
    "a value used three times": """
a = m.tensor(2.0, requires_grad=True)
b = a * a + a
c = b.sin() * a
c.backward()
""",
    "a matrix, a vector and a number": """
x = m.tensor([[1.,2.],[3.,4.]]); w = m.tensor([.5,-1.], requires_grad=True); b=m.tensor(0.1, requires_grad=True)
y = (x * w + b).tanh()
loss = y.mean()
loss.backward()
""",
    "a net trained for a step": """
m.manual_seed(0)
net = m.nn.Sequential(m.nn.Linear(2,3), m.nn.ReLU(), m.nn.Linear(3,1))
x = m.tensor([[1.,2.],[3.,4.]])
opt = m.optim.SGD(net.parameters(), lr=0.1)
loss = ((net(x) - 1)**2).mean()
opt.zero_grad()
loss.backward()
opt.step()
loss = ((net(x) - 1)**2).mean()
opt.zero_grad()
loss.backward()
""",
    "a loop of three updates by hand": """
w = m.tensor(1.0, requires_grad=True)
for i in range(3):
    loss = (w * 2 - 1)**2
    loss.backward()
    with m.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
""",
    "mailboxes that are emptied, and not": """
w = m.tensor([1.0,2.], requires_grad=True)
(w*2).sum().backward()
w.grad.zero_()
(w*3).sum().backward()
(w*w).sum().backward()
""",
    "each value once": """
x = m.tensor([1.0, 2.0, 1.0], requires_grad=True)
y = x.detach().unique()
loss = (x * y.sum()).sum()
loss.backward()
""",
    "changes in place": """
a = m.tensor([1.0,2.], requires_grad=True)
b = a * 2
b.mul_(3)
b += a
loss = b.sum()
loss.backward()
""",
    "a detached branch, and numbers made under no_grad": """
a = m.tensor(2.0, requires_grad=True)
b = a * 3
c = b.detach()
d = b * c
d.backward()
with m.no_grad():
    e = a * 2
f = a * e
f.backward()
""",
    "two backwards through one graph": """
a = m.tensor(2.0, requires_grad=True)
b = a ** 3
b.backward(retain_graph=True)
b.backward()
""",
    "autograd.grad": """
a = m.tensor(2.0, requires_grad=True); x = m.tensor(3.0, requires_grad=True)
b = a * x * a
g = m.autograd.grad(b, [a])
""",
    "hooks of all kinds": """
a = m.tensor(2.0, requires_grad=True)
b = a * 3
def twice(g): return g * 2
b.register_hook(twice)
a.register_hook(lambda g: g + 1)
b.retain_grad()
a.register_post_accumulate_grad_hook(lambda p: None)
c = b * b
c.backward()
""",
    "hooks of nodes": """
a = m.tensor([2.0, 1.0], requires_grad=True)
s = m.tensor(3.0, requires_grad=True)
def double(sent, arrived): return tuple(2 * one for one in sent)
def look(sent, arrived): pass
def more(arrived): return (arrived[0] + 1,)
b = a * s
b.retain_grad()
c = b.sin()
c.grad_fn.register_hook(double)
b.grad_fn.register_prehook(more)
b.grad_fn.register_hook(look)
b.grad_fn.register_hook(lambda sent, arrived: None)
leaf = b.grad_fn.next_functions[0][0]
leaf.register_prehook(more)
leaf.register_hook(look)
c.sum().backward()
""",
    "a hook of a node with several results": """
a = m.tensor([2.0, 1.0, 3.0, 4.0], requires_grad=True)
x, y = a.chunk(2)
x.grad_fn.register_prehook(lambda arrived: (arrived[0] * 10, None))
x.sum().backward()
""",
    "the largest of windows, and of rows": """
a = m.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
loss = m.nn.functional.max_pool2d(a, 2).sum() + a.max(3)[0].sum()
loss.backward()
""",
    "a Function of one's own": """
class Cube(m.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 3 * x * x * g
a = m.tensor(2.0, requires_grad=True)
b = Cube.apply(a * 1.5)
c = b * 2
c.backward()
""",
    "cross entropy": """
z = m.tensor([[1.,2.,3.],[1.,0.,-1.]], requires_grad=True)
t = m.tensor([2, 0])
loss = m.nn.functional.cross_entropy(z, t)
loss.backward()
""",
    "Adam in a loop": """
m.manual_seed(0)
net = m.nn.Linear(2,1)
opt = m.optim.Adam(net.parameters(), lr=0.1)
x = m.ones(3,2)
for i in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
""",
    "a module of one's own": """
class Net(m.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = m.nn.Linear(2, 2)
        self.fc2 = m.nn.Linear(2, 1)
    def forward(self, x):
        h = m.relu(self.fc1(x))
        return self.fc2(h)
m.manual_seed(0)
net = Net()
x = m.ones(1,2)
y = net(x)
loss = (y - 2).abs().sum()
loss.backward()
""",
    "a frozen layer": """
m.manual_seed(0)
net = m.nn.Sequential(m.nn.Linear(2,2), m.nn.Tanh(), m.nn.Linear(2,1))
net[0].weight.requires_grad_(False)
loss = net(m.ones(1,2)).sum()
loss.backward()
""",
    "dropout": """
m.manual_seed(0)
w = m.tensor([1.,2.,3.], requires_grad=True)
y = m.nn.functional.dropout(w, 0.5)
y.sum().backward()
""",
    "joined, parted and picked": """
a = m.tensor([1.,2.], requires_grad=True); b = m.tensor([3.,4.], requires_grad=True)
c = m.stack([a,b]); d = m.cat([a,b,a])
x, y = d.chunk(2)
loss = (c.max() + x.sum() + (c @ a).sum()) * y.prod()
loss.backward()
""",
}


def recorded(m, text, file):
    """A program as if it stood in a notebook's cell."""
    name = str(file)
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    with record(keep_errors=True) as run:
        exec(compile(text, name, "exec"), {"m": m, "__name__": "__main__"})
    return run


def told(run):
    """All that a person is shown, in words."""
    document = run.trace
    frames = [(frame["kind"], frame.get("at"), frame["say"], frame.get("equation")) for frame in document["frames"]]
    nodes = [(node["label"], node["kind"], node.get("type"), node.get("rules")) for node in document["nodes"]]
    edges = [(edge["from"], edge["to"]) for edge in document["edges"]]
    groups = [(group["name"], group["kind"]) for group in document["groups"]]
    asked = [[one["question"] for one in frame.get("ask", [])] for frame in document["frames"]]
    return {"frames": frames, "nodes": nodes, "edges": edges, "groups": groups, "asked": asked}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_engines_are_told_alike(name, tmp_path):
    one, other = (told(recorded(m, PROGRAMS[name], tmp_path / "program.py")) for m in (minigrad, torch))
    for what in one:
        assert other[what] == one[what]
    assert one["frames"]


def sentences(text, tmp_path):
    return [frame["say"] for frame in recorded(torch, text, tmp_path / "program.py").trace["frames"]]


def test_a_change_through_a_view(tmp_path):
    said = sentences(
        """
a = m.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = a * 2
b[0].mul_(5)
loss = (b * b).sum()
loss.backward()
""",
        tmp_path,
    )
    assert "b₂ = CopySlices(b) = [10, 4, 6]." in said
    assert any("b receives CopySlices(∂loss/∂b₂) = [100, 8, 12]" in one for one in said)
    assert any("A part of b₂ was written over in place: there the gradient goes through" in one for one in said)


def test_a_hook_of_a_node_is_told_by_name_with_what_it_left(tmp_path):
    said = sentences(PROGRAMS["hooks of nodes"], tmp_path)
    saw, kept = "[0.9602, -0.99]", "[1.92, -1.98]"
    assert f"SinBackward0, which made c, saw what it sends, {saw}, and replaced it by {kept}." in "".join(said)
    assert f"b receives what the hook left of ∂v1/∂c · cos(b): {kept}." in said
    assert "The hook more() on b saw [1.92, -1.98] and replaced it by [2.92, -0.98]." in said
    assert "The hook look() hears that a.grad was filled." in said


def test_hooks_of_nodes_do_what_they_do_unrecorded(tmp_path):
    left = []
    for watched in (contextlib.nullcontext(), record()):
        space = {"m": torch}
        with watched:
            exec(PROGRAMS["hooks of nodes"], space)
        left.append((space["a"].grad, space["b"].grad, space["s"].grad))
    assert all(map(torch.equal, *left))
    for name in "bc":  # and they are called again afterwards, in their order
        assert all(not isinstance(hook, functools.partial) for hook in hooks_of(space[name].grad_fn))
    assert [getattr(hook, "__name__", "") for hook in hooks_of(space["b"].grad_fn)] == ["look", "<lambda>"]


def hooks_of(node):
    handle = node.register_hook(lambda *given: None)
    hooks = handle.hooks_dict_ref()
    handle.remove()
    return list(hooks.values())


def test_an_error_is_told_with_what_the_run_knows(tmp_path):
    again = "a = m.tensor(2.0, requires_grad=True)\nb = a * a\nb.backward()\nb.backward()\n"
    assert "MulBackward0, which made b, let go of what it had saved" in sentences(again, tmp_path)[-1]
    changed = "a = m.ones(2, requires_grad=True)\nb = a.exp()\nc = b * b\nb.add_(1)\nc.sum().backward()\n"
    assert (
        "MulBackward0, which made c, had saved the value of before; then `b.add_(1)` changed it."
        in (sentences(changed, tmp_path)[-1])
    )


def test_the_data_of_a_leaf_is_replaced(tmp_path):
    said = sentences("w = m.tensor(1.0, requires_grad=True)\nv = w * 2\nw.data = w.data * 3\nv = w * 2\n", tmp_path)
    assert any("changed w in place: 1 → 3" in one for one in said)


def test_a_forward_that_nobody_heard_is_read_from_its_graph(tmp_path):
    a = torch.tensor(2.0, requires_grad=True)
    b = a.sin()
    c = b * a
    with record() as run:
        c.backward()
    said = [frame["say"] for frame in run.trace["frames"]]
    assert "b = sin(a) = sin(2) = 0.9093." in said and "c = b * a = 0.9093 * 2 = 1.819." in said
    assert "a receives ∂c/∂b · cos(a) = 2 × (-0.4161) = -0.8323." in said


def test_where_no_row_is_known_there_are_still_numbers():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        y = torch.special.i0(x)
        y.sum().backward()
    said = [frame["say"] for frame in run.trace["frames"]]
    assert "y = i0(x) = [1.266, 2.28]." in said
    assert any("Of I0Backward0 no formula is known here" in one for one in said)
    assert any(one.startswith("x receives I0Backward0(∂v1/∂y)") and "[0.5652, 1.591]" in one for one in said)


def test_names_and_results_for_pytorchs_own_use_are_not_told():
    x = torch.tensor([[2.0, 1.0], [0.0, 3.0]], requires_grad=True)
    with record() as run:
        once, counts = x.detach().unique(return_counts=True)
        det, far, of_two = torch.linalg.det(x), torch.cdist(x, x), torch.linalg.solve(x, x)
        (det + far.sum() + of_two.sum()).backward()
    told = [frame["say"] for frame in run.trace["frames"] if frame["kind"] == "made"]
    assert told[0].startswith("once, counts = unique(")
    assert told[1:3] == ["det = linalg_det(x) = 6.", "far = cdist(x, x) = [[0, 2.828], [2.828, 0]]."]
    assert told[3] == "of_two = solve(x, x) = [[1, 0], [0, 1]]."


def test_half_precision_and_large_tensors_are_told():
    half = torch.tensor([1.0, 2.0], dtype=torch.bfloat16, requires_grad=True)
    large = torch.randn(300, 300, requires_grad=True)
    with record() as run:
        ((half * 3).sum() + (large * large).mean()).backward()
    assert half.grad.tolist() == [3, 3]
    document = run.trace
    assert any(value.get("shape") == [300, 300] for value in document["values"] if isinstance(value, dict))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no device")
def test_a_device():
    w = torch.tensor([1.0, 2.0], device="cuda", requires_grad=True)
    with record() as run:
        (w * w).sum().backward()
    assert run.equations().endswith("w.grad = [2, 4]")


def test_its_numpy_program_computes_what_pytorch_did():
    w, x = torch.tensor([0.5, 1.0], requires_grad=True), torch.tensor([[3.0, 1.0], [2.0, 2.0]])
    with record() as run:
        loss = ((w * x).exp() ** 2).mean()
        loss.backward()
    space = {"w": w.detach().numpy(), "x": x.numpy()}
    exec(str(run.program()), space)
    assert space["w_grad"] == pytest.approx(w.grad.numpy())


@pytest.mark.parametrize("m", [minigrad, torch])
def test_its_numpy_program_begins_with_a_gradient_that_was_put_there(m):
    w = m.tensor([2.0, 1.0], requires_grad=True)
    with record() as run:
        b = w * 1
        b.retain_grad()
        (b * b).sum().backward()
        w.grad = m.ones_like(w)
        (w * 2).sum().backward()
    assert run.program().run()["w_grad_3"].tolist() == w.grad.tolist() == [3, 3]


@pytest.mark.parametrize("start", [2.0, [2.0, 1.0]])
def test_its_numpy_program_clips_a_gradient_too(start):
    w = torch.tensor(start, requires_grad=True)
    with record() as run:
        (w * w).sum().backward()
        torch.nn.utils.clip_grad_norm_([w], 1.0)
    *_, found = (one for name, one in run.program().run().items() if re.fullmatch(r"w_grad(_\d)?", name))
    assert found == pytest.approx(w.grad.numpy())


def test_its_numpy_program_is_given_what_was_drawn():
    torch.manual_seed(0)
    with record() as run:
        net = torch.nn.Linear(2, 1)
        net(torch.ones(3, 2)).squeeze().square().mean().backward()
    assert "# given: net_weight, float32 of shape (1, 2)" in str(run.program())
    assert run.program().run()["net_weight_grad"] == pytest.approx(net.weight.grad.numpy())


def test_its_numpy_program_steps_by_the_gradient_before_it_is_taken_away():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        for _ in range(2):
            (w * w).sum().backward()
            with torch.no_grad():
                w -= 0.25 * w.grad
            w.grad = None
    assert str(run.program()).count("# given: ") == 1  # w itself
    assert run.trace["live"].get("not") is None and run.program().run()["w"].tolist() == w.tolist() == [0.25, 0.5]


def test_what_minigrad_has_no_row_for_matters_where_it_is_read():
    w = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
    with record() as run:
        torch.histc(w.detach(), 2)
        (w * w).sum().backward()
    assert run.program().run()["w_grad"].tolist() == [2, 4, 8]
    assert run.trace["live"] == {"not": "not all that it does can be computed once more"}
    with record() as run:
        (w * torch.histc(w.detach(), 3)).sum().backward()
    with pytest.raises(NoProgram, match="histc is no operation of minigrad's"):
        run.program()


@pytest.mark.parametrize(
    "pick",
    [
        lambda y: y[y > 1.5],
        lambda y: y[y.argsort()[:2]],
        lambda y: y.index_select(0, y.argsort()[:2]),
        lambda y: torch.nn.functional.nll_loss(y[None].log_softmax(-1), y.argmax()[None]),
    ],
)
def test_a_live_page_goes_the_way_of_the_places_that_the_run_found(pick):
    w = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)
    with record() as run:
        pick(w * w).sum().backward()
    assert run.trace["live"]["decided"]
    assert run.program().run()["w_grad"] == pytest.approx(w.grad.numpy())


def test_its_numpy_program_picks_by_a_mask_that_it_computes():
    w = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)
    with record() as run:
        y = w * w
        y[y > 1.5].sum().backward()
    assert run.program().run(w=[3, 2, 0])["w_grad"].tolist() == [6, 4, 0]


def at(*numbers):
    return torch.tensor(numbers)


def written(y, place, value):
    y[place] = value
    return y


@pytest.mark.parametrize(
    "compute",
    [
        lambda w: written(w * 1, w > 1.5, at(7.0)),
        lambda w: written(torch.zeros(4), at(0, 2, 3), w * 1),
        lambda w: written(torch.zeros(3, 3), (at(0, 2, 1), at(1, 1, 0)), w * w),
        lambda w: written(torch.zeros(3, 3), (slice(None), at(1)), w[:, None]),
        lambda w: written(torch.zeros(3, 3), at(0, 1), w.sum()),
        lambda w: torch.zeros(4).index_put((at(0, 0, 3),), w, accumulate=True),
        lambda w: torch.zeros(4).scatter(0, at(1, 0, 3), w),
        lambda w: (w * 1).scatter_(0, at(1), 5.0),
        lambda w: torch.zeros(2).scatter_add(0, at(1, 0, 1), w),
        lambda w: torch.zeros(2, 3).index_add_(0, at(1, 1), torch.stack([w, w * 2])),
        lambda w: torch.zeros(2, 3).index_copy(0, at(1, 0), torch.stack([w, w * 2])),
        lambda w: torch.nn.functional.one_hot(at(1, 0), 3) * w,
        lambda w: torch.cat([w, w * 3]).median(),
        lambda w: torch.stack([w, w * 3]).median(1).values,
        lambda w: w.kthvalue(2).values,
        lambda w: w.norm(1),
        lambda w: torch.stack([w, w * 3]).norm(dim=1),
        lambda w: torch.stack([w, w * w], -1)[1] ** 3,
        lambda w: torch.stack([w, w * w]).index_select(-1, at(2, 0, 2)),
        lambda w: w.cummax(0).values,
        lambda w: torch.linalg.solve(torch.diag(w) + 1, w),
        lambda w: torch.linalg.solve(torch.diag_embed(torch.stack([w, w])) + 1, torch.stack([w, w])[..., None]),
        lambda w: torch.diag(w, 1),
    ],
)
def test_its_numpy_program_gives_the_numbers_of_the_run(compute):
    w = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)
    with record() as run:
        compute(w).square().sum().backward()
    assert run.program().run()["w_grad"] == pytest.approx(w.grad.numpy(), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    "compute",
    [
        lambda w: w.tanh(),
        lambda w: w.sigmoid(),
        lambda w: torch.relu(w) ** 2,
        lambda w: torch.nn.functional.leaky_relu(w, 0.1) ** 2,
        lambda w: torch.nn.functional.softplus(w, 2.0),
        lambda w: torch.nn.functional.mse_loss(w * w, torch.ones(2, 2)),
        lambda w: torch.nn.functional.mse_loss(w * w, w, reduction="sum"),
        lambda w: w.softmax(0) ** 2,
        lambda w: torch.nn.functional.cross_entropy(w * w, at(1, 0), weight=torch.tensor([1.0, 3.0])),
        lambda w: torch.nn.functional.cross_entropy(w * w, at(1, -100), reduction="sum"),
        lambda w: torch.nn.functional.cross_entropy(w * w, at(1, 0), reduction="none") ** 2,
        lambda w: w[0] ** 3,
        lambda w: w[:, 1:] ** 3,
    ],
)
def test_what_a_gradient_was_computed_by_is_derived_once_more(compute):
    w = torch.tensor([[1.0, 2.0], [0.5, -1.0]], requires_grad=True)
    with record() as run:
        (slope,) = torch.autograd.grad(compute(w).sum(), w, create_graph=True)
        (slope * slope).sum().backward()
    assert run.program().run()["w_grad"] == pytest.approx(w.grad.numpy(), rel=1e-5, abs=1e-6)
    assert run.trace["live"].get("not") is None


def test_a_step_of_a_mean_of_squares_under_create_graph_names_their_count():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        (slope,) = torch.autograd.grad(torch.nn.functional.mse_loss(w, torch.zeros(2)), w, create_graph=True)
        slope.sum().backward()
    assert "slope = 2 * (w - v1) * ∂v2/∂v2 / 2 = [1, 2]" in run.equations()
    assert "∂v3/∂w = 2 * ∂v3/∂slope * (∂v2/∂v2 / 2) = [1, 1]" in run.equations()


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


@pytest.mark.parametrize(
    "compute, name",
    [(Doubled.apply, "DoubledBackward"), (lambda w: written(torch.zeros(3), 1, w.sum()), "CopySlices")],
)
def test_no_program_is_written_of_rules_that_pytorch_keeps_to_itself(compute, name):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as run:
        compute(w).square().sum().backward()
    with pytest.raises(NoProgram, match=f"how {name} computes the gradients that it sends was not seen"):
        run.program()


def test_a_long_loop_is_kept_in_short():
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 1)
    optimizer = torch.optim.Adam(net.parameters())
    with record(iterations=[1, 20]) as run:
        for _ in range(20):
            optimizer.zero_grad()
            loss = net(torch.ones(3, 2)).square().mean()
            loss.backward()
            optimizer.step()
    iterations = run.trace["iterations"]
    assert [one.get("folded", False) for one in iterations] == [False, *[True] * 18, False]
    told = [run.trace["values"][one["loss"]]["text"] for one in iterations]
    assert told[-1] == f"{loss.item():.4g}" and len(set(told)) == 20


@pytest.mark.parametrize("reentrant", [True, False])
def test_a_checkpoint_is_told(reentrant):
    w = torch.ones(2, requires_grad=True)
    with record() as run:
        torch.utils.checkpoint.checkpoint(lambda a: (a * 2).sin(), w, use_reentrant=reentrant).sum().backward()
    assert run.equations().endswith(f"grad = [{w.grad[0].item():.4g}, {w.grad[1].item():.4g}]")
