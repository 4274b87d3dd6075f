"""Duals changed in place through views and bases, recorded or not; a change carries its tangent to all who see it."""

import numpy as np

VIEWS = (
    "{0}[1:]|{0}[..., :1]|{0}[0]|{0}[:, 1]|{0}.t()|{0}.mT|{0}.view(-1)|{0}.reshape(-1)|{0}.flatten()|"
    "{0}.narrow(-1, 0, 1)|{0}.unbind()[0]|{0}.split(1)[0]|{0}.chunk(2, -1)[-1]|{0}.diagonal()|{0}.unsqueeze(0)|"
    "{0}.squeeze()|{0}.select(-1, 0)|{0}.expand(2, *{0}.shape)|{0}.transpose(0, -1)|{0}.detach()|"
    "{0}.view_as({0})|{0}.contiguous()|{0}.clone()|{0}.movedim(0, -1)|fwd.unpack_dual({0}).primal|{0} * 1|"
    "{0}.t().contiguous()|{0}.data"
).split("|")
CHANGES = (
    "{0}.mul_({n})|{0}.mul_({1})|{0}.add_({1})|{0}.sub_({1}, alpha=2)|{0}.sin_()|{0}.tanh_()|{0}.copy_({1})|"
    "{0}.zero_()|{0}.fill_({n})|{0}[...] = {1}|{0}[0] = {n}|{0}[-1:] = {1}|{0}.clamp_(-0.5, 0.5)|{0}.neg_()|"
    "{0}.div_(2)|{0}.t_()|{0}.unsqueeze_(0)|{0}.squeeze_()|{0}.masked_fill_({0} > 0, {n})|"
    "{0}.relu_()|{0}.pow_(2)|{0}.sigmoid_()|{0}.floor_()|{0} += {1}|"
    "{0} *= {n}|{0}.fill_({1}.sum())|{0}.transpose_(0, -1)|{0}.tril_()|"
    "{0}.cumsum_(0)|{0}.index_add_(0, m.tensor([0]), {1}[:1])|{0}.mul_({1}).add_({n})|"
    "{0}.atan2_({1})|"
    "F.leaky_relu({0}, inplace=True)|{0}.abs_()|{0}.exp_()|{0}.erf_()|"
    "{0}.requires_grad_()|{0}.swapaxes_(0, -1)"
).split("|")


def write(sketch) -> None:
    shape = sketch.pick([(2, 2), (3, 2), (2, 3), (2,)])
    leaves, names = [], []
    sketch.add("fwd = m.autograd.forward_ad")
    for i in range(sketch.random.randint(1, 3)):
        sketch.leaf(f"x{i}", shape, grad=sketch.chance(0.5))
        leaves += [f"x{i}"] if sketch[f"x{i}"].requires_grad else []
        if sketch.chance(0.7):
            sketch.add(f"d{i} = D(x{i}, T({sketch.numbers(shape)}, grad=False))")
            names.append(f"d{i}")
        if sketch.chance(0.8):
            sketch.add(f"y{i} = {names[-1] if names and sketch.chance(0.7) else f'x{i}'} * 1")
            names.append(f"y{i}")
        names.append(f"x{i}")
    for i in range(sketch.random.randint(3, 9)):
        given = {"n": sketch.number(), "one": sketch.pick(names[-4:])}
        guard = sketch.pick(["", "", "", "", "", "with m.no_grad(): "])
        if sketch.chance(0.5):
            taken = sketch.pick(VIEWS).format(given["one"])
            if sketch.add(f"{guard * ('fwd' not in taken)}v{i} = {taken}"):
                names.append(f"v{i}")
        else:
            apart = [
                name for name in names if not np.may_share_memory(*(sketch[x].array for x in (name, given["one"])))
            ]
            other = sketch.pick(apart or ["T(1.5, grad=False)"])  # of x.mul_(x) PyTorch gives a wrong tangent
            sketch.add(guard + sketch.pick(CHANGES).format(given["one"], other, n=given["n"]))
    outputs = dict.fromkeys([names[-1], sketch.pick(names)])
    if leaves and sketch.chance(0.7):
        sketch.add(f"g = first([{', '.join(outputs)}], {', '.join(leaves)})")
