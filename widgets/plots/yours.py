"""A figure of your own, shown as the plots here are: for the light and the dark theme, and in words."""

from typing import Any

from .figure import Plot


def plot_figure(words: str, figure: Any = None) -> Plot:
    """Show a figure that you drew with matplotlib in both themes, and in words.

    Args:
        words: what it shows, a line or several; the first is its title.
        figure: pyplot's current one if omitted.

    >>> import matplotlib.pyplot as plt
    >>> _ = plt.figure().add_subplot().bar(["cat", "dog"], [0.7, 0.3])
    >>> plot_figure("two bars: cat 0.7, dog 0.3")
    two bars: cat 0.7, dog 0.3
    """
    from matplotlib import pyplot  # it chooses a backend, which is the caller's to start

    figure = figure or pyplot.gcf()
    if not figure.axes:
        raise ValueError("the figure is empty: draw on it first, in the same cell")
    pyplot.close(figure)  # or a notebook would show it once more
    return Plot(figure.axes, words.partition("\n")[0], words.splitlines(), True)
