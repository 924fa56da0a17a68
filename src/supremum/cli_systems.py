"""The commands about whole sets of rules: what they are, what they obey, whether they are true."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import click

from .cli_parts import format_option, print_text, progress_bar, show_value
from .cli_rules import Choice, complete_option, complete_system, rules_options, usual_rules
from .core.system import PromotionSystem
from .core.systems import find, read_options
from .core.systems import options as options_of
from .core.systems import systems as names_of_rules

_SYSTEMS = click.argument(
    "systems", nargs=-1, metavar="[SYSTEM]...", shell_complete=complete_system
)


@click.command()
@_SYSTEMS
@format_option("text", "json")
@rules_options
@click.pass_context
def laws(context: click.Context, choice: Choice, systems: Sequence[str], format: str) -> None:
    """Check the laws of a join on every pair and triple of dtypes, and show what breaks them.

    SYSTEM is a name of rules, or a file that describes some.

    \b
    supremum laws
    supremum laws jax-original numpy
    supremum laws my_rules.toml --format json

    Exits 1 if a law fails, so that CI can use it.
    """
    from .core.analysis.laws import laws as checked_laws

    found = [checked_laws(rules) for rules in choice.all(systems)]
    styles = [(r"\bholds\b", "green"), (r"\bfails [\d,]+ times?", "bold red")]
    _show_all(format, found, styles)
    context.exit(0 if all(laws.hold for laws in found) else 1)


@click.command()
@_SYSTEMS
@format_option("text", "json")
@rules_options
def criteria(choice: Choice, systems: Sequence[str], format: str) -> None:
    """Measure the five criteria of JAX's design document on some rules.

    \b
    supremum criteria
    supremum criteria numpy torch
    supremum criteria jep9407-option1 --format json
    """
    from .core.analysis.criteria import criteria as measured_criteria

    found = [measured_criteria(rules) for rules in choice.all(systems)]
    _show_all(format, found, [(r"(?m)^  \d .*$", "bold"), (r"\((never|avoid.*)\)", "dim")])


def _show_all(format: str, found: Sequence[Any], styles: Sequence[tuple[str, str]]) -> None:
    """Print values one after another; several of them as one list of JSON."""
    if format == "json" and len(found) > 1:
        values = [value.as_dict() for value in found]
        click.echo(json.dumps(values, indent=1, ensure_ascii=False))
        return
    for number, value in enumerate(found):
        if number:
            click.echo()
        show_value(format, value, styles)


@click.command()
@click.argument("systems", nargs=-1, shell_complete=complete_system)
@click.option("--module", metavar="MODULE", help="Ask this module, an array library.")
@click.option("-s", "--system", default="array-api", show_default=True, metavar="NAME|FILE",
              shell_complete=complete_system,
              help="The rules that --module is held against.")  # fmt: skip
@click.option("--option", multiple=True, metavar="NAME=VALUE", shell_complete=complete_option,
              help="One of their options.")  # fmt: skip
@click.option("--random", "count", default=0, type=click.IntRange(0), metavar="N",
              help="Also ask N random lists.")  # fmt: skip
@click.option("--expressions", default=0, type=click.IntRange(0), metavar="N",
              help="Ask N random expressions instead.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, metavar="N", help="What they are drawn from.")
@click.option("--functions/--no-functions", default=None, help="Whether to ask about functions.")
@click.option("--require", is_flag=True, help="Exit 1 if any library cannot be asked.")
@click.option("--coverage", is_flag=True, help="Show how many functions the rules know instead.")
@click.option(
    "--write",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write the measured table down, as rules in TOML.",
)
@format_option("text", "json")
@click.pass_context
def conform(
    context: click.Context,
    systems: Sequence[str],
    module: str | None,
    system: str,
    option: Sequence[str],
    count: int,
    expressions: int,
    seed: int,
    functions: bool | None,
    require: bool,
    coverage: bool,
    write: str | None,
    format: str,
) -> None:  # fmt: skip
    """Ask the libraries of SYSTEMS, cell by cell, and show where they differ from their rules.

    Without any, every library that is installed is asked. --module asks a library that has no rules
    of its own, in the working folder or installed.

    \b
    supremum conform numpy jax:x64=false
    supremum conform torch --random 20000 --seed 7
    supremum conform numpy --expressions 2000
    supremum conform --module my_array_lib --system array-api
    supremum conform --coverage numpy

    Exits 1 if a library differs from its rules, or is named and cannot be asked.
    """
    from .conformance import command

    if coverage:
        if module or write or count:
            raise click.UsageError("--coverage goes with SYSTEMS, --require and --format alone")
        context.exit(command.cover(systems, require=require, format=format, bar=progress_bar))
    if expressions:
        if module or write or count:
            raise click.UsageError("--expressions goes with SYSTEMS, --seed and --format alone")
        context.exit(
            command.measure_expressions(
                systems, count=expressions, seed=seed, require=require, format=format,
                bar=progress_bar,
            )
        )  # fmt: skip
    if module is not None and not systems and (count or functions):
        raise click.UsageError(
            "--module asks about pairs, so it goes without --random and --functions"
        )
    context.exit(
        command.measure(
            systems,
            module=module,
            rules=find(system, **read_options(option)) if module is not None else None,
            drawn=(count, seed),
            functions=functions is not False,
            require=require,
            path=write,
            format=format,
            bar=progress_bar,
        )
    )


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
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
        return
    if in_full:
        print_text("\n\n".join(map(_in_full, found)), [(r"(?m)^\S.*$", "bold")])
        return
    usual = usual_rules()
    lines = [f"Without --system, {_title(find(usual.text))} decide ({usual.where}).", ""]
    for row in found:
        version = f" {row['version']}" if row["version"] else ""
        releases = ", ".join(row["releases"]) if len(row["releases"]) > 1 else ""
        head = f"{row['system']:<26}{row['join']:<8}{row['dtypes']:>3} dtypes  "
        head += f"by {row['depends_on'][-1]:<7}"
        lines.append(f"{head}{row['source']}{version}")
        facts = (("releases", releases), ("options", _options(row)))
        told = [f"{fact}: {text}" for fact, text in facts if text]
        lines += [f"{'':<26}{line}" for line in (*told, *row.get("checked", ()))]
    print_text("\n".join(lines), [(r"(?m)^[a-z]\S*(?=  )", "bold"), (r"(?m)^ {26}.*$", "dim")])


def _title(rules: PromotionSystem) -> str:
    return f"{rules.name} rules, {rules.label}," if rules.label else f"{rules.name} rules"


def _options(row: dict[str, Any]) -> str:
    return ", ".join(f"{name}={'|'.join(map(str, vs))}" for name, vs in row["options"].items())


def _in_full(row: dict[str, Any]) -> str:
    facts = {
        "library": row["title"],
        "setting": ", ".join(f"{name}={value}" for name, value in row["setting"].items()),
        "options": _options(row),
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
        "functions": list(rules.functions),
        "source": rules.source,
    }
    if in_full:
        arrows = str(rules.lattice).splitlines() if rules.lattice else []
        names = [d.name for d in rules.dtypes]
        row |= {"title": rules.title, "setting": dict(rules.setting), "names": names}
        row["arrows"] = arrows
    if check:
        from . import conformance
        from .core.analysis.laws import laws as checked_laws

        broken = [law.name for law in checked_laws(rules).laws if not law.holds]
        row["checked"] = [f"laws: {', '.join(broken)} broken" if broken else "laws: all hold"]
        if shipped in conformance.conformable():
            measured = conformance.conform(shipped, functions=False)
            row["checked"] += [str(m).splitlines()[0] for m in measured]
    return row
