"""What lesson 23 asks."""

import numpy as np

import minigrad as mg
from minigrad import nn
from minigrad.nn import functional as F
from widgets.lessons import Mistake, choice, code, number


def knows_nothing(classes):
    return F.cross_entropy(mg.zeros(1, int(classes)), mg.tensor([0]))


def to_the_right_score(p):
    scores = mg.tensor([[p, 1 - p]]).log().requires_grad_()
    F.cross_entropy(scores, mg.tensor([0])).backward()
    return scores.grad[0, 0]


def all_zero():
    net = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 2))
    for parameter in net.parameters():
        nn.init.zeros_(parameter)
    F.cross_entropy(net(mg.ones(1, 4)), mg.tensor([1])).backward()
    moved = [name for name, parameter in net.named_parameters() if parameter.grad.abs().sum() > 0]
    return {("2.bias",): ONLY_BIAS, (): NOTHING, ("2.weight", "2.bias"): LAST}.get(tuple(moved), ALL)


def confusion(guesses, labels):
    table = np.zeros((10, 10), dtype=int)
    for guess, label in zip(guesses, labels):
        table[label, guess] += 1
    return table


def turned(guesses, labels):
    return confusion(labels, guesses)


def at_once(guesses, labels):
    table = np.zeros((10, 10), dtype=int)
    table[labels, guesses] += 1
    return table


ALL = "all weights and biases"
LAST = "the weights and biases of the last layer"
ONLY_BIAS = "the last biases only"
NOTHING = "nothing"

QUESTIONS = {
    "knows nothing": number(
        "A net that knows nothing gives each of {classes} classes the same probability. What is its cross-entropy?",
        knows_nothing,
        given={"classes": [10.0, 2.0, 100.0]},
        tolerance=0.006,
        mistakes=[
            Mistake("That is the probability. The loss is minus its logarithm.", lambda n: 1 / n),
            Mistake("That would be the loss of a net that is sure, and right.", 0.0),
        ],
        hints=["The loss is −log(p), with p = 1/{classes}."],
        because="−log(1/{classes}). Near this number a training begins, for at first the net knows next to nothing.",
    ),
    "to the right score": number(
        "For one picture the net gives the right digit the probability {p}. Which gradient does the score of that digit get?",
        to_the_right_score,
        given={"p": [0.25, 0.5, 0.9]},
        mistakes=[
            Mistake(
                "That is for the scores of the wrong digits, each with its own p. For the right one, y = 1.",
                lambda p: p,
            ),
            Mistake(
                "That is the slope along the probability. The softmax lies between it and the score.", lambda p: -1 / p
            ),
        ],
        hints=["What was believed, minus what is true.", "p − y, and y is 1 for the right digit."],
        because="p − y, with y = 1 for the right digit.",
    ),
    "all zero": choice(
        "All weights and biases of a net of two layers, with a tanh between them, begin at 0, and one picture is shown. What gets a gradient that is not 0?",
        [ALL, LAST, ONLY_BIAS, NOTHING],
        all_zero,
        mistakes={
            ALL: "To the first layer a gradient comes through the weights of the last one, which are 0.",
            LAST: "What a weight of the last layer gets is multiplied by its input, tanh(0).",
            NOTHING: "One parameter is multiplied by nothing on its way to the scores: its gradient is p − y.",
        },
        hints=["A weight's gradient is multiplied by its input; what goes on to the input, by the weight."],
        because="The inputs of the last layer are 0, and so are the weights that anything would go back through: only its biases get a gradient.",
    ),
    "confusion": code(
        "How often each digit was read as each.",
        name="confusion",
        cases=[
            (np.array([0, 1]), np.array([0, 1])),
            (np.array([3, 3, 5]), np.array([3, 5, 3])),
            (np.array([7, 7, 7, 1]), np.array([1, 1, 7, 1])),
        ],
        reference=confusion,
        mistakes=[
            Mistake("The rows are what the pictures show, the columns what was read.", turned),
            Mistake(
                "table[labels, guesses] += 1 counts a pair that occurs twice once: the last write wins, nothing is added.",
                at_once,
            ),
        ],
        hints=["Begin with np.zeros((10, 10), dtype=int).", "A loop over zip(guesses, labels) adds 1 for each."],
    ),
}

MISCONCEPTIONS = {
    "It may seem that any start will do; but from zeros a net of two layers does not learn.": "Where to begin",
}
