"""What nets of every kind of module print, hold, count and name; and what is asked of them in the wrong way."""

KINDS = True
MODULES = (
    "m.nn.Linear({i}, {o}{b})|m.nn.Conv1d(2, 4, 3{c})|m.nn.Conv2d(2, 2, ({i}, {o}){c})|"
    "m.nn.ConvTranspose2d(2, 4, {i}{c})|m.nn.BatchNorm1d({i}, eps=0.1)|m.nn.BatchNorm2d(3, affine=False)|"
    "m.nn.LayerNorm({i})|m.nn.LayerNorm(({i}, {o}), elementwise_affine=False)|m.nn.Dropout(0.{i})|"
    "m.nn.Embedding({i}, {o})|m.nn.Embedding(3, 2, padding_idx=1)|"
    "m.nn.ReLU(inplace=True)|m.nn.LeakyReLU(0.{i})|m.nn.ELU()|m.nn.GELU('tanh')|m.nn.Softmax(dim={i})|"
    "m.nn.LogSoftmax(1)|m.nn.Flatten()|m.nn.Flatten(0, {i})|"
    "m.nn.MaxPool2d({i}, {o})|m.nn.AvgPool2d(2, padding=1)|m.nn.AdaptiveAvgPool2d(({i}, None))|"
    "m.nn.MSELoss(reduction='sum')|"
    "m.nn.CrossEntropyLoss(ignore_index={i})|m.nn.BCEWithLogitsLoss()|m.nn.HuberLoss(delta=2.0)|"
    "m.nn.Identity(3, a=4)|m.nn.Sequential()|m.nn.Tanh()|"
    "m.nn.Softplus(2)|m.nn.SiLU()|m.nn.Sigmoid()|m.nn.ModuleList()|m.nn.Sequential({{'a': m.nn.Tanh()}})|"
    "m.nn.Linear(0, 2)|m.nn.Linear(2.5, 2)|m.nn.Linear(-1, 2)|m.nn.Conv2d(3, 4, 2, groups=2)|m.nn.Dropout(2)|"
    "m.nn.Softmax()|m.nn.Module()|m.nn.Conv2d(2, 2, 3, padding='same')"
).split("|")
ASK = (
    "repr({n})|str(m.nn.Sequential({n}, {n}))|[name for name, _ in {n}.named_parameters()]|"
    "[(k, v.shape) for k, v in {n}.state_dict().items()]|"
    "[name for name, _ in {n}.named_modules()]|len(list({n}.parameters()))|"
    "sum(p.numel() for p in {n}.parameters())|{n}.training|{n}.extra_repr()|"
    "[type(c).__name__ for c in {n}.children()]|{n}.weight.shape|{n}.bias is None|{n}.eval().training|{n}.nothing|"
    "{n}()|"
    "[name for name, _ in {n}.named_buffers()]|{n}.double() is {n}|{n}.to(m.float64) is {n}|"
    "type({n}.weight).__name__|{n}.requires_grad_(False) is {n}|{n}.register_buffer('weight', None)|"
    "{n}.register_parameter('p', m.ones(1))|"
    "{n}.register_parameter('p', m.nn.Parameter(m.ones(1)))|{n}.add_module('k', 3)|setattr({n}, 'weight', 3)|"
    ""
    "{n}.zero_grad()|[type(k).__name__ for k in {n}.modules()]|{n}.train('yes')|{n}.load_state_dict({{}})|"
    "hasattr({n}, 'weight')|{n}.apply(len) is {n}|bool({n})|{n} == {n}"
).split("|")


def write(sketch) -> None:
    pick, names = sketch.pick, []
    for i in range(sketch.random.randint(1, 2)):
        given = {
            "i": pick("123"), "o": pick("123"), "b": pick(["", ", bias=False", ", dtype=m.float64"]),
            "c": pick(["", ", stride=2", ", padding=1, bias=False", ", dilation=2, groups=2", ", padding=(1,)"]),
        }  # fmt: skip
        names += [f"n{i}"] * sketch.add(f"n{i} = {pick(MODULES).format(**given)}")
    if names and sketch.chance(0.3):
        sketch.add(f"n9 = m.nn.Sequential({', '.join(names)})")
        names.append("n9")
    for i in range(sketch.random.randint(1, 4) if names else 0):
        sketch.add(f"told{i} = {pick(ASK).format(n=pick(names))}")
