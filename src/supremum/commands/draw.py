"""The command ``supremum draw``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from .. import show
from ..core.dtypes import DType
from ..core.errors import DTypeError, LatticeError, RulesError, listed
from ..core.lattice import Lattice
from ..core.operands import can_parse, parse
from ..core.system import PromotionSystem
from ..core.systems import systems as names_of_rules
from ..show.draw.order import OrderError
from .options import Choice, complete_dtype, complete_dtypes, complete_word
from .output import tell_rare


@click.command()
@click.argument("words", nargs=-1, metavar="[SYSTEM] [DTYPE]...", shell_complete=complete_word)
@click.option("-o", "--output", metavar="FILE", help="Write it to a .svg, .png or .pdf file.")
@click.option(
    "--highlight",
    nargs=2,
    metavar="A B",
    shell_complete=complete_dtype,
    help="Show the paths of two dtypes and their join.",
)
@click.option("--without", default="", metavar="A,B", shell_complete=complete_dtypes,
              help="Leave dtypes out.")  # fmt: skip
@click.option(
    "--all", "everything", is_flag=True, help="Dtypes of under eight bits and float8 too."
)
@click.option("-f", "--format", type=click.Choice([*show.DRAWINGS]),
              help="How to print it; by default as text.")  # fmt: skip
def draw(
    words: Sequence[str],
    output: str | None,
    highlight: Sequence[str] | None,
    without: str,
    everything: bool,
    format: str | None,
) -> None:
    """Draw the lattice of some rules, or the order of their table: DTYPES of it, or all.

    An arrow leads from a dtype to those right above it; two dtypes promote to the first that both
    reach. Weak dtypes have dashed boxes. A file of arrows may have other nodes than dtypes.

    \b
    supremum draw jax
    supremum draw numpy -o numpy.svg
    supremum draw jax --highlight int32 float16 -o join.png
    supremum draw my_rules.txt --format mermaid
    """
    named, dtypes = words[:1], words[1:]
    if words and can_parse(words[0]):
        named, dtypes = (), words
    if dtypes and dtypes[-1].endswith((".svg", ".png", ".pdf")):
        raise click.UsageError(f"name the file with -o: -o {dtypes[-1]}")
    if output and format not in {None, Path(output).suffix[1:].lower()}:
        how = f"-f is how it is printed, and the suffix of {output} how it is written"
        raise click.UsageError(f"{how}: leave -f out, or print it with -f {format} > FILE")
    found = _find(named)
    left_out = [text.strip() for text in without.split(",") if text.strip()]
    if isinstance(found, Lattice):
        nodes: list[Any] = [n for n in dtypes or found.nodes if n not in left_out]
        drawing = show.layout(found, nodes, highlight=highlight or (), title=Path(words[0]).name)
    else:
        drawing = _of_rules(found, dtypes, left_out, highlight or (), everything=everything)
    print_or_save(drawing, output, format)


def _of_rules(
    rules: PromotionSystem,
    dtypes: Sequence[str],
    left_out: Sequence[str],
    highlight: Sequence[str],
    *,
    everything: bool,
) -> show.Drawing:
    """Return the drawing of some dtypes of rules, or of all."""
    if late := [text for text in dtypes if text in names_of_rules()]:
        raise click.UsageError(f"one set of rules is drawn, and named first; {late[0]} is not")
    whole = rules.dtypes if everything else show.common(rules.dtypes)
    chosen, read, lit = map(_dtypes, (dtypes, left_out, highlight))
    if not chosen:
        tell_rare(len(rules.dtypes) - len(whole))
    drawn = [d for d in chosen or whole if d not in read]
    try:
        return show.layout(rules, drawn, highlight=lit)
    except OrderError as error:
        if chosen or {*lit} & {*error.without}:  # they were asked for
            raise
        names = listed([d.name for d in error.without])
        click.echo(f"{names} are left out, without which the table is an order", err=True)
        return show.layout(rules, [d for d in drawn if d not in error.without], highlight=lit)


def _dtypes(texts: Sequence[str]) -> list[DType]:
    return [parse(text).dtype for text in texts]


def _find(named: Sequence[str]) -> PromotionSystem | Lattice[str]:
    """Return some rules, or the lattice of a file of arrows between other nodes than dtypes."""
    try:
        return Choice().one(named)
    except RulesError as error:
        if not isinstance(error.__cause__, DTypeError) or not named or named[0].endswith(".toml"):
            raise
        system = named[0]
        text = Path(system).read_text(encoding="utf-8")
        try:
            return Lattice(text)
        except LatticeError as broken:
            raise RulesError(f"{system}: {broken}", system, line=broken.line) from broken


def print_or_save(drawing: show.Drawing, output: str | None, format: str | None = None) -> None:
    """Write a drawing to a file, or print it with what must be said of it."""
    if output is not None:
        drawing.save(output)
        click.echo(f"{output}: written", err=True)
        if drawing.note:
            click.echo(drawing.note, err=True)
        return
    # encodings without braille get arrows
    click.echo(drawing.render(format or ("text" if _has_dots() else "arrows")))
    if drawing.note:
        click.echo(drawing.note, err=True)


def _has_dots() -> bool:
    try:
        "⠁▸".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
