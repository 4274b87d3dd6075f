"""Rows of operators that are one node in PyTorch, and several operations in minigrad.

Like the tables of `minigrad/ops/`, they have formulas, which are held to the numbers that PyTorch sends.
"""

import math

import numpy as np

from minigrad.core.row import named, op
from minigrad.ops.activation import safe_softmax, sigmoid
from minigrad.ops.elementwise import exp, where
from minigrad.ops.index import pick, put
from minigrad.ops.normalisation import CHANNELS_SAY, affine, by_channel, standard, standard_rule
from minigrad.ops.reduction import over_channels, sum
from minigrad.ops.shape import reshape_to

addmm_scaled = op(  # of matrices, and of batches of them
    lambda bias, mat1, mat2, beta, alpha: bias * beta + (mat1 @ mat2) * alpha,
    bias=lambda g, beta: g * beta,
    mat1=lambda g, mat2, alpha: (g @ mat2.mT) * alpha,
    mat2=lambda g, mat1, alpha: (mat1.mT @ g) * alpha,
    says="beta * bias + alpha * (mat1 @ mat2)",
    public="",
)
addmm_of_batches = op(
    lambda bias, mat1, mat2: bias + mat1 @ mat2,
    bias=lambda g: g,
    mat1=lambda g, mat2: g @ mat2.mT,
    mat2=lambda g, mat1: mat1.mT @ g,
    says="bias + mat1 @ mat2",
)


def in_groups(a, groups):
    return reshape_to(a, (a.shape[0], groups, -1))


def standard_in_groups(a, groups, eps):
    return reshape_to(standard(in_groups(a, groups), (-1,), eps), a.shape)


def groups_rule(g, a, groups, eps):
    return reshape_to(standard_rule(in_groups(g, groups), in_groups(a, groups), (-1,), eps), a.shape)


group_norm = op(
    lambda a, weight=None, bias=None, num_groups=1, eps=1e-5: affine(
        standard_in_groups(a, num_groups, eps), by_channel(weight, a.ndim), by_channel(bias, a.ndim)
    ),
    a=lambda g, a, weight, num_groups, eps: groups_rule(
        g if weight is None else g * by_channel(weight, g.ndim), a, num_groups, eps
    ),
    weight=lambda g, a, num_groups, eps: over_channels(g * standard_in_groups(a, num_groups, eps)),
    bias=lambda g: over_channels(g),
    rules_say={
        "a": "{g}, without what would move the mean or the spread of its group, over the deviation",
        **CHANNELS_SAY,
    },
)


def shares(query, key, attn_mask, is_causal, scale):
    """How much each query takes of each value."""
    scores = (query @ key.mT) * scaling(query, scale)
    scores = scores if attn_mask is None else scores + attn_mask
    if is_causal:
        scores = where(np.tri(*scores.shape[-2:], dtype=bool), scores, -math.inf)
    return safe_softmax(scores, -1)


def scaling(query, scale):
    return 1 / math.sqrt(query.shape[-1]) if scale is None else scale


def of_products(g, query, key, value, attn_mask, is_causal, scale):
    """The gradient of the products of queries and keys."""
    weights, of_weights = shares(query, key, attn_mask, is_causal, scale), g @ value.mT
    return weights * (of_weights - sum(of_weights * weights, -1, True)) * scaling(query, scale)


scaled_dot_product_attention = op(
    lambda query, key, value, attn_mask=None, is_causal=False, scale=None: (
        shares(query, key, attn_mask, is_causal, scale) @ value
    ),
    query=lambda g, query, key, value, attn_mask, is_causal, scale: (
        of_products(g, query, key, value, attn_mask, is_causal, scale) @ key
    ),
    key=lambda g, query, key, value, attn_mask, is_causal, scale: (
        of_products(g, query, key, value, attn_mask, is_causal, scale).mT @ query
    ),
    value=lambda g, query, key, attn_mask, is_causal, scale: shares(query, key, attn_mask, is_causal, scale).mT @ g,
    rules_say={
        "query": "what the softmax sends back of {g} @ {value}ᵀ, scaled, @ {key}",
        "key": "what the softmax sends back of {g} @ {value}ᵀ, scaled and transposed, @ {query}",
        "value": "the shares that the softmax gave, transposed, @ {g}",
    },
)
# Derivatives that PyTorch computes with one operator, and derives once more under create_graph. Where a number was
# only compared, nothing goes back to it.
tanh_backward = op(
    lambda grad_output, output: grad_output * (1 - output * output),
    grad_output=lambda g, output: g * (1 - output * output),
    output=lambda g, grad_output, output: g * grad_output * (-2 * output),
    says="grad_output * (1 - output²)",
)
sigmoid_backward = op(
    lambda grad_output, output: grad_output * ((1 - output) * output),
    grad_output=lambda g, output: g * ((1 - output) * output),
    output=lambda g, grad_output, output: g * grad_output * (1 - 2 * output),
    says="grad_output * (1 - output) * output",
)
threshold_backward = op(
    lambda grad_output, a, threshold: np.where(a <= threshold, np.zeros_like(grad_output), grad_output),
    grad_output=lambda g, a, threshold: where(a <= threshold, 0, g),
    a=lambda g: g * 0,
    says="grad_output where a > threshold, else 0",
)
leaky_relu_backward = op(
    lambda grad_output, a, negative_slope: np.where(a > 0, grad_output, grad_output * negative_slope),
    grad_output=lambda g, a, negative_slope: where(a > 0, g, g * negative_slope),
    a=lambda g: g * 0,
    says="grad_output * (1 where a > 0, else negative_slope)",
)
softplus_backward = op(
    lambda grad_output, a, beta, threshold: where(a * beta > threshold, grad_output, grad_output * sigmoid(a * beta)),
    grad_output=lambda g, a, beta, threshold: where(a * beta > threshold, g, g * sigmoid(a * beta)),
    a=lambda g, grad_output, a, beta, threshold: where(
        a * beta > threshold, 0, g * grad_output * beta * (sigmoid(a * beta) * (1 - sigmoid(a * beta)))
    ),
)
mse_loss_backward = op(
    lambda grad_output, a, target, count: 2 * (a - target) * (grad_output / count),
    grad_output=lambda g, a, target, count: 2 * g * (a - target) / count,
    a=lambda g, grad_output, count: 2 * g * (grad_output / count),
    target=lambda g, grad_output, count: -2 * g * (grad_output / count),
    says="2 * (a - target) * grad_output / count",
)
log_softmax_backward = op(
    lambda grad_output, output, dim: grad_output - np.exp(output) * grad_output.sum(dim, keepdims=True),
    grad_output=lambda g, output, dim: g - sum(g * exp(output), dim, True),
    output=lambda g, grad_output, output, dim: -g * exp(output) * sum(grad_output, dim, True),
    says="grad_output - exp(output) * sum(grad_output, dim=dim)",
)
softmax_backward = op(
    lambda grad_output, output, dim: (grad_output - (grad_output * output).sum(dim, keepdims=True)) * output,
    grad_output=lambda g, output, dim: (g - sum(g * output, dim, True)) * output,
    output=lambda g, grad_output, output, dim: (
        g * (grad_output - sum(grad_output * output, dim, True)) - grad_output * sum(g * output, dim, True)
    ),
    says="(grad_output - sum(grad_output * output, dim=dim)) * output",
)
nll_loss_backward = op(
    lambda grad_output, a, at, weights, total, reduction: put(-grad_output * (weights / total), a.shape, at),
    grad_output=lambda g, at, weights, total: -pick(g, at) * (weights / total),
    a=lambda g: g * 0,
    rules_say={"grad_output": "-{g} · its weight / {total} at each right class, summed"},
)

KERNELS = named(globals())
