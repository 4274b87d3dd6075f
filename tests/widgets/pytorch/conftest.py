"""Whatever PyTorch does can be told: where something could not, a warning says so, and here that is an error."""

import warnings

import pytest


@pytest.fixture(autouse=True)
def all_is_told():
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Some of what PyTorch did could not be told")
        yield
