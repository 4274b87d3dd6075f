"""Which types of number an operation refuses, though NumPy would compute something: as PyTorch, and in its words.

>>> import minigrad as mg
>>> mg.hypot(mg.tensor([3]), mg.tensor([4]))
Traceback (most recent call last):
    ...
NotImplementedError: "hypot_cpu" not implemented for 'Long'
"""

import numpy as np

from .dtypes import SHORT_NAMES, common, unsupported

# rows of the tables, by the kinds of number that they refuse: b bool, i integers, c complex
REFUSED = {
    "b": "abs ceil floor trunc round floor_divide fmod remainder median_of_all median_along kth_along topk_along "
    "relu relu6 hardtanh argmax argmin matmul mm bmm_of vdot_of addmm_of plus_product cross_of floor_divide_by_number "
    "number_floor_divided fmod_by_number remainder_by_number remainder_of_number div_rounded addcmul isin "
    "bitwise_left_shift bitwise_right_shift gcd lcm",
    "i": "distance",
    "f": "bitwise_left_shift bitwise_right_shift gcd lcm bitwise_not",
    "bi": "lerp lerp_by_number round_to gelu_exact gelu_by_tanh silu hypot logaddexp logaddexp2 logcumsumexp "
    "nextafter vector_norm frac glu_of",
    "bic": "celu elu selu hardshrink softshrink hardsigmoid hardswish leaky_relu log_sigmoid mish softplus "
    "squared_error huber smooth_l1",
    "c": "bitwise_left_shift bitwise_right_shift gcd lcm bitwise_not erf erfc entr i1 polygamma_at xlog1py isin floor "
    "ceil trunc round_to signbit heaviside amax amin max_of_all min_of_all max_along min_along argmax argmin "
    "both_extremes clamp_to_numbers "
    "clamp_to_tensors clamp_min clamp_max clamp_min_number clamp_max_number cummax_along cummin_along deg2rad "
    "rad2deg digamma erfinv fmax fmin maximum minimum ge gt le lt i0 lgamma logit median_of_all median_along "
    "mode_along kth_along topk_along sort_along nansum round sign xlogy xlogy_of_number xlogy_by_number "
    "isposinf isneginf relu relu6 hardtanh glu_of softmax log_softmax",
}
KERNELS = {  # what PyTorch calls the code that refuses, where it is not the row's name and "_cpu"
    **{
        name: f"{name}_vml_cpu" for name in ("ceil", "floor", "trunc", "round", "erf", "erfc", "erfinv", "i0", "lgamma")
    },
    **{name: f"{name}_lastdim_kernel_impl" for name in ("softmax", "log_softmax")},
}
KERNELS |= dict(
    pair.split("=")
    for pair in (
        "floor_divide=div_floor_cpu median_of_all=median_cpu median_along=median_out matmul=dot mm=addmm_impl_cpu_ "
        "bmm_of=bmm "
        "celu=elu_cpu selu=elu_cpu glu_of=glu_cpu gelu_exact=GeluKernelImpl gelu_by_tanh=GeluKernelImpl "
        "logcumsumexp=logcumsumexp_out_cpu softshrink=softshrink_check lerp=lerp_kernel_tensor "
        "lerp_by_number=lerp_kernel_scalar squared_error=mse_cpu huber=huber_cpu smooth_l1=smooth_l1_cpu "
        "amax=max_values_cpu amin=min_values_cpu max_of_all=max_all min_of_all=min_all both_extremes=aminmax_cpu "
        "clamp_min=maximum_cpu clamp_max=minimum_cpu cummax_along=cummax_cpu cummin_along=cummin_cpu digamma=digamma "
        "bitwise_left_shift=lshift_cpu bitwise_right_shift=rshift_cpu floor_divide_by_number=div_floor_cpu vdot_of=dot "
        "number_floor_divided=div_floor_cpu fmod_by_number=fmod_cpu remainder_by_number=remainder_cpu "
        "remainder_of_number=remainder_cpu div_rounded=div_floor_cpu addcmul=addcmul_cpu_out addmm_of=addmm_impl_cpu_ "
        "plus_product=addmv_impl_cpu cross_of=cross round_to=round_cpu polygamma_at=trigamma "
        "mode_along=mode_cpu kth_along=kthvalue_cpu xlogy_of_number=xlogy_cpu xlogy_by_number=xlogy_cpu"
    ).split()
)
NO_CLAMP = NotImplementedError("clamp is not supported for complex types")
SENTENCES: dict[str, dict[str, Exception]] = {  # where it says more
    **{
        name: {"c": NO_CLAMP}
        for name in ("clamp_to_numbers", "clamp_to_tensors", "clamp_min_number", "clamp_max_number")
    },
    **{
        name: {"c": RuntimeError(f"{name} not implemented for complex tensors.")}
        for name in ("fmax", "fmin", "maximum", "minimum")
    },
    **{name: {"c": RuntimeError(f"{name} is not supported for complex tensors.")} for name in ("deg2rad", "rad2deg")},
    **{name: {"c": RuntimeError(f"{name} does not support complex inputs.")} for name in ("isposinf", "isneginf")},
    **{
        name: {
            kind: RuntimeError(f"{name}(): does not support {word} input")
            for kind, word in (("b", "bool"), ("c", "complex"))
        }
        for name in ("argmax", "argmin")
    },
    **{
        name: {"c": NotImplementedError(f"{name} is not supported for complex inputs")}
        for name in ("ceil", "floor", "trunc")
    },
    "signbit": {"c": NotImplementedError("signbit is not implemented for complex tensors.")},
    "heaviside": {"c": RuntimeError("heaviside is not yet implemented for complex tensors.")},
    "distance": {"i": RuntimeError("norm(): input dtype should be either floating point or complex.")},
    "isin": {kind: RuntimeError("Unsupported input type encountered for isin()") for kind in "bc"},
    "max_along": {"c": RuntimeError("max(): does not support complex input")},
    "min_along": {"c": RuntimeError("min(): does not support complex input")},
    "nansum": {"c": RuntimeError("nansum on CPU does not support complex inputs")},
    "sort_along": {"c": RuntimeError(" Sort does not support complex dtypes on CPU")},
    "topk_along": {
        "b": RuntimeError("topk does not support bool dtypes on CPU"),
        "c": RuntimeError(" topk does not support complex dtypes on CPU"),
    },
    "relu": {"b": RuntimeError("Boolean inputs not supported for relu"), "c": NO_CLAMP},
    "relu6": {"b": RuntimeError("Bool inputs not supported for hardtanh"), "c": NO_CLAMP},
    "hardtanh": {"b": RuntimeError("Bool inputs not supported for hardtanh"), "c": NO_CLAMP},
    "sign": {
        "c": NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."
        )
    },
}
KINDS: dict[str, str] = {}
for _kinds, _names in REFUSED.items():
    KINDS |= {name: KINDS.get(name, "") + _kinds for name in _names.split()}
NUMERIC = (np.ndarray, np.generic, bool, int, float, complex)
DIVISORS = {  # where it stands; an integer that is divided by 0 has no result
    "fmod": 1, "fmod_by_number": 1, "remainder": 1, "remainder_by_number": 1, "remainder_of_number": 0,
    "floor_divide": 1, "floor_divide_by_number": 1, "number_floor_divided": 0, "div_rounded": 1,
}  # fmt: skip


NUMBERED = {
    *DIVISORS,
    "clamp_to_numbers",
    "clamp_min_number",
    "clamp_max_number",
}  # whose options are numbers that count
ALIKE = {
    "lerp": "expected dtype {} for `{}` but got dtype {}",
    "heaviside": "heaviside is not yet implemented for tensors with different dtypes.",
}
ALIKE["lerp_by_number"] = ALIKE["lerp"]


def refuse_unlike(name: str, op, arrays: list) -> None:
    """Raise, where one of the inputs is of another type than the first."""
    for i, array in enumerate(arrays[: len(op.inputs)]):
        if array.dtype != arrays[0].dtype:
            raise RuntimeError(ALIKE[name].format(arrays[0].dtype, op.inputs[i], array.dtype))


def refuse(op, arrays: list) -> None:
    """Raise what PyTorch raises, where these operands are not what the operation is for."""
    name = op.name
    if name in ALIKE:
        refuse_unlike(name, op, arrays)
    if name == "addcdiv" and common(arrays[1:3]).kind in "biu":
        raise RuntimeError("Integer division with addcdiv is no longer supported: divide, and then add")
    if name not in KINDS and name not in DIVISORS:
        return
    count = len(op.inputs) if name not in NUMBERED else 3
    operands = [value for value in arrays[:count] if isinstance(value, NUMERIC)]
    dtype = common(operands)
    kind = {"u": "i", "V": "f"}.get(dtype.kind, dtype.kind)
    if kind in KINDS.get(name, ""):
        if name == "vector_norm":
            kind_name = SHORT_NAMES[dtype.name]
            raise RuntimeError(
                f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {kind_name}"
            )
        sentence = SENTENCES.get(name, {}).get(kind)
        if sentence is not None:
            raise type(sentence)(*sentence.args)
        raise unsupported(KERNELS.get(name, f"{name}_cpu"), dtype)
    if name in DIVISORS and not (name == "div_rounded" and arrays[2] is None):
        if dtype.kind in "biu" and not np.all(arrays[DIVISORS[name]]):
            raise RuntimeError("ZeroDivisionError")
