"""Optimizer: what all ways of improving parameters share."""

import copy
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ..autograd.grad_mode import enable_grad, no_grad
from ..nn.module import clear, typename
from ..tensor import Tensor

Params = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
NAMELESS = "all optimizer params should be with/without names. Some param names are missing"
DUPLICATES = (
    "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see "
    "github.com/pytorch/pytorch/issues/40967 for more information"
)


class Optimizer:
    """Parameters in groups, each with its options, and what is remembered of each parameter.

    A way of improving is one method, `update`, which changes one parameter along its gradient.
    """

    def __init__(self, params: Params, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor) or not isinstance(params, Iterable):
            kind = typename(params) if isinstance(params, Tensor) else type(params).__name__
            is_near = hasattr(params, "parameters") or getattr(params, "__name__", "") == "parameters"
            raise TypeError(
                f"params argument given to the optimizer should be an iterable of Tensors or dicts, but got {kind}"
                + ("\nA module gives its own by model.parameters()" if is_near else "")
            )
        if defaults.get("differentiable"):
            raise NotImplementedError("differentiable=True is not available here: a step is never recorded")
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self.steps_taken = 0
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group))

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        """Improve one parameter; each optimizer has its own way."""
        raise NotImplementedError(f"{type(self).__name__} must define update(parameter, gradient, group)")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Improve every parameter that has a gradient; `closure` computes the loss and the gradients anew, first."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    gradient = parameter.grad
                    if gradient is not None:
                        self.update(parameter, -gradient if group["maximize"] else gradient, group)
        self.steps_taken += 1
        return loss

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Empty every parameter's `.grad`: to None, or to zeros."""
        for group in self.param_groups:
            for parameter in group["params"]:
                clear(parameter, set_to_none)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Improve further parameters, with options of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets "
                "will change between runs. Please use a list instead."
            )
        params = [params] if isinstance(params, Tensor) else list(params)
        group = {**param_group, "params": params}
        named = [isinstance(one, tuple) for one in params]
        if any(named):
            if not all(named):
                raise ValueError(NAMELESS)
            group["params"] = params = [parameter for _, parameter in param_group["params"]]
            group["param_names"] = [name for name, _ in param_group["params"]]
        self._check(params)
        for name, value in self.defaults.items():
            group.setdefault(name, value)
        self.param_groups.append(group)

    def _check(self, params: list) -> None:
        for parameter in params:
            if not isinstance(parameter, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {typename(parameter)}")
            if not (parameter.is_leaf or parameter.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        if len(params) != len(set(params)):
            warnings.warn(DUPLICATES, stacklevel=4)
        if not {parameter for group in self.param_groups for parameter in group["params"]}.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")

    def state_dict(self) -> dict[str, Any]:
        """The options and what is remembered, with numbers for the parameters: what is worth saving."""
        order = self._order()
        groups = []
        for group in self.param_groups:
            options = {name: value for name, value in group.items() if name != "params"}
            groups.append({**options, "params": [order[parameter] for parameter in group["params"]]})
        return {"state": {order[parameter]: kept for parameter, kept in self.state.items()}, "param_groups": groups}

    def _order(self) -> dict[Tensor, int]:
        parameters = (parameter for group in self.param_groups for parameter in group["params"])
        return {parameter: index for index, parameter in enumerate(dict.fromkeys(parameters))}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a `state_dict`."""
        saved = state_dict["param_groups"]
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(own["params"]) != len(other["params"]) for own, other in zip(self.param_groups, saved)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        parameters: dict[int, Tensor] = {}
        for index, (own, other) in enumerate(zip(self.param_groups, saved)):
            parameters.update(zip(other["params"], own["params"]))
            options = copy.deepcopy({name: value for name, value in other.items() if name != "params"})
            names = {"param_names": own["param_names"]} if "param_names" in own else {}
            self.param_groups[index] = {**names, **options, "params": own["params"]}
        kept = {parameters[index]: fitted(parameters[index], memory) for index, memory in state_dict["state"].items()}
        self.state = defaultdict(dict, kept)

    def __repr__(self) -> str:
        lines = []
        for index, group in enumerate(self.param_groups):
            options = "".join(f"    {name}: {group[name]}\n" for name in sorted(group) if name != "params")
            lines.append(f"Parameter Group {index}\n{options}")
        return f"{type(self).__name__} (\n" + "\n".join(lines) + ")"


def fitted(parameter: Tensor, value: Any, name: str = "") -> Any:
    """What is remembered of a parameter, in its type; in PyTorch, too, its memory stays that of the dict."""
    if isinstance(value, dict):
        return {name: fitted(parameter, one, name) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(fitted(parameter, one) for one in value)
    converted = isinstance(value, Tensor) and parameter.is_floating_point() and name != "step"
    return value.to(parameter.dtype) if converted else value


def check(value: Any, called: str) -> None:
    """Refuse a negative option, in PyTorch's words."""
    if not value >= 0:
        raise ValueError(f"Invalid {called}: {value}")
