"""What the user calls a tensor: one answer, whoever asks."""

import sys

import pytest

import minigrad as mg
from minigrad import nn, optim
from widgets import draw
from widgets.recording.moments import place
from widgets.recording.names import Names, variables
from widgets.showing.run import record


def names_of(run) -> list[str]:
    return [node["name"] for node in run.trace["nodes"] if node["kind"] in ("leaf", "parameter", "input")]


def test_the_first_name_stays():
    x, names = mg.tensor(1.0), Names()
    names.give([("x", x), ("same", x)])
    names.give([("later", x)])
    assert names.by_place == {place(x): "x"}


def test_a_frame_names_its_own_variables_before_those_of_its_module():
    x = _hidden = mg.tensor(1.0)
    assert [name for name, tensor in variables(sys._getframe()) if tensor is x] == ["x"]
    assert variables(None) == []


def test_parameters_bear_their_modules_names_also_before_the_first_call():
    layer = nn.Linear(2, 1)
    model = nn.Sequential(nn.Linear(1, 2), layer)
    optimizer = optim.SGD(model.parameters(), 0.1)
    model(mg.ones(1, 1)).sum().backward()
    with record() as run:
        optimizer.zero_grad()
        model(mg.ones(1, 1)).sum().backward()
    names = [name for name in names_of(run) if "." in name]
    assert names == ["model[0].weight", "model[0].bias", "layer.weight", "layer.bias"]


def test_parameters_in_two_rows_of_layers_are_told_apart():
    class Both(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder, self.decoder = nn.Sequential(nn.Linear(2, 1)), nn.Sequential(nn.Linear(1, 2))

        def forward(self, x):
            return self.decoder(self.encoder(x))

    model, first, second = Both(), nn.Sequential(nn.Linear(2, 1)), nn.Sequential(nn.Linear(1, 2))
    for run_it, names in (model, ("encoder", "decoder")), (lambda x: second(first(x)), ("first", "second")):
        with record() as run:
            run_it(mg.ones(1, 2)).sum().backward()
        wanted = [f"{name}[0].{part}" for name in names for part in ("weight", "bias")]
        assert [node["name"] for node in run.trace["nodes"] if node["kind"] == "parameter"] == wanted


def test_a_parameter_of_one_layer_is_called_after_the_variable():
    line = nn.Linear(1, 1)
    assert "line.weight" in draw(line(mg.ones(1, 1))).outline
    with record() as run:
        line.weight.sum().backward()
    assert names_of(run) == ["line.weight"]


def test_a_variable_goes_before_the_way_through_the_modules():
    line = nn.Linear(1, 1)
    w = line.weight
    with record() as run:
        line(mg.ones(1, 1)).sum().backward()
    assert "w" in names_of(run) and "line.weight" not in names_of(run) and w is line.weight


class Line:
    """A model without a module."""

    def __init__(self):
        self.w = mg.tensor(2.0, requires_grad=True)
        self.b = mg.tensor(1.0, requires_grad=True)

    def loss(self, x, y): return (self.w * x + self.b - y) ** 2  # fmt: skip

    def update(self):
        with mg.no_grad():
            for p in (self.w, self.b):
                p -= 0.1 * p.grad
                p.grad = None


def test_attributes_are_called_as_they_are_written_and_not_after_the_variable_of_a_loop():
    line, x, y = Line(), mg.tensor(3.0), mg.tensor(5.0)
    with record() as run:
        for _ in range(2):
            line.loss(x, y).backward()
            line.update()
    assert names_of(run) == ["self.w", "x", "self.b", "y"]
    line.loss(x, y).backward()
    with record() as run:
        line.update()
        line.loss(x, y).backward()
    assert names_of(run) == ["self.w", "self.b", "x", "y"]


def test_a_title_is_never_the_head_of_a_function():
    line = Line()
    with record() as run:
        line.loss(mg.tensor(3.0), mg.tensor(5.0)).backward()
    assert run.trace["title"] == "v4 = (self.w * x + self.b - y) ** 2"


def results_of(run) -> list[str]:
    return [node["name"] for node in run.trace["nodes"] if node["kind"] == "operation"]


def test_elements_of_lists_and_dictionaries_are_called_as_they_are_written():
    params = {"w": mg.tensor(2.0, requires_grad=True), "b": mg.tensor(1.0, requires_grad=True)}
    ws = [mg.tensor(float(i), requires_grad=True) for i in range(3)]
    with record() as run:
        h = params["w"] * 3 + params["b"]
        for i in range(2):
            h = h * ws[i]
        h = h * ws[-1]
    assert names_of(run) == ['params["w"]', 'params["b"]', "ws[0]", "ws[1]", "ws[2]"]


def test_what_a_loop_goes_through_is_called_after_it():
    ws, data = [mg.tensor(float(i), requires_grad=True) for i in range(2)], [mg.tensor(1.0), mg.tensor(2.0)]
    with record() as run:
        parts = [w * x for w, x in zip(ws, data)]
        total = sum(parts)
    assert names_of(run) == ["ws[0]", "data[0]", "ws[1]", "data[1]"]
    assert results_of(run) == ["parts[0]", "parts[1]", "v1", "total"] and total.ndim == 0


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(2, 6), nn.Linear(2, 1)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        a, b = q * k, k + v
        self.seen = a * b
        return self.out(self.seen)


def test_results_that_are_unpacked_in_a_method():
    model = Heads()
    with record() as run:
        y = model(mg.ones(1, 2))
    outs = [node["name"] for node in run.trace["nodes"] if node["kind"] in ("operation", "output")]
    assert [name for name in outs if name[0] != "v" or name == "v"] == ["q", "k", "v", "a", "b", "self.seen", "y"]
    assert y.ndim == 2


class Trainer:
    def __init__(self):
        self.model, self.layers = Heads(), [nn.Linear(1, 1)]
        self.optimizer = optim.SGD([*self.model.parameters(), *self.layers[0].parameters()], lr=0.1)

    def step(self):
        self.optimizer.zero_grad()
        loss = self.layers[0](self.model(mg.ones(1, 2))).sum()
        loss.backward()


def test_parameters_bear_the_names_of_modules_that_an_object_holds_also_when_they_are_zeroed_first():
    trainer = Trainer()
    trainer.step()
    with record() as run:
        trainer.step()
    parameters = [node["name"] for node in run.trace["nodes"] if node["kind"] == "parameter"]
    heads = [f"self.model.{layer}.{which}" for layer in ("qkv", "out") for which in ("weight", "bias")]
    assert parameters == [*heads, "self.layers[0].weight", "self.layers[0].bias"]
    assert [group["name"] for group in run.trace["groups"]][1:3] == ["self.model: Heads", "qkv: Linear"]


def test_parameters_that_nobody_can_name_at_first_get_their_names_later():
    def train(optimizer, model):
        optimizer.zero_grad()
        run_it(model)

    def run_it(call):
        call().sum().backward()

    model = nn.Sequential(nn.Linear(1, 1))
    optimizer, call = optim.SGD(model.parameters(), 0.1), model.forward
    model(mg.ones(1, 1)).sum().backward()
    del model
    with record() as run:
        train(optimizer, lambda: call.__self__(mg.ones(1, 1)))
    assert [node["name"] for node in run.trace["nodes"] if node["kind"] == "parameter"] == ["0.weight", "0.bias"]


def test_what_is_looked_up_is_never_run():
    class Loud:
        def __getitem__(self, key):
            raise AssertionError("it was run")

        @property
        def w(self):
            raise AssertionError("it was run")

    loud, x = Loud(), mg.tensor(2.0, requires_grad=True)
    with record() as run:
        y = x * 2 if x.ndim == 0 else loud["w"] * loud.w
    assert names_of(run) == ["x"] and y.ndim == 0


def test_what_is_computed_later_without_a_graph_is_not_there_from_the_start():
    w, x = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0)
    with record() as run:
        (w * x).backward()
        with mg.no_grad():
            scale = w.abs() * 7
        y = w * scale
    starts = {node["name"]: node.get("start", {}) for node in run.trace["nodes"]}
    assert "value" in starts["w"] and "value" in starts["x"] and starts["scale"] == {}
    frame = run.trace["frames"][-1]
    assert [field for _, field, *_ in frame["changes"]] == ["value", "value"] and y.ndim == 0


def test_what_is_given_is_called_as_the_variable_that_keeps_it():
    for x in mg.tensor(0.5, requires_grad=True), mg.tensor(0.5):
        given = x
        with record() as run:
            y = given
            for _ in range(2):
                y = y.sin()
        lines = run.equations().splitlines()
        assert lines == ["y = sin(given) = sin(0.5) = 0.4794", "y₂ = sin(y) = sin(0.4794) = 0.4613"]


def test_the_gradient_of_a_leaf_is_that_of_the_variable_that_keeps_it():
    x = mg.tensor(0.5, requires_grad=True)
    with record() as run:
        y = x
        y = y.sin()
        y.backward()
    assert run.equations().endswith("x.grad = 0.8776")


def test_minigrad_may_go_by_the_name_of_pytorch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", mg)
    with record() as run:
        a = mg.tensor(2.0, requires_grad=True)
        (a * a).backward()
    assert run.trace["frames"][-1]["say"] == "a.grad was empty: now it holds 4."


@pytest.mark.parametrize("shape", [(), (2,)])
def test_what_a_rule_gets_of_what_a_node_kept_is_no_other_tensor(shape):
    x, c = mg.ones(shape, requires_grad=True), mg.full(shape, 5.0)
    with record() as run:
        y = (c * x**2).sum()
        (dy,) = mg.autograd.grad(y, x, create_graph=True)
        mg.autograd.grad(dy.sum(), x, create_graph=True)
    labels = [node["label"] for node in run.trace["nodes"]]
    assert labels.count("c") == 1 and any(label.endswith("* c") for label in labels)
    assert all(name in ("x", "c") or name[0] == "∂" for name in names_of(run))


def leaf(number):
    return mg.tensor(number, requires_grad=True)


class Chain:
    """A learner's own class: no module, though its method is called as theirs."""

    def __init__(self):
        self.layers = [(leaf(0.5), leaf(0.25)), (leaf(2.0), leaf(1.0))]

    def forward(self, x):
        for w, b in self.layers:
            x = w * x + b
        return x


class Neuron:
    def __init__(self):
        self.w = [leaf(0.5), leaf(2.0)]

    def __call__(self, x):
        return sum(w * one for w, one in zip(self.w, x, strict=True))


def test_what_a_loop_goes_through_is_found_deep_inside_of_what_a_variable_holds():
    chain, net = Chain(), {"layers": [{"w": leaf(2.0)}, {"w": leaf(3.0)}]}
    with record() as run:
        chain.forward(leaf(1.0)).backward()
    assert {f"self.layers[{i}][{j}]" for i in range(2) for j in range(2)} < set(names_of(run))
    with record() as run:
        y = leaf(1.0)
        for layer in net["layers"]:
            y = layer["w"] * y
    assert {'net["layers"][0]["w"]', 'net["layers"][1]["w"]'} < set(names_of(run))


def test_what_a_generator_goes_through_is_called_as_in_the_function_around_it():
    first, last = [Neuron(), Neuron()], Neuron()
    with record() as run:
        hidden = [neuron([1.0, 2.0]) for neuron in first]
        last(hidden)
    assert "self.w[0]₃ * x[0] = 0.5 * 4.5 = 2.25" in run.equations()


def test_a_circle_of_many_lists_is_not_gone_through_for_ever():
    circle: list = []
    circle += [circle] * 1000
    with record() as run:
        y = leaf(2.0) * 3
    assert run.equations() == "y = v1 * 3 = 2 * 3 = 6" and y.item() == 6 and circle[0] is circle


def test_a_choice_is_called_as_the_variable_that_gets_it_and_its_comparisons_are_not():
    a, b = leaf(2.0), leaf(3.0)
    with record() as run:
        most = max([a * 1, b * 1])
    assert most.item() == 3
    assert run.equations().splitlines() == [
        "v1 = a * 1 = 2 * 1 = 2", "most = b * 1 = 3 * 1 = 3", "v2 = (most > v1) = (3 > 2) = True",
    ]  # fmt: skip


def test_what_is_cut_off_from_its_history_has_a_line_before_it_is_used():
    a, b = leaf(2.0), leaf(3.0)
    with record() as run:
        y = a * b
        z = y.detach() * b + y.data
    assert z.item() == 24
    assert run.equations().splitlines()[1:3] == ["v1 = y.detach()", "v2 = v1 * b = 6 * 3 = 18"]
