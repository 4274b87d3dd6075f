"""PyTorch's names that have no meaning here, each with one sentence that says so and what to use instead.

>>> import minigrad as mg
>>> mg.cuda.is_available()
False
>>> mg.jit
Traceback (most recent call last):
    ...
AttributeError: minigrad.jit does not exist: nothing is exported here; compile(function) makes a function quicker
"""

import functools
import importlib
import re
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

# the rooms in which a name is looked for that was asked of another one, as `torch.Linear`
ROOMS = "nn optim optim.lr_scheduler utils.data autograd autograd.functional nn.functional nn.init linalg func".split()
# The methods of tensors among them; what is said of each name stands in absent.txt, which is read when it is needed.
METHODS = """
cholesky quantile nanquantile mode histc unique_consecutive aminmax scatter_reduce index_reduce put nextafter
gcd lcm ldexp bitwise_left_shift bitwise_right_shift conj_physical bfloat16 to_sparse values indices sparse_resize_
sparse_resize_and_clear_ resize_as_sparse_ apply_ map_ map2_ set_ resize_ resize_as_ cauchy_ log_normal_ geometric_
exponential_ storage untyped_storage fill_diagonal_ cuda pin_memory share_memory_
""".split()


@functools.cache
def sentences() -> dict[str, str]:
    """The sentence for each name, from lines `name name: sentence`.

    >>> sentences()["sparse"]
    'all tensors are dense; use zeros and indexing'
    """
    from pathlib import Path  # with all that it brings, it takes a tenth of the import

    table = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    entries = re.findall(r"^(\w[\w. ]*): (.+)$", table, re.MULTILINE)
    return {name: sentence for names, sentence in entries for name in names.split()}


def refusal(name: str) -> Callable:
    """A method that only says what to use instead."""

    def refuse(*args, **options):  # the name exists so that who looks for it is told what to use
        raise NotImplementedError(f"{name} is not available here: {sentences()[name]}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "Not available: called, it says what to use instead."
    refuse.instead = lambda: sentences()[name]  # type: ignore[attr-defined]
    return refuse


def answer(module: str, later: Mapping[str, str] = types.MappingProxyType({})) -> Callable[[str], Any]:
    """The `__getattr__` of a module: it says of a name that is not there why, and imports what is there when asked.

    Args:
        later: the names of the module that are imported when first asked for, and where each stands.
    """

    def found(name: str) -> Any:
        if name not in later:
            raise error(module, name)
        place = importlib.import_module(f".{later[name]}", module)
        return place if later[name] == name else getattr(place, name)

    return found


def error(module: str, name: str) -> AttributeError:
    """Why a module has no such name."""
    if name in sentences():
        why = f"{module}.{name} does not exist: {sentences()[name]}"
    else:
        why = f"module '{module}' has no attribute '{name}'; {documents() / 'names.md'} lists the names that work"
        here = sys.modules[module]
        offered = vars(here).get("__all__", dir(here))
        known = [one for one in offered if not isinstance(vars(here).get(one), dict | tuple | str)]  # not our tables
        if not name.startswith("_"):  # tools ask
            why += nearest(name, known, 1) or elsewhere(name) or nearest(name, known)
    return AttributeError(why, name=name, obj=None)  # without an object Python adds no guess of its own


def documents():
    """The folder of the documents: inside an installed package, beside it in a copy of the repository."""
    from pathlib import Path

    package = Path(__file__).parents[1]
    return package / "docs" if (package / "docs").exists() else package.parent / "docs"


def nearest(name: str, names: Iterable[str], likeness: float = 0.6) -> str:
    """The name that was meant, if one is close; a notebook does not show the one that Python would guess.

    >>> nearest("gard", ["grad", "data"]), nearest("Sgd", ["SGD"]), nearest("x", ["y"])
    (". Did you mean 'grad'?", ". Did you mean 'SGD'?", '')
    """
    import difflib  # only for an error

    known = {one.lower(): one for one in sorted(names, reverse=True) if not one.startswith("_")}
    found = difflib.get_close_matches(name.lower(), known, 1, likeness)
    return f". Did you mean '{known[found[0]]}'?" if found else ""


def elsewhere(name: str) -> str:
    """Where a name stands that was looked for in another module; to ask imports none of those that are not yet there.

    >>> import minigrad.nn
    >>> elsewhere("Linear"), elsewhere("backward")
    (". Did you mean 'nn.Linear'?", ". Did you mean 'Tensor.backward'?")
    """
    package = __name__.partition(".")[0]
    rooms = {"Tensor": sys.modules[package].Tensor} | {room: sys.modules.get(f"{package}.{room}") for room in ROOMS}
    found = next((room for room, inside in rooms.items() if name in dir(inside)), None)
    return f". Did you mean '{found}.{name}'?" if found else ""


class Absent(types.SimpleNamespace):
    """The few answers of a device that is not there; any other name is told to be absent."""

    def __init__(self, **answers) -> None:
        super().__init__(is_available=lambda: False, device_count=lambda: 0, **answers)

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"there is no '{name}' here: this engine runs on the CPU only")


cuda = Absent(
    synchronize=lambda: None,
    empty_cache=lambda: None,
    manual_seed=lambda seed: None,
    manual_seed_all=lambda seed: None,
)
accelerator = Absent(current_accelerator=lambda: None)
backends = Absent(cudnn=Absent(enabled=False, version=lambda: None), mps=Absent(), cuda=Absent())
