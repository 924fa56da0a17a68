"""The command ``supremum design``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import click

from ..core.systems import find
from ..terminal import print_text, progress
from .options import complete_dtype, complete_system, format_option
from .output import print_json

_ENDS: Final = "Ctrl-C ends it with the best so far"


@click.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option("--insert", multiple=True, metavar="DTYPE", shell_complete=complete_dtype,
              help="Every place for this dtype; several times for several at once.")  # fmt: skip
@click.option("--into", metavar="NAME|FILE", shell_complete=complete_system,
              help="The rules that --insert is about.")  # fmt: skip
@click.option("--most", default=10, show_default=True, type=click.IntRange(1), metavar="N",
              help="How many lattices that tie, or places, to list.")  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
              help="Stop then, with the best so far.")  # fmt: skip
@format_option("text", "json")
@click.pass_context
def design(
    context: click.Context,
    spec: str | None,
    insert: Sequence[str],
    into: str | None,
    most: int,
    time_limit: float | None,
    format: str,
) -> None:
    """Find the best lattices under SPEC, a TOML file, and say what is proven.

    A spec has dtypes, arrows to require and to forbid, and costs. Lattices that tie are all listed.
    With --insert and --into, every place for a new dtype is listed, with what it costs; a spec is
    not needed. Ctrl-C ends a search with the best so far.

    \b
    supremum design mine.toml
    supremum design mine.toml --most 3 --time-limit 60
    supremum design --insert float8_e4m3fn --into jax

    Exits 1 if the time was over before anything was found, and 130 if Ctrl-C ended the search.
    """
    if bool(insert) != bool(into):
        raise click.UsageError("--insert and --into go together: --insert float8_e5m2 --into jax")
    if spec is None and not insert:
        raise click.UsageError("name a spec, or use --insert: supremum design mine.toml")
    from .. import design as designing

    usual: dict[str, Any] = {}
    if into:
        usual = {"never": designing.INSERTED_NEVER, "costs": designing.INSERTED_ORDER}
    asked = designing.spec(**usual) if spec is None else designing.read(spec, **usual)
    found: Any
    with progress(f"searching; {_ENDS}") as tell:
        options: dict[str, Any] = {
            "time_limit": time_limit, "progress": lambda text: tell(f"{text}; {_ENDS}"),
        }  # fmt: skip
        if into:
            found = designing.insert(list(insert), find(into), spec=asked, **options)
        else:
            found = designing.search(asked, ties=most, **options)
    if format == "json":
        print_json(found.to_dict())
    else:
        text = found.as_text(most) if into else str(found)
        print_text(text, [(r"(?m)^ +\d+  .*$", "bold"), (r"\bproven\b", "green")])
    if into and found.left_out:
        count = len(found.left_out)
        click.echo(f"{count} rare dtypes are left out; a spec that names them keeps them", err=True)
    if found.interrupted:
        context.exit(130)
    context.exit(0 if (found.places if into else found.designs) else 1)
