"""What an error says after PyTorch's words: which of the learner's variables and lines it is about, and what to do.

Each row is a small program whose last line is refused, and what the lines after PyTorch's own say. The programs are
known to `linecache` under the name lesson.py, as a file or a notebook's cell would be.
"""

import linecache
import re

import pytest

import minigrad as mg
from minigrad.words import advice

REMEDY = "Give that one retain_graph=True, or compute {} anew before each backward"

FREED = [
    ("x = leaf(2)\ny = x * x\ny.sum().backward()\ny.sum().backward()",
     "MulBackward0, which made `y` (lesson.py:2: y = x * x), let go of what it had saved", REMEDY.format("`y`")),
    ("x = leaf(2)\nloss = x.exp().sum()\nloss.backward()\nmg.autograd.grad(loss, x)",
     "ExpBackward0, a step on the way to `loss` (lesson.py:2: loss = x.exp().sum())", REMEDY.format("`loss`")),
    ("w = leaf(2)\nh = mg.zeros(2)\nfor t in range(2):\n    h = mg.tanh(w + h)\n    h.sum().backward()",
     "TanhBackward0, a step on the way to `h` (lesson.py:4: h = mg.tanh(w + h))", "carries", "detach()"),
    ("x = leaf(2)\ny = x * x\ny.sum().backward()\ny.grad_fn._saved_self", "which made `y`"),
    ("x = leaf(2)\ny = Twice.apply(x)\ny.sum().backward()\ny.sum().backward()", "TwiceBackward, which made `y`"),
    ("def step(loss):\n    loss.backward()\n\nx = leaf(2)\ny = (x * x).sum()\nstep(y)\nstep(y)",
     "MulBackward0, a step on the way to `loss`", REMEDY.format("`loss`")),
    ("parts = [(leaf(2) ** 2).sum()]\nparts[0].backward()\nparts[0].backward()",
     "PowBackward0, let go", REMEDY.format("the result")),
]  # fmt: skip
WITHOUT_HISTORY = [
    ("x = mg.ones(())\nx.backward()",
     "`x` was made without requires_grad=True (lesson.py:1: x = mg.ones(())); set it there, or with requires_grad_()"),
    ("x, w = mg.ones(2), mg.ones(2)\nloss = (w * x).sum()\nloss.backward()",
     "`loss` depends on `w`, `x`, none of which requires grad; call requires_grad_() on it before"),
    ("x = mg.ones(2)\nx.sum().backward()", "`x.sum()` depends on `x`, which does not require grad"),
    ("w, x = leaf(2), mg.ones(2)\nmg.autograd.grad([w.sum(), x.sum()], w)",
     "`x.sum()` depends on `x`, which does not require grad"),
    ("x = mg.ones(2)\nmg.sum(x).backward()", "`mg.sum(x)` depends on `x`, which does not require grad"),
    ("x, w = leaf(2), mg.ones(2)\nmg.autograd.grad(x.sum(), w)", "`w` was made without requires_grad=True"),
    ("w = leaf(2)\nwith mg.no_grad():\n    y = w * 2\nloss = y.sum()\nloss.backward()",
     "`y` was computed from `w` inside `with mg.no_grad()` (lesson.py:3: y = w * 2)."),
    ("w = leaf(2)\n@mg.no_grad()\ndef f(x):\n    return x * 2\nloss = f(w).sum()\nloss.backward()",
     "`loss` was computed from `w` where recording was off, or by a step without derivative (lesson.py:5: "),
    ("w = leaf(2)\ny = (w * 2).detach()\nloss = y.sum()\nloss.backward()",
     "`y` was cut off from the graph by `.detach` (lesson.py:2: y = (w * 2).detach()); compute it from `w * 2` itself"),
    ("model = mg.nn.Linear(2, 1)\npred = model(mg.ones(3, 2)).data\nloss = pred.sum()\nloss.backward()",
     "`pred` was cut off from the graph by `.data`", "compute it from `model(mg.ones(3, 2))` itself"),
    ("w = leaf(2)\ny = mg.tensor(w.sum().item())\ny.backward()", "`y` was cut off from the graph by `.item`"),
    ("x = leaf(2)\nslope = mg.autograd.grad((x**3).sum(), x)[0]\ntwice = slope * 2\nmg.autograd.grad(twice.sum(), x)",
     "`slope` comes from a gradient (lesson.py:2: slope = mg.autograd.grad((x**3).sum(), x)[0]); that has a "
     "history only "
     "if its backward got create_graph=True, and if it is no constant."),
    ("x = leaf(2)\ng, = mg.autograd.grad(3 * x.sum(), x, create_graph=True)\ng.sum().backward()", "it is no constant."),
    ("grad = mg.ones(2)\ny = grad * 2\ny.sum().backward()", "depends on `grad`, which does not"),
    ("w = leaf(2)\n(w * w).sum().backward()\nwith mg.no_grad():\n    w = w - 0.1 * w.grad\nloss = (w * w).sum()\n"
     "loss.backward()", "`w` was given a new value that does not require grad (lesson.py:4: w = w - 0.1 * w.grad); "
     "change the old one",
     "or call requires_grad_() on the new one."),
    ("w = leaf(2)\n(w * w).sum().backward()\nw = (w - 0.1 * w.grad).detach()\nloss = w.sum()\nloss.backward()",
     "`w` was given a new value that does not require grad (lesson.py:3: w = (w - "),
    ("x = leaf(2)\nslope, = mg.autograd.grad((x**3).sum(), x)\nslope.sum().backward()", "`slope` comes from"),
    ("x = leaf(2)\n(x**3).sum().backward()\nx.grad.sum().backward()", "`x.grad.sum()` comes from a gradient"),
    ("w = leaf(2)\nbest = w.argmax()\nbest.backward()",
     "`best` holds minigrad.int64 (lesson.py:2: best = w.argmax()); only floating point numbers have gradients."),
    ("a = mg.ones(())\na = a + 1\na.backward()",
     "`a` was made without requires_grad=True (lesson.py:1: a = mg.ones(()))"),
    ("parts = [mg.ones(())]\nparts[0].backward()", "`parts[0]` was made without requires_grad=True"),
]  # fmt: skip
OPERANDS = [
    ("x, w = mg.ones(64, 10), mg.ones(64, 3)\ny = x @ w",
     "In `x @ w` (lesson.py:2) `x` is float32 [64, 10], `w` is float32 [64, 3]."),
    ("a = mg.ones(2)\nx, b = a, mg.ones(3)\ny = x + b", "`x` is float32 [2], `b` is float32 [3]."),  # a second name
    ("x, b = leaf(2), mg.ones(3)\ny = 2 * (x + b)", "In `x + b` (lesson.py:2) `x` is float32 [2], `b` is float32 [3]."),
    ("x = mg.ones(2)\nx += mg.ones(3)",
     "In `x += mg.ones(3)` (lesson.py:2) `x` is float32 [2], `mg.ones(3)` is float32 [3]"),
    ("a, b = mg.ones(2, 3), mg.ones(4, 5)\ny = (a + 1) @ (b * 2)",
     "In `(a + 1) @ (b * 2)` (lesson.py:2) `a + 1` is float32 [2, 3], `b * 2` is float32 [4, 5]."),
    ("a = mg.ones(2, 3)\na @ a", "In `a @ a` (lesson.py:2) `a` is float32 [2, 3]."),
    ("a = mg.ones(2, 3)\nmg.cat([a + 1, mg.ones(4)])", "`a + 1` is float32 [2, 3], `mg.ones(4)` is float32 [4]."),
    ("a, dim = mg.ones(2, 3), 5\n(a * 2).sum(dim)", "In `(a * 2).sum(dim)` (lesson.py:2) `a * 2` is float32 [2, 3]."),
    ("def f(a, b):\n    return a.T @ b\ng = lambda w: f(w * 1, w.T)\ng(mg.ones(2, 3))",
     "In `a.T @ b` (lesson.py:2) `a.T` is float32 [3, 2], `b` is float32 [3, 2]."),
    ("F = mg.nn.functional\na, w = mg.ones(2, 3), mg.ones(4, 5)\nF.linear(a * 2, w + 1)",  # given it transposed
     "the operands are float32 [2, 3] and float32 [5, 4]."),
    ("layer, x = mg.nn.Linear(4, 2), mg.ones(5, 3)\ny = layer(x)",
     "In `layer(x)` (lesson.py:2)", "`x` is float32 [5, 3]"),
    ("a, b = mg.ones(2), mg.ones(3)\nmg.add(a * 2, (b * 3))", "`a * 2` is float32 [2], `b * 3` is float32 [3]."),
    ("from minigrad import add\na, b = mg.ones(2), mg.ones(3)\nadd(a * 2, b * 3)", "`a * 2` is float32 [2], "),
    ("a, b = mg.ones(2), mg.ones(3)\n(a * 2).mul_(b * 3)", "`a * 2` is float32 [2], `b * 3` is float32 [3]."),
    ("a, b = mg.ones(2), mg.ones(3)\na * 2 < b * 3", "`a * 2` is float32 [2], `b * 3` is float32 [3]."),
    ("a, b = mg.ones(2), mg.ones(3)\nmg.lerp(a * 1, b * 1, 0.5)", "`a * 1` is float32 [2], `b * 1` is float32 [3]."),
    ("x = mg.ones(2, 3)\nx.view(4)", "In `x.view(4)` (lesson.py:2) `x` is float32 [2, 3]."),
    ("a, b = mg.ones(1), mg.ones(2, 2)\nc = mg.cat([a, b])", "`a` is float32 [1], `b` is float32 [2, 2]."),
    ("a, b = mg.ones(1), mg.ones(2, 2)\nc = mg.stack([a, b])", "`a` is float32 [1], `b` is float32 [2, 2]."),
]  # fmt: skip
REMEDIES = [
    ("x = leaf(2)\nx += 1", "write the line under `with no_grad():`"),
    ("x = leaf(2)\nx[0] = 1", "write the line under `with no_grad():`"),
    ("x = leaf(2)\nx[:1].mul_(2)", "write the line under `with no_grad():`"),
    ("x = leaf(2)\n(2 * x).backward()", "has the shape [2]", ".sum() or .mean()", "pass a gradient of that shape"),
    ("x = mg.tensor([1, 2], requires_grad=True)", "These are int64: write 1.0 for 1, or say dtype=float32."),
    ("x = mg.tensor([True])\nx.requires_grad_()", "These are bool: say dtype=float32."),
    ("x = mg.tensor(1)\nx.requires_grad = True", "These are int64: "),
    ("mg.nn.Parameter(mg.tensor(1))", "These are int64: "),
    ("mg.optim.SGD(mg.nn.Linear(2, 1).parameters)", "A module gives its own by model.parameters()"),
    ("mg.optim.SGD(mg.nn.Linear(2, 1))", "A module gives its own by model.parameters()"),
]


class Twice(mg.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        ctx.saved_tensors  # noqa: B018 - read, as a backward does
        return 2 * g


def leaf(n):
    return mg.ones(n, requires_grad=True)


def refusal(program, filename="lesson.py"):
    linecache.cache[filename] = len(program), None, program.splitlines(True), filename
    try:
        with pytest.raises(Exception) as caught:
            exec(compile(program, filename, "exec"), {"mg": mg, "leaf": leaf, "Twice": Twice})
    finally:
        del linecache.cache[filename]
    return str(caught.value)


@pytest.mark.parametrize(
    ("program", "says"), [(row[0], row[1:]) for row in FREED + WITHOUT_HISTORY + OPERANDS + REMEDIES]
)
def test_the_advice(program, says):
    own, _, advised = refusal(program).partition("\n")
    assert "lesson.py" not in own and "`x`" not in own  # PyTorch's words come first, and alone
    for words in says:
        assert words in advised


def test_what_was_recorded_while_somebody_listened_is_told_exactly():
    program = (
        "from minigrad.autograd import events\nx = leaf(2)\n"
        "with events.listen(id, source=True):\n    y = x * x + 1\ny.sum().backward()\ny.sum().backward()"
    )
    assert "MulBackward0, which made `x * x` (lesson.py:4: y = x * x + 1), let go" in refusal(program)


def test_a_line_of_a_notebook_is_told_by_its_place_in_its_cell():
    program = "x = leaf(2)\ny = mg.exp(x)\ny += 1\ny.sum().backward()"
    said = refusal(program, "ipykernel_7/4052.py")
    assert "`y += 1` changed it (line 3 of its cell: y += 1)" in said and "4052" not in said


def test_without_the_programs_text_the_names_are_told_all_the_same():
    space = {"mg": mg, "x": leaf(2), "b": mg.ones(3)}
    with pytest.raises(RuntimeError) as caught:
        exec("x + b", space)
    assert str(caught.value).endswith("dimension 0\n`x` is float32 [2], `b` is float32 [3].")
    with pytest.raises(RuntimeError) as caught:
        exec("loss = b.sum()\nloss.backward()", space)
    assert re.search(r"grad_fn\n`loss` was made without requires_grad=True; set it there", str(caught.value))


def test_a_frozen_module_is_named_as_what_does_not_require_grad():
    program = "net = mg.nn.Linear(2, 1).requires_grad_(False)\nloss = net(mg.ones(3, 2)).sum()\nloss.backward()"
    assert "`loss` depends on `net`, which does not require grad; call requires_grad_() on it" in refusal(program)


def test_a_definition_is_found_in_an_earlier_cell_of_the_notebook():
    first = "x = mg.ones(2)\ny = x.sum()"
    linecache.cache["ipykernel_7/1.py"] = len(first), None, first.splitlines(True), "ipykernel_7/1.py"
    try:
        program = "x = mg.ones(2)\ny = x.sum()\nexec(compile('y.backward()', 'ipykernel_7/2.py', 'exec'))"
        assert "`y` depends on `x`, which does not require grad" in refusal(program)
    finally:
        del linecache.cache["ipykernel_7/1.py"]


@pytest.mark.parametrize(
    "call, said",
    [
        ("mg.max(mg.ones(2), zork=1)", "max() got an unexpected keyword argument 'zork'"),
        ("mg.ones(2).max(1, 2, 3, 4)", "max() got too many positional arguments"),
        ("mg.ones(2).index_add(0)", "index_add() missing 2 required positional arguments: 'index' and 'source'"),
        ("mg.ones(2).float(3)", "float() takes 1 positional argument but 2 were given"),
        ("mg.linalg.vector_norm(mg.ones(2), zork=1)", "vector_norm() got an unexpected keyword argument 'zork'"),
    ],
)
def test_a_misfit_call_is_told_of_by_the_name_that_was_called(call, said):
    with pytest.raises(TypeError) as caught:
        eval(call)
    assert str(caught.value) == said


def test_a_program_without_a_mistake_never_asks(monkeypatch):
    def asked(*args):
        raise AssertionError("advice was worked out although nothing was refused")

    for name in ("user_frame", "variables", "name_of", "located", "definition"):
        monkeypatch.setattr(advice, name, asked)
    x = leaf(3)
    (x * x).sum().backward()
    mg.autograd.grad((x.exp() @ x), x)
