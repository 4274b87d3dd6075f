#!/usr/bin/env python3
"""Set minigrad up and start it, with nothing but Python 3.11 or newer.

    python3 go.py lab      [jupyter lab options]   open JupyterLab on the course, on copies of your own
    python3 go.py test     [pytest options]        run all tests: engine, widgets, notebooks, browser
    python3 go.py refresh  [--check] [notebooks]   execute the notebooks and store what they show
    python3 go.py site     [folder]                build the course as static pages (docs/site.md)
    python3 go.py lock     [--upgrade]             resolve requirements.lock from pyproject.toml
    python3 go.py setup                            only make .venv, or bring it up to date

The first call installs the packages of requirements.lock into .venv, beside this file. `lab` copies the
lessons into the folder minigrad-course of your home folder, or into the one that MINIGRAD_COURSE names,
where they are missing. Nothing else on the machine is changed. On Windows, write `py` for `python3`.
"""

import hashlib
import json
import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = str(BIN / ("python.exe" if os.name == "nt" else "python"))
LOCK = ROOT / "requirements.lock"
# Written last: a .venv without it is half made. It tells from what the .venv was made.
STAMP = VENV / "minigrad-ready.json"

PIP = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
IS_ROOT = os.name != "nt" and os.geteuid() == 0
COMMANDS = {
    "lab": [
        *("-m", "jupyterlab", "--LabApp.default_url=/lab/tree/index.ipynb"),
        # No question about news covers the first lesson, nobody is asked for updates, and Node.js does not look for
        # something to build: the settings are ours alone.
        f"--LabApp.app_settings_dir={ROOT / 'notebooks' / 'lab'}",
        "--LabApp.extension_manager=readonly",
        *["--allow-root"]
        * IS_ROOT,  # root is who one is in most containers; Jupyter refuses to start there unless told
    ],
    # A process more than cores: one waits for a browser. A file stays in one of them, as a notebook's cells need each
    # other; but see tests/conftest.py.
    "test": ["-m", "pytest", f"--numprocesses={min(4, os.cpu_count() or 1) + 1}", "--dist=loadfile"],
    "refresh": [str(ROOT / "notebooks" / "refresh.py")],
    "site": ["-m", "widgets.site"],
}


def fail(what, remedy):
    sys.exit(f"minigrad: {what}. {remedy}")


def say(what):
    print(f"minigrad: {what}", file=sys.stderr, flush=True)


def interpreter():
    """Version and place of .venv's own Python; empty if it does not start."""
    code = "import sys; print(*sys.version_info[:2], sys.prefix)"
    try:
        return subprocess.run([PYTHON, "-I", "-c", code], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def wanted_packages():
    """A fingerprint of what must be installed: the lock and the parts of pyproject.toml that matter to it."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [project["build-system"], project["project"], project["tool"]["hatch"], LOCK.read_text(encoding="utf-8")]
    return hashlib.sha256(json.dumps(wanted).encode()).hexdigest()


def make_venv():
    """An empty .venv with pip, in place of whatever was there."""
    try:
        import venv

        venv.create(VENV, clear=True, with_pip=True, symlinks=os.name != "nt")
    except (ImportError, subprocess.CalledProcessError):
        fail(
            "this Python cannot make a virtual environment",
            "Install its venv part (Debian, Ubuntu: apt install python3-venv), then try again",
        )


def get_uv():
    """Put uv into .venv; whether it is there."""
    return subprocess.call([*PIP, "uv"], cwd=ROOT) == 0


def install_packages(extra):
    """Everything in one call: by uv, which is four times as fast, or by pip where uv cannot be had or fails."""
    what = ["--constraint", LOCK.name, "--editable", f".{extra}"]
    loud = [] if sys.stderr.isatty() else ["--quiet"]  # a person sees what is fetched; a log does not need it
    uv = [PYTHON, "-m", "uv", "pip", "install", *loud, "--python", PYTHON]
    if get_uv() and subprocess.call([*uv, *what], cwd=ROOT) == 0:
        return
    if subprocess.call([*PIP, *what], cwd=ROOT) != 0:
        fail(
            "the packages of requirements.lock could not be installed; the lines above say why",
            "Check the network and the disk (1 GB is needed), then try again",
        )


def set_up(extra):
    """Make .venv what requirements.lock and pyproject.toml ask for; do nothing if it is.

    A learner gets what the lessons need; the tests' packages ("[test]") come with the first command that needs them.
    """
    made_by, packages = interpreter(), wanted_packages()
    try:
        done = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        done = []
    if made_by and done[:2] == [made_by, packages] and extra in ("", *done[2:]):
        return
    extra = extra or "".join(done[2:])  # what is there stays there
    size = "1 GB" if extra else "500 MB"
    say(f"setting up .venv: once, about 15 s on a fast network, {size} of disk; one moment")
    start = time.monotonic()
    if not made_by or done[:1] != [made_by]:
        make_venv()  # never finished, moved, or its Python was replaced: nothing in it can be trusted
    STAMP.unlink(missing_ok=True)
    install_packages(extra)
    STAMP.write_text(json.dumps([interpreter(), packages, extra]), encoding="utf-8")
    say(f"set up in {time.monotonic() - start:.0f} s")


def lessons():
    """The options of JupyterLab that open the learner's copies, which are made if need be."""
    course = runpy.run_path(str(ROOT / "widgets" / "course.py"))
    folder = course["make_copies"]()
    os.environ["MINIGRAD_COURSE"] = str(folder)  # the kernels ask for it
    say(f"your notebooks are in {folder}; JupyterLab opens in some seconds, and Ctrl-C here ends it")
    return [f"--ServerApp.root_dir={folder}"]


def resolve_lock(options):
    """Write requirements.lock anew. Needs uv only: the old lock may contradict the new pyproject.toml."""
    if not interpreter():
        make_venv()
    if not get_uv():
        fail("uv, which resolves the lock, could not be installed", "Check the network, then try again")
    command = "-m uv pip compile pyproject.toml --extra=test --universal --python-version=3.11 --no-python-downloads"
    header = "--custom-compile-command=python3 go.py lock"
    run([*command.split(), header, "--quiet", f"--output-file={LOCK.name}", *options])


def run(arguments, folder=ROOT):
    """Hand this process over to a command in .venv, which works in a folder."""
    os.environ.update(PATH=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}", VIRTUAL_ENV=str(VENV))
    os.chdir(folder)
    if os.name != "nt":
        os.execv(PYTHON, [PYTHON, *arguments])  # no parent stays behind: Ctrl-C and kill reach the command itself
    signal.signal(signal.SIGINT, lambda *_: None)  # on Windows we wait, and leave Ctrl-C to the command
    sys.exit(subprocess.call([PYTHON, *arguments]))


def main():
    if sys.version_info < (3, 11):
        fail(
            "Python 3.11 or newer is needed, this is " + sys.version.split()[0],
            "Install one and call it by name, for example: python3.12 go.py lab",
        )
    command, *options = sys.argv[1:] or ["--help"]
    if command in ("-h", "--help", "help"):
        print(__doc__.strip())
        return
    if command not in (*COMMANDS, "lock", "setup"):
        fail(f"there is no command '{command}'", "python3 go.py --help lists them")
    try:
        if command == "lock":
            resolve_lock(options)
        set_up("" if command == "lab" else "[test]")
        opened = lessons() if command == "lab" else []
    except OSError as error:
        fail(
            f"the set-up stopped ({error})",
            "Check the disk and your rights to this folder, delete .venv, and try again",
        )
    except KeyboardInterrupt:
        fail("the set-up was interrupted", "The same command starts it afresh")
    if command in COMMANDS:
        # Notebooks to refresh are named from where one stands.
        run(COMMANDS[command] + opened + options, Path.cwd() if command == "refresh" else ROOT)


if __name__ == "__main__":
    main()
