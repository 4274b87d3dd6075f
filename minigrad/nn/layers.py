"""The layers that call one function of `nn.functional`, with its options: one line each.

>>> import minigrad as mg
>>> ReLU()(mg.tensor([-1.0, 2.0]))
tensor([0., 2.])
>>> MSELoss()(mg.tensor([1.0, 2.0]), mg.tensor([1.0, 4.0]))
tensor(2.)
>>> CrossEntropyLoss()(mg.zeros(1, 2), mg.tensor([1]))
tensor(0.6931)
>>> MaxPool2d(2)(mg.tensor([[[1.0, 2.0], [3.0, 4.0]]]))
tensor([[[4.]]])
"""

from functools import partial

from ..core.tensor import Tensor
from . import functional as F
from .layer import REQUIRED, Layer, layer

loss = partial(layer, shown="")
MEAN = "mean"  # what becomes of the losses of the elements; their "sum", or, with "none", each is kept


class _Pool(Layer):
    """Windows, by default side by side."""

    def __init__(self, *args, **options) -> None:
        super().__init__(*args, **options)
        if vars(self)["stride"] is None:
            self.stride = vars(self)["kernel_size"]


# fmt: off
# == bends ================================================================================================

Sigmoid = layer("Sigmoid", F.sigmoid, "1 / (1 + e⁻ˣ).")
Tanh = layer("Tanh", F.tanh, "The hyperbolic tangent.")
ReLU = layer("ReLU", F.relu, "x where it is positive, else 0.", inplace=False)
SiLU = layer("SiLU", F.silu, "x · sigmoid(x).", inplace=False)
LeakyReLU = layer("LeakyReLU", F.leaky_relu, "x where it is positive, else a small multiple of it.",
                  negative_slope=0.01, inplace=False)
ELU = layer("ELU", F.elu, "x where it is positive, else α(eˣ - 1).", alpha=1.0, inplace=False)
GELU = layer("GELU", F.gelu, "x weighted by the probability that a normal variable is smaller.", approximate="none")
Softplus = layer("Softplus", F.softplus, "log(1 + eᵝˣ) / β: a smooth ReLU.", beta=1.0, threshold=20.0)
Softmax = layer("Softmax", partial(F.softmax, _stacklevel=5), "eˣ divided by its sum along a dimension.", dim=None)
LogSoftmax = layer("LogSoftmax", partial(F.log_softmax, _stacklevel=5), "Softmax's logarithm, always finite.", dim=None)
Softmin = layer("Softmin", partial(F.softmin, _stacklevel=5), "Softmax of -x.", dim=None)
LogSigmoid = layer("LogSigmoid", F.logsigmoid, "The logarithm of sigmoid(x), always finite.")
ReLU6 = layer("ReLU6", F.relu6, "x held between 0 and 6.", inplace=False)
SELU = layer("SELU", F.selu, "ELU with the scale that keeps mean 0 and deviation 1.", inplace=False)
CELU = layer("CELU", F.celu, "x where it is positive, else α(eˣᐟᵅ - 1).", alpha=1.0, inplace=False)
Mish = layer("Mish", F.mish, "x · tanh(softplus(x)).", inplace=False)
Hardsigmoid = layer("Hardsigmoid", F.hardsigmoid, "relu6(x + 3) / 6.", shown="", inplace=False)
Hardswish = layer("Hardswish", F.hardswish, "x · relu6(x + 3) / 6.", shown="", inplace=False)
Hardtanh = layer("Hardtanh", F.hardtanh, "x held between two bounds.", min_val=-1.0, max_val=1.0, inplace=False)
Hardshrink = layer("Hardshrink", F.hardshrink, "x, but 0 between -λ and λ.", shown="{lambd}", lambd=0.5)
Softshrink = layer("Softshrink", F.softshrink, "x, nearer to 0 by λ.", shown="{lambd}", lambd=0.5)
Softsign = layer("Softsign", F.softsign, "x / (1 + |x|).")
Tanhshrink = layer("Tanhshrink", F.tanhshrink, "x - tanh(x).")
Threshold = layer("Threshold", F.threshold, "x above a threshold, else a value.",
                  threshold=REQUIRED, value=REQUIRED, inplace=False)
GLU = layer("GLU", F.glu, "One half of the channels, times the sigmoid of the other.", dim=-1)

# == losses ===============================================================================================

MSELoss = loss("MSELoss", F.mse_loss, "(input - target)².", reduction=MEAN)
L1Loss = loss("L1Loss", F.l1_loss, "|input - target|.", reduction=MEAN)
HuberLoss = loss("HuberLoss", F.huber_loss, "Half the square; beyond δ a straight line.", reduction=MEAN, delta=1.0)
SmoothL1Loss = loss("SmoothL1Loss", F.smooth_l1_loss, "HuberLoss / β.", reduction=MEAN, beta=1.0)
BCELoss = loss("BCELoss", F.binary_cross_entropy, "The surprise at a yes or no of probability `input`.",
               weight=None, reduction=MEAN)
BCEWithLogitsLoss = loss("BCEWithLogitsLoss", F.binary_cross_entropy_with_logits,
                         "BCELoss of sigmoid(input), never overflowing.", weight=None, reduction=MEAN, pos_weight=None)
NLLLoss = loss("NLLLoss", F.nll_loss, "Minus the log-probability of each target class.",
               weight=None, reduction=MEAN, ignore_index=-100)
CrossEntropyLoss = loss("CrossEntropyLoss", F.cross_entropy, "NLLLoss of LogSoftmax: raw scores in, for targets that "
                        "are classes or probabilities.", weight=None, reduction=MEAN, ignore_index=-100,
                        label_smoothing=0.0)
KLDivLoss = loss("KLDivLoss", F.kl_div, "target · (log target - input).", reduction=MEAN, log_target=False)
PoissonNLLLoss = loss("PoissonNLLLoss", F.poisson_nll_loss, "How improbable the target is as a count.",
                      log_input=True, full=False, eps=1e-8, reduction=MEAN)
HingeEmbeddingLoss = loss("HingeEmbeddingLoss", F.hinge_embedding_loss, "A distance, or what it lacks to the margin.",
                          margin=1.0, reduction=MEAN)
MarginRankingLoss = loss("MarginRankingLoss", F.margin_ranking_loss, "What the first lacks to be ahead by the margin.",
                         margin=0.0, reduction=MEAN)
CosineEmbeddingLoss = loss("CosineEmbeddingLoss", F.cosine_embedding_loss, "1 - cosine, or what is beyond the margin.",
                           margin=0.0, reduction=MEAN)
TripletMarginLoss = loss("TripletMarginLoss", F.triplet_margin_loss, "What the anchor lacks to be nearer.",
                         margin=1.0, p=2.0, eps=1e-6, swap=False, reduction=MEAN)
SoftMarginLoss = loss("SoftMarginLoss", F.soft_margin_loss, "log(1 + exp(-target · input)).", reduction=MEAN)
MultiLabelSoftMarginLoss = loss("MultiLabelSoftMarginLoss", F.multilabel_soft_margin_loss,
                                "The surprise at each label, averaged.", weight=None, reduction=MEAN)

# == windows, shapes ======================================================================================

MaxPool2d = layer("MaxPool2d", F.max_pool2d, "The largest number of each window.", base=_Pool,
                  shown="kernel_size stride padding dilation ceil_mode", kernel_size=REQUIRED, stride=None, padding=0,
                  dilation=1, return_indices=False, ceil_mode=False)
AvgPool2d = layer("AvgPool2d", F.avg_pool2d, "The mean of each window.", base=_Pool, shown="kernel_size stride padding",
                  kernel_size=REQUIRED, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
                  divisor_override=None)
AdaptiveAvgPool2d = layer("AdaptiveAvgPool2d", F.adaptive_avg_pool2d, "As many means as asked.", output_size=REQUIRED)
Flatten = layer("Flatten", Tensor.flatten, "Several dimensions as one.", start_dim=1, end_dim=-1)
Unflatten = layer("Unflatten", lambda input, dim, unflattened_size: input.unflatten(dim, unflattened_size),
                  "One dimension as several.", dim=REQUIRED, unflattened_size=REQUIRED)

__all__ = [name for name, one in globals().items() if isinstance(one, type) and one.__module__ == __name__]
