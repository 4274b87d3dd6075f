"""What is no race over one short program: deep and wide graphs, memory, imports.

Each function below runs in a fresh process of minigrad and of PyTorch (see `contestant`): the same text for both.
"""

import gc
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from .programs import Regression, in_torch


def resident_bytes() -> float:
    """The memory that this process occupies now; where the system does not say, the most that it ever did."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return float("nan")  # Windows
    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def chain(name, torch, length: int) -> dict:
    """Seconds and bytes per operation of a chain, forward and backward; a short one counts with its best of some."""
    times, x = [], torch.tensor(1.0, requires_grad=True)
    (x * 1.0).backward()
    before = resident_bytes()
    for turn in range(max(1, 100_000 // length)):
        y, started = x, perf_counter()
        for _ in range(length // 2):
            y = y * 0.999 + 0.001
        if turn == 0:
            grown = resident_bytes() - before
        y.backward()
        del y
        times.append(perf_counter() - started)
    return {"seconds": min(times) / length, "bytes": grown / length}


def diamonds(name, torch, count: int) -> dict:
    """`y = y + y`, again and again: 2^count paths, and still one visit for each node."""
    y = x = torch.tensor(1.0, requires_grad=True)
    started = perf_counter()
    for _ in range(count):
        y = y + y
    y.backward()
    assert x.grad.item() == 2**count, "a node was visited before its gradient was complete"
    return {"seconds": perf_counter() - started}


def leaves(name, torch, count: int) -> dict:
    """Seconds per leaf for adding up so many of them, forward and backward: the best of three."""
    times = []
    for _ in range(3):
        inputs = [torch.tensor(1.0, requires_grad=True) for _ in range(count)]
        started = perf_counter()
        sum(inputs).backward()
        times.append(perf_counter() - started)
        assert all(leaf.grad.item() == 1 for leaf in inputs)
    return {"seconds": min(times) / count}


def training(name, torch, steps: int) -> dict:
    """Bytes by which the process grows over so many steps without a garbage collector, and what that finds after."""
    step = in_torch(Regression(), torch)
    for _ in range(500):
        step()
    gc.collect()
    gc.disable()
    before = resident_bytes()
    for _ in range(steps):
        step()
    return {"bytes": resident_bytes() - before, "found": gc.collect()}


def import_seconds(module: str) -> float:
    """The time of `import module` in a fresh interpreter that has imported NumPy, and may keep compiled files."""
    clock = "from time import perf_counter as clock; started = clock()"
    text = f"import numpy; {clock}; import {module}; print(clock() - started)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", text]
    return float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def compiling(name, minigrad, work: str) -> dict:
    """Seconds of the call that makes a plan, of one without a plan, and of the questions that a plan asks."""
    from minigrad.compiler.asking import at_hand, parameters
    from minigrad.compiler.plan import Plan
    from minigrad.compiler.products import is_alike
    from minigrad.compiler.watch import Watch

    from . import programs

    def fastest(run, count):
        times = []
        for _ in range(count):
            started = perf_counter()
            run()
            times.append(perf_counter() - started)
        return min(times)

    step = getattr(programs, work)().step("minigrad", minigrad)
    for _ in range(3):
        step()

    def first():
        is_alike.cache_clear()
        watch = Watch(step, (), {}, [step])
        watch.call()
        return Plan(watch)

    first()  # NumPy's and our own modules are loaded
    seconds, plan = fastest(first, 20), first()
    asked = " and ".join(["around(args, options)", *plan.questions])
    ask = at_hand(eval(f"lambda args, options{parameters(asked, plan.scope)}: {asked}", plan.scope))
    assert ask((), {})

    def asking():
        for _ in range(1000):
            ask((), {})

    return {
        "first": seconds,
        "eager": fastest(step, 20),
        "asking": fastest(asking, 20) / 1000,
        "questions": len(plan.around) + len(plan.questions),
    }
