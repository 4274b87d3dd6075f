"""What lesson 4 asks."""

import minigrad as mg
from widgets.lessons import Mistake, choice, code, number, order

TOO_EARLY, SINE, LEAF = "b, since a part has arrived there", "c, the sine", "a, which is what was asked for"


def names_in_order(result, names):
    """The names of tensors whose nodes a backward visits, in its order."""
    by_node = {tensor.grad_fn: name for name, tensor in names.items()}
    visited = [event.node for event in mg.autograd.walk(result) if type(event).__name__ == "Visited"]
    return [by_node[node] for node in visited if node in by_node]


def who_is_next():
    a = mg.tensor(0.5, requires_grad=True)
    b = a * 2
    c = mg.sin(b)
    d = b * c
    return {"b": TOO_EARLY, "c": SINE, "a": LEAF}[names_in_order(d, {"b": b, "c": c, "d": d})[1]]


def diamond():
    a = mg.tensor(0.5, requires_grad=True)
    s = a + 1
    p = s * 2
    q = s * 3
    r = p * q
    return names_in_order(r, {"s": s, "p": p, "q": q, "r": r})


def paths(doublings):
    a = mg.tensor(1.0, requires_grad=True)
    for _ in range(int(doublings)):
        a = a + a

    def count(node):
        return sum(count(to) for to, _ in node.next_functions) if node.next_functions else 1

    return count(a.grad_fn)


def backward(arrows, result):
    gradients = [0.0] * result + [1.0]
    for to, sender, slope in sorted(arrows, key=lambda arrow: -arrow[1]):
        gradients[to] += gradients[sender] * slope
    return gradients


def overwriting(arrows, result):
    gradients = [0.0] * result + [1.0]
    for to, sender, slope in sorted(arrows, key=lambda arrow: -arrow[1]):
        gradients[to] = gradients[sender] * slope
    return gradients


def as_they_stand(arrows, result):
    gradients = [0.0] * result + [1.0]
    for to, sender, slope in arrows:
        gradients[to] += gradients[sender] * slope
    return gradients


def only_slopes(arrows, result):
    gradients = [0.0] * result + [1.0]
    for to, _, slope in arrows:
        gradients[to] += slope
    return gradients


DOUBLINGS = [(n, n + 1, 1.0) for n in range(40) for _ in range(2)]

QUESTIONS = {
    "who is next": choice(
        "d has been visited. Which node is next?",
        [TOO_EARLY, SINE, LEAF],
        who_is_next,
        mistakes={
            TOO_EARLY: "Another part is on its way to b, through the sine. If b goes on now, it goes on with too little.",
            LEAF: "Nothing has arrived at a yet: all that reaches it comes through b.",
        },
        hints=["Which of the nodes has received all that it will ever receive?"],
        because="Only the sine has all its parts. A node waits for all of them; they are added, and the sum goes on, once.",
    ),
    "the order of a diamond": order(
        "s = a + 1, p = s * 2, q = s * 3, r = p * q. In which order are their nodes visited?",
        ["s", "p", "q", "r"],
        diamond,
        mistakes={
            ("s", "p", "q", "r"): "That is the order of the forward.",
            ("r", "q", "s", "p"): "s gets a part from p, too. It must wait for it.",
            ("r", "p", "s", "q"): "s gets a part from q, too. It must wait for it.",
            ("r", "p", "q", "s"): "A topological order, too. But of p and q the younger comes first.",
        },
        hints=["The youngest comes first. In which order were they made?"],
        because="Going back through the ages is a topological order by itself: nothing needs to be searched.",
    ),
    "how many paths": number(
        "A value is doubled {n} times, each time as x + x. How many paths lead from the result to the leaf?",
        paths,
        given={"n": [10.0, 5.0, 8.0, 12.0]},
        mistakes=[
            Mistake("So many nodes are visited. But at each a path may take either of two arrows.", lambda n: n + 1),
            Mistake("So many arrows there are. Each combination of arrows is a path of its own.", lambda n: 2 * n),
            Mistake("Each doubling multiplies the paths by two; it does not square their number.", lambda n: n * n),
        ],
        hints=["One doubling: 2 paths. Two doublings: each of the two goes on in two ways."],
        because="Each doubling has twice as many: 2 to the power {n} is {answer}.",
    ),
    "a backward of your own": code(
        "The gradient of each node of a graph.",
        name="backward",
        cases=[
            ([(0, 1, 2.0), (1, 2, 3.0)], 2),
            ([(0, 1, 2.0), (1, 3, 0.5), (1, 2, 4.0), (2, 3, -1.0)], 3),
            ([(1, 3, 2.0), (2, 3, 5.0), (1, 2, 3.0), (0, 1, 1.0), (0, 2, 7.0)], 3),
            (DOUBLINGS, 40),
        ],
        reference=backward,
        mistakes=[
            Mistake("What arrives where something lies already is added to it.", overwriting),
            Mistake(
                "A node must not send before all has arrived: begin with the arrows from the youngest.", as_they_stand
            ),
            Mistake("What a node sends is what it has received, times the slope.", only_slopes),
        ],
        hints=[
            "gradients = [0.0] * result + [1.0]: the result has 1, and nothing has arrived elsewhere.",
            "Go through the senders from the largest number down. For each of its arrows add to the gradient of `to`.",
        ],
        because="Each arrow was used once, also where there are more than a million million paths.",
    ),
}

MISCONCEPTIONS = {
    "It may seem that a gradient is found by following all paths; that is right, and hopeless: their number doubles with "
    "each value that is used twice.": "Another way, and what it costs",
}
