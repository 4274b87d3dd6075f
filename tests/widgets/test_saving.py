"""A saved notebook keeps what can be seen without a kernel, and Jupyter's server is told to see to it."""

import importlib
import json
import tomllib
from pathlib import Path

from widgets import saving

ROOT = Path(__file__).parent.parent.parent


def saved(**data):
    model = {
        "type": "notebook",
        "content": {"cells": [{"source": "text"}, {"outputs": [{"data": data}, {"text": "x"}]}]},
    }
    saving.without_widgets(model=model, path="lesson.ipynb", contents_manager=None)
    return data


def test_a_widget_with_another_form_is_left_out():
    for form in ("text/html", "image/svg+xml", "image/png"):
        assert saved(**{saving.WIDGET: {"model_id": "7"}, form: "…", "text/plain": "…"}) == {
            form: "…",
            "text/plain": "…",
        }


def test_other_widgets_and_other_files_stay():
    slider = {saving.WIDGET: {"model_id": "7"}, "text/plain": "IntSlider(value=3)"}
    assert saved(**slider) == slider
    text = {"type": "file", "content": saving.WIDGET}
    saving.without_widgets(model=text)
    assert text == {"type": "file", "content": saving.WIDGET}


def test_the_server_finds_it():
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    (file,) = wheel["shared-data"]
    (name,) = json.loads((ROOT / file).read_text(encoding="utf-8"))["ServerApp"]["jpserver_extensions"]
    (point,) = importlib.import_module(name)._jupyter_server_extension_points()
    hooks = []
    server = type("Server", (), {"contents_manager": type("Manager", (), {"register_pre_save_hook": hooks.append})})
    importlib.import_module(point["module"])._load_jupyter_server_extension(server)
    assert hooks == [saving.without_widgets]
