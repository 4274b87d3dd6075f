"""What recording costs: `python -m benchmarks.recording`.

Ten operations on tensors, forward and backward, with and without a recorder, in turns; the ratio of the medians. Then
how long it takes to tell what was recorded, and how large the trace is; and the same of nets of PyTorch's.
"""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import minigrad as mg
from widgets.showing.run import Run, record

ROUNDS = 60


def network(batch: int, inputs: int, hidden: int, outputs: int) -> Callable[[], None]:
    """One forward and backward of a net of two layers."""
    mg.manual_seed(0)
    x, y = mg.randn(batch, inputs), mg.randn(batch, outputs)
    shapes = (inputs, hidden), (hidden,), (hidden, outputs), (outputs,)
    parameters = [mg.randn(*shape).requires_grad_() for shape in shapes]
    w1, b1, w2, b2 = parameters

    def program() -> None:
        prediction = mg.relu(x @ w1 + b1) @ w2 + b2
        loss = ((prediction - y) ** 2).mean() * 0.5 + 1.0
        loss.backward()
        for parameter in parameters:
            parameter.grad = None

    return program


def seconds(program: Callable[[], None]) -> float:
    start = perf_counter()
    program()
    return perf_counter() - start


def main() -> None:
    print("| net | plain | recorded | ratio | told in | trace |\n|---|---|---|---|---|---|")
    for sizes in [(64, 1000, 100, 10), (64, 64, 128, 10), (8, 4, 8, 2)]:
        program, plain, recorded = network(*sizes), [], []
        runs: list[Run] = []
        for _ in range(ROUNDS):
            plain.append(seconds(program))
            with record() as run:
                recorded.append(seconds(program))
            runs = [run]
        one, other = median(plain), median(recorded)
        told = seconds(lambda last=runs[0]: last.trace)
        row = f"{1e6 * one:.0f} us", f"{1e6 * other:.0f} us", f"{other / one:.2f}", f"{1e3 * told:.0f} ms"
        print("|", " | ".join(["×".join(map(str, sizes)), *row, f"{len(runs[0].to_json()) / 1e3:.0f} kB"]), "|")


def pytorch() -> None:
    """One training step of nets of some million parameters, on PyTorch: with and without a recorder."""
    try:
        import torch
        from torch import nn
    except ModuleNotFoundError:
        return
    torch.manual_seed(0)
    torch.set_num_threads(1)
    layer = nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True)
    nets = {
        "three layers": (nn.Sequential(nn.Linear(784, 1500), nn.ReLU(), nn.Linear(1500, 1500)), torch.randn(128, 784)),
        "four blocks of a transformer": (nn.TransformerEncoder(layer, 4), torch.randn(8, 64, 256)),
    }
    print("\n| PyTorch net | parameters | plain | recorded | ratio |\n|---|---|---|---|---|")
    for name, (net, x) in nets.items():
        optimizer = torch.optim.Adam(net.parameters())

        def training(net=net, x=x, optimizer=optimizer) -> None:
            optimizer.zero_grad()
            net(x).square().mean().backward()
            optimizer.step()

        plain, recorded = [seconds(training) for _ in range(5)], []
        for _ in range(5):
            with record():
                recorded.append(seconds(training))
        one, other = median(plain), median(recorded)
        count = sum(one.numel() for one in net.parameters())
        print(f"| {name} | {count:,} | {1e3 * one:.0f} ms | {1e3 * other:.0f} ms | {other / one:.1f} |")


if __name__ == "__main__":
    main()
    pytorch()
