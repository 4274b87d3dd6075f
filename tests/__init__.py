"""Tests: they mirror minigrad/ and widgets/."""
