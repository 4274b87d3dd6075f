"""A PyTorch net in the stepper, on its page: each step says and shows PyTorch's numbers, forward and back."""

import pytest

from widgets import record

torch = pytest.importorskip("torch")
nn = torch.nn


def trained():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x, y = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[1.0], [0.0]])
    with record() as run:
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    return net, run


def test_a_net_is_walked_to_its_end_and_back(page, tmp_path):
    net, run = trained()
    run.save(tmp_path / "net.html")
    page.goto((tmp_path / "net.html").as_uri())
    stepper = page.locator(".mg-stepper")
    stepper.wait_for()
    say, boxes = page.locator(".mg-say"), page.locator(".mg-graph .mg-node")
    page.keyboard.press("Home")
    for frame in run.trace["frames"]:
        page.keyboard.press("ArrowRight")
        shown = say.text_content()
        assert shown.startswith(frame["say"].split("=")[0].strip()[:20]), frame["say"]
    titles = [box.locator("text.title").first.text_content() for box in boxes.all()]
    assert "v3 = tanh(v2)" in titles and "net[0].weight" in titles
    assert {"0: Linear", "1: Tanh", "2: Linear"} <= set(page.locator(".mg-graph text").all_text_contents())
    bias = next(box for box in boxes.all() if box.locator("text.title").first.text_content() == "net[2].bias")
    assert f"{net[2].bias.grad.item():.4g}" in bias.text_content()
    for _ in run.trace["frames"]:
        page.keyboard.press("ArrowLeft")
    assert stepper.get_attribute("data-index") == "0"
