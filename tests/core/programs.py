"""Random programs that both minigrad and PyTorch can run.

A program is a list of statements in a namespace `m`, so that a failing one can be read, pasted and cut down. It is a
function of its seed alone. Variables are used again and again, so graphs branch, join and end in several outputs.
"""

import random
import re

import numpy as np

import minigrad

from ..oracle import array_of, code


def templates(text: str) -> tuple:
    """One for each line, or several with wide gaps between them."""
    return tuple(re.split(r"\s{2,}", text.strip()))


UNARY = templates("""
    m.sin({a})   m.cos({a})   m.tanh({a})   m.sigmoid({a})   m.relu({a})   m.abs({a})   -{a}   m.exp(m.tanh({a}))
    m.tanh({a}) ** 2   m.tanh({a}) ** 3   m.sqrt(1 + {a} * {a})   m.log(1 + {a} ** 2)   m.clamp({a}, -0.7, 0.9)
    m.nn.functional.softplus({a})   m.atan({a})   m.reciprocal(2 + m.sin({a}))   2 ** m.tanh({a})   m.erf({a})
    m.where({a} > 0.1, {a}, 0.5)   m.nn.functional.gelu({a})   {a}.clone()
""")
NUMBER = templates("""
    {a} * {x}   {a} + {x}   {x} - {a}   {x} / (2 + m.cos({a}))   {a} / {x}   {a} - {x}   m.maximum({a}, {a} * {x})
""")
BINARY = templates("""
    {a} + {b}   {a} - {b}   {a} * m.tanh({b})   {a} * {b}   {a} / (1 + {b} * {b})   m.maximum({a}, {b})
    m.minimum({a}, {b})   m.where({a} > {b}, {a}, {b})   m.atan2({a}, 2 + m.sin({b}))   {a} * {b}.detach()
""")
REDUCE = templates("""
    {a}.sum({d})   {a}.mean({d})   {a}.sum({d}, keepdim=True)   {a}.amax({d})   m.logsumexp({a}, {d})   {a}.sum()
    m.tanh({a}).prod({d})   {a}.mean({d}, keepdim=True)   m.softmax({a}, {d})   m.cumsum({a}, {d})   {a}.amin({d})
    m.log_softmax({a}, {d})   ({a} ** 2 + 1).norm(dim={d})
""")
SHAPE = templates("""
    {a}.reshape(-1)   {a}.unsqueeze(0)   {a}.unsqueeze(-1)   {a}.squeeze()   {a}.flatten()
    {a}.expand(2, *{a}.shape)   m.flip({a}, ({d},))   m.roll({a}, 1, {d})   {a}.transpose(0, -1)
    m.permute({a}, tuple(range({a}.ndim))[::-1])   m.cat([{a}, {a}], {d})   m.stack([{a}, m.sin({a})], {d})
    {a}.repeat(*[2] * {a}.ndim)
""")
INDEX = templates("""
    {a}[0]   {a}[-1]   {a}[..., 0]   {a}[None]   {a}[:1]   {a}[::2]   {a}[[0, 0]]   {a}[{a}.detach() > 0]
    {a}[..., -1:]   m.gather({a}, 0, m.zeros_like({a}, dtype=m.int64))   m.select({a}, {d}, 0)
    m.narrow({a}, {d}, 0, 1)
""")
SEVERAL = templates("""
    {p}, *_ = {a}.unbind({d})   *_, {p} = {a}.split(1, {d})
    {p}, *{r} = {a}.chunk(2, {d}); {p} = m.cat([{p} * 2, *{r}], {d})
""")
IN_PLACE = templates("""
    {p} = {a}.clone(); {p}.mul_({x})   {p} = {a} * 1; {p}.add_({a})   {p} = {a}.clone(); {p}[0] = {x}
    {p} = m.sin({a}); {p} += {a}   {p} = {a} + 0; {p}[..., 0] *= {x}   {p} = {a}.clone(); {p}[:1].mul_({x})
    {p} = {a}.clone(); {p}[:1].zero_(); {p} = {p} * {a}   {p} = {a} * 1; {p}.copy_({a} ** 2)
    {p} = {a}.clone(); {p}.sigmoid_()
""")
UNRECORDED = templates("""
    with m.no_grad(): {p} = {a} * m.cos({b})   {p} = {a}.detach() * {b}   {p} = {a}.detach()
""")
MISTAKES = templates("""
    {p} = m.ones(2, 3, dtype=m.float64) + m.ones(4)   {p} = {a}.reshape(7, 11, 13)
    {p} = m.ones(2, 3) @ m.ones(2, 3)   {p} = {a}[99]   {p} = {a}.sum(9)   {p} = m.cat([m.ones(2, 3), m.ones(3, 2)])
    {p} = m.stack([m.ones(2), m.ones(3)])   {p} = m.tensor([1, 2], requires_grad=True)
    {p} = m.cat([{a}, {a}]); {p}.backward()   m.ones(3).sum().backward()   {p} = m.stack([{a}, {a}]).item()
    {p} = ({a} * 1).numpy()   {leaf}.mul_(2)   {p} = ({leaf} ** 2).sum(); {p}.backward(); {p}.backward()
    {p} = {leaf} * 1; {r} = {p} * {p}; {p}.add_(1); {r}.sum().backward()
    {p} = {leaf}.exp(); {p}.add_(1); {p}.sum().backward()
    m.autograd.grad({leaf}.sum(), m.ones(1, requires_grad=True))   {leaf}.sum().backward(m.ones(3))
    {leaf}.detach().requires_grad_().detach().sum().backward()
    m.autograd.grad(({leaf} * 1).sum(), {leaf}.detach())   {p} = bool(m.ones(2))   {p} = len({leaf}.sum())
    {p} = ({leaf} * 2).requires_grad_(False)   {p} = m.ones(2, 3).view(5)   {p} = m.ones(2).expand(3)
    {p} = m.ones(2, 3).permute(0)   {p} = m.zeros(3)[m.tensor([5])]
    {p} = m.inference_mode()(lambda: {leaf} * 1)(); {p}.requires_grad_()
""")


TEMPLATES = {
    *UNARY,
    *NUMBER,
    *BINARY,
    *REDUCE,
    *SHAPE,
    *INDEX,
    *SEVERAL,
    *IN_PLACE,
    *UNRECORDED,
    *MISTAKES,
    "{a} @ {b}",
}


class Writer:
    """Writes one program, running it in minigrad as it goes, to know the shapes."""

    def __init__(self, seed: int, mistakes: bool) -> None:
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.statements: list[str] = []
        self.space: dict = {"m": minigrad}
        self.leaves: list[str] = []
        self.names: list[str] = []
        self.used: set[str] = set()
        self.templates: set[str] = set()
        for _ in range(self.random.randint(1, 3)):
            self.leaf()
        length = self.random.randint(3, 30)
        mistake = self.random.randrange(length) if mistakes and self.random.random() < 0.25 else None
        for step in range(length):
            if step == mistake:
                self.add(self.filled(self.random.choice(MISTAKES)))
                return
            self.step()

    def leaf(self) -> None:
        shape = self.random.choice([(), (1,), (3,), (2, 3), (2, 1), (1, 3), (3, 2), (2, 2, 3)])
        values = np.round(self.numbers.normal(size=shape), 3).tolist()
        name = f"x{len(self.leaves)}"
        self.add(f"{name} = m.tensor({values}, dtype=m.float64, requires_grad=True)")
        self.leaves.append(name)
        self.names.append(name)

    def step(self) -> None:
        a = self.pick(self.names)
        shape = self.space[a].shape
        if self.space[a].numel() > 60:
            template = "{a}.sum({d})"
        elif self.space[a].detach().abs().max() > 50:
            template = "m.tanh({a} / 20)"
        else:
            group = [UNARY, NUMBER, BINARY, BINARY]
            if len(shape):
                group += [REDUCE, REDUCE, SHAPE, INDEX, SEVERAL, IN_PLACE]
            group += [UNRECORDED] * (self.random.random() < 0.3) + [("product",)] * (len(shape) > 0)
            template = self.random.choice(self.random.choice(group))
        if template == "product":
            partners = [n for n in self.names if self.fits(shape, self.space[n].shape)]
            template = "{a} @ {b}" if partners else "{a} @ {a}.mT" if len(shape) > 1 else "{a} @ {a}"
            b = self.pick(partners) if partners else a
        else:
            partners = [n for n in self.names if self.broadcasts(shape, self.space[n].shape)]
            b = self.pick(partners)
        self.add(self.filled(template, a, b))

    def pick(self, names) -> str:
        """Any variable, the later the likelier; one not yet used before others."""
        fresh = [name for name in names if name not in self.used]
        name = self.random.choice(fresh if fresh and self.random.random() < 0.6 else names[-4:] + names)
        self.used.add(name)
        return name

    @staticmethod
    def broadcasts(one, other) -> bool:
        return all(m == n or 1 in (m, n) for m, n in zip(reversed(one), reversed(other)))

    def fits(self, one, other) -> bool:
        return (
            len(other) > 0 and one[-1] == other[-2 if len(other) > 1 else 0] and self.broadcasts(one[:-2], other[:-2])
        )

    def filled(self, template: str, a: str = "", b: str = "") -> str:
        self.templates.add(template)
        a = a or self.pick(self.names)
        p = f"v{len(self.statements)}"
        ndim = len(self.space[a].shape)
        values = {"a": a, "b": b or a, "p": p, "r": f"{p}_rest", "leaf": self.random.choice(self.leaves)}
        values |= {"x": round(self.random.uniform(0.3, 1.7), 2), "d": self.random.randrange(-ndim, ndim) if ndim else 0}
        text = template.format(**values)
        return text if "{p}" in template or template in MISTAKES else f"{p} = {text}"

    def add(self, statement: str) -> None:
        before = self.space.copy()
        try:
            exec(code(statement), self.space)
        except Exception:
            self.statements.append(statement)  # a mistake: the program ends here, and PyTorch must refuse it too
            self.space = before
            return
        made = f"v{len(self.statements)}"
        self.statements.append(statement)
        value = self.space.get(made)
        if isinstance(value, minigrad.Tensor) and value.is_floating_point() and value.numel():
            self.names.append(made)


def program(seed: int, mistakes: bool = True) -> tuple[list[str], list[str], list[str]]:
    """The statements, the leaves, and the outputs of which the derivative is taken."""
    writer = Writer(seed, mistakes)
    live = [name for name in writer.names if writer.space[name].requires_grad]
    outputs = list(dict.fromkeys([live[-1], *writer.random.sample(live, min(len(live), writer.random.randint(0, 2)))]))
    return writer.statements, writer.leaves, outputs


def run(m, statements, leaves, outputs, order: int = 1) -> dict:
    """The values of all variables, and derivatives; or at which statement it was refused, and by what."""
    space: dict = {"m": m}
    for i, statement in enumerate(statements):
        try:
            exec(code(statement), space)
        except Exception as error:
            return {"refused at": i, "by": type(error).__name__}
    found = {name: array_of(value) for name, value in space.items() if name[0] in "vx" and hasattr(value, "detach")}
    outs, inputs = [space[name] for name in outputs], [space[name] for name in leaves]
    seeds = [weights(m, out, i) for i, out in enumerate(outs)]
    if order == 1 and len(statements) % 2:
        for again in (True, False) if len(statements) % 4 == 1 else (False,):  # what arrives twice adds up
            m.autograd.backward(outs, seeds, retain_graph=again)
        gradients = [x.grad for x in inputs]
    else:
        gradients = m.autograd.grad(outs, inputs, seeds, create_graph=order > 1, allow_unused=True)
    found |= {f"d/d{name}": None if g is None else array_of(g) for name, g in zip(leaves, gradients)}
    if order > 1:
        reached = [g for g in gradients if g is not None and g.requires_grad]
        if reached:
            seeds = [weights(m, g, 10 + i) for i, g in enumerate(reached)]
            second = m.autograd.grad(reached, inputs, seeds, allow_unused=True)
            found |= {f"d²/d{name}": 0.0 if g is None else array_of(g) for name, g in zip(leaves, second)}
    return found


def weights(m, tensor, i: int):
    shape = tuple(tensor.shape)
    return m.tensor(np.cos(np.arange(np.prod(shape)) + i).reshape(shape))


def disagreement(m, other, seed: int, order: int = 1, mistakes: bool = True) -> str:
    """What two libraries do not agree on, with the program; empty where they agree."""
    statements, leaves, outputs = program(seed, mistakes)
    ours, theirs = (run(one, statements, leaves, outputs, order) for one in (m, other))
    wrong = [name for name in ours.keys() | theirs.keys() if not alike(ours.get(name), theirs.get(name))]
    if not wrong:
        return ""
    lines = [f"{name}: {ours.get(name)} but {theirs.get(name)}" for name in sorted(wrong)]
    return "\n".join([f"seed {seed}", *statements, f"outputs: {', '.join(outputs)}", *lines])


def alike(one, other) -> bool:
    if isinstance(one, np.ndarray | float) and isinstance(other, np.ndarray | float):
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
            if one.shape != other.shape:
                return False
            if one.dtype == other.dtype and one.tobytes() == other.tobytes():
                return True  # to the last bit, as most are: that is told quickly
        return np.allclose(one, other, rtol=1e-7, atol=1e-8, equal_nan=True)
    return type(one) is type(other) and one == other
