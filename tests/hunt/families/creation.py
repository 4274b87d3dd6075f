"""New tensors: from numbers, lists, arrays and ranges, in a type that is asked for or found."""

VALUES = (
    "1|1.5|True|2+1j|[]|[1, 2]|[1, 2.5]|[True, 2]|[True, False]|[[1, 2], [3, 4.0]]|[[1], [2, 3]]|"
    "(1, (2,))|[[], []]|[1j, 2]|"
    "np.arange(3)|np.ones((2, 2), np.float32)|np.float32(2)|np.int64(3)|np.array(True)|"
    "[np.float32(1), 2]|[m.tensor(1), 2]|"
    "np.array([1, 2], np.uint8)|np.arange(4)[::2]|m.ones(2)|m.tensor([1])|-3|2**40|range(3)|"
    "np.array([1.5], np.float16)|np.ones((2, 0))|[-0.0]"
).split("|")
TYPES = "float32 float64 float16 int64 int32 int16 uint8 int8 bool complex64".split()
SHAPES = "2|2, 3|(2, 3)|[3]|()|0, 2|(0,)|1, 1|m.Size([2])".split("|")
NUMBERS = "0 1 2 5 -1 -2 0.5 1.5 2.5 -0.5 1e-3 3.0 10".split()


def write(sketch) -> None:
    for i in range(4):
        sketch.add(f"a{i} = {made(sketch)}")
    sketch.add("kinds = [str(a0.dtype), list(a1.shape), a2.is_contiguous(), a3.requires_grad, repr(a0)]")


def made(sketch) -> str:
    options = f", dtype=m.{sketch.pick(TYPES)}" if sketch.chance(0.4) else ""
    options += ", requires_grad=True" if sketch.chance(0.15) else ""
    number = sketch.pick
    kind = sketch.pick(
        ["tensor", "tensor", "as", "filled", "full", "arange", "arange", "linspace", "eye", "like", "new", "old"]
    )
    if kind == "tensor":
        return f"m.tensor({number(VALUES)}{options})"
    if kind == "as":
        return f"m.as_tensor({number(VALUES)}{options.partition(', req')[0]})"
    if kind == "filled":
        return f"m.{number(['zeros', 'ones'])}({number(SHAPES)}{options})"
    if kind == "full":
        return f"m.full(({number(['2,', '', '2, 1', '0,'])}), {number([*NUMBERS, 'True', '1j'])}{options})"
    if kind == "arange":
        return f"m.arange({', '.join(number(NUMBERS) for _ in range(number([1, 2, 3, 3])))}{options})"
    if kind == "linspace":
        return f"m.linspace({number(NUMBERS)}, {number(NUMBERS)}, {number([0, 1, 2, 5])}{options})"
    if kind == "eye":
        return f"m.eye({number(['2', '3, 2', '0', '2, 0', '-1'])}{options})"
    other = f"m.tensor({number(VALUES[:20])})"
    if kind == "like":
        maker = number(["zeros_like", "ones_like", "full_like", "rand_like"])
        return f"m.{maker}({other}{', 2' if maker == 'full_like' else ''}{options})"
    if kind == "new":
        return f"{other}.{number(['new_zeros(2)', 'new_ones((1, 2))', 'new_full((2,), 1.5)', 'new_tensor([1, 2])'])}"
    return f"m.Tensor({number(['[1, 2]', '2', '2, 0', '[[1.0]]'])})[:0]"
