"""A contestant lives in a process of its own, which has imported its own library and no other.

That is for fairness: Python's garbage collector looks at every object of the process, so the heap of one big library
makes all others slower. This file is both ends: `Contestant` is what the parent holds, and
`python -m benchmarks.contestant NAME` is the process, which answers each line of JSON with a line of JSON.
"""

import importlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
SETTINGS = {
    **dict.fromkeys(THREADS, "1"),
    # Linux takes memory back, or does not, depending on what happens to lie beside it. Where it does, a program with
    # large arrays takes up to twice its time, hand-written NumPy first of all. We compare programs, not their luck.
    **dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(2**30)),
    "PYTHONHASHSEED": "0",
}
UNTUNED = "_untuned"  # a contestant that runs as users run it, whose memory Linux takes back


OURS = ("micrograd_style", "bare_tape")  # engines that were written for these benchmarks


class Contestant:
    """The parent's end: ask a question, wait for the answer. Nobody else runs meanwhile."""

    def __init__(self, name: str):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.contestant", name],
            cwd=Path(__file__).parents[1],
            env=os.environ | (dict.fromkeys(THREADS, "1") if name.endswith(UNTUNED) else SETTINGS),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version = self.answer()  # None: not installed

    def ask(self, question: str, **arguments):
        self.process.stdin.write(json.dumps([question, arguments]) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        answer, error = json.loads(line) if line else (None, "the process ended")
        if error:
            raise RuntimeError(error)
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()


# == the process =======================================================================================================


def library_of(name: str):
    """Import the one library, ready to be used with one thread."""
    if name == "without_events":
        from .silence import minigrad_without_events

        return minigrad_without_events()
    if name in ("operations_heard", "everything_heard"):
        import minigrad

        events = minigrad.autograd.events
        kinds = (events.Made,) if name == "operations_heard" else events.KINDS
        minigrad.listening = events.listen(lambda event: None, *kinds)
        minigrad.listening.__enter__()  # for as long as the process lives
        return minigrad
    name = name.removesuffix(UNTUNED)
    if name == "torch_compile":
        if shutil.which("c++") is None:
            raise ImportError("torch.compile writes C++, and no compiler for that is here")
        name = "torch"
    where = "minigrad" if name == "compiled" else f"benchmarks.{name}" if name in OURS else name
    library = importlib.import_module(where)
    if name == "torch":
        library.set_num_threads(1)
    return library


def version(library) -> str:
    try:
        return importlib.metadata.version(library.__name__)
    except importlib.metadata.PackageNotFoundError:
        return ""  # ours


def gradients(name: str, library, work: str) -> list:
    """What the work's program answers, on tiny data."""
    from . import programs

    answer = getattr(programs, work)(tiny=True).step(name, library)()
    return [gradient.tolist() if hasattr(gradient, "tolist") else gradient for gradient in answer]


def seconds(name: str, library, work: str, budget: float) -> float:
    """The time of one step, from a fresh start, as the mean of as many as the budget allows."""
    from . import programs

    step = getattr(programs, work)().step(name, library)
    for _ in range(3):
        step()  # the second may still be another one than the first: there are gradients now
    started = perf_counter()
    step()
    count = max(1, int(budget / (perf_counter() - started)))
    started = perf_counter()
    for _ in range(count):
        step()
    return (perf_counter() - started) / count


def main(name: str) -> None:
    requests, answers, sys.stdout = sys.stdin, sys.stdout, sys.stderr  # what a library prints is no answer

    def reply(answer, error=""):
        print(json.dumps([answer, error]), file=answers, flush=True)

    try:
        library = library_of(name)
    except ImportError:
        return reply(None)
    reply(version(library))
    for line in requests:
        question, arguments = json.loads(line)
        module, _, function = question.rpartition(".")
        try:
            module = importlib.import_module(f"benchmarks.{module or 'contestant'}")
            reply(getattr(module, function)(name, library, **arguments))
        except Exception as error:  # shown in the table
            reply(None, f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main(sys.argv[1])
