"""Right answers to lesson 4, as one types or writes them."""


def backward(arrows, result):
    gradients = [0.0] * result + [1.0]
    for node in range(result, -1, -1):
        for to, sender, slope in arrows:
            if sender == node:
                gradients[to] += gradients[node] * slope
    return gradients


SOLUTIONS = {
    "who is next": "c, the sine",
    "the order of a diamond": ["r", "q", "p", "s"],
    "how many paths": "1024",
    "a backward of your own": backward,
}
