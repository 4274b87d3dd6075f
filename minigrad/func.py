"""Functions of functions: a function goes in, and another that computes its derivative comes out.

>>> import minigrad as mg
>>> slope = grad(mg.sin)
>>> slope(mg.tensor(0.0)), grad(slope)(mg.tensor(0.0))
(tensor(1.), tensor(-0.))

They may be nested at will, and no `.grad` is touched. Arguments and results may be tuples, lists and dicts of Tensors.
"""

import functools
from collections.abc import Callable, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakValueDictionary

from .autograd import forward_ad, is_grad_enabled
from .autograd import grad as gradients
from .autograd.grad_mode import dual_levels, enable_grad, transforms, under
from .autograd.reverse import implicit_gradient
from .batching import repeated
from .batching import vmap as vmap
from .creation import zeros, zeros_like
from .dtypes import is_differentiable
from .ops.joining import stack
from .tensor import Tensor, wrap
from .trees import each, leaves, refilled, structure

# == gradients =============================================================================================


def grad(func: Callable, argnums: int | tuple = 0, has_aux: bool = False) -> Callable:
    """The function that computes the gradient of `func`, which returns one number.

    Args:
        argnums: the argument, or the tuple of arguments, with respect to which to differentiate.
        has_aux: `func` returns `(number, anything)`, and the new function `(gradient, anything)`.

    >>> import minigrad as mg
    >>> grad(lambda x, y: x**2 * y, argnums=(0, 1))(mg.tensor(3.0), mg.tensor(2.0))
    (tensor(12.), tensor(9.))
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient_of(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient_of


def grad_and_value(func: Callable, argnums: int | tuple = 0, has_aux: bool = False) -> Callable:
    """As `grad`, but the new function returns the gradient and the value: `(gradient, (value, aux))` with `has_aux`.

    >>> import minigrad as mg
    >>> grad_and_value(mg.exp)(mg.tensor(0.0))
    (tensor(1.), tensor(1.))
    """

    @functools.wraps(func)
    def gradient_and_value(*args, **kwargs):
        rest, chosen = _chosen(func, argnums, args, kwargs)
        run = _Run("grad_and_value(f)(*args)", rest, chosen, has_aux)
        found = refilled(chosen, run.pull([wrap(implicit_gradient(run.output.array))]))
        return _single(found, argnums), (run.output, run.aux) if has_aux else run.output

    return gradient_and_value


def vjp(func: Callable, *primals: Any, has_aux: bool = False) -> tuple:
    """`func(*primals)`, and a function that turns a vector v, shaped as the output, into vᵀJ: one part per argument.

    >>> import minigrad as mg
    >>> value, pull = vjp(lambda x: x**2, mg.tensor([1.0, 2.0]))
    >>> pull(mg.tensor([1.0, 10.0]))
    (tensor([ 2., 40.]),)
    """
    run = _Run(VJP, func, primals, has_aux)

    def vjp_fn(cotangents):
        if structure(cotangents) != structure(run.output):
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                f"function. cotangents: {structure(cotangents)}, primal output: {structure(run.output)}"
            )
        return refilled(primals, run.pull(leaves(cotangents)))

    return (run.output, vjp_fn, run.aux) if has_aux else (run.output, vjp_fn)


def jvp(func: Callable, primals: tuple, tangents: tuple, *, strict: bool = False, has_aux: bool = False) -> tuple:
    """`func(*primals)`, and Jv: how it changes when the arguments change in the direction `tangents`.

    Computed in forward mode. Where one is under way already (`jvp` of a `jvp`) the inner one takes two backwards:
    uᵀJ is linear in u, and its derivative with respect to u in the direction v is Jv.

    >>> import minigrad as mg
    >>> jvp(lambda x: x**2, (mg.tensor([1.0, 2.0]),), (mg.tensor([1.0, 10.0]),))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    if structure(primals) != structure(tangents):
        raise RuntimeError(
            f"{JVP}: Expected primals and tangents to have the same python structure. For example, if primals is a "
            f"tuple of 3 tensors, tangents also must be. Got primals with structure {structure(primals)} and tangents "
            f"with structure {structure(tangents)}"
        )
    places, directions = leaves(primals), leaves(tangents)
    for role, given in (("primals", places), ("tangents", directions)):
        if not given:
            raise RuntimeError(f"{JVP}: Expected {role} to contain at least one Tensor.")
        for one in given:
            if not isinstance(one, Tensor):
                raise RuntimeError(f"{JVP}: Expected {role} to only contain Tensors, got {type(one)}")
    if "jvp" in transforms:
        run = _Run(JVP, func, primals, has_aux)
        back = _Run(JVP, lambda *u: run.pull(u), [zeros_like(one) for one in run.outputs])
        moved = [run.settled(one) for one in back.pull(directions)]
        output, aux = run.output, run.aux
    else:
        with forward_ad.dual_level(), under("jvp"):
            duals = refilled(primals, map(forward_ad.make_dual, places, directions))
            output, aux = _returned(JVP, func(*duals), has_aux)
            pairs = [forward_ad.unpack_dual(one) for one in leaves(output)]
            aux = each(lambda one: forward_ad.unpack_dual(one).primal, aux) if has_aux else None
        if strict and any(one.tangent is None for one in pairs):
            raise RuntimeError(
                "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not "
                "allowed with strict=True."
            )
        output = refilled(output, [one.primal for one in pairs])
        moved = [zeros_like(one.primal) if one.tangent is None else one.tangent for one in pairs]
    moved = refilled(output, moved)
    return (output, moved, aux) if has_aux else (output, moved)


def linearize(func: Callable, *primals: Any) -> tuple:
    """`func(*primals)`, and the function that turns directions, one for each argument, into Jv at this very place.

    >>> import minigrad as mg
    >>> value, push = linearize(lambda x: x**2, mg.tensor([1.0, 2.0]))
    >>> push(mg.tensor([1.0, 10.0]))
    tensor([ 2., 40.])
    """

    def jvp_fn(*tangents):
        if structure(tangents) != structure(primals):
            raise RuntimeError(
                f"Expected the tangents {structure(tangents)} to have the same argspec as the primals "
                f"{structure(primals)}"
            )
        for i, pair in enumerate(zip(leaves(tangents), leaves(primals))):
            for fact in ("shape", "dtype"):
                own, wanted = (getattr(one, fact) for one in pair)
                if own != wanted:
                    raise RuntimeError(
                        f"tangent:{i} with {fact} {own} in flattened pytree doesn't match the {fact} {wanted} of the "
                        "corresponding primal."
                    )
        return jvp(func, primals, tangents)[1]

    return func(*primals), jvp_fn


# == matrices ==============================================================================================


def jacrev(func: Callable, argnums: int | tuple = 0, *, has_aux: bool = False, chunk_size: int | None = None):
    """The function that computes the Jacobian of `func` row by row: one backward for each number of the output.

    >>> import minigrad as mg
    >>> jacrev(lambda x: x**2)(mg.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def jacobian(*args, **kwargs):
        rest, chosen = _chosen(func, argnums, args, kwargs)
        run, blocks = _Run(VJP, rest, chosen, has_aux), []
        _check_real("jacrev", run.inputs, run.outputs)
        for o, out in enumerate(run.outputs):
            rows = [run.pull(_basis(run.outputs, o, k)) for k in range(out.numel())]
            columns = zip(*rows) if rows else [()] * len(run.inputs)
            block = [_block(column, 0, out, one) for column, one in zip(columns, run.inputs)]
            blocks.append(_single(refilled(chosen, block), argnums))
        matrix = refilled(run.output, blocks)
        return (matrix, run.aux) if has_aux else matrix

    return jacobian


def jacfwd(func: Callable, argnums: int | tuple = 0, has_aux: bool = False, *, randomness: str = "error"):
    """The function that computes the Jacobian of `func` column by column: one `jvp` for each number of the input.

    >>> import minigrad as mg
    >>> jacfwd(lambda x: mg.stack([x.sum(), x.prod()]))(mg.tensor([2.0, 3.0]))
    tensor([[1., 1.],
            [3., 2.]])
    """

    @functools.wraps(func)
    def jacobian(*args, **kwargs):
        rest, chosen = _chosen(under("vmap")(func), argnums, args, kwargs)
        inputs, blocks = leaves(chosen), []
        _check_real("jacfwd", inputs, ())
        places = [(i, k) for i, one in enumerate(inputs) for k in range(one.numel())]
        directions = [_basis(inputs, *place) for place in places] or [[zeros_like(one) for one in inputs]]
        found = repeated(lambda one: jvp(rest, chosen, refilled(chosen, one), has_aux=has_aux), directions, randomness)
        output, _, *aux = found[-1]
        columns = [leaves(moved) for _, moved, *_ in found]
        _check_real("jacfwd", (), leaves(output))
        for o, out in enumerate(leaves(output)):
            row = [
                _block([column[o] for column, place in zip(columns, places) if place[0] == i], -1, out, one)
                for i, one in enumerate(inputs)
            ]
            blocks.append(_single(refilled(chosen, row), argnums))
        matrix = refilled(output, blocks)
        return (matrix, *aux) if has_aux else matrix

    return jacobian


def hessian(func: Callable, argnums: int | tuple = 0) -> Callable:
    """The function that computes all second derivatives of `func`: forward mode over reverse mode.

    >>> import minigrad as mg
    >>> hessian(lambda x: x.prod())(mg.tensor([2.0, 3.0]))
    tensor([[0., 1.],
            [1., 0.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


def _basis(tensors: list, which: int, k: int) -> list:
    """Zeros in the shape of all the tensors, but for one 1."""
    vectors = [zeros_like(one) for one in tensors]
    vectors[which].array.reshape(-1)[k] = 1
    return vectors


def _check_real(api: str, inputs: Sequence, outputs: Sequence) -> None:
    for role, tensors in (("inputs", inputs), ("outputs", outputs)):
        for i, one in enumerate(tensors):
            if isinstance(one, Tensor) and one.is_complex():
                raise RuntimeError(
                    f"{api}: Expected all {role} to be real but received complex tensor at flattened input idx: {i}"
                )


def _block(parts: Sequence, dim: int, output: Tensor, input: Tensor) -> Tensor:
    shape = (*output.shape, *input.shape)
    return stack(list(parts), dim).reshape(shape) if parts else zeros(shape, dtype=input.dtype)


# == modules as functions ==================================================================================


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Call a module with other parameters and buffers than its own, which it has again afterwards.

    >>> import minigrad as mg
    >>> layer = mg.nn.Linear(1, 1)
    >>> functional_call(layer, {"weight": mg.tensor([[2.0]]), "bias": mg.tensor([1.0])}, mg.tensor([3.0]))
    tensor([7.])
    """
    given = parameter_and_buffer_dicts
    if not isinstance(given, dict | list | tuple):
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(given)}"
        )
    parts = [given] if isinstance(given, dict) else given
    given = {name: one for part in parts for name, one in part.items()}
    twice = [name for name in given if sum(name in part for part in parts) > 1]
    if twice:
        raise ValueError(f"{twice} appeared in multiple dictionaries; behavior of functional call is ambiguous")
    for one in given.values():
        if one is not None and not isinstance(one, Tensor):
            raise TypeError(f"{one} is not an instance of Tensor")
    places = {}
    for path, part in module.named_modules(remove_duplicate=False):
        for held in (part._parameters, part._buffers):
            places |= {f"{path}.{name}".lstrip("."): (held, name) for name, one in held.items() if one is not None}
    names = {"Unexpected": sorted(given.keys() - places.keys()), "Missing": sorted(places.keys() - given.keys())}
    if strict and any(names.values()):
        said = (f"\n\t{kind} key(s): {', '.join(map(repr, found))}." for kind, found in names.items() if found)
        raise RuntimeError(f"Error(s) in reparametrizing for {type(module).__name__}:{''.join(said)}")
    own = {name: held[key] for name, (held, key) in places.items()}
    twins = {id(own[name]): value for name, value in given.items() if name in own} if tie_weights else {}
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with ExitStack() as afterwards:
        for name, (held, key) in places.items():
            afterwards.callback(held.__setitem__, key, own[name])
            held[key] = given.get(name, twins.get(id(own[name]), own[name]))
        return module(*args, **(kwargs or {}))


def stack_module_state(models: Sequence) -> tuple[dict, dict]:
    """The parameters, and the buffers, of several modules of one kind, each stacked: for `vmap` over an ensemble."""
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    for fact, alike in (("have the same training/eval mode", lambda one: one.training), ("be of the same class", type)):
        if len({alike(model) for model in models}) > 1:
            raise RuntimeError(f"stack_module_state: Expected all models to {fact}.")
    parameters, buffers = (
        {name: stack([dict(getattr(model, kind)())[name] for model in models]).detach() for name, _ in first}
        for kind, first in (
            ("named_parameters", models[0].named_parameters()),
            ("named_buffers", models[0].named_buffers()),
        )
    )
    for name, *asked in zip(parameters, *([one.requires_grad for one in model.parameters()] for model in models)):
        if len(set(asked)) > 1:
            raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
        parameters[name].requires_grad_(asked[0])
    return parameters, buffers


# == what they share =======================================================================================


class _Run:
    """`func` called on inputs of its own, so that this derivative is told from any around it.

    What comes out has a history only where something outside has part in it: a derivative around this one, or a
    parameter that requires grad.
    """

    def __init__(self, api: str, func: Callable, primals: Sequence, has_aux: bool = False) -> None:
        tracked = is_grad_enabled()
        self.inputs = [self.own(one, tracked) for one in leaves(primals)]
        with enable_grad(), under("grad"), _awaited(self.inputs):
            output, aux = _returned(api, func(*refilled(primals, self.inputs)), has_aux)
        self.outputs = leaves(output)
        self.outer = tracked and _leads_elsewhere(self.outputs, self.inputs)
        self.output, self.aux = each(self.shown, output), each(self.shown, aux)

    def own(self, tensor, tracked: bool) -> Tensor:
        if not isinstance(tensor, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(tensor)}")
        if tracked and tensor.requires_grad:
            return tensor.view_as(tensor)
        own = tensor.detach().requires_grad_()
        stand_ins[id(own)] = own
        forward_ad.give(own, tensor._tangent)
        return own

    def pull(self, seeds: Sequence[Tensor]) -> list[Tensor]:
        """The gradients of the inputs, from those of the outputs."""
        keeps = self.outer or (is_grad_enabled() and any(one.requires_grad for one in seeds))
        live = [(one, seed) for one, seed in zip(self.outputs, seeds) if one.requires_grad]
        if not live:
            return [zeros_like(one) for one in self.inputs]
        sources, seeds = zip(*live)
        with enable_grad():  # with tangents around, the rules must run on Tensors, which carry them
            create_graph = keeps or bool(dual_levels)
            found = gradients(sources, self.inputs, seeds, True, create_graph, materialize_grads=True)
        return list(found) if keeps else [self.bare(one) for one in found]

    def shown(self, value):
        return self.bare(value) if isinstance(value, Tensor) and not self.outer else value

    def settled(self, tensor: Tensor) -> Tensor:
        """Without a history, if that leads to our own inputs alone."""
        return tensor if _leads_elsewhere([tensor], self.inputs) else self.bare(tensor)

    def bare(self, tensor: Tensor) -> Tensor:
        bare, tangent = tensor.detach(), tensor._tangent
        forward_ad.give(bare, None if tangent is None else self.settled(tangent))
        return bare


stand_ins: WeakValueDictionary = WeakValueDictionary()  # the inputs of all runs that are leaves, by their ids
awaited: list = []  # those of the runs whose function has not returned yet: their derivatives are still to come


@contextmanager
def _awaited(inputs: Sequence[Tensor]):
    awaited.append(inputs)
    try:
        yield
    finally:
        awaited.pop()


def _leads_elsewhere(outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> bool:
    """Whether a history leads to other leaves than our own inputs, or those of a run within this one."""
    around = {id(one) for run in awaited for one in run} - {id(one) for one in inputs}
    own = set(stand_ins.keys()) - around
    if any(one.requires_grad and one._node is None and id(one) not in own for one in outputs):
        return True
    stack = [one.grad_fn for one in outputs if one.grad_fn is not None]
    seen = set(stack)
    while stack:
        for node in stack.pop().edges:
            if node is not None and node.is_leaf and id(node.variable) not in own:
                return True
            if node is not None and node not in seen:
                seen.add(node)
                stack.append(node)
    return False


def _chosen(func: Callable, argnums: int | tuple, args: tuple, kwargs: dict) -> tuple[Callable, tuple]:
    """`func` as a function of the chosen arguments alone, and these."""
    positions = (argnums,) if isinstance(argnums, int) else argnums
    if not isinstance(positions, tuple):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    for one in positions:
        if not isinstance(one, int):
            raise RuntimeError(f"argnum must be int, got: {type(one)}")
        if not -len(args) <= one < len(args):
            raise RuntimeError(f"Got argnum={one}, but only {len(args)} positional inputs")
    positions = tuple(one % len(args) for one in positions)
    if not positions:
        raise RuntimeError("argnums must be non-empty")
    if len(set(positions)) < len(positions):
        raise RuntimeError(f"argnums elements must be unique, got {positions}")

    def rest(*chosen):
        given = dict(zip(positions, chosen))
        return func(*(given.get(i, one) for i, one in enumerate(args)), **kwargs)

    return rest, tuple(args[i] for i in positions)


def _single(found: tuple, argnums):
    return found[0] if isinstance(argnums, int) else found


VJP, JVP = "vjp(f, *primals)", "jvp(f, primals, tangents)"


def _returned(api: str, output, has_aux: bool) -> tuple:
    """What a function returned and what it passes on, checked as PyTorch checks them."""
    aux = None
    if has_aux:
        if not isinstance(output, tuple) or len(output) != 2:
            raise RuntimeError(f"{api}: output of function f should be a tuple: (output, aux) if has_aux is True")
        output, aux = output
    for one in leaves(aux) if has_aux else ():
        if not isinstance(one, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(one)}")
    outputs = leaves(output)
    if api not in (VJP, JVP):
        if not isinstance(output, Tensor):
            raise RuntimeError(f"{api}: Expected f(*args) to return a Tensor, got {type(output)}")
        if output.ndim:
            raise RuntimeError(
                f"{api}: Expected f(*args) to return a scalar Tensor, got tensor with {output.ndim} dims. Maybe you "
                "wanted to use the vjp or jacrev APIs instead?"
            )
    if all(one is None for one in outputs):
        raise RuntimeError(f"{api}: Expected f to be a function that has non-empty output (got output = {outputs})")
    for one in outputs:
        if not isinstance(one, Tensor):
            raise RuntimeError(f"{api}: expected f(*primals) to return only tensors, got unsupported type {type(one)}")
        if api == VJP and not is_differentiable(one.array.dtype):
            raise RuntimeError(
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype "
                f"{one.dtype}"
            )
    return output, aux
