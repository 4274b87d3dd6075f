"""How nbval runs the notebooks of the course, and what it does not compare beyond its own list (images, model ids)."""

import os
from unittest.mock import patch

import pytest

from widgets.course import can_run

NOT_COMPARED = (
    "image/svg+xml",  # coordinates and text baselines differ between Graphviz versions and fonts
    "text/html",  # the stepper's holds its program; what it says is in its text form, which is compared
    "stderr",  # a warning names the temporary file of its cell, with the number of the kernel's process
)


def pytest_ignore_collect(collection_path):
    """A lesson on PyTorch is left out where there is none."""
    return True if collection_path.suffix == ".ipynb" and not can_run(collection_path) else None


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):  # nbval's collector of one notebook
        collector.skip_compare += NOT_COMPARED


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup():
    """The kernel starts here: in it no cell waits for an answer, and no answer is remembered."""
    with patch.dict(os.environ, MINIGRAD_ANSWERS="waived"):
        return (yield)
