"""Tests of an exported Python module, which hold every answer of the system."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from string import Template, ascii_letters, digits
from textwrap import fill

from ..core.errors import RulesError
from ..core.system import PromotionSystem
from ..core.systems import find
from .asking import ask, ask_types
from .formats import describe
from .functions import arities
from .words import about, command, docstring, licence

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
    head = [*about(said), f"Written by: {command(said, 'python')} -o {Path(module).name} --tests"]
    texts = {
        "HEAD": docstring("\n".join(fill(line, 96) for line in [*head, licence()])),
        "MODULE": json.dumps(Path(near).as_posix(), ensure_ascii=False),
        "DTYPES": _filled(said.dtypes),
        "LETTERS": "".join(letters.values()),
        "ANSWERS": f"[*DTYPES, {', '.join(map(json.dumps, more))}]" if more else "DTYPES",
        "WORDS": _filled(words),
        "PROMOTED": "\n".join(promoted),
        "RESULTS": "\n".join(
            f'    ({repr(op) if op else None}, {count}): """\n' + "\n".join(answers) + '\n""",'
            for (op, count), answers in results.items()
        ).replace("'", '"'),
    }
    return Template(_TESTS).substitute(texts)


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


def _filled(names: Sequence[str]) -> str:
    return fill(" ".join(names), 96, break_on_hyphens=False)


_TESTS = '''"""Tests that prove the module beside them equal to the rules that it was written from.

$HEAD
"""

import runpy
from itertools import product
from pathlib import Path

import pytest

MODULE = runpy.run_path(str(Path(__file__).parent / $MODULE))
NUMBERS = {"bool()": True, "int()": 1, "float()": 1.5, "complex()": 1j}

DTYPES = """
$DTYPES
""".split()

# What the operands of results are; the types of Python's numbers are written with brackets.
WORDS = """
$WORDS
""".split()

# The letter of each dtype; `-` is a refusal, and what is not asked is a dot.
LETTERS = dict(zip("$LETTERS", $ANSWERS, strict=True)) | {"-": None}

# A row for each first dtype, and a letter for each second one.
PROMOTED = """
$PROMOTED
""".split()

# By the function and the number of operands: a row for all but the last, a letter for that.
RESULTS = {
$RESULTS
}


def answer(function, *operands, **options):
    try:
        return function(*operands, **options)
    except MODULE["PromotionError"]:
        return None


def test_promote_types():
    assert len(PROMOTED) == len(DTYPES)
    for a, row in zip(DTYPES, PROMOTED, strict=True):
        for b, letter in zip(DTYPES, row, strict=True):
            assert (a, b, answer(MODULE["promote_types"], a, b)) == (a, b, LETTERS[letter])


@pytest.mark.parametrize(("op", "count"), RESULTS)
def test_result_type(op, count):
    rows = RESULTS[op, count].split()
    options = {} if op is None else {"op": op}
    wrong = []
    for first, row in zip(product(WORDS, repeat=count - 1), rows, strict=True):
        for last, letter in zip(WORDS, row, strict=True):
            words = (*first, last)
            operands = [NUMBERS.get(word, word) for word in words]
            given = answer(MODULE["result_type"], *operands, **options)
            if letter != "." and given != LETTERS[letter]:
                wrong.append((words, given, LETTERS[letter]))
    assert not wrong, f"{len(wrong)} differ: operands, the answer, and that of the rules"


@pytest.mark.parametrize("word", ["flot32", "", "int", "tie()", None, [], object()], ids=str)
def test_what_is_no_operand_is_refused(word):
    for function in (MODULE["promote_types"], MODULE["result_type"]):
        with pytest.raises(TypeError):
            function(word, word)
'''
