"""Questions: the answer is computed, a mistake is told by what it leads to, another seed has other numbers."""

import json
import math

import pytest

import minigrad as mg
from minigrad import faults
from widgets.lessons import Mistake, choice, number, order, picture, shape, sign
from widgets.lessons.judging import SIGNS, Unreadable, as_text, read


def slope(a):
    a = mg.tensor(a, requires_grad=True)
    (a * a + 3 * a).backward()
    return a.grad


QUESTION = number(
    "How steep is y = a·a + 3·a at a = {a}?",
    slope,
    given={"a": [4.0, 2.0, 3.0, -1.5]},
    mistakes=[
        faults.overwrites_in_flight,
        Mistake("That is y itself: how high, not how steep.", lambda a: a * a + 3 * a),
        Mistake("Never said: it leads to the right answer.", lambda a: 2 * a + 3),
    ],
    hints=["a is used three times.", "One part is {a}."],
    because="The parts add up to {answer}.",
)


def asked(question, seed=0):
    return question.asked("a lesson", "a question", seed)


def test_the_answer_is_computed_and_the_texts_have_the_numbers():
    one = asked(QUESTION)
    assert (one.prompt, one.answer, one.shown) == ("How steep is y = a·a + 3·a at a = 4?", 11.0, "11")
    assert one.hints == ("a is used three times.", "One part is 4.")
    assert one.because == "The parts add up to 11."


def test_a_wrong_answer_is_told_which_mistake_leads_to_it():
    one = asked(QUESTION)
    with faults.overwrites_in_flight():
        wrong = slope(4.0).item()
    assert wrong != 11.0
    assert one.judge(str(wrong)).says == faults.overwrites_in_flight.misconception
    assert one.judge("28").says == "That is y itself: how high, not how steep."
    assert one.judge("-11").says == "The sign is the other one."
    assert (one.judge("7.5").right, one.judge("7.5").says) == (False, "")
    assert one.judge("11.001").right and not one.judge("11.1").right
    assert all(not says.startswith("Never") for _, says in one.wrong)


def test_each_seed_has_other_numbers_until_all_were_asked():
    prompts = [asked(QUESTION, seed).prompt for seed in range(QUESTION.cousins + 1)]
    assert len(set(prompts)) == 4 and asked(QUESTION, 4).prompt == prompts[0]
    assert asked(QUESTION, 2) == asked(QUESTION, 2)
    for seed in range(4):
        a = QUESTION.draw(seed)["a"]
        assert asked(QUESTION, seed).judge(str(2 * a + 3)).right


@pytest.mark.parametrize(
    "text, value",
    [
        ("11", 11),
        (" -2 ", -2),
        ("−2", -2),
        ("1/3", 1 / 3),
        ("1e-3", 1e-3),
        (".5", 0.5),
        ("inf", math.inf),
        ("-INF", -math.inf),
    ],
)
def test_numbers_are_read(text, value):
    assert read("number", text) == value


@pytest.mark.parametrize("text", ["", "a", "1/0", "1/2/3", "0x10", "1_000", "--2", "1 2", "infinity", "NaNa"])
def test_what_is_no_number_is_no_try(text):
    with pytest.raises(Unreadable, match="not a number"):
        read("number", text)


def test_a_comma_is_told_how_to_become_a_point():
    with pytest.raises(Unreadable, match=r"a comma: 2\.5\."):
        read("number", "2,5")


def test_what_is_not_finite():
    nan, inf = number("?", lambda: math.nan), number("?", lambda: -math.inf)
    assert asked(nan).judge("nan").right and not asked(nan).judge("0").right
    assert asked(inf).judge("−inf").right and asked(inf).judge("inf").says == "The sign is the other one."
    assert json.loads(json.dumps(asked(nan).document(), allow_nan=False))["answer"] == "nan"


@pytest.mark.parametrize("text", ["(3, 1)", "3,1", "[3, 1]", "3×1", "3x1", " 3 1 ", "(3,1,)"])
def test_shapes_are_read(text):
    assert asked(shape("?", lambda: mg.ones(3, 1))).judge(text).right


@pytest.mark.parametrize("text", ["a", "(3", "3.5", "3;1", "(3,,1)", "-3"])
def test_what_is_no_shape_is_no_try(text):
    with pytest.raises(Unreadable, match="not a shape"):
        read("shape", text)


def test_shapes_of_few_dimensions_in_words():
    assert [asked(shape("?", s)).shown for s in ((), (3,), (3, 1))] == ["()", "(3,)", "(3, 1)"]
    assert asked(shape("?", ())).judge("()").right


def test_signs():
    for value, text in zip((2.0, 0.0, -0.1), SIGNS):
        assert asked(sign("?", lambda value=value: mg.tensor(value))).judge(text).right
    one = asked(sign("?", -1))
    assert one.judge("-").right and all(one.judge(as_text(one, guess)).right for guess in ("-", "−", -1, "-0.5"))
    assert [as_text(one, word) for word in ("positive", "zero", "negative", "-")] == ["+", "0", "−", "−"]


def test_a_choice_says_why_not():
    one = asked(choice("Which?", ["Mul", "Add"], lambda: "Add", mistakes={"Mul": "The youngest comes first."}))
    assert one.judge("1").right and one.judge("0").says == "The youngest comes first."
    assert (one.shown, as_text(one, "Add"), as_text(one, 0)) == ("Add", "1", "0")


def test_an_order():
    names = ["x", "y", "z"]
    one = asked(
        order("In which order?", names, lambda: ["z", "x", "y"], mistakes={("x", "y", "z"): "Backward goes back."})
    )
    assert one.judge(as_text(one, ["z", "x", "y"])).right and one.shown == "z, x, y"
    assert one.judge("0, 1, 2").says == "Backward goes back."


def test_a_picture_to_match():
    places = [0.5, 1.0, 2.0]
    one = asked(picture("?", lambda k, x: k * x, lambda x: 2 * x, places=places, answer=2.0, x=[-1, 0, 1], label="k"))
    assert one.judge("2").right and one.shown == "k = 2"
    assert one.judge(as_text(one, 2)).right and not one.judge(as_text(one, 0.5)).right  # in code: where it stands
    assert one.picture["curves"][2] == one.picture["target"] == [[-1, -2], [0, 0], [1, 2]]


@pytest.mark.parametrize(
    "question, guess, said",
    [
        (choice("?", ["a", "b"], "a"), "c", "Expected one of 'a', 'b', but got 'c'."),
        (order("?", ["a", "b"], ["b", "a"]), 3, "Expected a list of 'a', 'b', but got 3."),
        (number("?", 2), [1], r"Expected a number, but got \[1\]."),
        (shape("?", ()), 2.5, "Expected a shape"),
        (sign("?", -1), "minus", r"Expected one of '\+', '0', '−', but got 'minus'."),
        (order("?", ["a", "b"], ["b", "a"]), ["b"], r"Expected a list of 'a', 'b', but got \['b'\]."),
        (picture("?", lambda k, x: k, lambda x: x, places=[0, 1], answer=1), 0.5, "Expected one of 0, 1, but got 0.5."),
    ],
)
def test_answers_in_code_of_another_kind(question, guess, said):
    with pytest.raises(Unreadable, match=said):
        as_text(asked(question), guess)
