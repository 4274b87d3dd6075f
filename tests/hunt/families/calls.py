"""Any function or method of the table, with arguments of any kind: numbers, tensors of all shapes and types, none.

Only True is left out, which Python takes for 1 wherever PyTorch does not."""

from minigrad import ops

STATEFUL = "bernoulli multinomial normal rand randn randint randperm empty dropout apply_ map_ map2_".split()
FUNCTIONS = sorted(name for name in ops.functions if name.strip("_") not in STATEFUL)
POOL = (
    "x y z i b h c s t x[:1] x[0] y.T x.detach() x.flatten() y[..., 0] x.unsqueeze(0) None 0 1 2 -1 0.5 -2.0 1j "
    "(0,) (1,0) [0] [1,-1] (2,3) m.float32 m.int64 'mean' [x,y] [x,x] (y,y)"
).split()
KEYWORDS = "dim=0 dim=1 dim=-1 keepdim=True dtype=m.float64 dim=(0,1) dim=None".split()


def write(sketch) -> None:
    sketch.leaf("x", sketch.pick([(), (2,), (2, 3), (3, 3), (1, 3), (2, 2, 2)]))
    sketch.leaf("y", sketch.pick([(), (3,), (2, 3), (3, 2), (3, 3), (1,), (0,)]))
    sketch.leaf("z", (2, 3), low=0.1, high=0.9, grad=sketch.chance(0.5))
    sketch.add("i = m.tensor([0, 1, 1])")
    sketch.add("b = m.tensor([True, False, True])")
    sketch.add("h = m.tensor([[0.5, 1.5, -2.0]])")
    sketch.add("c = m.tensor([1 + 2j, -0.5j, 3])")
    sketch.add("s, t = m.tensor(2), m.tensor(0.3, dtype=m.float64)")
    for k in range(sketch.random.randint(2, 5)):
        name = sketch.pick(FUNCTIONS)
        given = [sketch.pick(POOL) for _ in range(sketch.pick([0, 0, 1, 1, 2]))]
        given += [sketch.pick(KEYWORDS)] * sketch.chance(0.25)
        first = sketch.pick("xxxyyzzibhcst")
        called, arguments = ("m", [first, *given]) if sketch.chance(0.5) else (first, given)
        sketch.add(f"v{k} = {called}.{name}({', '.join(arguments)})")
        value = sketch.space.get(f"v{k}")
        for one, tensor in enumerate(value if isinstance(value, tuple) else [value]):
            if getattr(tensor, "requires_grad", False) and not tensor.is_leaf:
                place = f"v{k}[{one}]" if isinstance(value, tuple) else f"v{k}"
                sketch.add(f"g{k} = {sketch.pick(['first', 'second'])}({place}, x, y)")
