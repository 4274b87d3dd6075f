"""What lesson 8 asks."""

import minigrad as mg
from minigrad import faults
from widgets.lessons import Mistake, choice, code, number, shape


def stretched(rows=4.0):
    """What comes back to a row of three that is added to a table with so many rows."""
    b = mg.zeros(3, requires_grad=True)
    (mg.zeros(int(rows), 3) + b).sum().backward()
    return b.grad


def column():
    a = mg.zeros(2, 1, requires_grad=True)
    (a + mg.zeros(3)).sum().backward()
    return a.grad


def difference():
    return mg.zeros(5, 1) - mg.zeros(5)


def dimensions():
    """Which dimensions of the sum a gradient for the shape (4, 1) is summed over."""
    g = mg.arange(24.0).reshape(2, 4, 3)
    a = mg.zeros(4, 1, requires_grad=True)
    (a + mg.zeros(2, 4, 3)).backward(gradient=g)
    sums = {NONE: g, FIRST: g.sum(0), LAST: g.sum(2), BOTH: g.sum((0, 2)), MIDDLE: g.sum(1)}
    return next(name for name, one in sums.items() if one.numel() == 4 and mg.equal(one.reshape(4, 1), a.grad))


def unstretch(g, shape):
    missing = g.dim() - len(shape)
    g = g.sum(dim=tuple(range(missing))) if missing else g
    ones = tuple(i for i, size in enumerate(shape) if size == 1)
    return g.sum(dim=ones, keepdim=True) if ones else g


def only_the_missing(g, shape):
    missing = g.dim() - len(shape)
    return g.sum(dim=tuple(range(missing))) if missing else g


def without_keepdim(g, shape):
    missing = g.dim() - len(shape)
    ones = [missing + i for i, size in enumerate(shape) if size == 1]
    gone = (*range(missing), *ones)
    return g.sum(dim=gone) if gone else g


def mean(g, shape):
    right = unstretch(g, shape)
    return right * right.numel() / g.numel()


def first_use(g, shape):
    for _ in range(g.dim() - len(shape)):
        g = g[0]
    for dim, size in enumerate(shape):
        g = g.narrow(dim, 0, 1) if size == 1 else g
    return g


NONE, FIRST, MIDDLE, LAST, BOTH = "none", "0", "1", "2", "0 and 2"

QUESTIONS = {
    "the shape that comes back": shape(
        "X has the shape (4, 3), b the shape (3,), and (X + b).sum().backward(). Which shape has b.grad?",
        stretched,
        mistakes=[
            faults.forgets_the_broadcast,
            Mistake("The result is one number. b has three, and each has a slope of its own.", ()),
            Mistake("That has one for each row. But all rows have used the same three numbers.", (4,)),
        ],
        hints=["What is a gradient the gradient of?"],
        because="A gradient has always the shape of what it belongs to: on the way into b it is summed over the rows.",
    ),
    "how much comes back": number(
        "X has {rows} rows of 3 zeros, and b has 3 numbers. After (X + b).sum().backward(), what is each number of b.grad?",
        lambda rows: stretched(rows)[0],
        given={"rows": [4.0, 7.0, 100.0]},
        mistakes=[
            Mistake("That is what one row sends. How many rows have used this number?", 1.0),
            Mistake("Each number of b goes into one column only.", lambda rows: 3 * rows),
            Mistake("Three is the number of columns. Each number of b stands in one column, in every row.", 3.0),
        ],
        hints=["If b[0] grows by 1, how many numbers of the result grow by 1?"],
        because="It was used once in each row, and each use sends a 1. So the gradient of a bias is the sum over the batch.",
    ),
    "a column": shape(
        "A column of the shape (2, 1) is added to a row of the shape (3,). Which shape has the gradient of the column?",
        column,
        mistakes=[
            faults.forgets_the_broadcast,
            Mistake("The 1 stays: a gradient has the same number of dimensions, too.", (2,)),
            Mistake("That is the row's.", (3,)),
            Mistake("So it looks the other way round: 2 rows, 1 column.", (1, 2)),
        ],
        because="The dimension that was stretched is summed, and kept with the size 1 (keepdim=True).",
    ),
    "which dimensions": choice(
        "a has the shape (4, 1), c the shape (2, 4, 3). Over which dimensions of a + c is the gradient summed on its way to a?",
        [NONE, FIRST, MIDDLE, LAST, BOTH],
        dimensions,
        mistakes={
            NONE: "Twenty-four numbers would arrive where four are wanted.",
            FIRST: "That is the dimension which a has not at all. Another one has been stretched, too.",
            MIDDLE: "There a has a size of its own, 4: nothing was stretched.",
            LAST: "There a has the size 1. And which dimension has it not at all?",
        },
        hints=[
            "Write the shapes below each other, to the right: (2, 4, 3) and (4, 1).",
            "Where has a a 1, or nothing?",
        ],
        because="From the right: 1 meets 3, 4 meets 4, nothing meets 2.",
    ),
    "five predictions": shape(
        "Which shape has predicted - target, with the shapes (5, 1) and (5,)?",
        difference,
        mistakes=[
            Mistake("So it was meant. Compare the shapes from the right: 1 meets 5, and nothing meets 5.", (5,)),
            Mistake("The 1 meets a 5, and is stretched.", (5, 1)),
        ],
        hints=["From the right: 1 meets 5. And what does the 5 of predicted meet?"],
        because="Each of five predictions minus each of five targets; the sum on the way back pulls all to the mean.",
    ),
    "undo the stretching": code(
        "What comes back to a tensor of this shape that was stretched.",
        name="unstretch",
        cases=[
            (mg.arange(12.0).reshape(4, 3), (3,)),
            (mg.arange(6.0).reshape(2, 3), (2, 1)),
            (mg.arange(24.0).reshape(2, 4, 3), (4, 1)),
            (mg.arange(6.0).reshape(2, 3), (2, 3)),
            (mg.arange(6.0).reshape(2, 3), ()),
            (mg.arange(3.0).reshape(1, 3), (1, 3)),
        ],
        reference=unstretch,
        mistakes=[
            Mistake("Dimensions of size 1 have been stretched, too.", only_the_missing),
            Mistake("Dimensions of size 1 are summed, but they stay: keepdim=True.", without_keepdim),
            Mistake("Each use sends its part, and parts are added. You take their mean.", mean),
            Mistake("You keep what the first use sends. Each use sends a part.", first_use),
        ],
        hints=[
            "As long as g has more dimensions than shape, sum over the first one: g.sum(dim=0).",
            "Then look at each size of shape: where it is 1, sum with keepdim=True.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that a loss that falls was computed as meant; but shapes may fit by chance.": "Worse: shapes that fit by chance",
}
