"""What stands beside the layers: clipping, first values, data in batches, one-hot and the like."""

KINDS = True
CALLS = (
    "m.nn.utils.clip_grad_norm_({p}, {n})|m.nn.utils.clip_grad_norm_({p}, {n}, norm_type={t})|"
    ""
    ""
    "m.nn.init.constant_({w}, {n})|m.nn.init.zeros_({w})|"
    "m.nn.init.ones_({w})|m.nn.init.calculate_gain('relu')|"
    "m.nn.init.calculate_gain('sine')|m.nn.init.normal_({w}, std={n})|m.nn.init.xavier_uniform_({w})|"
    "m.nn.init.kaiming_uniform_({w}, nonlinearity='relu')|m.nn.init.kaiming_normal_({w}, mode='fan_out')|"
    "m.nn.init.xavier_normal_({w}, {n})|"
    "[b[0] for b in data.DataLoader(data.TensorDataset(x, w), batch_size={k})]|"
    "[b for b in data.DataLoader(range(5), {k}, drop_last=True)]|"
    "[b for b in data.DataLoader([x, w], batch_size={k})]|len(data.DataLoader(range(7), {k}))|"
    "[b for b in data.DataLoader([(1, 'a'), (2, 'b')], 2)]|"
    "[b for b in data.DataLoader([{{'a': 1.5}}, {{'a': 2.5}}], 2)]|data.TensorDataset(x, w)[1]|"
    "data.TensorDataset(x, m.ones(3))|"
    "[b for b in data.DataLoader(range(5), {k}, shuffle=True)]|"
    "F.one_hot(m.tensor([0, 2]), {k})|F.one_hot(m.tensor([0, -1]))|F.one_hot(m.tensor([1.0]))|"
    "F.pad(x, (1, {k}))|F.pad(x, (1,))|"
    "F.embedding(m.tensor([[0, 1]]), x)|F.embedding(m.tensor([{k}]), x)|F.embedding(m.tensor([0.0]), x)|"
    "F.dropout(x, {n})|"
    "x.softmax({d})|F.linear(x, w, x[0])|F.hardtanh(x, 0, {n})"
).split("|")


def write(sketch) -> None:
    pick = sketch.pick
    sketch.add("data = m.utils.data")
    sketch.leaf("x", (2, 2))
    sketch.leaf("w", (2, 2), grad=sketch.chance(0.8))
    if sketch.chance(0.8):
        sketch.add(f"(x * w * {pick(['1', '100', 'm.inf', '0', 'm.nan'])}).sum().backward()")
    for i in range(sketch.random.randint(1, 4)):
        given = {
            "p": pick("[x, w]|x|[x]|(p for p in (x, w))|[]|[x.detach()]|m.nn.Linear(1, 1).parameters()".split("|")),
            "n": pick(["0.5", "1", "0", "-1", "100.0", "float('inf')"]),
            "t": pick(["2", "1", "2.0", "float('inf')", "0.5", "-1"]),
            "w": pick(["x", "w", "w.data", "x[0]", "m.empty(3, 2)", "m.empty(2)", "x * 1"]),
            "k": pick(["1", "2", "3", "0", "4"]), "d": pick(["0", "1", "-1", "2"]),
        }  # fmt: skip
        sketch.add(f"r{i} = {pick(CALLS).format(**given)}")
    sketch.add("after = [one if one is None else one.detach() for one in (x, w, x.grad, w.grad)]")
