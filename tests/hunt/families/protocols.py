"""What Python asks of a tensor: numbers, truth, length, order, formats, containment, iteration, hashes, names."""

LINES = (
    "bool({a})|int({a})|float({a})|complex({a})|len({a})|list({a})|{a}.tolist()|{a}.item()|f'{{{a}:.3f}}'|"
    "f'{{{a}}}'|round({a})|round({a}, 1)|abs({a})|-{a}|+{a}|~{a}|{a} == None|{a} != {b}|{a} in [{b}]|"
    "2.5 in {a}|{b} in {a}|{a} is {a}|sum({a})|max({a})|min({a}, {b})|sorted({a}.tolist())|[*{a}]|"
    "dict([({a}, 1)])[{a}]|hash({a}) == hash({a})|divmod({a}, 2)|pow({a}, 2)|{a} and {b}|not {a}|range({a})|"
    "[1, 2, 3][{a}]|{a} @ {b}|{a} & {b}|{a} | 1|{a} ^ {b}|{a} // 2|2 // {a}|{a} % 3|3 % {a}|{a} ** -1|"
    "2 ** {a}|{a} < {b} < 3|iter({a})|next(iter({a}))|{a}.shape[0]|{a}.size(0)|{a}.size()|"
    "{a}.dim()|{a}.numel()|{a}.nelement()|{a}.element_size()|{a}.stride()|{a}.is_contiguous()|"
    "{a}.dtype.itemsize|{a}.type()|str({a}.dtype)|repr({a}.shape)|{a}.device.type|m.is_tensor({a})|"
    "m.numel({a})|isinstance({a}, m.Tensor)|x, y = {a}|{a}.is_floating_point()|{a}.is_complex()|"
    "m.is_floating_point({a})|{a}.nbytes|{a}.itemsize|{a}.storage_offset()|"
    "str({a})[:6]|type({a}).__name__|{a}.__class__.__name__|{a}[0].item()|{a}.T.shape|{a}.mT|"
    "m.equal({a}, {b})|m.allclose({a}, {b})|{a}.ndim|callable({a})|math.sin({a})|math.floor({a})|"
    "operator.index({a})|[a for a in {a}][0]|any({a})|all({a})|{a} <= 2|'{{:d}}'.format({a})|'%s' % {a}|"
    "'%d' % {a}|format({a}, '>10')|np.float64({a})|{a}.__len__()|{a}.__bool__()|enumerate({a})|"
    "isinstance({a}.grad_fn, object)|{a}.names|{a}.nonexistent|{a}.foo(1)|{a}()|del {a}[0]"
).split("|")
VALUES = (
    "m.tensor(2)|m.tensor(2.5)|m.tensor(True)|m.tensor([1, 2])|m.tensor([2.5])|"
    "m.tensor([[1.0, 2.0], [3.0, 4.0]])|m.tensor([])|T(2.5)|T([1.5, -2.0])|m.tensor(1j)|"
    "m.tensor([True, False])|m.tensor(float('nan'))|m.tensor([3])|m.tensor(0)|m.zeros(0, 3)"
).split("|")


def write(sketch) -> None:
    sketch.add("import math, operator")
    for name in "ab":
        sketch.add(f"{name} = {sketch.pick(VALUES)}")
    for i in range(3):
        line = sketch.pick(LINES).format(a=sketch.pick("aab"), b=sketch.pick("ab"))
        sketch.add(line if line.startswith(("x, y", "del")) else f"v{i} = {line}")
