"""How an operation is written and said, on the words for its arguments."""

import re
from typing import Any

from minigrad.words.formula import title

from ..words import operation, places
from .words import NAME, bracketed, renamed

# Options that are told if they are something else.
USUALLY = {
    **dict.fromkeys(("descending", "stable", "skip"), "False"), "largest": "True", "weight": "1", "pos_weight": "1",
    "padding": "(0, 0)", "dilation": "(1, 1)", "offset": "0",
}  # fmt: skip
USUAL_LOSS = ", reduction='mean'"
CLASSES = re.compile(r"(\[[^\[\]]*\]|\w[\w.]*)$")
OF_NODES = re.compile("^linalg_|_with_indices$|_ex$")  # what only the names of PyTorch's nodes have
# How a person writes what rules need not write so: of a copy, a rule names only what is copied.
COPIES = {"clone": "{a}.clone()", "contiguous": "{a}.contiguous()", "to_copy": "{a}.to({dtype})"}
CALLED = {
    "floor_divide": "{a} // {b}", "remainder_by_number": "{a} % {b}", "remainder": "{a} % {b}",
    "masked_fill_number": "masked_fill({a}, {mask}, {b})", "once": "unique({a})", "real": "{a}.real",
    "imag": "{a}.imag", "sum_to_size": "sum_to_size({a}, {shape})",
    "negative_log_likelihood": "nll_loss({a}, {classes}, reduction={reduction})",
    "correlation": "conv_weight({a}, {made})",  # PyTorch's conv2d_weight and its like, of torch.nn.grad
    "draw": "random numbers",
    "narrow": "narrow({a}, dim={dim}, start={start}, length={length})",
}  # fmt: skip


def written(op: Any, words: list[str]) -> str:
    """An operation on words, as a person writes it: `a + b`, `sum(a, dim=0)`.

    >>> import minigrad as mg
    >>> written(mg.mul.op, ["w", "x"]), written(mg.sum.op, ["a", "0", "False"])
    ('w * x', 'sum(a, dim=0)')
    """
    names = getattr(op, "parameters", ())
    if not names or len(names) != len(words):
        called_as = name_of(op) if hasattr(op, "rules_say") else op.name
        dim = [f"dim={word}" for name, word in zip(names, words) if name == "dim" and word != "0"]
        return f"{called_as}({', '.join([*words[len(names) :], *dim])})"  # what comes before are options
    called = dict(zip(names, words))
    if "index" in called:
        called["index"] = called["index"].strip("(,)")
    if "alpha" in called:
        called["alpha"] = bracketed(called["alpha"])
    if "at" in called:  # the places of the right classes: of each example its number, and the class
        called["classes"] = (CLASSES.search(called["at"]) or ["", "target"])[1]
    if op.name in COPIES | CALLED:
        return (COPIES | CALLED)[op.name].format_map(called).replace(USUAL_LOSS, "")
    if op.says == "standardised(a)":
        behind = [(" * ", called["weight"]), (" + ", called["bias"])]
        return f"standardised({called['a']})" + "".join(sign + word for sign, word in behind if word != "None")
    if op.name in CONVOLUTIONS:
        return f"{CONVOLUTIONS[op.name]}({', '.join(_of_convolution(called))})"
    told = set(NAME.findall(op.says or ""))
    usual = {**dict.fromkeys(set(names) - told, "None"), **USUALLY, **{x: str(one) for x, one in op.presets.items()}}
    left_out = {name for name, word in zip(names, words) if word == usual.get(name)}
    options = [f"{name}={word}" for name, word in list(zip(names, words))[len(op.inputs) :] if name not in left_out]
    operands, is_whole = words[: len(op.inputs)], not left_out & told and called.get("min") != "None"
    if op.says and is_whole and all(one.partition("=")[0] in told or op.public == "" for one in options):
        return renamed(op.says, called).removesuffix(" / 1").replace(USUAL_LOSS, "")
    if "None" in operands:  # after one that is not there, the others are told by name
        first = operands.index("None")
        options = [f"{name}={word}" for name, word in zip(names[first:], operands[first:]) if word != "None"] + options
        operands = operands[:first]
    return f"{name_of(op)}({', '.join([*operands, *options])})".replace(USUAL_LOSS, "")


def name_of(op: Any) -> str:
    """What an operation is called; of a row with nodes of several names, what the row's own name begins with.

    >>> import minigrad as mg
    >>> name_of(mg.sin.op), name_of(mg.ops.joining.split_to.op), name_of(mg.linalg.inv.op)
    ('sin', 'split', 'inv')
    """
    name = OF_NODES.sub("", title(op))
    return name if name.isidentifier() else op.name.partition("_")[0]


CONVOLUTIONS = {"convolution": "convolution", "transposed_convolution": "conv_transpose"}
USUAL = {"bias": "None", "stride": "1", "padding": "0", "dilation": "1", "groups": "1"}


def _of_convolution(called: dict[str, str]) -> list[str]:
    """Its arguments, without the options that are as usual in each dimension."""
    asked = {name: word for name, word in called.items() if name != "shape"}
    told = {name: word for name, word in asked.items() if set(re.findall(r"\w+", word)) != {USUAL.get(name)}}
    return [word if name in ("a", "weight", "bias") else f"{name}={word}" for name, word in told.items()]


def spoken(op: Any, words: list[str]) -> str:
    """An operation on words, as a person says it; nothing where we do not know how."""
    sentence = operation(op)
    count = len(places(sentence))
    return sentence.format(*words) if 0 < count <= len(words) else ""
