"""What modules say and refuse: conversations with PyTorch, recorded."""

import copy
import warnings
from collections import OrderedDict

import pytest

import minigrad

from ..oracle import answer, assert_same, judge, recorded


def tried(*calls):
    """What each call answers: its repr, or its error."""

    def question(m):
        found = []
        for call in calls:
            try:
                found.append(repr(call(m)))
            except Exception as error:
                found.append(f"{type(error).__name__}: {error}".partition("\nThese are")[0])  # our own hint
        return found

    return question


def assigned(m, first, second):
    """A module of which the attribute `x` was `first`, then `second`."""
    module = m.nn.Module()
    first(module)
    module.x = second
    return [dict(module.named_parameters()), dict(module.named_buffers()), dict(module.named_children())]


def net(m):
    class Net(m.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = m.nn.Linear(1, 1)
            self.b = self.a
            self.register_buffer("kept", m.ones(1))
            self.register_buffer("passing", m.ones(1), persistent=False)
            self.p = m.nn.Parameter(m.zeros(2))
            self.c = m.nn.ModuleList([m.nn.ReLU(), m.nn.Sequential(m.nn.Linear(1, 2), m.nn.Dropout())])
            self.register_parameter("q", None)

        def extra_repr(self):
            return "x=1\ny=2"

    m.manual_seed(0)
    return Net()


def members(m):
    n = net(m)
    return {
        "repr": repr(n),
        "parameters": [name for name, _ in n.named_parameters()],
        "with duplicates": [name for name, _ in n.named_parameters(remove_duplicate=False)],
        "own": [name for name, _ in n.named_parameters("z", recurse=False)],
        "buffers": [name for name, _ in n.named_buffers()],
        "modules": [name for name, _ in n.named_modules()],
        "children": [name for name, _ in n.named_children()],
        "state": list(n.state_dict()),
        "state, prefix": list(n.state_dict(prefix="k.")),
        "counts": [len(list(x)) for x in (n.parameters(), n.buffers(), n.modules(), n.children())],
        "applied": applied(n),
    }


def applied(module):
    seen = []
    module.apply(lambda part: seen.append(type(part).__name__))
    return seen


def changes(m):
    n, said = net(m), []
    n.eval()
    said.append([part.training for part in n.modules()])
    n.train()
    n.double()
    said.append([repr(n.p), repr(n.kept), repr(n.a.weight.dtype)])
    n.a.weight.grad = m.ones(1, 1, dtype=m.float64)
    n.to(m.float32)
    said.append([repr(n.a.weight.grad), repr(n.p.dtype)])
    n.requires_grad_(False)
    said.append([p.requires_grad for p in n.parameters()])
    n.requires_grad_()
    c = copy.deepcopy(n)
    said.append(
        [c.a is c.b, c.a is n.a, type(c.p).__name__, c.p is n.p, repr(c.a.weight.grad), c.a.weight.requires_grad]
    )
    c.p.data.fill_(3)
    said.append([repr(n.p), repr(c.p)])
    n.p = None
    said.append([name for name, _ in n.named_parameters()])
    del n.a
    said.append([hasattr(n, "a"), hasattr(n, "b"), "p" in dir(n), "a" in dir(n)])
    n.x = 3
    n.x = m.nn.ReLU()
    said.append(["x" in n.__dict__, repr(n.x)])
    n.kept = m.zeros(3)
    n.x = m.nn.Parameter(m.ones(1))
    said.append([list(n.state_dict()), [name for name, _ in n.named_children()]])
    n.kept = None
    said.append(list(n.state_dict()))
    return said


def gradients(m):
    layer = m.nn.Linear(2, 2)
    layer(m.ones(1, 2)).sum().backward()
    layer.zero_grad(set_to_none=False)
    zeroed = repr(layer.weight.grad)
    layer.zero_grad()
    return [zeroed, layer.weight.grad]


def loading(m):
    layer, said = m.nn.Linear(2, 2), []
    weight = layer.weight
    state = {"weight": m.ones(2, 2), "bias": m.zeros(2)}
    said.append([repr(layer.load_state_dict(state)), repr(layer.weight), layer.weight is weight])
    kept = layer.state_dict(keep_vars=True)["bias"]
    said.append([kept is layer.bias, layer.state_dict()["bias"].requires_grad])
    layer.state_dict()["bias"].fill_(7)
    said.append(repr(layer.bias))
    return said


def hooks(m):
    m.manual_seed(0)
    model = m.nn.Sequential(m.nn.Linear(2, 3), m.nn.Tanh(), m.nn.Linear(3, 1)).double()
    x, log = m.ones(2, 2, dtype=m.float64, requires_grad=True), []
    handles = [
        model[0].register_forward_pre_hook(lambda module, args: log.append(["before", args])),
        model[0].register_forward_pre_hook(lambda module, args: args[0] * 2),
        model[0].register_forward_hook(lambda module, args, out: log.append(["after", args, out])),
        model[2].register_forward_hook(lambda module, args, out: out * 2),
        model[0].register_full_backward_hook(lambda module, inner, outer: log.append(["backward", inner, outer])),
        model[2].register_full_backward_hook(lambda module, inner, outer: (inner[0] * 10,)),
        model.register_full_backward_hook(lambda module, inner, outer: log.append(["whole", inner, outer])),
    ]
    out = model(x)
    out.sum().backward()
    log.append([repr(out), x.grad, model[0].weight.grad])
    for handle in handles:
        handle.remove()
    count, x.grad = len(log), None
    model(x).sum().backward()
    return [log[:count], len(log) == count, x.grad]


def hooks_where_no_input_needs_a_gradient(m):
    layer, log = m.nn.Linear(2, 1), []
    with layer.register_full_backward_hook(lambda module, inner, outer: log.append([inner, outer])):
        layer(m.ones(1, 2)).sum().backward()
        with m.no_grad():
            layer(m.ones(1, 2))
    layer.register_full_backward_hook(lambda module, inner, outer: (outer[0],))
    try:
        layer(m.ones(1, 2)).sum().backward()
    except RuntimeError as error:
        log.append(str(error))
    return log


def hooks_of_many_inputs_and_outputs(m):
    class Two(m.nn.Module):
        def forward(self, a, b=None, *, k=1):
            return a * k, b + 1, 3

    two, log = Two(), []
    two.register_full_backward_hook(lambda module, inner, outer: log.append([inner, outer]))
    a, b = m.ones(1, requires_grad=True), m.ones(1)
    out = two(a, b, k=3)
    (out[0] * 2).backward()
    log.append([out, a.grad])
    return log


def order_of_hooks(m):
    seen, module = [], m.nn.Identity()
    module.register_forward_hook(lambda *_: seen.append("first"))
    module.register_forward_hook(lambda *_: seen.append("second"))
    return [module(3), seen]


def hooks_in_a_double_backward(m):
    """What goes back into the module from its own gradient did not come through its output."""
    layer, log, x = m.nn.Tanh(), [], m.tensor([1.0, 2.0], dtype=m.float64, requires_grad=True)
    layer.register_full_backward_hook(lambda module, inner, outer: log.append([inner, outer]))
    (first,) = m.autograd.grad(layer(x).sum(), x, create_graph=True)
    first.sum().backward()
    return [log, x.grad]


def hooks_on_parts_of_the_outputs(m):
    class Two(m.nn.Module):
        def forward(self, *args):
            return tuple(one * 2 for one in args) if len(args) > 1 else [args[0] * 2]

    two, log = Two(), []
    two.register_full_backward_hook(lambda module, inner, outer: log.append([inner, outer]))
    a, b = m.ones(1, requires_grad=True), m.ones(1, requires_grad=True)
    two(a, b)[0].backward()
    two(a)[0].backward()  # in a list, it passes unseen
    return [log, a.grad, b.grad]


def answers_of_backward_hooks(m):
    log, x = [], m.ones(2, 1, dtype=m.float64, requires_grad=True)
    for returns in (lambda g: (g * 2,), lambda g: g, lambda g: [g * 3], lambda g: (), lambda g: (g, g), lambda g: 3):
        layer = m.nn.Tanh()
        layer.register_full_backward_hook(lambda module, inner, outer, returns=returns: returns(inner[0]))
        try:
            log.append(m.autograd.grad(layer(x).sum(), x))
        except (RuntimeError, TypeError) as error:
            log.append(str(error))
    return log


def hooks_before_the_gradient(m):
    model, log = m.nn.Sequential(m.nn.Tanh(), m.nn.Sigmoid()).double(), []
    x = m.tensor([0.5, -1.0], dtype=m.float64, requires_grad=True)
    model.register_full_backward_pre_hook(lambda module, outer: log.append(["second", outer]))
    model.register_full_backward_pre_hook(lambda module, outer: (outer[0] * 2,), prepend=True)
    model[0].register_full_backward_hook(lambda module, inner, outer: log.append(["whole", inner, outer]))
    model[1].register_full_backward_pre_hook(lambda module, outer: log.append(["inside", outer]))
    model(x).sum().backward()
    model(m.ones(2).double())
    layer = m.nn.Linear(2, 1).double()
    with layer.register_full_backward_pre_hook(lambda module, outer: (outer[0] * 0,)):
        layer(m.ones(1, 2).double()).sum().backward()
    layer.register_full_backward_pre_hook(lambda module, outer: ())
    try:
        layer(x).sum().backward()
    except RuntimeError as error:
        log.append(str(error))
    return [log, x.grad, layer.weight.grad]


def hooks_of_old(m):
    class Both(m.nn.Module):
        def forward(self, x, kind):
            return {"n": 3, "out": x * x * 3} if kind == "dict" else [(x.sin() * 2, x)]

    both, log, x = Both(), [], m.tensor([1.0, 2.0], dtype=m.float64, requires_grad=True)
    handle = both.register_backward_hook(lambda module, inner, outer: log.append([module is both, inner, outer]))
    both.register_backward_hook(lambda module, inner, outer: tuple(g if g is None else g * 10 for g in inner))
    both(x, "dict")["out"].sum().backward()
    handle.remove()
    both(x, "list")[0][0].sum().backward()
    both(x.detach(), "dict")
    for layer, register in ((both, "register_full_backward_hook"), (m.nn.Tanh(), "register_backward_hook")):
        try:
            layer.register_full_backward_hook(lambda *_: None)
            getattr(layer, register)(lambda *_: None)
        except RuntimeError as error:
            log.append(str(error))
    return [log, x.grad]


def hooks_with_keywords(m):
    class Scaled(m.nn.Module):
        def forward(self, x, by=1):
            return x * by

    layer, log, x = Scaled(), [], m.tensor([1.0, 2.0])
    layer.register_forward_pre_hook(lambda module, args: log.append(["plain", args]))
    first = lambda module, args, kwargs: ((args[0] + 1,), {"by": kwargs["by"] * 2})  # noqa: E731
    handle = layer.register_forward_pre_hook(first, with_kwargs=True, prepend=True)
    layer.register_forward_hook(lambda module, args, out: log.append(["after", args, out]))
    more = lambda module, args, kwargs, out: [log.append(["all", args, kwargs, out]), out * 100][1]  # noqa: E731
    layer.register_forward_hook(more, with_kwargs=True, prepend=True)
    log.append(layer(x, by=3))
    handle.remove()
    log.append(layer(x, by=3))
    layer.register_forward_pre_hook(lambda module, args, kwargs: (x, x, x), with_kwargs=True)
    try:
        layer(x)
    except RuntimeError as error:
        log.append(str(error))
    return log


def sequences(m):
    nn, said = m.nn, []
    row = nn.Sequential(nn.ReLU(), nn.Tanh())
    row.append(nn.Sigmoid())
    row.insert(1, nn.ELU())
    said.append(repr(row))
    del row[0]
    row[0] = nn.GELU()
    said += [repr(row), len(row), repr(row[-1]), repr(row[1:]), repr(row.extend([nn.ReLU()]))]
    said.append(repr(nn.Sequential(OrderedDict(one=nn.ReLU(), two=nn.Tanh()))[:1]))
    said += [repr(row[::-1]), *tried(lambda m: row["0"])(m)]
    listed = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.Sequential(nn.ReLU(), nn.ReLU())])
    listed += [nn.Tanh()]
    said += [repr(listed), repr(listed[1:3]), len(list(listed.parameters()))]
    named = nn.ModuleDict({"a": nn.ReLU()})
    named["b"] = nn.Linear(1, 1)
    said += [repr(named), "a" in named, list(named), len(named), list(named.state_dict()), named.pop("a") is None]
    said += [list(named.items())[0][0], "a" in named, repr(named.keys()), repr(named.items()), repr(named.values())]
    said.append(listed.insert(1, nn.ELU()))
    said += tried(lambda m: row.insert(9, nn.ELU()), lambda m: row.insert(-1, nn.ELU()), lambda m: listed[1])(m)
    return said


def converted(m):
    """A module with gradients, turned into another type, and given the tensors of a state."""
    layer = m.nn.Linear(2, 1, bias=False)
    layer(m.ones(1, 2)).sum().backward()
    gradient = layer.weight.grad
    layer.double()
    said = [layer.weight.grad is gradient, repr(gradient)]
    own = m.nn.Parameter(m.ones(1, 2), requires_grad=False)
    layer.load_state_dict({"weight": own}, assign=True)
    return [*said, layer.weight is own, own.requires_grad]


def unready(m, make):
    class Unready(m.nn.Module):
        def __init__(self):
            self.x = make()

    return Unready()


REFUSED = {
    "attributes": tried(
        lambda m: m.nn.Linear(2, 2).foo,
        lambda m: m.nn.Module()(1),
        lambda m: m.nn.ModuleList()(1),
        lambda m: unready(m, lambda: m.nn.ReLU()),
        lambda m: assigned(m, lambda x: setattr(x, "x", m.nn.Parameter(m.zeros(2))), m.zeros(2)),
        lambda m: assigned(m, lambda x: setattr(x, "x", m.nn.Parameter(m.zeros(2))), None),
        lambda m: assigned(m, lambda x: setattr(x, "x", m.zeros(2)), m.nn.Parameter(m.zeros(1))),
        lambda m: m.nn.Linear(2, 2).train(3),
        lambda m: m.nn.Linear(2, 2).to(m.int64),
    ),
    "parameters": tried(
        *(
            lambda m, name=name, value=value: m.nn.Linear(2, 2).register_parameter(name, value and value(m))
            for name, value in [
                ("a.b", None),
                ("", None),
                ("forward", None),
                (3, None),
            ]
        ),
        lambda m: m.nn.Parameter(m.tensor([1, 2])),
        lambda m: m.nn.Parameter(3),
    ),  # fmt: skip
    "buffers": tried(
        *(
            lambda m, name=name, value=value: m.nn.Linear(2, 2).register_buffer(name, value)
            for name, value in [("a.b", None), ("", None), ("forward", None), (3, None), ("weight", None)]
        )
    ),
    "modules": tried(
        *(
            lambda m, name=name, value=value: m.nn.Linear(2, 2).register_module(name, value)
            for name, value in [("", None), ("forward", None), (3, None), ("weight", None)]
        ),
        lambda m: m.nn.Sequential(m.nn.ReLU())[5],
        lambda m: m.nn.ModuleList([m.nn.ReLU()])[-2],
        lambda m: m.nn.ModuleDict()["q"],
    ),
    "states": tried(
        lambda m: m.nn.Linear(2, 2).load_state_dict({"weight": m.zeros(3, 2), "q": m.zeros(1)}),
        lambda m: m.nn.Linear(2, 2).load_state_dict({"weight": m.zeros(2, 2), "q": m.zeros(1)}, strict=False),
        lambda m: m.nn.Linear(2, 2).load_state_dict({"weight": m.zeros(3, 2)}, strict=False),
        lambda m: m.nn.Linear(2, 2).load_state_dict({"weight": 3, "bias": m.zeros(2)}),
        lambda m: m.nn.Linear(2, 2).load_state_dict(3),
        lambda m: m.nn.Sequential(m.nn.Linear(1, 1), m.nn.ReLU()).load_state_dict({}),
        lambda m: m.nn.Sequential(m.nn.Linear(1, 1)).load_state_dict({"0.x": m.ones(1), "1.weight": m.ones(1)}),
    ),
    "layers": tried(
        lambda m: m.nn.Dropout(2),
        lambda m: m.nn.BatchNorm1d(2)(m.zeros(2)),
        lambda m: m.nn.BatchNorm2d(2)(m.zeros(2)),
        lambda m: m.nn.BatchNorm1d(2)(m.zeros(1, 2)),
        lambda m: m.nn.BatchNorm1d(2, eps=-1.0)(m.ones(2, 2)),
        lambda m: m.nn.Conv2d(3, 4, 3, groups=2),
        lambda m: m.nn.Conv2d(3, 4, 3, groups=0),
        lambda m: m.nn.Conv2d(2, 2, 3, padding="same", stride=2),
        lambda m: m.nn.Embedding(3, 4, padding_idx=7),
        lambda m: m.nn.Embedding(3, 2)(m.tensor([5])),
        lambda m: m.nn.Embedding.from_pretrained(m.ones(3)),
        lambda m: m.nn.Embedding.from_pretrained(m.ones(3, 1), False, -1)(m.tensor([2])),
        lambda m: m.nn.Embedding.from_pretrained(m.ones(3, 1)).weight,
        lambda m: m.nn.init.orthogonal_(m.zeros(0, 2)),
        lambda m: m.nn.init.calculate_gain("leaky_relu", "a"),
        lambda m: m.nn.Linear(0, 2).weight,
    ),
}
REFUSED["of a wrong kind"] = tried(
    lambda m: unready(m, lambda: m.nn.Parameter(m.ones(1))),
    lambda m: assigned(m, lambda x: setattr(x, "x", m.nn.Linear(1, 1)), 3),
    lambda m: m.nn.Linear(2, 2).register_parameter("x", m.zeros(1)),
    lambda m: m.nn.Linear(2, 2).register_parameter("x", m.zeros(1, requires_grad=True) * 2),
    lambda m: m.nn.Linear(2, 2).register_buffer("x", 3),
    lambda m: m.nn.Linear(2, 2).register_module("x", 3),
    lambda m: m.nn.Linear(2, 2).register_module("a.b", None),
    lambda m: m.nn.Sequential(3),
    lambda m: m.nn.ModuleList([3]),
)
PRINTED = {
    f"repr of nn.{text}": (lambda m, text=text: repr(eval("nn." + text, {"nn": m.nn})))
    for text in (
        "Embedding(3, 4, padding_idx=-1)",
        "LayerNorm(3)", "LayerNorm((2, 3), elementwise_affine=False)", "BatchNorm1d(3)", "BatchNorm2d(3, affine=False)",
        "Conv2d(2, 3, 3)", "Conv2d(2, 3, (3, 2), stride=2, padding=1, dilation=2, bias=False)",
        "Conv1d(4, 4, 3, padding='same')", "Conv2d(4, 4, 3, groups=2)", "MaxPool2d(2)",
        "ConvTranspose2d(2, 3, 2, 2)", "ConvTranspose2d(4, 2, (3, 2), 2, 1, 1, 2, False, (2, 1))",
        "MaxPool2d(3, 2, 1, ceil_mode=True)", "AvgPool2d(2)", "AvgPool2d(3, 1, 1)",
        "AdaptiveAvgPool2d(1)", "AdaptiveAvgPool2d((2, None))", "Flatten()", "Identity(3)",
        "Dropout(0.2, True)", "Dropout2d()", "Softmax(1)", "LogSoftmax()", "ReLU(True)",
        "LeakyReLU(0.1, True)", "ELU(inplace=True)", "GELU('tanh')", "Softplus()",
        "SiLU(True)",
        "Sigmoid()", "CrossEntropyLoss()", "Sequential()", "ModuleList()", "ModuleDict()",
        "Parameter()", "Hardswish()", "Hardtanh(max_val=2.0, inplace=True)", "Threshold(1, 2)", "Unflatten(1, (2, 3))",
        "Softshrink()", "GLU()", "CELU(0.3)", "KLDivLoss()", "TripletMarginLoss(2.0)", "Softmin(dim=1)",
    )
}  # fmt: skip
ASKED = [
    members, changes, gradients, loading, hooks, hooks_where_no_input_needs_a_gradient,
    hooks_of_many_inputs_and_outputs, order_of_hooks, hooks_in_a_double_backward, hooks_on_parts_of_the_outputs,
    answers_of_backward_hooks, hooks_before_the_gradient, hooks_of_old, hooks_with_keywords, sequences,
    converted,
]  # fmt: skip
QUESTIONS = {function.__name__.replace("_", " "): function for function in ASKED} | PRINTED
QUESTIONS |= {f"refused: {name}": question for name, question in REFUSED.items()}


def asked(question, m):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return answer(question, m)


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answered(name):
    assert_same(asked(QUESTIONS[name], minigrad), recorded("modules")[name])


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answers(name):
    assert_same(asked(QUESTIONS[name], minigrad), asked(QUESTIONS[name], judge()))


def test_what_was_refused_took_nothing_out():
    row = minigrad.nn.Sequential(minigrad.nn.ReLU(), minigrad.nn.Tanh())
    with pytest.raises(TypeError, match="^int is not a Module subclass"):
        row.insert(0, 3)
    assert repr(row) == repr(minigrad.nn.Sequential(minigrad.nn.ReLU(), minigrad.nn.Tanh()))


def test_a_buffer_stays_a_tensor():
    with pytest.raises(
        TypeError, match=r"^cannot assign 'int' as buffer 'running_mean' \(torch.Tensor or None expected\)"
    ):
        minigrad.nn.BatchNorm1d(2).running_mean = 3


def warned(forward, m) -> list[str]:
    """What is said when a module that has a hook of the old kind is called."""
    module = type("Own", (m.nn.Module,), {"forward": forward})()
    module.register_backward_hook(print)
    a, b = m.ones(2, requires_grad=True) * 2, m.ones(2, requires_grad=True) * 3
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        module(a, b)
    return [str(one.message) for one in caught if one.category is FutureWarning]


@pytest.mark.parametrize(
    ("forward", "missing"),
    [
        (lambda self, a, b: a * b, ""),
        (lambda self, a, b: (a * b).sin(), "the forward contains multiple autograd Nodes"),
        (lambda self, a, b: (a * 2, b * 2), "outputs are generated by different autograd Nodes"),
        (lambda self, a, b: [a * b], "does not return a single Tensor"),
        (lambda self, a, b: (a * b, 3), "does not return a single Tensor"),
    ],
)
def test_what_a_hook_of_old_does_not_see_is_said(forward, missing):
    said = warned(forward, minigrad)
    assert missing in "".join(said) and bool(missing) is bool(said)
    assert said == warned(forward, judge())


@pytest.mark.filterwarnings("ignore:Using a non-full backward hook")
def test_hooks_of_old_are_named_in_an_error():
    def shortened(module, inputs, outputs):
        return ()

    bend = minigrad.nn.Sigmoid()
    bend.register_backward_hook(shortened)
    with pytest.raises(RuntimeError, match="hook 'shortened' has returned an incorrect number of values"):
        bend(minigrad.ones(2, requires_grad=True)).sum().backward()


def test_a_hook_that_is_not_called_costs_no_node():
    layer = minigrad.nn.Linear(1, 1)
    plain = layer(minigrad.ones(1, 1)).grad_fn.name()
    with layer.register_full_backward_hook(lambda *_: None):
        assert layer(minigrad.ones(1, 1)).grad_fn.name() == "BackwardHookFunctionBackward"
    assert layer(minigrad.ones(1, 1)).grad_fn.name() == plain == "AddmmBackward0"


def test_an_older_form_says_what_to_use():
    with pytest.raises(AttributeError, match=r"get_buffer does not exist: use dict\(module.named_buffers"):
        _ = minigrad.nn.Linear(1, 1).get_buffer


def test_an_implicit_dimension_is_warned_of():
    with pytest.warns(UserWarning, match="Implicit dimension choice for softmax has been deprecated"):
        out = minigrad.nn.Softmax()(minigrad.zeros(2, 2))
    assert out.tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("module", "name", "advice"),
    [
        (minigrad.nn, "LSTM", "minigrad.nn.LSTM does not exist: write the recurrence as a loop over nn.Linear layers"),
        (minigrad.nn, "MultiheadAttention", "build it of nn.Linear, nn.LayerNorm and"),
        (minigrad.nn, "TransformerEncoder", "build it of nn.Linear, nn.LayerNorm and"),
        (minigrad.nn, "Bilinear", "write what it computes in forward()"),
        (minigrad.nn.utils, "parametrize", "compute the weight from its parameters in forward()"),
        (minigrad, "distributions", "write its log-probability as a formula"),
        (minigrad.autograd, "gard", "Did you mean 'grad'?"),
        (minigrad.utils, "dada", "Did you mean 'data'?"),
        (minigrad.optim.lr_scheduler, "Scheduler", "Did you mean 'LRScheduler'?"),
        (minigrad.optim.lr_scheduler, "ChainedScheduler", "let each of the schedules step"),
        (minigrad.optim, "swa_utils", "keep a copy.deepcopy of the model"),
        (minigrad.nn, "Conv7d", "module 'minigrad.nn' has no attribute 'Conv7d'; "),
        (minigrad.optim, "RAdam", "minigrad.optim.RAdam does not exist: use Adam or RMSprop"),
    ],
)
def test_a_layer_that_is_missing_says_what_to_use(module, name, advice):
    with pytest.raises(AttributeError) as caught:
        getattr(module, name)
    assert advice in str(caught.value)


@pytest.mark.parametrize("m", [minigrad, pytest.param("torch", id="torch")])
def test_a_part_may_train_and_say_its_state_in_its_own_way(m):
    m = judge() if m == "torch" else m

    class Frozen(m.nn.Linear):
        def train(self, mode=True):
            return super().train(False)

        def state_dict(self, **given):
            state = super().state_dict(**given)
            state[given.get("prefix", "") + "frozen"] = m.ones(1)
            return state

    net = m.nn.Sequential(m.nn.Linear(1, 1), Frozen(1, 1)).train()
    assert [part.training for part in net] == [True, False]
    assert list(net.state_dict()) == ["0.weight", "0.bias", "1.weight", "1.bias", "1.frozen"]
    assert list(net.state_dict(prefix="net.", keep_vars=True))[-1] == "net.1.frozen"


@pytest.mark.parametrize("m", [minigrad, pytest.param("torch", id="torch")])
def test_a_hook_that_cannot_fire_as_wished_is_told(m):
    m = judge() if m == "torch" else m

    class Named(m.nn.Linear):
        def forward(self, x):
            return {"out": super().forward(x)}

    named, plain = Named(1, 1), m.nn.Linear(1, 1)
    for layer in (named, plain):
        layer.register_full_backward_hook(lambda *seen: None)
    with pytest.warns(
        UserWarning, match="module output should be a Tensor or a tuple of Tensors but received <class 'dic"
    ):
        named(m.ones(1, 1))
    with pytest.warns(UserWarning, match="respect to module outputs since no inputs require gradients"):
        plain(m.ones(1, 1)).sum().backward()


@pytest.mark.parametrize("m", [minigrad, pytest.param("torch", id="torch")])
def test_what_a_class_adds_to_its_state_is_saved_and_set(m):
    m = judge() if m == "torch" else m

    class Counting(m.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight, self.seen = m.nn.Parameter(m.zeros(1)), 0

        def get_extra_state(self):
            return {"seen": self.seen}

        def set_extra_state(self, state):
            self.seen = state["seen"]

    net, other = (m.nn.Sequential(Counting(), m.nn.Linear(1, 1)) for _ in range(2))
    net[0].seen = 7
    state = net.state_dict()
    assert list(state) == ["0.weight", "0._extra_state", "1.weight", "1.bias"]
    assert repr(other.load_state_dict(state)) == "<All keys matched successfully>" and other[0].seen == 7
    del state["0._extra_state"]
    assert other.load_state_dict(state, strict=False).missing_keys == ["0._extra_state"]
    with pytest.raises(RuntimeError, match='Unexpected key.*"_extra_state"'):
        net[1].load_state_dict({**net[1].state_dict(), "_extra_state": 3})


def test_an_option_that_does_not_exist_is_refused_by_the_method_that_was_called():
    with pytest.raises(TypeError, match=r"^Module.register_forward_hook\(\).*'always_call'"):
        minigrad.nn.Linear(1, 1).register_forward_hook(print, always_call=True)
    with pytest.raises(AttributeError, match=r"nn.modules does not exist: .* model.modules\(\)"):
        minigrad.nn.modules.module.register_module_forward_hook(print)


@pytest.mark.parametrize(
    ("call", "note"),
    [
        (lambda n: n.Identity()(n.Embedding(2, 2)(minigrad.tensor([5]))), "Embedding(2, 2), which was given int64 [1]"),
        (
            lambda n: n.Sequential(n.BatchNorm1d(2), n.Softmax(3))(minigrad.ones(2, 2)),
            "Softmax(dim=3), which was given float32 [2, 2]",
        ),
    ],
)
def test_an_error_tells_in_which_layer_it_arose(call, note):
    with pytest.raises((RuntimeError, IndexError)) as raised:
        call(minigrad.nn)
    assert raised.value.__notes__ == [f"This happened in {note}."]


def test_who_gives_a_tensor_to_a_layers_class_is_told_where_it_goes():
    x = minigrad.ones(2)
    with pytest.raises(TypeError, match=r"inplace cannot be a tensor; .* that it makes: ReLU\(...\)\(input\)"):
        minigrad.nn.ReLU(x)
    with pytest.raises(TypeError, match=r"too many positional .* that it makes: CrossEntropyLoss\(...\)\(input\)"):
        minigrad.nn.CrossEntropyLoss(x, x)


def test_a_module_that_was_not_set_up_says_so():
    class Own(minigrad.nn.Module):
        def __init__(self):
            self.size = 3

    for ask in (lambda own: list(own.parameters()), lambda own: own.state_dict(), repr):
        with pytest.raises(AttributeError, match=r"^Own.__init__\(\) must call super\(\).__init__\(\)"):
            ask(Own())


@pytest.mark.parametrize("m", [minigrad, pytest.param("torch", id="torch")])
def test_a_sum_of_containers_is_a_plain_one(m):
    nn = (judge() if m == "torch" else m).nn

    class Two(nn.Sequential):
        def __init__(self, bend):
            super().__init__(bend(), bend())

    class Twins(nn.ModuleList):
        def __init__(self, bend):
            super().__init__([bend(), bend()])

    row, listed = Two(nn.ReLU) + nn.Sequential(nn.Tanh()), Twins(nn.ReLU) + [nn.Tanh()]
    assert (type(row), type(listed), len(row), len(listed)) == (nn.Sequential, nn.ModuleList, 3, 3)
    with pytest.raises(ValueError, match="add operator supports only objects of Sequential class, but <class 'list'>"):
        row + [nn.Tanh()]


MISCALLED = (
    lambda n: n.Conv2d(1),
    lambda n: n.Conv1d(1, 1, 1)(),
    lambda n: n.Linear(1, 1).reset_parameters(1),
    lambda n: n.LayerNorm(1)(),
    lambda n: n.ModuleList().append(),
    lambda n: n.ModuleList().insert(0),
    lambda n: n.Sequential().append(),
    lambda n: n.Module().register_buffer("x"),
    lambda n: n.Module().named_modules(1, 2, 3, 4),
)


@pytest.mark.parametrize("call", MISCALLED)
def test_python_names_a_method_by_the_class_that_people_know(call):
    refusals = []
    for m in (minigrad, judge()):
        with pytest.raises(TypeError) as raised:
            call(m.nn)
        refusals.append(str(raised.value))
    assert refusals[0] == refusals[1]
