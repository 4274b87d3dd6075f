"""Right answers to lesson 6, as one types or writes them."""


def gradients_on_the_way(f, a):
    watched = []

    def watch(tensor):
        tensor.retain_grad()
        watched.append(tensor)

    f(a, watch).backward()
    return [tensor.grad for tensor in watched]


SOLUTIONS = {
    "a product that nobody asks about": "a leaf, without a node",
    "who has a gradient": "w",
    "behind the hook": "15",
    "behind a frozen layer": "only the first layer",
    "gradients on the way": gradients_on_the_way,
}
