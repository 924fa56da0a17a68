"""Tests of an exported Python module, which hold every answer of the system."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from string import ascii_letters, digits

from ..core.errors import RulesError
from ..core.system import PromotionSystem
from ..core.systems import find
from .asking import ask, ask_types
from .formats import describe
from .functions import arities
from .templating import tests
from .words import head

_LETTERS = ascii_letters + digits + "".join(map(chr, range(0x100, 0x180)))

Progress = Callable[[str, int, int], None]


def prove(
    rules: str | PromotionSystem,
    module: str | Path,
    path: str | Path,
    functions: Sequence[str] = (),
    progress: Progress = lambda *_: None,
) -> str:
    """Return a file of tests for pytest that prove an exported Python module equal to a system.

    They hold what the system itself answers: for every pair of dtypes, and for one, two and three
    operands of every kind.

    Args:
        rules: the system.
        module: the file of the module.
        path: the file that the tests are written to.
        functions: the functions whose rules it has.
        progress: is called with the name of a step, how much of it is done, and of how much.
    """
    found = find(rules) if isinstance(rules, str) else rules
    said = describe(found, functions)
    words = said.words
    settled = [d for d in said.settled.values() if d is not None]
    more = [d for d in dict.fromkeys(settled) if d not in said.dtypes]
    letters = dict(zip([*said.dtypes, *more], _LETTERS, strict=False))

    def rows(count: int, op: str | None = None) -> Iterator[str]:
        for done, first in enumerate(product(words, repeat=count - 1)):
            progress(f"{count} operands", done, len(words) ** (count - 1))
            yield "".join(_letter(found, letters, [*first, word], op) for word in words)

    promoted = (
        "".join(letters.get(ask_types(found, a, b) or "", "-") for b in said.dtypes)
        for a in said.dtypes
    )
    results: dict[tuple[str | None, int], Iterator[str]]
    results = {(None, count): rows(count) for count in (1, 2, 3)}
    results |= {(op, count): rows(count, op) for op in functions for count in arities(found, op)}
    near = os.path.relpath(Path(module).resolve(), Path(path).resolve().parent)
    *about, written, licence = head(said, "python")
    written = f"{written} -o {Path(module).name} --tests"
    return tests(
        said,
        head="\n".join([*about, written, licence]),
        module=Path(near).as_posix(),
        letters="".join(letters.values()),
        answers=f"[*DTYPES, {', '.join(map(json.dumps, more))}]" if more else "DTYPES",
        promoted=promoted,
        results=[(op, count, answers) for (op, count), answers in results.items()],
    )


def _letter(
    rules: PromotionSystem, letters: Mapping[str, str], words: Sequence[str], op: str | None
) -> str:
    """Return the letter of an answer; of functions those are left out that have no dtype."""
    if op is not None and all(word.endswith("()") for word in words):
        return "."
    try:
        found = ask(rules, words, op)
    except RulesError:
        return "."
    return letters[found] if found else "-"
