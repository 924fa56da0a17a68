"""The command ``supremum lsp``."""

from __future__ import annotations

import click


@click.command()
def lsp() -> None:
    """Show the last report in an editor, as a language server.

    It speaks the Language Server Protocol over standard input and output, and reads the newest
    report .supremum/*.json in each folder of the workspace.

    \b
    supremum audit --output .supremum/report.json train.py
    supremum lsp
    """
    try:
        from ..audit.editor import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"pygls", "lsprotocol"}:
            raise
        raise click.UsageError(
            "the editor needs pygls, which is not installed: pip install 'supremum[lsp]'"
        ) from None
    serve()
