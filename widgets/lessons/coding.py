"""A question that is answered in code: a function, a rule or a loop, tried on cases in a process of its own.

The right function runs here, the learner's over there (process.py); what is compared are their results, what they do to
their arguments, and the gradients that they send back.

>>> import minigrad as mg
>>> question = code("Write relu(x).", "relu", [mg.tensor([-1.0, 2.0])], reference=lambda x: x.clamp(min=0))
>>> question.judge(lambda x: abs(x)).says
'relu(tensor([-1., 2.])) gives tensor([1., 2.]); right is tensor([0., 2.]).'
"""

import inspect
import linecache
import secrets
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import cloudpickle

import minigrad as mg
from minigrad.faults import Fault
from minigrad.words.source import is_cell

from ..telling.check import check
from ..words import misconception, say
from . import observer, process
from .complaints import Stage, Try, differences, failure, labels
from .diverging import divergence
from .judging import Asked, Verdict
from .kinds import Question
from .observer import Case, Job
from .values import read, shown


@dataclass(frozen=True)
class Judged(Verdict):
    """What is said of a function.

    Args:
        case: the arguments with which it was found to be wrong.
        yours, right_one: what it gave, and what is right.
        printed: the first lines that it printed.
        mistake: the sentence of the mistake that leads to all that it gave.
        trace: where a gradient is wrong, the run of the learner's function, for `widgets.load`.
        index: the first of its steps that differs from the right run.
    """

    case: str = ""
    yours: str = ""
    right_one: str = ""
    printed: tuple[str, ...] = ()
    mistake: str = ""
    trace: dict[str, Any] | None = None
    index: int = 0


@dataclass(frozen=True, kw_only=True)
class Code(Question):
    """A function to write; `answer` is the right one. See `code`."""

    kind: str = "code"
    answer: Any = None
    name: str
    cases: Sequence[Any] | Callable[[], Sequence[Any]] = ((),)
    accepts: Callable[[Any], str | None] | None = None
    gradcheck: bool = False
    gradgradcheck: bool = False
    detects: Sequence[Fault] = ()
    one_way: Sequence[Callable[..., Any]] = ()
    any_grad: bool = False
    without: Sequence[str] = ()
    seconds: float = 10
    megabytes: float = 1024

    def __post_init__(self) -> None:
        if not (self.answer or self.accepts or self.gradcheck or self.gradgradcheck or self.detects):
            raise ValueError(f"code({self.name!r}): nothing is checked; give it a reference, or accepts=…")
        for one in self.without:
            if not any(hasattr(room, one) for room in (mg, mg.Tensor, mg.nn.functional)):
                raise ValueError(f"code({self.name!r}): without={one!r}, but there is no such function")

    def asked(self, lesson: str, name: str, seed: int = 0) -> Asked:
        """The question, of which the browser shows the words."""
        return Asked(
            lesson=lesson,
            name=name,
            seed=seed,
            kind=self.kind,
            prompt=self.prompt,
            answer="",
            shown="",
            hints=tuple(self.hints),
            because=self.because,
        )

    def source(self) -> str:
        """The right function as it is written; empty where Python does not know."""
        try:
            written = [inspect.getsource(function) for function in self.one_way or (self.answer,)]
        except (OSError, TypeError):  # a built-in function, or none
            return ""
        return "\n\n".join(textwrap.dedent(source).strip().removesuffix(",") for source in written)

    # -- judging -----------------------------------------------------------------------------------------------

    def judge(self, function: Any) -> Judged:
        """What is said of a function, or of a rule (a subclass of `autograd.Function`)."""
        try:
            learners = cloudpickle.dumps(function)
        except Exception as error:  # whatever the objects that it uses raise
            return Judged(False, say("coding.cannot_leave", name=self.name, error=error))
        cells = {name: linecache.getlines(name) for name in list(linecache.cache) if is_cell(name)}
        return self.judged(learners, cells)

    def judge_source(self, cells: Sequence[str]) -> Judged:
        """What is said of the function that these cells define."""
        return self.judged(list(cells), {})

    def judged(self, learners: bytes | list[str], sources: dict[str, list[str]]) -> Judged:
        tries = self.tries()
        job = Job(
            token=secrets.token_hex(8),
            name=self.name,
            learners=learners,
            sources=sources,
            steps=[(one.step, one.case, *one.given) for one in tries],
            grads=[[tensor.grad for tensor in observer.tensors(one.case)] for one in tries],
            seconds=self.seconds,
            megabytes=self.megabytes,
        )
        ran = process.run(job)
        printed = tuple(ran.printed)
        try:
            if ran.error:
                return Judged(
                    False, say("coding.cannot_be_called", name=self.name, error=failure(ran.error)), printed=printed
                )
            complaints = [(one.complaint(outcome, ran.names), one) for one, outcome in zip(tries, ran.outcomes)]
        except (AttributeError, LookupError, TypeError, ValueError):
            return Judged(False, say("coding.changes_the_tester", name=self.name), printed=printed)
        wrong = [(complaint, one) for complaint, one in complaints if complaint is not None]
        if wrong:
            complaint, one = min(wrong, key=lambda pair: (pair[0].stage, len(pair[1].call)))
            mistake = self.diagnosis(tries, ran.outcomes)
            says = f"{complaint.says} {mistake}".rstrip()
            verdict = Judged(False, says, told(one, ran.names), complaint.yours, complaint.right, printed, mistake)
            return self.with_trace(verdict, job, one, ran.names) if complaint.stage == Stage.GRADIENT else verdict
        if ran.end:
            last = tries[len(ran.outcomes)] if ran.began else None
            where = last.call if last else say("coding.definition", name=self.name)
            return Judged(
                False,
                say("coding.ended", code=where, how=ran.end),
                told(last, ran.names) if last else "",
                printed=printed,
            )
        return Judged(True, printed=printed)

    def tries(self) -> list[Try]:
        """All that is done with the learner's function, and what comes of the right one."""
        with stream_kept():
            mg.manual_seed(0)
            made = self.cases() if callable(self.cases) else self.cases
        cases = [one if isinstance(one, tuple) else (one,) for one in made]
        steps: list[tuple] = []
        if self.answer is not None:
            steps.append((observer.called, self.any_grad, self.without))
        if self.accepts is not None:
            steps.append((observer.accepts, self.accepts))
        if self.gradcheck:
            steps.append((observer.gradcheck,))
        if self.gradgradcheck:
            steps.append((observer.gradgradcheck,))
        if self.detects:
            steps += [(observer.passes, fault) for fault in ("", *(fault.plant.__name__ for fault in self.detects))]
        return [
            Try(
                call=f"{self.name}({', '.join(map(shown, case))})",
                step=step,
                case=case,
                given=tuple(given),
                right=called(self.answer, case, *given) if step is observer.called else None,
            )
            for step, *given in steps
            for case in cases
        ]

    def diagnosis(self, tries: list[Try], seen: list[dict[str, Any]]) -> str:
        """The sentence of the mistake that leads to all that the learner's function gives."""
        compared = [(one.case, outcome) for one, outcome in zip(tries, seen) if one.right is not None]
        if not compared or len(seen) < len(tries) or not all("done" in outcome for _, outcome in compared):
            return ""
        for mistake in self.mistakes:
            planted: AbstractContextManager = nullcontext()
            if isinstance(mistake, Fault):
                says, wrong, planted = misconception(mistake), self.answer, mistake()
            else:
                says, wrong = mistake.says, mistake.leads_to
            with planted:
                if all(is_same(wrong, case, outcome["done"], self.any_grad) for case, outcome in compared):
                    return says
        return ""

    def with_trace(self, verdict: Judged, job: Job, one: Try, names: list[str]) -> Judged:
        """The verdict with the learner's run, and where it leaves the right one."""
        assert one.right is not None
        if not isinstance(read(one.right["result"]), mg.Tensor):
            return verdict
        step = (observer.recorded, one.case, self.name, labels(names, one.case))
        grads = [tensor.grad for tensor in observer.tensors(one.case)]
        outcome, *_ = (*process.run(replace(job, steps=[step], grads=[grads])).outcomes, {})
        try:
            yours = check(outcome.get("done"))
            with stream_kept():
                right = observer.recorded(observer.to_call(self.answer), *step[1:])
        except ValueError:  # too long to be walked through, or no run at all: it did another thing this time
            return verdict
        found = divergence(yours, right)
        if found is None:
            return verdict
        return replace(verdict, says=f"{verdict.says} {found.says}", trace=yours, index=found.index)


def code(prompt: str, name: str, cases: Any = ((),), *, reference: Any = None, **more: Any) -> Code:
    """A function to write, or a rule, or a loop.

    Args:
        name: what it is called.
        cases: the arguments of each call, as a tuple if there are several; or a function that makes them.
        reference: the right function, or rule. The learner's must do what it does.
        more: `accepts`, which gets the result and returns a sentence if something is wrong with it; `gradcheck` and
            `gradgradcheck`, whether its derivatives are compared with differences; `detects`, for a test to write: the
            faults that it must notice, by an error or by returning False; `one_way`, functions to show to whoever asks
            for the answer, if they are not the reference; `any_grad`, whether nothing depends on what is left in
            `.grad` of the arguments, as one may go back by `backward()` or by `autograd.grad`; `without`, functions
            to which it must not leave its task, such as "cross_entropy" or "backward"; `seconds` and `megabytes` that
            it may take; and `mistakes`, `hints` and `because` of all questions.
    """
    return Code(prompt=prompt, name=name, cases=cases, answer=reference, **more)


@contextmanager
def stream_kept() -> Iterator[None]:
    """The learner's random numbers go on as if nothing had been drawn."""
    state = mg.random.get_rng_state()
    try:
        yield
    finally:
        mg.random.set_rng_state(state)


def called(function: Any, case: Case, *given: Any) -> dict[str, Any]:
    """What comes of one of our own functions."""
    with stream_kept():
        return observer.called(observer.to_call(function), case, *given)


def told(one: Try, names: list[str]) -> str:
    """The arguments of a case."""
    return ", ".join(f"{name} = {shown(value)}" for name, value in zip(labels(names, one.case), one.case))


def is_same(wrong: Any, case: Case, seen: dict[str, Any], any_grad: bool) -> bool:
    """Whether a wrong function leads to what was seen."""
    try:
        return next(differences(seen, called(wrong, case, any_grad)), None) is None
    except Exception:  # it is wrong, so it may well raise
        return False
