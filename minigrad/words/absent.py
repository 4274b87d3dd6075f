"""PyTorch's names that have no meaning here, each with one sentence that says so and what to use instead.

>>> import minigrad as mg
>>> mg.cuda.is_available()
False
>>> mg.jit
Traceback (most recent call last):
    ...
AttributeError: minigrad.jit does not exist: nothing is compiled, traced or exported here; call the function as it is
"""

import sys
import types
import warnings
from collections.abc import Callable, Iterable

ON_CPU = "this engine runs on the CPU only; leave the device out, or write 'cpu'"
INSTEAD = {  # what to do, and the names of which that is said: of modules, layers, functions
    ON_CPU: "DataParallel mps xpu",
    "nothing is compiled, traced or exported here; call the function as it is": "jit fx export onnx",
    "there is one process; everything is loaded and trained in it": "distributed multiprocessing get_worker_info",
    "there is no mixed precision; choose one dtype with .to()": "amp autocast quantization",
    "all tensors are dense; use zeros and indexing": "sparse",
    "memory is always contiguous in C order": "channels_last",
    "there is no Fourier transform here; use numpy.fft on tensor.numpy()": "fft",
    "use minigrad.autograd.profiler, or Python's own module timeit": "profiler benchmark",
    "NumPy's own libraries choose; set OMP_NUM_THREADS before Python starts": "set_num_threads",
    # layers: what teaches as much, or more, when it is written by hand
    "write the recurrence as a loop over nn.Linear layers": "RNN LSTM GRU RNNCell LSTMCell GRUCell rnn",
    "build it of nn.Linear, nn.LayerNorm and nn.functional.scaled_dot_product_attention": (
        "Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer TransformerDecoderLayer "
        "MultiheadAttention"
    ),
    "write its log-probability as a formula, and draw with minigrad.randn, rand or multinomial": "distributions",
    "compute the weight from its parameters in forward()": (
        "parametrize parametrizations weight_norm remove_weight_norm spectral_norm remove_spectral_norm prune"
    ),
    "write what it computes in forward(); nn.functional has many of these functions": (
        "AvgPool1d Bilinear CELU CosineEmbeddingLoss GLU Hardshrink Hardsigmoid Hardswish Hardtanh HingeEmbeddingLoss "
        "KLDivLoss LogSigmoid MarginRankingLoss MaxPool1d Mish PReLU PoissonNLLLoss ReLU6 SELU SmoothL1Loss Softmin "
        "Softshrink Softsign Tanhshrink Threshold TripletMarginLoss Unflatten"
    ),
    "use BatchNorm2d or LayerNorm; or subtract x.mean(dims, keepdim=True), and divide by the deviation": (
        "GroupNorm InstanceNorm1d InstanceNorm2d group_norm instance_norm"
    ),
    "use an nn.ParameterList, or make each parameter an attribute with setattr": "ParameterDict",
    "write minigrad.cat([p.flatten() for p in parameters]); split() gives the parts back": (
        "parameters_to_vector vector_to_parameters"
    ),
    "write minigrad.stack([t.norm() for t in tensors]).norm()": "get_total_norm",
    "draw with normal_, and clamp_ what is outside": "trunc_normal_",
    # training: schedules, optimizers, data
    "write the rate as a function of the epoch, and give it to LambdaLR": (
        "ConstantLR CosineAnnealingWarmRestarts CyclicLR LinearLR MultiStepLR OneCycleLR PolynomialLR SequentialLR"
    ),
    "change optimizer.param_groups[0]['lr'] when the loss falls no further": "ReduceLROnPlateau",
    "use Adam or RMSprop": "Adadelta Adagrad Adamax NAdam RAdam Rprop ASGD LBFGS Muon",
    "write a Dataset with __getitem__ and __len__, or make a list of the things": (
        "ConcatDataset ChainDataset StackDataset IterableDataset"
    ),
    "give DataLoader shuffle=True, or as its sampler a list of numbers, such as randperm or multinomial draw": (
        "BatchSampler RandomSampler Sampler SequentialSampler SubsetRandomSampler WeightedRandomSampler"
    ),
    "call checkpoint for one segment of the chain after the other": "checkpoint_sequential",
    "a second run always ends with the last value that the backward needs; autograd.events.listen tells what runs": (
        "set_checkpoint_early_stop set_checkpoint_debug_enabled"
    ),
    # the graph, and functions of functions
    "use autograd.graph.saved_tensors_hooks, which may save copies; node.saves tells what a node has saved": (
        "SavedTensor allow_mutation_on_saved_tensors disable_saved_tensors_hooks"
    ),
    "change the tensor itself, under minigrad.no_grad(), which counts: x.add_(0)": "increment_version",
    "a backward runs in the thread that calls it": "is_multithreading_enabled set_multithreading_enabled",
    "views are always taken anew by their own operations": "is_view_replay_enabled",
    "use minigrad.func.jvp at the same place": "linearize",
    "stack the values that named_parameters() of each module has under one name": "stack_module_state",
    # new tensors, and types
    "raise the base to the power of minigrad.linspace(start, end, steps)": "logspace",
    "draw with numpy.random.poisson(rates.numpy()), and minigrad.from_numpy": "poisson",
    "use minigrad.randint(low, high, x.shape)": "randint_like",
    "use minigrad.ones(n, m).tril().nonzero().T, or triu": "tril_indices triu_indices",
    "use minigrad.empty(size), and as_strided for a view with other strides": "empty_strided",
    "keep minigrad.get_rng_state() before, and give it to set_rng_state() afterwards": "fork_rng",
    "use numpy.iinfo or numpy.finfo": "iinfo finfo",
    "look at the dtype of the two added, (a + b).dtype; x.to(dtype) converts": "can_cast result_type",
    "use minigrad.tensor(data, dtype=...)": "BoolTensor ByteTensor DoubleTensor FloatTensor IntTensor LongTensor",
    # matrices
    "use linalg.solve(A.mT @ A, A.mT @ B), for independent columns; B = minigrad.eye(len(A)) gives the pseudoinverse": (
        "lstsq pinv pinverse"
    ),
    "use linalg.eigh or eigvalsh for symmetric matrices, and numpy.linalg.eig for others": "eig eigvals",
    "use linalg.solve(A.triu(), B), or A.tril()": "solve_triangular",
    "divide the largest of linalg.svdvals(A) by the smallest; or count those not nearly 0": "cond matrix_rank",
    "use x[:, None] ** arange(n)": "vander",
    "write a @ b @ c": "chain_matmul multi_dot",
    "write ((a @ weight) * b).sum(-1).T + bias": "bilinear",
    # data analysis
    "use numpy.histogram, searchsorted or digitize on tensor.detach().numpy()": "histc searchsorted bucketize",
    "use ((y[1:] + y[:-1]) * x.diff()).sum() / 2, or .cumsum(0) / 2": "trapezoid trapz cumulative_trapezoid",
    "use y.diff() / x.diff() for numbers, and autograd.grad for functions": "gradient",
    "use (a - b).norm(dim=-1), with a[:, None] for all pairs": "cdist pairwise_distance",
    "write (a * b).sum(dim) / (a.norm(dim=dim) * b.norm(dim=dim))": "cosine_similarity",
    "write x / x.norm(dim=dim, keepdim=True)": "normalize",
    "write x / (x.square().mean(-1, keepdim=True) + eps).sqrt()": "rms_norm",
    # shapes and places
    "use meshgrid and stack, or index with what itertools.combinations yields": "cartesian_prod combinations",
    "use vstack, stack(vectors, 1) or cat(matrices, 1)": "column_stack row_stack",
    "give the function for images an image of one row: x.unsqueeze(-2), and squeeze(-2) afterwards": (
        "adaptive_avg_pool1d avg_pool1d max_pool1d"
    ),
    "take the gradient of conv2d: autograd.grad(conv2d(y, weight), y, x)": (
        "conv_transpose1d conv_transpose2d ConvTranspose2d"
    ),
    "take the windows with x.unfold(dim, size, step), which is a method of tensors": "fold unfold",
    # functions of each number
    "use scipy.special on tensor.numpy(), or minigrad.autograd.Function with a derivative of your own": (
        "lgamma gammaln digamma psi polygamma mvlgamma multigammaln igamma igammac gammainc gammaincc zeta erfinv "
        "erfcx ndtri log_ndtr i0 i0e i1 i1e airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 "
        "modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 "
        "scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0"
    ),
    "compute it by its recurrence, or use numpy.polynomial": (
        "chebyshev_polynomial_t hermite_polynomial_h laguerre_polynomial_l legendre_polynomial_p"
    ),
    "write (1 + erf(x / 2**0.5)) / 2": "ndtr",
    "write where(a == 0, 0, a * b.log()), with log1p(b) for xlog1py": "xlogy xlog1py entr",
    "use (elements[..., None] == test_elements).any(-1)": "isin",
    "write other - x": "rsub",
    # activations and losses
    "use where: where(x > 0, x, weight * x) is prelu": "heaviside threshold prelu hardshrink softshrink",
    "relu6 is x.clamp(0, 6), hardsigmoid is x.clamp(-3, 3) / 6 + 0.5, and hardswish is x times that": (
        "relu6 hardsigmoid hardswish"
    ),
    "selu is 1.0507 * elu(x, 1.67326), and celu is alpha * elu(x / alpha)": "selu celu",
    "write x * softplus(x).tanh()": "mish",
    "write a * b.sigmoid() of the two halves a, b = x.chunk(2, dim)": "glu",
    "write -softplus(-x)": "logsigmoid",
    "write x / (1 + x.abs())": "softsign",
    "write x - x.tanh()": "tanhshrink",
    "write softmax(-x, dim)": "softmin",
    "write the loss as a formula, with clamp(min=0) for a margin and mean() at the end": (
        "cosine_embedding_loss gaussian_nll_loss hinge_embedding_loss margin_ranking_loss multi_margin_loss "
        "multilabel_soft_margin_loss poisson_nll_loss soft_margin_loss triplet_margin_loss"
    ),
}
OF_TENSORS = {  # the same for functions that are methods of tensors, too
    # matrices
    "linalg.cholesky(A.mT @ A).mT is R, and A @ linalg.inv(R) is Q": "qr",
    "use linalg.cholesky": "cholesky",
    "use linalg.det, and its sign and the logarithm of its size": "slogdet logdet",
    "use (a.conj() * b).sum()": "vdot",
    "use beta * input + alpha * (a @ b), with sum(0) for addbmm": "addmv baddbmm addbmm addr",
    # data analysis
    "use sort or topk, and take the numbers at the places you want; x[x == x] leaves out nan": (
        "quantile nanquantile kthvalue"
    ),
    "divide x.nansum(dim) by (x == x).sum(dim)": "nanmean",
    "use unique with return_counts=True, or compare x[1:] with x[:-1]": "mode unique_consecutive",
    "use amin and amax": "aminmax",
    "use cummax of -x": "cummin",
    "use nn.functional.one_hot(x).sum(0)": "bincount",
    "use c @ c.T / (n - 1) of the centred rows c = x - x.mean(1, keepdim=True)": "cov",
    "divide each centred row by its norm, and multiply the rows with each other": "corrcoef",
    "use x * (maxnorm / x.norm(dim=1, keepdim=True)).clamp(max=1)": "renorm",
    # shapes and places
    "use tensor_split(x, parts, dim)": "vsplit dsplit",
    "use scatter_add or index_add for a sum, and a mask with amax or amin for an extreme": (
        "scatter_reduce index_reduce"
    ),
    "write to a copy: y.view(-1)[index] = source": "put",
    # functions of each number
    "use numpy on tensor.numpy()": "nextafter gcd lcm",
    "write 1 - erf(x)": "erfc",
    "write (x / (1 - x)).log()": "logit",
    "write sin(πx) / (πx)": "sinc",
    "multiply by π / 180, or by 180 / π": "deg2rad rad2deg",
    "compare with 0, inf or -inf": "signbit isposinf isneginf",
    "compare (a - b).abs() with the tolerance, or use allclose": "isclose",
    "stack the two, and use logsumexp": "logaddexp logaddexp2",
    "use where with isnan and isinf": "nan_to_num fmax fmin",
    "use clamp with min or max": "clamp_min clamp_max",
    "use abs and sign": "copysign",
    "write x * 2**n, or x // 2**n": "ldexp bitwise_left_shift bitwise_right_shift",
    "write a - b * trunc(a / b), with b = 1 for frac; or use remainder": "fmod frac",
    "write (a * a + b * b).sqrt()": "hypot",
    "use atan2(z.imag, z.real)": "angle",
    "write start + weight * (end - start)": "lerp",
    "write input + value * tensor1 * tensor2, or / tensor2": "addcmul addcdiv",
    "use conj": "conj_physical",
    "write x.double() ** exponent": "float_power",
    # methods alone
    "all tensors are dense: the tensor itself holds all values, and nonzero() tells where they are": (
        "to_sparse values indices sparse_resize_ sparse_resize_and_clear_ resize_as_sparse_"
    ),
    "write it with operations of tensors, which are recorded": "apply_ map_ map2_",
    "a tensor keeps its memory and its size; use copy_ or reshape, or tensor.data = other": "set_ resize_ resize_as_",
    "write x.copy_() of a formula of minigrad.rand or randn: -rand(x.shape).log() / rate is exponential": (
        "cauchy_ log_normal_ geometric_ exponential_"
    ),
    "write x.copy_(minigrad.randint(low, high, x.shape))": "random_",
    "data_ptr() tells what shares memory, stride() how it is read, numpy() shows it": "storage untyped_storage",
    "use x.diagonal().fill_(value)": "fill_diagonal_",
    "there is one process, on a CPU; leave the call out": "cuda pin_memory share_memory_",
}
OF_MODULES = {  # methods of modules
    "register_backward_hook": "use register_full_backward_hook",
    "register_full_backward_pre_hook": "in a forward hook, call output.register_hook",
    "get_parameter": "use dict(module.named_parameters())[name]",
    "get_submodule": "use dict(module.named_modules())[name]",
    "half": "use module.to(minigrad.float16)",
    "get_buffer": "use dict(module.named_buffers())[name]",
}


def by_name(instead: dict[str, str]) -> dict[str, str]:
    """A sentence for each name."""
    return {name: sentence for sentence, names in instead.items() for name in names.split()}


METHODS = by_name(OF_TENSORS)
SENTENCES = by_name(INSTEAD) | METHODS


def refusal(name: str, instead: str) -> Callable:
    """A method that only says what to use instead."""

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


class Absent(types.SimpleNamespace):
    """The few answers of a device that is not there; any other name is told to be absent."""

    def __init__(self, **answers) -> None:
        super().__init__(is_available=lambda: False, device_count=lambda: 0, **answers)

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"there is no '{name}' here: {ON_CPU}")


cuda = Absent(synchronize=lambda: None, empty_cache=lambda: None)
accelerator = Absent(current_accelerator=lambda: None)
backends = Absent(cudnn=Absent(enabled=False, version=lambda: None), mps=Absent(), cuda=Absent())


def compile(model=None, **options):  # shadows Python's own, as PyTorch's name does
    """Returns the function as it is, with a note."""
    if model is None:
        return lambda function: compile(function, **options)
    warnings.warn("minigrad.compile returns what it is given: nothing is compiled here", stacklevel=2)
    return model
