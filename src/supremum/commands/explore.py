"""The command that shows: the explorer page."""

from __future__ import annotations

import click


@click.command()
@click.option("-o", "--save", metavar="FOLDER", help="Write a site to FOLDER instead.")
@click.option("--pyodide", metavar="FOLDER", help="With --save: Pyodide, as npm pack brings it.")
def explore(save: str | None, pyodide: str | None) -> None:
    """Open a page that answers, draws and judges: every library's rules side by side.

    It is served on this machine alone, by the engine that is installed. With --save it becomes a
    site for any server of files, which runs the same engine in the browser. The address holds the
    view, so that it can be shared.

    \b
    supremum explore
    supremum explore --save site --pyodide package
    """
    from ..show.explore import serve, site

    if pyodide is not None and save is None:
        raise click.UsageError(f"--pyodide is for a site: type --save FOLDER --pyodide {pyodide}")
    if save is None:
        serve.serve(click.echo)
        return
    size = site.save(save, pyodide)
    click.echo(f"{save}: {size / 1e6:.1f} MB; type python -m http.server -d {save}")
