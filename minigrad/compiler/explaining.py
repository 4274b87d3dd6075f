"""`explain(function, *inputs)`: what a plan does, in words, figures, and lines of NumPy."""

import contextlib
import inspect
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from .compiled import Compiled, inner
from .lines import Line
from .memory import size_of
from .plan import Plan
from .writing import SIGNS, Writer

REASONS = {
    "same": "only passed on what was there", "again": "computed once more what was known", "unread": "nobody read",
    "times_1": "multiplied by 1", "divided_by_1": "divided by 1", "power_1": "raised to the power 1",
    "minus_0": "subtracted 0", "plus_0": "added 0",
}  # fmt: skip
# How a module, an optimizer and options hold what has a name.
INSIDE = re.compile(r"(?:\._(?:modules|parameters|buffers)|\.state\.get\(.*\)|^options)\['(\w+)'\]", re.DOTALL)
WIDEST = 100  # columns: of a longer line the beginning is shown


def explain(function: Callable, *inputs: Any, **options: Any) -> None:
    """Call a function once, and print what its plan does: operations, memory, and what is asked before it runs.

    >>> import minigrad as mg
    >>> def wave(x):
    ...     h = x.sin() * 1
    ...     return h.sum()
    >>> explain(wave, mg.tensor([0.0, 1.0], requires_grad=True))
    operations: 3 forward and 6 backward; 2 and 3 are left
      2 multiplied by 1
      1 only passed on what was there
      1 became part of another
    memory: 56 bytes in 7 new arrays; with the plan:
      16 bytes, taken once
      8 bytes in 1 array for what is returned, or kept for the backward
    before each call: 19 questions, first of all:
      is x float32 of shape (2,), requires grad?
    forward:
      h = np.sin(x)
      t1 = np.sum(h)
    backward:
      t2 = np.broadcast_to(d_out, (2,))
      t3 = np.cos(x)
      x_grad = t2 * t3
    """
    told(Compiled(inner(function)), inputs, options)


def told(compiled: Compiled, args: tuple, options: dict, names: dict[int, str] | None = None) -> None:
    """Print what the plan of this call does, with these names of tensors, by their ids; or else with the user's."""
    plan = planned(compiled, args, options, names)
    print(f"not compiled: it {compiled.refusal}" if plan is None else described(plan))


def planned(compiled: Compiled, args: tuple, options: dict, names: dict[int, str] | None = None) -> Plan | None:
    """The plan of this call, in which values have names; none where it is refused."""
    compiled.is_named = not compiled.alone  # whose lines are none of the user's
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*so it cannot be compiled")
        while not compiled.plans and not compiled.refusal:
            compiled(*args, **options)  # the first step of an optimizer makes its memory
    if compiled.refusal:
        return None
    named(compiled.plans[-1], names or given_names(compiled.plans[-1], compiled.function))
    return compiled.plans[-1]


def given_names(plan: Plan, function: Callable) -> dict[int, str]:
    """What the user calls the tensors that a function can see, by their ids."""
    named, places = {}, {}
    with contextlib.suppress(TypeError, ValueError):  # what is not written in Python may have none
        parameters = enumerate(inspect.signature(function).parameters.values())
        places = {f"args[{i}]": one.name for i, one in parameters if one.kind < one.VAR_POSITIONAL}
    for key, seen in plan.watch.around.seen.items():
        name = plan.watch.around.plain(seen.text).removeprefix(type(function).__name__).replace("._grad", ".grad")
        for place, parameter in places.items():
            name = name.replace(place, parameter)
        named[key] = INSIDE.sub(r".\1", name).lstrip(".")
    return named


def described(plan: Plan) -> str:
    """A plan in words, figures and lines."""
    before = [asked_of_numpy(lines) for lines in plan.before]
    left = [asked_of_numpy(planner.left) for planner in plan.planners]
    removed = Counter(REASONS[reason] for _, reason in plan.removed)
    removed["done once, when the plan was made"] = sum(len(planner.once) for planner in plan.planners)
    removed["became part of another"] = sum(map(len, before)) - sum(map(len, left)) - removed.total()
    called = {seen.text: plan.watch.values[key].name or seen.text for key, seen in plan.watch.around.seen.items()}
    inputs = [one.partition(": ") for one in plan.inputs]
    text = [
        "operations: {} forward and {} backward; {} and {} are left".format(*map(len, (*before, *left))),
        *(f"  {count} {reason}" for reason, count in removed.most_common() if count > 0),
        *memory(plan),
        f"before each call: {len(plan.around) + len(plan.questions)} questions{', first of all:' * bool(inputs)}",
        *(f"  is {called.get(place, place)} {looks}?" for place, _, looks in inputs),
    ]
    texts = written(plan)
    for title, planner in zip(("forward", "backward"), plan.planners):
        together = {id(line) for start, end in planner.blocks.items() for line in planner.lines[start:end]}
        shown = ["  " + "| " * (id(line) in together) + texts[id(line)] for line in planner.left]
        text += [f"{title}:"] * bool(shown) + [one[:WIDEST] + "…" * (len(one) > WIDEST) for one in shown]
        text += ["  (lines behind | piece by piece, so that what they hand on stays in the cache)"] * bool(together)
    return "\n".join(text)


def written(plan: Plan) -> dict[int, str]:
    """The lines that are left, by their ids, as they are written; what was done once stands where it is used."""
    lines = [line for planner in plan.planners for line in planner.lines]
    once = {id(line) for planner in plan.planners for line in planner.once}
    writer, found = Writer([], asked_of_numpy(lines), apart=True), {}
    done = [line.makes[0] for line in lines if id(line) in once]
    writer.names |= dict.fromkeys(done, "")
    for one in writer.written():
        line = one.parts[-1]
        found[id(line)] = one.text
        if id(line) in once:
            words = one.text.removeprefix(" = ")
            writer.names[line.makes[0]] = f"({words})" if line.call.name in SIGNS else words
    for value in writer.names.keys() - set(done):
        value.name = writer.names[value]  # as which it is known in pictures, too
    return found | {id(line): question(line, writer) for line in lines if id(line) not in found}


def asked_of_numpy(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line.call.kind != "check"]


def question(line: Line, writer: Writer) -> str:
    """What Python asked for: with another answer, there is another plan."""
    answer = line.call.options["answer"]
    return f"if {type(answer).__name__}({writer.of(line.call.args[0])}) != {answer!r}: another plan"


def memory(plan: Plan) -> list[str]:
    """How many bytes were taken, and are."""
    before = sizes(line for lines in plan.before for line in lines)
    lent = [size_of(one) for planner in plan.planners for one in planner.lent]
    again: list[int] = []
    for planner in plan.planners:
        known = {*planner.fixed, *planner.lent, *planner.scratch}
        again += sizes(line for line in planner.lines if not known.intersection(line.makes))
    said = [
        f"memory: {sum(before):,} bytes in {arrays(before, 'new ')}; with the plan:",
        f"  {sum(planner.memory.size for planner in plan.planners):,} bytes, taken once",
    ]
    said += [f"  {sum(lent):,} bytes in {arrays(lent)} for what is returned, or kept for the backward"] * bool(lent)
    return said + [f"  {sum(again):,} bytes in {arrays(again, 'new ')}, as before"] * bool(again)


def arrays(found: list, which: str = "") -> str:
    return f"{len(found)} {which}array{'s' * (len(found) != 1)}"


def sizes(lines: Iterable[Line]) -> list[int]:
    """The bytes of each array that these lines make in memory of its own."""
    found: dict[int, int] = {}
    for line in lines:
        given = {value.memory for value in line.reads}
        found |= {one.memory: size_of(one) for one in line.makes if one.shape and one.memory not in given}
    return list(found.values())


def named(plan: Plan, names: dict[int, str]) -> None:
    """The values of a plan are called what the user calls them, no two alike."""
    watch = plan.watch
    wanted = {watch.values[key]: name for key, name in names.items() if key in watch.values}
    wanted |= {value: "lr" for value, text in plan.given.items() if text.endswith("['lr']")}
    wanted |= {plan.instead.get(value, value): name for value, name in watch.called.items()}
    wanted |= dict.fromkeys(plan.backward_given, "d_out")
    for seen, slope in zip(watch.back.starts, plan.slopes):
        if slope is not None and id(seen.tensor) in names:
            wanted.setdefault(slope, f"{names[id(seen.tensor)]}_grad")
    taken: Counter[str] = Counter()
    lines = [line for planner in plan.planners for line in planner.lines]
    for value in dict.fromkeys([*plan.given, *(one for line in lines for one in (*line.reads, *line.makes))]):
        if name := wanted.get(value):
            taken[name] += 1
            value.name = f"{name}_{taken[name]}" if taken[name] > 1 else name
