"""A saved notebook keeps what can be seen without a kernel, and Jupyter's server is told to see to it."""

import importlib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat

from widgets import saving

ROOT = Path(__file__).parent.parent.parent
SETTINGS = ROOT / "widgets" / "jupyter"


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
    settings = json.loads((SETTINGS / "jupyter_server_config.json").read_text(encoding="utf-8"))
    (name,) = settings["ServerApp"]["jpserver_extensions"]
    (point,) = importlib.import_module(name)._jupyter_server_extension_points()
    hooks = []
    server = type("Server", (), {"contents_manager": type("Manager", (), {"register_pre_save_hook": hooks.append})})
    importlib.import_module(point["module"])._load_jupyter_server_extension(server)
    assert hooks == [saving.without_widgets]


def test_the_settings_are_installed_where_jupyter_looks():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    installed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert {ROOT / file for file in installed} == set(SETTINGS.iterdir())
    places = {Path(file).name: place for file, place in installed.items()}
    assert places == {
        "jupyter_server_config.json": "etc/jupyter/jupyter_server_config.d/minigrad.json",
        "jupyter_nbconvert_config.json": "etc/jupyter/jupyter_nbconvert_config.json",
        "overrides.json": "share/jupyter/lab/settings/overrides.json",
    }


def test_a_notebook_is_executed_and_exported_without_widgets(tmp_path):
    """By nbconvert, which would keep the state of the widgets otherwise, and ask the network how to show it."""
    cell = nbformat.v4.new_code_cell("import minigrad as mg\nfrom widgets import step\nstep(mg.sin, 0.5)")
    path = tmp_path / "lesson.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", str(path)]
    settings = os.environ | {"JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_CONFIG_PATH": str(SETTINGS)}
    subprocess.run(command, env=settings, check=True, capture_output=True, timeout=120)
    page = path.with_suffix(".html").read_text(encoding="utf-8")
    assert page.count("<iframe sandbox") == 1
    assert "application/vnd.jupyter.widget" not in page
