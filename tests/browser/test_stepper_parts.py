"""The parts of the stepper that compute, each in the browser: what they return against tests/data/stepper.json."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

CASES = json.loads((Path(__file__).parent.parent / "data" / "stepper.json").read_text(encoding="utf-8"))
TRACE = CASES["trace"]


def test_numbers_are_written_as_python_writes_them(call):
    assert call("(m, all) => all.map(([x]) => m.format(x))", CASES["format"]) == [text for _, text in CASES["format"]]
    rng = random.Random(0)
    some = [rng.choice([-1, 1]) * rng.random() * 10 ** rng.randint(-12, 12) for _ in range(2000)]
    some += [9999.5, 9999.4, 99995.0, 0.00009999, 0.00010001]
    assert call("(m, all) => all.map(m.format)", some) == [f"{x:.4g}" for x in some]


def test_what_a_person_types_is_read(call):
    read = call("(m, all) => all.map(([text]) => m.parse(text)).map(x => Number.isNaN(x) ? null : x)", CASES["parse"])
    assert read == [number for _, number in CASES["parse"]]


def test_equations_are_cut_into_tokens(call):
    found = call("(m, all) => all.map(([text]) => m.tokens(text))", CASES["tokens"])
    assert found == [cut for _, cut in CASES["tokens"]]


def test_a_negative_number_keeps_its_sign_close(call):
    minus = "(m, text) => [...m.mathml(text).querySelectorAll('mo')].filter(o => o.textContent === '−')"
    forms = call(f"(m, all) => all.map(text => ({minus})(m, text).map(o => o.getAttribute('form')))", [
        "a = 2×2: all -3", "a = -2", "a = (-2) - 1", "a = b - 1", "a = 0 if -b",
    ])  # fmt: skip
    assert forms == [["prefix"], ["prefix"], ["prefix", None], [None], ["prefix"]]


def test_a_long_change_in_place_is_typeset_on_two_lines(call):
    cut = "(m, all) => all.map(m.cutAtSigns)"
    texts = ["b = sin(a) = 0.5", "w.weight: 2×2: 1 … 2 → 2×2: 3 … 4", "sum over 0: 3×2 → 2 = [1, 2]"]
    assert call(cut, texts) == [
        ["b", "= sin(a)", "= 0.5"],
        ["w.weight:", "2×2: 1 … 2", "→ 2×2: 3 … 4"],
        ["sum over 0: 3×2 → 2", "= [1, 2]"],
    ]
    rows = "(m, text) => [...m.mathml(text).querySelectorAll('mtr')].map(row => row.textContent)"
    assert call(rows, texts[1]) == ["w.weight:2×2:1…2", "→2×2:3…4"]


def test_stops_of_each_level(call):
    for level, stops in CASES["stops"].items():
        assert call("(m, [frames, level]) => m.stops(frames, level)", [TRACE["frames"], int(level)]) == stops


def test_every_way_between_two_positions_ends_in_the_same_state(call):
    """All pairs of positions, against a state that is reached step by step, and that Python computes."""
    found = call(
        """(m, trace) => {
            const at = [], last = trace.frames.length;
            for (let to = 0; to <= last; to++) for (let from = 0; from <= last; from++) {
                const state = m.start(trace);
                m.reduce(state, trace.frames, 0, from);
                m.reduce(state, trace.frames, from, to);
                at.push([to, state]);
            }
            return at;
        }""",
        TRACE,
    )
    assert len(found) == 81
    assert all(state == state_at(to) for to, state in found)
    assert state_at(0)["n0"] == {"value": 0} and state_at(8)["n0"] == {"value": 0, "box": 6}


def state_at(position):
    state = {f"n{i}": dict(node.get("start", {})) for i, node in enumerate(TRACE["nodes"])}
    state |= {f"e{i}": {} for i in range(len(TRACE["edges"]))}
    for frame in TRACE["frames"][:position]:
        for target, field, before, after in frame["changes"]:
            assert state[target].pop(field, None) == before
            if after is not None:
                state[target][field] = after
    return state


def test_only_net_changes_are_told(call):
    net = "(m, [from, to]) => [...m.changes(window.trace.frames, from, to)].map(([t, f]) => [t, [...f]])"
    call("(m, trace) => { window.trace = trace }", TRACE)
    assert call(net, [5, 8]) == [
        ["n1", [["done", [None, True]]]],
        ["n0", [["grad", [1, None]], ["box", [None, 6]]]],
    ]
    assert call(net, [8, 6]) == [["n0", [["box", [6, None]], ["grad", [None, 4]]]]]


@pytest.mark.parametrize("case", CASES["elements"], ids=lambda case: case["arithmetic"]["how"])
def test_elements_of_one_step(call, case):
    found = call("(m, { arithmetic, values }) => m.elements(arithmetic, values)", case)
    assert [element["text"] for element in found] == case["texts"]
    assert [element["at"] for element in found] == case["at"]


SHAPES = [((2, 3), (3, 2)), ((3,), (3,)), ((3,), (3, 2)), ((2, 1, 1, 3), (4, 3, 2)), ((5, 3), (2, 3, 1))]


@pytest.mark.parametrize("shapes", SHAPES)
def test_the_terms_of_a_product_add_up(call, shapes):
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-9, 9, shape) for shape in shapes)
    values = [{"data": x.ravel().tolist(), "shape": list(x.shape)} for x in (a, b, np.asarray(a @ b))]
    found = call(
        "(m, values) => m.elements({ how: 'matmul', inputs: [0, 1], output: 2 }, values)",
        values,
    )
    assert len(found) == (a @ b).size
    for element, result in zip(found, (a @ b).ravel() if (a @ b).ndim else [a @ b]):
        left, _, right = element["text"].partition(" = ")
        assert eval(left.replace("×", "*").replace("−", "-")) == result == int(right)


def test_answers_are_graded_and_wrong_ones_explained(call):
    for case in CASES["grade"]:
        kind = next((kind for kind in ("sign", "paths") if case.get(kind)), "number")
        graded = call(
            "(m, [question, given, values]) => m.grade(question, given, values)",
            [{"kind": kind, **CASES["grade_ask"]}, case["given"], CASES["grade_values"]],
        )
        assert graded == {"right": case["right"], "diagnosis": case["diagnosis"]}, case


def test_a_chosen_rule_is_graded_by_its_sentence(call):
    question = {"kind": "rule", "options": [["g", "The factor is missing."], ["g · x", ""]]}
    graded = call("(m, one) => ['g', 'g · x'].map(given => m.grade(one, given, []))", question)
    assert graded == [{"right": False, "diagnosis": "The factor is missing."}, {"right": True, "diagnosis": ""}]


def test_which_questions_are_put_and_where(call):
    ask = {"kind": "number", "question": "How much?", "answer": 0}
    options = {"options": [["g", 1], ["g · x", None]]}
    frames = [
        {"ask": [ask]},
        {},
        {"ask": [{"kind": "rule", "question": "Which?", "before": 1, **options}, {**ask, "answer": 1}]},
        {"ask": [{**ask, "kind": "paths"}]},
    ]
    trace = {"frames": frames, "values": [{"data": [1]}, {"data": ["nan"]}], "misconceptions": ["", "It is missing."]}
    found = {
        how: call(
            "(m, [trace, asks, how]) => m.questionsOf(trace, asks, how).map(one => [one.at, one.frame, one.kind])",
            [trace, [[3, "paths"], [2, "rule"]], how],
        )
        for how in ("chosen", "number", "sign", "node")
    }
    assert found == {
        "chosen": [[1, 2, "rule"], [3, 3, "paths"]],
        "number": [[0, 0, "number"]],  # nobody can type what is not a number
        "sign": [[0, 0, "sign"]],
        "node": [[0, 0, "node"]],
    }
    put = call("(m, [trace, asks]) => m.questionsOf(trace, asks)[0].options", [trace, [[2, "rule"]]])
    assert put == [["g", "It is missing."], ["g · x", ""]]


def test_a_guess_at_the_next_node_is_told_what_is_missing(call):
    for case in CASES["grade_node"]:
        graded = call(
            """(m, [trace, position, given]) => {
                const state = m.start(trace);
                m.reduce(state, trace.frames, 0, position);
                return m.gradeNode(trace, state, trace.frames[position], given);
            }""",
            [TRACE, case["position"], case["given"]],
        )
        assert graded == {"right": case["right"], "diagnosis": case["diagnosis"]}, case


def test_where_breakpoints_stop(call):
    for case in CASES["hits"]:
        found = call(
            "(m, [trace, stop]) => trace.frames.flatMap((_, i) => m.hits(trace, stop, i) ? [i] : [])",
            [TRACE, case["stop"]],
        )
        assert found == case["frames"], case["stop"]


def test_a_place_that_is_set_stands_apart_from_the_words(call):
    """`y with [0] set to 5` is a sentence; in `x[0]` nothing stands between."""
    spaces = "(m, text) => m.mathml(text, true).querySelectorAll('mspace').length"
    assert call(spaces, "y with [0] set to 5") == 5 and call(spaces, "x[0]") == call(spaces, "x [0, 1]") - 1 == 0


def test_a_name_that_was_cut_is_one_word(call):
    terms = "(m, text) => [...m.mathml(text, true).querySelectorAll('[data-term]')].map(one => one.dataset.term)"
    assert call(terms, "∂L/∂the_first_i…hole_network · a")[0] == "the_first_i…hole_network"
    assert "the_first_i…hole_network" in call(terms, "the_first_i…hole_network.grad")
