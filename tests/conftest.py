"""Settings for all tests."""

import os

from hypothesis import settings

import minigrad.nn  # noqa: F401 - so that all tables are there

# No deadline: a shared machine is slow at times. In CI the same examples each run, elsewhere new ones.
settings.register_profile("minigrad", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("minigrad")
