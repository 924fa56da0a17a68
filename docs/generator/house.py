"""The picture of the house: every file, every import, and the way of two questions through it.

A file stands above all that it imports, those inside functions and for types included. That such a
picture can be drawn means that no imports form a circle.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path
from typing import NamedTuple

from .figures import ASSETS

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "supremum"
FACE = "face"

ROOMS = ("core", "conformance", "arrays", "audit", "show", "design", "export", "commands", FACE)
"""The columns of the picture: the folders of the package, and what lies beside them."""


class Walk(NamedTuple):
    """The way of a question through the files, once what answers it is imported."""

    question: str
    before: str
    colour: str


WALKS = (
    Walk('promote_types("int32", "float32")', 'promote_types("int8", "uint8")', "#c2410c"),
    Walk('explain("int32[3] + 1.5")', 'explain("uint8[2] * 2")', "#1d4ed8"),
)

_TRACED = """\
import sys, supremum
seen = {{}}
def trace(frame, event, arg):
    seen.setdefault(frame.f_code.co_filename)
supremum.{first}  # imports what answers, and asks something else
sys.settrace(trace)
supremum.{question}
sys.settrace(None)
print(*seen, sep="\\n")
"""

_OPENING = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" font-size="12">
<style>text {{ font-family: sans-serif }}</style>
<rect width="{0}" height="{1}" fill="#ffffff"/>"""

COLUMN, GAP, ROW, LEFT, TOP = 46, 22, 26, 20, 92


class Spot(NamedTuple):
    """Where a file stands in the picture, and how large its dot is."""

    x: float
    y: float
    radius: float


def room(path: Path) -> str:
    """Return the column of a file."""
    return path.parts[0] if len(path.parts) > 1 else FACE


@cache
def imports() -> dict[Path, set[Path]]:
    """Return the files that each file imports, wherever in it; paths start at the package."""
    files = {path.relative_to(SOURCE) for path in SOURCE.rglob("*.py")}
    return {file: set(_imported(file, files)) - {file} for file in sorted(files)}


def _imported(file: Path, files: set[Path]) -> Iterator[Path]:
    for node in ast.walk(ast.parse((SOURCE / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from _modules(node, file, files)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("supremum."):
                    yield from _file(Path(*alias.name.split(".")[1:]), files)


def _modules(node: ast.ImportFrom, file: Path, files: set[Path]) -> Iterator[Path]:
    """Return the files that ``from ... import ...`` reads: submodules, or the module itself."""
    names = node.module.split(".") if node.module else []
    if node.level:
        folder = Path(*file.parts[: len(file.parts) - node.level], *names)
    elif names[:1] == ["supremum"]:
        folder = Path(*names[1:])
    else:
        return
    own = False
    for alias in node.names:
        submodule = [*_file(folder / alias.name, files)]
        yield from submodule
        own = own or not submodule
    if own:
        yield from _file(folder, files)


def _file(module: Path, files: set[Path]) -> Iterator[Path]:
    if module.parts:
        yield from files & {module.with_suffix(".py"), module / "__init__.py"}


@cache
def floors() -> dict[Path, int]:
    """Return on which floor each file stands: above everything that it imports.

    Raises `graphlib.CycleError` if imports form a circle.
    """
    found: dict[Path, int] = {}
    for file in TopologicalSorter(imports()).static_order():
        found[file] = 1 + max((found[below] for below in imports()[file]), default=-1)
    return found


@cache
def entered(walk: Walk) -> list[Path]:
    """Return the files that answer a question in a fresh interpreter, in the order of entry."""
    code = _TRACED.format(first=walk.before, question=walk.question)
    printed = subprocess.run(  # noqa: S603  # our own code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    paths = map(Path, printed.splitlines())
    return [path.relative_to(SOURCE) for path in paths if path.is_relative_to(SOURCE)]


def _radius(file: Path) -> float:
    """Return how large the dot of a file is; few changes of a file change it."""
    lines = len((SOURCE / file).read_text(encoding="utf-8").splitlines())
    return 2 + min(lines // 150, 6)


def _spots() -> dict[Path, Spot]:
    """Return where each file stands: its room is the column, its floor the row."""
    highest = max(floors().values())
    left, spots = LEFT, {}
    for name in ROOMS:
        rows: dict[int, list[Path]] = {}
        for file in (file for file in imports() if room(file) == name):
            rows.setdefault(floors()[file], []).append(file)
        most = max(map(len, rows.values()), default=0)
        width = max(COLUMN, most * 11)
        for floor, files in rows.items():
            for i, file in enumerate(files):
                x = left + width * (i + 0.5) / len(files)
                y = TOP + (highest - floor) * ROW
                spots[file] = Spot(x, y, _radius(file))
        left += width + GAP
    return spots


def _svg() -> str:
    spots = _spots()
    width = max(spot.x for spot in spots.values()) + 60
    height = max(spot.y for spot in spots.values()) + 40
    parts = [
        _OPENING.format(f"{width:.0f}", f"{height:.0f}"),
        "<title>Every file of the package, every import, and the way of two questions</title>",
        *_captions(spots),
        *_arrows(spots),
        *_dots(spots),
        *_walks(spots),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _captions(spots: Mapping[Path, Spot]) -> Iterator[str]:
    legend = "a dot is a file, as large as its lines; a line goes down to what it imports"
    yield f'<text x="{LEFT}" y="20" fill="#334155">{legend}</text>'
    for i, walk in enumerate(WALKS):
        text = escape(f"{walk.question}: {len(entered(walk))} files")
        yield f'<text x="{LEFT + i * 330}" y="40" fill="{walk.colour}">{text}</text>'
    for name in ROOMS:
        xs = [spot.x for file, spot in spots.items() if room(file) == name]
        middle = (min(xs) + max(xs)) / 2
        yield (
            f'<text x="{middle:.1f}" y="70" text-anchor="middle" font-weight="bold" '
            f'fill="#0f172a">{name}</text>'
        )


def _arrows(spots: Mapping[Path, Spot]) -> Iterator[str]:
    yield '<g stroke="#64748b" stroke-width="0.4" stroke-opacity="0.35">'
    for file, below in imports().items():
        a = spots[file]
        for other in sorted(below):
            b = spots[other]
            yield f'<path d="M{a.x:.1f} {a.y:.0f}L{b.x:.1f} {b.y:.0f}"/>'
    yield "</g>"


def _dots(spots: Mapping[Path, Spot]) -> Iterator[str]:
    yield '<g fill="#475569">'
    for file, spot in spots.items():
        yield (
            f'<circle cx="{spot.x:.1f}" cy="{spot.y:.0f}" r="{spot.radius:.0f}">'
            f"<title>{file.as_posix()}</title></circle>"
        )
    yield "</g>"


def _walks(spots: Mapping[Path, Spot]) -> Iterator[str]:
    for walk in WALKS:
        way = [spots[file] for file in entered(walk)]
        points = " ".join(f"{spot.x:.1f},{spot.y:.0f}" for spot in way)
        yield (
            f'<polyline points="{points}" fill="none" stroke="{walk.colour}" stroke-width="1.6"/>'
        )
        for x, y, radius in way:
            yield f'<circle cx="{x:.1f}" cy="{y:.0f}" r="{radius:.0f}" fill="{walk.colour}"/>'


def pictures() -> dict[Path, str]:
    """Return the text of the picture, by its path."""
    return {ASSETS / "house.svg": _svg()}
