"""`out=`: targets of the right shape and of wrong ones, of other types, views, leaves, the operands themselves."""

CALLS = (
    "add({a}, {b}|mul({a}, 2|sub({a}, {b}|div({a}, {b}|pow({a}, 2|exp({a}|sin({a}|neg({a}|abs({a}|"
    "maximum({a}, {b}|sum({a}, 0|mean({a}, 0|sum({a}, (0,), True|prod({a}, 0|cumsum({a}, 0|matmul({a}, {b}|"
    "mm({a}, {b}|cat([{a}, {b}]|stack([{a}, {b}]|clamp({a}, 0, 1|where({a} > 0, {a}, {b}|sigmoid({a}|tanh({a}|"
    "floor({a}|sqrt({a}|logsumexp({a}, 0|amax({a}, 0|tril({a}|gather({a}, 0, i|index_select({a}, 0, k|"
    "add({a}, {b}, alpha=2|atan2({a}, {b}|remainder({a}, 2|reciprocal({a}|square({a}|sign({a}|rsqrt({a}|"
    "log({a}"
).split("|")
TARGETS = (
    "m.empty(0).double()|m.zeros(2, 2).double()|m.zeros(2).double()|m.zeros(2).double()|"
    "m.zeros(2, 2).double().t()|m.zeros(4, 2).double()[::2]|None|5|T([[0.0, 0.0], [0.0, 0.0]])"
).split("|")


def write(sketch) -> None:
    sketch.leaf("x", (2, 2), grad=sketch.chance(0.2))
    sketch.leaf("y", (2, 2), grad=False)
    sketch.add("z = y.abs()")
    sketch.add("i, k = m.tensor([[0, 1]]), m.tensor([1, 0])")
    for j in range(sketch.random.randint(1, 4)):
        a, b = sketch.pick(["x", "y", "y", "z"]), sketch.pick(["x", "y", "z", "z"])
        sketch.add(f"o{j} = {sketch.pick(TARGETS)}")
        line = f"r{j} = m.{sketch.pick(CALLS).format(a=a, b=b)}, out=o{j})"
        sketch.add(f"with m.no_grad(): {line}" if sketch.chance(0.3) else line)
        sketch.add(f"same{j} = r{j} is o{j}")
