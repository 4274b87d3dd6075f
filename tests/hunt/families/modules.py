"""What modules answer: names, states, containers that change, sharing, conversions, printed forms, refusals."""

KINDS = True

PARTS = ("m.nn.Linear(2, 3)", "m.nn.Linear(3, 2, bias=False)", "m.nn.BatchNorm1d(3)", "m.nn.ReLU()",
         "m.nn.Flatten()", "m.nn.Dropout(0.2)",
         "m.nn.Sequential(m.nn.Linear(2, 2), m.nn.Tanh())", "m.nn.LayerNorm((2, 3), eps=0.1)", "m.nn.Embedding(4, 2)",
         "m.nn.ModuleList([m.nn.Linear(1, 1), m.nn.Linear(1, 1)])",
         "m.nn.Identity()",
         "m.nn.Conv2d(2, 4, 3, stride=2, padding=1, groups=2)",
         "m.nn.BatchNorm2d(2, affine=False, momentum=None)", "m.nn.BatchNorm1d(2, track_running_stats=False)",
         "m.nn.MaxPool2d(2, 1)", "m.nn.Softmax(dim=1)", "m.nn.LeakyReLU(0.2, inplace=True)")  # fmt: skip
ASK = """repr({n})
[k for k, _ in {n}.named_parameters()]
[k for k, _ in {n}.named_parameters('pre', recurse=False)]
[k for k, _ in {n}.named_parameters(remove_duplicate=False)]
[k for k, _ in {n}.named_buffers()]
[(k, type(part).__name__) for k, part in {n}.named_modules()]
[k for k, _ in {n}.named_modules(remove_duplicate=False)]
[k for k, _ in {n}.named_children()]
list({n}.state_dict())
list({n}.state_dict(prefix='net.'))
[(k, list(v.shape), str(v.dtype).split('.')[-1], v.requires_grad) for k, v in {n}.state_dict(keep_vars=True).items()]
len(list({n}.modules())), len(list({n}.parameters())), len(list({n}.buffers()))
len({n})
[type(part).__name__ for part in {n}]
list({n}.keys())
[p.requires_grad for p in {n}.parameters()], [part.training for part in {n}.modules()]
'{k}' in {n}
sum(p.numel() for p in {n}.parameters())
[str(p.dtype).split('.')[-1] for p in {n}.parameters()]
{n}._modules.keys() == dict({n}.named_children()).keys()
[p.grad is None for p in {n}.parameters()]
{n}.training
{n}.extra_repr()
{n}.load_state_dict({n}.state_dict())
repr({n}.load_state_dict({{}}, strict=False))
{n}.load_state_dict({{}})
sorted({n}.state_dict()) == sorted({o}.state_dict())
hasattr({n}, 'weight'), hasattr({n}, '{k}')
{n}[{i}]
repr({n}[{i}:])
repr({n}[::-1])""".splitlines()
DO = """{n}.append({part})
{n}.insert({i}, {part})
{n}.extend([{part}, {part}])
{n} += [{part}]
del {n}[{i}]
{n}[{i}] = {part}
{n}['{k}'] = {part}
del {n}['{k}']
{n}.{a} = {part}
{n}.{a} = {o}
{n}.{a} = None
{n}.{a} = m.nn.Parameter(m.ones(2))
{n}.{a} = m.ones(2)
{n}.{a} = 7
del {n}.{a}
{n}.add_module('{a}', {part})
{n}.add_module('a.b', {part})
{n}.register_module('{k}', None)
{n}.register_buffer('{a}', m.zeros(2))
{n}.register_buffer('{a}', m.zeros(2), persistent=False)
{n}.register_buffer('{a}', None)
{n}.register_buffer('', m.zeros(1))
{n}.register_parameter('{a}', m.nn.Parameter(m.zeros(3)))
{n}.register_parameter('{a}', m.zeros(3))
{n}.register_parameter('{a}', None)
{n}.eval()
{n}.train()
{n}.train({k})
{n}.double()
{n}.float()
{n}.to(m.float64)
{n}.to(m.int64)
{n}.to('cpu')
{n}.to(m.zeros(1, dtype=m.float64))
{n}.requires_grad_(False)
{n}.zero_grad()
{n}.zero_grad(set_to_none=False)
{n}.apply(lambda part: part.train(False) if isinstance(part, m.nn.Linear) else None)
{n}.apply(lambda part: m.nn.init.zeros_(part.weight) if hasattr(part, 'weight') and part.weight is not None else None)
sum((p ** 2).sum() for p in {n}.parameters()).backward()
{n}.load_state_dict({o}.state_dict())
said = repr({n}.load_state_dict({o}.state_dict(), strict=False))
{n}.load_state_dict({{k: v + 1 for k, v in {n}.state_dict().items()}})
{n}.load_state_dict({{k[1:]: v for k, v in {n}.state_dict().items()}})
{n}.load_state_dict([1])
{n}.load_state_dict({{**{n}.state_dict(), 'more': m.ones(1)}})
import copy; {n} = copy.deepcopy({n})
{n}.update({{'x': {part}}})
{n} = m.nn.Sequential(*{n})
{n}.{a}.weight = {o}[0].weight
{n}[0].weight = {n}[1].weight
{n}[0].bias = None
{n}(m.ones(3, 2))""".splitlines()
CONTAINERS = (
    "m.nn.Sequential({parts})", "m.nn.ModuleList([{parts}])", "m.nn.Sequential()", "Net()",
    "m.nn.Sequential(OrderedDict({named}))", "Net()", "{part}",
)  # fmt: skip
NET = """from collections import OrderedDict
class Net(m.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = {a}
        self.list = m.nn.ModuleList([{b}, self.a])
        self.p = m.nn.Parameter(m.ones(2))
        self.register_buffer('kept', m.ones(1))
        self.register_buffer('passing', m.zeros(1), persistent=False)
    def forward(self, x):
        return self.a(x)
    def extra_repr(self):
        return 'two\\nlines'"""


def write(sketch) -> None:
    pick = sketch.pick
    sketch.add(NET.format(a=pick(PARTS), b=pick(PARTS)))
    for name in "no":
        parts = [pick(PARTS) for _ in range(sketch.random.randint(1, 3))]
        named = "{" + ", ".join(f"{key!r}: {part}" for key, part in zip("abc", parts)) + "}"
        sketch.add(f"{name} = " + pick(CONTAINERS).format(parts=", ".join(parts), named=named, part=parts[0]))
    for i in range(sketch.random.randint(2, 9)):
        one = pick("nno")
        words = {"n": one, "o": "o" if one == "n" else "n", "i": pick((0, 1, -1, 2, 5)), "part": pick(PARTS)}
        words |= {"a": pick(("a", "p", "kept", "new", "list")), "k": pick(("0", "1", "a", "list", "new", "True"))}
        if sketch.chance(0.5):
            sketch.add(pick(DO).format(**words))
        else:
            sketch.add(f"v{i} = " + pick(ASK).format(**words))
