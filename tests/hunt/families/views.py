"""Chains of views and changes in place, recorded or not, inside and outside of the modes, and what comes of them."""

TAKE = (
    "{a}[0]|{a}[1:]|{a}[..., :2]|{a}[None]|{a}[::2]|{a}.T|{a}.mT|{a}.t()|{a}.view(-1)|{a}.reshape(-1)|"
    "{a}.unsqueeze(-1)|{a}.squeeze()|{a}.expand(2, *{a}.shape)|{a}.expand_as({b})|{a}.diagonal()|"
    "{a}.diagonal(1)|{a}.narrow(0, -2, 2)|{a}.select(-1, 1)|{a}.unbind()[0]|{a}.split(1)[0]|{a}.chunk(2)[1]|"
    "{a}.flatten()|{a}.movedim(0, -1)|{a}.detach()|{a}.as_strided((2,), (1,))|{a}.unfold(0, 2, 1)|{a}.unfold(-1, 1, 2)|"
    "{a}.swapaxes(0, 1)|{a}.view_as({b})"
).split("|")
CHANGE = (
    "{a}.mul_({x})|{a}.add_({b})|{a}.mul_({b})|{a}.sin_()|{a}.zero_()|{a}.fill_({x})|{a}.copy_({b})|"
    "{a}[0] = {x}|{a}[1:] = {b}[1:]|{a}[..., 0] += {b}[..., 0]|{a}[i] = {x}|{a}[{a} > 0] = {x}|{a} += {b}|"
    "{a} *= {x}|{a}.relu_()|{a}.masked_fill_({a} < 0, {x})|{a}.diagonal().fill_({x})|{a}.t_()|{a}.unsqueeze_(0)|"
    "{a}.squeeze_()|{a}.clamp_(-1, 1)|{a}.index_add_(0, i, {b})|{a}.sub_({a}.detach())|{a}.requires_grad_()|"
    "{a}.detach_()|{a}.div_({b} * {b} + 1)|{a}.pow_(2)|{a}.exp_()|"
    "{a}.tanh_()|i.add_(0)"
).split("|")
MAKE = ("{a} * {x}|{a} * {b}|{a}.exp()|{a} + {b}|m.sin({a})|{a}[i]|m.where({a} > {b}, {a}, {b})|{a}.sum(0)").split("|")
MODES = "m.no_grad m.enable_grad m.inference_mode".split()


def write(sketch) -> None:
    shape = sketch.pick([(3,), (2, 3), (3, 3), (2, 2, 2)])
    names = [sketch.leaf("x", shape), sketch.leaf("w", shape), sketch.leaf("k", shape, grad=False)]
    sketch.add("i = m.tensor([1, 0])")
    sketch.add("c = x * 1")
    names.append("c")
    for n in range(sketch.random.randint(3, 9)):
        given = {"a": sketch.pick(names[2:]), "b": sketch.pick(names), "x": sketch.number(0.3, 1.7)}
        kind = sketch.random.random()
        line = sketch.pick(TAKE if kind < 0.4 else CHANGE if kind < 0.8 else MAKE).format(**given)
        made = not 0.4 <= kind < 0.8
        line = f"v{n} = {line}" if made else line
        line = f"with {sketch.pick(MODES)}():\n    {line}" if sketch.chance(0.2) else line
        if sketch.add(line) and made:
            names.append(f"v{n}")
    sketch.add(f"facts = [[v._is_view(), v.is_inference()] for v in ({', '.join(names)})]")
    sketch.add(f"versions = [v._version for v in ({', '.join(names)}) if not v.is_inference()]")
    outputs = dict.fromkeys([names[-1], sketch.pick(names), sketch.pick(names)])
    sketch.add(f"g = {sketch.pick(['first', 'first', 'second'])}([{', '.join(outputs)}], x, w)")
