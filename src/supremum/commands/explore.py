"""The command that shows: the explorer page."""

from __future__ import annotations

import click


@click.command()
@click.option("-o", "--save", metavar="FILE", help="Write the page to FILE instead of serving it.")
@click.option(
    "--port",
    default=0,
    show_default=True,
    metavar="N",
    type=click.IntRange(0, 65535),
    help="Where to serve it; 0 is any free port.",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
def explore(save: str | None, port: int, no_open: bool) -> None:
    """Open a page that answers, draws and judges: every library's rules side by side.

    It is one file without a network: served on this machine alone, or written with --save. The
    address holds the view, so that it can be shared.

    \b
    supremum explore
    supremum explore --port 8765 --no-open
    supremum explore --save page.html
    """
    from ..show.explore import serve

    if save is not None:
        size = serve.save(save)
        click.echo(f"{save}: {size / 1000:,.0f} kB; open it in any browser")
        return
    serve.serve(port, browse=not no_open, say=click.echo)
