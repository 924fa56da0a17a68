"""The command ``supremum design``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import show
from ..core.systems import find
from ..design.costs import COSTS
from ..show.draw.drawing import writer
from ..terminal import print_text
from .draw import print_or_save
from .options import complete_dtype, complete_system, format_option
from .output import print_json, tell_rare

if TYPE_CHECKING:
    from ..design import Design, Spec, Standing


@click.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option("--pareto", is_flag=True, help="The whole front: what must be given up for what.")
@click.option("--standing", multiple=True, metavar="NAME|FILE", shell_complete=complete_system,
              help="How these rules stand to the front; several times for several.")  # fmt: skip
@click.option("--insert", multiple=True, metavar="DTYPE", shell_complete=complete_dtype,
              help="Every place for this dtype; several times for several at once.")  # fmt: skip
@click.option("--into", metavar="NAME|FILE", shell_complete=complete_system,
              help="The rules that --insert is about.")  # fmt: skip
@click.option("--never", multiple=True, type=click.Choice([*COSTS]), metavar="COST",
              help="Rule this cost out, such as overflow; several times for several.")  # fmt: skip
@click.option("--all", "everything", is_flag=True,
              help="Keep their dtypes of under eight bits and float8 too.")  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
              help="Stop then, with the best so far.")  # fmt: skip
@click.option("--most", default=10, show_default=True, type=click.IntRange(1), metavar="N",
              help="How many lattices that tie, or places, to list.")  # fmt: skip
@click.option("--draw", is_flag=True, help="Draw each lattice below its costs.")
@click.option("-o", "--output", metavar="FILE",
              help="Write drawings to FILE-1, FILE-2 and so on: .svg, .png or .pdf.")  # fmt: skip
@format_option("text", "json")
@click.pass_context
def design(
    context: click.Context,
    spec: str | None,
    pareto: bool,
    standing: Sequence[str],
    insert: Sequence[str],
    into: str | None,
    never: Sequence[str],
    everything: bool,
    time_limit: float | None,
    most: int,
    draw: bool,
    output: str | None,
    format: str,
) -> None:
    """Find the best lattices under SPEC, a TOML file, and say what is proven.

    A spec has dtypes, arrows to require and to forbid, and costs. Lattices that tie are all listed.
    With --insert and --into, every place for a new dtype is listed, with what it costs; a spec is
    not needed. Ctrl-C ends a search with the best so far.

    \b
    supremum design mine.toml
    supremum design mine.toml --pareto --time-limit 60
    supremum design mine.toml --standing jax --standing jep9407-option1
    supremum design --insert float8_e4m3fn --into jax --never overflow

    Exits 1 if the time was over before anything was found, and 130 if Ctrl-C ended the search.
    """
    _check(spec, pareto, standing, insert, into)
    if output:
        writer(Path(output))
    asked = _asked(spec, never, inserts=bool(insert))
    with _progress() as progress:
        options: dict[str, Any] = {"time_limit": time_limit, "progress": progress}
        found, designs = _answers(
            asked, options, pareto=pareto, standing=standing, insert=insert, into=into,
            everything=everything, most=most,
        )  # fmt: skip
    if format == "json":
        values = [value.as_dict() for value in found]
        print_json(values if standing else values[0])
    else:
        texts = [v.as_text(most) if into else str(v) for v in found]
        print_text("\n\n".join(texts), [(r"(?m)^ +\d+  .*$", "bold"), (r"\bproven\b", "green")])
    if into and not everything:
        tell_rare(len(found[0].left_out), "keeps")
    _draw(designs, output, shown=draw)
    if any(value.interrupted for value in found):
        context.exit(130)
    context.exit(1 if not standing and not designs else 0)


def _answers(
    asked: Any,
    options: Mapping[str, Any],
    *,
    pareto: bool,
    standing: Sequence[str],
    insert: Sequence[str],
    into: str | None,
    everything: bool,
    most: int,
) -> tuple[list[Any], Sequence[Design]]:
    """Return the answers to one of the four questions, and the lattices in them to draw."""
    from .. import design as designing

    if into:
        rules, more = find(into), {"spec": asked, "everything": everything}
        found = designing.insert(list(insert), rules, **more, **options)
        return [found], found.places[:most]
    if standing:
        several = _standings(asked, standing, options)
        return [*several], [one for stands in several for one in stands.better]
    if pareto:
        front = designing.pareto(asked, ties=most, **options)
        return [front], [one for point in front.points for one in point.designs]
    best = designing.search(asked, ties=most, **options)
    return [best], best.designs


def _check(
    spec: str | None, pareto: bool, standing: Sequence[str], insert: Sequence[str], into: str | None
) -> None:
    """Refuse words that ask nothing, or several questions at once."""
    if bool(insert) != bool(into):
        raise click.UsageError("--insert and --into go together: --insert float8_e5m2 --into jax")
    if spec is None and not insert:
        raise click.UsageError("name a spec, or use --insert: supremum design mine.toml")
    if sum(map(bool, (pareto, standing, insert))) > 1:
        raise click.UsageError("--pareto, --standing and --insert ask three questions; use one")


def _asked(path: str | None, never: Sequence[str], *, inserts: bool) -> Spec:
    """Return the spec of a file, or that of an insertion, with more costs ruled out."""
    from .. import design as designing

    usual: dict[str, Any] = {}
    if inserts:
        usual = {"never": designing.INSERTED_NEVER, "costs": designing.INSERTED_ORDER}
    asked = designing.spec(**usual) if path is None else designing.read(path, **usual)
    return replace(asked, never=tuple(dict.fromkeys((*asked.never, *never))))


def _standings(asked: Spec, names: Sequence[str], options: Mapping[str, Any]) -> list[Standing]:
    """Return how rules stand to the front, one after the other until Ctrl-C."""
    from .. import design as designing

    found: list[Standing] = []
    for name in names:
        if not found or not found[-1].interrupted:
            rules = find(name)
            lattice = rules.lattice or designing.lattice_of(rules, asked.dtypes)
            found.append(designing.standing(asked, lattice, name, **options))
    return found


def _draw(designs: Sequence[Design], output: str | None, *, shown: bool) -> None:
    """Draw lattices: below each other, or each in a file of its own."""
    for number, one in enumerate(designs, 1):
        drawing = show.layout(one.lattice, title=f"Lattice {number}")
        if shown:
            click.echo(f"\n{drawing.title}: {one.added_text}\n")
            print_or_save(drawing, None)
        if output:
            path = Path(output)
            many = len(designs) > 1
            name = path.with_stem(f"{path.stem}-{number}") if many else path
            print_or_save(drawing, str(name))


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Show on stderr how far a search has come, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("searching; Ctrl-C ends it with the best so far") as status:
        yield lambda text: status.update(f"{text}; Ctrl-C ends it with the best so far")
