"""Copies of leaves, results, views, nets and optimizers: deep, shallow, pickled, cloned; and what each shares."""

MAKE = (
    "x * 2|x[0]|x.view(-1)|x.detach()|x.t()|x.data|m.nn.Parameter(x.detach())|m.nn.Linear(2, 3).double()|x[:1]|"
    "m.nn.Sequential(m.nn.Linear(2, 2), m.nn.BatchNorm1d(2)).double()|"
    "[x, x * 1, x]|{'x': x, 'same': x, 'part': x[0]}|m.nn.Dropout(0.5)"
).split("|")
COPY = (
    "copy.deepcopy({a})|copy.copy({a})|pickle.loads(pickle.dumps({a}))|{a}.clone()|"
    "copy.deepcopy([{a}, {a}, x])|copy.deepcopy({a}.detach())|copy.deepcopy(({a}, w))|m.tensor({a})|"
    "m.as_tensor({a})|m.clone({a})|{a}.new_tensor({a})|copy.deepcopy({a}).requires_grad_()|"
    "{a}.detach().clone()|copy.deepcopy({a}.state_dict())"
).split("|")
CHANGE = (
    "x.data.add_(1)|x.grad = m.ones_like(x)|w.requires_grad_(False)|for p in {a}.parameters(): p.data.mul_(2)|"
    "{a}.grad = None|{a}.mul_(2)|{a}.requires_grad_()|(x * x).sum().backward()|{a}.sum().backward()|"
    "{a}.weight = m.nn.Parameter(x.detach())|{a}.eval()"
).split("|")
ASK = (
    "[{a} is {b}, type({a}).__name__ == type({b}).__name__]|{a}.is_leaf, {b}.requires_grad|"
    "[p.requires_grad for p in {b}.parameters()]|{a}.data_ptr() == {b}.data_ptr()|{b}[0] is {b}[1]|"
    "{b}.grad is {a}.grad|repr({b})|{b}.stride(), {b}.is_contiguous()|{b}.grad_fn is None|{b}.training|"
    "[(k, v is dict({a}.named_parameters())[k]) for k, v in {b}.named_parameters()]"
).split("|")


def write(sketch) -> None:
    sketch.add("import copy, pickle")
    sketch.leaf("x", (2, 2))
    sketch.leaf("w", (2,))
    names = ["x", "w"]
    for i in range(sketch.random.randint(2, 5)):
        a, b = sketch.pick(names), sketch.pick(names)
        kind = sketch.random.random()
        if kind < 0.3:
            names += [f"v{i}"] * sketch.add(f"v{i} = {sketch.pick(MAKE)}")
        elif kind < 0.6:
            names += [f"v{i}"] * sketch.add(f"v{i} = {sketch.pick(COPY).format(a=a)}")
        elif kind < 0.8:
            sketch.add(sketch.pick(CHANGE).format(a=a))
        else:
            sketch.add(f"told{i} = {sketch.pick(ASK).format(a=a, b=b)}")
    sketch.add(f"last = {sketch.pick(ASK).format(a=names[-2], b=names[-1])}")
    sketch.add(f"{names[-1]}.sum().backward()")
