"""What help() shows: the formula, the node, and an example that runs."""

import doctest
import inspect
import pydoc
import types

import pytest

import minigrad as mg
from minigrad.words.help import Page

SPACES = {"mg": mg, "mg.nn.functional": mg.nn.functional, "mg.special": mg.special, "mg.linalg": mg.linalg}
FUNCTIONS = {
    f"{space}.{name}": function
    for space, names in SPACES.items()
    for name, function in vars(names).items()
    if isinstance(function, types.FunctionType) and not name.startswith("_")
}
PAGES = {name: function for name, function in FUNCTIONS.items() if isinstance(function.__doc__, Page)}


@pytest.mark.parametrize("name", PAGES)
def test_the_example_of_an_operation_shows_what_happens(name):
    test = doctest.DocTestParser().get_doctest(PAGES[name].__doc__, {}, name, None, None)
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


def test_every_function_says_something():
    assert len(PAGES) > 120
    assert [name for name, function in FUNCTIONS.items() if not inspect.getdoc(function)] == []
    assert [
        name for name, function in FUNCTIONS.items() if function.__name__ in ("<lambda>", "call", "twin", "run")
    ] == []
