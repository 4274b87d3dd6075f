"""Right answers to lesson 12, as one types or writes them."""

from minigrad.autograd import Function


class Length(Function):
    @staticmethod
    def forward(ctx, a, b):
        length = (a**2 + b**2).sqrt()
        ctx.save_for_backward(a, b, length)
        return length

    @staticmethod
    def backward(ctx, g):
        a, b, length = ctx.saved_tensors
        return g * a / length, g * b / length


class StraightThrough(Function):
    @staticmethod
    def forward(ctx, a):
        return a.round()

    @staticmethod
    def backward(ctx, g):
        return g


SOLUTIONS = {
    "five times Second": "12",
    "how many come back": "3, one for each argument",
    "the second slope": "the slope is right, the slope of the slope is wrong, and nothing says so",
    "the length of an arrow": Length,
    "straight through": StraightThrough,
}
