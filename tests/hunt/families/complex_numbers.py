"""Complex numbers: every function in both halves of the plane, on its branch cuts and at 0, with real operands and
numbers beside them; sums, products, norms and matrix products of them."""

POINTS = "0.5+0.3j|-0.5+0.3j|0.5-0.3j|-0.5-0.3j|2+0.1j|-2-0.1j|0.1+2j|1j|-1j|-1.5-2j|0.7-1.1j".split("|")
UNARY = (
    "neg reciprocal square sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh "
    "asinh "
    "acosh atanh abs sgn sigmoid conj real sum mean prod isfinite"
).split()
BINARY = (
    "{a} + {b}|{a} - {b}|{a} * {b}|{a} / ({b} + 3.5)|{a} ** {b}|{b} ** {a}|m.dist({a}, {b})|{a} * {n}|{a} + {n}|"
    "{n} / {a}|{a} ** {n}|({n}) ** {a}|m.outer({a}, {b})|{a} @ {a}.conj()|"
    "m.add({a}, {a}, alpha={n})|{a} == {b}|m.where({a}.real > {a}.imag, {a}, {a} * {n})"
).split("|")
REDUCED = (
    "{a}.sum(0)|{a}.mean()|{a}.prod(0)|{a}.cumsum(0)|{a}.cumprod(0)|{a}.var()|{a}.std(0, correction=0)|{a}.norm()|"
    "{a}.norm({p})|m.linalg.vector_norm({a}, {p}, dim=0)|{a}.conj().imag|{a}.abs() ** 2|({a} * {a}.conj()).real|"
    "{a}.real|"
    "{a}.imag * {a}.real|{a}.diff()|m.cat([{a}, {a}.real])|{a}.flip(0).conj()|{a}.to(m.complex64)|{a}.count_nonzero()"
).split("|")
NUMBERS = "2|-1|0.5|3|1j|1+2j|-0.5j|0".split("|")


def write(sketch) -> None:
    count = sketch.random.randint(1, 4)
    points = ", ".join(sketch.pick(POINTS) for _ in range(count))
    sketch.add(f"z = T([{points}], dtype=m.complex128)")
    if sketch.chance(0.5):
        sketch.leaf("w", (count,), 0.2, 2.0)
    else:
        others = ", ".join(sketch.pick(POINTS) for _ in range(count))
        sketch.add(f"w = T([{others}], dtype=m.complex128)")
    names = ["z"]
    for i in range(sketch.random.randint(1, 3)):
        given = {
            "a": names[-1],
            "b": "w",
            "n": sketch.pick(NUMBERS),
            "p": sketch.pick("1 2 3 0.5 m.inf -m.inf".split()),
        }
        shape = sketch.random.random()
        text = f"m.{sketch.pick(UNARY)}({{a}})" if shape < 0.4 else sketch.pick(BINARY if shape < 0.7 else REDUCED)
        if sketch.add(f"v{i} = {text.format(**given)}") and sketch[f"v{i}"].is_complex():
            names.append(f"v{i}")
    made = [name for name in sketch.tensors() if name[0] == "v" and sketch[name].requires_grad]
    if made:
        sketch.add(f"g = {sketch.pick(['first', 'second'])}([{made[-1]}], z, w)")
