"""How long the pictures of a run take beside Graphviz alone: `python -m benchmarks.pictures`.

Processor time of this process and of Graphviz's; the median of some rounds. The reach is 1.5 times what Graphviz takes
for the same drawings, and 0.3 s. Last, a move of a plot's slider: 50 ms feel like none.
"""

import os
from statistics import median
from time import process_time

import minigrad as mg
from widgets import plot_tangent
from widgets.drawing import folding, layout, picture
from widgets.showing.run import record

ROUNDS = 7


def chain(count: int) -> dict:
    """A trace of about so many nodes: products and sums with weights, one after the other, and the way back."""
    weights = [mg.tensor(0.5 + i / count, requires_grad=True) for i in range(count // 3)]
    with record() as run:
        value = weights[0]
        for weight in weights[1:]:
            value = mg.sin(value * weight)
        value.backward()
    return run.trace


def network(width: int) -> dict:
    """A trace of a scalar network, neuron by neuron, in modules."""

    class Neuron(mg.nn.Module):
        def __init__(self, inputs: int) -> None:
            super().__init__()
            for i in range(inputs):
                self.register_parameter(f"weight{i}", mg.nn.Parameter(mg.tensor(0.1 * i)))

        def forward(self, values):
            return mg.tanh(sum(weight * value for weight, value in zip(self.parameters(), values)))

    class Layer(mg.nn.Module):
        def __init__(self, inputs: int, outputs: int) -> None:
            super().__init__()
            self.neurons = mg.nn.ModuleList([Neuron(inputs) for _ in range(outputs)])

        def forward(self, values):
            return [neuron(values) for neuron in self.neurons]

    layers = [Layer(2, width), Layer(width, width), Layer(width, 1)]
    with record() as run:
        values = [mg.tensor(0.3), mg.tensor(-0.7)]
        for layer in layers:
            values = layer(values)
        values[0].backward()
    return run.trace


def seconds(work) -> float:
    """The median over the rounds, each of which lays out afresh."""
    times = []
    for _ in range(ROUNDS):
        layout.KNOWN.clear()
        start = sum(os.times()[:4])
        work()
        times.append(sum(os.times()[:4]) - start)
    return median(times)


def move() -> float:
    """The median time of moving a tangent along a sine."""
    times, plot = [], plot_tangent(mg.sin, at=0.5, live=True)
    for i in range(15):
        start = process_time()
        plot.sliders["at"].value = 0.1 * i
        times.append(process_time() - start)
    return median(times)


def main() -> None:
    print("| graph | nodes | drawings | Graphviz | all | reach |\n|---|---|---|---|---|---|")
    for name, trace in {
        "a line": chain(100),
        "a long line": chain(300),
        "a line in blocks": chain(1000),
        "a scalar network": network(16),
    }.items():
        drawings = [drawn.dot() for drawn in picture.drawn(trace, folding.views(trace), "auto").values()]
        alone, whole = seconds(lambda d=drawings: layout.lay_out(*d)), seconds(lambda t=trace: picture.views(t))
        row = name, len(trace["nodes"]), len(drawings), f"{alone:.2f} s", f"{whole:.2f} s", f"{1.5 * alone + 0.3:.2f} s"
        print("|", " | ".join(map(str, row)), "|")
    print(f"\na move of a slider: {1000 * move():.0f} ms")


if __name__ == "__main__":
    main()
