"""Right answers to lesson 14, as one types or writes them."""

import minigrad as mg


def fit(x, y, lr, steps):
    w = mg.tensor(0.0, requires_grad=True)
    b = mg.tensor(0.0, requires_grad=True)
    optimizer = mg.optim.SGD([w, b], lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        ((w * x + b - y) ** 2).mean().backward()
        optimizer.step()
    return w.item(), b.item()


SOLUTIONS = {
    "which way": "−",
    "the slope along w": "-6",
    "forever from side to side": "0.5",
    "a new w": "None: nothing is in it",
    "a training loop": fit,
}
