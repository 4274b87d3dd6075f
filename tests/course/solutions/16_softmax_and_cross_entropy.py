"""Right answers to lesson 16, as one types or writes them."""

import minigrad as mg


def cross_entropy(scores, target):
    scores = scores - scores.max(dim=1, keepdim=True).values.detach()
    right = scores[mg.arange(len(scores)), target]
    return (scores.exp().sum(dim=1).log() - right).mean()


SOLUTIONS = {
    "ten more for each": "nothing",
    "along the right score": "-0.75",
    "the squared error there": "nearly 0",
    "log-sum-exp": "1000.693",
    "a cross-entropy of your own": cross_entropy,
}
