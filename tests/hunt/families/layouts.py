"""Where numbers lie: in what order a result of turned tensors does, and the gradient of a turned leaf."""

ONE = (
    "{a}.sin()|{a} * 2|{a}.exp2()|{a}.erf()|F.gelu({a})|F.softplus({a})|{a}.float()|{a}.clamp(0, 1)|{a}.clone()|"
    "{a}.clone(memory_format=m.contiguous_format)|{a}.contiguous()|m.zeros_like({a})|m.rand_like({a})|{a}.sum(0)|"
    "{a}.mean(-1)|{a}.cumsum(0)|{a}.softmax(-1)|{a}.sort(0)[0]|{a}.cummax(0)[0]|{a}.flip(0)|{a}.roll(1, 0)|{a}.tril()|"
    "{a}.triu()|{a}.reshape(-1)|{a}.masked_fill({a} > 1, 0.5)|{a}.index_select(0, m.tensor([1, 0]))|{a} @ {a}.mT|"
    "F.logsigmoid({a})|F.pad({a}, (1, 1))|{a}.repeat([1] * {a}.ndim)|{a}.to(m.complex128)|{a}.long()|"
    "m.cat([{a}, {a}])|m.stack([{a}, {a}], 1)"
).split("|")
SEVERAL = (
    "{a} + {b}|{a} * {b}|{a} - {b}|{a} / {b}|{a} > {b}|{a} == {b}|m.atan2({a}, {b})|m.maximum({a}, {b})|"
    "{a}.float() + {b}|m.add({a}, {b}, alpha=2)|m.where({a} > 1, {b}, {c})|m.addcmul({a}, {b}, {c})|"
    "m.lerp({a}, {b}, {c})|m.clamp({a}, {b}, {c})|m.clamp({a}, min={b})|m.hypot({a}, {b})|{a}.clone().add_({b})|"
    "{a}.masked_fill({b} > 1, 0.5)"
).split("|")


def write(sketch) -> None:
    shape = sketch.pick([(2, 3), (3, 3), (2, 3, 2), (3, 2, 2), (2, 2, 3, 2)])
    views, leaves = [], []
    for n in range(3):
        order = sketch.random.sample(range(len(shape)), len(shape))
        sketch.leaf(f"k{n}", [shape[dim] for dim in order], grad=False)
        view = f"k{n}.permute({tuple(map(order.index, range(len(shape))))})"
        name = f"{'vx'[n % 2]}{n}"
        sketch.add(f"{name} = {view}{'.detach().requires_grad_()' * (n % 2)}")
        (views, leaves)[n % 2].append(name)
    for n in range(4):
        given = {"a": sketch.pick(views), "b": sketch.pick(views + leaves), "c": sketch.pick(views + leaves)}
        line = sketch.pick(SEVERAL) if n % 2 else sketch.pick(ONE).replace("{a}", "{b}")
        sketch.add(f"r{n} = {line.format(**given)}")
    made = ", ".join(f"r{n}" for n in range(4))
    sketch.add(f"lying = [[r.stride(), r.is_contiguous()] for r in ({made})]")
    sketch.add("w = r3.view(-1)")
    kept = sketch.pick(["", "create_graph=True"])
    sketch.add(f"sum([r.sum() for r in ({made}) if r.requires_grad]).backward({kept})")
    sketch.add(f"graded = [x.grad.stride() for x in [{', '.join(leaves)}] if x.grad is not None]")
