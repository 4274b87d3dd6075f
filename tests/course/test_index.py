"""The index notebook is what the lessons say."""

import json
import runpy

from widgets.course import INDEX, ORIGINALS

MAKER = runpy.run_path(str(ORIGINALS.parent / "docs" / "make_index.py"))


def test_the_index_is_up_to_date():
    stored = json.loads((ORIGINALS / INDEX).read_text(encoding="utf-8"))["cells"]
    made = MAKER["notebook"]()["cells"]
    assert ["".join(cell["source"]) for cell in stored] == ["".join(cell["source"]) for cell in made], (
        "run: python docs/make_index.py, then python3 go.py refresh notebooks/index.ipynb"
    )


def test_each_misconception_has_a_place_that_is_there():
    for sentence, place in MAKER["misconceptions"]().items():
        text = place.lesson.read_text(encoding="utf-8")
        assert f"# {place.heading}" in text, (sentence, place)
