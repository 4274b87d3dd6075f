"""Right answers to lesson 10, as one types or writes them."""

import minigrad as mg


def mended(x):
    money = mg.tensor(1.0)
    after = [money]
    for i in range(len(x)):
        money = money * x[i] + 1
        after.append(money)
    return mg.stack(after)


SOLUTIONS = {
    "how often it was written to": "0",
    "which one is refused": "that of exp",
    "who counts": "b: 1, v: 1",
    "through a view": "30",
    "savings, mended": mended,
}
