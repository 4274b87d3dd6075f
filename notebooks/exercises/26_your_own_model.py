"""What lesson 26 asks. minigrad answers, so that this file needs no PyTorch."""

import minigrad as mg
from minigrad import nn
from widgets.lessons import Mistake, choice, number


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(1, 2)
        self.out = nn.Linear(2, 1)

    def forward(self, x):
        return self.out(mg.sigmoid(self.hidden(x)))


def backward(net, x):
    (net(mg.tensor([[x]])) - 1).square().sum().backward()


def what_arrives():
    mg.manual_seed(0)
    net = Net()
    backward(net, 2024.0)
    ratio = (net.hidden.bias.grad.abs().max() / net.out.bias.grad.abs().max()).item()
    return ALIKE if ratio > 0.1 else SMALLER if ratio > 1e-6 else NEXT_TO_NOTHING


def two_steps(rate, zeroed=False):
    w = mg.tensor(0.0, requires_grad=True)
    sgd = mg.optim.SGD([w], lr=rate)
    for _ in range(2):
        if zeroed:
            sgd.zero_grad()
        (w - 1).square().backward()
        sgd.step()
    return w.item()


def slope(x, second, keep=("product", "sum")):
    first = mg.tensor(3.0, requires_grad=True)
    h = first * x
    ways = {"product": second * h, "sum": h}
    sum(ways[way] for way in keep).backward()
    return first.grad


def what_is_in_a_frozen_mailbox():
    mg.manual_seed(0)
    net = Net()
    net.hidden.requires_grad_(False)
    backward(net, 2.0)
    grad = net.hidden.weight.grad
    return NOTHING if grad is None else NUMBERS if grad.any() else ZEROS


ALIKE = "about as much as at out.bias"
SMALLER = "about a hundredth of it"
NEXT_TO_NOTHING = "less than a millionth of it"
NOTHING, ZEROS, NUMBERS = "None", "zeros", "the same numbers as before"

QUESTIONS = {
    "what arrives": choice(
        "The input is 2024 now, and nothing else is changed. How much gradient arrives at hidden.bias?",
        [ALIKE, SMALLER, NEXT_TO_NOTHING],
        what_arrives,
        mistakes={
            ALIKE: "On its way it is multiplied by h · (1 - h). What is that when h is almost 0 or almost 1?",
            SMALLER: "sigmoid(-16) is 0.0000001, and its slope is no larger.",
        },
        hints=["How large does hidden(x) become when x is 2024?", "How steep is a sigmoid far away from 0?"],
        because="Both sigmoids are at their ends, where they are flat: h · (1 - h) is almost 0.",
    ),
    "where is w": number(
        "w begins at 0, and each step goes by {rate} times w.grad. Where is w after two steps of this loop?",
        two_steps,
        given={"rate": [0.25, 0.125, 0.375]},
        mistakes=[
            Mistake(
                "That is with a zero_grad in each step. What is in w.grad before the second backward?",
                lambda rate: two_steps(rate, zeroed=True),
            ),
            Mistake("That is w after the first step.", lambda rate: 2 * rate),
        ],
        hints=[
            "The slope is 2 · (w - 1), so the first one is -2.",
            "The second backward adds its slope to the -2 that is in w.grad still.",
        ],
        because="The second step goes by the sum of both slopes, so it goes too far.",
    ),
    "what reaches first": number(
        "x is {x}, first is 3, second is {second}. What is in first.grad after the backward?",
        lambda x, second: slope(x, second, ["product"]),
        given={"x": [2.0, 5.0, -2.0], "second": [4.0, 3.0, 7.0]},
        mistakes=[
            Mistake("That is what both ways bring together. Is either of them cut?", slope),
            Mistake("This way is the one that detach() cuts.", lambda x, second: slope(x, second, ["sum"])),
            Mistake("One of the two ways is whole: through second * h.", 0.0),
        ],
        hints=["h is used twice. Which of its uses does the graph know?", "∂h/∂first is x."],
        because="Only the way through second * h is left: {second} · {x}.",
    ),
    "what a frozen layer holds": choice(
        "hidden is frozen. What is net.hidden.weight.grad after the backward?",
        [ZEROS, NUMBERS, NOTHING],
        what_is_in_a_frozen_mailbox,
        mistakes={
            ZEROS: "Zeros would be a gradient: one that was computed, and is 0. Is anything computed here?",
            NUMBERS: "These would be put there only if the weight required a gradient.",
        },
        hints=["Does anything below sigmoid still require a gradient?", "How far does the backward have to go?"],
        because="Nothing below out requires a gradient, so the backward does not go there. The mailbox stays as it was: empty.",
    ),
}

MISCONCEPTIONS = {
    "It may seem that a layer whose gradient is 0 and a layer without a gradient are the same; but 0 came through the graph, and None says that nothing came.": "A layer that nobody reaches",
    "It may seem that a gradient which is there is right; but one way of several may be cut, and then only a part of it arrives.": "A way that is cut",
}
