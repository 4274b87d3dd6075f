"""Programs as their users write them, with what they change between two calls: compiled, they leave the same behind.

A program is text: `## its name`, what defines `f`, and after each `--` a step; `-- x3` is done three times. All runs
twice, as it is and compiled, and after each step everything that can be reached is compared: numbers, types, versions,
which objects are one and the same, which tensors are on one memory, what was printed, warned and raised, and the stream
of random numbers.
Of those whose name ends in `(refused)`, no plan may be left.
"""

import contextlib
import io
import itertools
import re
import sys
import threading
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad.compiler.compiled import Compiled, CompiledModule
from minigrad.core import hooks
from minigrad.core.row import op

TEXT = "".join(one.read_text() for one in sorted((Path(__file__).parent / "programs").iterdir()))
PROGRAMS = re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", TEXT, re.MULTILINE)


class Sight:
    """What can be reached, as plain values; an object that was met before is its number."""

    def __init__(self) -> None:
        self.met: dict[int, tuple] = {}

    def number(self, thing) -> int:
        return self.met.setdefault(id(thing), (len(self.met), thing))[0]

    def of(self, thing):
        if isinstance(thing, CompiledModule):
            return self.of(thing._orig_mod)
        if isinstance(thing, Compiled):
            return self.of(thing.function)
        if isinstance(thing, bool | int | float | complex | str | bytes | None | np.generic):
            return type(thing).__name__, repr(thing)
        if isinstance(thing, types.ModuleType | types.BuiltinFunctionType | mg.autograd.graph.Node):
            return None
        is_new = id(thing) not in self.met
        return type(thing).__name__, self.number(thing), is_new and self.inside(thing)

    def inside(self, thing):
        if isinstance(thing, mg.Tensor):
            return self.tensor(thing)
        if isinstance(thing, np.ndarray):
            return thing.dtype, thing.shape, thing.tobytes()
        own = {name: one for name, one in getattr(thing, "__dict__", {}).items() if name[:2] != "__" and name != "id"}
        found = [self.of(one) for one in own.items()] if not isinstance(thing, type) or is_programs(thing) else []
        if isinstance(thing, dict):
            found += [self.of(pair) for pair in thing.items()]
        elif isinstance(thing, list | tuple):
            found += [self.of(one) for one in thing]
        elif isinstance(thing, set | frozenset):
            found += map(repr, thing)
        elif isinstance(thing, types.FunctionType):
            found += [self.of(thing.__defaults__), self.of(thing.__kwdefaults__)]
            with contextlib.suppress(ValueError):  # an empty cell
                found += [self.of(cell.cell_contents) for cell in thing.__closure__ or ()]
        elif isinstance(thing, types.MethodType):
            found += [self.of(thing.__self__)]
        return found

    def tensor(self, tensor):
        data = tensor.numbers
        assert type(data) is np.ndarray or isinstance(data, np.generic)
        facts = tensor.dtype, tensor.shape, tensor.stride(), data.tobytes(), tensor.requires_grad, tensor.is_inference()
        version = None if tensor.is_inference() else tensor._version
        memory = self.number(root(data)) if isinstance(data, np.ndarray) and data.shape else 0
        own = {name: one for name, one in vars(tensor).items() if name[0] != "_"}
        return facts, version, memory, tensor.is_leaf and self.of(tensor.grad), self.of(own)


def is_programs(kind: type) -> bool:
    return kind.__module__ == "a_program"


def root(array):
    while isinstance(getattr(array, "base", None), np.ndarray):
        array = array.base
    return array


def left_behind(text: str, is_compiled: bool) -> tuple[list, list[Compiled]]:
    """What there is after each step; and what was compiled."""
    made: list[Compiled] = []
    module = sys.modules["a_program"] = types.ModuleType("a_program")
    module.__file__ = "a_program.py"

    def compiled(function):
        if is_compiled:
            function = mg.compile(function)
            made.append(getattr(function, "_compiled", function))
        return function

    tools = {"mg": mg, "nn": mg.nn, "np": np, "F": mg.nn.functional, "C": compiled}
    space = vars(module)
    space.update(tools)
    start, *steps = re.split(r"^--[ ]*((?:x\d+)?)[ ]*\n", text, flags=re.MULTILINE)
    mg.manual_seed(0)
    hooks._ids = itertools.count()  # a dict of hooks has them as its keys
    exec(compile(start, "a_program.py", "exec"), space)
    if not made and "f" in space:
        space["f"] = compiled(space["f"])
    found = []
    for times, step in zip(steps[::2], steps[1::2]):
        for _ in range(int(times[1:] or 1)):
            found.append(after(compile(step, "steps.py", "exec"), space, tools))
    return found, made


def after(step: types.CodeType, space: dict, tools: dict) -> list:
    """What there is after a step."""
    said, error = io.StringIO(), None
    space.pop("r", None)
    with warnings.catch_warnings(record=True) as told, contextlib.redirect_stdout(said):
        warnings.simplefilter("always")
        try:
            exec(step, space)
        except Exception as raised:
            error = type(raised), re.sub("Compiled|at 0x.*", "", str(raised))[:50]
    words = [str(one.message) for one in told if "cannot be compiled" not in str(one.message)]
    everything = {name: one for name, one in space.items() if name not in tools and name[:2] != "__"}
    modes = mg.is_grad_enabled(), mg.get_default_dtype(), mg.get_rng_state().tolist()
    return [error, words, said.getvalue(), modes, Sight().of(everything)]


@pytest.fixture(autouse=True)
def modes_as_they_were():
    yield
    mg.set_grad_enabled(True)
    mg.set_default_dtype(mg.float32)
    sys.modules.pop("a_program", None)


@pytest.mark.parametrize("name", [name for name, _ in PROGRAMS])
def test_left_behind(name):
    text = dict(PROGRAMS)[name]
    expected, _ = left_behind(text, False)
    found, made = left_behind(text, True)
    for step, (before, now) in enumerate(zip(expected, found)):
        assert now == before, f"after step {step}"
    assert any(one.plans for one in made) != name.endswith("(refused)"), made[0].refusal


def test_names_are_different():
    assert len(dict(PROGRAMS)) == len(PROGRAMS) > 50


def test_what_changed_before_the_backward_is_said():
    options = types.SimpleNamespace(scale=2.0)

    def f(x):
        return (x**3).sum() * options.scale, x.sum() * 2

    compiled = mg.compile(f)
    x = mg.ones(2, requires_grad=True)
    for change in (0.0, 1.0):
        compiled(x)
        one, _ = compiled(x)
        options.scale += change
        if change:
            with pytest.raises(RuntimeError, match="what the compiled function looks at has changed"):
                one.backward()
        else:
            one.backward()
            assert x.grad.tolist() == [6, 6]


@pytest.mark.parametrize("behind", [lambda x: x.data.mul_(2), lambda x: x.detach().numpy().fill(3)])
def test_what_was_changed_behind_our_back_before_a_second_run_is_said(behind):
    compiled = mg.compile(lambda x: (x.exp() * x, (x * 2).sin()))
    for options in ({"create_graph": True}, {"retain_graph": True}):
        for _ in range(2):
            x = mg.ones(2, requires_grad=True)
            one, other = compiled(x)
        behind(x)
        ends = [one] if "retain_graph" in options else [one, other]
        with pytest.raises(RuntimeError, match="what the compiled function looks at has changed"):
            mg.autograd.grad([end.sum() for end in ends], x, **options)


def test_what_was_frozen_before_the_backward_of_one_of_two_is_said():
    x, w = mg.ones(2, requires_grad=True), mg.ones(2, requires_grad=True)
    compiled = mg.compile(lambda: (x.exp(), w.exp()))
    compiled()
    one, _ = compiled()
    w.requires_grad_(False)  # so that the function, asked once more, has one result with a history
    with pytest.raises(RuntimeError, match="what the compiled function looks at has changed"):
        one.sum().backward()
    w.requires_grad_(True)
    compiled()[0].sum().backward()
    assert x.grad.tolist() == mg.ones(2).exp().tolist() and w.grad is None


@pytest.mark.filterwarnings("ignore")
def test_a_row_that_makes_an_array_unseen_is_left_as_it_is():
    twice = op(lambda a: np.asfortranarray(a) + np.asfortranarray(a), a=lambda g: g + g)
    compiled = mg.compile(lambda x: twice(x))
    for k in range(1, 4):
        assert compiled(mg.full((2,), float(k), requires_grad=True)).tolist() == [2 * k, 2 * k]
    assert not compiled.plans


def test_one_of_two_results_that_leads_to_the_other_is_not_listened_to():
    w = mg.ones(2, requires_grad=True)
    chained, apart = mg.compile(lambda: ((h := w * 2), h.exp())), mg.compile(lambda: (w * 2, w.exp()))
    for compiled in (chained, apart):
        compiled()
    for listen in (mg.Tensor.retain_grad, lambda one: one.register_hook(print)):
        with pytest.raises(RuntimeError, match="leads to another one"):
            listen(chained()[0])
    one, other = chained()
    with pytest.raises(RuntimeError, match="leads to another one"):
        mg.autograd.grad(other.sum(), one)
    (two,) = mg.autograd.grad(other.sum(), other, retain_graph=True)  # which leads to none
    assert two.tolist() == [1, 1]
    one, other = apart()
    one.retain_grad()
    (one * other).sum().backward()
    assert one.grad.tolist() == other.tolist()


@pytest.mark.filterwarnings("ignore")
def test_two_threads_that_watch_leave_numpy_as_it_was():
    started, ended, makers = threading.Event(), threading.Event(), (np.array, np.zeros, np.asarray)

    def first(x):
        started.set()
        ended.wait(10)
        return x * 2

    def second(x):
        ended.set()
        thread.join(10)
        return x * 3

    found = []
    thread = threading.Thread(target=lambda: found.append(mg.compile(first)(mg.ones(1)).item()))
    thread.start()
    started.wait(10)
    assert mg.compile(second)(mg.ones(1)).item() == 3 and found == [2]
    assert makers == (np.array, np.zeros, np.asarray)
