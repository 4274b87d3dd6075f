"""Random programs of the hunt, each a function of its leaves: compiled, they leave behind what they leave otherwise."""

import contextlib
import re
import warnings

import pytest

import minigrad as mg
from minigrad.tensors import trees
from tests.hunt import hunt
from tests.hunt.judge import vocabulary
from tests.oracle import code

LEAF = re.compile(r"(\w+) = T\(.*\)$")
FAMILIES = """
arranging arrays bends borders by_hand changed_later complex_numbers copies creation decompositions einsum elementwise
empty_nets expressions freezing functions functions_in_nets grad_modes grad_options helpers_of_nn indexing layers_twice
losses matrix_products mixed_types modules nets_twice norms order per_sample protocols reductions scalars scattering
several_passes special_values swaps training transforms trees twins types views vmaps windows written_nets zeros
""".split()
SMALLER = 1 - 1 / 16  # so that no two calls have the same numbers


def function_of(lines: list[str]):
    """A program as a function, and the lines that make its arguments; without what is refused, and without draws."""
    space, accepted = vocabulary(mg), []
    for line in lines:
        with warnings.catch_warnings(), contextlib.suppress(Exception):
            warnings.simplefilter("ignore")
            exec(code(line), space)
            accepted.append(line)
    leaves = {found[1]: line for line in accepted if (found := LEAF.match(line))}
    body = [line for line in accepted if line not in leaves.values()]
    text = [f"def f({', '.join(leaves)}):", *(f"    {part}" for line in body for part in line.split("\n"))]
    text += ["    return [one for _, one in sorted(locals().items()) if isinstance(one, m.Tensor)]"]
    space = vocabulary(mg)
    exec("\n".join(text), space)
    return space["f"], leaves


def arguments(leaves: dict, call: int) -> list:
    space = vocabulary(mg)
    for line in leaves.values():
        exec(line, space)
    given = [space[name] for name in leaves]
    return [
        (one.detach() * SMALLER**call).requires_grad_(one.requires_grad) if one.is_floating_point() else one
        for one in given
    ]


def left_behind(function, given: list) -> tuple:
    mg.manual_seed(0)
    mg.set_grad_enabled(True)
    told = ""
    try:
        results = function(*given)
        end = next(
            (one for one in reversed(trees.leaves(results)) if not one.is_leaf and one.is_floating_point()), None
        )
        if end is not None:
            end.sum().backward()
    except Exception as error:
        results, told = [], type(error).__name__
    return told, *([facts(one) for one in some] for some in (results, given))


def facts(tensor) -> tuple:
    gradient = tensor.grad.numpy(force=True).tobytes() if tensor.is_leaf and tensor.grad is not None else None
    return tensor.numpy(force=True).tobytes(), tensor.shape, tensor.dtype, tensor.requires_grad, gradient


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", FAMILIES)
def test_programs_of_the_hunt(family):
    for seed in range(3):
        function, leaves = function_of(hunt.program(family, seed))
        compiled = mg.compile(function)
        for call in range(3):
            expected = left_behind(function, arguments(leaves, call))
            assert left_behind(compiled, arguments(leaves, call)) == expected, f"{family}, seed {seed}, call {call}"
