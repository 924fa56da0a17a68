"""The page as files: those that the local server sends, and a site whose engine is Pyodide."""

from __future__ import annotations

import io
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...core.errors import RulesError
from ...core.systems import system
from ..draw import common
from .questions import PLACES, about, answer, key_of, layout_of

EXAMPLE: Final = "int32, float16, 1.0"
"""What the page asks at first."""

SCRIPTS: Final = ("elements", "ask", "drawing", "views", "main")
"""The scripts, in the order in which each needs those before it."""

VERSION: Final = "314.0.7"
PYODIDE: Final = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip",
    "package.json",
)  # fmt: skip
"""The files of Pyodide that a site needs; the last one names its licence."""

_FIRST = (
    {"ask": "about"},
    *({"ask": ask, "text": EXAMPLE} for ask in ("explain", "compare", "table", "draw")),
)
SOURCE = Path(__file__).parents[2]


def page(engine: str) -> dict[str, bytes]:
    """Return the files of the page by their names.

    Args:
        engine: what answers: ``"server"``, or ``"pyodide"`` in a worker.
    """
    here = files(__package__)
    written = {
        "engine": engine, "example": EXAMPLE,
        "answers": [[question, json.loads(answer(json.dumps(question)))] for question in _FIRST],
    }  # fmt: skip
    parts = {
        "written": json.dumps(written, separators=(",", ":")).replace("<", r"\u003c"),
        "scripts": "\n".join(f'<script src="{name}.js" defer></script>' for name in SCRIPTS),
    }
    whole = (here / "web" / "page.html").read_text(encoding="utf-8")
    whole = re.sub(r"\{\{(\w+)\}\}", lambda part: parts[part[1]], whole)
    licence = (here / "vendor" / "dagre.LICENSE").read_bytes()
    library = (here / "vendor" / "dagre.min.js").read_bytes()
    names = ("page.css", *(f"{name}.js" for name in SCRIPTS))
    return {
        "index.html": whole.encode(), "dagre.js": b"/*! dagre\n%b*/\n%b" % (licence, library),
        **{name: (here / "web" / name).read_bytes() for name in names},
    }  # fmt: skip


def save(folder: str | Path, pyodide: str | Path | None) -> int:
    """Write the page as a site for any server of files, and return its size in bytes.

    Args:
        folder: the folder, which is made if it is missing.
        pyodide: the folder of Pyodide, as npm has it.

    Raises:
        RulesError: if there is no Pyodide, or something cannot be written.
    """
    how = f"type npm pack pyodide@{VERSION}, tar xzf pyodide-{VERSION}.tgz, and --pyodide package"
    if pyodide is None:
        raise RulesError(f"a site runs Python in the browser, by Pyodide; {how}", folder)
    if missing := [name for name in PYODIDE if not Path(pyodide, name).is_file()]:
        raise RulesError(f"{pyodide} has no {missing[0]}, so it is not Pyodide; {how}", pyodide)
    made = page("pyodide") | {f"pyodide/{n}": Path(pyodide, n).read_bytes() for n in PYODIDE}
    made["worker.js"] = (files(__package__) / "web" / "worker.js").read_bytes()
    made["engine.zip"] = engine()
    try:
        for name, content in made.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        why = error.strerror or str(error)
        raise RulesError(f"{folder} cannot be written: {why}; name a folder", folder) from error
    return sum(map(len, made.values()))


def engine() -> bytes:
    """Return what answers, as an archive: the core, unmodified, and what shows its answers."""
    names = [
        path.relative_to(SOURCE.parent).as_posix()
        for part in ("core", "show")
        for path in (SOURCE / part).rglob("*.py")
    ]
    contents = {
        name: (SOURCE.parent / name).read_bytes()
        for name in sorted([*names, "supremum/__init__.py", "supremum/version.py"])
    }
    contents[f"supremum/show/explore/{PLACES}"] = json.dumps(places()).encode()
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return made.getvalue()


def places() -> dict[str, object]:
    """Return where the nodes of the rules that ship are drawn, for engines that lay out nothing."""
    found: dict[str, object] = {}
    for rules in map(system, about()["systems"]):
        for shown in (common(rules.dtypes), rules.dtypes):
            drawing = layout_of(rules, shown)
            drawing.require_places()
            found[key_of(drawing)] = {
                "size": [round(drawing.width), round(drawing.height)],
                "boxes": [[round(n) for n in (b.x, b.y, b.width, b.height)] for b in drawing.boxes],
                "arrows": [[[round(x), round(y)] for x, y in a.points] for a in drawing.arrows],
            }
    return found
