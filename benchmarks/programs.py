"""The works: small programs that every contestant runs.

A work says once what is computed from which inputs (`loss`), in words that NumPy, PyTorch and all engines here share.
`STYLES` says once how each engine is asked for the gradients of that, and `by_hand` is what a person writes who has no
engine. All of them make a `step`, the function that is timed; it returns the gradients, which must agree.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

FLOAT = np.float32


@dataclass(frozen=True)
class Figure:
    """A ratio to reach: our time over a rival's `at_most`, or a rival's time over ours `at_least`.

    `above` names a contestant whose own ratio to the rival is added to `at_most`: what anybody has to pay.
    """

    rival: str
    at_most: float = 0.0
    at_least: float = 0.0
    ours: str = "minigrad"
    above: str = ""


class Work:
    """One row of the table: gradients of `loss(library, *weights, *constants)` with respect to the weights."""

    title = ""
    figures: tuple = ()
    contestants: tuple = ("minigrad", "torch", "autograd", "mygrad", "numpy")
    rate = 0.0  # for a work that also updates its weights: how fast
    zeroes = True  # and then: whether gradients are set to zero in place, or taken away, before each step

    def __init__(self, tiny: bool = False):
        """Draw the data that all contestants share; `tiny` is enough to compare gradients."""
        self.tiny = tiny
        self.weights, self.constants = self.data(np.random.default_rng(0), tiny)

    def step(self, contestant: str, library):
        return STYLES[contestant](self, library)


# == how each engine is used ===========================================================================================


def in_torch(work, torch):
    """PyTorch's words, and so ours: zero in place and update under `no_grad`, or begin with no gradient."""
    weights = [torch.tensor(weight, requires_grad=True) for weight in work.weights]
    inputs = weights + [torch.tensor(constant) for constant in work.constants]

    def gradients():
        for weight in weights:
            weight.grad = None
        work.loss(torch, *inputs).backward()
        return [weight.grad for weight in weights]

    def training():
        for weight in weights:
            if not work.zeroes:
                weight.grad = None
            elif weight.grad is not None:
                weight.grad.zero_()
        work.loss(torch, *inputs).backward()
        with torch.no_grad():
            for weight in weights:
                weight -= work.rate * weight.grad
        return [weight.grad for weight in weights]

    return training if work.rate else gradients


def in_compiled(work, minigrad):
    """The whole step as a plan."""
    return minigrad.compile(work.step("minigrad", minigrad), fullgraph=True)  # which says if it cannot be


def in_torch_compile(work, torch):
    """The same by PyTorch's own compiler, which compiles the parts between the calls that it does not follow."""
    return compiled_once(type(work), work.tiny, torch)


@cache
def compiled_once(kind, tiny, torch):
    """Every further step would be another one to PyTorch, which gives up after eight."""
    return torch.compile(kind(tiny).step("torch", torch))


def in_autograd(work, autograd):
    weights, numpy = [np.array(weight) for weight in work.weights], autograd.numpy
    differentiate = autograd.grad(
        lambda *weights: work.loss(numpy, *weights, *work.constants), tuple(range(len(weights)))
    )

    def step():
        gradients = differentiate(*weights)
        if work.rate:
            for weight, gradient in zip(weights, gradients):
                weight -= work.rate * gradient
        return gradients

    return step


def in_mygrad(work, mygrad):
    weights = [mygrad.tensor(weight) for weight in work.weights]

    def step():
        work.loss(mygrad, *weights, *work.constants).backward()
        if work.rate:
            for weight in weights:
                weight.data -= work.rate * weight.grad
        return [weight.grad for weight in weights]

    return step


def in_micrograd_style(work, micrograd):
    def step():
        weights = [micrograd.Value(float(weight)) for weight in work.weights]
        work.loss(micrograd, *weights, *work.constants).backward()
        return [weight.grad for weight in weights]

    return step


def in_numpy(work, numpy):
    weights = [np.array(weight) for weight in work.weights]
    return lambda: work.by_hand(*weights, *work.constants)


def in_bare_tape(work, tape):
    weights = [tape.leaf(np.array(weight)) for weight in work.weights]
    inputs = weights + [tape.constant(constant) for constant in work.constants]

    def step():
        for weight in weights:
            if work.rate and work.zeroes and weight.grad is not None:
                weight.grad.fill(0)
            else:
                weight.grad = None
        work.loss(tape, *inputs).backward()
        if work.rate:
            for weight in weights:
                weight.array -= work.rate * weight.grad
        return [weight.grad for weight in weights]

    return step


STYLES = {
    "minigrad": in_torch,
    "minigrad_untuned": in_torch,
    "operations_heard": in_torch,
    "everything_heard": in_torch,
    "without_events": in_torch,
    "compiled": in_compiled,
    "compiled_untuned": in_compiled,
    "torch_compile": in_torch_compile,
    "torch": in_torch,
    "autograd": in_autograd,
    "mygrad": in_mygrad,
    "numpy": in_numpy,
    "numpy_untuned": in_numpy,
    "micrograd_style": in_micrograd_style,
    "bare_tape": in_bare_tape,
}

COMPILERS = ("compiled", "torch_compile", "compiled_untuned")

# == the works =========================================================================================================


class TwoLayerNet(Work):
    title = "two-layer net 64×1000×100×10: forward, backward, update"
    figures = (
        Figure("numpy", at_most=0.09, above="bare_tape"),
        Figure("numpy_untuned", at_most=0.6, ours="compiled_untuned"),
    )
    contestants = (*Work.contestants, "bare_tape", *COMPILERS, "numpy_untuned")
    rate = 1e-6

    def data(self, random, tiny):
        batch, inputs, hidden, outputs = (3, 5, 4, 2) if tiny else (64, 1000, 100, 10)
        shapes = (inputs, hidden), (hidden, outputs), (batch, inputs), (batch, outputs)
        w1, w2, x, y = (random.standard_normal(shape, FLOAT) for shape in shapes)
        return [w1, w2], [x, y]

    def loss(self, library, w1, w2, x, y):
        hidden = x @ w1
        hidden = hidden.clamp(min=0) if hasattr(hidden, "clamp") else library.maximum(hidden, 0)
        return ((hidden @ w2 - y) ** 2).sum()

    def by_hand(self, w1, w2, x, y):
        hidden = np.maximum(x @ w1, 0)
        error = hidden @ w2 - y
        np.square(error).sum()  # the loss, which a person wants to see
        g_error = 2 * error
        g2 = hidden.T @ g_error
        g1 = x.T @ (g_error @ w2.T * (hidden > 0))
        w1 -= self.rate * g1
        w2 -= self.rate * g2
        return g1, g2


class TwoLayerNetAnew(TwoLayerNet):
    title = "the same, `.grad = None` in place of `.grad.zero_()`"
    zeroes = False


class SineOfVector(Work):
    title = "(2·sin(a) + 1).sum().backward(), 25 elements"
    figures = (Figure("torch", at_least=2.5), Figure("torch", at_least=5, ours="compiled"))
    contestants = (*Work.contestants, "bare_tape", "compiled", "torch_compile")

    def data(self, random, tiny):
        return [np.linspace(0, 6, 25, dtype=FLOAT)], []

    def loss(self, library, a):
        return (2 * library.sin(a) + 1).sum()

    def by_hand(self, a):
        (2 * np.sin(a) + 1).sum()
        return (2 * np.cos(a),)


class ChainWithNumbers(Work):
    title = "10,000-op scalar chain, constants are Python numbers"
    figures = (Figure("torch", at_least=1.5), Figure("micrograd_style", at_least=2))
    contestants = ("minigrad", "torch", "autograd", "mygrad", "micrograd_style")

    def data(self, random, tiny):
        self.pairs = 20 if tiny else 5_000
        return [FLOAT(1)], []

    def loss(self, library, y, factor=1.0001, term=0.0001):
        for _ in range(self.pairs):
            y = y * factor + term
        return y


class ChainWithTensors(ChainWithNumbers):
    title = "the same, constants are tensors that want gradients, too"
    figures = ()

    def data(self, random, tiny):
        return [*super().data(random, tiny)[0], FLOAT(1.0001), FLOAT(0.0001)], []


class ChainWithOneLeaf(ChainWithNumbers):
    title = "the same, 10,000 products with one tensor that wants a gradient"
    figures = (Figure("torch", at_least=2.5),)

    def data(self, random, tiny):
        return [*super().data(random, tiny)[0], FLOAT(1.0001)], []

    def loss(self, library, y, factor):
        for _ in range(2 * self.pairs):
            y = y * factor
        return y


class NetOfScalars(Work):
    """micrograd's demonstration: 337 weights, each a tensor of its own, and a hinge loss of some points."""

    title = "net of single numbers, 2–16–16–1 and 20 points: forward, backward"
    figures = (Figure("micrograd_style", at_least=2),)
    contestants = ("minigrad", "torch", "micrograd_style")
    sizes = ((2, 16), (16, 16), (16, 1))

    def data(self, random, tiny):
        self.points = random.uniform(-1, 1, (2 if tiny else 20, 2)).tolist()
        return [FLOAT(x) for x in random.uniform(-1, 1, sum((n + 1) * m for n, m in self.sizes))], []

    def loss(self, library, *weights):
        total = 0.0
        for x, y in self.points:
            values, left = [x, y], iter(weights)
            for _, width in self.sizes:
                values = [library.relu(sum((value * next(left) for value in values), next(left))) for _ in range(width)]
            total = library.relu(1 + values[0] * (-1.0 if x * y > 0 else 1.0)) + total
        return total


class Regression(Work):
    title = "regression of 80 points: forward, backward, update"
    figures = (Figure("torch", at_least=2), Figure("torch", at_least=5, ours="compiled"))
    contestants = (*Work.contestants, "compiled", "torch_compile")
    rate = 0.1

    def data(self, random, tiny):
        x = random.random((80, 1), FLOAT)
        y = 1 + 2 * x + FLOAT(0.1) * random.standard_normal((80, 1), FLOAT)
        return [np.zeros(1, FLOAT), np.zeros(1, FLOAT)], [x, y]

    def loss(self, library, slope, offset, x, y):
        return ((offset + slope * x - y) ** 2).mean()

    def by_hand(self, slope, offset, x, y):
        error = offset + slope * x - y
        (error**2).mean()
        g_slope, g_offset = 2 * (x * error).mean(0), 2 * error.mean(0)
        slope -= self.rate * g_slope
        offset -= self.rate * g_offset
        return g_slope, g_offset


class TanhNet(Work):
    title = "tanh net, 64×64 input, 128 hidden: forward, backward"
    figures = (Figure("numpy", at_most=2), Figure("numpy", at_most=0.7, ours="compiled"))
    contestants = (*Work.contestants, "compiled", "torch_compile")

    def data(self, random, tiny):
        batch, inputs, hidden, outputs = (3, 4, 5, 2) if tiny else (64, 64, 128, 10)
        shapes = (inputs, hidden), (hidden,), (hidden, outputs), (outputs,), (batch, inputs), (batch, outputs)
        *weights, x, y = (random.standard_normal(shape, FLOAT) for shape in shapes)
        return [FLOAT(0.1) * weight for weight in weights], [x, y]

    def loss(self, library, w1, b1, w2, b2, x, y):
        return ((library.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2).mean()

    def by_hand(self, w1, b1, w2, b2, x, y):
        hidden = np.tanh(x @ w1 + b1)
        error = hidden @ w2 + b2 - y
        (error**2).mean()
        g_error = 2 / error.size * error
        g_hidden = g_error @ w2.T * (1 - hidden**2)
        return x.T @ g_hidden, g_hidden.sum(0), hidden.T @ g_error, g_error.sum(0)


class Hessian(Work):
    title = "12×12 Hessian of Rosenbrock's function by double backward"
    figures = (Figure("torch", at_least=1),)
    contestants = ("minigrad", "torch", "autograd")

    def data(self, random, tiny):
        return [random.standard_normal(12).astype(FLOAT)], []

    def loss(self, library, x):
        return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()

    def step(self, contestant, library):
        if contestant == "autograd":
            hessian = library.hessian(lambda x: self.loss(library, x))
            return lambda: hessian(*self.weights)
        x, gradient = library.tensor(*self.weights, requires_grad=True), library.autograd.grad

        def step():
            (slopes,) = gradient(self.loss(library, x), x, create_graph=True)
            return [gradient(slope, x, retain_graph=True)[0] for slope in slopes]

        return step


class Convolutions(Work):
    title = "two convolutions, 8×32×28×28, 32 kernels 3×3: forward, backward"
    figures = (Figure("torch", at_most=3),)
    contestants = ("minigrad", "torch")

    def data(self, random, tiny):
        batch, channels, size = (2, 3, 5) if tiny else (8, 32, 28)
        shapes = (channels, channels, 3, 3), (channels,), (channels, channels, 3, 3), (channels,)
        weights = [FLOAT(0.1) * random.standard_normal(shape, FLOAT) for shape in shapes]
        return weights, [random.standard_normal((batch, channels, size, size), FLOAT)]

    def loss(self, library, w1, b1, w2, b2, x):
        conv2d = library.nn.functional.conv2d
        return (conv2d(library.relu(conv2d(x, w1, b1, padding=1)), w2, b2, padding=1) ** 2).mean()


class SmallGPT(Work):
    title = "GPT of 2 layers, 4 heads, width 64, batch 8×64: one step with Adam"
    figures = (Figure("torch", at_most=4),)
    contestants = ("minigrad", "torch")

    def data(self, random, tiny):
        self.heads, (batch, length, width, words) = 4, (2, 5, 8, 7) if tiny else (8, 64, 64, 65)
        norm = [(width,), (width,)]
        attention = [(3 * width, width), (3 * width,), (width, width), (width,)]
        bend = [(4 * width, width), (4 * width,), (width, 4 * width), (width,)]
        self.block = [*norm, *attention, *norm, *bend]
        shapes = [(words, width), (length, width), *self.block, *self.block, *norm, (words, width)]
        weights = [FLOAT(0.1) * random.standard_normal(shape, FLOAT) + FLOAT(len(shape) == 1) for shape in shapes]
        return weights, [random.integers(0, words, (batch, length)) for _ in range(2)]

    def loss(self, library, words, places, *rest):
        F, (*rest, scale, shift, out, x, y) = library.nn.functional, rest
        count = len(self.block)
        h = F.embedding(x, words) + places
        for weights in (rest[:count], rest[count:]):
            h = self.layer(F, h, *weights)
        return F.cross_entropy(F.linear(F.layer_norm(h, h.shape[-1:], scale, shift), out).flatten(0, 1), y.flatten())

    def layer(self, F, h, s1, b1, w_qkv, b_qkv, w_out, b_out, s2, b2, w_up, b_up, w_down, b_down):
        qkv = F.linear(F.layer_norm(h, h.shape[-1:], s1, b1), w_qkv, b_qkv)
        qkv = qkv.reshape(*h.shape[:-1], 3, self.heads, -1)
        seen = F.scaled_dot_product_attention(*qkv.permute(2, 0, 3, 1, 4), is_causal=True)
        h = h + F.linear(seen.transpose(1, 2).flatten(2), w_out, b_out)
        return h + F.linear(F.gelu(F.linear(F.layer_norm(h, h.shape[-1:], s2, b2), w_up, b_up)), w_down, b_down)

    def step(self, contestant, library):
        weights = [library.tensor(weight, requires_grad=True) for weight in self.weights]
        constants, optimizer = [library.tensor(constant) for constant in self.constants], library.optim.Adam(weights)

        def step():
            optimizer.zero_grad()
            self.loss(library, *weights, *constants).backward()
            optimizer.step()
            return [weight.grad for weight in weights]

        return step


class TinyModel(Work):
    title = "TinyModel of two layers 1000–100–10, batch 16: one step with SGD"
    figures = (Figure("torch", at_least=3, ours="compiled"),)
    contestants = ("minigrad", "torch", "compiled", "torch_compile")

    def data(self, random, tiny):
        batch, inputs, hidden, outputs = (3, 5, 4, 2) if tiny else (16, 1000, 100, 10)
        shapes = (hidden, inputs), (hidden,), (outputs, hidden), (outputs,)
        weights = [FLOAT(0.1) * random.standard_normal(shape, FLOAT) for shape in shapes]
        return weights, [random.standard_normal(shape, FLOAT) for shape in ((batch, inputs), (batch, outputs))]

    def step(self, contestant, library):
        if contestant in COMPILERS:
            return STYLES[contestant](self, library)
        nn, (hidden, inputs), outputs = library.nn, self.weights[0].shape, self.weights[2].shape[0]
        model = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))
        weights, (x, y) = list(model.parameters()), map(library.tensor, self.constants)
        optimizer = library.optim.SGD(weights, lr=1e-3)
        with library.no_grad():
            for weight, numbers in zip(weights, self.weights):
                weight.copy_(library.tensor(numbers))

        def step():
            optimizer.zero_grad()
            ((model(x) - y) ** 2).sum().backward()
            optimizer.step()
            return [weight.grad for weight in weights]

        return step


class LongFormula(Work):
    title = "20 elementwise operations on 1,000,000 numbers, without gradients"
    figures = (Figure("minigrad_untuned", at_most=0.5, ours="compiled_untuned"),)
    contestants = ("minigrad", "torch", "numpy", "compiled", "torch_compile", "minigrad_untuned", "compiled_untuned")

    def data(self, random, tiny):
        return [], [random.standard_normal(10 if tiny else 1_000_000, FLOAT)]

    def loss(self, library, x):
        for _ in range(5):
            y = x * 0.9 + 0.1
            x = (y - 0.5) * y
        return x

    def step(self, contestant, library):
        if contestant in COMPILERS:
            return STYLES[contestant](self, library)
        (x,) = self.constants if contestant == "numpy" else map(library.tensor, self.constants)
        return lambda: [self.loss(np if contestant == "numpy" else library, x)]


class ScalarOp(Work):
    """How much the engine's events cost: heard by a function that does nothing, which asks for the operations or for
    all eleven events of this work; and cut out of the engine's text."""

    title = "one scalar op, forward and backward"
    figures = (
        Figure("minigrad", at_most=1.15, ours="operations_heard"),
        Figure("minigrad", at_most=1.60, ours="everything_heard"),
        Figure("without_events", at_most=1.02),
    )
    contestants = ("minigrad", "operations_heard", "everything_heard", "without_events")

    def data(self, random, tiny):
        return [FLOAT(1.5)], []

    def loss(self, library, x):
        return x * x


WORKS = (
    TwoLayerNet,
    TwoLayerNetAnew,
    SineOfVector,
    ChainWithNumbers,
    ChainWithTensors,
    ChainWithOneLeaf,
    NetOfScalars,
    Regression,
    TanhNet,
    Hessian,
    Convolutions,
    SmallGPT,
    TinyModel,
    LongFormula,
    ScalarOp,
)
