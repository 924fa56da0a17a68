"""The command that shows: the explorer page."""

from __future__ import annotations

import click


@click.command()
@click.option("-o", "--save", metavar="FILE", help="Write the page to FILE instead of serving it.")
def explore(save: str | None) -> None:
    """Open a page that answers, draws and judges: every library's rules side by side.

    It is one file without a network: served on this machine alone, or written with --save. The
    address holds the view, so that it can be shared.

    \b
    supremum explore
    supremum explore --save page.html
    """
    from ..show.explore import serve

    if save is not None:
        size = serve.save(save)
        click.echo(f"{save}: {size / 1000:,.0f} kB; open it in any browser")
        return
    serve.serve(click.echo)
