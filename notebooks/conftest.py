"""What nbval does not compare in the notebooks of the course, beyond its own list (images, widget model ids)."""

NOT_COMPARED = (
    "image/svg+xml",  # coordinates and text baselines differ between Graphviz versions and fonts
    "text/html",  # the stepper's holds its program; what it says is in its text form, which is compared
    "stderr",  # a warning names the temporary file of its cell, with the number of the kernel's process
)


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):  # nbval's collector of one notebook
        collector.skip_compare += NOT_COMPARED
