"""Number types: which comes out of which two, and what a learner may write for them."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import minigrad as mg

from .oracle import answer, assert_same, recorded

NAMES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128")
NUMBERS = {"True": True, "2": 2, "2.5": 2.5, "1j": 1j}


def promoted(m):
    return [[str(m.promote_types(getattr(m, a), getattr(m, b))) for b in NAMES] for a in NAMES]


def of(expression: str, dimensions=((2,), (2,))):
    """The types that an expression of two tensors gives, for every two types; nothing where it is refused."""

    def question(m):
        found = []
        for a, b in itertools.product(NAMES, NAMES):
            x, y = (m.ones(shape).to(getattr(m, name)) for shape, name in zip(dimensions, (a, b)))
            try:
                found.append(str(eval(expression, {"m": m, "x": x, "y": y}).dtype).partition(".")[2])
            except (RuntimeError, TypeError, NotImplementedError):
                found.append("")
        return " ".join(found)

    return question


def with_number(expression: str):
    def question(m):
        found = []
        for name, number in itertools.product(NAMES, NUMBERS.values()):
            x = m.ones(2).to(getattr(m, name))
            try:
                found.append(str(eval(expression, {"m": m, "x": x, "n": number}).dtype).partition(".")[2])
            except (RuntimeError, TypeError, NotImplementedError):
                found.append("")
        return " ".join(found)

    return question


def default_types(m):
    values = (
        1,
        1.0,
        True,
        1j,
        [1, 2.0],
        [True, 1],
        [1, 2j],
        [],
        [[]],
        np.float64(1),
        np.int32(1),
        np.ones(2),
        [np.ones(2)],
    )
    return [str(m.tensor(value).dtype) for value in values]


def another_default(m):
    m.set_default_dtype(m.float64)
    try:
        made = [m.tensor(1.0), m.ones(1), m.tensor([1, 2]) / 2, m.tensor(1j), m.arange(0, 1, 0.5), m.tensor([1]).sqrt()]
        return [str(m.get_default_dtype()), *(str(one.dtype) for one in made), str(m.tensor(1.0))]
    finally:
        m.set_default_dtype(m.float32)


def facts(m):
    kinds = [getattr(m, name) for name in NAMES]
    return [[k.itemsize, k.is_floating_point, k.is_complex, k.is_signed] for k in kinds]


def other_names(m):
    names = "half float double cfloat cdouble short int long".split()
    return [str(getattr(m, name)) for name in names]


def casts(m):
    x = m.tensor([1.7, -1.7, 300.0])
    methods = "half float double int long short bool".split()
    found = [getattr(x, name)() for name in methods]
    return [[str(one.dtype), one.tolist()] for one in found]


def to(m):
    x = m.ones(2)
    y = m.ones(2, dtype=m.float64)
    same = [x.to(m.float32) is x, x.to(x) is x, x.to("cpu") is x, x.to(m.float32, copy=True) is x, x.type_as(y) is x]
    return [same, str(x.to(y).dtype), str(x.to(dtype=m.int64).dtype), str(x.to("cpu", m.float64).dtype)]


def reductions(m):
    found = []
    for name in NAMES:
        x = m.ones(2).to(getattr(m, name))
        for call in ("sum", "prod", "mean", "cumsum", "max", "argmax"):
            try:
                found.append(str((x.cumsum(0) if call == "cumsum" else getattr(x, call)()).dtype).partition(".")[2])
            except (RuntimeError, TypeError, NotImplementedError):
                found.append("")
    return " ".join(found)


INTO_A_TYPE = """
x.sum(dtype=m.float64)   x.sum(0, dtype=m.float16)   i.sum(dtype=m.int32)   i.mean(dtype=m.float32)
(i > 1).sum(dtype=m.uint8)   i.prod(dtype=m.float64)   x.cumsum(0, dtype=m.float64)
i.cumsum(0, dtype=m.int32)   i.cumprod(0, dtype=m.float32)   x.softmax(0, dtype=m.float64)
x.log_softmax(0, dtype=m.float64)   x.sum(dtype=None)
m.nn.functional.softmax(i, dim=0, dtype=m.float32)   m.mean(x, dim=1, dtype=m.float64)
"""
INTO_A_TYPE = [one for line in INTO_A_TYPE.split("\n") for one in line.split("   ") if one]


def into_a_type(expression: str):
    """What a reduction gives when it is told the type, and the gradient that comes back."""

    def question(m):
        x, i = m.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True), m.tensor([[1, 2], [3, 4]])
        out = eval(expression, {"m": m, "x": x, "i": i})
        if out.requires_grad:
            (out * out).sum().backward()
        values = [f"{value:.5g}" for value in out.reshape(-1).tolist()]
        return [str(out.dtype), values, x.grad is not None and str(x.grad.dtype)]

    return question


def limits(m):
    floats = [m.finfo(getattr(m, name)) for name in ("float16", "float32", "float64", "complex64")]
    whole = [m.iinfo(getattr(m, name)) for name in ("uint8", "int8", "int16", "int32", "int64")]
    found = [[repr(one), one.min, one.max, one.bits, one.dtype] for one in (*floats, *whole, m.finfo())]
    return found, [[one.eps, one.tiny, one.smallest_normal, one.resolution] for one in floats], floats[1] == floats[3]


QUESTIONS = {
    one.__name__: one
    for one in (limits, promoted, default_types, another_default, facts, other_names, casts, to, reductions)
}
QUESTIONS |= {
    text: of(text) for text in ("x + y", "x * y", "x / y", "m.where(x == x, x, y)", "m.maximum(x, y)", "x == y")
}
QUESTIONS |= {
    f"{text}, second without dimensions": of(text, ((2,), ())) for text in ("x + y", "x * y", "m.where(x == x, x, y)")
}
QUESTIONS |= {text: into_a_type(text) for text in INTO_A_TYPE}
QUESTIONS["m.cat((x, y))"] = of("m.cat((x, y))")
QUESTIONS |= {text: with_number(text) for text in ("x + n", "x * n", "n - x", "x / n", "x ** n", "x == n")}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_types_are_pytorchs(name):
    ours, theirs = answer(QUESTIONS[name], mg), recorded("dtypes")[name]
    if isinstance(ours, str):  # where PyTorch has not written an operation for a type, minigrad may have it
        pairs = list(zip(ours.split(" "), theirs.split(" ")))
        unknown = ("", "complex32")  # NumPy has no complex32
        ours, theirs = ([pair[side] for pair in pairs if pair[1] not in unknown] for side in (0, 1))
    assert_same(ours, theirs)


def test_limits_are_asked_of_the_right_kind_of_type():
    with pytest.raises(TypeError, match=r"finfo\(\) requires a floating point input type, but got minigrad.int64"):
        mg.finfo(mg.int64)
    with pytest.raises(TypeError, match=r"iinfo\(\) requires an integer input type, but got minigrad.bool"):
        mg.iinfo(mg.bool)
    with pytest.raises(TypeError, match=r"argument 'type' \(position 1\) must be minigrad.dtype, not int"):
        mg.finfo(3)


def test_python_and_numpy_types_are_accepted_too():
    for given in (float, np.float64, np.dtype("float64"), mg.float64, mg.double):
        assert mg.zeros(1, dtype=given).dtype is mg.float64
    assert mg.zeros(1, dtype=int).dtype is mg.int64 and mg.zeros(1, dtype=bool).dtype is mg.bool


def test_there_is_one_object_for_each_type():
    assert mg.float is mg.float32 and pickle.loads(pickle.dumps(mg.float32)) is mg.float32
    assert copy.deepcopy(mg.int64) is mg.int64
    assert len({mg.float32, mg.float, mg.ones(1).dtype}) == 1


def test_what_no_library_of_numbers_knows_is_refused():
    with pytest.raises(TypeError, match="decimal|str"):
        mg.zeros(1, dtype="decimal")
    with pytest.raises(TypeError, match="only floating-point types"):
        mg.set_default_dtype(mg.int32)
