"""The process that asks a library, one question after the other: what it says goes to stdout.

It runs apart, so that a library that hangs or crashes costs its own row, never the report. The
first line is the release that is installed; then each line is the number of a question and its
answer, ``-`` for a refusal, or ``?`` and the dtype or function that the library lacks.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from itertools import islice
from typing import Any

from ..core.errors import DTypeError
from ..core.operands import Operand
from ..core.systems import system
from ..core.table import REFUSED
from .calls import LACKS, LackingError
from .questions import Library, load, questions


def main() -> None:
    """Ask the questions from a given one on."""
    name, options, count, seed, functions, first = sys.argv[1:]
    library, setting = load(name), json.loads(options)
    rules = system(library.SYSTEM, **setting)
    # whatever the library prints, in Python or below it, goes where complaints go
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        installed = library.version()
        library.configure(**{option: setting[option] for option in library.SETTINGS[0]})
        print(installed, file=out, flush=True)
        made: dict[Operand, Any] = {}
        asked = questions(library, rules, int(count), int(seed), functions=functions == str(True))
        for i, question in islice(enumerate(asked), int(first), None):
            print(i, file=out, flush=True, end=" ")
            try:
                for op in question.operands:
                    if op not in made:
                        made[op] = _made(library, op)
                live = [made[op] for op in question.operands]
                if question.op is None:
                    answer = library.ask(*live)
                else:
                    answer = library.operate(question.op, *live)  # type: ignore[attr-defined]  # it has one, or it would not be asked
            except LackingError as error:
                answer = f"{LACKS} {error.name}"
            except Exception:  # noqa: BLE001  # a refusal is whatever the library raises
                answer = REFUSED
            print(answer, file=out, flush=True)


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
