"""The command ``supremum``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import click
from click.core import ParameterSource

from . import __version__, show
from .cli_parts import (
    Main,
    OperandCommand,
    compared_by_function,
    complete_dtype,
    complete_system,
    describe_rules,
    find_rules,
    format_option,
    read_operands,
    read_options,
    rules_options,
    show_value,
    tell_codes,
    unmarked,
)
from .core.dtypes import DType
from .core.operands import parse
from .core.system import PromotionSystem
from .core.systems import DEFAULT, system
from .core.systems import systems as names_of_rules

Command = Callable[..., None]


@click.group(cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="supremum")
def main() -> None:
    """What dtype results, and why: the promotion rules of Python's array libraries.

    \b
    supremum explain int32 float16 1.0
    supremum table --system jax-original
    supremum laws --system my_rules.txt
    """


@main.command(cls=OperandCommand)
@click.argument("operands", nargs=-1, shell_complete=complete_dtype)
@click.option("--op", metavar="FUNCTION", help="What a function gives, such as true_divide.")
@format_option("text", "json")
@rules_options
@click.pass_context
def explain(
    context: click.Context,
    rules: PromotionSystem,
    operands: Sequence[str],
    op: str | None,
    format: str,
) -> None:
    """Explain what dtype OPERANDS promote to, or an expression of operands gives, and why.

    An operand is a dtype (int32), an array of one (float32[3], or float32[] with no dimensions), a
    Python number (1, 1.5, 2j, True), or a weak dtype (int*). Short codes count bits: i8 is int8.
    An expression is Python's, with the functions of NumPy (np.), JAX (jnp.) or PyTorch (torch.).

    \b
    supremum explain int32 float16 1.0
    supremum explain 'np.mean(int8[3]) * 2 + float32[3]'
    supremum explain 'i8[3]' 'u8[3]' --system jep9407-option1
    supremum explain int64 1 --no-x64
    supremum explain int32 int32 --op true_divide

    Exits 1 if the rules have no answer.
    """
    from .core.expression_text import is_expression

    if not operands:
        raise click.UsageError("name one operand or more: supremum explain int32 float16 1.0")
    if op is None and len(operands) == 1 and is_expression(unmarked(operands[0])):
        from .core.expressions import explain_expression

        usual = context.get_parameter_source("system") is ParameterSource.DEFAULT
        explained = explain_expression(
            unmarked(operands[0]), None if usual and _is_usual(rules) else rules
        )
        lost = (r"(?m)^  (Step \d+: .*| *\^+)$", "yellow")
        show_value(
            format, explained, [("^" + re.escape(explained.result.name), "bold green"), lost]
        )
        return
    read = read_operands(operands, context.command)
    explanation = rules.explain(*read, op=op)
    result = ("^" + re.escape(explanation.result.name), "bold green")
    show_value(
        format, explanation, [result, (r"(?m)^(May|Wider|Drops).*$", "yellow"), (r"→", "dim")]
    )
    if format == "text":
        tell_codes(operands, read)


def _is_usual(rules: PromotionSystem) -> bool:
    return rules is system(DEFAULT)


@main.command()
@click.argument("dtypes", nargs=-1, shell_complete=complete_dtype)
@click.option(
    "--all", "everything", is_flag=True, help="Dtypes of under eight bits and float8 too."
)
@format_option(*show.FORMATS)
@rules_options
def table(rules: PromotionSystem, dtypes: Sequence[str], everything: bool, format: str) -> None:
    """Print what every pair of DTYPES promotes to; without any, of all that the rules have.

    People's formats show codes that count bits (i8 is int8), csv and json full names.

    \b
    supremum table
    supremum table int8 uint8 float16 --system jep9407-option2 --format markdown
    supremum table --all --format csv > jax.csv
    """
    whole = rules.table()
    if dtypes:
        chosen = [parse(text).dtype for text in dtypes]
        for d in chosen:
            rules.promote_types(d)
    else:
        chosen = [d for d in whole.nodes if everything or _is_common(d)]
        if left := len(whole) - len(chosen):
            click.echo(f"{left} narrow dtypes are left out; --all shows them", err=True)
    click.echo(show.render(whole.only(chosen), format))


def _is_common(d: DType) -> bool:
    return d.weak or (d.bits or 0) > 8 or (d.bits == 8 and d.kind != "float")


@main.command(name="laws")
@format_option("text", "json")
@rules_options
@click.pass_context
def laws_(context: click.Context, rules: PromotionSystem, format: str) -> None:
    """Check the laws of a join on every pair and triple of dtypes, and show what breaks them.

    \b
    supremum laws
    supremum laws --system jax-original
    supremum laws --system my_rules.toml --format json

    Exits 1 if a law fails, so that CI can use it.
    """
    from .core.laws import laws as checked_laws

    found = checked_laws(rules)
    show_value(format, found, [(r"\bholds\b", "green"), (r"\bfails [\d,]+ times?", "bold red")])
    context.exit(0 if found.hold else 1)


@main.command(name="criteria")
@format_option("text", "json")
@rules_options
def criteria_(rules: PromotionSystem, format: str) -> None:
    """Measure the five criteria of JAX's design document on some rules.

    \b
    supremum criteria
    supremum criteria --system jep9407-option1 --format json
    """
    from .core.criteria import criteria as measured_criteria

    show_value(format, measured_criteria(rules))


@main.command()
@click.argument("first", shell_complete=complete_system)
@click.argument("second", shell_complete=complete_system)
@click.option("--op", metavar="FUNCTION", help="Compare what a function gives.")
@click.option("--expr", default="", metavar="EXPRESSION", help="Compare an expression of x and y.")
@format_option("text", *(f for f in show.FORMATS if f not in ("text", "csv")))
def diff(first: str, second: str, op: str | None, expr: str, format: str) -> None:
    """Show where two rules differ, grouped by how.

    Markdown, rst and html have the table of the second rules with the differences marked.

    \b
    supremum diff numpy jax
    supremum diff jax-original numpy --format markdown
    supremum diff numpy torch --op true_divide
    supremum diff numpy jax --expr 'x.mean() * 2 + y'
    """
    from .core import compare as comparing

    found = comparing.diff(find_rules(first, {}), find_rules(second, {}), op=op, expr=expr)
    if format in ("text", "json"):
        show_value(format, found, [(r"(?m)^  \S.*$", "bold")])
    else:
        click.echo(show.render(found.table(), format))


@main.command(name="compare", cls=OperandCommand)
@click.argument("operands", nargs=-1, shell_complete=complete_dtype)
@click.option("--op", metavar="FUNCTION", help="What a function gives, such as true_divide.")
@click.option("--function", metavar="MODULE:NAME", help="Follow a function of array code instead.")
@format_option("text", "json")
@click.pass_context
def compare_(
    context: click.Context, operands: Sequence[str], op: str | None, function: str, format: str
) -> None:
    """Show what every library makes of OPERANDS; a star marks the odd ones out.

    \b
    supremum compare int32 float32
    supremum compare 'int8[3]' 300
    supremum compare 'np.mean(int8[3]) * 2 + float32[3]'
    supremum compare --function numpy:hypot 'int32[3, 4]' 'float32[4]'
    """
    from .core import compare as comparing
    from .core.expression_text import is_expression

    if not operands:
        raise click.UsageError("name one operand or more: supremum compare int32 float32[] 1.0")
    texts, read = [unmarked(text) for text in operands], []
    if function and op:
        raise click.UsageError("--op and --function ask two questions; use one of them")
    if function:
        found = compared_by_function(function, texts)
    elif op is None and len(texts) == 1 and is_expression(texts[0]):
        found = comparing.compare(texts[0])
    else:
        read = read_operands(operands, context.command)
        found = comparing.compare(*read, op=op)
    show_value(format, found, [(r"(?m)^\*.*$", "yellow")])
    if format == "text" and read:
        tell_codes(operands, read)


@main.command()
@click.argument("systems", nargs=-1, shell_complete=complete_system)
@click.option("--module", metavar="MODULE", help="Ask this array library, by the array API.")
@click.option("-s", "--system", default="array-api", show_default=True, metavar="NAME|FILE",
              help="The rules that --module is held against.")  # fmt: skip
@click.option("-o", "--option", multiple=True, metavar="NAME=VALUE", help="One of their options.")
@click.option("--random", "count", default=0, metavar="N", help="Also ask N random lists.")
@click.option("--seed", default=0, show_default=True, help="What they are drawn from.")
@click.option("--functions/--no-functions", default=True, help="Whether to ask about functions.")
@click.option("--require", is_flag=True, help="Exit 1 if one is not measured, too.")
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
    seed: int,
    functions: bool,
    require: bool,
    coverage: bool,
    write: str | None,
    format: str,
) -> None:  # fmt: skip
    """Ask the installed libraries of SYSTEMS, cell by cell, and show where their rules differ.

    Without any, every library is asked; one that is not installed is not measured.

    \b
    supremum conform numpy jax
    supremum conform torch --random 20000 --seed 7
    supremum conform --module my_array_lib --system array-api
    supremum conform --coverage numpy

    Exits 1 if a library differs from its rules.
    """
    from .conformance import command

    if coverage:
        if module or write or count:
            raise click.UsageError("--coverage goes with SYSTEMS, --require and --format alone")
        context.exit(command.cover(systems, require=require, format=format))
    context.exit(
        command.measure(
            systems,
            module=module,
            rules=find_rules(system, read_options(option)) if module else None,
            drawn=(count, seed),
            functions=functions,
            require=require,
            path=write,
            format=format,
        )
    )


@main.command()
@click.option(
    "--check",
    is_flag=True,
    help="Check the laws, and ask the installed libraries about pairs of dtypes.",
)
@format_option("text", "json")
def systems(check: bool, format: str) -> None:
    """List the rules that Supremum knows, with their options.

    \b
    supremum systems
    supremum systems --check
    supremum systems --format json
    """
    found = [describe_rules(name, check=check) for name in names_of_rules()]
    if format == "json":
        click.echo(json.dumps(found, indent=1))
        return
    for row in found:
        options = ", ".join(
            f"{name}={'|'.join(map(str, values))}" for name, values in row["options"].items()
        )
        version = f" {row['version']}" if row["version"] else ""
        releases = ", ".join(row["releases"]) if len(row["releases"]) > 1 else ""
        head = f"{row['system']:<26}{row['join']:<8}{row['dtypes']:>3} dtypes  "
        head += f"by {row['depends_on'][-1]:<7}"
        click.echo(f"{head}{row['source']}{version}")
        facts = (("releases", releases), ("options", options))
        lines = [f"{fact}: {text}" for fact, text in facts if text]
        for line in (*lines, *row.get("checked", ())):
            click.echo(f"{'':<26}{line}")


@main.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False})
@click.argument("program", metavar="SCRIPT|MODULE")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "as_module", is_flag=True, help="Run a module, as 'python -m' does.")
@click.option("--kinds", metavar="KINDS", help="Report only these kinds, such as widening.")
@click.option("--fail-on", metavar="KINDS", help="Exit 3 for findings of these kinds, or all.")
@click.option("--forbid", metavar="DTYPES", help="Dtypes that must not come up.")
@click.option(
    "--target",
    metavar="NAME|FILE",
    shell_complete=complete_system,
    help="Report the lines that give another dtype under these rules, such as jax,x64=False.",
)
@click.option("--include", multiple=True, metavar="PACKAGE", help="Look inside this package, too.")
@click.option(
    "--on-finding",
    metavar="ACTION",
    help="What to do at once: report (nothing), warn, raise or pdb.",
)
@click.option("--exact", is_flag=True, help="Look at every operation, in loops too; slower.")
@click.option("--baseline", metavar="FILE", help="Ignore findings listed in FILE.")
@click.option("--write-baseline", metavar="FILE", help="Write the findings down for --baseline.")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write the report there: .txt, .json, .sarif, .html or .github.",
)
@click.option(
    "-f",
    "--format",
    type=click.Choice(["text", "json", "sarif", "html", "github"]),
    help="The form of the report.",
)
@click.option(
    "--list-modules", is_flag=True, help="List all imported modules: watched or not, and why not."
)
@click.option(
    "--report-on",
    metavar="SIGNAL",
    type=click.Choice(["SIGHUP", "SIGINFO", "SIGUSR1", "SIGUSR2"]),
    help="Write the report whenever this signal comes, such as SIGUSR1.",
)
@click.pass_context
def audit(context: click.Context, /, program: str, **asked: Any) -> None:
    """Run SCRIPT, and name the lines where its dtypes widen, mix or lose precision.

    SCRIPT prints and ends as it does without the audit. The report goes to standard error.

    \b
    supremum audit train.py --epochs 3
    supremum audit --fail-on widening --forbid float64 -o report.html train.py
    supremum audit -m package.module

    Exits 3 if a finding is of a kind of --fail-on, else as SCRIPT does.
    """
    from .audit import cli as command

    context.exit(command.audit(program, **asked))
