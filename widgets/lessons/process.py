"""A process of its own for a learner's function: fresh, limited in time and memory, and ended with all that it started.

The two sides share files, not pipes: whatever the learner's code starts, closes or floods, nobody here waits for it.
Where processes can copy themselves, it is a copy of one that has imported all that is needed, and does nothing else.
"""

import itertools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TextIO

import cloudpickle

from ..words import say
from .nursery import NUMBER
from .observer import Job

START = "from widgets.lessons.observer import main; main()"
START_NURSERY = "from widgets.lessons.nursery import main; main()"
SOON = 2  # seconds until the end of what was killed is known
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


def start(given: BinaryIO, told: BinaryIO, said: BinaryIO, here: Path) -> "subprocess.Popen | Copy":
    """A process with these files as input, output and errors, which can import what can be imported here."""
    path = [place or os.getcwd() for place in sys.path]
    at_home = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP"), str(here))  # what it writes or deletes is there
    python = {"PYTHONPATH": os.pathsep.join(path), "PYTHONIOENCODING": "utf-8:replace"}
    environment = os.environ | ONE_THREAD | NO_WINDOW | at_home | python
    if hasattr(os, "fork"):
        (here.parent / "settings").write_text(json.dumps([path, environment]), encoding="utf-8")
        with suppress(OSError):  # else there is no copy; a process of its own says why
            return Copy(at_rest.pop() if at_rest else Nursery(environment), here.parent)
    return python_with(START, environment, here, given, told, said)


def python_with(code: str, environment: dict[str, str], here: Path | str, *files: Any) -> subprocess.Popen:
    """A new Python that runs some code."""
    streams = dict(zip(("stdin", "stdout", "stderr"), files))
    command = [sys.executable, "-u", "-c", code]
    return subprocess.Popen(command, cwd=here, env=environment, start_new_session=True, **streams)


class Nursery:
    """The process that makes copies of itself, seen from here."""

    def __init__(self, environment: dict[str, str]):
        self.channel, theirs = socket.socketpair()
        with theirs:
            self.process = python_with(
                START_NURSERY, environment, os.sep, theirs, subprocess.DEVNULL, subprocess.DEVNULL
            )

    def number(self) -> int:
        """What it answers next.

        Raises:
            OSError: it has ended, or is silent.
        """
        if not (answer := self.channel.recv(NUMBER, socket.MSG_WAITALL)):
            raise ConnectionResetError
        return int.from_bytes(answer, "big", signed=True)

    def end(self) -> None:
        self.channel.close()
        self.process.kill()
        self.process.wait()


at_rest: list[Nursery] = []  # who wants a copy takes one, and puts it back when the copy has ended
if hasattr(os, "fork"):
    os.register_at_fork(after_in_child=at_rest.clear)  # one channel is no two processes'


class Copy:
    """A copy that a nursery makes of itself for the job in a folder; it is asked what a Popen is."""

    def __init__(self, nursery: Nursery, folder: Path):
        self.nursery = nursery
        self.returncode: int | None = None
        try:
            nursery.channel.settimeout(START_UP)
            nursery.channel.sendall(json.dumps(str(folder)).encode() + b"\n")
            self.pid = nursery.number()
            nursery.channel.settimeout(SOON)
        except OSError:
            nursery.end()
            raise

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self.nursery.channel], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self) -> None:
        if self.returncode is not None:
            return
        try:
            self.returncode = self.nursery.number()
            at_rest.append(self.nursery)
        except OSError:  # the learner's code has ended it, or made it wait
            self.returncode = -signal.SIGKILL
            self.nursery.end()

    def kill(self) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


def split(lines: list[Any]) -> tuple[bool, dict[str, Any], list[dict[str, Any]]]:
    """Whether it began, what came of the learner's function, and of the steps."""
    return bool(lines), lines[1] if len(lines) > 1 else {}, lines[2:]


def watch(process: "subprocess.Popen | Copy", lines: TextIO, seconds: float) -> str:
    """Wait for the end of a process, which must come so many seconds after its first line; why it came."""
    began, latest = False, time.monotonic() + START_UP
    late = say("process.late", seconds=f"{seconds:g}")
    while (code := process.poll()) is None:
        if not began and os.fstat(lines.fileno()).st_size:
            began, latest = True, time.monotonic() + seconds
        if time.monotonic() > latest:
            return late
        time.sleep(0.01)
    if code >= 0:
        return say("process.ended", code=code)
    name = signal.Signals(-code).name
    if name == "SIGXCPU":
        return late
    return say("process.killed" if name == "SIGKILL" else "process.crashed", signal=name)


def kill(process: "subprocess.Popen | Copy") -> None:
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
