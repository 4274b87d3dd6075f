"""`autograd.functional` with its options: create_graph, vectorize, several inputs, vectors that do not fit."""

FUNCTIONS = (
    "lambda a: a * a|lambda a: a.sum()|lambda a: (a ** 3).sum()|lambda a: a.detach()|lambda a: k|lambda a: k.sum()|"
    "lambda a: (a * 2, a.sin())|lambda a: (a, k)|lambda a, b: a * b|lambda a, b: (a * b).sum()|lambda a, b: a.sum()|"
    "lambda a, b: (a * b, b)|lambda a, b: (a.sum() * b).sum()|lambda a: 3|lambda a: [a, a]|lambda a: a[:1] * x|"
    "lambda a: a.clone().mul_(2)|lambda a: (a @ a)|lambda a: a.mul_(2)|lambda a: a.sum().item() * a|"
    "lambda a: (a * x).sum()|lambda a: a.outer(a)|lambda a: a * 0|lambda a: (a.detach() * a).sum()|lambda a, b: b.sum()"
).split("|")
INPUTS = "x|x.detach()|(x, w)|(x, k)|[x, w]|k|(x,)|3|x[0]|(k, k)|x * 1|(x, 3)|()".split("|")
VECTORS = "None|m.ones(3).double()|(m.ones(3).double(), k)|(k,)|x|m.ones(2).double()|k|(k, k)|3|m.ones(()).double()"
OPTIONS = ("|create_graph=True|vectorize=True|create_graph=False|create_graph=True, vectorize=True").split("|")


def write(sketch) -> None:
    pick = sketch.pick
    sketch.leaf("x", (3,), grad=sketch.chance(0.7))
    sketch.leaf("w", (3,))
    sketch.leaf("k", (3,), grad=False)
    for i in range(sketch.random.randint(1, 3)):
        function, given = pick(FUNCTIONS), pick(INPUTS)
        if sketch.chance(0.7):
            given = "(x, k)" if "b:" in function else pick(["x", "x", "k", "(x,)"])
        options = pick(OPTIONS if sketch.chance(0.7) else [""])
        if sketch.chance(0.5):
            sketch.add(f"r{i} = m.autograd.functional.{pick(['jacobian', 'hessian'])}({function}, {given}, {options})")
        else:
            vector = pick(VECTORS.split("|"))
            if sketch.chance(0.4) and "b:" in function:
                vector = "(k, k)"
            kind = pick(["vjp", "jvp", "vhp", "hvp"])
            sketch.add(f"r{i} = m.autograd.functional.{kind}({function}, {given}, {vector}, {options})")
    sketch.add("flags = [x.requires_grad, x.grad, w.grad, x._version, k.requires_grad]")
