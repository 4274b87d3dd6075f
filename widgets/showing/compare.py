"""One program on both engines, minigrad and PyTorch: the first number in which they differ.

>>> from widgets import compare
>>> compare(lambda m, w: (m.sin(w) * w).sum(), [0.5, 2.0])  # doctest: +SKIP
minigrad and PyTorch agree: 7 results and gradients, 7 of them to the last bit.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minigrad.autograd import events

from ..recording.known import seen
from ..words import say
from .run import Run

if TYPE_CHECKING:
    from .stepper import Stepper

ENGINES = {"minigrad": "minigrad", "PyTorch": "torch"}
NEAR = 1e-4  # of the largest element: what roundings of float32 may add up to


class Number(NamedTuple):
    """What a run came to at some step: `v1 = w * x`, `∂loss/∂w` or `w.grad`; and the array, as a trace tells it."""

    what: str
    step: int
    value: dict
    key: tuple = ()  # of a result: what it is called and the class of its node, for constants are written in its label


@dataclass
class Comparison:
    """What two engines made of one program.

    Attributes:
        runs: each engine's run, by name.
        compared: how many results and gradients both have.
        exact: how many of them are the same to the last bit.
        first: the first number that differs, as each engine has it; None where none does.
        errors: what an engine refused, by name.
    """

    runs: dict[str, Run]
    compared: int
    exact: int
    first: tuple[Number, Number] | None
    errors: dict[str, str]

    @property
    def same(self) -> bool:
        return self.first is None and len(self.errors) != 1

    def step(self, engine: str = "PyTorch", **options: Any) -> "Stepper":
        """The stepper of one engine's run, at the first number that differs."""
        if self.first is not None:
            options = {"index": self.first[list(ENGINES).index(engine)].step} | options
        return self.runs[engine].step(**options)

    def __repr__(self) -> str:
        if len(self.errors) == 1:
            ((engine, error),) = self.errors.items()
            return say("compare.refused", engine=engine, error=error)
        if self.first is None:
            return say("compare.same", count=self.compared, exact=self.exact)
        ours, theirs = self.first
        told = {"ours": ours.value["text"], "theirs": theirs.value["text"], "step": theirs.step}
        return say("compare.differs", what=theirs.what, **told)


def compare(function: Callable[..., Any], *inputs: Any) -> Comparison:
    """Run a program on minigrad and on PyTorch, and find the first number in which they differ.

    Args:
        function: takes the library, as `m`, and the inputs; `m.sin(x)`. A backward is run from the number that it
            returns, unless it ran one itself.
        inputs: numbers, lists, arrays or tensors. Each engine gets leaves of its own; those of floats want gradients.
    """
    try:
        libraries = {engine: importlib.import_module(name) for engine, name in ENGINES.items()}
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(say("compare.needs"), name=error.name) from None
    runs = {engine: run_of(library, function, inputs) for engine, library in libraries.items()}
    errors = {engine: last["say"] for engine, run in runs.items() if (last := last_of(run))["kind"] == "error"}
    ours, theirs = (list(numbers(run)) for run in runs.values())
    pairs = list(paired(ours, theirs))
    first = next((pair for pair in pairs if not is_near(*pair)), None)
    exact = sum(one.value == other.value for one, other in pairs)
    return Comparison(runs, len(pairs), exact, first, errors)


def run_of(library: ModuleType, function: Callable[..., Any], inputs: tuple) -> Run:
    """A program, recorded on one engine."""
    run, names = Run(keep_errors=True), function.__code__.co_varnames[1 : function.__code__.co_argcount]
    leaves = [leaf(library, one) for one in inputs]
    recorder = run.listen(sys._getframe(2), function.__code__)
    try:
        with recorder:
            recorder.names.give((name, tensor) for name, one in zip(names, leaves) if (tensor := seen(one)) is not None)
            result = function(library, *leaves)
            went_back = any(type(event) is events.Seeded for event, *_ in recorder.moments)
            if getattr(result, "requires_grad", False) and result.numel() == 1 and not went_back:
                result.backward()
    except Exception as error:  # it becomes the run's last step
        run.failed(error)
    return run


def leaf(library: ModuleType, given: Any) -> Any:
    """An input as a tensor of this library."""
    values = np.asarray(given.detach().numpy(force=True) if hasattr(given, "detach") else given)
    kind = values.dtype.name if hasattr(given, "dtype") else {"f": "float32"}.get(values.dtype.kind, values.dtype.name)
    made = library.tensor(values.tolist(), dtype=getattr(library, kind))
    return made.requires_grad_(made.is_floating_point())


def frames_of(run: Run) -> list[dict]:
    return run.trace["frames"] if run.happened else []


def last_of(run: Run) -> dict:
    return (frames_of(run) or [{"kind": ""}])[-1]


def numbers(run: Run) -> Iterator[Number]:
    """The results of a run, its gradients where they are complete, and what it leaves in mailboxes."""
    gradients: dict[str, int] = {}
    for step, frame in enumerate(frames_of(run), 1):
        nodes, values = run.trace["nodes"], run.trace["values"]
        for target, field, _, after in frame.get("changes", []):
            if target[0] != "n" or after is None:
                continue
            node = nodes[int(target[1:])]
            if field == "grad":
                gradients[target] = after
            elif field == "value":
                yield Number(node["label"], step, values[after], (node["name"], node.get("type")))
            elif field == "box":
                yield Number(f"{node['name']}.grad", step, values[after])
        if frame["kind"] == "visited":
            yield Number(frame["equation"].partition(" = ")[0], step, values[gradients[f"n{frame['node']}"]])


def paired(ours: list[Number], theirs: list[Number]) -> Iterator[tuple[Number, Number]]:
    """The numbers of the same name, in their order; one engine may need more steps than the other."""
    waiting: dict[Any, list[Number]] = {}
    for number in reversed(ours):
        waiting.setdefault(number.key or number.what, []).append(number)
    for number in theirs:
        if same := waiting.get(number.key or number.what):
            yield same.pop(), number


def is_near(one: Number, other: Number) -> bool:
    """Whether two numbers are the same but for roundings; of a large array what is told of it."""
    if one.value.get("shape") != other.value.get("shape"):
        return False
    left, right = (np.array(values_of(number.value), complex) for number in (one, other))
    scale = np.max(np.abs(np.nan_to_num(right)), initial=0.0)
    return bool(np.allclose(left, right, rtol=NEAR, atol=NEAR * scale + 1e-7, equal_nan=True))


def values_of(value: dict) -> list:
    """The elements of a value, or its bounds; none where nobody kept it."""
    found = value.get("data") or [value.get("low", 0), value.get("high", 0)]
    return [complex(one) if isinstance(one, str) else one for one in found]
