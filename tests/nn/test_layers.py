"""Small networks of every layer, trained beside PyTorch: first values, losses, state, printed form."""

import numpy as np
import pytest

import minigrad

from ..oracle import answer, judge, numbers, recorded

POINTS, IMAGES, WAVES = numbers((6, 4)), numbers((4, 2, 8, 8), salt=1), numbers((4, 3, 10), salt=2)
CLASSES = np.array([0, 2, 1, 1, 0, 2])
STEPS = 100  # with more, the restless training with BatchNorm1d makes rounding, which no two machines share, visible


def between(*layers):
    """The layers under test between two linear ones."""
    return lambda nn: nn.Sequential(nn.Linear(4, 8), *(make(nn) for make in layers), nn.Linear(8, 3))


def headed(features: int, *layers):
    """The layers under test before a linear one, for inputs of more dimensions."""
    return lambda nn: nn.Sequential(*(make(nn) for make in layers), nn.Flatten(), nn.Linear(features, 3))


def embedding(nn):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.out = nn.Embedding(7, 5, padding_idx=2), nn.Linear(5, 3)

        def forward(self, x):
            return self.out(self.words(x).mean(1))

    return Net()


ACTIVATIONS = {
    "ReLU": {},
    "LeakyReLU": {"negative_slope": 0.2},
    "ELU": {"alpha": 0.7},
    "GELU": {},
    "GELU by tanh": {"approximate": "tanh"},
    "Sigmoid": {},
    "Tanh": {},
    "Softplus": {"beta": 2},
    "SiLU": {},
    "Softmax": {"dim": 1},
    "LogSoftmax": {"dim": 1},
    "Softmin": {"dim": 1},
    "ReLU6": {},
    "SELU": {},
    "CELU": {"alpha": 0.7},
    "Softsign": {},
    "Mish": {},
    "LogSigmoid": {},
    "Hardtanh": {"max_val": 0.5},
    "Hardswish": {},
    "Hardsigmoid": {},
    "Tanhshrink": {},
    "Softshrink": {"lambd": 0.3},
    "Hardshrink": {},
    "Threshold": {"threshold": 0.1, "value": 0.3},
}
NETWORKS = {
    **{
        name: (between(lambda nn, name=name, options=options: getattr(nn, name.split()[0])(**options)), POINTS)
        for name, options in ACTIVATIONS.items()
    },
    "ReLU in place": (between(lambda nn: nn.ReLU(inplace=True)), POINTS),
    "Identity": (between(lambda nn: nn.Identity(3, a=4)), POINTS),
    "Linear without bias": (between(lambda nn: nn.Linear(8, 8, bias=False)), POINTS),
    "Embedding": (embedding, np.arange(24).reshape(6, 4) * 5 % 7),
    "Unflatten": (between(lambda nn: nn.Unflatten(1, (2, 4)), lambda nn: nn.Flatten()), POINTS),
    "GLU": (between(lambda nn: nn.Linear(8, 16), lambda nn: nn.GLU()), POINTS),
    "Hardtanh in place": (between(lambda nn: nn.Hardtanh(inplace=True)), POINTS),
    "Dropout": (between(lambda nn: nn.Dropout(0.3)), POINTS),
    "Dropout in place": (between(lambda nn: nn.Dropout(0.2, inplace=True)), POINTS),
    "Dropout2d": (headed(128, lambda nn: nn.Dropout2d(0.4)), IMAGES),
    "LayerNorm": (between(lambda nn: nn.LayerNorm(8)), POINTS),
    "LayerNorm of images": (headed(128, lambda nn: nn.LayerNorm((2, 8, 8), bias=False)), IMAGES),
    "BatchNorm1d": (between(lambda nn: nn.BatchNorm1d(8)), POINTS),
    "BatchNorm1d of waves": (headed(30, lambda nn: nn.BatchNorm1d(3, affine=False, track_running_stats=False)), WAVES),
    "BatchNorm2d": (headed(128, lambda nn: nn.BatchNorm2d(2, momentum=None, eps=0.1)), IMAGES),
    "Conv1d": (headed(12, lambda nn: nn.Conv1d(3, 4, 4, stride=2, padding=1, dilation=2)), WAVES),
    "Conv2d": (headed(48, lambda nn: nn.Conv2d(2, 3, 3, stride=2, padding=1)), IMAGES),
    "Conv2d without bias": (headed(105, lambda nn: nn.Conv2d(2, 3, (2, 4), bias=False)), IMAGES),
    "Conv2d in groups": (headed(64, lambda nn: nn.Conv2d(2, 4, 3, stride=2, padding=1, groups=2)), IMAGES),
    "Conv2d, same": (headed(192, lambda nn: nn.Conv2d(2, 3, 3, padding="same", dilation=2)), IMAGES),
    "ConvTranspose2d": (headed(27, lambda nn: nn.ConvTranspose2d(2, 3, 2, padding=3)), IMAGES),
    "MaxPool2d": (headed(32, lambda nn: nn.Conv2d(2, 2, 1), lambda nn: nn.MaxPool2d(3, 2, 1)), IMAGES),
    "AvgPool2d": (headed(32, lambda nn: nn.Conv2d(2, 2, 1), lambda nn: nn.AvgPool2d(3, 2, 1)), IMAGES),
    "AdaptiveAvgPool2d": (headed(48, lambda nn: nn.AdaptiveAvgPool2d((3, None))), IMAGES),
}  # fmt: skip
RANDOM = {"Dropout", "Dropout in place", "Dropout2d"}  # PyTorch has these from MKL on Intel processors


def training(name: str):
    """What a network starts with, its losses on the way, what it has become, and what it says in use."""

    def question(m):
        m.manual_seed(0)
        m.set_default_dtype(m.float64)
        try:
            make, data = NETWORKS[name]
            net = make(m.nn)
            start = [array(p).ravel()[:3] for p in net.parameters()]
            optimizer = m.optim.SGD(net.parameters(), lr=0.05, momentum=0.5)
            x, y, losses = m.tensor(data), m.tensor(CLASSES[: len(data)]), []
            for _ in range(STEPS):
                optimizer.zero_grad()
                loss = m.nn.functional.cross_entropy(net(x), y)
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            state = {name: array(value).ravel()[:3] for name, value in net.state_dict().items()}
            return {
                "repr": repr(net), "start": start, "losses": losses[::10], "state": state, "out": array(net.eval()(x)),
            }  # fmt: skip
        finally:
            m.set_default_dtype(m.float32)

    return question


def array(tensor) -> np.ndarray:
    return np.array(tensor.detach().numpy())


def apart(ours, theirs) -> float:
    """How far two answers are from each other; infinitely where they differ in more than numbers."""
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return max(map(apart, ours, theirs), default=0.0)
    if isinstance(ours, dict) and isinstance(theirs, dict) and list(ours) == list(theirs):
        return max((apart(ours[name], theirs[name]) for name in ours), default=0.0)
    if isinstance(ours, int | float) and isinstance(theirs, int | float):
        return abs(ours - theirs)
    return 0.0 if ours == theirs else float("inf")


QUESTIONS = {name: training(name) for name in NETWORKS}


@pytest.mark.parametrize("name", QUESTIONS)
def test_training_follows_what_pytorch_did(name):
    ours, theirs = answer(QUESTIONS[name], minigrad), recorded("layers")[name]
    assert ours.get("repr") == theirs["repr"]
    assert apart(ours["start"], theirs["start"]) < 1e-15
    assert apart(ours, theirs) < 1e-7


@pytest.mark.parametrize("name", QUESTIONS)
def test_training_follows_pytorch(name):
    torch = judge()
    if name in RANDOM and not torch.equal(masks(torch, "bernoulli_"), masks(torch, "bernoulli")):
        pytest.skip("here PyTorch takes its masks from MKL")
    assert apart(answer(QUESTIONS[name], minigrad), answer(QUESTIONS[name], torch)) < 1e-7


def masks(torch, way: str):
    """One mask drawn with one probability for all, or with one for each: the second never comes from MKL."""
    torch.manual_seed(0)
    return torch.empty(50, dtype=torch.float64).bernoulli_(0.5) if way == "bernoulli_" else torch.bernoulli(
        torch.full((50,), 0.5, dtype=torch.float64)
    )  # fmt: skip


# == first values in single precision, whole and to the last digit =========================================

FIRST_VALUES = {
    "Linear": lambda nn: nn.Linear(3, 2),
    "Linear, more than a block": lambda nn: nn.Linear(7, 5, bias=False),
    "Conv1d": lambda nn: nn.Conv1d(2, 2, 3),
    "Conv2d": lambda nn: nn.Conv2d(1, 2, (2, 3)),
    "Conv2d in groups": lambda nn: nn.Conv2d(4, 4, 1, groups=2),
    "ConvTranspose2d": lambda nn: nn.ConvTranspose2d(4, 6, (2, 3), groups=2),
    "Embedding": lambda nn: nn.Embedding(3, 4),
    "Embedding with padding": lambda nn: nn.Embedding(4, 5, padding_idx=-1),
    "LayerNorm": lambda nn: nn.LayerNorm(2),
    "BatchNorm2d": lambda nn: nn.BatchNorm2d(2),
}


def first_values(name: str):
    def question(m):
        m.manual_seed(3)
        layer = FIRST_VALUES[name](m.nn)
        return [repr(layer), [[name, repr(value), array(value)] for name, value in layer.state_dict().items()]]

    return question


VALUES = {name: first_values(name) for name in FIRST_VALUES}


@pytest.mark.parametrize("name", VALUES)
def test_first_values_are_pytorchs(name):
    assert apart(answer(VALUES[name], minigrad), recorded("first_values")[name]) == 0


@pytest.mark.parametrize("name", VALUES)
def test_first_values_are_those_of_pytorch_here(name):
    assert apart(answer(VALUES[name], minigrad), answer(VALUES[name], judge())) == 0


def test_the_comparison_notices_a_difference():
    one = {"repr": "Linear()", "losses": [1.0, 2.0], "state": {"weight": [[2], [0.5, 0.25]]}}
    assert apart(one, one) == 0
    assert apart(one, {**one, "losses": [1.0, 2.5]}) == 0.5
    assert apart(one, {**one, "repr": "Linear"}) == float("inf")
    assert apart(one, {**one, "state": {}}) == float("inf")


def test_who_gives_channels_without_a_batch_to_dropout2d_is_warned():
    for shape, said in (
        ((2, 3, 4), "Received a 3D input .* shape .N, C, L."),
        ((2, 3), "Received a 2-D"),
    ):
        for m in (minigrad, judge()):
            with pytest.warns(UserWarning, match=f"^dropout2d: {said}"):
                m.nn.functional.dropout2d(m.ones(shape))
