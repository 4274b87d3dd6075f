"""What surrounds the package: its version, its self-check, and the pages that its errors point to."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import minigrad
from minigrad import __main__ as selfcheck
from minigrad.faults import FAULTS
from minigrad.words.absent import documents

ROOT = Path(__file__).parents[1]
HATCH = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]


def test_the_version_is_said_once():
    assert re.fullmatch(r"\d+\.\d+\.\d+", minigrad.__version__)
    assert HATCH["version"]["path"] == "minigrad/__init__.py"


def test_the_self_check_passes_and_says_where_to_read_on():
    done = subprocess.run([sys.executable, "-m", "minigrad"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert minigrad.__version__ in done.stdout and "WRONG" not in done.stdout
    folder, names = re.search(r"Read on in (.+): (.+)", done.stdout).groups()
    assert all((Path(folder) / name).is_file() for name in names.split(", "))


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_the_self_check_notices_a_fault(fault, capsys):
    with fault():
        assert selfcheck.main() > 0
    assert "WRONG" in capsys.readouterr().out


def test_an_error_names_a_page_that_exists():
    with pytest.raises(AttributeError) as caught:
        minigrad.nothing  # noqa: B018
    assert Path(re.search(r"; (.+) lists the names", str(caught.value))[1]).is_file()


def test_an_installed_package_finds_its_pages(tmp_path):
    wheel = HATCH["build"]["targets"]["wheel"]
    for source, target in wheel["force-include"].items() | {name: name for name in wheel["packages"]}.items():
        shutil.copytree(ROOT / source, tmp_path / target, dirs_exist_ok=True)
    asked = "import minigrad.words.absent; print(minigrad.words.absent.documents())"
    found = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True, env={}).stdout
    assert found.strip() == str(tmp_path / "minigrad" / "docs")
    assert {page.name for page in documents().iterdir()} <= {page.name for page in Path(found.strip()).iterdir()}


def test_a_widgets_file_of_ones_own_does_no_harm(tmp_path):
    (tmp_path / "widgets.py").write_text("mine = 7\n")
    program = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]\n"
        "import minigrad as mg, widgets\n"
        "from minigrad_widgets import plot_gradient, record\n"
        "with record() as run:\n    mg.sin(mg.tensor(0.5, requires_grad=True)).backward()\n"
        "print(widgets.mine, type(run.step()).__module__)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "7 minigrad_widgets.showing.stepper\n", done.stderr


def test_a_hidden_package_says_so(tmp_path):
    (tmp_path / "widgets.py").write_text("")
    program = f"import sys, IPython; sys.path.insert(0, {str(ROOT)!r}); import minigrad"
    for folder, hidden in ((tmp_path, True), (ROOT, False)):
        done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)
        assert ("from minigrad_widgets import" in done.stderr) is hidden


def test_nothing_is_installed_where_others_look():
    wheel = HATCH["build"]["targets"]["wheel"]
    assert set(wheel) == {"packages", "force-include"}  # no shared data: a server's settings are its own
    assert all((ROOT / package / "py.typed").exists() for package in wheel["packages"])
