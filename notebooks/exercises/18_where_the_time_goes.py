"""What lesson 18 asks."""

import minigrad as mg
from minigrad.autograd.graph import saved_tensors_hooks
from minigrad.autograd.profiler import profile
from minigrad.utils.checkpoint import checkpoint
from widgets.lessons import Mistake, choice, code, number


def kept_bytes(f, x):
    kept = {}

    def pack(tensor):
        kept[tensor.data_ptr()] = tensor.nbytes
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        f(x)
    return sum(kept.values())


def each_time(f, x):
    kept = []

    def pack(tensor):
        kept.append(tensor.nbytes)
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        f(x)
    return sum(kept)


def elements(f, x):
    return kept_bytes(f, x) // x.element_size()


def of_the_result(f, x):
    return f(x).nbytes


def keeps_nothing():
    h = mg.ones(1000, requires_grad=True)
    programs = {SUM: lambda h: h + h, PRODUCT: lambda h: h * h, EXP: lambda h: h.exp()}
    (answer,) = (name for name, program in programs.items() if not kept_bytes(program, h))
    return answer


def sines(x, many):
    for _ in range(int(many)):
        x = x.sin()
    return x


def of_sines(many, size):
    return kept_bytes(lambda x: sines(x, many), mg.ones(int(size), requires_grad=True))


def run_again(many):
    """How many sines the backward computes when all of them are checkpointed."""
    result = checkpoint(sines, mg.ones(3, requires_grad=True), many, use_reentrant=False).sum()
    with profile() as backward:
        result.backward()
    return sum(event.name == "aten::sin" for event in backward.function_events)


def best_parts(layers):
    divisors = [parts for parts in range(1, int(layers) + 1) if layers % parts == 0]
    return min(divisors, key=lambda parts: parts + layers / parts)


SUM, PRODUCT, EXP = "h + h", "h * h", "h.exp()"

QUESTIONS = {
    "keeps nothing": choice(
        "Which of these keeps nothing at all for its backward?",
        [PRODUCT, SUM, EXP],
        keeps_nothing,
        mistakes={
            PRODUCT: "The slope of h · h is 2h. Can it be known without h?",
            EXP: "Its slope is its own result, a different number at each place. That must be kept.",
        },
        hints=["Which of the three has a slope that does not depend on h?"],
        because="The slope of a sum is 1, whatever its terms are. A product needs its factors, exp its own result.",
    ),
    "a row of sines": number(
        "x has {size} numbers of 4 bytes. After {many} sines in a row, how many bytes are kept for the backward?",
        of_sines,
        given={"many": [5.0, 10.0, 3.0], "size": [1000.0, 500.0]},
        mistakes=[
            Mistake("Each of the sines needs its own input, not only the last one.", lambda many, size: 4 * size),
            Mistake("That is how many numbers are kept. Each takes 4 bytes.", lambda many, size: many * size),
            Mistake(
                "The inputs are kept, not inputs and results; what one sine makes is the next one's input.",
                lambda many, size: 8 * many * size,
            ),
            Mistake(
                "The last result is nobody's input here: no rule needs it.", lambda many, size: 4 * (many + 1) * size
            ),
        ],
        hints=["The slope of sin(x) is cos(x). What must be kept to know it?", "One input for each sine."],
        because="Each sine keeps its input, 4 bytes for each number.",
    ),
    "run again": number(
        "A checkpoint keeps the input of a row of {many} sines, and nothing else. How many sines does the backward compute?",
        run_again,
        given={"many": [9.0, 5.0, 12.0]},
        tolerance=0.0,
        mistakes=[
            Mistake("Without the checkpoint, yes. Here the inputs of the sines were thrown away.", 0.0),
            Mistake("Nearly. Which of the {many} results does no rule ask for?", lambda many: many),
            Mistake("All but the first of the inputs are gone, and each comes out of a sine.", 1.0),
        ],
        hints=[
            "Each sine's rule needs the input of its sine. Which sines make these inputs?",
            "The first input was kept.",
        ],
        because="The inputs are the kept one and what all sines but the last put out: {answer} sines run again, and the last need not.",
    ),
    "how many parts": number(
        "{layers} sines are cut into equal parts, and each part is checkpointed. How many parts take the least memory?",
        best_parts,
        given={"layers": [36.0, 64.0, 100.0]},
        mistakes=[
            Mistake("One part keeps one input, but then the backward computes the whole of it anew, at once.", 1.0),
            Mistake("With a part for each sine, the input of each sine is kept: as without checkpoints.", lambda n: n),
            Mistake("Then half of the inputs are kept all the time.", lambda n: n / 2),
        ],
        tolerance=0.0,
        hints=[
            "One input is kept for each part. When the backward is in a part, the inputs within it are there, too.",
            "With p parts that makes p + {layers}/p. Try some p.",
        ],
        because="p parts of {layers}/p sines each hold about p + {layers}/p tensors, and that is least at the root: "
        "memory that grew with the depth grows with its root.",
    ),
    "bytes kept": code(
        "The bytes that a graph keeps.",
        name="kept_bytes",
        cases=[
            (lambda x: x.exp(), mg.ones(3, requires_grad=True)),
            (lambda x: x * x, mg.ones(3, requires_grad=True)),
            (lambda x: x.exp() * x.sin() + x, mg.ones(4, dtype=mg.float64, requires_grad=True)),
            (lambda x: x + x, mg.ones(2, requires_grad=True)),
            (lambda x: (x + 2).tanh().sum(), mg.ones(2, 3, requires_grad=True)),
        ],
        reference=kept_bytes,
        mistakes=[
            Mistake("The same memory is counted twice where two nodes keep it. data_ptr() tells it apart.", each_time),
            Mistake("That is how many numbers are kept. tensor.nbytes is what they take.", elements),
            Mistake("That is the size of the result. What is asked for is what the nodes keep.", of_the_result),
        ],
        hints=[
            "saved_tensors_hooks(pack, unpack): pack is called with each tensor that is saved.",
            "A dict from tensor.data_ptr() to tensor.nbytes holds each memory once. pack must return the tensor.",
        ],
    ),
}

MISCONCEPTIONS = {
    "It may seem that memory holds the parameters of a model; but most of it is what the nodes keep for the backward.": "What is kept, and until when",
    "It may seem that checkpointing changes the result; but it computes the same, a part of it twice.": "Keep less, compute twice",
}
