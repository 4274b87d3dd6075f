"""What lesson 16 asks."""

import math

import minigrad as mg
import minigrad.nn.functional as F
from widgets.lessons import Mistake, choice, code, number


def more_for_each():
    scores = mg.tensor([2.0, 1.0, -1.0])
    before, after = scores.softmax(dim=0), (scores + 10).softmax(dim=0)
    return SAME if mg.allclose(before, after) else EVEN


def along_the_score(p):
    """The gradient at the score of the right class, when its probability is p."""
    z = mg.tensor([math.log(p / (1 - p)), 0.0], requires_grad=True)
    F.cross_entropy(z, mg.tensor(0)).backward()
    return z.grad[0]


def squared_error_there():
    z = mg.tensor([-8.0, 0.0, 0.0], requires_grad=True)
    ((1 - z.softmax(dim=0)[0]) ** 2).backward()
    slope = abs(z.grad[0].item())
    return FLAT if slope < 0.01 else STEEP if slope < 2 else HUGE


def log_sum_exp(score):
    return mg.tensor([score, score]).logsumexp(dim=0)


def cross_entropy(scores, target, shift=True, back=True, reduce=mg.mean):
    largest = scores.detach().max(dim=1, keepdim=True).values if shift else mg.zeros(len(scores), 1)
    shifted = scores - largest
    logs = shifted.exp().sum(dim=1).log()
    right = (shifted if back else scores)[mg.arange(len(scores)), target]
    return reduce(logs - right)


def log_of_the_softmax(scores, target):
    return -scores.softmax(dim=1)[mg.arange(len(scores)), target].log().mean()


def reference(scores, target):
    return cross_entropy(scores, target)


def with_scores(rows):
    return mg.tensor(rows, requires_grad=True)


SAME, EVEN, SURER = "nothing", "they become more even", "the largest becomes larger still"
FLAT, STEEP, HUGE = "nearly 0", "about −1", "huge"

QUESTIONS = {
    "ten more for each": choice(
        "10 is added to each of the three scores. What happens to the probabilities?",
        [EVEN, SURER, SAME],
        more_for_each,
        mistakes={
            EVEN: "The scores are closer to each other only in proportion. The exponential turns sums into factors.",
            SURER: "So it would be if the scores were multiplied. They all get the same factor, exp(10).",
        },
        hints=["exp(z + 10) is exp(10) · exp(z). Where does this factor stand in the quotient?"],
        because="Each exponential gets the factor exp(10), and so does their sum: it cancels. So the gradient at the scores adds up to 0.",
    ),
    "along the right score": number(
        "The right class has the probability p = {p}. What is the slope of L = −log p along its score z?",
        along_the_score,
        given={"p": [0.25, 0.5, 0.9]},
        tolerance=0.005,
        mistakes=[
            Mistake("That is the slope along p. On its way to z it passes the softmax.", lambda p: -1 / p),
            Mistake("The sign: a higher right score makes the loss smaller.", lambda p: 1 - p),
            Mistake("That is the slope of the softmax alone, p (1 − p). It meets −1/p.", lambda p: p * (1 - p)),
            Mistake("That is p. From it goes what is true: 1.", lambda p: p),
        ],
        hints=[
            "Two factors: −1/p from the logarithm, and the slope of p along its own score.",
            "The slope of the softmax along its own score is p (1 − p).",
        ],
        because="−1/p times p (1 − p) is p − 1. At each score arrives p − y, where y is 1 for the right class and 0 for the others: "
        "what the network believed, minus what is true.",
    ),
    "the squared error there": choice(
        "z is 8 below the other scores, and its class is the right one. The slope of the squared error along z is …",
        [STEEP, HUGE, FLAT],
        squared_error_there,
        mistakes={
            STEEP: "So it is with the cross-entropy. What factor does the softmax put in, where p is nearly 0?",
            HUGE: "The error is large, but never more than 1, and the softmax is flat there.",
        },
        hints=["The slope of the softmax is p (1 − p). How much is it if p is nearly 0?"],
        because="The factor p (1 − p) of the softmax is nearly 0, and nothing makes up for it: the worst mistakes teach nothing. "
        "The logarithm brings 1/p, which does: with it the slope is about −1.",
    ),
    "log-sum-exp": number(
        "What is log(exp(z₁) + exp(z₂)), if both scores are {z}?",
        log_sum_exp,
        given={"z": [1000.0, 500.0, 2000.0]},
        tolerance=0.02,
        mistakes=[
            Mistake("That is what the formula gives in 32 bits: exp overflows. Subtract the largest first.", math.inf),
            Mistake("The logarithm of a sum is not the sum of the logarithms.", lambda z: 2 * z),
            Mistake("Nearly. What remains under the logarithm is a sum of two ones.", lambda z: z),
        ],
        hints=["Both terms are exp({z}). What is the logarithm of a product?", "{z} + log 2, and log 2 is 0.693."],
        because="{z} + log(1 + 1) = {z} + 0.693.",
    ),
    "a cross-entropy of your own": code(
        "The cross-entropy of scores, without an overflow.",
        name="cross_entropy",
        cases=[
            (with_scores([[0.0, 0.0]]), mg.tensor([0])),
            (with_scores([[2.0, 1.0, -1.0], [0.0, 3.0, 1.0]]), mg.tensor([0, 2])),
            (with_scores([[1000.0, 999.0, 0.0], [-1000.0, 0.0, -990.0]]), mg.tensor([1, 1])),
            (with_scores([[1000.0, 999.0, 0.0]]), mg.tensor([2])),
        ],
        reference=reference,
        without=["cross_entropy", "log_softmax", "logsumexp"],
        mistakes=[
            Mistake(
                "The exponential overflows. Subtract the largest score of each row first.",
                lambda scores, target: cross_entropy(scores, target, shift=False),
            ),
            Mistake(
                "The probability of a score that is far below the others is 0 in 32 bits, and log(0) is −inf. "
                "Let the logarithm meet the exponential on paper: log(exp(z)) is z.",
                log_of_the_softmax,
            ),
            Mistake(
                "What was subtracted under the exponential is missing: add it again, or subtract it from the right score, too.",
                lambda scores, target: cross_entropy(scores, target, back=False),
            ),
            Mistake(
                "That is the sum over the examples. Their mean is asked for.",
                lambda scores, target: cross_entropy(scores, target, reduce=mg.sum),
            ),
        ],
        hints=[
            "The largest score of each row: scores.max(dim=1, keepdim=True).values. Subtract it from all.",
            "The right scores: scores[mg.arange(len(scores)), target].",
            "Mean of: log of the sum of the exponentials of what is left, minus what is left of the right score.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that the squared error teaches a classifier as well; but where the softmax is sure and wrong, its slope is nearly 0.": "Sure, and wrong",
    "It may seem that `cross_entropy` wants probabilities; but it wants scores, and has a softmax of its own.": "Wrong on purpose",
}
