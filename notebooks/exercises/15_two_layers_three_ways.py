"""What lesson 15 asks."""

import minigrad as mg
from minigrad import nn
from widgets.lessons import Mistake, choice, code, number, shape


def what_backward_changes():
    layer = nn.Linear(2, 1)
    before = layer.weight.detach().clone()
    layer(mg.ones(1, 2)).sum().backward()
    moved = bool((layer.weight != before).any())
    return {(True, False): WEIGHTS, (False, True): GRADS, (True, True): BOTH}[moved, layer.weight.grad is not None]


def of_the_first(inputs, hidden):
    layer = nn.Linear(int(inputs), int(hidden))
    layer(mg.ones(5, int(inputs))).sum().backward()
    return layer.weight.grad


def through(sigmoids):
    x = mg.tensor(0.0, requires_grad=True)
    mg.sigmoid(x).backward()  # it is steepest at 0
    return x.grad ** int(sigmoids)


def through_weights(k, n):
    x = mg.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(int(n)):
        y = y * k
    y.backward()
    return x.grad


def of_a_dead_unit():
    layer = nn.Linear(2, 1)
    with mg.no_grad():
        layer.bias.fill_(-10.0)
    optimizer = mg.optim.SGD(layer.parameters(), lr=0.1)
    before = layer.weight.detach().clone()
    for _ in range(10):
        optimizer.zero_grad()
        (layer(mg.ones(4, 2)).relu() - 1).pow(2).mean().backward()
        optimizer.step()
    return STAYS if (layer.weight == before).all() else WAKES


def backward_of(slope, factor=2.0):
    """The two gradients, with one view of the slope of tanh."""

    def gradients(x, y, w1, w2):
        a = x @ w1
        h = a.tanh()
        g = factor * (h @ w2 - y)
        return x.T @ (g @ w2.T * slope(a, h)), h.T @ g

    return gradients


def case(examples, inputs, hidden, outputs):
    return tuple(
        mg.randn(*sizes) for sizes in [(examples, inputs), (examples, outputs), (inputs, hidden), (hidden, outputs)]
    )


WEIGHTS, GRADS, BOTH = "the weights", "the mailboxes .grad of the weights", "the weights and their mailboxes"
STAYS, WAKES, LOUD = "they stay as they are", "they wake, slowly", "they wake with a jump: their error is large"

QUESTIONS = {
    "what backward changes": choice(
        "What is changed by loss.backward() alone?",
        [WEIGHTS, GRADS, BOTH],
        what_backward_changes,
        mistakes={
            WEIGHTS: "backward() only says how steep the loss is. Who takes the step?",
            BOTH: "The mailboxes, yes. Who moves the weights?",
        },
        hints=["One of the three lines is called step()."],
        because="backward() fills the mailboxes; optimizer.step() moves the weights; zero_grad() empties the mailboxes.",
    ),
    "the gradient of the first weights": shape(
        "linear1 is nn.Linear({inputs}, {hidden}), and 5 examples went through it. Which shape has linear1.weight.grad?",
        of_the_first,
        given={"inputs": [6.0, 3.0], "hidden": [8.0, 4.0]},
        mistakes=[
            Mistake(
                "nn.Linear keeps its weights with one row for each output, and computes x @ weight.T.",
                lambda inputs, hidden: (int(inputs), int(hidden)),
            ),
            Mistake(
                "That is what comes out of the layer. A gradient has the shape of what it belongs to.",
                lambda inputs, hidden: (5, int(hidden)),
            ),
            Mistake(
                "There is no gradient for each example: all examples used the same weights, so their parts were added.",
                lambda inputs, hidden: (5, int(hidden), int(inputs)),
            ),
        ],
        hints=["A gradient has the shape of the weight. How many outputs are there, how many inputs?"],
        because="One row for each output, as the weight has. The parts of the examples were added.",
    ),
    "through three sigmoids": number(
        "The orange curve of the sigmoid is never higher than 0.25. A gradient of 1 comes back through {n} sigmoids. How much of it is left at most?",
        through,
        given={"n": [3.0, 2.0, 4.0]},
        tolerance=5e-4,
        mistakes=[
            Mistake("That is left after one. Each of them multiplies.", 0.25),
            Mistake("Slopes on the way are multiplied, not added: that is the chain rule.", lambda n: 0.25 * n),
            Mistake("Each takes a quarter of what arrives, not of what was there at first.", lambda n: 0.25 / n),
        ],
        hints=["The chain rule multiplies the slopes.", "0.25 · 0.25 · …"],
        because="Each lets a quarter of what arrives through, at most: {answer} is left.",
    ),
    "through large weights": number(
        "A gradient is about as long after its way back through {n} layers as before. Now all weights are made {k} times as large. "
        "How many times as long is it after that way?",
        through_weights,
        given={"n": [4.0, 3.0, 5.0], "k": [4.0, 3.0, 2.0]},
        mistakes=[
            Mistake("That is what one layer does. Each of them multiplies.", lambda n, k: k),
            Mistake("Factors on the way are multiplied, not added.", lambda n, k: k * n),
        ],
        hints=["Each layer multiplies what comes back by its weights.", "{k} · {k} · …, once for each layer."],
        because="Each of the {n} layers multiplies by {k}: it is {answer} times as long.",
    ),
    "a dead unit": choice(
        "A unit whose ReLU puts out 0 for every example: what happens to its weights as the training goes on?",
        [WAKES, STAYS, LOUD],
        of_a_dead_unit,
        mistakes={
            WAKES: "They would, if the smallest gradient reached them. What is the slope of the ReLU where it is 0?",
            LOUD: "However large the error is, it is multiplied by the slope of the ReLU.",
        },
        hints=["Which factor does the ReLU put in, left of 0?"],
        because="The slope is 0 for every example, so nothing reaches the weights, and nothing will move them. A small slope on the negative side would let them wake.",
    ),
    "a backward by hand": code(
        "The gradients of a two-layer net with tanh.",
        name="gradients",
        cases=lambda: [case(1, 1, 1, 1), case(2, 3, 4, 2), case(5, 2, 3, 1)],
        reference=backward_of(lambda a, h: 1 - h * h),
        without=["backward"],
        mistakes=[
            Mistake(
                "What comes back to the middle passes the tanh, too: its slope is missing.",
                backward_of(lambda a, h: 1.0),
            ),
            Mistake(
                "1 − tanh² is meant: the square of what came out of the tanh, not of what went in.",
                backward_of(lambda a, h: 1 - a * a),
            ),
            Mistake("That slope is the ReLU's. This net has a tanh.", backward_of(lambda a, h: a > 0)),
            Mistake("The square sends twice the error.", backward_of(lambda a, h: 1 - h * h, factor=1.0)),
        ],
        hints=[
            "It is the NumPy version above, with another slope in the middle.",
            "The ReLU's slope was (a > 0). That of the tanh is 1 − h · h.",
            "Transposed is .T for tensors, too.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that `backward()` changes the weights; but it fills mailboxes, and the optimizer takes the step.": "What one step changes",
    "It may seem that a dead ReLU recovers in time; but no gradient reaches its weights any more.": "ReLUs that are dead",
}
