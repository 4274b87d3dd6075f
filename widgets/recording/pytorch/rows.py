"""Which row of minigrad's tables says what an operator of PyTorch computes, and with which of its arguments.

Most bear the same name, and so do their arguments. The others stand in `SYNONYMS`: the row, and for each of its
parameters the argument of the operator; or a function of all arguments that gives the values, and None where no row
does the same.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from minigrad.ops import rows
from minigrad.ops.gathering import positions_along
from minigrad.words.calling import TORCH_NAMES

from ..reading import Named
from .kernels import KERNELS
from .numbers import array
from .private import Signature

Arguments = dict[str, Any]
Values = list[Any] | None
REDUCTIONS = "none", "mean", "sum"
MOST = 1 << 14  # elements of an index
TABLES = {**KERNELS, **rows}
LAST = (1 << 63) - 1  # where a slice ends that goes on to the end


def scaled(row: str) -> Callable[[Arguments], tuple]:
    """a + b, or a + alpha · b."""
    return lambda given: (
        (row, [given["self"], given["other"]])
        if given.get("alpha", 1) == 1
        else (f"{row}_scaled", [given["self"], given["other"], given["alpha"]])
    )


def at(place: Callable[[Arguments], Any]) -> Callable[[Arguments], Values]:
    """Something at a place of one dimension, as an index has it: `a[:, 2]`."""
    return lambda given: [given["self"], along(given["dim"] % max(given["self"].ndim, 1), place(given))]


def along(dim: int, place: Any) -> Any:
    return (*[slice(None)] * dim, place) if dim else place


def sliced(given: Arguments) -> slice:
    start, end, step = given["start"], given["end"], given["step"]
    return slice(start or None, None if end == LAST else end, None if step == 1 else step)


def put_back(place: Callable[[Arguments], Any]) -> Callable[[Arguments], Values]:
    """The reverse of `at`."""

    def values(given: Arguments) -> Values:
        shape = tuple(given["input_sizes"])
        return [given["grad_output"], shape, along(given["dim"] % len(shape), place(given))]

    return values


def to_power(given: Arguments) -> Values:
    exponent = given["exponent"]
    return [given["self"], int(exponent) if exponent == int(exponent) else exponent]


def picked(given: Arguments) -> Values:
    parts = given["indices"]
    if any(part is not None and part.numel() > MOST for part in parts):
        return None
    index = tuple(slice(None) if part is None else array(part) for part in parts)
    return [given["self"], index if len(index) > 1 else index[0]]


def put(row: str, node: str = "") -> Callable[[Arguments], tuple]:
    """Something put, or added, at places: those of an index, or those that a tensor counts along a dimension."""

    def found(given: Arguments) -> tuple:
        a, source = given["self"], next(given[name] for name in ("src", "source", "values", "value") if name in given)
        if "indices" in given:
            its = picked(given)
            return "added" if given["accumulate"] else row, its and [a, source, its[1], "IndexPutBackward0"]
        index = given["index"]
        dim = given["dim"] % max(a.ndim, 1)
        is_fit = not isinstance(source, torch.Tensor) or node.startswith("Index") or source.shape == index.shape
        if not a.ndim or index.numel() > MOST or given.get("alpha", 1) != 1 or not is_fit:
            return row, None
        places = array(index)
        at = along(dim, places) if node.startswith("Index") else positions_along(places, dim)
        return row, [a, source, at, node]

    return found


def picking_classes(given: Arguments) -> Values:
    """The losses of classes: where the right ones stand, and what each counts."""
    a, target, weight = given["self"], given["target"], given["weight"]
    if target.numel() > MOST:
        return None
    classes = array(target)
    used = classes != given["ignore_index"]
    safe = classes * used
    weights = (used if weight is None else array(weight)[safe] * used).astype(array(a[:0]).dtype)
    at = list(np.ix_(*map(np.arange, safe.shape)))
    at.insert(0 if a.ndim == 1 else 1, safe)
    total = np.add.reduce(weights, None) if given["reduction"] == 1 else 1
    upstream = [given["grad_output"]] if "grad_output" in given else []
    return [*upstream, a, tuple(at), weights, total, REDUCTIONS[given["reduction"]]]


def looked_up(given: Arguments) -> Values:
    index = given["indices"]
    padding = given["padding_idx"]
    return None if index.numel() > MOST else [given["weight"], array(index), None if padding == -1 else padding]


def by_batch(given: Arguments) -> tuple:
    """What a batch is made alike by: its own mean and deviation, or those that were gathered."""
    a, parameters = given["input"], [given["weight"], given["bias"]]
    if given.get("training", True):
        return "standardise", [a, *parameters, (0, *range(2, a.ndim)), given["eps"]]
    spread = 1 / np.sqrt(array(given["running_var"]) + given["eps"])
    return "normalise_as_gathered", [a, *parameters, array(given["running_mean"]), spread.astype(array(a[:0]).dtype)]


def onto(plain: str, names: str) -> Callable[[Arguments], tuple]:
    """A product with something added to it, or beta · something + alpha · the product."""
    return lambda given: (
        (plain, values(given, names))
        if given["beta"] == given["alpha"] == 1
        else ("addmm_scaled", values(given, f"{names} beta alpha"))
    )


def attending(given: Arguments) -> Values:
    """What one kernel computes of attention, where it leaves nothing out at random."""
    mask = None if given["attn_mask"] is None else array(given["attn_mask"])
    tensors = [given[name] for name in ("query", "key", "value")]
    return None if given["dropout_p"] else [*tensors, mask, given["is_causal"], given["scale"]]


def largest(given: Arguments) -> Values:
    """The largest of each window."""
    names = "kernel_size", "stride", "padding", "dilation"
    kernel, stride, *rest = (tuple(given[name]) * (2 // max(len(given[name]), 1)) for name in names)
    return [given["self"], kernel, stride or kernel, *rest, given["ceil_mode"]]


def of_layer(given: Arguments) -> Values:
    dims = tuple(range(-len(given["normalized_shape"]), 0))
    return [given["input"], given["weight"], given["bias"], dims, given["eps"]]


def convolved(given: Arguments) -> Values:
    names = "input", "weight", "bias", "stride", "padding", "dilation"
    settings = [tuple(one) if isinstance(one, list) else one for one in map(given.get, names)]
    return None if given["transposed"] else [*settings, given["groups"]]


def windows(given: Arguments) -> Values:
    """Means of windows."""
    kernel, names = tuple(given["kernel_size"]), ("ceil_mode", "count_include_pad", "divisor_override")
    asked = kernel * (2 // len(kernel)), tuple(given["stride"]) or kernel, tuple(given["padding"])
    return [given["self"], *asked, *map(given.get, names)]


def joined(given: Arguments) -> tuple:
    tensors, dim = given["tensors"], given["dim"] % max(given["tensors"][0].ndim, 1)
    return "cat_all", [dim, [one.shape[dim] for one in tensors], *tensors]


def parted(given: Arguments) -> Values:
    a, size, dim = given["self"], given["split_size"], given["dim"]
    length = a.shape[dim]
    return [a, tuple(min(size, length - start) for start in range(0, length, size)), dim]


def bordered(given: Arguments) -> Values:
    a, pad = given["self"], given["pad"]
    pairs = [(0, 0)] * (a.ndim - len(pad) // 2) + list(zip(pad[-2::-2], pad[::-2]))
    return [a, tuple(pairs), given["value"]]


def squared(given: Arguments) -> Values:
    """What a mean of squares sends, which is divided by their count."""
    tensors = [given[name] for name in ("grad_output", "self", "target")]
    return [*tensors, torch.broadcast_tensors(*tensors)[0].numel() if given["reduction"] == 1 else 1]


def smooth(given: Arguments) -> Values:
    delta = given.get("beta", given.get("delta"))
    is_smooth = "beta" in given
    node = "SmoothL1LossBackward0" if is_smooth else "HuberLossBackward0"
    return [given["self"], given["target"], REDUCTIONS[given["reduction"]], delta, delta if is_smooth else 1, node]


def spread(given: Arguments) -> Values:
    correction = given["correction"]
    return [given["self"], dims_of(given), 1 if correction is None else correction, given["keepdim"]]


def solved(given: Arguments) -> Values:
    a, b = given["A"], given["B"]
    return [a, b, b.ndim == 1 or b.shape == a.shape[:-1]] if given["left"] else None


def on_diagonal(given: Arguments) -> Values:
    a, n = given["self"], given["self"].shape[-1] + abs(given["offset"])
    is_last = (given["dim1"], given["dim2"]) == (-2, -1)
    return [a, (*a.shape[:-1], n, n), given["offset"], a.ndim - 1, a.ndim] if is_last else None


def reduced_by(*names: str) -> Callable[[Arguments], Values]:
    """The arguments of a loss; where there are no weights, all count as one."""
    return lambda given: [
        *map(given.get, names[:2]),
        REDUCTIONS[given["reduction"]],
        *(1.0 if given[name] is None else given[name] for name in names[2:]),
    ]


def dims_of(given: Arguments) -> Any:
    dim = given["dim"]
    return tuple(dim) if isinstance(dim, list) and dim else dim or None if isinstance(dim, list) else dim


def only_if(row: str, names: str, **usual: Any) -> Callable[[Arguments], tuple]:
    """A row that does the same as long as some options are as usual."""
    return lambda given: (row, values(given, names) if all(given[k] == v for k, v in usual.items()) else None)


def values(given: Arguments, names: str) -> list[Any]:
    """The arguments with these names; of an option that is a list, a tuple, as minigrad has it."""
    found: list[Any] = []
    for name in names.split():
        one = dims_of(given) if name == "dim" else given.get(name)
        found.append(tuple(one) if isinstance(one, list) else one)
    return found


def to_type(given: Arguments) -> Values:
    kind = given["dtype"] or given["self"].dtype
    return None if kind is torch.bfloat16 else [given["self"], array(torch.empty(0, dtype=kind)).dtype]


SYNONYMS: dict[str, Any] = {  # by operator, or by operator and overload
    "add": scaled("add"),
    "sub": scaled("sub"),
    "rsub": only_if("rsub", "self other", alpha=1),
    "div.Tensor_mode": None,
    "pow.Tensor_Scalar": ("power_of_number", to_power),
    "pow.Tensor_Tensor": "power_of_tensor self exponent",
    "pow.Scalar": "number_to_power exponent self",
    "remainder.Scalar": "remainder_by_number self other",
    "clamp": "clamp_to_numbers self min max",
    "clamp.Tensor": "clamp_to_tensors self min max",
    "clamp_min": "clamp_to_numbers self min -",
    "clamp_max": "clamp_to_numbers self - max",
    "_to_copy": ("to_copy", to_type),
    "copy": "copy self src",
    "fill.Scalar": "fill self value",
    "view": "reshape_to self size",
    "_unsafe_view": "reshape_to self size",
    "expand": "expand_to self size",
    "permute": "permute_to self dims",
    "squeeze.default": ("squeeze", lambda given: [given["self"], None]),
    "repeat": "tile self repeats",
    "select": ("pick_view", at(lambda given: given["index"])),
    "slice": ("pick_view", at(sliced)),
    "select_backward": ("put", put_back(lambda given: given["index"])),
    "slice_backward": ("put", put_back(sliced)),
    "cat": joined,
    "stack": lambda given: ("stack_all", [given["dim"] % (given["tensors"][0].ndim + 1), *given["tensors"]]),
    "split": ("split_to", parted),
    "split_with_sizes": "split_to self split_sizes dim",
    "unbind": "unbind self dim",
    "index": ("pick", picked),
    "index_put": put("placed"),
    "index_add": put("added", "IndexAddBackward0"),
    "index_copy": put("placed", "IndexCopyBackward0"),
    "scatter.src": put("placed", "ScatterBackward0"),
    "scatter.value": put("placed_number", "ScatterBackward1"),
    "scatter.reduce": None,
    "scatter.value_reduce": None,
    "scatter_add": put("added", "ScatterAddBackward0"),
    "index_select": (
        "_index_select",
        lambda given: [given["self"], given["dim"] % max(given["self"].ndim, 1), given["index"]],
    ),
    "cummax": "largest_so_far self dim",
    "cummin": "smallest_so_far self dim",
    "masked_select": "masked_select_of self mask",
    "masked_fill.Scalar": "masked_fill_number self value mask",
    "masked_fill.Tensor": "masked_fill_with self value mask",
    "sum": "_sum self",
    "sum.dim_IntList": "sum self dim keepdim",
    "mean": "_mean self",
    "mean.dim": "mean self dim keepdim",
    "prod": "_prod self",
    "prod.dim_int": "prod self dim keepdim",
    "max": "max_of_all self",
    "min": "min_of_all self",
    "max.dim": "max_along self dim keepdim",
    "min.dim": "min_along self dim keepdim",
    "median": ("median_of_all", lambda given: [given["self"], False]),
    "median.dim": ("median_along", lambda given: [*values(given, "self dim keepdim"), False]),
    "kthvalue": "kth_along self k dim keepdim",
    "bmm": "bmm_of self mat2",
    "mv": "matmul self vec",
    "dot": "matmul self tensor",
    "addmm": onto("addmm_of", "self mat1 mat2"),
    "baddbmm": onto("addmm_of_batches", "self batch1 batch2"),
    "_scaled_dot_product_flash_attention_for_cpu": ("scaled_dot_product_attention", attending),
    "native_group_norm": "group_norm input weight bias group eps",
    "elu": only_if("elu", "self alpha", scale=1, input_scale=1),
    "gelu": only_if("gelu_exact", "self", approximate="none"),
    "_softmax": "softmax self dim",
    "_safe_softmax": "safe_softmax self dim",
    "_log_softmax": "log_softmax self dim",
    "log_sigmoid_forward": "logsigmoid self",
    "nll_loss_forward": ("negative_log_likelihood", picking_classes),
    "nll_loss2d_forward": ("negative_log_likelihood", picking_classes),
    "mse_loss_backward": ("mse_loss_backward", squared),
    "nll_loss_backward": ("nll_loss_backward", picking_classes),
    "_log_softmax_backward_data": "log_softmax_backward grad_output output dim",
    "_softmax_backward_data": "softmax_backward grad_output output dim",
    "mse_loss": ("squared_error", reduced_by("self", "target")),
    "smooth_l1_loss": ("huber", smooth),
    "huber_loss": ("huber", smooth),
    "binary_cross_entropy": ("cross_entropy_of_probability", reduced_by("self", "target", "weight")),
    "binary_cross_entropy_with_logits": (
        "cross_entropy_of_logit",
        reduced_by("self", "target", "weight", "pos_weight"),
    ),
    "native_layer_norm": ("standardise", of_layer),
    "native_batch_norm": by_batch,
    "_native_batch_norm_legit": by_batch,
    "_native_batch_norm_legit_functional": by_batch,
    "convolution": ("convolution", convolved),
    "max_pool2d_with_indices": ("max_pool", largest),
    "avg_pool2d": ("avg_pool", windows),
    "constant_pad_nd": ("constant_pad", bordered),
    "embedding": ("embedding_of", looked_up),
    "sort": lambda given: ("sort_along", [*values(given, "self dim descending"), bool(given.get("stable"))]),
    "topk": "topk_along self k dim largest",
    "var": ("var_of", spread),
    "std": ("std_of", spread),
    "norm.Scalar": ("vector_norm", lambda given: [given["self"], given["p"], None, False]),
    "norm.ScalarOpt_dim": (
        "vector_norm",
        lambda given: [given["self"], 2 if given["p"] is None else given["p"], dims_of(given), given["keepdim"]],
    ),
    "linalg_vector_norm": "vector_norm self ord dim keepdim",
    "linalg_inv_ex": "inv A",
    "linalg_cholesky_ex": "cholesky_of self upper",
    "diag_embed": ("diagonal_scatter", on_diagonal),
    "_linalg_solve_ex": ("solve_of", solved),
    "linalg_det": None,
    "lerp.Scalar": "lerp_by_number self end weight",
}


def row_of(operator: Signature, args: tuple, options: dict) -> tuple[Any, list[Any]]:
    """The row that does what an operator does, and its values; of an unknown one the name, and all tensors."""
    given = bound(operator, args, options)
    packet, overload = operator.name.removesuffix("_"), operator.overload
    found = SYNONYMS.get(f"{packet}.{overload}", SYNONYMS.get(packet, ...))
    if found is ...:
        row: Any = TABLES.get(packet)
        known = {**given, **{own: given[theirs] for own, theirs in TORCH_NAMES.items() if theirs in given}}
        fits = row is not None and all(name in known for name in row.op.parameters)
        found = (packet, lambda _: values(known, " ".join(row.op.parameters))) if fits else None
    if isinstance(found, str):
        name, _, names = found.partition(" ")
        found = name, lambda given: values(given, names)
    if callable(found):
        name, its_values = found(given)
    else:
        name, its_values = ("", None) if found is None else (found[0], found[1](given))
    if its_values is not None:
        return TABLES[name].op, its_values
    return Named(in_public(packet)), list(tensors_in(given.values()))


def in_public(name: str) -> str:
    """What an operator is called where it has a name for PyTorch's own use.

    >>> in_public("_unique2"), in_public("_cdist_forward"), in_public("atan2")
    ('unique', 'cdist', 'atan2')
    """
    return re.sub(r"\d$|_(forward|helper|interface|kernel|ex)$", "", name[1:]) if name.startswith("_") else name


def bound(operator: Signature, args: tuple, options: dict) -> Arguments:
    """All arguments by name."""
    rest = {name: options.get(name, default) for name, default in operator.arguments[len(args) :]}
    return {name: one for (name, _), one in zip(operator.arguments, args)} | rest


def tensors_in(given: Iterable[Any]) -> Iterable[torch.Tensor]:
    for one in given:
        if isinstance(one, torch.Tensor):
            yield one
        elif isinstance(one, list | tuple):
            yield from (tensor for tensor in one if isinstance(tensor, torch.Tensor))


OF_NODES = {
    "PowBackward0": "power_of_number",
    "SumBackward1": "sum",
    "MaxBackward1": "max_of_all",
    "ExpandBackward0": "expand_to",
}


@lru_cache(1)
def nodes() -> dict[str, Any]:
    """By the name of their nodes, the rows that have one."""
    found: dict[str, Any] = {}
    for function in TABLES.values():
        row = function.op
        if not callable(row.grad_fn) and not row.many and row.grad_fn is not NotImplemented:
            name = row.choose_node(()).__name__
            if row.grad_fn is None or name not in found:  # the row of that very name comes first
                found[name] = row
    return found | {name: TABLES[row].op for name, row in OF_NODES.items()}


def of_node(made: Any) -> Any:
    """The row that makes such nodes; None where they do more than it says."""
    is_plain = all(getattr(made, f"_saved_{name}", 1) == 1 for name in ("alpha", "beta"))
    return nodes().get(made.name()) if is_plain or made.name() == "EluBackward0" else None
