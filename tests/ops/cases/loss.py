"""The rows of ops/loss.py as expressions."""

from .case import CUBE, MATRIX, PAIR, PROBABILITY, case

CASES = [
    case("squared_error", "F.mse_loss(a, b)", "np.mean((a - b) ** 2)", shapes=PAIR),
    case("squared_error", "F.mse_loss(a, b, reduction='sum')", "np.sum((a - b) ** 2)", shapes=PAIR),
    case("squared_error", "F.mse_loss(a, b, reduction='none')", "(a - b) ** 2", shapes=PAIR),
    case("abs", "F.l1_loss(a, b)", "np.mean(abs(a - b))", shapes=PAIR),
    case("huber", "F.huber_loss(a, b, delta=0.8)", "n.huber(a - b, 0.8).mean()", shapes=PAIR),
    case("huber", "F.huber_loss(a, b, reduction='none')", "n.huber(a - b, 1)", shapes=PAIR),
    case("huber", "F.smooth_l1_loss(a, b, beta=0.5)", "n.huber(a - b, 0.5).mean() / 0.5", shapes=PAIR),
    case("huber", "F.smooth_l1_loss(a, b, reduction='sum')", "n.huber(a - b, 1).sum()", shapes=PAIR),
    *[case("cross_entropy_of_probability", f"F.binary_cross_entropy(a, b{options})",
           f"-(b * np.log(a) + (1 - b) * np.log(1 - a)).{end}", shapes=PAIR, a=PROBABILITY, b=PROBABILITY)
      for options, end in (("", "mean()"), (", reduction='sum'", "sum()"), (", reduction='none'", "copy()"))],
    *[case("cross_entropy_of_logit", f"F.binary_cross_entropy_with_logits(a, b{options})",
           f"-(b * np.log(n.sigmoid(a)) + (1 - b) * np.log(1 - n.sigmoid(a))).{end}", shapes=PAIR, b=PROBABILITY)
      for options, end in (("", "mean()"), (", reduction='sum'", "sum()"), (", reduction='none'", "copy()"))],
    case("cross_entropy_of_logit",
         "F.binary_cross_entropy_with_logits(a, b, floats([0.5, 1, 2]), pos_weight=floats(3))",
         "-(floats([0.5, 1, 2]) * (3 * b * np.log(n.sigmoid(a)) + (1 - b) * np.log(1 - n.sigmoid(a)))).mean()",
         shapes=PAIR[:1], b=PROBABILITY),
    case("cross_entropy_of_probability", "F.binary_cross_entropy(a, b, floats([0.5, 1, 2]))",
         "-(floats([0.5, 1, 2]) * (b * np.log(a) + (1 - b) * np.log(1 - a))).mean()", shapes=PAIR[:1],
         a=PROBABILITY, b=PROBABILITY),
    case("negative_log_likelihood", "F.nll_loss(a, ints([2, 0]), floats([0.5, 1, 2]).to(a.dtype))",
         "(-2 * a[0, 2] - 0.5 * a[1, 0]) / 2.5",
         shapes=MATRIX),
    case("negative_log_likelihood", "F.nll_loss(a, ints([2, 0]))", "n.picked(a, ints([2, 0])).mean()", shapes=MATRIX),
    case("negative_log_likelihood", "F.nll_loss(a, ints([2, 0]), reduction='none')", "n.picked(a, ints([2, 0]))[:, 0]",
         shapes=MATRIX),
    case("negative_log_likelihood", "F.nll_loss(a, ints([2, -100]))", "-a[0, 2]", shapes=MATRIX),
    case("negative_log_likelihood", "F.cross_entropy(a, ints([2, 0]))",
         "n.picked(np.log(n.softmax(a, 1)), ints([2, 0])).mean()", shapes=MATRIX),
    case("negative_log_likelihood", "F.cross_entropy(a, ints([[2, 0], [1, 1]]), reduction='sum')",
         "n.picked(np.log(n.softmax(a, 1)), ints([[2, 0], [1, 1]])).sum()", shapes=CUBE),
    case("soft_margin", "F.soft_margin_loss(a, floats([[1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]]))",
         "np.log1p(np.exp(-a * [[1, -1, 1], [-1, -1, 1]])).mean()", shapes=MATRIX),
    case("over", "F.cross_entropy(a, b)", "-(np.log(n.softmax(a, 1)) * b).sum(1).mean()", shapes=PAIR[:1],
         b=PROBABILITY),
]  # fmt: skip
