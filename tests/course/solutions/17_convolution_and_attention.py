"""Right answers to lesson 17, as one types or writes them."""

import minigrad.nn.functional as F


def kernel_gradient(x, g):
    return F.conv1d(x.reshape(1, 1, -1), g.reshape(1, 1, -1)).flatten()


def attention(q, k, v):
    return (q @ k.T / q.shape[1] ** 0.5).softmax(dim=1) @ v


SOLUTIONS = {
    "how often a weight is used": "6",
    "who is blamed": "x[2], x[3], x[4]",
    "what nobody listened to": "next to nothing, to both",
    "behind the mask": "0, 1",
    "what arrives at the kernel": kernel_gradient,
    "attention": attention,
}
