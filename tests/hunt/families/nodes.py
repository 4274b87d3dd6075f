"""What the graph tells about itself: the names of its nodes, what leads where, what they saved, who retains."""

MAKE = (
    "{a} * {b}|{a} + {b}|{a}.exp()|{a} ** 2|{a} ** {b}|{a}.t()|{a}.sum()|{a}.mean(0)|{a}.max(1)[0]|"
    "{a}.view(-1)|{a} / {b}|{a} - 1|1 - {a}|1 / {a}|{a}.sqrt()|m.cat([{a}, {b}])|m.stack([{a}, {b}])|"
    "m.where({a} > 0, {a}, {b})|{a}.clamp(0, 1)|{a}.relu()|{a}.softmax(1)|F.linear({a}, {b})|{a}.clone()|"
    "{a}.detach()|-{a}|"
    "{a}.unsqueeze(0)|{a}.squeeze()|{a}.expand(2, 2, 2)|{a}.sigmoid()|{a}.tanh()|{a}.norm()|{a}.abs()|"
    "{a}.to(m.float32)|{a}.float().double()|{a}.split(1)[1]|{a}.unbind()[0]|{a}.prod()|{a}.cumsum(0)|{a}.var()|"
    "{a}.std()|"
    "F.cross_entropy({a}, m.tensor([0, 1]))|m.addmm({a}, {b}, {a})|{a}.index_select(0, m.tensor([1]))|"
    "{a}[m.tensor([0])]|"
    "{a}[:, 1]|{a}[..., None]|{a}.permute(1, 0)|{a}.diagonal()|{a}.dot({b})"
).split("|")
ASK = (
    "{a}.grad_fn.name() if {a}.grad_fn else None|"
    ""
    "type({a}.grad_fn).__name__|{a}.output_nr|"
    "getattr({a}.grad_fn, '_saved_self', None)|"
    "getattr({a}.grad_fn, '_saved_result', None)|"
    "{a}.grad_fn is {a}.grad_fn|{a}.grad_fn.metadata|"
    ""
    "repr({a}).split('grad_fn')[-1]|{a}.retains_grad|"
    "{a}.grad_fn == {b}.grad_fn|hash({a}.grad_fn) == hash({a}.grad_fn)"
).split("|")
AFTER = "{a}.retain_grad()|{a}.sum().backward(retain_graph=True)|{a}.sum().backward()|{a}.requires_grad_()".split("|")


def write(sketch) -> None:
    names = [sketch.leaf("x", (2, 2), 0.2, 2), sketch.leaf("w", (2, 2), 0.2, 2, grad=sketch.chance(0.8))]
    for i in range(sketch.random.randint(2, 5)):
        a, b = sketch.pick(names[-2:]), sketch.pick(names)
        names += [f"v{i}"] * sketch.add(f"v{i} = {sketch.pick(MAKE).format(a=a, b=b)}")
        if sketch.chance(0.15):
            sketch.add(sketch.pick(AFTER).format(a=names[-1]))
        sketch.add(f"told{i} = {sketch.pick(ASK).format(a=names[-1], b=names[0])}")
        sketch.add(f"also{i} = {sketch.pick(ASK).format(a=names[-1], b=a)}")
