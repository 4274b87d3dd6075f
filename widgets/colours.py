"""What a colour means, in every picture: the graph, the stepper, the plots.

The hues are after Okabe and Ito's palette, which colour-blind people tell apart; each is darkened for white paper and
lightened for black, so that it can be read as text (WCAG AA). Colour never stands alone: a shape, a line or a word
always says the same.

>>> COLOURS["gradient"].light, COLOURS["gradient"].fill
('#b84600', '#f6e9e0')
"""

from typing import NamedTuple

PAPER = {"light": "#ffffff", "dark": "#111111"}  # JupyterLab's own


class Colour(NamedTuple):
    """One meaning, for lines and text; and its tint, the ground of a box with words in ink or in the colour itself."""

    light: str
    dark: str

    @property
    def fill(self) -> str:
        return mix(self.light, PAPER["light"])

    @property
    def dark_fill(self) -> str:
        return mix(self.dark, PAPER["dark"])


def mix(colour: str, paper: str, share: float = 0.12) -> str:
    """A little of a colour on paper."""
    parts = [(int(colour[i : i + 2], 16), int(paper[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * c + (1 - share) * p):02x}" for c, p in parts)


COLOURS = {
    "ink":       Colour("#1a1a1a", "#ececec"),  # words; what mathematics says, to compare with
    "value":     Colour("#0068c9", "#56b4e9"),  # computed on the way forward
    "gradient":  Colour("#b84600", "#ff8a4c"),  # computed on the way back, and `.grad`
    "negative":  Colour("#6d2770", "#cf7fbf"),  # a gradient below zero, where its sign is shown by colour
    "parameter": Colour("#007a57", "#3fd0a2"),  # a leaf that wants a gradient
    "constant":  Colour("#555555", "#a0a0a0"),  # data: what wants none; axes and other furniture
}  # fmt: skip


def css() -> str:
    """The table as custom properties: `var(--mg-gradient)`, `var(--mg-gradient-fill)`, `var(--mg-paper)`.

    JupyterLab's theme decides where there is one, and the reader's system otherwise. An SVG that JupyterLab shows as an
    image cannot see the page; `color-scheme` tells it, once this sheet is in the page. Paper is white when printed.
    """
    light = f"--mg-paper:{PAPER['light']};"
    dark = f"--mg-paper:{PAPER['dark']};"
    for name, colour in COLOURS.items():
        light += f"--mg-{name}:{colour.light};--mg-{name}-fill:{colour.fill};"
        dark += f"--mg-{name}:{colour.dark};--mg-{name}-fill:{colour.dark_fill};"
    return (
        f":root{{{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f"[data-jp-theme-light=true]{{{light}}}\n"
        f"[data-jp-theme-light=false]{{{dark}}}\n"
        f"@media print{{:root,[data-jp-theme-light]{{{light}}}}}\n"
        "[data-jp-theme-light=true] .jp-RenderedSVG{color-scheme:light}\n"
        "[data-jp-theme-light=false] .jp-RenderedSVG{color-scheme:dark}\n"
    )
