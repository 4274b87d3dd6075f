"""Compare minigrad with its peers: `python -m benchmarks [--quick] [--write] [words of a title ...]`."""

import argparse
import importlib.util
import os
import platform
from contextlib import ExitStack
from pathlib import Path

from .contestant import Contestant
from .measures import import_seconds
from .programs import WORKS, ScalarOp
from .rounds import Row, race, time_text

TITLES = {
    "minigrad": "minigrad",
    "torch": "PyTorch",
    "autograd": "autograd",
    "mygrad": "MyGrad",
    "numpy": "NumPy",
    "micrograd_style": "micrograd-style",
    "bare_tape": "bare tape",
    "compiled": "compiled",
    "torch_compile": "torch.compile",
    "minigrad_untuned": "minigrad, untuned",
    "numpy_untuned": "NumPy, untuned",
    "compiled_untuned": "compiled, untuned",
}
INTRODUCTION = """# Benchmarks

Written by `python -m benchmarks --write`. Each contestant has a process of its own and one thread, and all take turns
in many short rounds. A time is the median over the rounds; a ratio is the median of the ratios within each round, with
its quartiles. The garbage collector is on, as users have it. NumPy means a program without an engine, its derivatives
written by hand. "micrograd-style" is a scalar engine of our own in micrograd's manner, which is not on the package
index; "bare tape" is the least that a tape in Python does, without types, modes, hooks, views, versions, events or
errors: what minigrad takes beyond that is the price of its promises. "–": there is no program for this work, or the
library is not installed. "compiled" is `minigrad.compile` of the whole step, "torch.compile" PyTorch's compiler on the
same step, where a C++ compiler is installed; PyTorch is PyTorch without it. "untuned" contestants get memory as a user
does: Linux takes large arrays back from whoever lets go of them; for all others it does not, so that programs are
compared and not their luck.
"""


def start(names, stack: ExitStack) -> dict:
    """A process for each contestant."""
    return {name: stack.enter_context(Contestant(name)) for name in dict.fromkeys(names)}


def races(works, quick: bool) -> tuple[list[Row], dict]:
    """The rows of these works, and the version of each contestant."""
    rounds, budget = (5, 0.02) if quick else (25, 0.03)
    rows = []
    with ExitStack() as stack:
        processes = start((name for work in works for name in work.contestants), stack)
        for work in works:
            runners = {name: processes[name] for name in work.contestants if processes[name].version is not None}
            repeat = 5 if work is ScalarOp else 1  # a difference of two percent takes a longer look
            rows += race(work, runners, rounds * repeat, budget / repeat)
    return rows, {name: process.version for name, process in processes.items()}


def ask_each(question: str, **arguments) -> dict:
    """The answers of minigrad and PyTorch, each from a fresh process with clean memory."""
    with ExitStack() as stack:
        present = {
            name: process
            for name, process in start(("minigrad", "torch"), stack).items()
            if process.version is not None
        }
        return {name: process.ask(f"measures.{question}", **arguments) for name, process in present.items()}


def cells(answers: dict, text) -> dict:
    return {name: text(answer) for name, answer in answers.items()}


def times(answers: dict) -> dict:
    return cells(answers, lambda answer: time_text(answer["seconds"]))


def growth(quick: bool) -> list[Row]:
    lengths = (10_000, 100_000) if quick else (10_000, 100_000, 1_000_000)
    answers = [ask_each("chain", length=length) for length in lengths]
    rows = [Row(f"chain of {length:,} ops: time per op", times(answer)) for length, answer in zip(lengths, answers)]
    ratio = answers[-1]["minigrad"]["seconds"] / answers[0]["minigrad"]["seconds"]
    rows[-1].ratio, rows[-1].figure, rows[-1].reached = f"ours, longest / shortest = {ratio:.3g}", "≤ 2", ratio <= 2
    return [*rows, Row("memory per node of that chain", cells(answers[-1], lambda answer: f"{answer['bytes']:.0f} B"))]


def diamonds(quick: bool) -> list[Row]:
    return [Row("20 diamonds in a row", times(ask_each("diamonds", count=20)), "2²⁰ paths, 20 visits", "works", True)]


def leaves(quick: bool) -> list[Row]:
    few, many = (ask_each("leaves", count=count) for count in (8_000, 32_000))
    ratio = many["minigrad"]["seconds"] / few["minigrad"]["seconds"]
    return [
        Row(
            "sum of 8,000 leaves: time per leaf",
            times(few),
            f"ours, 32,000 / 8,000 = {ratio:.3g}",
            "≤ 1.5",
            ratio <= 1.5,
        )
    ]


def imports(quick: bool) -> list[Row]:
    """Fresh interpreters take turns, and the best turn counts; those that import PyTorch take a second each."""
    seconds = {name: [] for name in ("minigrad", "autograd", "mygrad", "torch") if importlib.util.find_spec(name)}
    for turn in range(7 if quick else 21):
        for name in seconds:
            if turn < 7 or name != "torch":
                seconds[name].append(import_seconds(name))
    best = cells(seconds, min)
    title = "import, NumPy being imported, best of many"
    return [Row(title, cells(best, time_text), "", "≤ 25 ms", best["minigrad"] <= 0.025)]


def training(quick: bool) -> list[Row]:
    steps = 1_000 if quick else 10_000
    answers = ask_each("training", steps=steps)
    ours = answers["minigrad"]
    return [
        Row(
            f"growth over {steps:,} training steps, gc off",
            cells(answers, lambda answer: f"{answer['bytes'] / 1024:.0f} kB"),
            f"gc.collect() finds {ours['found']} objects",
            "flat, 0",
            ours["bytes"] < 2**20 and ours["found"] == 0,
        )
    ]


def compiling(quick: bool) -> list[Row]:
    """What a plan costs before it saves anything: the first call, and the questions before each later one."""
    found = {}
    for name in ("TwoLayerNet", "TinyModel", "SmallGPT"):
        with ExitStack() as stack:
            found[name] = start(("compiled",), stack)["compiled"].ask("measures.compiling", work=name)
    rows = [
        Row(
            f"{name}: the call that makes the plan",
            {"compiled": time_text(one["first"]), "minigrad": time_text(one["eager"])},
            f"compiled / ours = {one['first'] / one['eager']:.3g}",
            "≤ 20",
            one["first"] <= 20 * one["eager"],
        )
        for name, one in found.items()
    ]
    one = found["TinyModel"]
    text, reached = f"{one['questions']} questions", one["asking"] <= 2e-6
    return [
        *rows,
        Row(
            "TinyModel: what is asked before each call", {"compiled": time_text(one["asking"])}, text, "≤ 2 µs", reached
        ),
    ]


MEASURES = {
    "compiled: first call, questions": compiling,
    "chain of 1,000,000 ops, memory per node": growth,
    "20 diamonds in a row": diamonds,
    "sum of 8,000 leaves": leaves,
    "import": imports,
    "growth over training steps": training,
}


def table(rows: list[Row]) -> str:
    """The rows as Markdown, which a terminal shows well, too."""
    shown = [name for name in TITLES if any(name in row.cells for row in rows)]
    lines = [["work", *(TITLES[name] for name in shown), "ratio (quartiles)", "to reach", "reached"]]
    for row in rows:
        reached = {True: "yes", False: "NO", None: "–" if row.figure else ""}[row.reached]
        times = [row.cells.get(name, "–" if row.work else "") for name in shown]
        lines.append([row.work, *times, row.ratio, row.figure, reached])
    widths = [max(map(len, column)) for column in zip(*lines)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines)


def machine(versions: dict) -> str:
    """The machine and the libraries, in general terms."""
    named = {TITLES[name]: version for name, version in versions.items() if name in TITLES and version != ""}
    libraries = [f"{title} {version or 'is not installed'}" for title, version in named.items()]
    return ", ".join(
        [f"{os.cpu_count()} cores ({platform.machine()})", f"Python {platform.python_version()}", *libraries]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("words", nargs="*", help="only the works whose title contains one of these words")
    parser.add_argument("--quick", action="store_true", help="few rounds, for a first impression")
    parser.add_argument("--write", action="store_true", help="write the table to benchmarks/RESULTS.md, too")
    given = parser.parse_args()

    def wanted(title: str) -> bool:
        return not given.words or any(word.lower() in title.lower() for word in given.words)

    rows, versions = races([work for work in WORKS if wanted(work.title)], given.quick)
    for title, measure in MEASURES.items():
        rows += measure(given.quick) if wanted(title) else []
    report = f"{table(rows)}\n\n{machine(versions)}"
    print(report)
    if given.write:
        Path(__file__).with_name("RESULTS.md").write_text(f"{INTRODUCTION}\n{report}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
