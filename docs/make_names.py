"""Write docs/names.md: PyTorch's names that people use, and for each whether it works here or what to use instead.

    .venv/bin/python docs/make_names.py

The names are kept in this file; whether they work is found out by asking minigrad, so the page is true by construction.
"""

import importlib.util
import warnings
from pathlib import Path

import minigrad
from minigrad import Tensor

PAGE = Path(__file__).parent / "names.md"
HEAD = """# The names that work

<!-- Made by docs/make_names.py, which asks minigrad for each name. -->

PyTorch's names that its notes on autograd and ordinary teaching code use. A name that works has PyTorch's result and
gradient, and takes the arguments that such code gives it; one that it does not know is refused by name. The other names
say, here and when they are used, what to use instead.

Recurrent layers, transformers, distributions and parametrisations are left out on purpose: each is a few lines of what
is here, and written by hand they teach more than a call does. Bessel functions, orthogonal polynomials and their like
are left to scipy.special and numpy.polynomial.
"""
NAMESPACES = {
    "minigrad": (
        "randn rand ones tensor double no_grad is_grad_enabled zeros allclose ones_like inference_mode enable_grad "
        "is_inference float sin exp matmul manual_seed set_grad_enabled device Tensor eye rand_like add empty "
        "linspace mul cat arange stack full is_inference_mode_enabled pow max dist from_numpy sum save load flatten "
        "randint einsum var_mean LongTensor zeros_like float64 mm all channels_last where sigmoid sqrt int16 abs "
        "asin svd long eq float32 inf contiguous_format optim vmap det std_mean argmax matrix_exp full_like "
        "bernoulli set_default_device empty_like int32 ceil floor clamp bitwise_xor mean std prod unique cross sin_ "
        "reshape randn_like int cos igamma acosh_ BoolTensor min median nanmedian isin signbit empty_strided "
        "vdot rsub mode quantile nanquantile cdist trapezoid trapz cumulative_trapezoid vander logspace tril_indices "
        "triu_indices bincount histc bucketize searchsorted cov corrcoef gradient kthvalue aminmax cummin nanmean "
        "renorm scatter_reduce index_reduce unique_consecutive addbmm cartesian_prod combinations column_stack "
        "row_stack vsplit dsplit put qr cholesky slogdet logdet pinverse logaddexp distributions profiler "
        "poisson randint_like iinfo can_cast igammac"
    ),
    "minigrad.accelerator": ("is_available current_accelerator"),
    "minigrad.autograd": (
        "Function grad gradcheck gradgradcheck backward Variable detect_anomaly is_view_replay_enabled "
        "is_multithreading_enabled set_multithreading_enabled SavedTensor"
    ),
    "minigrad.autograd.Function": ("apply"),
    "minigrad.autograd.forward_ad": ("unpack_dual make_dual dual_level enter_dual_level"),
    "minigrad.autograd.function": ("once_differentiable"),
    "minigrad.autograd.functional": ("hvp vhp jacobian vjp hessian jvp"),
    "minigrad.autograd.gradcheck": ("GradcheckError"),
    "minigrad.autograd.graph": (
        "saved_tensors_hooks allow_mutation_on_saved_tensors GradientEdge register_multi_grad_hook save_on_cpu "
        "increment_version get_gradient_edge"
    ),
    "minigrad.autograd.profiler": ("profile record_function"),
    "minigrad.backends.cudnn": ("enabled version flags"),
    "minigrad.backends.mps": ("is_available"),
    "minigrad.cuda": ("is_available memory_allocated reset_peak_memory_stats max_memory_allocated device_count"),
    "minigrad.func": ("functional_call stack_module_state vjp vmap jacrev jacfwd hessian jvp grad linearize"),
    "minigrad.linalg": (
        "solve eigvalsh svd matrix_exp cond lstsq eig eigvals pinv qr slogdet solve_triangular matrix_rank vander"
    ),
    "minigrad.nn": (
        "Linear Module Conv2d ReLU Parameter Sequential MSELoss Flatten MaxPool2d CrossEntropyLoss Dropout2d Softmax "
        "BatchNorm1d Dropout BatchNorm2d LSTM DataParallel Embedding AvgPool2d AdaptiveAvgPool2d Sigmoid Identity "
        "InstanceNorm2d ParameterList ParameterDict ModuleDict RNN GRU Transformer MultiheadAttention"
    ),
    "minigrad.nn.functional": (
        "relu max_pool2d conv2d relu_ log_softmax binary_cross_entropy_with_logits nll_loss cross_entropy mse_loss "
        "conv_transpose2d linear avg_pool2d threshold"
    ),
    "minigrad.nn.init": ("orthogonal_ kaiming_uniform_"),
    "minigrad.nn.utils": (
        "clip_grad_norm_ clip_grad_value_ parameters_to_vector vector_to_parameters get_total_norm parametrize "
        "weight_norm"
    ),
    "minigrad.optim": ("SGD Adam Adadelta RMSprop"),
    "minigrad.optim.lr_scheduler": (
        "LambdaLR StepLR ExponentialLR CosineAnnealingLR MultiStepLR LinearLR ConstantLR OneCycleLR ReduceLROnPlateau"
    ),
    "minigrad.random": ("manual_seed seed initial_seed get_rng_state set_rng_state fork_rng"),
    "minigrad.special": (
        "digamma entr erf erfc erfcx erfinv exp2 expit expm1 gammainc gammaincc gammaln i0 i0e i1 i1e log1p log_ndtr "
        "log_softmax logit logsumexp multigammaln ndtr ndtri polygamma psi round sinc softmax xlog1py xlogy zeta"
    ),
    "minigrad.utils": ("benchmark"),
    "minigrad.utils.checkpoint": (
        "checkpoint set_checkpoint_early_stop set_checkpoint_debug_enabled checkpoint_sequential"
    ),
    "minigrad.utils.data": (
        "DataLoader Dataset TensorDataset IterableDataset Subset ConcatDataset ChainDataset StackDataset random_split "
        "Sampler SequentialSampler RandomSampler SubsetRandomSampler WeightedRandomSampler BatchSampler default_collate"
    ),
    "Tensor": (
        "sum backward grad grad_fn clone requires_grad exp narrow item requires_grad_ register_hook shape detach "
        "view add_ pow size mul_ sin _version cos zero_ to name view_as retain_grad unsqueeze abs T data relu "
        "flatten copy_ data_ptr numpy register_post_accumulate_grad_hook stride mean transpose float sin_ expand "
        "_is_view output_nr detach_ mul squeeze reshape triu _backward_hooks unbind storage sub_ device norm values "
        "add is_leaf transpose_ select long numel dtype tolist as_strided mm matmul var fill_ double prod chunk "
        "repeat t equal argmax cuda all _base clamp softmax type unsqueeze_ set_ relu_ index resize_ maximum cpu "
        "ndim eq tanh movedim min max log det neg_ index_add_ _grad_fn as_strided_ t_ squeeze_ swapdims_ swapaxes_ "
        "new_zeros diagonal bool bernoulli exp_ new_ones masked_fill sub div bernoulli_ volatile contiguous split "
        "split_with_sizes unsafe_split unsafe_split_with_sizes unsafe_chunk is_floating_point eq_ resize_as_ "
        "cauchy_ log_normal_ geometric_ untyped_storage fill_diagonal_"
    ),
}
COMMON = {
    "unary": (
        "neg abs exp log log2 log1p expm1 sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh sigmoid square "
        "reciprocal"
    ),
    "binary": ("add sub mul div pow maximum minimum where clamp"),
    "reduction": ("sum mean var std prod max min amax amin argmax cumsum norm linalg.vector_norm logsumexp"),
    "matrix": ("matmul mm mv dot bmm"),
    "shape": (
        "t transpose permute reshape view squeeze unsqueeze expand broadcast_to flatten flip roll cat stack split "
        "chunk tril triu diag"
    ),
    "index": ("__getitem__ gather index_select masked_fill"),
    "activation": (
        "nn.functional.relu nn.functional.leaky_relu nn.functional.elu nn.functional.gelu nn.functional.softplus "
        "nn.functional.silu softmax log_softmax"
    ),
    "loss": (
        "nn.functional.mse_loss nn.functional.binary_cross_entropy_with_logits nn.functional.binary_cross_entropy "
        "nn.functional.cross_entropy nn.functional.nll_loss nn.functional.l1_loss nn.functional.huber_loss "
        "nn.functional.smooth_l1_loss"
    ),
    "layer": ("nn.functional.linear nn.functional.conv1d nn.functional.conv2d"),
}
LESS_COMMON = {
    "unary": (
        "exp2 log10 asinh acosh atanh erf erfc logit sign sgn floor ceil round trunc frac positive isnan isfinite "
        "clone contiguous real conj zeros_like ones_like nan_to_num"
    ),
    "binary": (
        "__radd__ __rsub__ __rmul__ __rdiv__ __rpow__ true_divide atan2 fmod remainder clamp_min clamp_max eq ne lt "
        "le gt ge logaddexp lerp addcmul addcdiv hypot xlogy"
    ),
    "reduction": (
        "argmin cumprod logcumsumexp cummax median nansum count_nonzero all any std_mean var_mean topk sort msort "
        "argsort linalg.norm linalg.matrix_norm diff trace"
    ),
    "matrix": (
        "outer inner addmm addmv addr baddbmm einsum tensordot kron __rmatmul__ linalg.inv linalg.det linalg.solve "
        "linalg.cholesky linalg.multi_dot linalg.matrix_power chain_matmul"
    ),
    "shape": (
        "T mT repeat tile repeat_interleave movedim unflatten ravel hstack vstack dstack unbind narrow view_as "
        "expand_as reshape_as fliplr flipud rot90 diagonal diag_embed diagflat swapaxes atleast_1d atleast_2d "
        "meshgrid tensor_split hsplit select unfold as_strided block_diag"
    ),
    "index": (
        "scatter scatter_add index_add index_put index_fill index_copy take take_along_dim masked_select "
        "masked_scatter nonzero"
    ),
    "nn": (
        "nn.functional.relu6 nn.functional.selu nn.functional.celu nn.functional.mish nn.functional.hardtanh "
        "nn.functional.hardsigmoid nn.functional.hardswish nn.functional.softsign nn.functional.tanhshrink "
        "nn.functional.logsigmoid nn.functional.glu nn.functional.prelu nn.functional.threshold "
        "nn.functional.softmin nn.functional.kl_div nn.functional.layer_norm nn.functional.batch_norm "
        "nn.functional.group_norm nn.functional.instance_norm nn.functional.rms_norm nn.functional.normalize "
        "nn.functional.cosine_similarity nn.functional.embedding nn.functional.one_hot nn.functional.pad "
        "nn.functional.max_pool1d nn.functional.max_pool2d nn.functional.avg_pool1d nn.functional.avg_pool2d "
        "nn.functional.adaptive_avg_pool2d nn.functional.unfold nn.functional.bilinear "
        "nn.functional.scaled_dot_product_attention nn.functional.hinge_embedding_loss "
        "nn.functional.margin_ranking_loss nn.functional.soft_margin_loss nn.functional.gaussian_nll_loss "
        "nn.functional.poisson_nll_loss nn.functional.multi_margin_loss nn.functional.multilabel_soft_margin_loss "
        "nn.functional.conv_transpose2d"
    ),
}
NOT_YET = "not yet"


def answer(name: str) -> str | None:
    """None where the name works; else what to use instead."""
    *path, last = name.split(".")
    found = {"minigrad": minigrad, "Tensor": Tensor}[path[0]]
    try:
        for step in (*path[1:], last):
            found = inside(found, step)
    except (AttributeError, ImportError) as error:
        _, colon, sentence = str(error).partition(": ")
        return sentence if colon else NOT_YET
    return found.instead() if hasattr(found, "instead") else None


def inside(found, step: str):
    try:
        return getattr(found, step)
    except AttributeError:
        if callable(found):  # a function with the name of its module, which can still be imported from
            return getattr(importlib.import_module(found.__module__), step)
        name = hasattr(found, "__path__") and f"{found.__name__}.{step}"
        if not name or importlib.util.find_spec(name) is None:
            raise
        return importlib.import_module(name)


def answer_of_op(name: str) -> str | None:
    """An operation works as a function or as a method."""
    as_function = answer(f"minigrad.{name}")
    return as_function and answer(f"Tensor.{name}") and as_function


def section(title: str, answers: dict) -> list[str]:
    """The working names in a row, the others in a table."""
    working = [name for name, instead in answers.items() if instead is None]
    lines = [f"### {title}: {len(working)} of {len(answers)}", ""]
    if working:
        lines += [" · ".join(f"`{name}`" for name in working), ""]
    if len(working) < len(answers):
        lines += ["| name | instead |", "|---|---|"]
        lines += [f"| `{name}` | {instead} |" for name, instead in answers.items() if instead is not None]
        lines.append("")
    return lines


def page() -> str:
    """The whole page."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = {
            "By namespace": {
                title: {name: answer(f"{title}.{name}") for name in names.split()}
                for title, names in NAMESPACES.items()
            },
            **{
                ring: {family: {name: answer_of_op(name) for name in names.split()} for family, names in table.items()}
                for ring, table in {"Operations": COMMON, "Operations, the less common": LESS_COMMON}.items()
            },
        }
    everything = [instead for part in parts.values() for names in part.values() for instead in names.values()]
    assert NOT_YET not in everything, "each name works, or says what to use instead"
    working = everything.count(None)
    counted = f"Of {len(everything)} names, {working} work, and {len(everything) - working} say what to use instead."
    lines = [HEAD, counted, ""]
    for part, sections in parts.items():
        lines += [f"## {part}", ""]
        for title, answers in sections.items():
            lines += section(title, answers)
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
