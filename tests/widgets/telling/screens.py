"""Small programs as teachers write them, a function of a seed each, and a judge of what a stepper shows of them.

>>> program = Program(3)
>>> found(recorded(program).trace, program.text)
[]
"""

import contextlib
import linecache
import random
import re
import warnings

import numpy as np

import minigrad as mg
from tests.private import PRIVATE
from tests.widgets.showing.test_run import states
from tests.widgets.telling.equation_reader import numbers, read
from widgets import record

MAKE = (
    "mg.sin({a})|mg.exp({a})|mg.log({a})|{a} ** 2|{a} ** {b}|mg.relu({a})|-{a}|{a}.abs()|1 / {a}|{a}.sqrt()|{a} * {c}|"
    "{c} - {a}|{a} / {c}|{a}.clamp(-1, 1)|F.gelu({a})|{a}.sign()|{a}.logit()|{a}.sinc()|{a}.detach()|{a}.clone()|"
    "{a}.half()|{a}.double()|{a} % 2|{a} // 2|{a} + {b}|{a} - {b}|{a} * {b}|{a} / {b}|{a} @ {b}|"
    "mg.maximum({a}, {b})|mg.where({a} > {b}, {a}, {c})|mg.cat([{a}.flatten(), {b}.flatten()])|({a} > {b}) * {a}|"
    "F.mse_loss({a}, {b})|F.smooth_l1_loss({a}, {b})|{a}.masked_fill({b} > 0, {c})|{a}.sum()|{a}.mean(-1, True)|"
    "{a}.max()|{a}.max(0).values|{a}.softmax(-1)|{a}.norm()|{a}.var()|{a}.cumsum(0)|{a}.sort(0).values|{a}.prod()|"
    "{a}.reshape(-1)|{a}.T|{a}[0]|{a}[None]|{a}[::2]|{a}[[0, 0]]|{a}[{a} > 0]|{a}.expand(2, *{a}.shape)|"
    "{a}.unbind()[0]|{a}.flip(0)|{a}.diff()|Square.apply({a})|helper({a})|net({a}.flatten()[:2])|"
    "mg.complex({a}, {b}).abs()|F.cross_entropy({a}.flatten()[None], mg.tensor([0]))|"
    "F.embedding(mg.tensor([0, 0]), {a})|{a}.unique()"
).split("|")
CHANGE = (
    "{n} = {a} * 1; {n}.mul_({c})|{n} = {a}.clone(); {n}[0] = {c}|{n} = {a} * 2; {n}[:1].add_(3)|"
    "{n} = {a} + 0; {n} += 1|{n} = {a} * 1; {n}.register_hook(lambda g: g * 2)|{n} = {a} * 1; {n}.retain_grad()|"
    "{n} = {a}; {n} = {n} * 2"
).split("|")
END = (
    "out.backward()|out.backward(retain_graph=True); out.backward()|out.backward(); x.grad = None|"
    "out.backward(); x.grad = mg.ones_like(x); (x * 2).sum().backward()|out.backward(mg.tensor(-0.5))|"
    "out.backward(); mg.nn.utils.clip_grad_norm_([x], 0.1); (x * x).sum().backward()|mg.autograd.backward([out, out])|"
    "g, = mg.autograd.grad(out, x, create_graph=True); g.sum().backward()|out.backward(); opt.step(); opt.zero_grad()"
).split("|")
NUMBERS = {
    "plain": lambda pick: pick([-1.5, -0.5, 0.25, 0.75, 1.0, 2.0, 3.0]),
    "alike": lambda pick: pick([1.0, 1.0, 2.0]),
    "odd": lambda pick: pick([float("nan"), float("inf"), -float("inf"), -0.0, 0.0, 1.0]),
    "small": lambda pick: pick([1e-30, 1e-7, -3e-4, 1e-5]),
    "large": lambda pick: pick([1e30, -1e10, 123456.0, 99999.5]),
}
SHAPES = (), (), (1,), (2,), (3,), (2, 2), (2, 3), (1, 3), (0,), (5, 9)
NAMES = "a b d y w loss hidden the_total_error_of_the_second_layer θ L".split()
HEAD = """
class Square(mg.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * a
    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g
def helper(z):
    z = z * 2
    return (z + 1) * z
mg.manual_seed(3)
net = mg.nn.Sequential(mg.nn.Linear(2, 2), mg.nn.Tanh())"""
OURS = re.compile(
    r"<function|<built-in|object at 0x|Traceback|\bminigrad\.|\bnp\.|\bmath\.|dtype\(|undefined|NaN|lambda"
)
NOTHING = re.compile(r"(?<!\[)(?<!, )(?<!\.grad = )(?<!\.grad is )(?<!index_put\()\bNone\b")
NUMBER = re.compile(r"(?<![\w.₀-₉])(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|nan|inf)(?![\w₀-₉])")


class Program:
    """Lines that run, in a cell of their own. `x` and `k` are its leaves."""

    def __init__(self, seed: int) -> None:
        pick, self.number = random.Random(seed).choice, NUMBERS[random.Random(seed).choice(list(NUMBERS))]
        shape, dtype = pick(SHAPES), pick(["", "", ", dtype=mg.float64", ", dtype=mg.float16"])
        values = [np.array([self.number(pick) for _ in range(int(np.prod(shape)))]).reshape(shape) for _ in "xk"]
        self.leaves = [
            f"{name} = mg.tensor({value.tolist()}{dtype}, requires_grad=True)" for name, value in zip("xk", values)
        ]
        self.leaves = [re.sub(r"\b(nan|inf)\b", r"float('\1')", line) for line in self.leaves]
        self.leaves.append("opt = mg.optim.SGD([x, k], lr=0.1)")
        space, names, self.lines = self.begun(self.leaves), ["x", "k"], []
        for _ in range(pick(range(2, 7))):
            name = pick(NAMES)
            given = {"a": pick(names[-3:]), "b": pick(names), "c": pick(["2", "0.5", "-1", "0", "1"]), "n": name}
            line = pick([f"{name} = {pick(MAKE)}"] * 4 + [pick(CHANGE)]).format(**given)
            if runs(line, space):
                self.lines.append(line)
                names.append(name)
        for line in (f"out = {names[-1]}.sum()", *pick(END).split("; ")):
            self.lines += [line] if runs(line, space) else []
        self.text = "\n".join([*self.leaves, *self.lines])

    @staticmethod
    def begun(leaves) -> dict:
        space = {"mg": mg, "F": mg.nn.functional, "record": record}
        exec("\n".join([HEAD, *leaves]), space)
        return space


def runs(line: str, space: dict) -> bool:
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        exec(line, space)
        return True
    return False


def recorded(program: Program, leaves: list[str] | None = None):
    """The run of a program, perhaps with other leaves."""
    text, name = (
        "\n".join(["with record(keep_errors=True) as run:", *(f"    {line}" for line in program.lines)]),
        "<cell>",
    )
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = program.begun(leaves or program.leaves)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(compile(text, name, "exec"), space)
    return space["run"]


def found(trace: dict, source: str) -> list[str]:
    """What a person could object to, a line each."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [*words(trace), *sums(trace, source), *equations(trace)]


def equations(trace: dict):
    yield from (f"false: {line.equation}: {line.because}" for line in read(trace) if line.verdict == "false")
    yield from (f"no fault was planted: {frame['say']}" for frame in trace["frames"] if "wrong" in frame)


def words(trace: dict):
    """No name of ours, no None, and brackets in pairs: in each sentence, formula and label."""
    said = [frame.get(key, "") for frame in trace["frames"] for key in ("say", "hint", "equation")]
    for node in trace["nodes"]:
        said += [node["name"], node.get("label", ""), *(rule or "" for rule in node.get("rules", ()))]
    for text in {re.sub("`[^`]*`", "", one) for one in said}:
        if OURS.search(text) or NOTHING.search(text) or PRIVATE.search(text):
            yield f"ours: {text}"
        if "  " in text or any(text.count(one) != text.count(other) for one, other in ("()", "[]")):
            yield f"form: {text}"


def sums(trace: dict, source: str):
    """What arrives adds up, a part is upstream × local, each number of a sentence stands somewhere else, too."""
    arrived: dict[int, list] = {}
    now, hooked = [*states(trace)], set[int]()
    written = {
        text
        for line in (source, *(file for one in trace["files"] for file in one["lines"]))
        for text in NUMBER.findall(line)
    }
    for i, frame in enumerate(trace["frames"]):
        kind, node, state = frame["kind"], frame.get("node"), now[i + 1]
        if kind == "seeded":
            arrived = {} if trace["frames"][i - 1]["kind"] != "seeded" else arrived
            arrived[node] = [told(trace, state[f"n{node}", "grad"])]
        elif kind == "sent":
            arrived.setdefault(node, []).append(told(trace, state[f"e{frame['edge']}", "part"]))
            if "arithmetic" in frame:
                inside = frame["arithmetic"]
                upstream, local, part = (told(trace, one) for one in [*inside["inputs"], inside["output"]])
                if not alike(upstream * local, part):
                    yield f"no product: {frame['say']}"
        elif kind == "summed":
            arrived[node][-1] = told(trace, state[f"e{frame['edge']}", "part"])
        elif kind == "hook":
            hooked.add(node)
        elif kind == "visited" and node not in hooked:
            gradient = told(trace, state.get((f"n{node}", "grad")))
            if all(one is not None for one in [gradient, *arrived[node]]) and not alike(sum(arrived[node]), gradient):
                yield f"the parts are {arrived[node]}: {frame['say']}"
        yield from strange_numbers(trace, frame, written, now[i], state)


def strange_numbers(trace: dict, frame: dict, written: set[str], *around: dict):
    shown = written | {"1", "2", "3"}  # how often a name goes in, and a rank
    for state in around:
        values = (
            trace["values"][one]["text"]
            for (_, field), one in state.items()
            if one is not None and field in ("value", "grad", "box", "part")
        )
        shown |= {text for value in values for text in NUMBER.findall(value)}
        shown |= {str(one) for (_, field), one in state.items() if field == "version"}
    formulas = [
        text
        for node in trace["nodes"]
        for text in (node.get("formula", ""), *(one or "" for one in node.get("rules", ())))
    ]
    shown |= {text for one in [frame.get("equation", ""), *formulas] for text in NUMBER.findall(one)}
    if (
        frame["kind"] not in ("hook", "error")
        and (strange := set(NUMBER.findall(frame["say"])) - shown)
        and "→" not in frame["say"]
    ):
        yield f"nowhere else stands {', '.join(sorted(strange))}: {frame['say']}"


def told(trace: dict, number):
    value = {} if number is None else trace["values"][number]
    return np.zeros(value["shape"]) if 0 in value.get("shape", ()) else numbers(value) if "data" in value else None


def alike(one, other) -> bool:
    """To the printed digits; what cancels out is compared with what there was."""
    one, other = np.asarray(one), np.asarray(other)
    finite = np.abs(np.concatenate([one.ravel(), other.ravel()]))
    least = 1e-3 * np.max(finite[np.isfinite(finite)], initial=0)
    return one.shape == other.shape and np.allclose(one, other, 1e-2, least, equal_nan=True)
