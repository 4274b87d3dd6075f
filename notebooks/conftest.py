"""What nbval does not compare in the notebooks of the course, beyond its own list (images, widget model ids)."""

NOT_COMPARED = (
    "image/svg+xml",  # coordinates and text baselines differ between Graphviz versions and fonts
    "text/html",  # the stepper's holds its program; what it says is in its text form, which is compared
    "stderr",  # a warning names the temporary file of its cell, with the number of the kernel's process
)
# The page of a stepper holds such a picture, and all of the stepper's code; its plain text tells every step.
STEPPER = r"(?s)<iframe .* srcdoc='[^']*'.*</iframe>"


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):  # nbval's collector of one notebook
        collector.skip_compare += NOT_COMPARED
        collector.sanitize_patterns[STEPPER] = "<the page of a stepper>"
