"""What a tensor prints: of every type and shape, huge and small and missing numbers, under all options."""

NUMBERS = (
    "0 1 -1 2 0.5 -0.25 1e-5 1e-3 123456 1e8 1e9 1.23456789 100.5 -3e4 float('nan') float('inf') "
    "-float('inf') -0.0 1e38"
).split()
TYPES = "float32 float64 float16 int64 int32 uint8 bool complex64 complex128".split()
OPTIONS = (
    "precision=2 precision=8 threshold=5 edgeitems=1 edgeitems=2 linewidth=120 "
    "profile='short' profile='full' "
    "sci_mode=True sci_mode=False precision=0 threshold=3,edgeitems=1 profile='default'"
).split()


def write(sketch) -> None:
    sketch.add("m.set_printoptions(profile='default')")
    if sketch.chance(0.4):
        sketch.add(f"m.set_printoptions({sketch.pick(OPTIONS)})")
    draw = sketch.random
    shape = tuple(draw.choice([0, 1, 2, 3, 7, 12]) for _ in range(draw.randint(0, 3)))
    numbers = draw.sample(NUMBERS, draw.randint(1, 4))
    sketch.add(f"numbers = [{', '.join(numbers)}]")
    sketch.add(f"x = m.tensor([numbers[(i * i) % {len(numbers)}] for i in range(m.Size({list(shape)}).numel())])")
    kind = sketch.pick(TYPES)
    sketch.add(
        f"x = x.reshape({shape})" + f".to(m.{kind})" * ("int" not in kind or not {"n", "i"} & set("".join(numbers)))
    )
    if sketch.chance(0.3):
        sketch.add("x = x.real.float().requires_grad_()")
        sketch.add(sketch.pick(["x = x * 1", "x = x.exp().reshape(-1)", "x = x.detach()", "x = x[None]"]))
    sketch.add("shown = [repr(x), str(x.dtype), repr(x.shape), f'{x}']")
    sketch.add("number = f'{x:.3f}'")
    sketch.add("m.set_printoptions(profile='default')")
