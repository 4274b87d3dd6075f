"""PyTorch's names that have no meaning here, each with one sentence that says so and what to use instead.

>>> import minigrad as mg
>>> mg.cuda.is_available()
False
>>> mg.jit
Traceback (most recent call last):
    ...
AttributeError: minigrad.jit does not exist: nothing is compiled here; call the function as it is
"""

import difflib
import sys
import types
import warnings
from collections.abc import Iterable

ON_CPU = "this engine runs on the CPU only; leave the device out, or write 'cpu'"
SENTENCES = {  # for names of modules and functions
    "jit": "nothing is compiled here; call the function as it is",
    "onnx": "there is no export of models; save the parameters with minigrad.save",
    "distributed": "there is one process; train in it",
    "multiprocessing": "there is one process; use Python's own module",
    "sparse": "all tensors are dense; use zeros and indexing",
    "quantization": "there are no quantized types; use float16 to save memory",
    "amp": "there is no mixed precision; choose one dtype with .to()",
    "autocast": "there is no mixed precision; choose one dtype with .to()",
    "fx": "programs are not traced; minigrad.autograd.events tells what runs",
    "export": "there is no export of models; save the parameters with minigrad.save",
    "channels_last": "memory is always contiguous in C order",
    "Stream": ON_CPU,
    "hub": "no models are downloaded; write the module",
    "fft": "there is no Fourier transform here; use numpy.fft on tensor.numpy()",
    "quasirandom": "use numpy or scipy for such sequences",
    "set_num_threads": "NumPy's own libraries choose; set OMP_NUM_THREADS before Python starts",
}
# left out on purpose: what teaches as much, or more, when it is written by hand
BY_HAND = {
    "write the recurrence as a loop over nn.Linear layers": "RNN LSTM GRU RNNBase RNNCell LSTMCell GRUCell rnn",
    "build it of nn.Linear, nn.LayerNorm and nn.functional.scaled_dot_product_attention": (
        "Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer TransformerDecoderLayer "
        "MultiheadAttention"
    ),
    "write its log-probability as a formula, and draw with minigrad.randn, rand or multinomial": "distributions",
    "compute the weight from its parameters in forward()": (
        "parametrize parametrizations weight_norm remove_weight_norm spectral_norm remove_spectral_norm prune"
    ),
}
SENTENCES |= {name: sentence for sentence, names in BY_HAND.items() for name in names.split()}
SENTENCES |= {"DataParallel": ON_CPU, "LazyLinear": "say the number of inputs, and use nn.Linear"}
SENTENCES |= dict.fromkeys(("Adamax", "NAdam", "RAdam", "Rprop", "ASGD", "Adafactor", "Muon"), "use Adam or RMSprop")
SENTENCES |= dict.fromkeys(("mps", "xpu", "npu", "hip", "vulkan"), ON_CPU)


def error(module: str, name: str) -> AttributeError:
    """Why a module has no such name."""
    if name in SENTENCES:
        why = f"{module}.{name} does not exist: {SENTENCES[name]}"
    else:
        why = f"module '{module}' has no attribute '{name}'; {documents() / 'names.md'} lists the names that work"
        why += nearest(name, dir(sys.modules[module]))
    return AttributeError(why, name=name, obj=None)  # without an object Python adds no guess of its own


def documents():
    """The folder of the documents: inside an installed package, beside it in a copy of the repository."""
    from pathlib import Path  # with all that it brings, it takes a tenth of the import

    inside = Path(__file__).with_name("docs")
    return inside if inside.exists() else inside.parents[1] / "docs"


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that was meant, if one is close; a notebook does not show the one that Python would guess.

    >>> nearest("gard", ["grad", "data"]), nearest("Sgd", ["SGD"]), nearest("x", ["y"])
    (". Did you mean 'grad'?", ". Did you mean 'SGD'?", '')
    """
    known = {one.lower(): one for one in sorted(names, reverse=True) if not one.startswith("_")}
    found = difflib.get_close_matches(name.lower(), known, 1)
    return f". Did you mean '{known[found[0]]}'?" if found else ""


class _Namespace(types.SimpleNamespace):
    """A few answers; any other name is told to be absent."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"there is no '{name}' here: {ON_CPU}")


def no() -> bool:
    return False


def none(*args, **options) -> None:
    return None


def zero() -> int:
    return 0


cuda = _Namespace(is_available=no, is_initialized=no, device_count=zero, synchronize=none, empty_cache=none)
accelerator = _Namespace(is_available=no, current_accelerator=none, device_count=zero)
backends = _Namespace(
    cudnn=_Namespace(enabled=False, is_available=no, version=none, deterministic=False, benchmark=False),
    mps=_Namespace(is_available=no, is_built=no),
    cuda=_Namespace(is_built=no),
)


def compile(model=None, **options):  # shadows Python's own, as PyTorch's name does
    """Returns the function as it is, with a note."""
    if model is None:
        return lambda function: compile(function, **options)
    warnings.warn("minigrad.compile returns what it is given: nothing is compiled here", stacklevel=2)
    return model


def to_cuda(self, device=None, non_blocking=False):
    """There is no other device than the CPU."""
    raise RuntimeError(f"cuda() is not possible: {ON_CPU}")
