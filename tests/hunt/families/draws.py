"""Random numbers from one seed: every function that draws, in all types and shapes, one after another."""

CALLS = (
    "m.rand({s})|m.randn({s})|m.randint(5, ({s},))|m.randint(-3, 100, ({s},))|m.randperm(7)|"
    "m.rand({s}, dtype=m.float64)|m.randn({s}, dtype=m.float64)|m.rand_like(x)|m.randn_like(x)|"
    "m.bernoulli(x.abs().clamp(max=1))|m.normal(0.0, 1.0, ({s},))|m.empty({s}).normal_(1, 2)|"
    "m.empty({s}).uniform_(-1, 1)|m.empty({s}).bernoulli_(0.3)|F.dropout(x, 0.3)|F.dropout(x.double(), 0.5)|"
    "m.multinomial(x.abs(), 2)|m.multinomial(x.abs(), 3, replacement=True)|m.nn.Linear(2, 3).weight|"
    "m.nn.Linear(3, 2).bias|m.nn.Conv2d(1, 2, 2).weight|m.nn.Embedding(3, 2).weight|"
    "m.nn.init.xavier_uniform_(m.empty(2, 3))|m.nn.init.kaiming_normal_(m.empty(2, 3))|"
    "m.nn.init.normal_(m.empty({s}))|m.nn.init.uniform_(m.empty({s}))|"
    "m.nn.init.orthogonal_(m.empty(2, 2)).abs()|m.randint(2, ({s},), dtype=m.uint8)|m.manual_seed({n})|"
    "m.initial_seed()|m.rand({s}, {s}).t()|m.rand(())|m.randn(0)|m.randn(2, 0, 3)|"
    "m.nn.init.kaiming_uniform_(m.empty(3, 2), a=1)|m.randn(17)|m.rand(100).sum() * 0.1|"
    "m.Generator().manual_seed({n}).initial_seed()|m.rand(2, generator=m.Generator().manual_seed({n}))|"
    "x.clone().normal_()"
).split("|")


def write(sketch) -> None:
    sketch.add(f"m.manual_seed({sketch.random.randrange(1000)})")
    sketch.add("x = m.tensor([0.3, 0.6, 0.9])")
    for i in range(sketch.random.randint(2, 7)):
        call = sketch.pick(CALLS).format(s=sketch.pick([1, 2, 5, 15, 16, 17, 33]), n=sketch.random.randrange(50))
        sketch.add(f"v{i} = {call}")
    sketch.add("end = m.rand(2)")
