"""What lesson 20 asks."""

import minigrad as mg
from widgets.lessons import Mistake, choice, code, number


def what_exp_saved():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    saved = [name for name in dir(x.exp().grad_fn) if name.startswith("_saved")]
    return {"_saved_self": INPUT, "_saved_result": RESULT}[saved[0]] if saved else NOTHING


def output_number(index):
    parts = mg.tensor([3.0, 1.0, 2.0], requires_grad=True).unbind()
    return parts[int(index)].output_nr


def accumulators():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y, z = x * 3, x.exp()
    first, second = (result.grad_fn.next_functions[0][0] for result in (y, z))
    if first is second:
        return ONE
    return TWO if first.variable is second.variable is x else COPIES


def version_after(times):
    x = mg.zeros(3)
    view = x[0:2]
    for _ in range(int(times)):
        view.add_(1.0)
    x.detach().mul_(2.0)
    doubled = x * 2
    assert doubled._version == 0
    return x._version


def leaves(make):
    found, stack, seen = [], [make().grad_fn], set()
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found.append(node.variable)
        stack += [before for before, _ in node.next_functions]
    return found


def numbers_behind(make):
    return sum(leaf.numel() for leaf in leaves(make))


def how_many_leaves(make):
    return len(leaves(make))


def once_for_each_way(make):
    def below(node):
        if node is None:
            return 0
        if hasattr(node, "variable"):
            return node.variable.numel()
        return sum(below(before) for before, _ in node.next_functions)

    return below(make().grad_fn)


def one_step_back(make):
    steps = [before for before, _ in make().grad_fn.next_functions if before is not None]
    return sum(step.variable.numel() for step in steps if hasattr(step, "variable"))


def product():
    x = mg.ones(2, 3, requires_grad=True)
    w = mg.ones(3, 4, requires_grad=True)
    return (x @ w).tanh() * mg.ones(4)


def twice():
    x = mg.ones(5, requires_grad=True)
    y = x * x
    return (y + y.sin()).sum()


def deep():
    x = mg.ones(2, requires_grad=True)
    b = mg.ones(1, requires_grad=True)
    y = x
    for _ in range(8):
        y = y * y.cos() + b
    return y


INPUT, RESULT, NOTHING = "its input, x", "its result, exp(x)", "nothing"
ONE = "one and the same node"
TWO = "two nodes, both of which know x"
COPIES = "two nodes, each with a copy of x"

QUESTIONS = {
    "what exp saved": choice(
        "Which number does the node of y = exp(x) keep for its backward?",
        [INPUT, RESULT, NOTHING],
        what_exp_saved,
        mistakes={
            INPUT: "From x it would have to compute exp(x) once more. Is that number already there?",
            NOTHING: "Its slope is another one at each x, so something must be kept.",
        },
        hints=["The slope of exp(x) is exp(x)."],
        because="The slope is the result, so keeping that saves computing it again.",
    ),
    "output number": number(
        "parts = x.unbind(), with three elements in x. What is parts[{index}].output_nr?",
        output_number,
        given={"index": [2.0, 1.0, 0.0]},
        tolerance=0.0,
        mistakes=[
            Mistake("Every part has a node, but they share it. Its outputs are numbered, from 0.", 0.0),
            Mistake("It is counted from 0, as Python does.", lambda i: i + 1),
        ],
        hints=["One node made all the parts. How does it tell their gradients apart?"],
        because="All parts come from one node, whose outputs are counted from 0: a gradient is sent to a node and an output number.",
    ),
    "the end of two ways": choice(
        "y = x * 3 and z = x.exp(): two graphs. What stands at the end of their ways back to x?",
        [TWO, COPIES, ONE],
        accumulators,
        mistakes={
            TWO: "They would both add to x.grad, one not knowing of the other. It is simpler.",
            COPIES: "Gradients must arrive at x itself, not at a copy of it.",
        },
        hints=["There is one mailbox, x.grad. How many should put letters into it?"],
        because="A leaf has one AccumulateGrad, however many graphs lead to it.",
    ),
    "the version": number(
        "x = zeros(3); view = x[0:2]; view.add_(1.0), {times} times; x.detach().mul_(2.0); y = x * 2. What is x._version?",
        version_after,
        given={"times": [2.0, 3.0, 5.0]},
        mistakes=[
            Mistake(
                "What detach() gives shows the same memory, so the change through it is counted, too.", lambda n: n
            ),
            Mistake("The changes through the view are changes of x's memory, too.", 1.0),
            Mistake("No change was made by the name x; but the count belongs to the memory, not to the name.", 0.0),
            Mistake("x * 2 writes into new memory. It changes nothing.", lambda n: n + 2),
        ],
        hints=["The count belongs to the memory. Who of x, view, x.detach() and y shares it?"],
        because="Whatever shares the memory shares the count; x * 2 has memory of its own.",
    ),
    "numbers behind a result": code(
        "How many numbers the result of make() depends on.",
        name="numbers_behind",
        cases=[(product,), (twice,), (deep,)],
        reference=numbers_behind,
        mistakes=[
            Mistake("That counts leaves. Their elements are asked for.", how_many_leaves),
            Mistake(
                "A leaf that several ways lead to is counted several times. Remember where you were.", once_for_each_way
            ),
            Mistake("That is one step back. The nodes before have nodes before them, too.", one_step_back),
        ],
        hints=[
            "Begin with [make().grad_fn], take nodes from the list, and put those of node.next_functions into it.",
            "Keep a set of nodes that you have seen. hasattr(node, 'variable') tells the end of a way; None is none.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that the tensor knows the way back; but it knows one node, and each node knows those before it.": "The node",
    "It may seem that a version belongs to a tensor; but it belongs to the memory, which several tensors may share.": "The version counter",
}
