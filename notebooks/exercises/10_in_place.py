"""What lesson 10 asks."""

import minigrad as mg
from widgets.lessons import Mistake, choice, code, number


def written_to():
    t = mg.zeros(3)
    t + 1
    t += 1
    t[0] = 5.0
    t = t * 2
    return t._version


def refused(operation):
    """Whether a backward is refused if the result of this operation was written to."""
    b = operation(mg.tensor([1.0, 2.0], requires_grad=True))
    b.add_(1)
    try:
        b.sum().backward()
    except RuntimeError:
        return True
    return False


def which():
    got = refused(mg.sin), refused(mg.exp)
    return {(True, False): SINE, (False, True): EXP, (True, True): BOTH, (False, False): NONE}[got]


def counts():
    b = mg.zeros(3)
    v = b[:1]
    v.add_(1)
    return f"b: {b._version}, v: {v._version}"


def through_a_view(factor):
    a = mg.tensor([1.0, 2.0], requires_grad=True)
    b = a * 3
    v = b[:1]
    v.mul_(factor)
    b.sum().backward()
    return a.grad[0]


def mended(x):
    out = [mg.tensor(1.0)]
    for rate in x:
        out.append(out[-1] * rate + 1)
    return mg.stack(out)


def cut_off(x):
    out = mg.ones(len(x) + 1)
    for i in range(len(x)):
        out[i + 1] = out[i].detach().clone() * x[i] + 1
    return out


def only_the_numbers(x):
    with mg.no_grad():
        return mended(x)


SINE, EXP, BOTH, NONE = "that of the sine", "that of exp", "both", "none"

QUESTIONS = {
    "how often it was written to": number(
        "t = mg.zeros(3), then: u = t + 1, t += 1, t[0] = 5, and at last t = t * 2. What is t._version now?",
        written_to,
        mistakes=[
            Mistake("So it was before the last line. That line makes a new tensor, and gives it the name t.", 2.0),
            Mistake("t * 2 writes into new memory: it is another tensor, and gets the name t.", 3.0),
            Mistake("Neither t + 1 nor t * 2 writes into t.", 4.0),
            Mistake("What was written to once? Look at what the name t stands for after the last line.", 1.0),
        ],
        hints=["Which of the lines write into memory that is there?", "Which tensor has the name t at the end?"],
        because="t = t * 2 makes a new tensor, which gets the old name, and nobody has written to that one.",
    ),
    "which one is refused": choice(
        "b = a.sin() and c = a.exp(). Then 1 is added to b and to c in place. Whose backward is refused?",
        [SINE, BOTH, EXP, NONE],
        which,
        mistakes={
            SINE: "Its node needs a. Was a written to?",
            BOTH: "To write to a result does harm only if somebody still needs the old one.",
            NONE: "One of the two nodes has kept what was written to.",
        },
        hints=["b and c were written to, a was not. Who has kept b, who c?"],
        because="The slope of exp is its result, which the node has kept, and which was written to. The sine has kept a.",
    ),
    "who counts": choice(
        "b = mg.zeros(3), v = b[:1], v.add_(1). Which versions have b and v?",
        ["b: 0, v: 1", "b: 1, v: 0", "b: 1, v: 1", "b: 0, v: 0"],
        counts,
        mistakes={
            "b: 0, v: 1": "v shows the memory of b. So the numbers of b have changed, too.",
            "b: 1, v: 0": "v was written to, and v shows what it was written to.",
            "b: 0, v: 0": "add_ writes in place. That is counted.",
        },
        hints=["Whose memory was written to? Who shows it?"],
        because="There is one memory, and one count for all who show it.",
    ),
    "through a view": number(
        "a = [1, 2], b = a * 3, v = b[:1], v.mul_({factor}), b.sum().backward(). What is a.grad[0]?",
        through_a_view,
        given={"factor": [10.0, 2.0, -1.0]},
        mistakes=[
            Mistake("So it would be without the view. But b[0] is now another number, made of a[0] by two steps.", 3.0),
            Mistake("v was made of b, and b of a: there is one more slope on the way.", lambda factor: factor),
            Mistake("b[0] was replaced, not added to.", lambda factor: 3 * factor + 3),
            Mistake("Something does come back: the writing was recorded.", 0.0),
        ],
        hints=["How is the b[0] of the end computed from a[0]?", "a[0] is multiplied by 3, and then by {factor}."],
        because="b[0] has become a[0] · 3 · {factor}, and the history of b says so.",
    ),
    "savings, mended": code(
        "The savings after each year, through which a backward comes.",
        name="mended",
        cases=[
            (mg.tensor([1.1, 1.2, 1.3], requires_grad=True),),
            (mg.tensor([2.0], requires_grad=True),),
            (mg.tensor([0.5, 0.0, 3.0, 1.0], requires_grad=True),),
        ],
        reference=mended,
        mistakes=[
            Mistake("What is detached sends nothing back: each year depends on all the years before.", cut_off),
            Mistake("The numbers are right, but nothing was recorded: no backward comes through.", only_the_numbers),
        ],
        hints=[
            "Do not write into a tensor. Where else can numbers be collected?",
            "A list: append the next value, made of the last one. mg.stack makes a tensor of it.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that `t = t * 2` changes t; but it makes a new tensor, which gets the old name.": "The count",
    "It may seem that working in place is always refused; but only if a node still needs what was overwritten.": "What a node still needs",
    "It may seem that a slice is a copy; but who writes into it writes into the whole.": "Views",
}
