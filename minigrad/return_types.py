"""What operations with several results return: tuples whose parts have names, and print as PyTorch's do.

>>> import minigrad as mg
>>> found = mg.tensor([[1, 3], [4, 2]]).max(1)
>>> found
minigrad.return_types.max(
values=tensor([3, 4]),
indices=tensor([1, 0]))
>>> found.values is found[0]
True
"""

from operator import itemgetter
from typing import Any

from .words import printing


class Results(tuple):
    """A tuple whose parts have the names that its class lists."""

    _fields: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        for place, name in enumerate(cls._fields):
            setattr(cls, name, property(itemgetter(place)))

    def __new__(cls, *parts: Any) -> Any:
        return tuple.__new__(cls, parts)

    def __getattr__(self, name: str) -> Any:
        kind, parts = f"{printing.options.namespace}.return_types.{type(self).__name__}", " and ".join(self._fields)
        hint = "" if name.startswith("__") else f"; it is a tuple of {parts}"  # tools ask
        raise AttributeError(f"'{kind}' object has no attribute '{name}'{hint}", name=name, obj=self)

    def __getnewargs__(self) -> tuple:
        return tuple(self)

    def __repr__(self) -> str:
        parts = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
        return f"{printing.options.namespace}.return_types.{type(self).__name__}(\n{parts})"


PARTS = {
    **dict.fromkeys("max min median nanmedian sort topk kthvalue cummax cummin".split(), "values indices"),
    **dict.fromkeys(("slogdet", "linalg_slogdet"), "sign logabsdet"),
    "linalg_eigh": "eigenvalues eigenvectors",
    "linalg_qr": "Q R",
    "linalg_svd": "U S Vh",
    "qr": "Q R",
    "svd": "U S V",
}
NAMED = {  # one for each operation, because each prints its name
    name: type(name, (Results,), {"__module__": __name__, "_fields": tuple(parts.split())})
    for name, parts in PARTS.items()
}
globals().update(NAMED)
