"""PyTorch's names that have no meaning here, each with one sentence that says so and what to use instead.

>>> import minigrad as mg
>>> mg.cuda.is_available()
False
>>> mg.jit
Traceback (most recent call last):
    ...
AttributeError: minigrad.jit does not exist: nothing is compiled, traced or exported here; call the function as it is
"""

import re
import sys
import types
from collections.abc import Callable, Iterable
from typing import NoReturn

# Names, and what is said of them: of modules, of what stands in them, and of functions.
INSTEAD = """
# what configures PyTorch
DataParallel mps xpu: this engine runs on the CPU only; leave the device out, or write 'cpu'
compile jit fx export onnx: nothing is compiled, traced or exported here; call the function as it is
distributed multiprocessing get_worker_info: there is one process; everything is loaded and trained in it
amp autocast quantization: there is no mixed precision; choose one dtype with .to()
sparse: all tensors are dense; use zeros and indexing
channels_last: memory is always contiguous in C order
fft: there is no Fourier transform here; use numpy.fft on tensor.numpy()
profiler benchmark: use minigrad.autograd.profiler, or Python's own module timeit
save_on_cpu: whatever is saved is in the memory of the CPU already
set_num_threads: NumPy's own libraries choose; set OMP_NUM_THREADS before Python starts
# layers: what teaches as much, or more, when it is written by hand
RNN LSTM GRU RNNCell LSTMCell GRUCell rnn: write the recurrence as a loop over nn.Linear layers
Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer TransformerDecoderLayer MultiheadAttention:
    build it of nn.Linear, nn.LayerNorm and nn.functional.scaled_dot_product_attention
distributions: write its log-probability as a formula, and draw with minigrad.randn, rand or multinomial
parametrize parametrizations weight_norm remove_weight_norm spectral_norm remove_spectral_norm prune:
    compute the weight from its parameters in forward()
AvgPool1d Bilinear CELU CosineEmbeddingLoss GLU Hardshrink Hardsigmoid Hardswish Hardtanh HingeEmbeddingLoss KLDivLoss
LogSigmoid MarginRankingLoss MaxPool1d Mish PReLU PoissonNLLLoss ReLU6 SELU SmoothL1Loss Softmin Softshrink Softsign
Tanhshrink Threshold TripletMarginLoss Unflatten:
    write what it computes in forward(); nn.functional has many of these functions
GroupNorm InstanceNorm1d InstanceNorm2d group_norm instance_norm:
    use BatchNorm2d or LayerNorm; or subtract x.mean(dims, keepdim=True), and divide by the deviation
ModuleDict: use an nn.ModuleList and a dict of places, or make each module an attribute with setattr
ParameterList ParameterDict: make each parameter an attribute, with register_parameter(name, parameter)
parameters_to_vector vector_to_parameters:
    write minigrad.cat([p.flatten() for p in parameters]); split() gives the parts back
clip_grad_value_: call p.grad.clamp_(-limit, limit) for each parameter p
get_total_norm: write minigrad.stack([t.norm() for t in tensors]).norm()
trunc_normal_: draw with normal_, and clamp_ what is outside
# training: schedules, optimizers, data
ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR LinearLR MultiStepLR OneCycleLR PolynomialLR
SequentialLR:
    write the rate as a function of the epoch, and give it to LambdaLR
ReduceLROnPlateau: change optimizer.param_groups[0]['lr'] when the loss falls no further
Adadelta Adagrad Adamax NAdam RAdam Rprop ASGD LBFGS Muon: use Adam or RMSprop
Subset random_split: index the tensors with parts of minigrad.randperm(n), and make a TensorDataset of each part
ConcatDataset ChainDataset StackDataset IterableDataset:
    write a Dataset with __getitem__ and __len__, or make a list of the things
BatchSampler RandomSampler Sampler SequentialSampler SubsetRandomSampler WeightedRandomSampler:
    give DataLoader shuffle=True, or as its sampler a list of numbers, such as randperm or multinomial draw
checkpoint_sequential: call checkpoint for one segment of the chain after the other
set_checkpoint_early_stop set_checkpoint_debug_enabled:
    a second run always ends with the last value that the backward needs; autograd.events.listen tells what runs
# the graph, and functions of functions
SavedTensor allow_mutation_on_saved_tensors disable_saved_tensors_hooks:
    use autograd.graph.saved_tensors_hooks, which may save copies; node.saves tells what a node has saved
increment_version: change the tensor itself, under minigrad.no_grad(), which counts: x.add_(0)
is_multithreading_enabled set_multithreading_enabled: a backward runs in the thread that calls it
is_view_replay_enabled: views are always taken anew by their own operations
linearize: use minigrad.func.jvp at the same place
stack_module_state: stack the values that named_parameters() of each module has under one name
# new tensors, and types
logspace: raise the base to the power of minigrad.linspace(start, end, steps)
poisson: draw with numpy.random.poisson(rates.numpy()), and minigrad.from_numpy
randint_like: use minigrad.randint(low, high, x.shape)
tril_indices triu_indices: use minigrad.ones(n, m).tril().nonzero().T, or triu
empty_strided: use minigrad.empty(size), and as_strided for a view with other strides
fork_rng: keep minigrad.get_rng_state() before, and give it to set_rng_state() afterwards
iinfo finfo: use numpy.iinfo or numpy.finfo
can_cast result_type: look at the dtype of the two added, (a + b).dtype; x.to(dtype) converts
BoolTensor ByteTensor DoubleTensor FloatTensor IntTensor LongTensor: use minigrad.tensor(data, dtype=...)
# matrices
lstsq pinv pinverse:
    use linalg.solve(A.mT @ A, A.mT @ B), for independent columns; B = minigrad.eye(len(A)) gives the pseudoinverse
eig eigvals: use linalg.eigh or eigvalsh for symmetric matrices, and numpy.linalg.eig for others
solve_triangular: use linalg.solve(A.triu(), B), or A.tril()
cond matrix_rank: divide the largest of linalg.svdvals(A) by the smallest; or count those not nearly 0
matrix_norm: use linalg.norm(A), or linalg.svdvals(A) for 2 and 'nuc', or A.abs().sum(dim).amax() for 1 and inf
vander: use x[:, None] ** arange(n)
chain_matmul multi_dot: write a @ b @ c
bilinear: write ((a @ weight) * b).sum(-1).T + bias
# data analysis
histc searchsorted bucketize: use numpy.histogram, searchsorted or digitize on tensor.detach().numpy()
trapezoid trapz cumulative_trapezoid: use ((y[1:] + y[:-1]) * x.diff()).sum() / 2, or .cumsum(0) / 2
gradient: use y.diff() / x.diff() for numbers, and autograd.grad for functions
cdist pairwise_distance: use (a - b).norm(dim=-1), with a[:, None] for all pairs
cosine_similarity: write (a * b).sum(dim) / (a.norm(dim=dim) * b.norm(dim=dim))
normalize: write x / x.norm(dim=dim, keepdim=True)
rms_norm: write x / (x.square().mean(-1, keepdim=True) + eps).sqrt()
# shapes and places
cartesian_prod combinations: use meshgrid and stack, or index with what itertools.combinations yields
column_stack row_stack dstack: use vstack; stack(vectors, 1) or cat(matrices, 1); stack(matrices, 2) or cat(cubes, 2)
block_diag: write the blocks into minigrad.zeros(n, m)
atleast_3d: use unsqueeze
adaptive_avg_pool1d avg_pool1d max_pool1d:
    give the function for images an image of one row: x.unsqueeze(-2), and squeeze(-2) afterwards
conv_transpose1d conv_transpose2d ConvTranspose2d: take the gradient of conv2d: autograd.grad(conv2d(y, weight), y, x)
# functions of each number
lgamma gammaln digamma psi polygamma mvlgamma multigammaln igamma igammac gammainc gammaincc zeta erfinv erfcx ndtri
log_ndtr i0 i0e i1 i1e:
    use scipy.special on tensor.numpy(), or minigrad.autograd.Function with a derivative of your own
ndtr: write (1 + erf(x / 2**0.5)) / 2
xlogy xlog1py entr: write where(a == 0, 0, a * b.log()), with log1p(b) for xlog1py
isin: use (elements[..., None] == test_elements).any(-1)
rsub: write other - x
# activations and losses
heaviside threshold prelu hardshrink softshrink: use where: where(x > 0, x, weight * x) is prelu
relu6 hardsigmoid hardswish:
    relu6 is x.clamp(0, 6), hardsigmoid is x.clamp(-3, 3) / 6 + 0.5, and hardswish is x times that
selu celu: selu is 1.0507 * elu(x, 1.67326), and celu is alpha * elu(x / alpha)
mish: write x * softplus(x).tanh()
glu: write a * b.sigmoid() of the two halves a, b = x.chunk(2, dim)
logsigmoid: write -softplus(-x)
softsign: write x / (1 + x.abs())
tanhshrink: write x - x.tanh()
softmin: write softmax(-x, dim)
cosine_embedding_loss gaussian_nll_loss hinge_embedding_loss margin_ranking_loss multi_margin_loss
multilabel_soft_margin_loss poisson_nll_loss soft_margin_loss triplet_margin_loss:
    write the loss as a formula, with clamp(min=0) for a margin and mean() at the end
kl_div: write (target * (target.log() - input)).sum() / len(input), with the logarithm of probabilities as input
"""
# The same for functions that are methods of tensors, too.
OF_TENSORS = """
# matrices
qr: linalg.cholesky(A.mT @ A).mT is R, and A @ linalg.inv(R) is Q
cholesky: use linalg.cholesky
slogdet logdet: use linalg.det, and its sign and the logarithm of its size
vdot: use (a.conj() * b).sum()
matrix_power: multiply as often as needed, a @ a @ a, or the inverse, linalg.inv(a)
inner: write a @ b.T for matrices, or (a * b).sum()
kron: write (a[:, None, :, None] * b[:, None]).flatten(2).flatten(0, 1)
addmv baddbmm addbmm addr: use beta * input + alpha * (a @ b), with sum(0) for addbmm
# data analysis
quantile nanquantile kthvalue: use sort or topk, and take the numbers at the places you want; x[x == x] leaves out nan
nansum nanmean: write where(x == x, x, 0).sum(dim), and for the mean divide it by (x == x).sum(dim)
mode unique_consecutive: use unique with return_counts=True, or compare x[1:] with x[:-1]
aminmax: use amin and amax
cummax cummin logcumsumexp:
    stack([x[:i].amax(0) for i in range(1, len(x) + 1)]) is cummax; with amin or logsumexp it is the other
msort: use x.sort(0).values
bincount: use nn.functional.one_hot(x).sum(0)
cov: use c @ c.T / (n - 1) of the centred rows c = x - x.mean(1, keepdim=True)
corrcoef: divide each centred row by its norm, and multiply the rows with each other
renorm: use x * (maxnorm / x.norm(dim=1, keepdim=True)).clamp(max=1)
# shapes and places
unflatten: use reshape with all sizes
fold unfold: take the windows with x.as_strided(size, stride), or index with places: x[starts[:, None] + arange(n)]
tensor_split hsplit vsplit dsplit: use split with the sizes of the parts
fliplr flipud rot90: use x.flip(dim), after x.transpose(0, 1) for rot90
diagflat: use diag_embed(x.flatten())
take: use x.flatten()[index]
take_along_dim: use gather, after expand where the shapes differ
index_copy index_copy_ index_fill index_fill_: write to a copy: y[:, index] = value
masked_scatter masked_scatter_: write to a copy: y[mask] = source[: mask.sum()]
scatter_reduce index_reduce: use scatter_add or index_add for a sum, and a mask with amax or amin for an extreme
put: write to a copy: y.view(-1)[index] = source
# functions of each number
nextafter gcd lcm: use numpy on tensor.numpy()
erfc: write 1 - erf(x)
logit: write (x / (1 - x)).log()
sinc: write sin(πx) / (πx)
deg2rad rad2deg: multiply by π / 180, or by 180 / π
signbit isposinf isneginf: compare with 0, inf or -inf
isclose: compare (a - b).abs() with the tolerance, or use allclose
logaddexp logaddexp2: stack the two, and use logsumexp
nan_to_num fmax fmin: use where with isnan and isinf
clamp_min clamp_max: use clamp with min or max
copysign: use abs and sign
ldexp bitwise_left_shift bitwise_right_shift: write x * 2**n, or x // 2**n
fmod frac: write a - b * trunc(a / b), with b = 1 for frac; or use remainder
hypot: write (a * a + b * b).sqrt()
angle: use atan2(z.imag, z.real)
lerp: write start + weight * (end - start)
addcmul addcdiv: write input + value * tensor1 * tensor2, or / tensor2
conj_physical: use conj
float_power: write x.double() ** exponent
# types
bfloat16: NumPy has no such type; use float16
# methods alone
to_sparse values indices sparse_resize_ sparse_resize_and_clear_ resize_as_sparse_:
    all tensors are dense: the tensor itself holds all values, and nonzero() tells where they are
apply_ map_ map2_: write it with operations of tensors, which are recorded
set_ resize_ resize_as_: a tensor keeps its memory and its size; use copy_ or reshape, or tensor.data = other
cauchy_ log_normal_ geometric_ exponential_:
    write x.copy_() of a formula of minigrad.rand or randn: -rand(x.shape).log() / rate is exponential
random_: write x.copy_(minigrad.randint(low, high, x.shape))
storage untyped_storage: data_ptr() tells what shares memory, stride() how it is read, numpy() shows it
fill_diagonal_: use x.diagonal().fill_(value)
cuda pin_memory share_memory_: there is one process, on a CPU; leave the call out
"""
OF_MODULES = {  # methods of modules
    "register_backward_hook": "use register_full_backward_hook",
    "register_full_backward_pre_hook": "in a forward hook, call output.register_hook",
    "get_parameter": "use dict(module.named_parameters())[name]",
    "get_submodule": "use dict(module.named_modules())[name]",
    "half": "use module.to(minigrad.float16)",
    "get_buffer": "use dict(module.named_buffers())[name]",
}


def by_name(table: str) -> dict[str, str]:
    """The sentence for each name, from lines `name name: sentence`, of which each part may take several.

    >>> by_name("# of numbers\\nerfc: write 1 - erf(x)\\n")
    {'erfc': 'write 1 - erf(x)'}
    """
    entries = re.findall(r"^(\w[\w\s]*):\s+(.+)$", table, re.MULTILINE)
    return {name: sentence for names, sentence in entries for name in names.split()}


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


def answer(module: str) -> Callable[[str], NoReturn]:
    """The `__getattr__` of a module: it says of a name that is not there why."""

    def refuse(name: str) -> NoReturn:
        raise error(module, name)

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
        raise AttributeError(f"there is no '{name}' here: this engine runs on the CPU only")


cuda = Absent(synchronize=lambda: None, empty_cache=lambda: None)
accelerator = Absent(current_accelerator=lambda: None)
backends = Absent(cudnn=Absent(enabled=False, version=lambda: None), mps=Absent(), cuda=Absent())
