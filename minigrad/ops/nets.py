"""The tables of what nets are made of. Only `minigrad.nn` offers it, so they are loaded with that."""

from . import columns, composed_nets, convolution, functional as functional, load, loss, normalisation, pooling

load(loss, convolution, pooling, columns, normalisation, composed_nets)
