"""The dtype that a sweep is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...core.dtypes import by_name, names
from ...core.errors import DTypeError

Rule = Callable[[str], str]
"""Takes the name of a dtype, and returns that to convert it to: the same to leave it."""

NAMES: Final = frozenset(names())
"""The names of dtypes that are known."""

_COMPLEX: Final = {"float32": "complex64", "float64": "complex128"}
_KINDS: Final = {"float": "f", "complex": "f", "signed": "j", "unsigned": "j"}


class Target:
    """A dtype to sweep with: what arrays are converted to, and what counts as wider.

    Args:
        name: the name of the dtype.

    Raises:
        DTypeError: if it is no float or integer dtype.
    """

    def __init__(self, name: str) -> None:
        found = by_name(name)
        if found.kind not in ("float", "signed", "unsigned") or found.weak:
            raise DTypeError(f"a sweep is for float and integer dtypes, not {name}", name)
        self.name = name
        self.bits = found.bits or 0
        self.is_float = found.kind == "float"
        self.wide = "float64" if self.is_float else "int64"
        self.complex = _COMPLEX.get(name, "")

    def narrow(self, kinds: str) -> Rule:
        """Return the rule that converts dtypes of some kinds to this one.

        Args:
            kinds: ``"f"`` for floats, ``"i"`` for int64, which is what examples have, and ``"j"``
                for other integers, which algorithms make.
        """

        def rule(name: str) -> str:
            found = by_name(name) if name in NAMES else None
            if found is None or (name == "int64" and "i" not in kinds):
                return name
            if name != "int64" and _KINDS.get(found.kind, "-") not in kinds:
                return name
            return self.complex or name if found.kind == "complex" else self.name

        return rule

    def widen(self, name: str) -> str:
        """Return the wide dtype for this one, and for the complex one beside it."""
        return {self.name: self.wide, self.complex: "complex128"}.get(name, name)

    def is_wider(self, name: str) -> bool:
        """Return whether a dtype of a result is wider than this one, and of a kind that counts."""
        found = by_name(name) if self.counts(name) else None
        if found is None:
            return False
        part = (found.part or found).bits or 0
        return part > (max(self.bits, 32) if found.kind == "complex" else self.bits)

    def counts(self, name: str) -> bool:
        """Return whether a dtype of a result is looked at: of floats if this is a float dtype."""
        found = by_name(name) if name in NAMES else None
        return found is not None and (found.kind in ("float", "complex") or not self.is_float)

    def holds(self, values: Any) -> bool:
        """Return whether values of an array survive the conversion, if this is an integer dtype."""
        if self.is_float or not values.size or values.dtype.kind not in "iuf":
            return self.is_float or values.dtype.kind in "iuf"
        limits = by_name(self.name)
        is_whole = values.dtype.kind in "iu" or bool((values == values.round()).all())
        return bool(is_whole and limits.min <= values.min() and values.max() <= limits.max)
