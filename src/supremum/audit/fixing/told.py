"""What a fix has done, in words, and as a patch."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...core.dtypes import by_name, names
from ...core.errors import plural
from ..model.wording import near, size
from .edits import Change
from .results import Fixed, Measures, fixes


def told(fixed: Fixed) -> str:
    """Return what was done: each change, what was undone, and what was gained."""
    return "\n".join(_lines(fixed))


def _lines(fixed: Fixed) -> Iterator[str]:
    for change in fixed.applied:
        yield from _change(change)
    for change, why in fixed.undone:
        yield from _change(change, "undone: ")
        yield f"  {why}"
    for change, why in fixed.left:
        yield from _change(change, "left: ")
        yield f"  {why}"
    if fixed.applied:
        files = plural(len({change.file for change in fixed.applied}), "file")
        done = f"{fixes(len(fixed.applied))} in {files}"
        if fixed.within is not None:
            done += f", {plural(fixed.rounds, 'round')}; the program ends as it did, and its "
            done += f"results agree within {fixed.within}"
        yield f"{done}."
        if fixed.meant:
            yield f"Before that, results were wrong, first of all this one: {fixed.meant}."
            yield "Compare the other results, and the files that the program writes, yourself."
    elif fixed.undone or fixed.left:
        yield "Nothing is changed."
    if fixed.applied and fixed.before is not None and fixed.after is not None:
        yield from _gain(fixed.before, fixed.after)
    if fixed.note:
        yield fixed.note


def _change(change: Change, before: str = "") -> Iterator[str]:
    where = f"{near(change.file)}:{change.line}:{change.column}"
    if change.cell:
        where = f"{near(change.file)}: cell {change.cell}, line {change.line}"
    yield f"{before}{where}: {change.text}"
    new = "\n    ".join(change.suggestion.splitlines())
    needs = f", with {change.needs}" if change.needs else ""
    yield f" -> {new}{needs}"


def _gain(before: Measures, after: Measures) -> Iterator[str]:
    rows = [("", "before", "after")]
    rows.append(("memory more than needed", size(before.wasted), size(after.wasted)))
    if before.peak is not None and after.peak is not None:
        rows.append(("peak memory", size(before.peak), size(after.peak)))
    rows.append(("time", f"{before.seconds:.2f} s", f"{after.seconds:.2f} s"))
    for name in _fewer(before.results, after.results):
        counts = [f"{results.get(name, 0):,}" for results in (before.results, after.results)]
        rows.append((f"{name} operations", counts[0], counts[1]))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for first, *rest in rows:
        cells = "  ".join(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        yield f"  {first:<{widths[0]}}  {cells}".rstrip()


def _fewer(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """Return the inexact dtypes that fewer operations give, and float64 in any case."""
    found = {name for name in before if before[name] > after.get(name, 0)} | {"float64"}
    inexact = [n for n in found if n in names() and by_name(n).kind in ("float", "complex")]
    return sorted(inexact, key=lambda name: (name != "float64", name))


def patch(before: Mapping[Path, bytes], after: Mapping[Path, bytes]) -> bytes:
    """Return a patch that ``git apply`` and ``patch -p1`` read, relative to the current folder."""
    found = []
    for place, content in before.items():
        old, new = (_split(data) for data in (content, after[place]))
        name = Path(near(str(place))).as_posix().encode()
        for line in difflib.diff_bytes(
            difflib.unified_diff, old, new, b"a/" + name, b"b/" + name, lineterm=b"\n"
        ):
            found.append(line)
            if not line.endswith(b"\n"):
                found.append(b"\n\\ No newline at end of file\n")
    return b"".join(found)


def _split(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
