"""What is said of arguments that do not fit: in the function's own name, and never as Python or NumPy would say it."""

import re
import warnings

import pytest

import minigrad as mg
from minigrad import ops
from minigrad.words import formula
from minigrad.words.calling import PYTHONS

WRONG = (None, "x", [None], {}, object, 1.5, True, slice(1))
STATEFUL = "bernoulli multinomial normal rand randn randint randperm empty dropout apply_ map_ map2_".split()


@pytest.mark.parametrize("name", sorted(name for name in ops.functions if name.strip("_") not in STATEFUL))
def test_no_refusal_speaks_of_what_a_person_did_not_write(name):
    x = mg.ones(2, 3)
    calls = [(wrong, *rest) for wrong in WRONG for rest in ((), (1,), (x,))] + [(x, wrong) for wrong in WRONG]
    for args in calls + [(x, x, wrong) for wrong in WRONG] + [(x, 0, wrong) for wrong in WRONG]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ops.functions[name](*args)
        except (TypeError, ValueError, RuntimeError, IndexError, AttributeError) as error:
            said = str(error).partition("\n")[0]
            spoken_of = re.match(r"(\w+)\(", said)
            assert said and not PYTHONS.search(said.partition("- got")[0]), args
            assert not spoken_of or spoken_of[1].rstrip("_") in formula.known | {"shape"}, (said, args)


@pytest.mark.parametrize("function", [mg.sin, mg.std, mg.cumsum])
def test_who_asks_for_a_result_in_another_tensor_is_told_what_to_write(function):
    with pytest.raises(TypeError, match=r"'out': .* write out\.copy_\(result\)"):
        function(mg.ones(2), out=mg.ones(2))
