"""Functions of functions: a function goes in, and another that computes its derivative comes out.

>>> import minigrad as mg
>>> slope = mg.func.grad(mg.sin)
>>> slope(mg.tensor(0.0)), mg.func.grad(slope)(mg.tensor(0.0))
(tensor(1.), tensor(-0.))

They may be nested at will, and no `.grad` is touched. Arguments and results may be tuples, lists and dicts of Tensors.
"""

from ..words import absent
from .batching import vmap
from .matrices import hessian, jacfwd, jacrev
from .modules import functional_call
from .transforms import grad, grad_and_value, jvp, vjp

__all__ = ["functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "vjp", "vmap"]

__getattr__ = absent.answer(__name__)
