"""Graphs of which something is changed between the forward and the backward, or between the first and the second."""

USE = (
    "{a} * {b}|{a} + {b}|{a}.exp()|m.sin({a})|{a} ** 2|{a} / ({b} * {b} + 1)|m.tanh({a})|{a} @ {b}|{a}.sum(0)|"
    "{a}[i]|{a}[0]|{a}.gather(0, q)|m.where(k, {a}, {b})|{a}.masked_fill(k, {x})|{a}.index_select(0, i)|"
    "m.relu({a})|{a}.max(0)[0]|{a}.softmax(0)|m.maximum({a}, {b})|{a}.sort(0)[0]|{a}.cumsum(0)|{a}.prod(0)|"
    "m.cat([{a}, {b}])|{a}.index_add(0, i, {b})|{a}.abs()|{a}.T|{a}.norm()|"
    "m.nn.functional.mse_loss({a}, {b})|{a}.std(0)|{a}.clone()|{a}.scatter(0, q, {b})|"
    "{a}.clamp(-1, 1)|m.nn.functional.softplus({a})|{a}.logsumexp(0)"
).split("|")
CHANGE = (
    "{a}.add_(0)|{a}.mul_(2)|{a}[0] = 1|{a}.detach().add_(1)|{a}.data.mul_(2)|"
    "i.copy_(i.flip(0))|q.zero_()|{a}.view(-1)[0] = 3|{a}.t().add_(1)|{a}.copy_({b})|{a}.detach_()|"
    "{a}.numpy(force=True).fill(2)|{a}.zero_()|{a}.requires_grad_(False)|{a}.grad = m.ones_like({a})|"
    "{a}.data = {a}.data * 2"
).split("|")


def write(sketch) -> None:
    sketch.leaf("x", (3, 3))
    sketch.leaf("w", (3, 3))
    sketch.leaf("p", (3, 3), grad=False)
    sketch.add("i, q = m.tensor([2, 0, 1]), m.tensor([[0, 1, 2], [2, 2, 0], [1, 0, 1]])")
    sketch.add("k = m.tensor([[True, False, True], [False, True, True], [True, True, False]])")
    sketch.add("c = x * 1.5")
    names = ["x", "w", "p", "c"]
    for n in range(sketch.random.randint(1, 4)):
        given = {"a": sketch.pick(names), "b": sketch.pick(names), "x": sketch.number()}
        if sketch.add(f"v{n} = {sketch.pick(USE).format(**given)}"):
            names.append(f"v{n}")

    def change() -> None:
        line = sketch.pick(CHANGE).format(a=sketch.pick(names), b=sketch.pick(names))
        sketch.add(f"with m.no_grad():\n    {line}" if sketch.chance(0.5) else line)

    if sketch.chance(0.5):
        change()
        sketch.add(f"g = first([{names[-1]}], x, w, retain_graph={sketch.chance(0.5)})")
        sketch.add(f"h = first([{sketch.pick(names)}], x, w)")
    else:
        sketch.add(f"g = first([{names[-1]}], x, w, create_graph=True)")
        change()
        sketch.add("h = first([one for one in g if one.requires_grad], x, w)")
    sketch.add(f"n = {sketch.pick(names)}.is_leaf")
