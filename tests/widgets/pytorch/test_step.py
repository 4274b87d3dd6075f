"""`step(loss)` of a loss that PyTorch has computed already, and of a function: nobody's `.grad` changes."""

import pytest

from widgets import program, step

torch = pytest.importorskip("torch")


def sentences(stepper):
    return [frame["say"] for frame in stepper.trace["frames"]]


def test_the_graph_of_a_loss_is_read_and_walked():
    w = torch.tensor(2.0, requires_grad=True)
    w.grad = torch.tensor(7.0)
    before = w.grad
    y = w.sin() * w
    y.retain_grad()
    loss = (y - 1) ** 2
    said = sentences(step(loss))
    assert said[:2] == ["v1 = sin(w) = sin(2) = 0.9093.", "y = v1 * w = 0.9093 * 2 = 1.819."]
    assert "w receives ∂loss/∂v1 · cos(w) = 3.274 × (-0.4161) = -1.363." in said
    assert said[-1] == "w.grad held 7, and a backward adds: now it holds 7 + 0.1261 = 7.126."
    assert w.grad is before and w.grad.item() == 7 and y.grad is None
    loss.backward()  # the graph is still there
    assert w.grad.item() == pytest.approx(7.1261, abs=1e-4)
    with pytest.raises(RuntimeError, match="second time"):
        step(loss)


def test_a_net_is_read_by_the_names_of_its_parameters():
    net = torch.nn.Linear(2, 1)
    w = torch.ones(1)  # whose numbers stand in no part of this net
    loss = net(torch.ones(3, 2)).tanh().square().mean()
    for _ in range(2):
        said = sentences(step(loss))
        assert "v1 = net.weightᵀ." in said and "v3 = net.bias + v2 @ v1." in said
        assert any(one.startswith("net.weight.grad was empty") for one in said)
    assert net.weight.grad is None and w.grad is None


def test_scaled_sums_and_what_else_a_row_does_not_say():
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    said = sentences(step(torch.add(a, b, alpha=3).sum()))
    assert any("b receives AddBackward0" in one and "[3, 3]" in one for one in said)


def test_a_function_of_tensors():
    a = torch.tensor([0.0, 1.0], requires_grad=True)
    said = sentences(step(lambda a: (torch.sin(a) * 2).sum(), a))
    assert said[0] == "v1 = sin(a) = [0, 0.8415]." and a.grad is None
    assert "np.cos(a)" in str(program(lambda a: (torch.sin(a) * 2).sum(), a))


def test_what_cannot_be_stepped_is_refused_in_a_sentence():
    with pytest.raises(RuntimeError, match=r"take its .sum\(\)"):
        step(torch.ones(2, requires_grad=True) * 2)
    with pytest.raises(RuntimeError, match="requires no gradient"):
        step(torch.ones(1))
