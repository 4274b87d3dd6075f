"""What lesson 7 asks."""

import minigrad as mg
from widgets.lessons import Mistake, choice, code, number

TABLE = [[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]]


def f(x):
    return mg.stack([x[0] * x[1], x[0] + x[1], x[0] ** 2])


def leaf(*values):
    return mg.tensor(values, requires_grad=True)


def sent(gradient):
    """What arrives at x = [1, 2] when f starts with this gradient."""
    x = leaf(1.0, 2.0)
    f(x).backward(gradient=gradient)
    return x.grad


def start_of_the_sum():
    x = leaf(1.0, 2.0)
    f(x).sum().backward()
    starts = {ONES: mg.ones(3), THIRDS: mg.ones(3) / 3, ITSELF: f(leaf(1.0, 2.0)).detach(), FIRST: mg.eye(3)[0]}
    return next(name for name, start in starts.items() if mg.equal(sent(start), x.grad))


def one_weight():
    whole = mg.autograd.functional.jacobian(f, leaf(1.0, 2.0))
    return ROW if mg.equal(sent(mg.tensor([0.0, 1.0, 0.0])), whole[1]) else "?"


def arrives(*weights):
    x = leaf(1.0, 2.0)
    (mg.tensor(TABLE) @ x).backward(gradient=mg.tensor(weights))
    return x.grad[0]


def times(inputs, outputs):
    """How many backwards rows() does, for as many inputs and outputs."""
    count = 0

    def counted(gradient):
        nonlocal count
        count += 1
        return gradient

    x = mg.ones(int(inputs), requires_grad=True)

    def some(x):
        y = x.sum() * mg.ones(int(outputs))
        y.register_hook(counted)
        return y

    rows(some, x)
    return count


def rows(f, x):
    y = f(x)
    found = []
    for start in mg.eye(len(y)):
        x.grad = None
        y.backward(start, retain_graph=True)
        found.append(x.grad)
    return mg.stack(found)


def never_emptied(f, x):
    y = f(x)
    found = []
    for start in mg.eye(len(y)):
        y.backward(start, retain_graph=True)
        found.append(x.grad.clone())
    return mg.stack(found)


def all_the_same(f, x):
    y = f(x)
    for start in mg.eye(len(y)):
        y.backward(start, retain_graph=True)
    return mg.stack([x.grad] * len(y))


def from_the_sum(f, x):
    f(x).sum().backward()
    return x.grad


def spiral(x):
    return mg.stack([x[0] * x[1].cos(), x[0] * x[1].sin()])


ONES, THIRDS, ITSELF, FIRST = "[1, 1, 1]", "[1/3, 1/3, 1/3]", "the numbers of y", "[1, 0, 0]"
ROW = "the second row of the table"

QUESTIONS = {
    "what the sum does": choice(
        "y = f(x) has three outputs. y.sum().backward() sends the same to x as y.backward(gradient=…): with which gradient?",
        [THIRDS, ONES, ITSELF, FIRST],
        start_of_the_sum,
        mistakes={
            THIRDS: "So starts the mean. In a sum each output counts in full.",
            ITSELF: "That is how high the outputs are. How steep is a sum along each of its terms?",
            FIRST: "With this only the first output counts. A sum has all of them.",
        },
        hints=["If one output grows by 1, by how much does the sum grow?"],
        because="A sum grows by 1 if one of its terms does, so each row of the table counts once.",
    ),
    "one weight": choice(
        "y = f(x) as above, and y.backward(gradient=[0, 1, 0]). What lies in x.grad?",
        ["the second column of the table", ROW, "the table, with 0 in two of its rows", "the sum of all rows"],
        one_weight,
        mistakes={
            "the second column of the table": "A column has three numbers, one for each output. x has two.",
            "the table, with 0 in two of its rows": "A gradient has the shape of what it belongs to: two numbers, as x.",
            "the sum of all rows": "Two of the rows are multiplied by 0.",
        },
        hints=["Each row is multiplied by its weight, and then they are added.", "Which row has not the weight 0?"],
        because="The other rows are multiplied by 0.",
    ),
    "what arrives at x[0]": number(
        "The rows of A are [1, 2], [0, 1] and [3, 0]. (A @ x).backward(gradient=[{u}, {v}, {w}]): what arrives at x[0]?",
        arrives,
        given={"u": [1.0, 2.0], "v": [0.0, 1.0], "w": [10.0, -1.0]},
        mistakes=[
            Mistake("That arrives without weights. Each row counts as often as its weight says.", 4.0),
            Mistake(
                "That arrives at x[1]. The slopes along x[0] stand in the first column.", lambda u, v, w: 2 * u + v
            ),
            Mistake("The weights belong to the rows: each output has one.", lambda u, v, w: u + 2 * v),
        ],
        hints=["The slopes along x[0] are the first column: 1, 0, 3.", "{u} · 1 + {v} · 0 + {w} · 3"],
        because="The first column, weighted: {u} · 1 + {v} · 0 + {w} · 3.",
    ),
    "backwards for the whole table": number(
        "A function has {inputs} inputs and {outputs} outputs. How many backwards find all of its Jacobian?",
        times,
        given={"inputs": [50.0, 3.0], "outputs": [4.0, 20.0, 7.0]},
        mistakes=[
            Mistake(
                "As many are needed if each input is moved a little, to see what changes. A backward finds a row, "
                "the slopes along all inputs, at once.",
                lambda inputs, outputs: inputs,
            ),
            Mistake("So many numbers are in the table. A backward finds a row at once.", lambda i, o: i * o),
            Mistake("One backward finds one row, or a weighted sum of several, which cannot be told apart.", 1.0),
        ],
        hints=["A backward finds one row. What has a row in the table, an input or an output?"],
        because="One for each row, and a row belongs to an output, however many inputs there are.",
    ),
    "the whole table": code(
        "The Jacobian of a function from vectors to vectors.",
        name="jacobian",
        cases=[(f, leaf(1.0, 2.0)), (spiral, leaf(2.0, 0.5)), (lambda x: x**2, leaf(1.0, -1.0, 3.0))],
        reference=rows,
        any_grad=True,
        mistakes=[
            Mistake("Each backward adds to x.grad. Empty it before the next one.", never_emptied),
            Mistake(
                "All your rows are one and the same tensor: x.grad, to which each backward adds. Begin each with an "
                "empty mailbox.",
                all_the_same,
            ),
            Mistake("That is the other way round: a row for each input.", lambda f, x: rows(f, x).T),
            Mistake("That is the sum of all rows.", from_the_sum),
        ],
        hints=[
            "y = f(x), and then a backward for each output, with a weight 1 for this one and 0 for the others.",
            "The graph is needed again: retain_graph=True. And the mailbox must be empty: x.grad = None.",
            "mg.eye(len(y)) has all these weights as its rows; mg.stack makes a table of a list of rows.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that a backward finds the Jacobian; but it finds one weighted sum of its rows.": "You choose where it starts",
    "It may seem that backward() needs a single number; but any tensor will do if you say with which weights it starts.": "Where weights come from",
}
