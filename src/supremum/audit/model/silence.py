"""Silence: what the audit does does not warn in the program's name."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


@contextmanager
def silence() -> Iterator[None]:
    """Let nothing warn inside: not the compiler again, nor a function that is called again.

    `warnings.catch_warnings` would have every warning of the program that is shown once per place
    shown once more.
    """
    everything = ("ignore", None, Warning, None, 0)
    filters: list[Any] = warnings.filters  # type: ignore[assignment]  # a list, which typeshed hides
    filters.insert(0, everything)
    try:
        yield
    finally:
        with suppress(ValueError):
            filters.remove(everything)
