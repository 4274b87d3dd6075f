"""The index notebook is what the lessons say."""

import ast
import json
import runpy

import pytest

from widgets.course import INDEX, ORIGINALS

MAKER = runpy.run_path(str(ORIGINALS.parent / "docs" / "make_index.py"))


def test_the_index_is_up_to_date():
    stored = json.loads((ORIGINALS / INDEX).read_text(encoding="utf-8"))["cells"]
    made = MAKER["notebook"]()["cells"]
    assert ["".join(cell["source"]) for cell in stored] == ["".join(cell["source"]) for cell in made], (
        "run: python docs/make_index.py, then python3 go.py refresh notebooks/index.ipynb"
    )


@pytest.mark.parametrize(
    ("program", "names"),
    [
        ("y = x.sin()\ny.grad_fn.name()", {"Tensor.sin", "Tensor.grad_fn", "grad_fn.name"}),
        ("import timeit\ntimeit.repeat(mg.sin)", {"sin"}),
        ("with record() as run:\n    b = a.sum()\nrun.trace", {"Tensor.sum"}),
        ("p = np.ones(3)\np.max()\n(node, _), = y.grad_fn.next_functions\nnode.name()",
         {"Tensor.grad_fn", "grad_fn.next_functions"}),
        ("ctx.save_for_backward(a)\nctx.number = 3\nmg.explain(f)\nfaults.FAULTS.values()", {"ctx.save_for_backward"}),
    ],
)  # fmt: skip
def test_the_names_are_pytorchs_and_of_what_has_them(program, names):
    tree = ast.parse(program)
    assert {MAKER["called"](node, MAKER["no_tensors"](tree)) for node in ast.walk(tree)} - {None} == names


def test_each_misconception_has_a_place_that_is_there():
    for sentence, place in MAKER["misconceptions"]().items():
        text = place.lesson.read_text(encoding="utf-8")
        assert f"# {place.heading}" in text, (sentence, place)
