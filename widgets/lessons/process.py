"""A process of its own for a learner's function: fresh, limited in time and memory, and ended with all that it started.

The two sides share files, not pipes: whatever the learner's code starts, closes or floods, nobody here waits for it.
"""

import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TextIO

import cloudpickle

from ..words import say
from .observer import Job

START = "from widgets.lessons.observer import main; main()"
START_UP = 60  # seconds until Python is there on the slowest machine
PRINTED = 20  # lines of the learner's own that are passed on
LONG = 500  # characters of such a line
MOST = 2**26  # bytes that are read of what was observed
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
TEXT: Any = {"encoding": "utf-8", "errors": "replace"}
NO_WINDOW = {"MPLBACKEND": "Agg", "MINIGRAD_ANSWERS": "waived"}  # nobody looks, and nobody answers


class Ran(NamedTuple):
    """What came of a job.

    Args:
        outcomes: of its steps, in order.
        end: why the rest of them was not done; empty if all were.
        printed: the first lines of the learner's own.
        error: why there is no function to call.
        names: of its parameters.
        began: whether the steps were begun.
    """

    outcomes: list[dict[str, Any]]
    end: str
    printed: list[str]
    error: dict[str, str] | None
    names: list[str]
    began: bool


def run(job: Job) -> Ran:
    """Do a job in a fresh process."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        job_file, lines, printed = (Path(folder) / name for name in ("job", "lines", "printed"))
        job_file.write_bytes(cloudpickle.dumps(job))
        here = Path(folder) / "here"
        here.mkdir()
        with (
            job_file.open("rb") as given,
            lines.open("ab") as told,
            printed.open("ab") as said,
            lines.open(**TEXT) as ours,  # both are opened before it starts, since it may delete what it finds
            printed.open(**TEXT) as theirs,
        ):
            process = start(given, told, said, here)
            try:
                end = watch(process, ours, job.seconds)
            finally:  # also when the learner interrupts the cell
                kill(process)
            ready, loaded, outcomes = split(read(ours, job.token))
            words = first_lines(theirs)
    if not ready:
        raise RuntimeError(say("process.broken", how=end, said=" ".join(words[-1:])))
    done = "error" in loaded or len(outcomes) == len(job.steps)
    return Ran(outcomes, "" if done else end, words, loaded.get("error"), loaded.get("done", []), bool(loaded))


def start(given: BinaryIO, told: BinaryIO, said: BinaryIO, here: Path) -> subprocess.Popen:
    """A process with these files as input, output and errors, which can import what can be imported here."""
    path = os.pathsep.join(place or os.getcwd() for place in sys.path)
    at_home = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP"), str(here))  # what it writes or deletes is there
    python = {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8:replace"}
    return subprocess.Popen(
        [sys.executable, "-u", "-c", START],
        stdin=given,
        stdout=told,
        stderr=said,
        cwd=here,
        env=os.environ | ONE_THREAD | NO_WINDOW | at_home | python,
        start_new_session=True,
    )


def split(lines: list[Any]) -> tuple[bool, dict[str, Any], list[dict[str, Any]]]:
    """Whether it began, what came of the learner's function, and of the steps."""
    return bool(lines), lines[1] if len(lines) > 1 else {}, lines[2:]


def watch(process: subprocess.Popen, lines: TextIO, seconds: float) -> str:
    """Wait for the end of a process, which must come so many seconds after its first line; why it came."""
    began, latest = False, time.monotonic() + START_UP
    late = say("process.late", seconds=f"{seconds:g}")
    while process.poll() is None:
        if not began and os.fstat(lines.fileno()).st_size:
            began, latest = True, time.monotonic() + seconds
        if time.monotonic() > latest:
            return late
        time.sleep(0.01)
    code = process.returncode
    if code >= 0:
        return say("process.ended", code=code)
    name = signal.Signals(-code).name
    if name == "SIGXCPU":
        return late
    return say("process.killed" if name == "SIGKILL" else "process.crashed", signal=name)


def kill(process: subprocess.Popen) -> None:
    """End a process, and those of its group."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):  # all have ended
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def read(lines: TextIO, token: str) -> list[Any]:
    """What stands in the lines that are ours; half of one, where the process ended, is none."""
    said = []
    for line in lines.read(MOST).splitlines():
        if line.startswith(token):
            with suppress(ValueError, RecursionError):
                said.append(json.loads(line.removeprefix(token)))
    return said


def first_lines(printed: TextIO) -> list[str]:
    lines = list(itertools.islice(iter(lambda: printed.readline(LONG), ""), PRINTED + 1))
    return [line.rstrip("\n") for line in lines[:PRINTED]] + ["…"] * (len(lines) > PRINTED)
