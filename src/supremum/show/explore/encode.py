"""The answers as the page carries them: texts once, and numbers that stand for the rest.

There is a description in JSON, and a block of integers of two bytes that it points into. Outcomes
are rows of six of these: the number of the shape, and the dtypes as `Outcome` has them. The table
of a function is a number for each row of it, since many rows are the same.
"""

from __future__ import annotations

import base64
import gzip
import json
from array import array
from collections.abc import Hashable, Iterable
from typing import Any, Final, Generic, TypeVar

from ...core.dtypes import DType
from ...core.evaluation.text import OPERATORS
from ...core.functions import written
from .answers import Answers
from .classes import FORMS, Numbers
from .outcomes import Outcome

NOTHING: Final = 0xFFFF
"""Stands for what is not there: an outcome or a dtype."""


Thing = TypeVar("Thing", bound=Hashable)


class Numbered(Generic[Thing]):
    """Things that have a number, in the order in which they were first met."""

    def __init__(self) -> None:
        self.found: dict[Thing, int] = {}

    def of(self, thing: Thing) -> int:
        """Return the number of something."""
        return self.found.setdefault(thing, len(self.found))


class Encoder:
    """What all systems share: the texts, the shapes, the dtypes, and the block of integers."""

    def __init__(self) -> None:
        self.texts: Numbered[str] = Numbered()
        self.shapes: Numbered[Any] = Numbered()
        self.dtypes: dict[str, DType] = {}
        self.block = array("H")

    def dtype(self, d: DType | None) -> int:
        """Return the number of a dtype."""
        if d is None:
            return NOTHING
        self.dtypes.setdefault(d.name, d)
        return list(self.dtypes).index(d.name)

    def shape(self, shape: Any) -> Any:
        """Return a shape with the numbers of its texts."""
        if isinstance(shape, tuple):
            return tuple(self.shape(part) for part in shape)
        return self.texts.of(shape)

    def put(self, values: Iterable[int]) -> int:
        """Put integers into the block, and return where they begin."""
        start = len(self.block)
        self.block.extend(values)
        return start

    def answers(self, found: Answers) -> dict[str, Any]:
        """Return the description of the answers of some rules."""
        outcomes: Numbered[Outcome] = Numbered()
        rows: Numbered[tuple[int, ...]] = Numbered()

        def row(cells: Iterable[Outcome | None]) -> int:
            return rows.of(tuple(NOTHING if c is None else outcomes.of(c) for c in cells))

        alone = [outcomes.of(o) for o in found.alone]
        groups = [[row(cells) for cells in group] for group in found.pairs]
        put = [
            (self.shapes.of(self.shape(o.shape)), *map(self.dtype, (*o.dtypes, *[None] * 5)[:5]))
            for o in outcomes.found
        ]
        return {
            "forms": list(found.forms),
            "classes": [[self.dtype(c.dtype), int(c.weak), FORMS.index(c.form)]
                        for c in found.classes],
            "numbers": [_described(n) for n in found.numbers],
            "functions": found.functions,
            "groups": groups,
            "alone": alone,
            "rows": [[self.put(cells), len(cells)] for cells in rows.found],
            "outcomes": self.put(value for values in put for value in values),
        }  # fmt: skip

    def shared(self) -> dict[str, Any]:
        """Return the description of what all systems share."""
        return {
            "texts": list(self.texts.found),
            "shapes": list(self.shapes.found),
            "dtypes": [
                {"name": d.name, "code": d.code, "kind": d.kind, "bits": d.bits, "weak": d.weak}
                for d in self.dtypes.values()
            ],
            "formulas": {op: written(op) for op in OPERATORS.values()},
        }


def _described(numbers: Numbers) -> list[Any]:
    """Return the type of a class of numbers, where it begins, as text, and which floats it has."""
    low = numbers.low
    return [numbers.kind, None if low is None else str(low).lower(), numbers.single]


def packed(description: Any, block: array[int]) -> str:
    """Return a description and a block as compressed text."""
    text = json.dumps(description, ensure_ascii=False, separators=(",", ":")).encode()
    whole = len(text).to_bytes(4, "little") + text + b" " * (-len(text) % 2) + block.tobytes()
    return base64.b64encode(gzip.compress(whole, 9, mtime=0)).decode()
