"""The contestants of benchmarks/ compute the same gradients. (How fast they do is no test's business.)"""

import pytest

from benchmarks.contestant import Contestant
from benchmarks.programs import WORKS
from benchmarks.rounds import agree

# PyTorch's compiler takes a minute; a race compares its gradients before it begins, as everybody's
NAMES = sorted({name for work in WORKS for name in work.contestants} - {"minigrad", "torch_compile"})


@pytest.fixture(scope="module")
def ours():
    with Contestant("minigrad") as contestant:
        yield {work: contestant.ask("gradients", work=work.__name__) for work in WORKS}


@pytest.mark.parametrize("name", NAMES)
def test_same_gradients(name, ours):
    with Contestant(name) as contestant:
        if contestant.version is None:
            pytest.skip(f"{name} is not installed")
        for work in WORKS:
            if name in work.contestants:
                assert agree(contestant.ask("gradients", work=work.__name__), ours[work]), work.title
