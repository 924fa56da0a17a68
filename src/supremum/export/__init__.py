"""A system in other languages: one file that needs nothing, for projects that take rules along."""

from .checking import check, write
from .description import Description
from .formats import FORMATS, SUFFIXES, describe, format_of, render
from .proving import prove

__all__ = [
    "FORMATS", "SUFFIXES", "Description", "check", "describe", "format_of", "prove", "render",
    "write",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
