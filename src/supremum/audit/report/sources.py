"""The source that a report is made of: what its lines were, and the dtypes of what stands there."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from ..model.locations import LOCATIONS, Span, span_of
from ..source.source_file import source_file
from .places import Place
from .where import extent

Dtypes = dict[Span, set[str]]


class Observed(NamedTuple):
    """A place, and the dtypes that came out there."""

    file: str
    span: Span
    dtypes: tuple[str, ...]


class Source(NamedTuple):
    """A file of source, as it was.

    Attributes:
        file: the path of the file.
        lines: the checksum of each line, in eight hexadecimal digits.
        observed: the dtypes of variables, returned values, and operands of findings.
    """

    file: str
    lines: str
    observed: tuple[Observed, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        seen = [(extent(self.file, place.span), place.dtypes) for place in self.observed]
        rows = [{**place._asdict(), "dtypes": list(names)} for place, names in seen]
        return {"file": self.file, "lines": self.lines, "observed": rows}


def observed(dtypes: Mapping[int, Iterable[str]]) -> tuple[Observed, ...]:
    """Return the dtypes that a recorder has seen, by the places of their source."""
    found = [(LOCATIONS[place], names) for place, names in dtypes.items()]
    return tuple(sorted(Observed(at.file, at.span, tuple(sorted(n))) for at, n in found))


def sources(
    seen: Iterable[Observed], findings: Iterable[tuple[str, Sequence[Place]]]
) -> Iterator[Source]:
    """Yield the files that a report says something of.

    Args:
        seen: the dtypes that came out at each place.
        findings: the file and the places of each finding.
    """
    results: dict[str, Dtypes] = {}
    for file, span, names in seen:
        results.setdefault(file, {}).setdefault(span, set()).update(names)
    shown = {file: _of_names(file, found) for file, found in results.items()}
    operands: dict[str, Dtypes] = {}
    files = set(shown)
    for cause, places in findings:
        files.add(cause)
        for place in places:
            files |= {place.file, *(mark.born.file for mark in place.operands if mark.born)}
            for mark in place.operands:
                if mark.span is not None and _is_array(mark.dtype):
                    operands.setdefault(place.file, {}).setdefault(mark.span, set()).add(mark.dtype)
    for file in sorted(files):
        dtypes = {**operands.get(file, {}), **shown.get(file, {})}
        rows = (Observed(file, span, tuple(sorted(d))) for span, d in sorted(dtypes.items()))
        yield Source(file, checksums(linecache.getlines(file)), tuple(rows))


def checksums(lines: Iterable[str]) -> str:
    r"""Return the checksums of some lines, without their line breaks.

    >>> checksums(["import numpy as np\n", "\n"]), checksums(["import numpy as np"])
    ('9a29d0bc00000000', '9a29d0bc')
    """
    texts = (line.rstrip("\r\n").encode(errors="surrogatepass") for line in lines)
    return "".join(f"{crc32(text):08x}" for text in texts)


def _of_names(file: str, results: Dtypes) -> Dtypes:
    """Return the dtypes of the variables that results are given, and of what is returned."""
    found: Dtypes = {}
    for node in ast.walk(source_file(file).tree):
        named: Sequence[ast.expr] = ()
        result: ast.expr | ast.stmt | None = None
        if isinstance(node, ast.Assign):
            named, result = node.targets, node.value
        elif isinstance(node, ast.NamedExpr):
            named, result = [node.target], node.value
        elif isinstance(node, ast.AugAssign):
            named, result = [node.target], node
        elif isinstance(node, ast.Return) and node.value is not None:
            named, result = [node.value], node.value
        dtypes = results.get(span_of(result), ()) if result is not None else ()
        for part in named if dtypes else ():
            if isinstance(part, (ast.Name, ast.Attribute)) or part is result:
                found.setdefault(span_of(part), set()).update(dtypes)
    return found


def _is_array(dtype: str) -> bool:
    """Return whether an operand is an array or its scalar, with a shape; a number is as it is."""
    return dtype[0].isalpha() and dtype.endswith(("]", ")"))
