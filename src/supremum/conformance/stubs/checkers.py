"""Asking type checkers: one file with a line for each cell, and what is said of each line."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from ...core.errors import RulesError
from ...core.table import REFUSED
from .cells import Cell, modules, variables

_FILE, _STUBS = "cells.py", "stubs"


class Checker(NamedTuple):
    """How a type checker is called, and how its output is read.

    Attributes:
        options: its options, before the name of the file.
        read: what returns each line of which its output speaks, with the type that it reveals, or
            with ``""`` for an error.
    """

    options: tuple[str, ...]
    read: Callable[[str], Iterator[tuple[int, str]]]


def _read_mypy(output: str) -> Iterator[tuple[int, str]]:
    said = rf'(?m)^{_FILE}:(\d+): (?:error: |note: Revealed type is "(.*)"$)'
    return ((int(found[1]), found[2] or "") for found in re.finditer(said, output))


def _read_pyright(output: str) -> Iterator[tuple[int, str]]:
    for row in json.loads(output or "{}").get("generalDiagnostics", ()):
        found = re.match(r'(?s)Type of ".*" is "(.*)"$', row["message"])
        if found or row["severity"] == "error":
            yield row["range"]["start"]["line"] + 1, found[1] if found else ""


CHECKERS: Final = {
    "mypy": Checker(
        (f"--python-executable={sys.executable}", "--config-file=", "--no-incremental",
         "--no-error-summary", "--no-color-output", "--no-pretty"),
        _read_mypy,
    ),
    "pyright": Checker((f"--pythonpath={sys.executable}", "--outputjson"), _read_pyright),
}  # fmt: skip
"""The type checkers that can be asked."""


def release(checker: str) -> str:
    """Return the release of a type checker.

    Raises:
        RulesError: if it is not installed.
    """
    found = re.search(r"\d+\.[\w.]+", _run(checker, ["--version"], Path.cwd()))
    return found[0] if found else ""


def ask(
    checker: str, library: str, packages: Mapping[str, Path], asked: Sequence[Cell]
) -> list[Cell]:
    """Return cells with the types that a checker reveals, in one run of it.

    Args:
        checker: the name of the checker.
        library: the library of the cells.
        packages: stubs that are read instead of those that are installed, by what they describe.
        asked: the cells.

    Raises:
        RulesError: if the checker is not installed, or reveals nothing.
    """
    lines = ["import numpy.typing", *(f"import {name}" for name in modules(library))]
    lines += [f"{name}: {annotation}" for name, (annotation, _) in variables().items()]
    # each in a function of its own, as what follows an expression of type Never is not checked
    first = len(lines) + 1
    lines += [f"def f{n}() -> None: reveal_type({cell.code})" for n, cell in enumerate(asked)]
    options, read = CHECKERS[checker]
    with TemporaryDirectory(prefix="supremum-stubs-") as name:
        folder = Path(name).resolve()
        (folder / _STUBS).mkdir()
        for package, path in packages.items():
            (folder / _STUBS / package).symlink_to(path, target_is_directory=True)
        settings = json.dumps({"stubPath": _STUBS, "extraPaths": [_STUBS]})
        (folder / "pyrightconfig.json").write_text(settings, encoding="utf-8")
        (folder / _FILE).write_text("\n".join([*lines, ""]), encoding="utf-8")
        output = _run(checker, [*options, _FILE], folder)
    found: dict[int, str] = {}
    for line, revealed in read(output):  # a line with an error is one, whatever it reveals
        found[line] = found.get(line, revealed) and revealed
    if not any(found.values()):
        raise RulesError(f"{checker} reveals no type: {output.strip()[-300:]}", checker)
    return [
        cell._replace(revealed=found.get(line, "") or REFUSED)
        for line, cell in enumerate(asked, first)
    ]


def _run(checker: str, words: Sequence[str], folder: Path) -> str:
    """Return what a checker prints: a module of this interpreter, or a program on PATH."""
    start = [sys.executable, "-m", checker] if find_spec(checker) else [shutil.which(checker) or ""]
    if not start[0]:
        raise RulesError(f"{checker} is not installed; type pip install {checker}", checker)
    environment = {**os.environ, "MYPYPATH": _STUBS, "PYTHONPATH": ""}
    return subprocess.run(  # noqa: S603  # a checker, with words of our own
        [*start, *words], cwd=folder, env=environment, stdout=subprocess.PIPE, check=False,
        encoding="utf-8",
    ).stdout  # fmt: skip
