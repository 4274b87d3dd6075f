"""What lesson 17 asks."""

import math

import minigrad as mg
import minigrad.nn.functional as F
from widgets.lessons import Mistake, choice, code, number


def uses(size, width):
    x = mg.ones(1, 1, int(size))
    k = mg.zeros(1, 1, int(width), requires_grad=True)
    F.conv1d(x, k).sum().backward()  # each use adds 1
    return k.grad[0, 0, 0]


def blamed(which):
    x = mg.zeros(1, 1, 6, requires_grad=True)
    F.conv1d(x, mg.tensor([[[0.5, 1.0, -1.0]]]))[0, 0, which].backward()
    return ", ".join(f"x[{i}]" for i in range(6) if x.grad[0, 0, i] != 0)


def unheard():
    k = mg.tensor([3.0, -12.0], requires_grad=True)
    v = mg.tensor([1.0, 4.0], requires_grad=True)
    (k.softmax(dim=0) @ v).backward()
    return {(True, True): NOTHING, (True, False): KEY, (False, True): VALUE, (False, False): BOTH}[
        abs(v.grad[1].item()) < 1e-3, abs(k.grad[1].item()) < 1e-3
    ]


def behind_the_mask():
    v = mg.ones(1, 4, 2, requires_grad=True)
    F.scaled_dot_product_attention(v.detach(), v.detach(), v, is_causal=True)[0, 1].sum().backward()
    return ", ".join(str(i) for i in range(4) if v.grad[0, i].abs().sum() > 0)


def kernel_gradient(x, g):
    width = len(x) - len(g) + 1
    return mg.stack([(g * x[j : j + len(g)]).sum() for j in range(width)])


def last_place(x, g):
    return g[-1] * x[len(g) - 1 :]


def attending(dim=1, scaled=True):
    def attention(q, k, v):
        scores = q @ k.T / (math.sqrt(q.shape[1]) if scaled else 1.0)
        return scores.softmax(dim=dim) @ v

    return attention


def case(queries, keys, size, values):
    return tuple(mg.randn(*sizes, requires_grad=True) for sizes in [(queries, size), (keys, size), (keys, values)])


NOTHING, KEY = "next to nothing, to both", "next to nothing to the value, much to the key: it was wrong"
VALUE, BOTH = "much to the value: it is the largest; next to nothing to the key", "much to both"

QUESTIONS = {
    "how often a weight is used": number(
        "x has {n} numbers, the kernel {k}. The gradient of k₀ is a sum. Of how many parts?",
        uses,
        given={"n": [8.0, 10.0, 6.0], "k": [3.0, 4.0]},
        mistakes=[
            Mistake("The kernel must lie within x altogether: fewer places than numbers.", lambda n, k: n),
            Mistake("That is how many weights there are. Each of them is used at each place.", lambda n, k: k),
            Mistake("Count again: the first place is 0, the last one is n − k.", lambda n, k: n - k),
        ],
        hints=[
            "k₀ is used once for each place of the kernel.",
            "At how many places can a kernel of {k} lie on {n} numbers?",
        ],
        because="The kernel lies at {answer} places, and is the same at each: so many parts are added.",
    ),
    "who is blamed": choice(
        "Only y₂ goes into the loss. Where is the gradient of x not 0?",
        ["x[2]", "x[0], x[1], x[2]", "x[2], x[3], x[4]", "everywhere"],
        lambda: blamed(2),
        mistakes={
            "x[2]": "x[2] has a part in y₂. Who else?",
            "x[0], x[1], x[2]": "Those are the y that x[2] has a part in, looked at from the other side. Which x does y₂ read?",
            "everywhere": "The kernel is shared, the input is not: y₂ reads three numbers.",
        },
        hints=["Put i = 2 into the formula."],
        because="y₂ has read x[2], x[3] and x[4]. Blamed is who was read.",
    ),
    "what nobody listened to": choice(
        "The last position has a weight of nearly 0. How much gradient comes back to its value, and to its key?",
        [VALUE, KEY, BOTH, NOTHING],
        unheard,
        mistakes={
            VALUE: "How large a value is plays no part in its own gradient. Its weight does.",
            KEY: "To be heard more would help. But the softmax is flat where the weight is nearly 0.",
            BOTH: "The way to both leads past the weight.",
        },
        hints=[
            "Which way leads back to its value, which one to its key? What stands on both?",
            "∂out/∂vᵢ is aᵢ. And the slope of the softmax has the factor aᵢ.",
        ],
        because="The weight is a factor on both ways: its value gets aᵢ, its score aᵢ (vᵢ − out). Who was not heard learns nothing.",
    ),
    "behind the mask": choice(
        "There are positions 0, 1, 2, 3, and none sees those after it. Only the output of position 1 goes into the loss. Which values get a gradient?",
        ["1", "0, 1", "1, 2, 3", "0, 1, 2, 3"],
        behind_the_mask,
        mistakes={
            "1": "It sees itself. Does it see nobody else?",
            "1, 2, 3": "Those after it are hidden from it, not those before it.",
            "0, 1, 2, 3": "Those after it have the weight 0 exactly.",
        },
        hints=["Whom does position 1 hear?"],
        because="It has heard 0 and itself: row i of the matrix has numbers up to column i.",
    ),
    "what arrives at the kernel": code(
        "The gradient of the kernel of a convolution.",
        name="kernel_gradient",
        cases=[
            (mg.tensor([1.0, 2.0]), mg.tensor([3.0])),
            (mg.tensor([1.0, 2.0, 0.0, -1.0, 3.0, 1.0]), mg.tensor([1.0, 1.0, 1.0, 1.0])),
            (mg.tensor([1.0, 2.0, 4.0, 8.0, 16.0]), mg.tensor([1.0, 0.0, -1.0])),
        ],
        reference=kernel_gradient,
        without=["backward"],
        mistakes=[
            Mistake(
                "The order is turned round: kⱼ meets x at i + j, not at i − j.",
                lambda x, g: kernel_gradient(x, g).flip(0),
            ),
            Mistake(
                "The kernel is used at each place, and the parts add up. That is the part of the last place.",
                last_place,
            ),
        ],
        hints=[
            "How many numbers has the kernel? len(x) − len(g) + 1.",
            "∂yᵢ/∂kⱼ is x at i + j. Sum g[i] · x[i + j] over i.",
            "For each j: (g * x[j : j + len(g)]).sum(). mg.stack makes one tensor of them.",
        ],
    ),
    "attention": code(
        "Attention for several queries.",
        name="attention",
        cases=lambda: [case(1, 2, 1, 1), case(2, 3, 4, 2), case(3, 3, 2, 2)],
        reference=attending(),
        without=["scaled_dot_product_attention"],
        mistakes=[
            Mistake(
                "The softmax goes along the wrong dimension: the weights of each query, one row, add up to 1.",
                attending(dim=0),
            ),
            Mistake("The scores are to be divided by √d, where d is how long a query is.", attending(scaled=False)),
        ],
        hints=[
            "The scores: q @ k.T, a row for each query.",
            "Divide by math.sqrt(q.shape[1]), then softmax(dim=1), then @ v.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that a convolution's weight gets one gradient; but it is used at each place, and all of them add up.": "A matrix with an address",
    "It may seem that what was wrongly ignored learns most; but a weight of nearly 0 lets no gradient back.": "An address that is computed",
}
