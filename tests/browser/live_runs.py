"""Runs whose numbers are moved in a page, beside the same runs recorded with the moved numbers."""

import re
from functools import cache

import numpy as np

import minigrad as mg
import minigrad.nn
from tests.core import programs, test_inplace_programs
from widgets.showing.run import record

NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[-+]\d+)?|nan|inf)(?![\w])")
MOVED = """(m, {trace, leaf, index, number}) => {
    const live = new m.Live(trace);
    if (live.why) return {why: live.why};
    const kept = live.trace.values.map(({text}) => text);
    live.move(trace.live.leaves[leaf], index, number);
    const texts = live.trace.values.map(value => ({...value}));
    const said = live.trace.frames.map(frame => ["say", "hint", "equation"].map(name => frame[name] ?? ""));
    const decides = live.decidesOtherwise;
    live.restore();
    return {texts, said, decides, back: live.trace.values.every(({text}, i) => text === kept[i])};
}"""


def recorded(seed: int, index: int = 0, by: float = 0.0):
    """A random program; one element of its first leaf is moved."""
    statements, leaves, outputs = programs.program(seed, mistakes=False)
    found = re.match(r"(x0 = m\.tensor\()(.*)(, dtype=m\.float64.*)", statements[0])
    numbers = np.array(eval(found[2]))
    numbers.ravel()[index] += by
    with record() as run:
        programs.run(mg, [f"{found[1]}{numbers.tolist()}{found[3]}", *statements[1:]], leaves, outputs)
    return run.trace, float(numbers.ravel()[index])


class Shifted:
    """minigrad, in which the first tensor is made of numbers of which one is another."""

    def __init__(self, by: float) -> None:
        self.by = by

    def __getattr__(self, name):
        return getattr(mg, name)

    def tensor(self, numbers, **options):
        numbers, self.by = np.array(numbers, float) + 0.0, 0.0 * (by := self.by)
        numbers.ravel()[0] += by
        return mg.tensor(numbers, **options)


@cache
def recorded_in_place(seed: int, by: float = 0.0) -> dict | None:
    """A random program that changes tensors in place, through views and through their bases."""
    with record() as run:
        found = test_inplace_programs.outcome(Shifted(by), seed)
    return None if isinstance(found, str) else run.trace  # the engine refuses some


def kernel(name: str, by: float = 0.0):
    """What asks NumPy for more than sums and products of its own."""
    m = Shifted(by)
    with record() as run:
        dtype = m.float16 if name == "half precision" else m.float32
        x = m.tensor(
            [[[[0.5, 3.0, -1.0, 2.0], [1.5, 0.1, 0.3, -2.0], [2.5, -0.7, 0.9, 1.0]]]], dtype=dtype
        ).requires_grad_()
        w = m.tensor([[[[0.5, -1.0], [2.0, 0.25]]]], dtype=dtype).requires_grad_()
        F = m.nn.functional
        out = {
            "convolution": lambda: F.conv2d(x, w),
            "largest of windows": lambda: F.max_pool2d(x, (1, 2)),
            "windows": lambda: x.unfold(3, 2, 1),
            "embedding": lambda: F.embedding(mg.tensor([2, 0, 2]), x[0, 0]),
            "half precision": lambda: (x * w[..., :1, :1] - 0.1).sin() / 3 + x.exp().sum(),
        }[name]()
        out.retain_grad()
        (out * out).sum().backward()
    return run.trace


class Cube(mg.autograd.Function):
    """Its backward gets the gradient as a number that no operation made."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x**2


def handed_out(name: str, by: float = 0.0):
    """What comes into a run without an operation: a gradient that was handed out, or put somewhere; or a mask."""
    with record() as run:
        w = mg.tensor(2.0 + by, requires_grad=True)
        if name == "a rule of one's own":
            (Cube.apply(w) ** 2).backward()
        elif name == "a Newton step":
            (g,) = mg.autograd.grad(w**3 - w, w, create_graph=True)
            (h,) = mg.autograd.grad(g, w)
            with mg.no_grad():
                w -= g / h
        elif name == "a first gradient":
            (w**2).backward(gradient=w.detach() * 3)
        elif name == "a mask":
            pair = w * mg.tensor([1.0, 2.0])
            pair.masked_fill(pair > 2.03, 0.5).sum().backward()
    return run.trace


def tell_the_same(texts, others) -> bool:
    """Whether two sentences are the same, and their numbers to the printed digit."""
    if NUMBER.sub("#", texts) != NUMBER.sub("#", others):
        return False
    numbers = ([float(one) for one in NUMBER.findall(text)] for text in (texts, others))
    return np.allclose(*numbers, 1.1e-3, 1e-9, equal_nan=True)
