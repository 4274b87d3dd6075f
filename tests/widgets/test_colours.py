"""The colours can be read as text, on paper and on their own tint, and told apart with any kind of colour vision."""

import itertools

import numpy as np
import pytest

from widgets.colours import COLOURS, PAPER, css, mix

# What is left of linear RGB with no red, green or blue cones: Machado, Oliveira and Fernandes (2009), severity 1.
VISION = {
    "full": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
WHITE = [0.9505, 1.0, 1.089]


def linear(colour):
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """WCAG's contrast ratio."""
    low, high = sorted(linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    """CIE L*a*b*, in which a distance of about 2 can just be seen."""
    x, y, z = np.cbrt(TO_XYZ @ np.clip(rgb, 0.001, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", PAPER)
@pytest.mark.parametrize("name", COLOURS)
def test_each_can_be_read_as_text(name, theme):
    colour, paper = getattr(COLOURS[name], theme), PAPER[theme]
    ground = COLOURS[name].fill if theme == "light" else COLOURS[name].dark_fill
    assert contrast(colour, paper) >= 4.5
    assert contrast(colour, ground) >= 4.5
    assert contrast(getattr(COLOURS["ink"], theme), ground) >= 7


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", PAPER)
def test_any_two_can_be_told_apart(theme, vision):
    seen = {name: lab(VISION[vision] @ linear(getattr(colour, theme))) for name, colour in COLOURS.items()}
    near = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in itertools.combinations(seen, 2)}
    assert min(near.values()) >= 10, min(near, key=near.get)


def test_the_style_sheet_has_every_colour_in_both_themes():
    sheet = css()
    for name, colour in COLOURS.items():
        assert sheet.count(f"--mg-{name}:{colour.light};") == 3  # by default, in JupyterLab, and in print
        assert sheet.count(f"--mg-{name}:{colour.dark};") == 2
        assert f"--mg-{name}-fill:{colour.dark_fill};" in sheet
    assert mix("#000000", "#ffffff", 0) == "#ffffff"
    assert mix("#000000", "#ffffff", 1) == "#000000"
