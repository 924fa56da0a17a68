"""Write down what namespaces of arrays have, for type checkers and editors.

    python docs/generator/signatures.py

A namespace binds its functions when it is made, and makes its dtypes when they are asked for, so
neither can be read off its class. `src/supremum/arrays/signatures.pyi` declares them, with the
signatures and docstrings of the chapters. It is made when a wheel is built, by `hatch_build.py`,
and by `make lint`.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import groupby, takewhile
from pathlib import Path
from textwrap import indent
from types import ModuleType
from typing import Any

import supremum
from supremum.arrays import extension, fft, linalg, space
from supremum.core.dtypes import LONG_DOUBLES

PATH = Path(__file__).resolve().parents[2] / "src/supremum/arrays/signatures.pyi"

_WIDTH = 100


def stub() -> str:
    """Return the declarations of all dtypes, constants and functions."""
    chapters = space._CHAPTERS  # noqa: SLF001  # what a namespace is bound from
    functions = [f for chapter in chapters for f in _functions(chapter)]
    more, transforms = [*_functions(linalg)], [*_functions(fft)]
    return "\n".join([
        '"""What namespaces have. Made of the chapters when the wheel is built."""',
        "",
        *_imports([*functions, *more, *transforms]),
        "",
        "class DataTypes:  # apart: annotations of functions mean Python's bool",
        *(f"    {name}: DataType" for name in _dtypes()),
        "",
        "class Functions(DataTypes):",
        *(f"    {name}: {_type_of(value)}" for name, value in extension.CONSTANTS.items()),
        "",
        *map(_method, functions),
        "class LinearAlgebra(Extension):",
        *map(_method, more),
        "class FourierTransforms(Extension):",
        *map(_method, transforms),
    ])  # fmt: skip


def write() -> Path:
    """Write the file, and return its path."""
    PATH.write_text(stub(), encoding="utf-8")
    return PATH


def _dtypes() -> list[str]:
    """Return the names of all dtypes but weak ones; what a program defines comes after those."""
    return [*takewhile(lambda name: not name.endswith("*"), supremum.names()), *LONG_DOUBLES]


def _type_of(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _functions(chapter: ModuleType) -> Iterator[Callable[..., Any]]:
    return (getattr(chapter, name) for name in chapter.__all__)


def _imports(functions: Sequence[Callable[..., Any]]) -> list[str]:
    """Return the imports of what the annotations of functions name."""
    homes = defaultdict(set, {".extension": {"Extension"}, ".array": {"DataType"}})
    for function in functions:
        _, _, chapter = function.__module__.rpartition(".")
        for annotation in (a for name, a in function.__annotations__.items() if name != "engine"):
            names = {n.id for n in ast.walk(ast.parse(annotation)) if isinstance(n, ast.Name)}
            for name in names - vars(builtins).keys():
                homes[_imported(function.__module__).get(name, f".{chapter}")].add(name)
    lines = []
    for home, found in homes.items():
        ordered = sorted(found, key=lambda name: (not name.isupper(), name))
        lines.append(f"from {home} import {', '.join(ordered)}")
    ours = sorted(line for line in lines if line.startswith("from ."))
    return [*sorted({*lines} - {*ours}), "", *ours]


@cache
def _imported(module: str) -> dict[str, str]:
    """Return the names that a module imports, each with where it comes from."""
    nodes = ast.parse(inspect.getsource(sys.modules[module])).body
    return {
        alias.name: f"{'.' * node.level}{node.module}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _method(function: Callable[..., Any]) -> str:
    """Return the declaration of a function that is bound to an engine."""
    signature = inspect.signature(function)
    _, *parameters = signature.parameters.values()
    # some are refused, and taken only to say what to type
    taken = [p for p in parameters if p.name != "others"]
    name = function.__name__.rpartition(".")[2]
    head = _head(name, taken, signature.return_annotation)
    return f"{head}\n{_docstring(function)}"


def _head(name: str, parameters: Sequence[inspect.Parameter], result: str) -> str:
    """Return the first line of a method, broken as the formatter breaks it."""
    words = ["self"]
    for kind, group in groupby(parameters, key=lambda p: p.kind):
        written = [_parameter(p) for p in group]
        if kind is inspect.Parameter.POSITIONAL_ONLY:
            written.append("/")
        if kind is inspect.Parameter.KEYWORD_ONLY and not words[-1].startswith("*"):
            written.insert(0, "*")
        words += written
    start, end = f"    def {name}(", f") -> {result}:"
    if len(line := start + ", ".join(words) + end) <= _WIDTH:
        return line
    inside = f"        {', '.join(words)}"
    lines = [inside] if len(inside) <= _WIDTH else [f"        {word}," for word in words]
    return "\n".join([start, *lines, f"    {end}"])


def _parameter(p: inspect.Parameter) -> str:
    star = "*" if p.kind is p.VAR_POSITIONAL else ""
    default = "" if p.default is p.empty else f" = {_literal(p.default)}"
    return f"{star}{p.name}: {p.annotation}{default}"


def _literal(default: Any) -> str:
    return f'"{default}"' if isinstance(default, str) else repr(default)


def _docstring(function: Callable[..., Any]) -> str:
    """Return the docstring of a function, without the engine that callers do not see."""
    text = re.sub(r"^ +engine: .*\n", "", inspect.getdoc(function) or "", flags=re.MULTILINE)
    end = '\n"""\n' if "\n" in text else '"""\n'
    return indent(f'"""{text}{end}', " " * 8)


if __name__ == "__main__":
    write()
