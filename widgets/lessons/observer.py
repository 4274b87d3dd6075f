"""What runs in the process of its own that a learner's function gets: it calls, and writes down what came of it.

It judges nothing, and knows no right answer: those stay in the process of the lesson, where coding.py compares. So
there is nothing here that the learner's code could read or change to pass. It is no prison, though: what its user may
do to files, it may do.

>>> import minigrad as mg
>>> seen = called(lambda x: x * x, (mg.tensor([3.0], requires_grad=True),))
>>> from widgets.lessons.values import read
>>> read(seen["result"]), read(seen["sent"][0])
(tensor([9.], requires_grad=True), tensor([12.]))
"""

import copy
import inspect
import json
import linecache
import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import cloudpickle
import numpy as np

import minigrad as mg
from minigrad import Tensor, autograd, nn
from minigrad.autograd import events
from minigrad.faults import FAULTS
from minigrad.words.source import is_ours, spot

from ..course import ASKED
from ..showing.run import Run
from .values import written

INSTALLED = tuple(sysconfig.get_path(part) + os.sep for part in ("stdlib", "purelib", "platlib"))
CELL = "<ipython-input-{}>"  # what errors call the line of a cell

MAGIC = re.compile(r"^(\s*)[%!?].*", re.MULTILINE)  # what Python itself does not read
TOLD = 1000  # characters of an error

Case = tuple[Any, ...]


@dataclass
class Job:
    """What the process gets to do.

    Args:
        token: what each line begins with that is from us; whatever else writes there is not heard.
        name: the learner's function.
        learners: it, as cloudpickle made it; or the texts of the cells that define it.
        sources: the lines of the cells, by file name, for errors to quote.
        steps: functions of this module with a case, and what else they are called with.
        grads: of the tensors in each case, which do not travel with them.
        seconds, megabytes: limits, where the system has them.
    """

    token: str
    name: str
    learners: bytes | list[str]
    sources: dict[str, list[str]]
    steps: list[tuple]
    grads: list[list[Tensor | None]]
    seconds: float
    megabytes: float


class LeftToTheLibrary(Exception):
    """What the learner shall write was called; the place of the error says where."""


class Refused(TypeError):
    """A function that cannot be called so; the message is what it takes."""


# == what is asked for: each is called with the learner's function and a case =====================================


def called(function: Callable, case: Case, any_grad: bool = False, without: Sequence[str] = ()) -> dict[str, Any]:
    """A call: its result, the arguments afterwards, and what it sends back to those that require a gradient.

    Args:
        any_grad: whether nobody asks what was left in `.grad` of the arguments.
        without: what it must not leave to the library.
    """
    case = fresh(function, case)
    leaves = [one for one in tensors(case) if one.requires_grad]

    def hear(event: Any) -> None:
        if set(without) & {getattr(event.op, "name", "") if isinstance(event, events.Made) else "backward", *inside()}:
            raise LeftToTheLibrary

    with events.listen(hear, events.Made, events.Seeded) if without else nullcontext():
        result = function(*case)
    seen: dict[str, Any] = {"result": written(result), "sent": None}
    if any_grad:
        for one in tensors(case):
            one.grad = None
    seen["after"] = [written(one) for one in case]
    outputs = [one for one in tensors(result) if one.requires_grad]
    if leaves and outputs:
        sent = autograd.grad(outputs, leaves, list(map(seed, outputs)), allow_unused=True)
        seen["sent"] = [written(one) for one in sent]
    return seen


def inside() -> Iterator[str]:
    """The names of our functions in which something happens right now, up to the learner's own."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and is_ours(frame.f_code.co_filename):
        yield frame.f_code.co_name
        frame = frame.f_back


def recorded(function: Callable, case: Case, name: str, names: list[str]) -> dict[str, Any]:
    """The trace of a call and its backward, as a learner would have written them in a cell."""
    case = fresh(function, case)
    cell = CELL.format("try")
    lines = [f"result = {name}({', '.join(names)})\n", "result.backward(gradient)\n"]
    remember(cell, lines)
    scope = {"__name__": "__main__", name: function, **dict(zip(names, case))}
    run = Run()
    with run.listen(sys._getframe()) as recorder:
        recorder.names.give((name, one) for name, one in zip(names, case) if isinstance(one, Tensor))
        exec(compile(lines[0], cell, "exec"), scope)
        scope["gradient"] = seed(scope["result"])
        exec(compile("\n" + lines[1], cell, "exec"), scope)
    return run.trace


def gradcheck(function: Callable, case: Case) -> None:
    autograd.gradcheck(function, doubles(fresh(function, case)))


def gradgradcheck(function: Callable, case: Case) -> None:
    autograd.gradgradcheck(function, doubles(fresh(function, case)))


def accepts(function: Callable, case: Case, test: Callable[[Any], str | None]) -> str:
    """What the lesson's test says of the result; nothing if it is content."""
    return test(function(*fresh(function, case))) or ""


def passes(function: Callable, case: Case, fault: str) -> bool:
    """Whether the learner's test is content with an engine that has this fault, or with the right one."""
    with FAULTS[fault]() if fault else nullcontext():
        return function(*fresh(function, case)) is not False


def fresh(function: Callable, case: Case) -> Case:
    """The arguments of one call, with the same random numbers to come, if the function takes them at all."""
    wanted = signature(function)
    try:
        wanted.bind(*case)
    except TypeError:
        raise Refused(str(wanted)) from None
    mg.manual_seed(0)
    return copy.deepcopy(case)


def signature(function: Callable) -> inspect.Signature:
    """What a function takes; `apply` of a Function takes what its forward takes, without ctx."""
    rule: Any = getattr(function, "__self__", None)
    if not is_rule(rule):
        try:
            return inspect.signature(function)
        except ValueError:  # of NumPy's functions some have none
            return inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)])
    whole = inspect.signature(rule.forward)
    with_ctx = rule.setup_context is autograd.Function.setup_context
    return whole.replace(parameters=list(whole.parameters.values())[with_ctx:])


def is_rule(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, autograd.Function)


def to_call(value: Any) -> Any:
    """A function itself; of a rule its `apply`."""
    return value.apply if is_rule(value) else value


def seed(output: Tensor) -> Tensor:
    """A gradient from above that no rule can forget, or round, unnoticed: 2, 3.5, 5, …"""
    numbers = (2 + 1.5 * np.arange(output.numel())).reshape(output.shape)
    return mg.tensor(numbers.astype(output.detach().numpy().dtype))


def doubles(case: Case) -> Case:
    """The arguments for a comparison with differences: in double precision, and requiring a gradient."""
    floats = [one for one in case if isinstance(one, Tensor) and one.is_floating_point()]
    wanted = [one for one in floats if one.requires_grad] or floats
    chosen = {id(one) for one in wanted}
    return tuple(one.detach().double().requires_grad_() if id(one) in chosen else one for one in case)


def tensors(value: Any) -> Iterator[Tensor]:
    """The tensors in a value, in order."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, nn.Module):
        yield from value.parameters()
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from tensors(one)


# == the process ==================================================================================================


def main() -> None:
    """Do the job that stands in the input; one line of JSON for each thing done. What is printed goes the other way."""
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    job: Job = cloudpickle.load(sys.stdin.buffer)
    for (_, case, *_), grads in zip(job.steps, job.grads):
        for one, grad in zip(tensors(case), grads):
            one.grad = grad
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    me = os.getpid()

    def tell(outcome: Any) -> None:
        if os.getpid() != me:  # a copy of this process, which the learner's code made
            os._exit(0)
        print(job.token + json.dumps(outcome), file=lines, flush=True)

    tell("ready")  # from here the clock runs
    limit(job.seconds, job.megabytes)
    for name, source in job.sources.items():
        remember(name, source)
    found: list[Callable] = []
    loaded = attempt(load, job, found)
    tell(loaded)
    if "done" in loaded:
        for step, *given in job.steps:
            tell(attempt(step, *found, *given))
    os._exit(0)  # whatever threads and exit functions are left


def limit(seconds: float, megabytes: float) -> None:
    """Limits that the system keeps; where it has none (Windows), the clock of the lesson's process is the only one."""
    try:
        import resource
    except ImportError:
        return
    size = int(megabytes * 2**20)
    for what, most in (
        (resource.RLIMIT_CPU, int(seconds) + 2),  # of each process: ends what has run away from its group, too
        (resource.RLIMIT_DATA, size),
        (resource.RLIMIT_FSIZE, size),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def load(job: Job, found: list[Callable]) -> list[str]:
    """Find the learner's function; the names of its parameters."""
    function = to_call(learners(job))
    found.append(function)
    return list(signature(function).parameters)


def learners(job: Job) -> Any:
    """What the learner wrote."""
    if isinstance(job.learners, bytes):
        return cloudpickle.loads(job.learners)
    defined: dict[str, Any] = {"__name__": "__main__"}
    failed = None
    for number, cell in enumerate(job.learners, 1):
        text = MAGIC.sub(r"\1pass", cell)  # in the place of each, so that lines keep their numbers
        name = CELL.format(number)
        remember(name, cell.splitlines(keepends=True))
        try:
            exec(compile(text, name, "exec"), defined)
        except Exception as error:  # another cell may still define it
            failed = failed or error
    if job.name in defined:
        return defined[job.name]
    raise failed or NameError(f"name '{job.name}' is not defined")


def remember(name: str, lines: list[str]) -> None:
    """Lines that stand in no file, so that errors and traces can quote them."""
    linecache.cache[name] = (sum(map(len, lines)), None, lines, name)


def attempt(action: Callable, *given: Any) -> dict[str, Any]:
    try:
        return {"done": action(*given)}
    except BaseException as error:  # also sys.exit and Ctrl-C, which are the learner's here
        return {"error": told(error)}


def told(error: BaseException) -> dict[str, str]:
    """An error with the learner's own line; what the engine did inside is left out."""
    kinds = [kind for kind in (MemoryError, RecursionError, SystemExit) if isinstance(error, kind)]  # NumPy has its own
    said = {"kind": [*kinds, type(error)][0].__name__, "message": str(error)[:TOLD], "where": "", "code": ""}
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if is_learners(frame.filename)]
    if isinstance(error, SyntaxError) and error.filename and is_learners(error.filename):
        said |= {"message": error.msg, "where": spot(error.filename, error.lineno or 0), "code": error.text or ""}
    elif own:
        said |= {"where": spot(own[-1].filename, own[-1].lineno or 0), "code": own[-1].line or ""}
    return said | {"code": said["code"].strip()}


def is_learners(file: str) -> bool:
    return not file.startswith(("<frozen", *INSTALLED)) and not is_ours(file) and Path(file).parent.name != ASKED
