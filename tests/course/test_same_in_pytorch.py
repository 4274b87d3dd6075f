"""What a lesson calls the same in PyTorch is: the same lines print the same with either."""

import contextlib
import io
import json
import warnings

import pytest

from tests.oracle import judge
from widgets.course import ORIGINALS
from widgets.lessons import exercises

FIRST_LINE = "import minigrad as torch  # with PyTorch: import torch\n"
LESSONS = [ORIGINALS / f"{name}.ipynb" for name in exercises.names()]


def programs(lesson):
    cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
    sources = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return [source for source in sources if source.startswith(FIRST_LINE)]


def printed(source):
    with contextlib.redirect_stdout(io.StringIO()) as said, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(source, {})
    return said.getvalue()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_the_same_lines_print_the_same(lesson):
    judge()
    assert programs(lesson), "a lesson ends with the same in PyTorch"
    for source in programs(lesson):
        ours, theirs = printed(source), printed(source.replace(FIRST_LINE, "import torch\n"))
        assert ours.strip() and ours == theirs


def test_what_differs_is_noticed():
    judge()
    source = f"{FIRST_LINE}print(torch.__name__)"
    assert printed(source) != printed(source.replace(FIRST_LINE, "import torch\n"))
