"""What surrounds the package: its version, its self-check, and the pages that its errors point to."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

import minigrad
from minigrad import __main__ as selfcheck
from minigrad.faults import FAULTS
from minigrad.words.absent import documents
from widgets import course

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
        assert selfcheck.main([]) > 0
    assert "WRONG" in capsys.readouterr().out


def test_an_error_names_a_page_that_exists():
    with pytest.raises(AttributeError) as caught:
        minigrad.nothing  # noqa: B018
    assert Path(re.search(r"; (.+) lists the names", str(caught.value))[1]).is_file()


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The Python of a fresh environment with our wheel in it, built here; what it depends on is this environment's."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "venv")
    python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index"]
    subprocess.run([*pip, *map(str, folder.glob("*.whl"))], check=True, capture_output=True)
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    return python, packages


def run_in(folder, python, *arguments):
    """A command, where neither this clone nor its settings are seen."""
    seen = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MINIGRAD"))}
    environment = seen | {"HOME": str(folder), "USERPROFILE": str(folder)}
    done = subprocess.run([python, *arguments], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_package_finds_its_pages(installed, tmp_path):
    python, packages = installed
    asked = "import minigrad.words.absent; print(minigrad.words.absent.documents())"
    found = Path(run_in(tmp_path, python, "-c", asked).strip())
    assert found == packages / "minigrad" / "docs"
    assert {page.name for page in documents().iterdir()} <= {page.name for page in found.iterdir()} | {"__pycache__"}


def test_an_installed_package_brings_the_course(installed, tmp_path):
    python, packages = installed
    said = run_in(tmp_path, python, "-m", "minigrad", "lessons")
    own = tmp_path / "minigrad-course"
    assert f"Your lessons are in {own}." in said and "MINIGRAD_COURSE" not in said
    assert [path.name for path in sorted(own.iterdir())] == [path.name for path in course.originals()]
    cells = [cell for path in own.iterdir() for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    assert len(cells) > 60 and not any(cell.get("outputs") for cell in cells)
    assert course.cells(own / "index.ipynb") == course.cells(course.ORIGINALS / "index.ipynb")

    (own / "index.ipynb").write_text("mine")
    first = own / course.originals()[0].name
    first.unlink()
    run_in(tmp_path, python, "-m", "minigrad", "lessons")
    assert (own / "index.ipynb").read_text() == "mine" and first.exists()

    assert "store what they show" in run_in(tmp_path, python, "-m", "widgets.notebooks.refresh", "--help")
    asked = "from widgets.lessons import exercises; print(exercises.ORIGINALS, *exercises.names())"
    names = sorted(path.stem for path in (ROOT / "notebooks" / "exercises").glob("*.py"))
    assert run_in(tmp_path, python, "-c", asked).split() == [str(packages / "widgets" / "notebooks"), *names]


def test_a_folder_of_ones_own_for_the_lessons(installed, tmp_path):
    said = run_in(tmp_path, installed[0], "-m", "minigrad", "lessons", "a class")
    assert f"MINIGRAD_COURSE to {tmp_path / 'a class'}" in said and (tmp_path / "a class" / "index.ipynb").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(AssertionError, match="The lessons could not be copied: "):
        run_in(tmp_path, installed[0], "-m", "minigrad", "lessons", "file")


def test_a_wheel_has_no_solutions_and_no_tests(installed):
    ours = [path.relative_to(installed[1]) for path in installed[1].rglob("*.*")]
    folders = {part for path in ours for part in path.parts[:-1]}
    assert {"minigrad", "minigrad_widgets", "widgets", "notebooks"} <= folders
    assert folders.isdisjoint({"solutions", "tests", "benchmarks"})


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
