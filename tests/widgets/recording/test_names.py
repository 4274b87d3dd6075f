"""What the user calls a tensor: one answer, whoever asks."""

import sys

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
    assert [name for name in names_of(run) if "." in name] == ["0.weight", "0.bias", "layer.weight", "layer.bias"]


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
