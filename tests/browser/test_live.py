"""What a page computes when a number is moved, against the engine: each instruction, and random programs."""

import json

import numpy as np
import pytest

from minigrad.compiler.tape import Tape
from tests.browser.live_runs import MOVED, handed_out, kernel, recorded, recorded_in_place, tell_the_same
from widgets.program.instructions import Instructions
from widgets.program.primitives import ELEMENTWISE
from widgets.telling.trace import told

RUN = """(m, {live, wanted}) => {
    const tape = new m.Tape(live);
    tape.run();
    return wanted.map(slot => Array.from(tape.arrays[slot], x => Number.isFinite(x) ? x : String(x)));
}"""


def close(found, right):
    """To the printed digit."""
    return np.allclose(np.array(found, float), np.asarray(right, float).ravel(), 1e-5, 1e-7, equal_nan=True)


def as_data(tape, *results):
    found = Instructions(tape, [one.value for one in results])
    slots = [[dtype, *shape] for shape, dtype in found.slots]
    live = {"slots": slots, "given": [[slot, data] for slot, data in found.given.items()], "lines": found.lines}
    return json.loads(json.dumps({"live": live, "wanted": [found.slot[one.value] for one in results]}))


NUMBERS = np.array([[-2.5, -1.0, -0.5], [0.0, 0.4, 1.0], [1.5, 3.0, np.inf], [np.nan, -np.inf, 1e-3]])
OTHERS = np.array([1.5, -2.0, 0.5])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", sorted(ELEMENTWISE))
def test_elementwise(call, name, dtype):
    tape = Tape()
    a, b = tape.given(NUMBERS.astype(dtype), "a"), tape.given(OTHERS.astype(dtype), "b")
    with np.errstate(all="ignore"):
        if name == "where":
            result = np.where(a > b, a, b)
        else:
            function = getattr(np, name)
            arrays = [a, b][: function.nin]
            if name.startswith("logical"):
                arrays = [one > 0 for one in arrays]
            result = function(*arrays)
    found = call(RUN, as_data(tape, result))[0]
    assert (
        np.array_equal(np.array(found, "f2"), result.plain.ravel(), equal_nan=True)
        if dtype == "float16"
        else close(found, result.plain)
    )


def structure(a, b):
    """By name: what brings elements elsewhere, gathers them, or writes them."""
    c = a.copy()
    c[1:, ::2] = 7.0
    d = a.copy()
    np.add.at(d, (np.array([0, 0, 1]), np.array([1, 1, 2])), b)
    e = a.copy()
    e += b
    first, second = np.split(a, 2)
    f = a.copy()
    view, row = f[:, 1:], f[1]
    view *= 10.0
    row[0] = 7.0
    again = view[1:, 0]
    again += 1.0
    np.add.at(view, (np.array([0, 0]), np.array([1, 1])), b[0])
    windows = np.lib.stride_tricks.sliding_window_view(a, 2, axis=1)
    return {
        "sum": np.sum(a), "sum of rows": a.sum(1), "sum, kept": np.sum(a, axis=(0, 1), keepdims=True),
        "mean": a.mean(0), "reduce": np.add.reduce(a), "max": a.max(1), "min": np.min(a), "prod": a.prod(0),
        "any": (a > 1).any(0), "all": (a > -9).all(), "argmax": a.argmax(1), "argmin": a.argmin(0),
        "argmax of all": a.argmax(), "matmul": a @ a.T, "vector": a @ b, "from the left": b @ a.T, "dot": b @ b,
        "cumsum": a.cumsum(1), "batches": np.matmul(np.stack([a, a + 1]), a.T), "transpose": a.transpose(1, 0),
        "reshape": a.reshape(3, 4), "row": a[1], "column": a[:, -1], "new axis": a[:, None], "every second": a[::-2],
        "list": a[[0, 0, 3]], "broadcast": np.broadcast_to(b, (2, 3)), "concatenate": np.concatenate([a, b[None]]),
        "stack": np.stack([b, b + 1]), "flip": np.flip(a, 0), "roll": np.roll(a, 1, 1), "repeat": b.repeat(2),
        "tile": np.tile(b, 2), "triu": np.triu(a), "diagonal": a.diagonal(), "split": second, "clip": a.clip(-1, 1),
        "to bool": (a > 0).astype("float32"), "to float64": a.astype("float64") * 0.1, "as float32": a * 0.1,
        "put": c, "added": d, "in place": e, "power": a ** 2, "to the left": 2 ** a,
        "written through views": f, "a view of that": view * 1.0, "another": row + again[0], "windows": windows * 1.0,
        "whole": np.floor(a).astype("int64") // 2,
    }  # fmt: skip


def test_structure(call):
    rng = np.random.default_rng(0)
    tape = Tape()
    a, b = (tape.given(rng.normal(size=shape).astype("float32"), name) for name, shape in (("a", (4, 3)), ("b", (3,))))
    results = structure(a, b)
    found = call(RUN, as_data(tape, *results.values()))
    assert [name for (name, right), own in zip(results.items(), found) if not close(own, right.plain)] == []


def test_float32_is_float32(call):
    tape = Tape()
    a = tape.given(np.float32(0.1), "a")
    (found,), right = call(RUN, as_data(tape, a * 3 - 0.3)), np.float32(0.1) * np.float32(3) - np.float32(0.3)
    assert found == [float(right)] != [0.1 * 3 - 0.3]


def test_float16_is_float16(call):
    numbers = [0.1, 2049.0, 65504.0, 65519.9, 65520.0, -1e9, 6e-8, 2.9e-8, 1e-5, 0.0, float("nan"), 2051.0, 1023.75]
    rng = np.random.default_rng(2)
    numbers += (rng.normal(size=2000) * 2.0 ** rng.integers(-26, 17, 2000)).tolist()
    asked = [str(x) if x != x else x for x in numbers]
    found = call(
        "(m, all) => all.map((x) => String(m.ROUNDED.float16(m.real(x))))",
        asked,
    )
    with np.errstate(over="ignore"):
        right = np.array(numbers).astype(np.float16)
    assert np.array_equal(np.array(found).astype(float), right.astype(float), equal_nan=True)
    short = call("(m, all) => all.map((x) => m.shortest('float16', x))", right[13:].astype(float).tolist())
    assert np.array_equal(np.array(short, np.float16), right[13:])
    assert all(len(f"{one:g}") <= len(f"{float(str(x)):g}") for one, x in zip(short, right[13:]))


def test_numbers_are_told_as_python_tells_them(call):
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=shape) for shape in [(), (1,), (4,), (5,), (2, 2), (2, 3), (2, 1, 2), (0,)]]
    arrays += [np.array(-0.0), np.array([1.0, np.nan]), np.full((3, 3), 2.5), np.array([True, False]), np.array(7)]
    asked = [[one.dtype.name, one.shape, [str(x) if x != x else x for x in one.ravel().tolist()]] for one in arrays]
    texts = call("(m, all) => all.map(([dtype, shape, data]) => m.brief(dtype, shape, data.map(m.real)))", asked)
    assert texts == [told(one)["text"] for one in arrays]


def test_a_line_that_is_none_of_its_own_is_refused(call):
    live = {"slots": [[], []], "given": [[0, [1]]], "lines": [["constructor", 1, [0]]]}
    values = [{"text": "1", "slot": 0}]
    trace = {"values": values, "frames": [], "live": {**live, "leaves": {"0": 0}, "decided": []}}
    assert call("(m, trace) => new m.Live(trace).why", trace)


def check_moved(call, trace, other, leaf, number):
    """A page on which one number is moved shows and says what the engine does with that number."""
    found = call(MOVED, {"trace": trace, "leaf": leaf, "index": 0, "number": number})
    assert found["back"]
    if found["decides"] or [f["kind"] for f in trace["frames"]] != [f["kind"] for f in other["frames"]]:
        pytest.skip("Python goes another way with this number")
    wrong = [
        (one, right)
        for said, frame in zip(found["said"], other["frames"])
        for one, right in zip(said, [frame.get(name, "") for name in ("say", "hint", "equation")])
        if not tell_the_same(one, right)
    ]
    assert wrong == []
    for frame, after in zip(trace["frames"], other["frames"]):
        shown = {(target, field): value for target, field, _, value in frame.get("changes", [])}
        for target, field, _, value in after.get("changes", []):
            if field in ("value", "grad", "box", "part") and value is not None:
                assert tell_the_same(found["texts"][shown[target, field]]["text"], other["values"][value]["text"])


@pytest.mark.parametrize("seed", range(60))
def test_a_moved_program_tells_what_the_engine_tells(call, seed):
    trace, start = recorded(seed)
    if "not" in trace["live"]:
        pytest.skip(trace["live"]["not"])
    other, number = recorded(seed, by=0.0625)
    leaf = next((str(i) for i, node in enumerate(trace["nodes"]) if node["name"] == "x0"), "")
    if leaf not in trace["live"]["leaves"]:
        pytest.skip("it does not use this leaf")
    check_moved(call, trace, other, leaf, number)


def test_all_programs_in_place_are_followed():
    """What is skipped below is no sign that nothing is left."""
    taken = [trace for trace in map(recorded_in_place, range(40)) if trace is not None]
    assert len(taken) == 30 and all("leaves" in trace["live"] and "lines" in trace["program"] for trace in taken)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_changed_in_place_follows(call, seed):
    trace = recorded_in_place(seed)
    if trace is None:
        pytest.skip("the engine refuses it")
    leaf = next(iter(trace["live"]["leaves"]))
    start = trace["values"][trace["nodes"][int(leaf)]["start"]["value"]]["data"][0]
    other = recorded_in_place(seed, by=0.0625)
    if other["values"][other["nodes"][int(leaf)]["start"]["value"]]["data"][0] == start:
        pytest.skip("another leaf is the first here")
    check_moved(call, trace, other, leaf, start + 0.0625)


KERNELS = "convolution, largest of windows, windows, embedding, half precision"


@pytest.mark.parametrize("name", KERNELS.split(", "))
def test_what_asks_for_more_follows(call, name):
    trace, other = kernel(name), kernel(name, by=0.0625)
    leaf = next(str(i) for i, node in enumerate(trace["nodes"]) if node["name"] == "x")
    check_moved(call, trace, other, leaf, 0.5625)


@pytest.mark.parametrize("name", ["a rule of one's own", "a Newton step", "a first gradient", "a mask"])
def test_what_comes_in_by_no_operation_follows(call, name):
    trace, other = handed_out(name), handed_out(name, by=0.0625)
    check_moved(call, trace, other, next(iter(trace["live"]["leaves"])), 2.0625)
