"""Runs whose numbers are moved in a page, beside the same runs recorded with the moved numbers."""

import re

import numpy as np

import minigrad as mg
from tests.core import programs
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


def tell_the_same(texts, others) -> bool:
    """Whether two sentences are the same, and their numbers to the printed digit."""
    if NUMBER.sub("#", texts) != NUMBER.sub("#", others):
        return False
    numbers = ([float(one) for one in NUMBER.findall(text)] for text in (texts, others))
    return np.allclose(*numbers, 1.1e-3, 1e-9, equal_nan=True)
