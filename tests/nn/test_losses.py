"""Loss modules, initial values and gradient clipping against PyTorch's answers."""

import warnings

import pytest

import minigrad

from ..oracle import judge, recorded
from .test_module import asked, tried

SCORES = [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
SHARES = [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]]
WEIGHTS = [1.0, 2.0, 3.0]
BY_CLASS = {
    "NLLLoss": [{}, {"ignore_index": 0, "reduction": "sum", "weight": WEIGHTS}, {"reduction": "none"}],
    "CrossEntropyLoss": [
        {}, {"weight": WEIGHTS, "reduction": "none"}, {"weight": WEIGHTS}, {"ignore_index": 2}, {"reduction": "none"},
        {"ignore_index": 2, "reduction": "sum", "weight": WEIGHTS},
    ],
}  # fmt: skip
BY_VALUE = {
    "MSELoss": [{}, {"reduction": "none"}, {"reduction": "sum"}],
    "L1Loss": [{}, {"reduction": "sum"}],
    "SmoothL1Loss": [{}, {"beta": 0.1}],
    "HuberLoss": [{}, {"delta": 0.2, "reduction": "sum"}],
    "BCELoss": [{}, {"weight": WEIGHTS}, *({"weight": WEIGHTS, "reduction": how} for how in ("sum", "none"))],
    "BCEWithLogitsLoss": [
        {},
        {"pos_weight": WEIGHTS, "weight": WEIGHTS},
        {"reduction": "none"},
        {"weight": WEIGHTS, "reduction": "sum"},
    ],
    "CrossEntropyLoss": [
        {},
        {"weight": WEIGHTS},
        {"reduction": "sum"},
        {"weight": WEIGHTS, "reduction": "none"},
    ],
}

OF_SEVERAL = {  # made of several nodes, and not of PyTorch's: the options, and what the loss takes besides the scores
    "KLDivLoss": ({"reduction": "batchmean"}, SHARES),
    "HingeEmbeddingLoss": ({"margin": 0.5}, [[1.0, -1.0, 1.0], [1.0, 1.0, -1.0]]),
    "SoftMarginLoss": ({}, [[1.0, -1.0, 1.0], [1.0, 1.0, -1.0]]),
    "MarginRankingLoss": ({"margin": 0.3}, SHARES, [[1.0, -1.0, 1.0], [1.0, 1.0, -1.0]]),
    "CosineEmbeddingLoss": ({"margin": 0.1}, SHARES, [1.0, -1.0]),
    "TripletMarginLoss": ({"margin": 0.2, "p": 1.0, "swap": True}, SHARES, [WEIGHTS, WEIGHTS]),
    "PoissonNLLLoss": ({"log_input": False, "full": True}, SHARES),
    "MultiLabelSoftMarginLoss": ({"weight": WEIGHTS}, [[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]),
}


def several_question(name, options, *others):
    def question(m):
        given = {key: m.tensor(value) if isinstance(value, list) else value for key, value in options.items()}
        loss, x = getattr(m.nn, name)(**given), m.tensor(SCORES, requires_grad=True)
        out = loss(x, *(m.tensor(one) for one in others))
        out.backward()
        return [repr(loss), out.detach().double(), x.grad.double(), list(loss.state_dict())]

    return question


def nodes(tensor) -> list:
    """The names of the nodes that made it, level by level."""
    found = [tensor.grad_fn]
    for node in found:  # grows meanwhile
        found += [target for target, _ in node.next_functions if target is not None]
    return [node.name() for node in found]


def loss_question(name, options, target):
    def question(m):
        given = {key: m.tensor(value) if isinstance(value, list) else value for key, value in options.items()}
        loss = getattr(m.nn, name)(**given)
        x = m.tensor(SCORES, requires_grad=True)
        out = loss(x, m.tensor(target))
        names = nodes(out)
        out.sum().backward()
        return [repr(loss), names, out.detach().double(), x.grad.double(), list(loss.state_dict())]

    return question


def recorded_as(expression):
    """The nodes of a layer, which a learner sees printed."""

    def question(m):
        F, x = m.nn.functional, m.arange(24.0).reshape(2, 4, 3).requires_grad_()
        w, b, c = m.ones(2, 3, requires_grad=True), m.ones(2, requires_grad=True), m.ones(4, requires_grad=True)
        out = eval(expression, {"F": F, "x": x, "w": w, "b": b, "c": c, "ones": m.ones, "zeros": m.zeros})
        out.sum().backward()
        return [nodes(out), *(one.grad for one in (x, w, b, c))]

    return question


LAYERS = (
    "F.linear(x, w, b)",
    "F.linear(x.sum((0, 1)), w, b)",
    "F.linear(x[0], w, b)",
    "F.batch_norm(x, None, None, c, c, True)",
    "F.batch_norm(x, zeros(4), ones(4), c, c)",
    "F.max_pool2d(x, 2)",
    "F.avg_pool2d(x, 2, padding=1)",
)


def attended(kind):
    """One query finds no key: its mean is 0, and nothing of it is learned."""

    def question(m):
        tensors = [(m.arange(24.0).reshape(2, 3, 4) * s).sin().requires_grad_() for s in (1, 2, 3)]
        mask = m.tensor([[True, False, False], [False, False, False], [True, True, True]])
        mask = mask if kind == "bool" else m.zeros(3, 3).masked_fill(~mask, float("-inf"))
        out = m.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=mask)
        return [out.detach(), *m.autograd.grad(out.square().sum(), tensors)]

    return question


def drawn(name, *options, **named):
    def question(m):
        m.manual_seed(5)
        make, found = getattr(m.nn.init, name), []
        for shape in ((3, 5), (5, 3)):
            target = m.nn.Parameter(m.empty(shape))
            found += [make(target, *options, **named) is target, repr(target)]
        return found

    return question


def clipped(m):
    w, v = m.nn.Parameter(m.arange(6.0).reshape(2, 3)), m.nn.Parameter(m.ones(2))
    said = []
    for norm_type in (2.0, 1, float("inf")):
        w.grad, v.grad = m.ones(2, 3), m.full((2,), -5.0)
        said += [repr(m.nn.utils.clip_grad_norm_([w, v], 2.0, norm_type)), w.grad, v.grad]
    said += [repr(m.nn.utils.clip_grad_norm_(iter([w, v]), 100.0)), w.grad]
    said += [v.grad, repr(m.nn.utils.clip_grad_norm_([], 2.0))]
    return said


GAINS = ("linear", "conv2d", "conv_transpose1d", "sigmoid", "tanh", "relu", "selu", "leaky_relu", "softmax")
QUESTIONS = (
    {
        f"{name} {options} {'classes' if target is not SHARES else 'values'}": loss_question(name, options, target)
        for table, target in ((BY_CLASS, [2, 0]), (BY_VALUE, SHARES))
        for name, all_options in table.items()
        for options in all_options
    }
    | {name: several_question(name, *given) for name, given in OF_SEVERAL.items()}
    | {expression: recorded_as(expression) for expression in LAYERS}
    | {
        "uniform": drawn("uniform_", -1, 2),
        "normal": drawn("normal_", 1, 2),
        "constant": drawn("constant_", 0.5),
        "ones": drawn("ones_"),
        "zeros": drawn("zeros_"),
        "xavier uniform": drawn("xavier_uniform_", gain=2.0),
        "xavier normal": drawn("xavier_normal_"),
        "kaiming uniform": drawn("kaiming_uniform_", a=0.2),
        "kaiming normal": drawn("kaiming_normal_", mode="fan_out", nonlinearity="relu"),
        "orthogonal": drawn("orthogonal_", 2.0),
        "attention to nothing": attended("bool"),
        "attention to nothing, by numbers": attended("float"),
        "gains": tried(*(lambda m, name=name: m.nn.init.calculate_gain(name) for name in GAINS)),
        "gain of a slope": tried(lambda m: m.nn.init.calculate_gain("leaky_relu", 0.3)),
        "init refused": tried(
            lambda m: m.nn.init.xavier_uniform_(m.empty(3)),
            lambda m: m.nn.init.kaiming_uniform_(m.empty(3, 3), mode="x"),
            lambda m: m.nn.init.orthogonal_(m.empty(3)),
        ),
        "clipped": clipped,
    }
)


def close(ours, theirs):
    """Single precision: the libraries add in different orders."""
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return all(map(close, ours, theirs))
    if isinstance(ours, float) and isinstance(theirs, int | float):
        return ours == theirs or abs(ours - theirs) <= 1e-6 * max(1, abs(theirs))
    return ours == theirs


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answered(name):
    ours, theirs = asked(QUESTIONS[name], minigrad), recorded("losses")[name]
    assert close(ours, theirs), (ours, theirs)


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answers(name):
    ours, theirs = asked(QUESTIONS[name], minigrad), asked(QUESTIONS[name], judge())
    assert close(ours, theirs), (ours, theirs)


def test_old_flags_are_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'size_average'"):
        minigrad.nn.MSELoss(size_average=False)


def test_a_mean_that_is_no_divergence_says_so():
    x = minigrad.zeros(1, 2)
    with pytest.warns(UserWarning, match="^reduction: 'mean' divides the total loss by both the batch size and"):
        minigrad.nn.functional.kl_div(x, x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        minigrad.nn.KLDivLoss(reduction="batchmean")(x, x)
