"""What help() shows: the formula, the node, and an example that runs."""

import doctest
import importlib
import inspect
import pydoc
import types

import pytest

import minigrad as mg
from minigrad.ops import methods, rows
from minigrad.words.help import Page, examples

SPACES = {"mg": mg, "mg.nn.functional": mg.nn.functional, "mg.special": mg.special, "mg.linalg": mg.linalg}
FUNCTIONS = {
    f"{space}.{name}": function
    for space, names in SPACES.items()
    for name, function in vars(names).items()
    if isinstance(function, types.FunctionType) and not name.startswith("_")
}
METHODS = {f"x.{name}": method for name, method in methods.items() if not name.startswith("_")}
LAYERS = {f"mg.nn.{name}": layer for name, layer in vars(mg.nn).items() if isinstance(layer, type)}
EVERYTHING = FUNCTIONS | METHODS | LAYERS
PAGES = {name: one for name, one in EVERYTHING.items() if isinstance(one.__doc__, Page)}
OTHERS = (
    "core.tensor random.stream nn nn.init nn.utils optim optim.lr_scheduler autograd autograd.functional "
    "autograd.forward_ad autograd.graph autograd.profiler func utils.data utils.checkpoint serialization"
).split()


def members(space: str) -> dict[str, object]:
    """What a module defines for people, with the methods of its classes."""
    home, module = f"minigrad.{space}", importlib.import_module(f"minigrad.{space}")
    own = {name: one for name, one in vars(module).items() if str(getattr(one, "__module__", "")).startswith(home)}
    inside = {f"{name}.{key}": one for name, kind in own.items() for key, one in getattr(kind, "__dict__", {}).items()}
    kinds = (types.FunctionType, type, property)
    found = {name: one for name, one in (own | inside).items() if isinstance(one, kinds) and "__" not in name}
    return {f"mg.{space}.{name}": one for name, one in found.items() if ">>>" in (inspect.getdoc(one) or "")}


FOUND = PAGES | {name: one for space in OTHERS for name, one in members(space).items()}
SHOWN = {name: one for one, name in {one: name for name, one in reversed(FOUND.items())}.items()}  # each once


@pytest.mark.parametrize("name", SHOWN)
def test_an_example_shows_what_happens_to_who_types_it(name):
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(SHOWN[name]), {}, name, None, None)
    assert len(test.examples) > 1
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)


def test_an_operation_says_its_formula_and_its_node():
    for function in (mg.sin, mg.Tensor.sin):
        shown = pydoc.render_doc(function, renderer=pydoc.plaintext)
        for words in ("∂out/∂a = cos(a)", "The node SinBackward0 keeps a.", ">>> out = mg.sin(a)"):
            assert words in shown and words in function.__doc__
    assert "No gradient flows through it." in mg.bitwise_and.__doc__
    assert "expm1(a), with a = input.\neᵃ - 1, precise near 0.\n\n∂out/∂a" in mg.expm1.__doc__


def test_the_form_in_place_shows_what_becomes_of_its_tensor():
    assert ">>> out = a.mul_(b)\n>>> a\ntensor([1., 1.])\n>>> out is a\nTrue" in mg.mul_.__doc__


def test_to_ask_for_help_changes_nothing_and_needs_nothing():
    state = mg.manual_seed(0).get_state()
    with mg.no_grad():
        assert "tensor([0.6000, 0.8000])" in mg.norm.__doc__
    assert ">>> mg.nn.functional.dropout(mg.ones(4))" in mg.nn.functional.dropout.__doc__
    assert mg.equal(mg.get_rng_state(), state)


def test_no_example_is_of_a_name_that_is_not_there():
    names = {name.removeprefix("mg.") for name in FUNCTIONS | LAYERS | SHOWN}
    names |= {*dir(mg.Tensor), *vars(mg.nn.functional), *rows}
    assert set(examples()) - names == set()


def test_every_function_says_something():
    assert len(PAGES) > 800
    silent = [name for name, function in FUNCTIONS.items() if ">>>" not in inspect.getdoc(function)]
    assert silent == ["mg.is_grad_enabled", "mg.is_inference_mode_enabled"]  # which say True or False
    assert [name for name, function in (FUNCTIONS | METHODS).items() if "composed of" in inspect.getdoc(function)] == []
    assert [name for name, function in FUNCTIONS.items() if not inspect.getdoc(function)] == []
    assert [
        name for name, function in FUNCTIONS.items() if function.__name__ in ("<lambda>", "call", "twin", "run")
    ] == []
