"""Tensors and NumPy's arrays together: operators, conversions, shared memory, numbers on either side."""

LINES = (
    "r = x * {n}|r = x + {n}|r = {n} * x|r = {n} + x|r = x - {n}|r = x / {n}|r = x ** {n}|r = {n} - x|"
    "r = x > {n}|r = x == {n}|"
    "a = x.detach().numpy()|a = np.array(x.detach())|a = np.asarray(x.detach())|a = x.tolist()|"
    "a = round(x.sum().item(), 4)|"
    "t = m.from_numpy(b); b += 1|t = m.as_tensor(b); b *= 2|t = m.tensor(b); b *= 2|t = x.detach(); t.numpy()[...] = 7|"
    "r = x.detach().numpy() + b|a = round(float(x.sum()), 4)|a = int(x.detach().sum() + 0.005)|"
    "a = bool(x.detach().sum() > 0)|a = len(x)|"
    "a = [float(one) for one in x.flatten()]|a = x.numpy()|a = np.array(x)|"
    "r = m.from_numpy(b).double() @ x.reshape(-1)[:3]|"
    "r = x[np.array([0])]|r = x[np.int64(0)]|a = str(x.detach().numpy().dtype)|x.data.numpy()[...] = 1|"
    "a = x.detach().double().numpy().dtype.name|r = m.tensor(np.float32(1.5)) * x|"
    "t = m.tensor([b.sum(), 2.0])|a = b.dtype.name"
).split("|")


def write(sketch) -> None:
    sketch.leaf("x", sketch.pick([(3,), (2, 3)]), 0.5, 2.0)
    if sketch.chance(0.3):
        sketch.add("x = x.detach().float().requires_grad_()")
    sketch.add(f"b = {sketch.pick(['np.ones(3)', 'np.arange(3)', 'np.ones(3, np.float32)', 'np.arange(6.0)[::2]'])}")
    for _ in range(sketch.random.randint(2, 5)):
        sketch.add(
            sketch.pick(LINES).format(
                n=sketch.pick([f"np.{kind}(2)" for kind in ("float32", "float64", "int64", "int32")])
            )
        )
    if "r" in sketch and getattr(sketch["r"], "requires_grad", False):
        sketch.add("g = first(r, x)")
