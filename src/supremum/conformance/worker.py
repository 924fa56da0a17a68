"""The process that asks a library, one question after the other: what it says goes to stdout.

It runs apart, so that a library that hangs or crashes costs its own row, never the report. The
first line is the release that is installed; then each line is the number of a question and its
answer, ``-`` for a refusal, or ``?`` and the dtype or function that the library lacks.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

from ..core.errors import DTypeError
from ..core.operands import Operand
from ..core.systems import system
from ..core.table import REFUSED
from .calls import LACKS, LackingError
from .compiled import Batches
from .library import Library, load
from .questions import Chosen, Question


def main() -> None:
    """Ask the questions from a given one on."""
    options, first, *words = sys.argv[1:]
    chosen, setting = Chosen.of_words(*words), json.loads(options)
    library = load(chosen.name)
    rules = system(library.system, **setting)
    # whatever the library prints, in Python or below it, goes where complaints go
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        installed = library.version()
        if chosen.compiled and (needed := library.needs_to_compile()):
            sys.exit(f"to compile, {chosen.name} needs {needed}")
        library.configure(**{option: setting[option] for option in library.settings[0]})
        print(installed, file=out, flush=True)
        make = cache(lambda op: _made(library, op))
        asked = islice(chosen.questions(library, rules), int(first), None)
        if chosen.compiled:
            logging.disable()  # what is refused is logged at length
            for i, answer in enumerate(Batches(library, rules, make).answers(asked), int(first)):
                print(i, answer, file=out, flush=True)
            return
        for i, question in enumerate(asked, int(first)):
            print(i, file=out, flush=True, end=" ")
            print(_answer(library, question, make), file=out, flush=True)


def _answer(library: Library, question: Question, make: Callable[[Operand], Any]) -> str:
    try:
        live = [make(op) for op in question.operands]
        if question.op is None:
            return library.ask(*live)
        return library.operate(question.op, *live)
    except LackingError as error:
        return f"{LACKS} {error.name}"
    except Exception:  # noqa: BLE001  # a refusal is whatever the library raises
        return REFUSED


def _made(library: Library, op: Operand) -> Any:
    """Return a live operand.

    Raises:
        LackingError: if the library has no such dtype. That it cannot make an operand for another
            reason is a refusal.
    """
    try:
        return library.make(op)
    except DTypeError:
        raise LackingError(name=op.dtype.name) from None
    except ModuleNotFoundError as error:
        if error.name == "ml_dtypes":
            raise LackingError(name=op.dtype.name) from None
        raise


if __name__ == "__main__":
    main()
