"""What a description answers: its Python module is run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .description import NUMBERS, Answer, Description
from .templating import python


class Module:
    """The Python module of a description, which answers in words; None is a refusal."""

    def __init__(self, description: Description) -> None:
        self._names: dict[str, Any] = {"__name__": "promotion"}
        exec(compile(python(description), "promotion.py", "exec"), self._names)  # noqa: S102  # ours

    def promote_types(self, a: str, b: str) -> Answer:
        """Return what two dtypes promote to."""
        return self._ask("promote_types", (a, b))

    def result_type(self, words: Sequence[str], op: str = "") -> Answer:
        """Return the dtype of a result."""
        operands = [NUMBERS[w[:-2]] if w.endswith("()") else w for w in words]
        return self._ask("result_type", operands, **({"op": op} if op else {}))

    def _ask(self, function: str, operands: Sequence[Any], **options: str) -> Answer:
        try:
            answer: str = self._names[function](*operands, **options)
        except self._names["PromotionError"]:
            return None
        return answer
