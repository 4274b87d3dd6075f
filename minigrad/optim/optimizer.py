"""Optimizer: what all ways of improving parameters share."""

import copy
import functools
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ..core.hooks import HookDict, RemovableHandle
from ..core.modes import enable_grad, no_grad
from ..core.tensor import Tensor
from ..numbers.dtypes import typename
from ..tensors.creation import tensor, zeros_like
from ..tensors.history import empty_gradient
from ..words.calling import kind_of, misfitting

Params = Iterable[Tensor] | Iterable[dict[str, Any]]
# options of PyTorch's that our own classes share; but for `maximize` they choose among kernels that are not here
ELSEWHERE = {"maximize": False, "foreach": None, "capturable": False, "differentiable": False, "fused": None}
NEWER = [*ELSEWHERE, "decoupled_weight_decay", "param_names"]  # what a state that was saved years ago does not say


def watched(step: Callable) -> Callable:
    """An optimizer's way to step, counted and with the hooks around it."""

    @functools.wraps(step)
    def run(self: "Optimizer", *args: Any, **options: Any) -> Any:
        if type(self).step is not run:  # called by a subclass, in its own way to step
            return step(self, *args, **options)
        args = (self, *args)
        for hook in tuple(self.before_step.values()):
            answer = hook(self, args, options)
            if answer is not None and not (isinstance(answer, tuple) and len(answer) == 2):
                wanted = "None or a tuple of (new_args, new_kwargs)"
                raise RuntimeError(f"{type(self).__name__}.step must return {wanted}, but got {answer}.")
            args, options = answer or (args, options)
        found = step(*args, **options)
        self.steps_taken += 1
        for hook in tuple(self.after_step.values()):
            hook(self, args, options)
        return found

    return run


class Optimizer:
    """Parameters in groups, each with its options, and what is remembered of each parameter.

    A way of improving is one method, `update`, which changes one parameter along its gradient.

    >>> import minigrad as mg
    >>> class SignDescent(mg.optim.Optimizer):
    ...     def update(self, parameter, gradient, group):
    ...         parameter -= group["lr"] * gradient.sign()
    >>> w = mg.tensor([1.0, -2.0], requires_grad=True)
    >>> (w * w).sum().backward()
    >>> SignDescent([w], {"lr": 0.25}).step()
    >>> w
    tensor([ 0.7500, -1.7500], requires_grad=True)
    """

    before_step = after_step = HookDict()  # empty: an optimizer has its own as soon as there are hooks

    def __init__(self, params: Params, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor) or not isinstance(params, Iterable):
            kind = typename(params) if isinstance(params, Tensor) else type(params).__name__
            is_near = hasattr(params, "parameters") or getattr(params, "__name__", "") == "parameters"
            raise TypeError(
                f"params argument given to the optimizer should be an iterable of Tensors or dicts, but got {kind}"
                + ("\nA module gives its own by model.parameters()" if is_near else "")
            )
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
            self.add_param_group(dict(group) if isinstance(group, dict) else group)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "step" in vars(cls):
            cls.step = watched(cls.step)  # type: ignore[method-assign]

    @classmethod
    def options(cls, own: dict[str, Any], elsewhere: str, given: dict[str, Any]) -> dict[str, Any]:
        """An optimizer's own options, which must be possible, and those that matter on other machines only."""
        for name, value in own.items():
            if name != "betas" and not hasattr(value, "__abs__"):  # as Python's numbers, NumPy's and tensors have
                told = repr(value) if isinstance(value, str | None) else kind_of(value)
                raise TypeError(f"{cls.__name__}: {name} must be a number, but is {told}")
            if name == "betas":
                if not isinstance(value, list | tuple) or len(value) != 2:
                    raise TypeError(f"betas must be two numbers, one for each running mean, but is {value}")
                for index, beta in enumerate(value):
                    if not 0 <= beta < 1:
                        raise ValueError(f"Invalid beta parameter at index {index}: {beta}")
                if not any(all(isinstance(beta, kind) for beta in value) for kind in (float, Tensor)):
                    raise ValueError("betas must be either both floats or both Tensors")
            elif isinstance(value, Tensor) and value.numel() != 1:
                raise ValueError(f"Tensor {name} must be 1-element")
            elif name != "dampening" and (not value >= 0):
                called = {"lr": "learning rate", "eps": "epsilon value"}.get(name, f"{name} value")
                raise ValueError(f"Invalid {called}: {value}")
        others = {name: ELSEWHERE[name] for name in elsewhere.split()}
        for name in given.keys() - others.keys():
            odd = misfitting(f"got an unexpected keyword argument '{name}'", own | others)
            raise TypeError(f"{cls.__name__}.__init__() {odd}")
        found = own | others | given
        if found.get("fused") and found.get("foreach"):
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
        return found

    def update(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        """Improve one parameter; each optimizer has its own way."""
        # The subclass's own part, as with Python's abstract methods.
        raise NotImplementedError(f"{type(self).__name__} must define update(parameter, gradient, group)")

    @watched
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Improve every parameter that has a gradient; `closure` computes the loss and the gradients anew, first.

        >>> import minigrad as mg
        >>> w = mg.tensor([1.0], requires_grad=True)
        >>> optimizer = mg.optim.SGD([w], lr=0.25)
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = (w * w).sum()
        ...     loss.backward()
        ...     return loss
        >>> [optimizer.step(closure).item() for _ in range(3)]
        [1.0, 0.25, 0.0625]
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    gradient = parameter.grad
                    if gradient is not None:
                        gradient = -gradient if group.get("maximize") else gradient
                        self.update(parameter, self.decayed(parameter, gradient, group), group)
        return loss

    def register_step_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step; what it returns takes the place of the arguments."""
        return RemovableHandle(vars(self).setdefault("before_step", HookDict()), hook)

    def register_step_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step.

        >>> import minigrad as mg
        >>> optimizer = mg.optim.SGD([mg.zeros(1, requires_grad=True)], lr=0.1)
        >>> handle = optimizer.register_step_post_hook(lambda *given: print("a step"))
        >>> optimizer.step()
        a step
        """
        return RemovableHandle(vars(self).setdefault("after_step", HookDict()), hook)

    def decayed(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> Tensor:
        """The gradient of the loss and of weight decay, which pulls the parameter towards zero."""
        return gradient + group["weight_decay"] * parameter if group.get("weight_decay") else gradient

    def remembered(self, parameter: Tensor, gradient: Tensor, *names: str) -> Iterable[tuple[Tensor, ...]]:
        """A parameter, its gradient and what is kept by each name; the halves of complex numbers, one by one."""
        memory = self.state[parameter]
        if not memory:
            memory.update({"step": tensor(0.0)}, **{name: zeros_like(parameter) for name in names})
        if not isinstance(memory["step"], Tensor):  # a number, in a state that was kept as text
            memory["step"] = tensor(float(memory["step"]))
        memory["step"] += 1
        found = [parameter, gradient, *(memory[name] for name in names)]
        return zip(*([one.real, one.imag] if one.is_complex() else [one] for one in found))

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Empty every parameter's `.grad`: to None, or to zeros.

        >>> import minigrad as mg
        >>> w = mg.ones(1, requires_grad=True)
        >>> w.sum().backward()
        >>> mg.optim.SGD([w], lr=0.1).zero_grad(set_to_none=False)
        >>> w.grad
        tensor([0.])
        """
        for group in self.param_groups:
            for parameter in group["params"]:
                empty_gradient(parameter, set_to_none)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Improve further parameters, with options of their own.

        >>> import minigrad as mg
        >>> optimizer = mg.optim.SGD([mg.ones(1, requires_grad=True)], lr=0.1)
        >>> optimizer.add_param_group({"params": [mg.ones(1, requires_grad=True)], "lr": 0.5})
        >>> [group["lr"] for group in optimizer.param_groups]
        [0.1, 0.5]
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError("optimizer parameters need to be ordered, which a set is not; use a list instead")
        params = [params] if isinstance(params, Tensor) else list(params)
        names = [one[0] for one in params if isinstance(one, tuple)]
        if 0 < len(names) < len(params):
            raise ValueError("all optimizer params should be with/without names. Some param names are missing")
        if any(("param_names" in one) != bool(names) for one in self.param_groups):
            how = "cannot add param group " + ("with names" if names else "without names")
            raise ValueError(f"all optimizer param groups should be with/without names. {how} to the optimizer")
        if names:
            param_group, params = {**param_group, "param_names": names}, [one[1] for one in params]
        for parameter in params:
            if not isinstance(parameter, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {typename(parameter)}")
            if not (parameter.is_leaf or parameter.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        if len(params) != len(set(params)):
            later = "in future, this will cause an error"
            warnings.warn(f"optimizer contains a parameter group with duplicate parameters; {later}", stacklevel=3)
        if not self._order().keys().isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        group = {**param_group, **self.defaults, **param_group, "params": params}  # in PyTorch's order
        if group.get("differentiable"):
            raise NotImplementedError("differentiable=True is not available here")  # no lesson or document needs it
        self.param_groups.append(group)

    def state_dict(self) -> dict[str, Any]:
        """The options and what is remembered, with numbers for the parameters: what is worth saving.

        >>> import minigrad as mg
        >>> w = mg.ones(1, requires_grad=True)
        >>> optimizer = mg.optim.SGD([w], lr=0.1, momentum=0.9)
        >>> w.sum().backward()
        >>> optimizer.step()
        >>> optimizer.state_dict()["state"]
        {0: {'momentum_buffer': tensor([1.])}}
        """
        order = self._order()
        groups = [dict(group) for group in self.param_groups]
        for group in groups:
            group["params"] = [order[one] for one in group.pop("params")]
        state = {order[one] if isinstance(one, Tensor) else one: kept for one, kept in self.state.items()}
        return {"state": state, "param_groups": groups}

    def _order(self) -> dict[Tensor, int]:
        parameters = (parameter for group in self.param_groups for parameter in group["params"])
        return {parameter: index for index, parameter in enumerate(parameters)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a `state_dict`.

        >>> import minigrad as mg
        >>> first, second = (mg.optim.SGD([mg.ones(1, requires_grad=True)], lr=lr) for lr in (0.1, 0.5))
        >>> second.load_state_dict(first.state_dict())
        >>> second.param_groups[0]["lr"]
        0.1
        """
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
            newer = {name: own[name] for name in NEWER if name in own.keys() - other.keys()}
            self.param_groups[index] = {**copy.deepcopy(other), "params": own["params"], **newer}
        self.state = defaultdict(dict)
        for key, memory in state_dict["state"].items():  # of what belongs to no parameter alone, any key
            one = parameters.get(key, key)
            self.state[one] = fitted(one, memory) if isinstance(one, Tensor) else memory

    def __repr__(self) -> str:
        lines = []
        for index, group in enumerate(self.param_groups):
            options = "".join(f"    {name}: {group[name]}\n" for name in sorted(group) if name != "params")
            lines.append(f"Parameter Group {index}\n{options}")
        return f"{type(self).__name__} (\n" + "\n".join(lines) + ")"


def fitted(parameter: Tensor, memory: dict[str, Any]) -> dict[str, Any]:
    """What is remembered of a parameter, in its type; in PyTorch, too, its memory stays that of the dict."""
    if not parameter.is_floating_point():
        return dict(memory)
    is_typed = {name: isinstance(value, Tensor) and name != "step" for name, value in memory.items()}
    return {name: value.to(parameter.dtype) if is_typed[name] else value for name, value in memory.items()}
