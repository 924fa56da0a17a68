"""Write down what README and docs show of the code, as it is now.

    python docs/regenerate.py [--check] [FILE ...]

These are generated:

- in a console block, what follows a line ``$ supremum ...``, with dots for what `fix` measures;
- between ``<!-- $ supremum table ... -->`` and ``<!-- end -->``, what that command prints;
- between ``<!-- NAME -->``, or ``<!-- NAME ARGUMENT -->``, and ``<!-- end -->``, what the function
  returns that `generator.blocks` has by this name;
- every drawing in `docs/assets`: see `generator/figures.py` and `generator/house.py`.

Pages that are generated as a whole are not written down: `generator/made.py` makes them when the
site is built.

A fenced block with ``title="NAME"`` is a file of that name to the commands of its page. A page with
``<!-- needs MODULE -->`` is left as it is if that library is not installed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from generator import badges, figures, house, terminals
from generator.pages import ROOT, renewed


def documents() -> list[Path]:
    """Return the files that show output."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def others() -> dict[Path, str]:
    """Return the text of each file that is generated as a whole, by its path."""
    drawn = {**figures.pictures(), **house.pictures(), **badges.pictures()}
    return drawn | terminals.pictures()


def _old(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Renew the files, or with ``--check`` only name those that are out of date."""
    parser = ArgumentParser(description="Renew the output that the documents show.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if any differs")
    parser.add_argument("files", nargs="*", type=Path, help="these pages instead of everything")
    given = parser.parse_args(arguments)
    wanted = {path: renewed(_old(path)) for path in given.files or documents()}
    if not given.files:
        wanted |= others()
    outdated = {path: new for path, new in wanted.items() if new != _old(path)}
    for path, new in outdated.items():
        print(f"{path}: {'out of date' if given.check else 'renewed'}")
        if not given.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(new, encoding="utf-8")
    return int(bool(outdated) and given.check)


if __name__ == "__main__":
    sys.exit(main())
