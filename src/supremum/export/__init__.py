"""A system in other languages: one file that needs nothing, for projects that take rules along."""

from ..core.errors import refuse_calls
from .checking import check, write
from .description import Description
from .formats import FORMATS, describe, render
from .proving import prove

__all__ = ["FORMATS", "Description", "check", "describe", "prove", "render", "write"]


def __dir__() -> list[str]:
    return __all__


refuse_calls(__name__, "export.render('jax', 'python')")
