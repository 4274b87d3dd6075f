"""Loading a `state_dict`: its numbers are copied into a module, name by name.

>>> import minigrad as mg
>>> layer = mg.nn.Linear(1, 1)
>>> layer.load_state_dict({"weight": mg.ones(1, 1)}, strict=False)
_IncompatibleKeys(missing_keys=['bias'], unexpected_keys=[])
>>> layer.weight.item()
1.0
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.modes import no_grad
from ..core.tensor import Tensor
from .parameter import Parameter

if TYPE_CHECKING:
    from .module import Module


EXTRA_STATE = "_extra_state"  # the name of what a module's own `get_extra_state` gives


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` found on one side only."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


def load_state(root: "Module", state_dict: Any, strict: bool, assign: bool) -> IncompatibleKeys:
    """Copy the numbers into this module and all inside it, or take the tensors; what does not fit is told at once."""
    if not hasattr(state_dict, "items"):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    missing: list[str] = []
    unexpected: list[str] = []
    complaints: list[str] = []
    versions = getattr(state_dict, "_metadata", {})
    for path, module in root.named_modules(remove_duplicate=False):
        own: dict[str, Any] = dict(module._own_state())
        prefix = f"{path}." if path else ""
        for name, tensor in own.items():
            if prefix + name in state_dict:
                given = state_dict[prefix + name]
                if isinstance(given, Tensor) and not tensor.ndim and given.shape == (1,):  # old states
                    given = given[0]
                if fits(tensor, prefix + name, given, complaints):
                    if assign and isinstance(tensor, Parameter):
                        own_kind = given if isinstance(given, Parameter) else Parameter(given)
                        setattr(module, name, own_kind.requires_grad_(tensor.requires_grad))
                    elif assign:
                        setattr(module, name, given)
                    else:
                        with no_grad():
                            tensor.copy_(given)
            elif versions.get(path, {}).get("version", 0) >= module._since.get(name, 0):
                missing.append(prefix + name)
        if hasattr(type(module), "set_extra_state"):
            own[EXTRA_STATE] = None  # a name that is expected
            if prefix + EXTRA_STATE in state_dict:
                module.set_extra_state(state_dict[prefix + EXTRA_STATE])
            else:
                missing.append(prefix + EXTRA_STATE)
        for key in state_dict:
            name, dot, _ = key[len(prefix) :].partition(".")
            if key.startswith(prefix) and name not in (module._modules if dot else own):
                unexpected.append(key)
    if strict:
        for found, kind in ((unexpected, "Unexpected"), (missing, "Missing")):
            if found:
                names = ", ".join(f'"{name}"' for name in found)
                complaints.insert(0, f"{kind} key(s) in state_dict: {names}. ")
    if complaints:
        lines = "\n\t".join(complaints)
        raise RuntimeError(f"Error(s) in loading state_dict for {type(root).__name__}:\n\t{lines}")
    return IncompatibleKeys(missing, unexpected)


def fits(tensor: Tensor, key: str, given: Any, complaints: list[str]) -> bool:
    if not isinstance(given, Tensor):
        complaints.append(
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
            f"checkpoint but received {type(given)}"
        )
    elif given.shape != tensor.shape:
        complaints.append(
            f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape in "
            f"current model is {tensor.shape}."
        )
    else:
        return True
    return False
