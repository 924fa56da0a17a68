"""The command ``supremum systems``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import click

from ..core.system import PromotionSystem
from ..core.systems import devices, find
from ..core.systems import options as options_of
from ..core.systems import systems as names_of_rules
from ..core.usual import usual_rules
from ..terminal import print_text
from .options import Choice, complete_system, format_option, rules_options
from .output import print_json, progress_bar


@click.command()
@click.argument("names", nargs=-1, metavar="[SYSTEM]...", shell_complete=complete_system)
@click.option(
    "--check",
    is_flag=True,
    help="Check the laws, and ask the installed libraries about pairs of dtypes.",
)
@format_option("text", "json")
@rules_options
def systems(choice: Choice, names: Sequence[str], check: bool, format: str) -> None:
    """List the rules that Supremum knows, with their options, or show some in full.

    \b
    supremum systems
    supremum systems jax
    supremum systems --check
    supremum systems --format json
    """
    in_full = bool(names or choice.named or choice.options)
    chosen = choice.all(names) if in_full else [find(name) for name in names_of_rules()]
    found = []
    with progress_bar() if check else nullcontext() as progress:
        for number, rules in enumerate(chosen):
            if progress:
                progress(rules.name, number, len(chosen))
            found.append(_facts(rules, check=check, in_full=in_full))
    if format == "json":
        print_json(found)
        return
    if in_full:
        print_text("\n\n".join(map(_in_full, found)), [(r"(?m)^\S.*$", "bold")])
        return
    styles = [(r"(?m)^[a-z]\S*(?=  )", "bold"), (r"(?m)^ {26}.*$", "dim")]
    print_text("\n".join([*_usual(), *map(_in_short, found)]), styles)


def _usual() -> list[str]:
    usual = usual_rules()
    return [f"Without --system, {_title(find(usual.text))} decide ({usual.where}).", ""]


def _in_short(row: dict[str, Any]) -> str:
    """Return the lines of some rules in the list of all."""
    version = f" {row['version']}" if row["version"] else ""
    head = f"{row['system']:<26}{row['join']:<8}{row['dtypes']:>3} dtypes  "
    head += f"by {row['depends_on'][-1]:<7}{row['source']}{version}"
    releases = ", ".join(row["releases"]) if len(row["releases"]) > 1 else ""
    facts = (("releases", releases), ("options", _options(row)), ("devices", _devices(row)))
    more = [f"{fact}: {text}" for fact, text in facts if text]
    return "\n".join([head, *(f"{'':<26}{line}" for line in (*more, *row.get("checked", ())))])


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
        **dict(line.split(": ", 1) for line in row.get("checked", ())),
    }
    lines = [f"  {fact:<12}{text}" for fact, text in facts.items() if text]
    arrows = [f"  {'arrows' if not n else '':<12}{a}" for n, a in enumerate(row["arrows"])]
    return "\n".join([row["system"], *lines, *arrows])


def _facts(rules: PromotionSystem, *, check: bool, in_full: bool) -> dict[str, Any]:
    """Return the facts of some rules, and if they are checked, their laws and their library."""
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
    if check:
        from .. import conformance
        from ..core.analysis.laws import laws as checked_laws

        broken = [law.name for law in checked_laws(rules).laws if not law.holds]
        row["checked"] = [f"laws: {', '.join(broken)} broken" if broken else "laws: all hold"]
        if shipped in conformance.conformable():
            measured = conformance.conform(shipped, functions=False)
            row["checked"] += [str(m).splitlines()[0] for m in measured]
    return row
