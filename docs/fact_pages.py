"""What is known of versions and of speed, as Markdown; and how rows become a table."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

import supremum
from supremum import export

ROOT = Path(__file__).resolve().parents[1]


def measured() -> str:
    """Return a Markdown table of the releases that the rules of each library were measured on."""
    rows = [("library", "rules", "releases"), ("---",) * 3]
    for name in supremum.systems():
        rules = supremum.system(name)
        if rules.library and rules.releases:
            page = f"[`{name}`](reference/systems/{name}.md)"
            rows.append((rules.title, page, ", ".join(rules.releases)))
    return markdown(rows)


def needs() -> str:
    """Return a Markdown table of what the package and its extras require."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    rows = [("to install", "brings"), ("---", "---")]
    rows.append(("`supremum`", code(project["dependencies"])))
    for name, wanted in project["optional-dependencies"].items():
        rows.append((f"`supremum[{name}]`", code(wanted)))
    pythons = [c.rpartition(" ")[2] for c in project["classifiers"] if " :: Python :: 3." in c]
    return f"Python {', '.join(pythons)}.\n\n{markdown(rows)}"


def exports() -> str:
    """Return a Markdown table of the formats that can express each system."""
    rows: list[tuple[str, ...]] = [("rules", *export.formats.NAMES)]
    for name in supremum.systems():
        cells = []
        try:
            said = export.describe(name)
            cells += ["yes" for write in export.FORMATS.values() if write(said)]
        except supremum.SupremumError:
            cells += ["-" for _ in export.FORMATS]
        for to in export.formats.SHOWN:
            try:
                export.render(name, to)
            except supremum.SupremumError:
                cells.append("-")
            else:
                cells.append("yes")
        rows.append((f"`{name}`", *cells))
    rows.insert(1, ("---",) * len(rows[0]))
    return markdown(rows)


def benchmarks() -> str:
    """Return what the benchmarks printed when they were saved, each with when and where."""
    saved = json.loads((ROOT / "docs/performance.json").read_text(encoding="utf-8"))
    parts = []
    for name, run in saved.items():
        versions = ", ".join(f"{library} {version}" for library, version in run["versions"].items())
        about = f"{run['date']}, {versions}; {run['processor']}."
        source = f"https://github.com/supremum-dev/supremum/blob/main/benchmarks/{name}.py"
        printed = "\n".join(run["printed"])
        parts.append(f"## [{name}]({source})\n\n{about}\n\n```text\n{printed}\n```\n")
    return "\n" + "\n".join(parts) + "\n"


def code(names: Iterable[str]) -> str:
    """Return names as code."""
    return ", ".join(f"`{name}`" for name in names)


def markdown(rows: Sequence[tuple[str, ...]]) -> str:
    """Return rows as a Markdown table."""
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
