"""pyproject.toml is the one list of dependencies: environment.yml and requirements.lock agree with it."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
FILES = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in ("pyproject.toml", "environment.yml", "requirements.lock")
}
# conda-forge's names for the same packages
PYPI_NAME = {
    "python-graphviz": "graphviz",
    "matplotlib-base": "matplotlib",
    "playwright-python": "playwright",
}


def wanted(pyproject: str) -> dict[str, SpecifierSet]:
    """What a learner or developer gets: the dependencies and the test extra; never torch or a benchmark rival."""
    project = tomllib.loads(pyproject)["project"]
    requirements = map(Requirement, project["dependencies"] + project["optional-dependencies"]["test"])
    return {"python": SpecifierSet(project["requires-python"])} | {r.name: r.specifier for r in requirements}


def environment_drift(pyproject: str, environment: str) -> list[str]:
    """Where environment.yml differs from pyproject.toml, one sentence each."""
    entries = yaml.safe_load(environment)["dependencies"]
    from_pip = next(e["pip"] for e in entries if isinstance(e, dict))
    lines = [e for e in entries if isinstance(e, str) and e != "pip"] + [e for e in from_pip if e != "-e ."]
    # A conda match spec as simple as ours reads like a pip requirement.
    found = {PYPI_NAME.get(r.name, r.name): r.specifier for r in map(Requirement, lines)}
    asked = wanted(pyproject)
    problems = [f"{name} is missing from environment.yml" for name in sorted(asked.keys() - found.keys())]
    problems += [f"{name} is not in pyproject.toml" for name in sorted(found.keys() - asked.keys())]
    both = sorted(asked.keys() & found.keys())
    problems += [f"{n}: pyproject {asked[n]}, environment.yml {found[n]}" for n in both if asked[n] != found[n]]
    return problems + ["environment.yml does not install the project"] * ("-e ." not in from_pip)


def lock_drift(pyproject: str, lock: str) -> list[str]:
    """Where requirements.lock does not give what pyproject.toml asks for, or would only work on one machine."""
    lines = [line for line in lock.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    problems = [f"not a plain pin: {x}" for x in lines if not re.fullmatch(r"[\w.-]+==[\w.!+]+( ; .+)?", x)]
    pins = [Requirement(line) for line in lines] if not problems else []
    asked = {canonicalize_name(name): spec for name, spec in wanted(pyproject).items() if name != "python"}
    locked = {canonicalize_name(pin.name) for pin in pins}
    problems += [f"{name} is not locked" for name in sorted(asked.keys() - locked)]
    problems += ["torch is locked, a learner would download it"] * ("torch" in locked)
    for pin in pins:
        version = str(pin.specifier).removeprefix("==")
        if not asked.get(canonicalize_name(pin.name), SpecifierSet()).contains(version, prereleases=True):
            problems.append(f"{pin.name} {version} is locked, pyproject.toml asks for another")
    return problems


def drift(files: dict[str, str]) -> list[str]:
    pyproject = files["pyproject.toml"]
    return environment_drift(pyproject, files["environment.yml"]) + lock_drift(pyproject, files["requirements.lock"])


def test_the_three_files_agree():
    assert drift(FILES) == []


def test_no_file_names_a_machine_or_a_registry():
    text = FILES["requirements.lock"] + FILES["environment.yml"] + FILES["pyproject.toml"]
    assert not re.search(r"://|index.url|find.links|file:|/home/|/Users/", text)


@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("pyproject.toml", '"numpy>=2.3"', '"numpy>=2.2"', "numpy"),
        ("pyproject.toml", '"numpy>=2.3"', '"numpy>=99"', "numpy"),
        ("pyproject.toml", '"nbval>=0.11",', "", "nbval"),
        ("pyproject.toml", '"nbval>=0.11",', '"nbval>=0.11", "scipy>=1.15",', "scipy"),
        ("pyproject.toml", 'requires-python = ">=3.11"', 'requires-python = ">=3.12"', "python"),
        ("environment.yml", "- python>=3.11", "- python>=3.10", "python"),
        ("environment.yml", "- jupyterlab>=4.4,<5", "- jupyterlab>=4.4", "jupyterlab"),
        ("environment.yml", "  - anywidget>=0.9.18\n", "", "anywidget"),
        ("environment.yml", "- pygraphviz>=2.0.4", "- pygraphviz>=1.14", "pygraphviz"),
        ("environment.yml", "- pip:", "- pip:\n      - torch", "torch"),
        ("environment.yml", "- -e .", "- pygraphviz>=2.0.4", "install the project"),
        ("requirements.lock", "\njupyterlab==4.", "\njupyterlab==3.", "jupyterlab"),
        ("requirements.lock", "\nanywidget==", "\nanother-widget==", "anywidget is not locked"),
        ("requirements.lock", "\nanyio==", "\ntorch==2.13.0\nanyio==", "torch"),
        ("requirements.lock", "\nanyio==", "\n--find-links elsewhere\nanyio==", "plain pin"),
        ("requirements.lock", "\nanyio==", "\nx @ file:///x.whl\nanyio==", "plain pin"),
    ],
)
def test_a_planted_drift_is_noticed(file, old, new, named):
    assert old in FILES[file]
    assert any(named in problem for problem in drift(FILES | {file: FILES[file].replace(old, new, 1)}))
