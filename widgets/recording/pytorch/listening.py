"""The forward of PyTorch as minigrad's events: each of its operators, where the user's line calls it.

A dispatch mode hears the operators that run, below PyTorch's autograd: a Linear is heard as `t` and `addmm`, as its
graph has it. A function mode, or a tensor of a class of our own, would make some modules take another way.
"""

import contextlib
import os
import threading
import warnings
from functools import partial
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from minigrad.autograd import events
from minigrad.words.source import PACKAGES, is_ours

from ...words import say
from ..known import MODULE_CALLS, MODULES, RECORDING, STAND_INS, UPDATES
from . import private, rows
from .backward import Backward
from .known import Known
from .nodes import NodeStandIn
from .numbers import kept, mailbox
from .tensors import Values

SILENT = frozenset(  # operators that make new memory, or look at old memory
    "detach alias lift_fresh lift_fresh_copy _local_scalar_dense equal is_same_size empty_like ones_like zeros_like "
    "full_like rand_like randn_like randint_like new_empty new_zeros new_ones new_full new_empty_strided".split()
)
INSIDE = tuple(  # of operators that begin so, all results but the first are for PyTorch alone
    "native_ _native _scaled_dot_product log_sigmoid_forward nll_loss _linalg_det _linalg_solve_ex _embedding_bag "
    "_weight_norm_interface".split()
)


def introduced() -> None:
    """Frames of PyTorch are not the user's; its modules and optimizers are what they are."""
    package = os.path.dirname(torch.__file__) + os.sep
    if package not in PACKAGES:
        PACKAGES.append(package)
        is_ours.cache_clear()
        MODULES.append(torch.nn.Module)
        MODULE_CALLS.add(private.MODULE_CALL)
        UPDATES.update(private.UPDATES)


def is_differentiable(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


class Listening(TorchDispatchMode):
    """While it runs, PyTorch is heard in this thread. One within another adds nothing: all listeners hear the first."""

    running: dict[int, "Listening"] = {}  # by thread

    def __init__(self) -> None:
        super().__init__()
        introduced()
        self.known = Known()
        self.backwards: list[Backward] = []  # those that run, the innermost last
        self._last = private.count()  # how many nodes there were after the last operator
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> "Listening":
        self._thread = threading.get_ident()
        if self._thread not in self.running:
            self.running[self._thread] = self
            self._undo.callback(self.running.pop, self._thread)
            self._list(STAND_INS, self.known.stand_in)
            self._list(RECORDING, torch.is_grad_enabled)
            self._own_backward = self._replace(torch.autograd, private.BACKWARD, self._backward)
            self._own_apply = self._replace(torch.autograd.Function, "apply", classmethod(self._apply))
            for name, own, replacing in ("grad", private.GRAD, self._set_grad), ("data", private.DATA, self._set_data):
                setattr(torch.Tensor, name, property(own.__get__, replacing, own.__delete__))
                self._undo.callback(delattr, torch.Tensor, name)
            super().__enter__()
            self._undo.push(super().__exit__)
            self._undo.callback(self.known.forget)
        return self

    def __exit__(self, *error: Any) -> None:
        self._undo.__exit__(*error)
        for failure in self.known.failures[:1]:
            warnings.warn(say("stepper.untold", error=repr(failure)), stacklevel=3)

    def _list(self, table: list, entry: Any) -> None:
        table.append(entry)
        self._undo.callback(table.remove, entry)

    def _replace(self, owner: Any, name: str, ours: Any) -> Any:
        """Put something of ours in a place of PyTorch's until this ends; gives what stood there."""
        own = vars(owner)[name]
        setattr(owner, name, ours)
        self._undo.callback(setattr, owner, name, own)
        return own

    @property
    def heard(self) -> bool:
        """Whether PyTorch did anything."""
        return self.known.operations > 0

    def _is_heard(self, kind: type) -> bool:
        return threading.get_ident() == self._thread and kind in events.kinds_heard()

    # -- operators -------------------------------------------------------------------------------------------------

    def __torch_dispatch__(self, operator: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        options, its, count = kwargs or {}, private.signature(operator), private.count()
        self.known.operations += 1
        target = args[0] if args and 0 in its.written and count > self._last else None
        # What gets a history only now, nobody may have met: `y = torch.zeros(2)` is no operation on anything.
        before = kept(target) if isinstance(target, torch.Tensor) and not target.requires_grad else None
        result = operator(*args, **options)
        if its.name not in SILENT:
            in_backward = self.backwards and not torch.is_grad_enabled()
            if not in_backward and not its.name.startswith("_foreach") and self._is_heard(events.Made):
                numbers = range(self._last, count)
                self.known.tries(self._made, its, args, options, result, numbers, before)
            for i in its.written:
                written: Any = args[i] if i < len(args) else options.get(its.arguments[i][0])
                self.known.tries(self._changed, its.name, written)
                if its.name.startswith("_foreach"):  # while a mode is there, PyTorch does not count it
                    private.count_a_change(rows.tensors_in(written))
        self._last = private.count()
        return result

    def _made(
        self, its: private.Signature, args: tuple, options: dict, result: Any, numbers: range, before: Any
    ) -> None:
        """An operator ran; if it made a node, that has one of these numbers."""
        given, outputs = list(rows.tensors_in([*args, *options.values()])), list(rows.tensors_in([result]))
        if not outputs or not given:
            return
        op, found = rows.row_of(its, args, options)
        values = Values(self.known.tensor(one) if isinstance(one, torch.Tensor) else one for one in found)
        values.asked = [self.known.tensor(one) for one in given if not any(one is other for other in found)]
        node = None
        if numbers and torch.is_grad_enabled() and any(map(is_differentiable, outputs)):
            node = NodeStandIn(op, numbers[-1], values, its.name)
            node = node if any(node.edges) else None
        if node is not None:
            self.known.heard(node, numbers[0])
        several = getattr(op, "outputs", None)
        if not several and (hasattr(op, "rules") or its.name.startswith(INSIDE)):
            outputs = outputs[:1]
        outputs[1:] = [one for one in outputs[1:] if one.numel() or is_differentiable(one)]  # not what nobody asked for
        self._tell(op, values, outputs, node, bool(several) or len(outputs) > 1, before)

    def _tell(
        self, op: Any, values: list, outputs: list, node: NodeStandIn | None, several: bool, before: Any = None
    ) -> None:
        stand_ins, index = [self.known.tensor(one) for one in outputs], 0
        for tensor, stand_in in zip(outputs, stand_ins):
            has_history = node is not None and is_differentiable(tensor)
            stand_in.is_made_by((node, index) if has_history else None)
            index += has_history
        if node is not None:
            node.outputs = index
        events.tell(events.Made(op, values, tuple(stand_ins) if several else stand_ins[0], node, 0, 0, before=before))

    def _changed(self, name: str, written: Any) -> None:
        """An operator wrote into a tensor, or into several."""
        for tensor in rows.tensors_in([written]):
            is_met, zeroes = self.known.has_met(tensor), "zero" in name
            others = [one for one, _ in self.known.tensors() if one is not tensor] if zeroes or not is_met else []
            is_mail = any(mailbox(one) is tensor for one in others)
            if is_met or is_mail:
                version = private.version(tensor) + 1  # which PyTorch counts when the operator has returned
                events.tell(events.Mutated(self.known.tensor(tensor), rows.Named(name), version))
            if is_mail and zeroes:
                events.tell(events.Zeroed(self.known.tensor(tensor), None, kept(tensor)))

    # -- what is no operator ---------------------------------------------------------------------------------------

    def _backward(self, outputs: Any, *args: Any, **options: Any) -> Any:
        if not self._is_heard(events.Seeded):
            return self._own_backward(outputs, *args, **options)
        self.known.operations += 1
        hearing = partial(private.hearing, self)
        with Backward(self.known, self.backwards, hearing, outputs, *args[:3]) as backward:
            try:
                # While a mode is there, PyTorch computes some derivatives in another way, with other roundings.
                with hearing() if backward.create else private.deaf(self):
                    return self._own_backward(outputs, *args, **options)
            finally:
                self.known.operations += 1
                self._last = private.count()

    def _apply(self, function: type, *args: Any, **options: Any) -> Any:
        """A Function of the user's."""
        result = self._own_apply.__get__(None, function)(*args, **options)
        self.known.tries(self._applied, function, args, result)
        return result

    def _applied(self, function: type, args: tuple, result: Any) -> None:
        outputs = list(rows.tensors_in([result]))
        made = next((one.grad_fn for one in outputs if one.grad_fn is not None), None)
        if made is not None and self._is_heard(events.Made):
            self.known.operations += 1
            op, given = rows.Named(function.__name__), [self.known.tensor(one) for one in rows.tensors_in(args)]
            node = self.known.nodes[private.number(made)] = NodeStandIn(op, private.number(made), given, op.name)
            self._last = private.count()
            self._tell(op, given, outputs, node, len(outputs) > 1)

    def _set_grad(self, tensor: torch.Tensor, value: Any) -> None:
        before = mailbox(tensor)
        private.GRAD.__set__(tensor, value)
        if value is None and before is not None and self._is_heard(events.Zeroed):
            self.known.tries(events.tell, events.Zeroed(self.known.tensor(tensor), None, None))

    def _set_data(self, tensor: torch.Tensor, value: Any) -> None:
        private.DATA.__set__(tensor, value)
        if self._is_heard(events.Mutated) and self.known.has_met(tensor):
            stand_in = self.known.tensor(tensor)
            stand_in.memory = self.known.memory(tensor)
            self.known.tries(events.tell, events.Mutated(stand_in, rows.Named("data"), private.version(tensor)))
