"""Code that learners write: what is wrong with it is said, and nothing that it does reaches the lesson."""

import dataclasses
import json
import linecache
import os
import subprocess
import textwrap
import threading
import time

import numpy as np
import pytest

import minigrad as mg
import widgets
from minigrad import faults, nn
from widgets.lessons import Mistake, code, observer, process
from widgets.lessons.values import difference, read, shown, written


def leaf(*numbers, **options):
    return mg.tensor(list(numbers), requires_grad=True, **options)


RELU = code(
    "Write relu(x).",
    "relu",
    [leaf(0.5, -0.5, 3.0), leaf(-1.0, 2.0)],
    reference=lambda x: x.clamp(min=0),
    mistakes=[
        Mistake("That is the absolute value.", lambda x: abs(x)),
        Mistake("This is never said: it takes two arguments.", lambda x, y: x),
        Mistake("This multiplies with 1 in place of the gradient.", lambda x: x),
    ],
)
MUL = code(
    "Write the rule of a · b.",
    "Mul",
    [(leaf(3.0, -1.0), leaf(2.0, 5.0))],
    reference=lambda a, b: a * b,
    mistakes=[faults.swaps_the_operands, faults.forgets_the_upstream],
    gradcheck=True,
    gradgradcheck=True,
)
RULE = """class Mul(autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return {}
"""
CASE = "relu(tensor([-1., 2.]))"


def cell(text, name):
    """What a cell of a notebook defines."""
    file = f"<ipython-input-{len(linecache.cache)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    defined = {"__name__": "__main__"}
    exec(compile(text, file, "exec"), defined)
    return defined[name]


def judged(text, question=RELU, **changes):
    text = f"import os, sys, time\nimport minigrad as mg\nfrom minigrad import autograd, nn\n\n{text}"
    return dataclasses.replace(question, **changes).judge(cell(text, question.name))


def says(body, question=RELU, **changes):
    """What is said of a function with this body."""
    names = list(observer.signature(question.answer).parameters) if question.answer else []
    text = f"def {question.name}({', '.join(names)}):\n{textwrap.indent(body, '    ')}"
    verdict = judged(text, question, **changes)
    assert verdict.right == (verdict.says == "")
    return verdict.says


# == right =================================================================================================


@pytest.mark.parametrize("body", ["return x.clamp(min=0)", "return x * (x > 0)", "return mg.where(x > 0, x, 0 * x)"])
def test_another_way_to_the_same_numbers_is_right(body):
    assert says(body) == ""


def test_a_rule_and_the_faults_that_it_may_have():
    assert judged(RULE.format("g * b, g * a"), MUL).right
    assert judged(RULE.format("b, a"), MUL).says.count(faults.forgets_the_upstream.misconception) == 1
    assert judged(RULE.format("g * a, g * b"), MUL).says.count(faults.swaps_the_operands.misconception) == 1


def test_what_is_to_be_written_is_not_left_to_the_library():
    loss = code(
        "Write the cross-entropy.",
        "loss",
        [(leaf(1.0, 2.0), mg.tensor(0))],
        reference=lambda z, i: z.exp().sum().log() - z[i],
        without=["cross_entropy", "logsumexp", "backward"],
    )
    says_it = "loss(tensor([1., 2.]), tensor(0)) leaves to the library what you are to write, in line 6 of its cell: "
    assert says("return z.exp().sum().log() - z[i]", loss) == ""
    for left in ("return nn.CrossEntropyLoss()(z, i)", "return z.logsumexp(0) - z[i]", "autograd.grad(z.sum(), z)"):
        assert says(left, loss) == says_it + left
    with pytest.raises(ValueError, match="code\\('f'\\): without='crossentropy', but there is no such function"):
        code("Write f.", "f", reference=abs, without=["crossentropy"])


def test_what_is_printed_is_passed_on():
    assert judged("def relu(x):\n    print('one\\ntwo')\n    return x.clamp(min=0)").printed == ("one", "two") * 2
    many = judged("def relu(x):\n    print('a\\n' * 10**6)\n    return x.clamp(min=0)")
    assert many.right and many.printed == ("a",) * 20 + ("…",)


def test_random_numbers_are_the_same_there_and_go_on_here():
    drop = code("Write drop(x).", "drop", [leaf(1.0, 2.0, 3.0, 4.0)], reference=lambda x: x * (mg.rand(4) > 0.5))
    mg.manual_seed(7)
    expected = mg.rand(3)
    mg.manual_seed(7)
    assert says("return (mg.rand(4) > 0.5) * x", drop) == ""
    assert (mg.rand(3) == expected).all()


# == wrong =================================================================================================


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return abs(x)", f"{CASE} gives tensor([1., 2.]); right is tensor([0., 2.]). That is the absolute value."),
        ("return mg.tensor([0.0, 2.0], requires_grad=True)", "relu(tensor([0.5000, -0.5000, 3.0000])) gives shape (2,);"
         " right is shape (3,)."),
        ("return x.clamp(min=0).double()", f"{CASE} gives dtype float64; right is dtype float32."),
        ("x.clamp(min=0)", f"{CASE} gives None; right is tensor([0., 2.]). Is its `return` missing?"),
        ("return x.clamp(min=0).tolist()", f"{CASE} gives [0, 2]; right is tensor([0., 2.]). What is asked for is "
         "a tensor."),
        ("return x.clamp(min=0).detach().numpy()", f"{CASE} gives array([0., 2.], dtype=float32); right is "
         "tensor([0., 2.]). What is asked for is a tensor."),
        ("return object()", f"{CASE} gives an object; right is tensor([0., 2.]). What is asked for is a tensor."),
        ("return x.detach().clamp(min=0)", f"{CASE} gives the right numbers, but without their history: no gradient "
         "can flow back from them."),
        ("y = x * (x > 0)\nwith mg.no_grad():\n    x.mul_(2)\nreturn y", f"{CASE} changes its argument x: x was "
         "tensor([-1., 2.]), and is tensor([-2., 4.])."),
        ("x.sum().backward()\nreturn x.clamp(min=0)", f"{CASE} changes its argument x: x.grad was None, and is "
         "tensor([1., 1.])."),
        ("return x.clamp(min=0) + mg.ones(5)", f"{CASE} raised RuntimeError: The size of tensor a (2) must match the "
         "size of tensor b (5) at non-singleton dimension 0. In `"),
        ("return x.clmp(0)", f"{CASE} raised AttributeError: 'Tensor' object has no attribute 'clmp'"),
        ("raise ValueError", f"{CASE} raised ValueError, in line 6 of its cell: raise ValueError"),
        ("return relu(x)", f"{CASE} calls itself without end, in line 6 of its cell: return relu(x)"),
        ("sys.exit()", f"{CASE} ends the whole program; a function ends with return, in line 6 of its cell"),
        ("input()", f"{CASE} raised EOFError: EOF when reading a line, in line 6 of its cell: input()"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(body, said):
    assert says(body).startswith(said)


def test_the_verdict_has_the_case_and_both_numbers():
    verdict = judged("def relu(number):\n    return abs(number)")
    assert (verdict.case, verdict.yours) == ("number = tensor([-1., 2.])", "tensor([1., 2.])")
    assert (verdict.right_one, verdict.mistake) == ("tensor([0., 2.])", "That is the absolute value.")
    assert verdict.trace is None


def test_what_is_no_such_function():
    assert RELU.judge(3).says == "relu cannot be called: TypeError: 3 is not a callable object."
    few = judged("def relu():\n    pass").says
    assert few == f"{CASE} is not possible: the function takes ()."
    lock = threading.Lock()
    assert RELU.judge(lambda x: lock).says.startswith("relu uses something that cannot leave this notebook: ")


def test_constants_are_found_out():
    assert says(
        "relu.n = getattr(relu, 'n', 0) + 1\nreturn mg.tensor([0.5, 0, 3], requires_grad=True) if relu.n < 2 else x"
    )
    assert "gives tensor([-1., 2.])" in says("return x")


def test_several_results_and_lists_of_arguments():
    params = [leaf(1.0), leaf(2.0)]
    for one in params:
        one.grad = mg.tensor([0.5])

    def descend(params, lr):
        with mg.no_grad():
            for one in params:
                one -= lr * one.grad

    step = code("Write sgd.", "descend", [(params, 0.1)], reference=descend)
    right = "with mg.no_grad():\n    for one in params:\n        one -= lr * one.grad"
    assert says(right, step) == ""
    assert says(right.replace("-=", "+="), step) == (
        "After descend([tensor([1.]), tensor([2.])], 0.1), params[0] is tensor([1.0500]); right is tensor([0.9500])."
    )
    both = code("Write both.", "both", [(leaf(3.0), 2)], reference=lambda x, n: (x * n, {"n": n, "half": n / 2}))
    assert says("return [x + x, {'n': 2, 'half': 1}]", both) == ""
    assert says("return x * n, {'n': n, 'half': n}", both) == "both(tensor([3.]), 2)[1]['half'] gives 2; right is 1."
    assert says("return x * n", both).startswith("both(tensor([3.]), 2) gives tensor([6.]); right is (tensor([6.]), ")
    assert says("return x * n, n, n", both).endswith("gives 3 values; right is 2 values.")
    said = says("y = (x * n).detach()\nreturn y + 1.5 * (x - x.detach()), {'n': n, 'half': 1}", both)
    assert said.endswith("it sends tensor([3.]) back to x; right is tensor([4.]).")


def test_a_tensor_without_dimensions_may_stand_for_a_number():
    half = code("Write half.", "half", [(3.0,)], reference=lambda x: x / 2)
    assert says("return mg.tensor(x) / 2", half) == ""
    assert says("return mg.tensor([x]) / 2", half) == "half(3) gives tensor([1.5000]); right is 1.5."


def test_what_is_left_in_grad_counts_unless_any_will_do():
    def slope(x):
        (x * x).sum().backward()
        return x.grad

    strict = code("Write slope.", "slope", [leaf(3.0)], reference=slope)
    asked = "return autograd.grad((x * x).sum(), x)[0]"
    assert says(asked, strict) == "After slope(tensor([3.])), x.grad is None; right is tensor([6.])."
    assert says(asked, strict, any_grad=True) == says("(x * x).sum().backward()\nreturn x.grad", strict) == ""


def test_an_item_that_is_none_was_returned():
    pair = code("Write pair.", "pair", [1.0], reference=lambda x: [x, x])
    assert says("return [x, None]", pair) == "pair(1)[1] gives None; right is 1."


# == gradients =============================================================================================


def test_a_wrong_gradient_is_shown_where_it_begins():
    square = code("Write square.", "square", [leaf(3.0)], reference=lambda x: x * x)
    rule = RULE.replace("Mul", "square").replace("a, b)", "a)").replace("a, b =", "(a,) =").replace("a * b", "a * a")
    assert judged(rule.format("2 * a * g"), square).right
    verdict = judged(rule.format("g * a"), square)
    assert verdict.says == (
        "square(tensor([3.])) gives the right result, but of the gradient tensor([2.]) it sends tensor([6.]) back to "
        "a; right is tensor([12.]). Here yours leaves [6] in `.grad`, the right one leaves [12] in `.grad`."
    )
    run = mg_run(verdict)
    assert run.trace["title"] == "result = square(a)"
    assert run.trace["frames"][verdict.index - 1]["say"] == "a.grad was empty: now it holds [6]."


def mg_run(verdict):
    """The learner's run, as a lesson shows it."""
    run = widgets.load(json.dumps(verdict.trace))
    assert run.step(index=verdict.index).index == verdict.index
    return run


def test_of_graphs_of_one_form_the_first_step_that_differs():
    scaled = code("Write scaled.", "scaled", [(leaf(3.0), leaf(2.0))], reference=lambda x, w: ((x * w) ** 2).sum())
    text = RULE.format("g * b, 2 * g * a") + "def scaled(x, w):\n    return (Mul.apply(x, w) ** 2).sum()"
    verdict = judged(text, scaled)
    assert verdict.says.endswith("Here yours sends [144], the right rule sends [72].")
    step = mg_run(verdict).trace["frames"][verdict.index - 1]
    assert step["kind"] == "sent" and step["say"].startswith("w receives ")
    assert (verdict.yours, verdict.right_one) == ("tensor([144.])", "tensor([72.])")


def test_no_trace_where_another_run_does_another_thing(tmp_path):
    body = f"""seen = os.path.exists({str(tmp_path / "seen")!r})
open({str(tmp_path / "seen")!r}, 'w').close()
return x.clamp(min=0) * (1 if seen else 2) - x.clamp(min=0).detach() * (not seen)"""
    said = says(body, cases=[leaf(-1.0, 2.0)])
    assert said.endswith("sends tensor([0., 7.]) back to x; right is tensor([0.0000, 3.5000]).")


def test_differences_check_first_and_second_derivatives():
    free = code("Write a rule of your own.", "Mul", [(leaf(3.0), leaf(2.0))], gradcheck=True, gradgradcheck=True)
    assert judged(RULE.format("g * b, g * a"), free).right
    said = judged(RULE.format("g * b, g * a * 2"), free).says
    start = "The check of Mul(tensor([3.]), tensor([2.])) by differences fails: GradcheckError: Jacobian mismatch"
    assert said.startswith(start)
    assert judged(RULE.format("g * b.detach(), g * a.detach()"), free).says.startswith(start)
    once = dataclasses.replace(free, gradgradcheck=False)
    assert judged(RULE.format("g * b.detach(), g * a.detach()"), once).right


# == tests and loops that learners write ===================================================================

TEST = code("Write a test.", "test", detects=[faults.overwrites_in_flight, faults.wrong_sign])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("assert a.grad == 5", ""),
        ("return bool(a.grad == 5)", ""),
        ("return None", f"makes this mistake. {faults.overwrites_in_flight.misconception}"),
        ("assert a.grad > 4", f"makes this mistake. {faults.wrong_sign.misconception}"),
        ("assert a.grad == 4", "test() raised AssertionError, in line 8 of its cell: assert a.grad == 4"),
        ("return False", "test() refuses the right engine."),
    ],
)
def test_a_test_must_accept_the_right_engine_and_notice_each_fault(line, said):
    found = says(f"a = mg.tensor(3.0, requires_grad=True)\n(a * a - a).backward()\n{line}", TEST)
    assert found.endswith(said) and bool(found) == bool(said)


def test_a_loop_is_judged_by_what_it_returns():
    def falls(losses):
        return "" if losses[-1] < losses[0] else f"The loss goes from {losses[0]} to {losses[-1]}."

    train = code("Write train(lr).", "train", [0.1], accepts=falls)
    assert judged("def train(lr):\n    return [1.0, 1.0 - lr]", train).right
    assert judged("def train(lr):\n    return [1.0, 1.0 + lr]", train).says == "The loss goes from 1.0 to 1.1."
    nothing = judged("def train(lr):\n    pass", train).says
    assert nothing.startswith("train(0.1) raised TypeError: 'NoneType' object is not subscriptable")
    net = code("Write net().", "net", accepts=lambda net: "" if isinstance(net, nn.Linear) else "No Linear.")
    assert judged("def net():\n    return nn.Linear(1, 1)", net).right
    assert judged("def net():\n    return nn.ReLU()", net).says == "No Linear."


def test_a_question_that_checks_nothing_is_none():
    with pytest.raises(ValueError, match="nothing is checked"):
        code("Write f.", "f", [1])


# == the cells of a notebook ===============================================================================


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["%matplotlib inline\nimport minigrad as mg", "def relu(x):\n    %time 1\n    return x.clamp(min=0)"], ""),
        (["1 / 0", "def relu(x):\n    return x.clamp(min=0)"], ""),
        (["def relu(x):\n    return x.clamp(min=0)\nprint(1)\n1 / 0"], ""),
        (["x = 1"], "relu cannot be called: NameError: name 'relu' is not defined."),
        (["relu = None"], "relu cannot be called: TypeError: None is not a callable object."),
        (["def relu(x)\n    return x"], "relu cannot be called: SyntaxError: expected ':', in line 1 of its "
         "cell: def relu(x)"),
        (["y = 1\nz = y / 0"], "relu cannot be called: ZeroDivisionError: division by zero, in line 2 of its "
         "cell: z = y / 0"),
        (["def relu(x):\n    return x.foo"], f"{CASE} raised AttributeError: 'Tensor' object has no attribute 'foo', "
         "in line 2 of its cell: return x.foo"),
        (["while True: pass"], "The code that defines relu had not finished after 1 s."),
        (["import os; os._exit(0)"], "The code that defines relu ended Python itself (exit code 0)."),
    ],
)  # fmt: skip
def test_cells_are_judged_as_a_function_is(cells, said):
    seconds = 1 if "1 s" in said else 10
    assert dataclasses.replace(RELU, seconds=seconds).judge_source(cells).says == said


# == what must not reach anybody ===========================================================================


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("while True: pass", f"{CASE} had not finished after 1 s."),
        ("time.sleep(60)", f"{CASE} had not finished after 1 s."),
        ("while True: print('flood')", f"{CASE} had not finished after 1 s."),
        ("os._exit(0)", f"{CASE} ended Python itself (exit code 0)."),
        ("os.kill(os.getpid(), 9)", f"{CASE} crashed Python itself (SIGKILL; was there memory enough?)."),
        ("import signal\nos.kill(os.getpid(), signal.SIGXCPU)", f"{CASE} had not finished after 10 s."),
        ("os.abort()", f"{CASE} crashed Python itself (SIGABRT)."),
        ("import ctypes\nctypes.string_at(0)", f"{CASE} crashed Python itself (SIGSEGV)."),
        ("return mg.zeros(10**9)", f"{CASE} needs more memory than it may have, in line 6 of its cell: return"),
        ("mine = []\nwhile True: mine.append('x' * 10**6)", f"{CASE} needs more memory than it may have, in line 7 of"),
    ],
)  # fmt: skip
def test_what_does_not_end_or_ends_everything(body, said):
    changes = {"seconds": 1} if "1 s" in said else {"megabytes": 300}
    assert says(body, cases=[leaf(-1.0, 2.0)], **changes).startswith(said)


def test_the_system_keeps_limits_for_what_runs_away():
    wanted = [12, 300 * 2**20, 300 * 2**20, 0]
    limits = code("Tell.", "limits", accepts=lambda found: "" if found == wanted else str(found), megabytes=300)
    kinds = "resource.RLIMIT_CPU, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE"
    assert says(f"import resource\nreturn [resource.getrlimit(kind)[0] for kind in ({kinds})]", limits) == ""


def test_what_it_starts_ends_with_it(tmp_path):
    body = f"""import subprocess, sys, threading
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
open({str(tmp_path / "pid")!r}, 'w').write(str(child.pid))
threading.Thread(target=time.sleep, args=(600,)).start()
if os.fork() == 0:
    time.sleep(600)
return x.clamp(min=0)"""
    assert says(body, cases=[leaf(-1.0, 2.0)]) == ""
    child = int((tmp_path / "pid").read_text())
    for _ in range(100):  # the signal is on its way
        status = subprocess.run(["ps", "-o", "stat=", "-p", str(child)], capture_output=True, text=True).stdout
        if status.strip() in ("", "Z"):
            break
        time.sleep(0.1)
    else:
        pytest.fail(f"it still runs: {status}")


def test_a_copy_of_the_process_says_nothing():
    assert says("os.fork()\nreturn x.clamp(min=0)") == ""
    assert says("return x if os.fork() else x.clamp(min=0)").startswith(f"{CASE} gives")


def test_an_interrupt_ends_the_process(monkeypatch):
    begun = []

    def interrupted(process, *_):
        begun.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr(process, "watch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        says("return x")
    assert begun[0].returncode is not None


@pytest.mark.parametrize(
    "body",
    [
        "import json\nprint(json.dumps({'done': {'right': True}}), flush=True)\nreturn x",
        'for number in range(3, 20):\n    try:\n        os.write(number, b\'"ready"\\n{"done": []}\\n\' * 9)\n'
        "    except OSError:\n        pass\nreturn x",
        "import shutil\nshutil.rmtree('..', ignore_errors=True)\nreturn x",
        "import minigrad.core.forward as f\nmg.Tensor.clamp = lambda self, **_: self\nreturn x.clamp(min=0)",
        "from minigrad import faults\nfaults.overwrites_in_flight().__enter__()\nreturn x",
        "import widgets.lessons.observer as o\no.difference = o.differences = lambda *_: None\nreturn x",
        "import builtins\nbuiltins.abs = builtins.all = lambda *_: True\nreturn x",
    ],
)
def test_no_trick_makes_it_right(body):
    before = mg.Tensor.clamp
    assert "gives tensor([-1., 2.]); right is tensor([0., 2.])" in says(body)
    assert mg.Tensor.clamp is before and says("return x.clamp(min=0)") == ""


def test_who_changes_what_tries_it_is_told_so():
    for lie in ("{'done': []}", "['done']"):
        body = f"import widgets.lessons.observer as o\no.attempt = lambda *_: {lie}\nreturn x"
        assert says(body).endswith("relu changes what tries it.")


def test_a_process_that_does_not_start_is_nobodys_wrong_answer(monkeypatch):
    monkeypatch.setattr(process, "at_rest", [])
    for start in ("START", "START_NURSERY"):
        monkeypatch.setattr(process, start, "raise SystemExit('no such thing')")
    with pytest.raises(RuntimeError, match="the process that tries your code .*: no such thing"):
        says("return x")


def test_copies_of_one_process_know_nothing_of_each_other(monkeypatch):
    """They are quicker than a Python each, and as fresh: nothing stays of what one did, and no random number."""
    monkeypatch.setattr(process, "at_rest", [])
    text = """import os, sys
import minigrad as mg, numpy as np
print(os.getppid(), os.environ["MINE"], "later" in sys.modules, "LATER" in os.environ, mg.sin is None)
print(np.random.rand(), mg.rand(1).item())
sys.modules["later"] = os.environ["LATER"] = "here"
mg.sin = None
relu = lambda x: x.clamp(min=0)"""
    printed = []
    for name in ("first", "second"):
        monkeypatch.setenv("MINE", name)
        verdict = RELU.judge_source([text])
        assert verdict.right, verdict.says
        printed.append([line.split() for line in verdict.printed])
    (first, drawn), (second, others) = printed
    assert first[1:] == ["first", *["False"] * 3] and second == [first[0], "second", *["False"] * 3]
    assert not set(drawn) & set(others)


@pytest.mark.parametrize("signal", ["SIGKILL", "SIGSTOP"])
def test_who_ends_what_copies_itself_ends_it_for_nobody_else(monkeypatch, signal):
    monkeypatch.setattr(process, "at_rest", [])
    body = f"import signal\nos.kill(os.getppid(), signal.{signal})\nreturn x"
    assert says(body, seconds=3).startswith("relu(")
    assert says("return x.clamp(min=0)") == ""


def test_where_no_process_can_copy_itself_each_is_a_python_of_its_own(monkeypatch):
    monkeypatch.delattr("os.fork")
    monkeypatch.setattr(process, "Nursery", None)
    verdict = RELU.judge_source(["import os\nprint(os.getppid())\nrelu = lambda x: x.clamp(min=0)"])
    assert verdict.right and verdict.printed == (str(os.getpid()),)


# == values ================================================================================================


@pytest.mark.parametrize(
    ("yours", "right", "said"),
    [
        (1, 1.0, None),
        (True, 1, ("", "True", "1")),
        ("a", "a", None),
        (float("nan"), float("nan"), None),
        (1.0, 1.0002, ("", "1", "1.0002")),
        (1.0, 1.000001, None),
        ([1, [2]], [1, [3]], ("[1][0]", "2", "3")),
        ({"a": 1}, {"b": 1}, ("", "the keys ['a']", "the keys ['b']")),
        (np.ones(2), np.zeros(2), ("", "array([1., 1.])", "array([0., 0.])")),
        (mg.zeros(5, 5), mg.eye(5), ("[0, 0]", "0", "1")),
        (mg.tensor([1.0, 0.10001]), mg.tensor([1.0, 0.10004]), ("[1]", "0.10001", "0.10004")),
        (mg.tensor([1.0], dtype=mg.float16), mg.tensor([1.005], dtype=mg.float16), None),
        (nn.Linear, None, ("", "a type", "None")),
    ],
)
def test_values_travel_and_are_compared(yours, right, said):
    found = difference(read(written(yours)), read(written(right)))
    assert (found and (found.place, found.yours, found.right)) == said


def test_lambdas_are_shown_as_they_are_written():
    one, other = lambda x: x**2, lambda x, y=3: (lambda z: z + y)(x)
    assert [shown(one), shown(other), shown([one])] == [
        "lambda x: x ** 2",
        "lambda x, y=3: (lambda z: z + y)(x)",
        "[lambda x: x ** 2]",
    ]
    assert shown(eval("lambda: 1")) == "a function"
    slope = code("Write slope.", "slope", [(lambda x: x**2, 3.0)], reference=lambda f, x: (f(x + 1) - f(x - 1)) / 2)
    assert says("return f(x + 1) - f(x)", slope) == "slope(lambda x: x ** 2, 3) gives 7; right is 6."


def test_a_module_is_its_parameters():
    ones, twos = nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)
    nn.init.ones_(ones.weight), nn.init.constant_(twos.weight, 2.0)
    assert difference(read(written(ones)), read(written(twos))).place == "['weight']"
    assert shown(ones) == "a Linear"


def halved(x):
    return x / 2


def test_one_way_is_shown_where_there_is_no_reference():
    question = code("Halve.", "halved", [1.0], accepts=lambda result: None, one_way=[halved])
    assert question.source() == "def halved(x):\n    return x / 2"
    assert code("Halve.", "halved", [1.0], accepts=lambda result: None).source() == ""
