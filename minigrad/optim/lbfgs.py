"""L-BFGS: Newton's method, with the curvature guessed from the last steps."""

from collections.abc import Callable
from typing import Any

from ..autograd.grad_mode import enable_grad, no_grad
from ..creation import zeros_like
from ..ops.joining import cat
from ..tensor import Tensor
from .line_search import Trial, strong_wolfe
from .optimizer import Optimizer, Params, check


class LBFGS(Optimizer):
    """Many steps in one: `step(closure)` calls the closure, which must empty the gradients first, again and again.

    >>> import minigrad as mg
    >>> w = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = LBFGS([w])
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = ((w - 3) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> _ = optimizer.step(closure)
    >>> w
    tensor([3.0000, 3.0000], requires_grad=True)
    """

    def __init__(
        self, params: Params, lr: float = 1, max_iter: int = 20, max_eval: int | None = None,
        tolerance_grad: float = 1e-7, tolerance_change: float = 1e-9, history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:  # fmt: skip
        check(lr, "learning rate")
        defaults = {
            "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
            "line_search_fn": line_search_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self.parameters: list[Tensor] = self.param_groups[0]["params"]

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Go downhill for up to `max_iter` steps; returns the loss before the first of them."""
        options, memory = self.param_groups[0], self.state[self.parameters[0]]
        memory.setdefault("func_evals", 0)
        memory.setdefault("n_iter", 0)
        self.steps_taken += 1
        with no_grad():
            first_loss, loss, gradient = self._evaluate(closure)
            evaluations = 1
            flat = largest(gradient) <= options["tolerance_grad"]
            iterations = 0
            while not flat and iterations < options["max_iter"]:
                iterations += 1
                memory["n_iter"] += 1
                direction = self._direction(gradient, memory, options["history_size"])
                size = options["lr"]
                if memory["n_iter"] == 1:
                    size *= min(1.0, 1.0 / gradient.abs().sum().item())
                slope = dot(gradient, direction)
                memory["prev_flat_grad"], memory["prev_loss"] = gradient.clone(), loss
                memory["d"], memory["t"] = direction, size
                if slope > -options["tolerance_change"]:
                    break
                last_loss, spent = loss, 0
                if options["line_search_fn"] is not None:
                    if options["line_search_fn"] != "strong_wolfe":
                        raise RuntimeError("only 'strong_wolfe' is supported")
                    size, loss, gradient, spent = self._search(closure, loss, gradient, direction, size, slope)
                    memory["t"] = size
                else:
                    self._move(size * direction)
                    if iterations != options["max_iter"]:  # after the last step nobody asks
                        _, loss, gradient = self._evaluate(closure)
                        spent = 1
                evaluations += spent
                memory["func_evals"] += spent
                flat = largest(gradient) <= options["tolerance_grad"]
                still = largest(direction * size) <= options["tolerance_change"]
                if still or abs(loss - last_loss) < options["tolerance_change"] or evaluations >= options["max_eval"]:
                    break
            memory["func_evals"] += 1
        return first_loss

    def _evaluate(self, closure: Callable[[], Any]) -> tuple[Any, float, Any]:
        """The loss, also as a number, and all gradients in a row."""
        with enable_grad():
            loss = closure()
        found = [zeros_like(p) if p.grad is None else p.grad for p in self.parameters]
        return loss, float(loss), cat([gradient.reshape(-1) for gradient in found])

    def _move(self, step: Any) -> None:
        """Change all parameters by their parts of a step."""
        start = 0
        for parameter in self.parameters:
            end = start + parameter.numel()
            parameter += step[start:end].reshape(parameter.shape)
            start = end

    def _direction(self, gradient: Any, memory: dict[str, Any], history_size: int) -> Any:
        """Where Newton's method would go: minus the gradient, multiplied by what is known of the inverse curvature."""
        if memory["n_iter"] == 1:
            memory.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return -gradient
        changes, steps, weights = memory["old_dirs"], memory["old_stps"], memory["ro"]
        change, step = gradient - memory["prev_flat_grad"], memory["d"] * memory["t"]
        curvature = dot(change, step)
        if curvature > 1e-10:  # curved upwards, as at a minimum
            for history, new in ((changes, change), (steps, step), (weights, 1.0 / curvature)):
                if len(history) == history_size:
                    history.pop(0)
                history.append(new)
            memory["H_diag"] = curvature / dot(change, change)
        direction, shares = -gradient, []
        for change, step, weight in reversed(list(zip(changes, steps, weights))):
            shares.append(dot(step, direction) * weight)
            direction = direction - shares[-1] * change
        direction = direction * memory["H_diag"]
        for change, step, weight, share in zip(changes, steps, weights, reversed(shares)):
            direction = direction + (share - dot(change, direction) * weight) * step
        return direction

    def _search(
        self, closure: Callable[[], Any], loss: float, gradient: Tensor, direction: Any, size: float, slope: float
    ) -> tuple[float, float, Tensor, int]:
        """The step size that the line search finds, the loss and the gradient there, and how many tries it took."""
        start = [parameter.clone() for parameter in self.parameters]

        def back() -> None:
            for parameter, before in zip(self.parameters, start):
                parameter.copy_(before)

        def trial(at: float) -> Trial:
            self._move(at * direction)
            _, value, found = self._evaluate(closure)
            back()
            return Trial(at, value, found, dot(found, direction))

        best, tries = strong_wolfe(trial, Trial(0.0, loss, gradient, slope), size, largest(direction))
        self._move(best.size * direction)
        return best.size, best.loss, best.gradient, tries


def dot(a: Tensor, b: Tensor) -> float:
    return a.dot(b).item()


def largest(x: Tensor) -> float:
    return x.abs().max().item()
