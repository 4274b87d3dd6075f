"""PyTorch's names that have no meaning here, each with one sentence that says so and what to use instead.

>>> import minigrad as mg
>>> mg.cuda.is_available()
False
>>> mg.jit
Traceback (most recent call last):
    ...
AttributeError: minigrad.jit does not exist: nothing is compiled here; call the function as it is
"""

import sys
import types
import warnings
from collections.abc import Callable, Iterable

ON_CPU = "this engine runs on the CPU only; leave the device out, or write 'cpu'"
SCIPY = "use scipy.special on tensor.numpy(), or minigrad.autograd.Function with a derivative of your own"
DENSE = "all tensors are dense here; "
MODULES = {  # by what to do instead: names of modules, layers, optimizers, loaders, and of what configures PyTorch
    ON_CPU: "DataParallel Stream hip mps npu vulkan xpu",
    "nothing is compiled here; call the function as it is": "jit",
    "there is no export of models; save the parameters with minigrad.save": "export onnx",
    "there is one process; train in it": "distributed",
    "there is one process; use Python's own module": "multiprocessing",
    "there is one process; everything is loaded in it": "get_worker_info",
    "all tensors are dense; use zeros and indexing": "sparse",
    "there are no quantized types; use float16 to save memory": "quantization",
    "there is no mixed precision; choose one dtype with .to()": "amp autocast",
    "programs are not traced; minigrad.autograd.events tells what runs": "fx",
    "memory is always contiguous in C order": "channels_last",
    "no models are downloaded; write the module": "hub",
    "there is no Fourier transform here; use numpy.fft on tensor.numpy()": "fft",
    "use numpy or scipy for such sequences": "quasirandom",
    "compare the two runs with minigrad.autograd.events.listen": "set_checkpoint_debug_enabled",
    "use Python's own module timeit": "benchmark",
    "use minigrad.autograd.profiler, which has profile and record_function": "profiler",
    "NumPy's own libraries choose; set OMP_NUM_THREADS before Python starts": "set_num_threads",
    # what teaches as much, or more, when it is written by hand
    "write the recurrence as a loop over nn.Linear layers": "RNN LSTM GRU RNNBase RNNCell LSTMCell GRUCell rnn",
    "build it of nn.Linear, nn.LayerNorm and nn.functional.scaled_dot_product_attention": (
        "Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer TransformerDecoderLayer "
        "MultiheadAttention"
    ),
    "write its log-probability as a formula, and draw with minigrad.randn, rand or multinomial": "distributions",
    "compute the weight from its parameters in forward()": (
        "parametrize parametrizations weight_norm remove_weight_norm spectral_norm remove_spectral_norm prune"
    ),
    "write a Dataset with __getitem__ and __len__ that looks the thing up": "ConcatDataset ChainDataset StackDataset",
    "make a list of the things, or loop over them without a loader": "IterableDataset",
    "draw the numbers with minigrad.randperm or multinomial, and give them to DataLoader as its sampler": (
        "BatchSampler SubsetRandomSampler WeightedRandomSampler"
    ),
    "give DataLoader shuffle=True or False": "RandomSampler SequentialSampler",
    "give DataLoader a list of numbers, or what yields them, as its sampler": "Sampler",
    "convert the things in the __getitem__ of a Dataset": "default_convert",
    "call checkpoint for one segment of the chain after the other": "checkpoint_sequential",
    "a second run always ends with the last value that the backward needs": "set_checkpoint_early_stop",
    "use an nn.ParameterList, or make each parameter an attribute with setattr": "ParameterDict",
    "write minigrad.cat([p.flatten() for p in parameters])": "parameters_to_vector",
    "split the vector, and give the parts to p.data": "vector_to_parameters",
    "write minigrad.stack([t.norm() for t in tensors]).norm()": "get_total_norm",
    "call the function of nn.functional in forward()": "Hardtanh KLDivLoss SmoothL1Loss Dropout1d Unflatten",
    "write what it computes in forward()": (
        "CELU GLU Hardshrink Hardsigmoid Hardswish LogSigmoid Mish ReLU6 SELU Softmin Softshrink Softsign Tanhshrink "
        "Threshold Bilinear AvgPool1d MaxPool1d"
    ),
    "write it with where(), and a weight of the module's own": "PReLU",
    "write the loss as a formula": (
        "CosineEmbeddingLoss GaussianNLLLoss HingeEmbeddingLoss MarginRankingLoss MultiMarginLoss "
        "MultiLabelSoftMarginLoss PoissonNLLLoss SoftMarginLoss TripletMarginLoss"
    ),
    "use BatchNorm2d or LayerNorm; or subtract x.mean(dims, keepdim=True), and divide by the deviation": (
        "GroupNorm InstanceNorm1d InstanceNorm2d"
    ),
    "say the number of inputs, and use nn.Linear": "LazyLinear",
    "write copy_(minigrad.eye(n)) under no_grad": "eye_",
    "draw with normal_, and clamp_ what is outside": "trunc_normal_",
    "write the rate as a function of the epoch, and give it to LambdaLR": (
        "ConstantLR CosineAnnealingWarmRestarts CyclicLR LinearLR MultiplicativeLR MultiStepLR OneCycleLR PolynomialLR "
        "SequentialLR"
    ),
    "change optimizer.param_groups[0]['lr'] when the loss falls no further": "ReduceLROnPlateau",
    "call step() of one schedule after the other": "ChainedScheduler",
    "use Adam or RMSprop": "Adadelta Adagrad Adamax NAdam RAdam Rprop ASGD Adafactor Muon",
    "use Adam; or give the loss and its gradients to scipy.optimize.minimize(..., jac=True)": "LBFGS",
    "raise the base to the power of minigrad.linspace(start, end, steps)": "logspace",
    "draw with numpy.random.poisson(rates.numpy()), and minigrad.from_numpy": "poisson",
    "use minigrad.randint(low, high, x.shape)": "randint_like",
    "use minigrad.ones(n, m).tril().nonzero().T, or triu": "tril_indices triu_indices",
    "use numpy.iinfo": "iinfo",
    "a float never goes into integers in place; x.to(dtype) converts": "can_cast",
    "keep minigrad.get_rng_state() before, and give it to set_rng_state() afterwards": "fork_rng",
    "use minigrad.func.jvp at the same place": "linearize",
    "stack the values that named_parameters() of each module has under one name": "stack_module_state",
    "use minigrad.empty(size), and as_strided for a view with other strides": "empty_strided",
    "use minigrad.autograd.set_detect_anomaly": "set_anomaly_enabled",
    "use autograd.graph.saved_tensors_hooks; node.saves tells what a node has saved": "SavedTensor",
    "keep copies, by graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x)": "allow_mutation_on_saved_tensors",
    "leave the block of saved_tensors_hooks": "disable_saved_tensors_hooks",
    "change the tensor itself, under minigrad.no_grad(), which counts: x.add_(0)": "increment_version",
    "a backward runs in the thread that calls it": "is_multithreading_enabled set_multithreading_enabled",
    "views are always taken anew by their own operations": "is_view_replay_enabled",
    "use numpy.finfo(numpy.float32)": "finfo",
    "look at the dtype of the two added: (a + b).dtype": "result_type",
    "use minigrad.tensor(data, dtype=...)": (
        "LongTensor IntTensor ShortTensor CharTensor ByteTensor BoolTensor HalfTensor FloatTensor DoubleTensor"
    ),
}
OF_MATRICES = {  # names of `minigrad.linalg`
    "use linalg.solve(A.mT @ A, A.mT), for independent columns": "pinv",
    "use linalg.solve(A.mT @ A, A.mT @ B), for independent columns": "lstsq",
    "use linalg.solve(A.triu(), B), or A.tril()": "solve_triangular",
    "divide the largest of linalg.svdvals(A) by the smallest": "cond",
    "count the linalg.svdvals(A) that are not nearly 0": "matrix_rank",
    "use linalg.eigh for symmetric matrices, and numpy.linalg.eig for others": "eig",
    "use linalg.eigvalsh for symmetric matrices, and numpy.linalg.eigvals for others": "eigvals",
}
OF_MODULES = {  # methods of modules
    "register_backward_hook": "use register_full_backward_hook",
    "register_full_backward_pre_hook": "in a forward hook, call output.register_hook",
    "get_parameter": "use dict(module.named_parameters())[name]",
    "get_submodule": "use dict(module.named_modules())[name]",
    "half": "use module.to(minigrad.float16)",
    "get_buffer": "use dict(module.named_buffers())[name]",
}
FUNCTIONAL = {  # of `nn.functional`: a formula of one line, of operations that are there
    "write x.clamp(0, 6)": "relu6 relu6_",
    "write x.clamp(-3, 3) / 6 + 0.5, and x times that": "hardsigmoid hardswish",
    "write where(x.abs() > bound, x, 0); softshrink moves what is left towards 0 by the bound": "hardshrink softshrink",
    "write where(x > threshold, x, value)": "threshold threshold_",
    "write x.clamp(min=0) + alpha * ((x.clamp(max=0) / alpha).exp() - 1), or use elu": "celu celu_",
    "write 1.0507 * elu(x, 1.67326)": "selu selu_",
    "write x * softplus(x).tanh()": "mish",
    "write where(x > 0, x, weight * x)": "prelu",
    "write a * b.sigmoid() of the two halves a, b = x.chunk(2, dim)": "glu",
    "write -softplus(-x)": "logsigmoid",
    "write x / (1 + x.abs())": "softsign",
    "write x - x.tanh()": "tanhshrink",
    "write softmax(-x, dim)": "softmin",
    "write the loss as a formula, with clamp(min=0) for a margin and mean() at the end": (
        "cosine_embedding_loss gaussian_nll_loss hinge_embedding_loss margin_ranking_loss multi_margin_loss "
        "multilabel_soft_margin_loss poisson_nll_loss soft_margin_loss triplet_margin_loss"
    ),
    "write (a * b).sum(dim) / (a.norm(dim=dim) * b.norm(dim=dim))": "cosine_similarity",
    "write (a - b).norm(dim=-1)": "pairwise_distance",
    "write x / x.norm(dim=dim, keepdim=True)": "normalize",
    "subtract x.mean(dims, keepdim=True), and divide by the deviation": "group_norm instance_norm",
    "write x / (x.square().mean(-1, keepdim=True) + eps).sqrt()": "rms_norm",
    "write ((a @ weight) * b).sum(-1).T + bias": "bilinear",
    "give the function for images an image of one row: x.unsqueeze(-2), and squeeze(-2) afterwards": (
        "adaptive_avg_pool1d avg_pool1d max_pool1d"
    ),
    "take the gradient of conv2d: autograd.grad(conv2d(y, weight), y, x)": (
        "conv_transpose1d conv_transpose2d ConvTranspose2d"
    ),
    "take the windows with x.unfold(dim, size, step), which is a method of tensors": "fold unfold",
    "use dropout2d": "dropout1d",
}
OPERATIONS = {  # functions, and methods: of data analysis; old or rare forms; formulas of one line
    "sort the numbers with sort, and take those at the places you want": "quantile",
    "leave out what is no number, x[x == x], and sort": "nanquantile",
    "divide x.nansum(dim) by (x == x).sum(dim)": "nanmean",
    "use unique with return_counts=True": "mode",
    "use sort or topk": "kthvalue",
    "use amin and amax": "aminmax",
    "use cummax of -x": "cummin",
    "use unique, or compare x[1:] with x[:-1]": "unique_consecutive",
    "use ((y[1:] + y[:-1]) * x.diff()).sum() / 2": "trapezoid trapz",
    "use ((y[1:] + y[:-1]) * x.diff()).cumsum(0) / 2": "cumulative_trapezoid",
    "use y.diff() / x.diff() for numbers, and autograd.grad for functions": "gradient",
    "use nn.functional.one_hot(x).sum(0)": "bincount",
    "use numpy.histogram on tensor.detach().numpy()": "histc",
    "use numpy.searchsorted on tensor.detach().numpy()": "searchsorted",
    "use numpy.digitize on tensor.detach().numpy()": "bucketize",
    "use c @ c.T / (n - 1) of the centred rows c = x - x.mean(1, keepdim=True)": "cov",
    "divide each centred row by its norm, and multiply the rows with each other": "corrcoef",
    "use (x1[:, None] - x2).norm(dim=-1)": "cdist",
    "use x * (maxnorm / x.norm(dim=1, keepdim=True)).clamp(max=1)": "renorm",
    "use (a.conj() * b).sum()": "vdot",
    "use x[:, None] ** arange(n)": "vander",
    "use input + (batch1 @ batch2).sum(0)": "addbmm",
    "use meshgrid and stack": "cartesian_prod",
    "use itertools.combinations, and index with what it yields": "combinations",
    "use stack(vectors, 1), or cat(matrices, 1)": "column_stack",
    "use vstack": "row_stack",
    "use tensor_split(x, parts, dim)": "vsplit dsplit",
    "use scatter_add for a sum, and a mask with amax or amin for an extreme": "scatter_reduce",
    "use index_add for a sum, and a mask with amax or amin for an extreme": "index_reduce",
    "write to a copy: y.view(-1)[index] = source": "put",
    "linalg.cholesky(A.mT @ A).mT is R, and A @ linalg.inv(R) is Q": "qr",
    "use linalg.cholesky": "cholesky",
    "use linalg.det, and its sign and the logarithm of its size": "slogdet",
    "use linalg.det(A).log()": "logdet",
    "use linalg.solve(A.mT @ A, A.mT), for independent columns": "pinverse",
}
OF_NUMBERS = {  # the same for functions of each number, which have forms in place
    SCIPY: "lgamma digamma polygamma mvlgamma erfinv i0 igamma igammac",
    "write 1 - erf(x)": "erfc",
    "write (x / (1 - x)).log()": "logit",
    "write sin(πx) / (πx)": "sinc",
    "multiply by π / 180, or by 180 / π": "deg2rad rad2deg",
    "compare with 0, inf or -inf": "signbit isposinf isneginf",
    "compare (a - b).abs() with the tolerance, or use allclose": "isclose",
    "use (elements[..., None] == test_elements).any(-1)": "isin",
    "stack the two, and use logsumexp": "logaddexp logaddexp2",
    "write where(a == 0, 0, a * b.log())": "xlogy",
    "use maximum or minimum, or where with isnan": "fmax fmin",
    "use where with isnan and isinf": "nan_to_num",
    "use clamp with min or max": "clamp_min clamp_max",
    "use abs and sign": "copysign",
    "write x * 2**n": "ldexp bitwise_left_shift",
    "write x // 2**n": "bitwise_right_shift",
    "use remainder; or write a - b * trunc(a / b)": "fmod",
    "write x - trunc(x)": "frac",
    "write (a * a + b * b).sqrt()": "hypot",
    "use atan2(z.imag, z.real)": "angle",
    "write start + weight * (end - start)": "lerp",
    "write input + value * tensor1 * tensor2": "addcmul",
    "write input + value * tensor1 / tensor2": "addcdiv",
    "use numpy on tensor.numpy()": "nextafter gcd lcm",
    "use where": "heaviside",
    "write other - x": "rsub",
    "use conj": "conj_physical",
    "write x.double() ** exponent": "float_power",
}
OF_SPECIAL = {  # names of `minigrad.special`
    SCIPY: (
        "airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 gammainc gammaincc gammaln psi multigammaln i0e i1 i1e erfcx "
        "log_ndtr ndtri zeta modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 "
        "scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0"
    ),
    "compute it by its recurrence, or use numpy.polynomial": (
        "chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w "
        "hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p"
    ),
    "write -x * log(x)": "entr",
    "write x * log1p(y)": "xlog1py",
    "write (1 + erf(x / 2**0.5)) / 2": "ndtr",
}
OF_TENSORS = {  # methods alone, which are there to say this
    "write it with operations of tensors, which are recorded": "apply_ map_ map2_",
    "a tensor keeps its memory; use copy_ to change the numbers, or tensor.data = other": "set_",
    "a tensor keeps its size; use reshape, or make a new one": "resize_",
    "a tensor keeps its size; use reshape_as, or make a new one": "resize_as_",
    DENSE + "make a new one of that size": "sparse_resize_ sparse_resize_and_clear_ resize_as_sparse_",
    DENSE + "leave the call out": "to_sparse",
    DENSE + "the tensor itself holds all values": "values",
    DENSE + "use nonzero()": "indices",
    "write median + sigma * tan(pi * (u - 0.5)), where u is minigrad.rand": "cauchy_",
    "write x.normal_(mean, std).exp_()": "log_normal_",
    "write (u.log() / math.log(1 - p)).ceil(), where u is minigrad.rand": "geometric_",
    "data_ptr() tells what shares memory, stride() how it is read, numpy() shows it": "storage untyped_storage",
    "write x.copy_(minigrad.randint(low, high, x.shape))": "random_",
    "write -minigrad.rand(x.shape).log() / lambd": "exponential_",
    "use x.diagonal().fill_(value)": "fill_diagonal_",
    "it makes copies to a GPU faster; leave the call out": "pin_memory",
    "processes share no tensors here; leave the call out": "share_memory_",
}


def by_name(instead: dict[str, str]) -> dict[str, str]:
    """A sentence for each name."""
    return {name: sentence for sentence, names in instead.items() for name in names.split()}


SENTENCES: dict[str, str] = {}
for _table in (MODULES, FUNCTIONAL, OF_SPECIAL, OF_MATRICES, OPERATIONS, OF_NUMBERS):
    SENTENCES |= by_name(_table)
FUNCTIONS_ONLY = (
    "trapezoid trapz cumulative_trapezoid gradient searchsorted bucketize cdist vander cartesian_prod combinations "
    "column_stack row_stack"
).split()
IN_PLACE = {*"put renorm addbmm scatter_reduce index_reduce".split(), *by_name(OF_NUMBERS)}
METHODS = by_name(OF_TENSORS) | by_name(OPERATIONS) | by_name(OF_NUMBERS) | {"prelu": SENTENCES["prelu"]}
METHODS |= {f"{name}_": METHODS[name] for name in METHODS if name in IN_PLACE}
for _name in FUNCTIONS_ONLY:
    del METHODS[_name]


def refusal(name: str, instead: str) -> Callable:
    """A function that only says what to use instead."""

    def refuse(*args, **options):
        raise NotImplementedError(f"{name} is not available here: {instead}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Not available: {instead}."
    refuse.instead = instead  # type: ignore[attr-defined]
    return refuse


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

    package = Path(__file__).parents[1]
    return package / "docs" if (package / "docs").exists() else package.parent / "docs"


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that was meant, if one is close; a notebook does not show the one that Python would guess.

    >>> nearest("gard", ["grad", "data"]), nearest("Sgd", ["SGD"]), nearest("x", ["y"])
    (". Did you mean 'grad'?", ". Did you mean 'SGD'?", '')
    """
    import difflib  # only for an error

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
