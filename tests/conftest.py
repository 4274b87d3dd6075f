"""Settings for all tests."""

import gc
import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from hypothesis import settings

import minigrad
import minigrad.nn  # noqa: F401 - so that all tables are there

# No deadline: a shared machine is slow at times. In CI the same examples each run, elsewhere new ones.
settings.register_profile("minigrad", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("minigrad")

KERNELS = Path(__file__).parent / "kernels"  # its file tells why


def pytest_collectstart():
    """What is collected stays: the garbage collector need not look through 17,000 tests again and again."""
    gc.disable()


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_configure(config):
    """The kernels of all workers are forked from one process, which ends with this one."""
    if sys.platform != "linux" or hasattr(config, "workerinput"):
        return
    address = f"minigrad-{uuid.uuid4()}"
    command = [sys.executable, KERNELS / "ipykernel_launcher.py", "--fork", address]
    source = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    source.stdout.readline()  # now it listens
    config.add_cleanup(source.communicate)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(KERNELS), *[before] * bool(before)])
    os.environ["MINIGRAD_FORKED_KERNELS"] = f"{sys.prefix}:{address}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With --dist=loadfile a file stays in one process; but each lesson in JupyterLab, long as it is, may go to any.

    One process begins with what needs a browser, and waits much; the others with the rest, the largest files first.
    """
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class BrowserBesideEngine(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return nodeid if "test_lab.py::test_a_lesson" in nodeid else super()._split_scope(nodeid)

        def _assign_work_unit(self, node):
            drives = node is self.nodes[0]
            fits = lambda scope: (("browser/" in scope) is drives, len(self.workqueue[scope]))  # noqa: E731
            self.workqueue.move_to_end(max(self.workqueue, key=fits), last=False)
            super()._assign_work_unit(node)

    return BrowserBesideEngine(config, log)


@pytest.fixture(autouse=True)
def the_same_numbers():
    """A test draws the same random numbers whichever tests ran before it: a fault shows each time, or never."""
    minigrad.manual_seed(0)


@pytest.fixture(scope="session", autouse=True)
def nobodys_answers(tmp_path_factory):
    """The tests leave the folder in which whoever runs them keeps a course of their own as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINIGRAD_COURSE", str(tmp_path_factory.mktemp("course")))
        yield
