"""What recording costs: `python -m benchmarks.recording`.

Ten operations on tensors, forward and backward, with and without a recorder, in turns; the ratio of the medians. Then
how long it takes to tell what was recorded, and how large the trace is.
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


if __name__ == "__main__":
    main()
