"""What lesson 6 asks."""

import warnings

import minigrad as mg
from minigrad import nn
from widgets.lessons import Mistake, choice, code, number


def kind_of_product():
    x = mg.tensor([1.0, 2.0])
    u = x * x
    return LEAF if u.is_leaf and u.grad_fn is None else NO_LEAF


def who_has():
    x, w = mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0], requires_grad=True)
    v = w * x
    v.sum().backward()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ", ".join(name for name, one in {"x": x, "w": w, "v": v}.items() if one.grad is not None)


def behind_the_hook(x, y):
    x, y = (mg.tensor(value, requires_grad=True) for value in (x, y))
    z = x * y
    z.register_hook(lambda g: g.clamp(max=5))
    (z**2).backward()
    return x.grad


def behind_a_frozen_layer():
    first, second = nn.Linear(2, 3), nn.Linear(3, 1)
    second.requires_grad_(False)
    second(first(mg.ones(1, 2))).sum().backward()
    got = first.weight.grad is not None, second.weight.grad is not None
    return {(True, False): FIRST, (False, False): NEITHER, (True, True): BOTH}[got]


def on_the_way(f, a):
    watched = []

    def watch(tensor):
        tensor.retain_grad()
        watched.append(tensor)

    f(a, watch).backward()
    return [tensor.grad for tensor in watched]


def backwards(f, a):
    return on_the_way(f, a)[::-1]


def values(f, a):
    watched = []
    f(a, watched.append).backward()
    return [tensor.detach() for tensor in watched]


def unretained(f, a):
    watched = []
    f(a, watched.append).backward()
    return [None for _ in watched]


def chain(a, watch):
    b = a.sin()
    watch(b)
    c = b * b
    watch(c)
    return c.exp()


def branched(a, watch):
    s = a * 3
    watch(s)
    left, right = s.exp(), s * s
    watch(left)
    watch(right)
    return (left * right).sum()


LEAF, NO_LEAF = "a leaf, without a node", "no leaf: it was made by an operation"
FIRST, NEITHER, BOTH = "only the first layer", "none of the two", "both layers"

QUESTIONS = {
    "a product that nobody asks about": choice(
        "u = x * x, and x requires no gradient. What is u?",
        [NO_LEAF, LEAF],
        kind_of_product,
        mistakes={NO_LEAF: "It was made by an operation, but none that was recorded: nobody has asked for a gradient."},
        hints=["Is anything recorded when no gradient was asked for?"],
        because="x asked for no gradient, so nothing was recorded, which saves time and memory. A leaf is where a history begins: before u there is none.",
    ),
    "who has a gradient": choice(
        "v = w * x and v.sum().backward(); w requires a gradient, x does not. Which of the three has a .grad afterwards?",
        ["x, w, v", "w, v", "w"],
        who_has,
        mistakes={
            "x, w, v": "x did not ask. That it is a leaf is not enough.",
            "w, v": "A gradient flows through v, and is let go there: v is no leaf.",
        },
        hints=["It is kept in leaves, and only where it was asked for."],
        because="w is a leaf, and asked. What flows through v is used on the way, and let go.",
    ),
    "behind the hook": number(
        "z = x · y with x = {x} and y = {y}, l = z². A hook on z lets at most 5 through. What arrives at x?",
        behind_the_hook,
        given={"x": [2.0, 1.0, 4.0], "y": [3.0, 7.0, 2.0]},
        mistakes=[
            Mistake("That would arrive without the hook.", lambda x, y: 2 * x * y * y),
            Mistake("The hook stands at z. What it lets through is multiplied by y on its way to x.", 5.0),
            Mistake("y is what x gets: in a product each factor gets the other one.", lambda x, y: 5 * x),
        ],
        hints=[
            "Without the hook 2z would go on from z. How much of it does the hook let through?",
            "The product sends that to x, times y.",
        ],
        because="2z goes on from z, but at most 5, and the product multiplies it by y: {answer}.",
    ),
    "behind a frozen layer": choice(
        "The second layer is frozen, the first is not. After the backward, whose weights have a gradient?",
        [BOTH, FIRST, NEITHER],
        behind_a_frozen_layer,
        mistakes={
            NEITHER: "The gradient must pass through the second layer to reach the first; freezing its weights does not stop it.",
            BOTH: "Its weights do not require a gradient any more, so none is deposited.",
        },
        hints=["What the first layer gets is multiplied by the second's weights. Are their mailboxes needed for that?"],
        because="A frozen layer takes no gradient for itself, and lets pass what is for others.",
    ),
    "gradients on the way": code(
        "The gradients of tensors on the way.",
        name="gradients_on_the_way",
        cases=[
            (chain, mg.tensor(0.5, requires_grad=True)),
            (branched, mg.tensor([0.1, 0.2], requires_grad=True)),
        ],
        reference=on_the_way,
        any_grad=True,
        mistakes=[
            Mistake("A tensor on the way keeps its gradient only if it is told to, before the backward.", unretained),
            Mistake("Hooks run in the order of the backward. The order asked for is that of the watching.", backwards),
            Mistake("Those are the tensors themselves. Their gradients are asked for.", values),
        ],
        hints=[
            "What must be done to a tensor on the way, so that its .grad is kept?",
            "watch may be a function of yours that calls tensor.retain_grad() and appends the tensor to a list.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that freezing a layer stops the gradient there; but it passes through, to the layers before.": "Freezing a part of a network",
    "It may seem that every tensor has a `.grad` after backward(); but only leaves that asked for it have.": "Who has a mailbox?",
}
