"""A scalar engine in the manner of micrograd, which is not on the package index, so that we can compare with one.

It was written for these benchmarks and shares no text with micrograd, but makes the same choices: one Python object per
number, a set of its inputs, a closure per operation that knows how to send the gradient back, and a recursive search
for the order of the backward. Python must be allowed to recurse as deep as the graph for that.
"""

import sys

sys.setrecursionlimit(100_000)


class Value:
    """A number that remembers what it was computed from."""

    def __init__(self, number, inputs=()):
        self.number, self.grad, self.inputs, self.send_back = number, 0.0, set(inputs), lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        result = Value(self.number + other.number, (self, other))

        def send_back():
            self.grad += result.grad
            other.grad += result.grad

        result.send_back = send_back
        return result

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        result = Value(self.number * other.number, (self, other))

        def send_back():
            self.grad += other.number * result.grad
            other.grad += self.number * result.grad

        result.send_back = send_back
        return result

    __radd__, __rmul__ = __add__, __mul__

    def relu(self):
        result = Value(max(self.number, 0.0), (self,))

        def send_back():
            self.grad += (result.number > 0) * result.grad

        result.send_back = send_back
        return result

    def backward(self):
        """Send the gradient 1 from here to everything that this number depends on."""
        inputs_first, seen = [], set()

        def search(value):
            seen.add(value)
            for source in value.inputs:
                if source not in seen:
                    search(source)
            inputs_first.append(value)

        search(self)
        self.grad = 1.0
        for value in reversed(inputs_first):
            value.send_back()


relu = Value.relu
