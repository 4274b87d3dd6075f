"""The rows of ops/convolution.py as expressions."""

from .case import case

CASES = [
    case("correlation", "rows.correlation(a, b, (2, 2, 2), (1,), (0,), (1,), 1)",
         "n.conv(a.swapaxes(0, 1), b.swapaxes(0, 1)).swapaxes(0, 1)",
         shapes=[((1, 2, 4), (1, 2, 3)), ((2, 2, 4), (2, 2, 3))],
         torch="F.conv1d(a.transpose(0, 1), b.transpose(0, 1)).transpose(0, 1)"),
    case("transposed_convolution", "rows.transposed_convolution(a, b, None, (2, 2, 4))", "n.conv_transpose(a, b)",
         shapes=[((2, 1, 3), (1, 2, 2))], torch="F.conv_transpose1d(a, b)"),
    case("convolution", "F.conv1d(a, b)", "n.conv(a, b)", shapes=[((1, 2, 4), (2, 2, 2)), ((2, 1, 3), (1, 1, 3))]),
    case("convolution", "F.conv1d(a, b, c, stride=2, padding=1)", "n.conv(a, b, c, 2, 1)",
         shapes=[((1, 2, 4), (2, 2, 2), (2,))]),
    case("convolution", "F.conv1d(a, b, dilation=2)", "n.conv(a, b, dilation=2)", shapes=[((1, 1, 5), (1, 1, 2))]),
    case("convolution", "F.conv2d(a, b, c)", "n.conv(a, b, c)", shapes=[((1, 2, 3, 3), (1, 2, 2, 2), (1,))]),
    case("convolution", "F.conv2d(a, b, stride=(1, 2), padding=(1, 0))", "n.conv(a, b, None, (1, 2), (1, 0))",
         shapes=[((1, 1, 3, 3), (2, 1, 2, 2))]),
    case("convolution", "F.conv2d(a, b, c, groups=2)",
         "np.concatenate([n.conv(a[:, :2], b[:1], c[:1]), n.conv(a[:, 2:], b[1:], c[1:])], 1)",
         shapes=[((1, 4, 3, 3), (2, 2, 2, 2), (2,))]),
    case("convolution", "F.conv1d(a, b, stride=2, padding=1, groups=3)",
         "np.concatenate([n.conv(a[:, i : i + 1], b[2 * i : 2 * i + 2], None, 2, 1) for i in range(3)], 1)",
         shapes=[((2, 3, 4), (6, 1, 2))]),
    case("convolution", "F.conv2d(a, b, padding='same')", "n.conv(a, b, None, 1, 1)",
         shapes=[((1, 1, 2, 3), (1, 1, 3, 3))]),
]  # fmt: skip
