"""A program that is recorded does what it does unrecorded: bit for bit, and nothing stays behind."""

import gc
import random
import weakref

import pytest

from widgets import record

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional
dispatch = pytest.importorskip("torch.utils._python_dispatch")

IMAGES, SEQUENCES, ROWS = (2, 4, 8, 8), (2, 5, 8), (4, 8)
MODULES = {
    "Linear": (lambda: nn.Linear(8, 3), ROWS),
    "Bilinear": (lambda: nn.Bilinear(8, 8, 2), ROWS, ROWS),
    "Conv1d": (lambda: nn.Conv1d(5, 4, 3), SEQUENCES),
    "Conv2d": (lambda: nn.Conv2d(4, 4, 3, padding=1, groups=2), IMAGES),
    "Conv3d": (lambda: nn.Conv3d(2, 2, 2), (1, 2, 3, 3, 3)),
    "ConvTranspose2d": (lambda: nn.ConvTranspose2d(4, 2, 3, stride=2), IMAGES),
    "MaxPool2d": (lambda: nn.MaxPool2d(2), IMAGES),
    "AvgPool2d": (lambda: nn.AvgPool2d(3, 2, 1), IMAGES),
    "AdaptiveAvgPool2d": (lambda: nn.AdaptiveAvgPool2d(3), IMAGES),
    "AdaptiveMaxPool1d": (lambda: nn.AdaptiveMaxPool1d(3), SEQUENCES),
    "LPPool2d": (lambda: nn.LPPool2d(2, 2), IMAGES),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(4), IMAGES),
    "InstanceNorm2d": (lambda: nn.InstanceNorm2d(4, affine=True), IMAGES),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), IMAGES),
    "LayerNorm": (lambda: nn.LayerNorm(8), ROWS),
    "RMSNorm": (lambda: nn.RMSNorm(8), ROWS),
    "LocalResponseNorm": (lambda: nn.LocalResponseNorm(2), IMAGES),
    "Dropout": (lambda: nn.Dropout(0.3), ROWS),
    "Dropout2d": (lambda: nn.Dropout2d(0.3), IMAGES),
    "AlphaDropout": (lambda: nn.AlphaDropout(0.3), ROWS),
    "RReLU": (lambda: nn.RReLU(), ROWS),
    "PReLU": (lambda: nn.PReLU(), ROWS),
    "GELU": (lambda: nn.GELU(approximate="tanh"), ROWS),
    "GLU": (lambda: nn.GLU(), ROWS),
    "Mish": (lambda: nn.Mish(), ROWS),
    "CELU": (lambda: nn.CELU(), ROWS),
    "Softmax2d": (lambda: nn.Softmax2d(), IMAGES),
    "RNN": (lambda: nn.RNN(8, 3, 2, batch_first=True), SEQUENCES),
    "LSTM": (lambda: nn.LSTM(8, 3, bidirectional=True), SEQUENCES),
    "GRU": (lambda: nn.GRU(8, 3), SEQUENCES),
    "LSTMCell": (lambda: nn.LSTMCell(8, 3), ROWS),
    "MultiheadAttention": (lambda: nn.MultiheadAttention(8, 2), SEQUENCES, SEQUENCES, SEQUENCES),
    "TransformerEncoderLayer": (lambda: nn.TransformerEncoderLayer(8, 2, 16), SEQUENCES),
    "TransformerEncoder eval": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2).eval(),
        SEQUENCES,
    ),
    "Transformer": (lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True), SEQUENCES, SEQUENCES),
    "PixelShuffle": (lambda: nn.PixelShuffle(2), IMAGES),
    "Upsample": (lambda: nn.Upsample(scale_factor=2, mode="bilinear"), IMAGES),
    "ReflectionPad2d": (lambda: nn.ReflectionPad2d(1), IMAGES),
    "ZeroPad2d": (lambda: nn.ZeroPad2d(1), IMAGES),
    "Unfold": (lambda: nn.Unfold(2), IMAGES),
    "Fold": (lambda: nn.Fold((4, 5), (2, 2)), (2, 8, 12)),
    "Flatten": (lambda: nn.Flatten(), IMAGES),
    "CosineSimilarity": (lambda: nn.CosineSimilarity(), ROWS, ROWS),
    "PairwiseDistance": (lambda: nn.PairwiseDistance(), ROWS, ROWS),
    "weight_norm": (lambda: nn.utils.parametrizations.weight_norm(nn.Linear(8, 3)), ROWS),
    "spectral_norm": (lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(8, 3)), ROWS),
    "MSELoss": (lambda: nn.MSELoss(), ROWS, ROWS),
    "L1Loss": (lambda: nn.L1Loss(), ROWS, ROWS),
    "SmoothL1Loss": (lambda: nn.SmoothL1Loss(), ROWS, ROWS),
    "KLDivLoss": (lambda: nn.KLDivLoss(reduction="batchmean"), ROWS, ROWS),
    "CosineEmbeddingLoss": (lambda: nn.CosineEmbeddingLoss(), ROWS, ROWS, (4,)),
    "TripletMarginLoss": (lambda: nn.TripletMarginLoss(), ROWS, ROWS, ROWS),
    "GaussianNLLLoss": (lambda: nn.GaussianNLLLoss(), ROWS, ROWS, "positive"),
}


def shaped(output):
    """All numbers of a result as one."""
    parts = [output] if isinstance(output, torch.Tensor) else output
    parts = [one for part in parts for one in (part if isinstance(part, tuple) else [part])]
    return sum((one * torch.cos(torch.arange(one.numel()) + 1.0).reshape(one.shape)).sum() for one in parts)


def trained(make, *shapes):
    """What two steps of training leave behind."""
    torch.manual_seed(0)
    module = make()
    inputs = [torch.rand(ROWS) if one == "positive" else torch.randn(one, requires_grad=True) for one in shapes]
    left, parameters = [], [*module.parameters(), *inputs]
    optimizer = torch.optim.AdamW(parameters, lr=0.1)
    seen = []
    inputs[0].register_hook(lambda g: seen.append(g.clone()))
    for parameter in module.parameters():
        parameter.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.clone()))
    for _ in range(2):
        optimizer.zero_grad()
        output = module(*inputs)
        loss = shaped(output)
        loss.backward()
        left += [loss.detach(), *(one.grad.clone() for one in parameters if one.grad is not None)]
        left += [torch.tensor(one.grad.stride()) for one in parameters if one.grad is not None]
        optimizer.step()
    with torch.no_grad():
        left.append(shaped(module.eval()(*inputs)))
    versions = torch.tensor([one._version for one in parameters])
    return [*left, *seen, *parameters, *module.buffers(), versions, torch.get_rng_state()]


def check_same(first, second):
    assert len(first) == len(second)
    for one, other in zip(first, second):
        assert torch.equal(one.nan_to_num(7.0), other.nan_to_num(7.0)), (one, other)


def is_clean():
    assert dispatch._get_current_dispatch_mode_stack() == []
    assert "grad" not in vars(torch.Tensor) and "data" not in vars(torch.Tensor)
    assert torch.autograd._engine_run_backward is torch.autograd.graph._engine_run_backward
    assert torch.autograd.Function.apply.__func__.__module__ == "torch.autograd.function"


@pytest.mark.parametrize("name", MODULES)
def test_a_module_trains_as_without(name):
    plain = trained(*MODULES[name])
    with record() as run:
        recorded = trained(*MODULES[name])
    check_same(plain, recorded)
    is_clean()
    kinds = [frame["kind"] for frame in run.trace["frames"]]
    assert "deposited" in kinds and not any(frame.get("wrong") for frame in run.trace["frames"])


def test_no_tensor_and_no_node_is_kept():
    class Graph:
        def __init__(self):
            self.net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh())
            self.x = torch.randn(5, 3)
            self.loss = self.net(self.x).square().sum()
            self.loss.backward(retain_graph=True)

    def recorded():
        with record() as run:
            graph = Graph()
        return run, [weakref.ref(one) for one in [graph.loss, graph.x, *graph.net.parameters(), graph.net]]

    gc.collect()
    gc.disable()
    try:
        run, dead = recorded()
        assert run.trace["frames"]
        gc.collect()  # a Module is in cycles of its own
        assert [one() for one in dead] == [None] * len(dead)
    finally:
        gc.enable()


def test_no_hook_stays():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2

    def hook(gradient):
        return gradient * 3

    y.register_hook(hook)
    x.register_post_accumulate_grad_hook(hook2 := lambda leaf: None)
    with record():
        y.sum().backward(retain_graph=True)
    assert list(y._backward_hooks.values()) == [hook] and list(x._post_accumulate_grad_hooks.values()) == [hook2]
    assert x.grad.tolist() == [6, 6]
    is_clean()
    plain = torch.tensor(1.0, requires_grad=True)
    with record():
        (plain * 2).backward()
    assert plain._post_accumulate_grad_hooks is None and plain._backward_hooks is None


def test_memory_may_still_grow():
    x = torch.zeros(2)
    w = torch.ones(2, requires_grad=True)
    with record():
        (x * w).sum().backward()
    assert x.resize_(1000).numel() == 1000  # what NumPy was shown could not


def test_changes_of_several_tensors_at_once_are_counted():
    def seen():
        w = torch.tensor([3.0, 4.0], requires_grad=True)
        optimizer, loss = torch.optim.SGD([w], lr=0.1, foreach=True), (w * w).sum()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_([w], 1.0)
        optimizer.step()
        with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
            loss.backward()
        return w._version, w.grad._version

    plain = seen()
    with record():
        assert seen() == plain


def test_a_hook_may_take_itself_off_and_empty_the_mailbox():
    w = torch.tensor(1.0, requires_grad=True)
    called = []

    def once(leaf):
        called.append(leaf.grad.item())
        leaf.grad = None
        handle.remove()

    handle = w.register_post_accumulate_grad_hook(once)
    with record() as run:
        (w * 2).backward()
        (w * 3).backward()
    assert called == [2.0] and w.grad.item() == 3
    assert [f["kind"] for f in run.trace["frames"]].count("deposited") == 2


def test_an_error_leaves_nothing():
    w = torch.tensor(1.0, requires_grad=True)
    with pytest.raises(RuntimeError, match="second time"), record():
        loss = w * w
        loss.backward()
        loss.backward()
    is_clean()
    with pytest.raises(ZeroDivisionError), record():
        w * 2
        raise ZeroDivisionError
    is_clean()


def random_program(seed):
    """Lines that combine two matrices in many ways, and what they leave behind."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    pool = [torch.randn(3, 3, requires_grad=True) for _ in range(2)]
    leaves, left = list(pool), []
    steps = [
        lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a @ b, lambda a, b: a.T, lambda a, b: a.sin() / 2,
        lambda a, b: torch.where(a > b, a, b), lambda a, b: (a * 1).mul_(b), lambda a, b: a[1:].sum(0) + b,
        lambda a, b: a.detach() * b, lambda a, b: F.dropout(a, 0.5), lambda a, b: torch.cat([a, b])[::2],
        lambda a, b: a.softmax(0), lambda a, b: a.prod(1, keepdim=True) * b, lambda a, b: (a * 1).fill_diagonal_(2.0),
        lambda a, b: a.cumsum(1), lambda a, b: a.sort(0)[0], lambda a, b: torch.stack([a, b]).amax(0),
    ]  # fmt: skip
    for _ in range(chance.randint(3, 9)):
        pool.append(chance.choice(steps)(chance.choice(pool), chance.choice(pool)))
        if chance.random() < 0.2:
            with torch.no_grad():
                leaves[0].mul_(0.9)
            pool = [leaves[0] * 1, leaves[1]]
    loss = sum(one.square().mean() for one in pool[-3:])
    if chance.random() < 0.3:
        left += torch.autograd.grad(loss, leaves, retain_graph=True, allow_unused=True)
    loss.backward(retain_graph=chance.random() < 0.3)
    return [one for one in [*left, loss.detach(), *leaves, *(leaf.grad for leaf in leaves)] if one is not None]


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed):
    plain = random_program(seed)
    with record() as run:
        recorded = random_program(seed)
    check_same(plain, recorded)
    assert run.trace["frames"] and not any(frame.get("wrong") for frame in run.trace["frames"])
    is_clean()
