"""The command ``supremum systems``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..core.deciding import usual_rules
from ..core.system import PromotionSystem
from ..core.systems import devices, find
from ..core.systems import options as options_of
from ..core.systems import systems as names_of_rules
from ..terminal import print_text
from .options import Choice, complete_system, format_option
from .output import print_json


@click.command()
@click.argument("names", nargs=-1, metavar="[SYSTEM]...", shell_complete=complete_system)
@format_option("text", "json")
def systems(names: Sequence[str], format: str) -> None:
    """List the rules that Supremum knows, with their options, or show some in full.

    \b
    supremum systems
    supremum systems jax
    supremum systems --format json
    """
    found = [
        _facts(rules, in_full=bool(names)) for rules in Choice().all(names or names_of_rules())
    ]
    if format == "json":
        print_json(found)
        return
    if names:
        print_text("\n\n".join(map(_in_full, found)), [(r"(?m)^\S.*$", "bold")])
        return
    styles = [(r"(?m)^[a-z]\S*(?=  )", "bold"), (r"(?m)^ {26}.*$", "dim")]
    usual = usual_rules()
    head = f"If none are named, {_title(find(usual.text))} decide ({usual.where}).\n"
    print_text("\n".join([head, *map(_in_short, found)]), styles)


def _in_short(row: dict[str, Any]) -> str:
    """Return the lines of some rules in the list of all."""
    version = f" {row['version']}" if row["version"] else ""
    head = f"{row['system']:<26}{row['join']:<8}{row['dtypes']:>3} dtypes  "
    head += f"by {row['depends_on'][-1]:<7}{row['source']}{version}"
    releases = ", ".join(row["releases"]) if len(row["releases"]) > 1 else ""
    facts = (("releases", releases), ("options", _options(row)), ("devices", _devices(row)))
    more = [f"{fact}: {text}" for fact, text in facts if text]
    return "\n".join([head, *(f"{'':<26}{line}" for line in more)])


def _title(rules: PromotionSystem) -> str:
    return f"{rules.name} rules, {rules.label}," if rules.label else f"{rules.name} rules"


def _options(row: dict[str, Any]) -> str:
    return ", ".join(f"{name}={'|'.join(map(str, vs))}" for name, vs in row["options"].items())


def _devices(row: dict[str, Any]) -> str:
    return ", ".join(f"{name}, short for {rules}" for name, rules in row["devices"].items())


def _in_full(row: dict[str, Any]) -> str:
    facts = {
        "library": row["title"],
        "setting": ", ".join(f"{name}={value}" for name, value in row["setting"].items()),
        "options": _options(row),
        "devices": _devices(row),
        "join": f"a {row['join']} of {row['dtypes']} dtypes",
        "depends on": ", ".join(row["depends_on"]),
        "source": row["source"],
        "releases": ", ".join(row["releases"]),
        "functions": f"{len(row['functions'])} have rules of their own" if row["functions"] else "",
        "dtypes": ", ".join(row["names"]),
    }
    lines = [f"  {fact:<12}{text}" for fact, text in facts.items() if text]
    arrows = [f"  {'arrows' if not n else '':<12}{a}" for n, a in enumerate(row["arrows"])]
    return "\n".join([row["system"], *lines, *arrows])


def _facts(rules: PromotionSystem, *, in_full: bool) -> dict[str, Any]:
    shipped = rules.origin.name if rules.origin else ""
    row: dict[str, Any] = {
        "system": rules.name,
        "version": rules.version,
        "releases": list(rules.releases),
        "join": type(rules.join).__name__.lower(),
        "dtypes": len(rules.dtypes),
        "depends_on": list(rules.depends_on),
        "options": {o: list(vs) for o, vs in options_of(shipped).items()} if shipped else {},
        "devices": {d: r for d, r in devices().items() if r.partition(":")[0] == shipped},
        "functions": list(rules.functions),
        "source": rules.source,
    }
    if in_full:
        arrows = str(rules.lattice).splitlines() if rules.lattice else []
        names = [d.name for d in rules.dtypes]
        row |= {"title": rules.title, "setting": dict(rules.setting), "names": names}
        row["arrows"] = arrows
    return row
