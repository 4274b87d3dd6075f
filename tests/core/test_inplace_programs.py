"""Random programs that change tensors in place, through views and through their bases, against PyTorch.

Values, gradients, `requires_grad`, versions and view flags agree, and an error comes where PyTorch's comes.
"""

import numpy as np
import pytest

import minigrad

PROGRAMS = 2000


def program(lib, seed: int):
    """One program: the same random choices for each library."""
    rng = np.random.default_rng(seed)

    def fresh(**options):
        return lib.tensor(rng.uniform(0.5, 1.5, (3, 4)), dtype=lib.float64, **options)

    leaves = [fresh(requires_grad=True) for _ in range(2)]
    pool = [leaf * 1 for leaf in leaves] + [fresh()]
    for _ in range(rng.integers(3, 14)):
        kind, i, j = rng.integers(0, 16), *rng.integers(0, len(pool), 2)
        x, y, c = pool[i], pool[j], float(rng.uniform(0.5, 1.5))
        alike = x.shape == y.shape
        match kind:
            case 0:
                pool.append(x * y if alike else x * c)
            case 1:
                x.mul_(c)
            case 2 if alike:
                x.add_(y)
            case 3:
                pool.append(x[0] if x.ndim > 1 else x[1:])
            case 4:
                pool.append(x.t() if x.ndim == 2 else x.view(-1))
            case 5:
                x[0] = c
            case 6 if alike:
                x[1:] = y[1:]
            case 7:
                pool.append(x.exp() * 0.1)
            case 8:
                x.sin_()
            case 9:
                pool.append(x.detach())
            case 10:
                x.zero_() if c < 0.8 else x.fill_(c)
            case 11 if alike:
                x.copy_(y)
            case 12:
                pool.append(x.reshape(-1))
            case 13:
                pool.append(x[..., :2])
            case 14 if alike:
                x.mul_(y)
            case 15:
                with lib.no_grad():
                    x.add_(c)
    total = sum((x * x).sum() for x in pool)
    gradients = lib.autograd.grad(total, leaves, allow_unused=True)
    numbers = [total.item(), *(None if g is None else g.tolist() for g in gradients)]
    return numbers, [(x.requires_grad, x._version, x._is_view()) for x in pool]


def outcome(lib, seed: int):
    try:
        return program(lib, seed)
    except RuntimeError as error:
        return str(error)


def disagreement(ours, theirs) -> str | None:
    """How two outcomes differ, in words; None if they agree."""
    if isinstance(ours, str) or isinstance(theirs, str):
        same = isinstance(ours, str) and isinstance(theirs, str) and ours[:60] == theirs[:60]
        return None if same else f"{ours if isinstance(ours, str) else 'ran'!r}, PyTorch {theirs!r}"
    for mine, other in zip(ours[0], theirs[0]):
        if (mine is None) != (other is None) or (mine is not None and not np.allclose(mine, other, 1e-8, 1e-10)):
            return f"{mine}, PyTorch {other}"
    return None if ours[1] == theirs[1] else f"(requires_grad, version, view) {ours[1]}, PyTorch {theirs[1]}"


def test_in_place_programs_agree_with_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch, the judge, is not installed")
    wrong, raised = [], 0
    for seed in range(PROGRAMS):
        theirs = outcome(torch, seed)
        raised += isinstance(theirs, str)
        found = disagreement(outcome(minigrad, seed), theirs)
        if found:
            wrong.append(f"program {seed}: {found}")
    assert not wrong, "\n".join(wrong[:5])
    assert 0.1 * PROGRAMS < raised < 0.6 * PROGRAMS  # both kinds of programs were among them


def test_the_comparison_notices_a_difference():
    assert disagreement(([1.0], []), ([1.1], [])) and disagreement("an error", ([1.0], []))
    assert disagreement(([1.0], [(True, 0, False)]), ([1.0], [(True, 1, False)]))
    assert disagreement(([1.0, None], []), ([1.0, [2.0]], []))
