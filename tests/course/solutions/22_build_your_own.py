"""Right answers to lesson 22, as one types or writes them."""

import math


class Value:
    def __init__(self, number, came_from=()):
        self.number = number
        self.grad = 0.0
        self.came_from = list(came_from)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.number + other.number, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.number * other.number, [(self, other.number), (other, self.number)])

    __radd__, __rmul__ = __add__, __mul__


def tanh(self):
    result = math.tanh(self.number)
    return Value(result, [(self, 1 - result * result)])


def exp(self):
    result = math.exp(self.number)
    return Value(result, [(self, result)])


def order(self):
    waiting, stack, seen = {}, [self], {self}
    while stack:  # how many values each one still has to wait for
        for before, _ in stack.pop().came_from:
            waiting[before] = waiting.get(before, 0) + 1
            if before not in seen:
                seen.add(before)
                stack.append(before)
    ready = [self]
    for value in ready:
        for before, _ in value.came_from:
            waiting[before] -= 1
            if not waiting[before]:
                ready.append(before)
    return ready


def backward(self):
    values = self.order()
    for value in values:
        if value.came_from:
            value.grad = 0.0
    self.grad += 1.0
    for value in values:
        for before, slope in value.came_from:
            before.grad += value.grad * slope


Value.tanh, Value.exp, Value.order, Value.backward = tanh, exp, order, backward


SOLUTIONS = {
    "plus and times": Value,
    "tanh and exp": Value,
    "how many values": "41",
    "a long chain": "an error: too many calls within each other",
    "order": Value,
    "two backwards": "96",
    "backward": Value,
    "withstands": Value,
}
