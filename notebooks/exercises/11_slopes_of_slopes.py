"""What lesson 11 asks."""

import minigrad as mg
from minigrad.autograd import grad
from widgets.lessons import Mistake, choice, code, number


def mailbox(a):
    a = mg.tensor(a, requires_grad=True)
    (slope,) = grad(a**3, a, create_graph=True)
    slope.backward()
    return a.grad


def unrecorded():
    a = mg.tensor(4.0, requires_grad=True)
    (slope,) = grad(a**3, a)
    try:
        slope.backward()
    except RuntimeError:
        return REFUSED
    return ZERO if a.grad is None or a.grad == 0 else THE_BEND


def two_hollows(a):
    return a**4 - 3 * a**2 + a


def from_near_the_top():
    a = mg.tensor(0.1, requires_grad=True)
    for _ in range(6):
        (slope,) = grad(two_hollows(a), a, create_graph=True)
        (bend,) = grad(slope, a)
        a = (a - slope / bend).detach().requires_grad_()
    if bend < 0:
        return TOP
    return LEFT if a < 0 else RIGHT


def backwards(n):
    """How many gradients are asked for, counted."""
    count = 0

    def counted(*given, **how):
        nonlocal count
        count += 1
        return grad(*given, **how)

    x = mg.ones(int(n), requires_grad=True)
    (slopes,) = counted((x**3).sum(), x, create_graph=True)
    counted(slopes.sum(), x)
    return count


def hvp(f, x, v):
    (slopes,) = grad(f(x), x, create_graph=True)
    return grad((slopes * v).sum(), x)[0]


def slope_along(f, x, v):
    return (grad(f(x), x)[0] * v).sum()


def no_direction(f, x, v):
    return hvp(f, x, mg.ones_like(x))


def weighed_after(f, x, v):
    return hvp(f, x, mg.ones_like(x)) * v


def long(x):
    """A function of so many variables that its Hessian would not fit into memory."""
    return (x**3).sum() + (x[1:] * x[:-1]).sum()


def point(*values):
    return mg.tensor(values, requires_grad=True)


THE_BEND, ZERO, REFUSED = (
    "a.grad is 6a, the bend",
    "a.grad is 0: the slope is a fixed number",
    "it refuses, with an error",
)
LEFT, TOP, RIGHT = "the bottom of the left hollow", "the top between the hollows", "the bottom of the right hollow"

QUESTIONS = {
    "what lies in the mailbox": number(
        "f = a³ at a = {a}; slope is grad(f, a, create_graph=True); then slope.backward(). What lies in a.grad?",
        mailbox,
        given={"a": [4.0, 1.0, -2.0]},
        mistakes=[
            Mistake("That is the slope. grad() returned it, and put it into no mailbox.", lambda a: 3 * a * a),
            Mistake(
                "They would be added if both came by backward(). But grad() deposits nothing.",
                lambda a: 3 * a * a + 6 * a,
            ),
        ],
        hints=["Which of the two passes back deposits something?", "backward() started at the slope, 3a²."],
        because="Only the second pass deposits, and it started at the slope: its gradient is 6a.",
    ),
    "without create_graph": choice(
        "The slope of a³ is asked for without create_graph=True. What does slope.backward() do?",
        [THE_BEND, ZERO, REFUSED],
        unrecorded,
        mistakes={
            THE_BEND: "To come back from the slope, it must know how the slope was computed. Was that recorded?",
            ZERO: "A zero would be a wrong answer: the slope does depend on a. Only nobody wrote down how.",
        },
        hints=["A backward walks along nodes. Who would have made the node of the slope?"],
        because="The number is right, but it has no node: nobody wrote down how it came about, so there is no way back.",
    ),
    "from near the top": choice(
        "Between the two hollows the curve has a top, near a = 0.17. Where does Newton arrive from a = 0.1?",
        [LEFT, TOP, RIGHT],
        from_near_the_top,
        mistakes={
            LEFT: "Descent would go there: down. But Newton divides by the bend. What sign has it here?",
            RIGHT: "It lies behind the top. Does the formula say anything about high or low?",
        },
        hints=["Where does −f′/f″ want to arrive: where f is small, or where f′ is zero?", "A top is level, too."],
        because="Newton looks for a level place, and the nearest one is the top.",
    ),
    "one direction": number(
        "f has {n} variables. How many backwards does it take to get H·v for one direction v?",
        backwards,
        given={"n": [1000.0, 10.0, 50.0]},
        mistakes=[
            Mistake("That would be the whole of H: one for the slopes, and one for each of its rows.", lambda n: n + 1),
            Mistake("One row for each variable. But only the product is asked for, not the rows.", lambda n: n),
            Mistake("One gives the slopes. They must be differentiated once more.", 1.0),
        ],
        hints=["One backward gives all the slopes. Multiply them by v, and add up: that is one number."],
        because="One for the slopes, one from the single number f′·v, however many variables there are.",
    ),
    "a product without the table": code(
        "The Hessian times a direction.",
        name="hvp",
        cases=[
            (lambda x: x[0] ** 2 * x[1], point(1.0, 2.0), mg.tensor([1.0, 0.0])),
            (lambda x: x[0] ** 2 * x[1], point(1.0, 2.0), mg.tensor([1.0, -2.0])),
            (lambda x: (x[0] * x[1] * x[2]).sin() + (x**3).sum(), point(0.5, 1.0, 2.0), mg.tensor([1.0, 0.5, -1.0])),
            (long, mg.linspace(0.0, 1.0, 20_000, requires_grad=True), mg.linspace(1.0, -1.0, 20_000)),
        ],
        any_grad=True,
        reference=hvp,
        mistakes=[
            Mistake("That is the slope along v. Its gradient is asked for.", slope_along),
            Mistake("v takes no part in it: that is the sum of the columns.", no_direction),
            Mistake("v must be multiplied with the slopes, before they are differentiated.", weighed_after),
        ],
        hints=[
            "grad(f(x), x, create_graph=True) gives the slopes, in a tuple.",
            "Multiply the slopes by v, sum, and call grad once more.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that Newton's method finds a minimum; but it finds a place where the slope is zero.": "What the bend is good for",
    "It may seem that a second derivative needs a table of all pairs; but along one direction it costs two backwards.": "Many variables",
    "It may seem that a slope knows how it was computed; but only with create_graph=True does it.": "When it is forgotten",
}
