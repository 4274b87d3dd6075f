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
from minigrad.absent import documents
from minigrad.autograd.faults import FAULTS

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
    asked = "import minigrad.absent; print(minigrad.absent.documents())"
    found = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True, env={}).stdout
    assert found.strip() == str(tmp_path / "minigrad" / "docs")
    assert {page.name for page in documents().iterdir()} <= {page.name for page in Path(found.strip()).iterdir()}
