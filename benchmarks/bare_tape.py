"""The least that a tape in Python does: what minigrad takes beyond this is the price of its promises.

No types and no broadcasting, no modes, hooks, views, versions, events or errors; gradients and updates are arrays. It
knows the few operations of the works that it runs, and nothing else.
"""

import itertools
from operator import attrgetter

import numpy as np

age, count, new = attrgetter("age"), itertools.count(), object.__new__


class Value:
    """An array that remembers how it was made. Only a leaf has a `grad`, an array."""

    __slots__ = ("age", "array", "edges", "grad", "rule", "saved")

    def backward(self):
        arriving, order, seen = {self: np.float32(1)}, [self], {self}
        for value in order:  # which grows meanwhile
            for source in value.edges:
                if source is not None and source not in seen:
                    seen.add(source)
                    order.append(source)
        order.sort(key=age, reverse=True)
        for value in order:
            g = arriving.pop(value)
            if value.rule is None:
                if value.grad is None:
                    value.grad = g
                else:
                    value.grad += g
                continue
            for source, part in zip(value.edges, value.rule(g, *value.saved)):
                if source is not None:
                    arriving[source] = arriving[source] + part if source in arriving else part

    def clamp(self, min):
        return made(np.maximum(self.array, min), self, None, clamp_rule, (self.array, min))

    def sum(self):
        return made(np.add.reduce(self.array, None), self, None, sum_rule, (self.array,))

    def __add__(self, number):
        return made(self.array + number, self, None, add_rule, ())

    def __sub__(self, other):
        return made(self.array - other.array, self, other, sub_rule, ())

    def __rmul__(self, number):
        return made(self.array * number, self, None, mul_rule, (number,))

    def __pow__(self, number):
        return made(self.array**number, self, None, pow_rule, (self.array, number))

    def __matmul__(self, other):
        return made(np.dot(self.array, other.array), self, other, matmul_rule, (self, other))


def sin(value):
    return made(np.sin(value.array), value, None, sin_rule, (value.array,))


def made(array, a, b, rule, saved):
    """The result of an operation. A value that leads to no leaf is a constant, and forgets how it was made."""
    value = new(Value)
    value.age, value.array, value.rule, value.saved = next(count), array, rule, saved
    value.edges = (a if a.edges is not None else None, b if b is not None and b.edges is not None else None)
    return value


def leaf(array):
    value = new(Value)
    value.age, value.array, value.edges, value.grad, value.rule = next(count), array, (), None, None
    return value


def constant(array):
    value = new(Value)
    value.array, value.edges = array, None
    return value


def clamp_rule(g, a, min):
    return (g * (a >= min),)


def sum_rule(g, a):
    spread = np.empty(a.shape, a.dtype)
    spread[...] = g
    return (spread,)


def add_rule(g):
    return (g,)


def sub_rule(g):
    return g, -g


def mul_rule(g, number):
    return (g * number,)


def pow_rule(g, a, number):
    return (g * (number * a ** (number - 1)) if number != 2 else g * (2 * a),)


def sin_rule(g, a):
    return (g * np.cos(a),)


def matmul_rule(g, a, b):
    return (g @ b.array.T if a.edges is not None else None, a.array.T @ g if b.edges is not None else None)
