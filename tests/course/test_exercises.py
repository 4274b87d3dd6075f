"""The questions of the course: what solves them is right, and each mistake is told by its own sentence."""

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from minigrad import autograd, nn
from widgets.lessons import Mistake, choice, code, exercises, number
from widgets.lessons.coding import Code
from widgets.lessons.flaws import COUSINS, flaws
from widgets.lessons.judging import as_text
from widgets.lessons.kinds import Question

SOLUTIONS = Path(__file__).parent / "solutions"


def right_answers(lesson: str) -> dict[str, Any]:
    """The right answer to each question: the one that was written for this test, or else the question's reference."""
    questions = exercises.questions(lesson)
    references = {name: one.answer for name, one in questions.items() if isinstance(one, Code) and one.answer}
    return references | runpy.run_path(str(SOLUTIONS / f"{lesson}.py"))["SOLUTIONS"]


def as_typed(kind: str, value: Any) -> str:
    """A computed answer as one would type it."""
    return f"({value})" if kind == "shape" else str(value)


def typed(question: Question) -> list[str]:
    """What is wrong with a question that is answered by typing, in words; for each of its seeds."""
    wrong = flaws(question)
    for seed in range(min(question.cousins + 1, COUSINS)):
        asked = question.asked("a lesson", "a question", seed)
        if not asked.judge(as_typed(asked.kind, asked.answer)).right:
            wrong.append(f"its own answer is wrong: {asked.shown}")
        for value, says in asked.wrong:
            verdict = asked.judge(as_typed(asked.kind, value))
            if verdict.right or verdict.says != says:
                wrong.append(f"{value} is told {verdict}, not {says}")
    return wrong


def coded(question: Code) -> list[str]:
    """The same for one that is answered in code: each mistake, when it is handed in."""
    wrong = flaws(question)
    for mistake in question.mistakes:
        if isinstance(mistake, Mistake):
            verdict = question.judge(mistake.leads_to)
            if verdict.right or mistake.says not in verdict.says:
                wrong.append(f"a mistake is told {verdict.says!r}, not {mistake.says!r}")
    return wrong


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.setenv("MINIGRAD_COURSE", str(tmp_path))
    monkeypatch.delenv("MINIGRAD_ANSWERS", raising=False)


@pytest.mark.parametrize("lesson", exercises.names())
def test_each_mistake_is_told_by_its_sentence(lesson):
    for name, question in exercises.questions(lesson).items():
        complaints = coded(question) if isinstance(question, Code) else typed(question)
        assert not complaints, (name, complaints)


@pytest.mark.parametrize("lesson", exercises.names())
def test_the_solutions_are_right(lesson, own):
    questions = exercises.questions(lesson)
    solutions = right_answers(lesson)
    assert solutions.keys() == questions.keys()
    for name, solution in solutions.items():
        question = questions[name]
        if not isinstance(question, Code):
            asked = question.asked(lesson, name)
            verdict = asked.judge(as_text(asked, solution))
        else:
            verdict = question.judge(solution)
        assert verdict.right, (name, verdict)


@pytest.mark.parametrize("lesson", exercises.names())
def test_each_question_stands_in_its_notebook(lesson):
    source = (exercises.ORIGINALS / f"{lesson}.ipynb").read_text(encoding="utf-8")
    asked = set(re.findall(r'lesson\.(?:ask|check)\(\\"(.+?)\\"', source))
    assert asked == set(exercises.questions(lesson))
    assert set(re.findall(r'"%%after (.+?)\\n"', source)) <= asked


def in_one_graph(f, w, xs):
    w.grad = None
    sum(f(w, x) for x in xs).backward()
    return w.grad


def by_asking(f, x):
    y = f(x)
    return mg.stack([autograd.grad(y[i], x, retain_graph=True)[0] for i in range(len(y))])


def product_in_the_mailbox(f, x, v):
    (slopes,) = autograd.grad(f(x), x, create_graph=True)
    (slopes @ v).backward()
    return x.grad


def asked_on_the_way(f, a):
    watched = []
    return autograd.grad(f(a, watched.append), watched)


def walked(f, x):
    """The bytes that the nodes of a graph keep, node by node."""
    kept, nodes = {}, [f(x).grad_fn]
    for node in nodes:
        saved = [getattr(node, name) for name in dir(node) if name.startswith("_saved")]
        kept |= {one.data_ptr(): one.nbytes for one in saved if isinstance(one, mg.Tensor)}
        nodes += [before for before, _ in node.next_functions if before is not None and before not in nodes]
    return sum(kept.values())


def counted(guesses, labels):
    return np.bincount(10 * labels + guesses, minlength=100).reshape(10, 10).astype(np.int32)


def live_at_most(program):
    """The most results of which each will still be read, or is returned."""
    last = {one: i for i, (_, inputs) in enumerate(program) for one in inputs}
    made = [name for name, _ in program]
    return max(sum(last.get(name, len(made)) > i for name in made[: i + 1]) for i in range(len(made)))


def most_inputs(program):
    return max(len(set(inputs)) for _, inputs in program)


def taken_from_the_library(scores, target):
    return nn.functional.cross_entropy(scores, target)


def attended(q, k, v):
    return nn.functional.scaled_dot_product_attention(q, k, v)


def gone_back(x, g):
    kernel = mg.zeros(1, 1, len(x) - len(g) + 1, requires_grad=True)
    nn.functional.conv1d(x.reshape(1, 1, -1), kernel).flatten().backward(g)
    return kernel.grad.flatten()


def gone_back_with_arrays(x):
    x = mg.tensor(x, requires_grad=True)
    (x.exp() * x).sum().backward()
    return x.grad.numpy()


LEFT = "leaves to the library what you are to write, in test_exercises.py"


class Rounds(autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return (a + 0.5).floor()

    @staticmethod
    def backward(ctx, g):
        return g


class RoundsDown(Rounds):
    @staticmethod
    def forward(ctx, a):
        return a.floor()


@pytest.mark.parametrize(
    ("lesson", "name", "written", "said"),
    [
        ("02_the_sine_and_its_gradient", "the chain rule in code", lambda slopes: mg.tensor(slopes).prod(), ""),
        ("05_gradients_add_up", "a batch in pieces", in_one_graph, "the graph of the example before is still held"),
        ("06_leaves_and_mailboxes", "gradients on the way", asked_on_the_way, ""),
        ("07_many_outputs", "the whole table", by_asking, ""),
        ("11_slopes_of_slopes", "a product without the table", product_in_the_mailbox, ""),
        ("12_a_rule_of_your_own", "straight through", Rounds, ""),
        ("12_a_rule_of_your_own", "straight through", RoundsDown, "gives tensor([-2., 2., 0.])"),
        ("16_softmax_and_cross_entropy", "a cross-entropy of your own", taken_from_the_library, LEFT),
        ("17_convolution_and_attention", "attention", attended, LEFT),
        ("17_convolution_and_attention", "what arrives at the kernel", gone_back, LEFT),
        ("18_where_the_time_goes", "bytes kept", walked, ""),
        ("23_digits", "confusion", counted, ""),
        ("24_the_program_that_backward_wrote", "a backward by hand", gone_back_with_arrays, LEFT),
        ("25_what_a_compiler_sees", "pieces of memory", live_at_most, ""),
        ("25_what_a_compiler_sees", "pieces of memory", most_inputs, "gives 1; right is 2."),
    ],
)
def test_another_way_is_right_and_one_that_only_looks_so_is_not(lesson, name, written, said):
    verdict = exercises.questions(lesson)[name].judge(written)
    assert verdict.right == (not said) and said in verdict.says, verdict.says
    assert "RuntimeError" not in verdict.says or "test_exercises.py" in verdict.says  # the line is the learner's


def test_a_question_with_a_fault_is_complained_of():
    assert typed(number("How much is {b}?", lambda a: a, given={"a": [1.0]}))
    hidden = [Mistake("first", 1.0), Mistake("second", 1.0)]
    assert typed(number("?", 2.0, mistakes=hidden))
    assert not typed(choice("?", ["a", "b"], "a", mistakes={"b": "No."}))
    never = code("?", "f", [1], reference=lambda x: x, mistakes=[Mistake("Twice.", lambda x: x)])
    assert coded(never)
