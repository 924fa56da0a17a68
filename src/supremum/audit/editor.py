"""The newest saved report in an editor: a language server that shows it beside the source."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from ..version import __version__
from .fixing.edits import EditError, Position, changes, replacements
from .kinds import page
from .report.report import VERSION
from .report.sources import checksums

if TYPE_CHECKING:
    from pygls.workspace import TextDocument

_REPORTS: Final = ".supremum/*.json"
_SECONDS: Final = 1.0  # between two looks at the reports
_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_ACTIONS: Final = types.CodeActionOptions([types.CodeActionKind.QuickFix])
_DIGITS: Final = 8  # of the checksum of a line

Span = tuple[Position, Position]
Row = Mapping[str, Any]
"""A member of a report: a finding, a place, or what it says of a file."""


def read(path: Path) -> dict[str, Row]:
    """Return what a report says of each file: its lines, what was observed, and its findings.

    Raises:
        OSError, ValueError, LookupError, TypeError: if it is not a report.
    """
    report = json.loads(path.read_bytes())
    if report["version"] != VERSION:
        raise ValueError(f"version {report['version']}")
    files: dict[str, Any] = {
        key(source["file"]): {**source, "findings": []} for source in report["sources"]
    }
    for finding in report["findings"]:
        if "cell" not in finding:  # editors show cells as documents of their own
            files[key(finding["file"])]["findings"].append(finding)
    return files


def key(path: str) -> str:
    """Return what a file is known by, however its path is written."""
    return os.path.normcase(os.path.realpath(path))


def _split(digits: str) -> list[str]:
    return [digits[at : at + _DIGITS] for at in range(0, len(digits), _DIGITS)]


class Page:
    """A document as it is now, beside what a report says of its file as it was."""

    def __init__(self, document: TextDocument, file: Row) -> None:
        self._document = document
        self._file = file
        self._lines = re.split(r"\r\n|\r|\n", document.source)
        before, now = _split(file["lines"]), _split(checksums(self._lines))
        self._moved = {
            old + n: new + n
            for old, new, size in SequenceMatcher(None, before, now).get_matching_blocks()
            for n in range(size)
        }

    def _shown(self, rows: list[Row]) -> Iterator[tuple[Row, Span, types.Range]]:
        """Yield each place whose lines have not changed, with its start and end, and its range."""
        for row in rows:
            old = range(row["line"] - 1, row["end_line"])
            now = [self._moved.get(line, -1) for line in old]
            if now[0] >= 0 and now == list(range(now[0], now[0] + len(now))):
                span = (now[0] + 1, row["column"]), (now[-1] + 1, row["end_column"])
                yield row, span, self._range(*span)

    def _range(self, *positions: Position) -> types.Range:
        """Return a part of the document as the client counts."""
        units = self._document.position_codec.client_num_units
        befores = ["".join(self._lines[n - 1 : n])[: column - 1] for n, column in positions]
        lines = [line - 1 for line, _ in positions]
        return types.Range(*map(types.Position, lines, map(units, befores)))

    def diagnostics(self) -> list[types.Diagnostic]:
        """Return the findings as diagnostics."""
        return [
            types.Diagnostic(
                where,
                "\ntype instead: ".join(filter(None, [row["message"], row["suggestion"]])),
                severity=_SEVERITIES[row["severity"]],
                code=row["kind"],
                code_description=types.CodeDescription(page(row["kind"])),
                source="supremum",
                related_information=[
                    types.DiagnosticRelatedInformation(
                        types.Location(self._document.uri, at), f"{place['kind']}: {place['text']}"
                    )
                    for place, _, at in self._shown(row["places"])
                    if place["file"] == row["file"] and at != where
                ],
            )
            for row, _, where in self._shown(self._file["findings"])
        ]

    def hover(self, at: types.Position) -> types.Hover | None:
        """Return what was found at a position, what to type instead, and why; or None."""
        parts = [
            f"````text\n{text}\n````"
            for row, _, where in self._shown(self._file["findings"])
            if where.start <= at <= where.end
            for text in (row["message"], row["needs"], row["suggestion"], row["explanation"])
            if text
        ]
        content = types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(parts))
        return types.Hover(content) if parts else None

    def hints(self, within: types.Range) -> list[types.InlayHint]:
        """Return the dtypes that were observed in part of the document."""
        return [
            types.InlayHint(where.end, f": {' | '.join(row['dtypes'])}", types.InlayHintKind.Type)
            for row, _, where in self._shown(self._file["observed"])
            if within.start <= where.end <= within.end
        ]

    def actions(self, within: types.Range) -> Iterator[types.CodeAction]:
        """Yield what types the suggestions for part of the document, with their imports."""
        for row, (start, end), where in self._shown(self._file["findings"]):
            if where.end < within.start or within.end < where.start:
                continue
            for change in changes([row]):
                here = change._replace(start=start, end=end)
                with suppress(EditError):  # the rest of the document may be half-typed
                    made = replacements(self._document.source, [here])
                    edits = [types.TextEdit(self._range(r.start, r.end), r.text) for r in made]
                    yield types.CodeAction(
                        f"Type instead: {' '.join(change.suggestion.split())}",
                        types.CodeActionKind.QuickFix,
                        edit=types.WorkspaceEdit({self._document.uri: edits}),
                        is_preferred=True,
                    )


class Server(LanguageServer):
    """Answers an editor from the newest report in each folder of its workspace.

    Attributes:
        files: what the reports say of each file.
    """

    def __init__(self) -> None:
        # changes of parts are counted in lines that break where LSP says they do not
        super().__init__("supremum", __version__, types.TextDocumentSyncKind.Full)
        self.files: dict[str, Row] = {}
        self._newest: list[tuple[int, Path]] = []
        self.watching: asyncio.Task[None] | None = None  # else nothing would keep it

    async def watch(self) -> None:
        """Look at the reports now and then."""
        while True:
            with suppress(OSError):  # a report that is gone before it was read
                self.refresh()
            await asyncio.sleep(_SECONDS)

    def refresh(self) -> None:
        """Read the reports if there are other ones, and show what they say."""
        roots = [to_fs_path(folder.uri) for folder in self.workspace.folders.values()]
        folders = [Path(root) for root in roots or [self.workspace.root_path] if root]
        newest = [max(found) for folder in folders or [Path()] if (found := _reports(folder))]
        if newest == self._newest:
            return
        self._newest = newest
        before, self.files = self.files, {}
        for _, path in newest:
            try:
                self.files |= read(path)
            except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
                what = f"{path} is not a report that {__version__} reads ({error!r}); audit again"
                self.window_log_message(types.LogMessageParams(types.MessageType.Warning, what))
        opened = {key(d.path): uri for uri, d in self.workspace.text_documents.items()}
        for name, file in (before | self.files).items():
            self.publish(opened.get(name) or from_fs_path(file["file"]) or "")

    def page(self, uri: str) -> Page | None:
        """Return a document beside what the reports say of it, or None if none does."""
        path = to_fs_path(uri)
        file = self.files.get(key(path)) if path else None
        try:
            return Page(self.workspace.get_text_document(uri), file) if file else None
        except (OSError, ValueError):  # it is not on this machine, or not text
            return None

    def publish(self, uri: str) -> None:
        """Show the findings of a file."""
        shown = self.page(uri)
        found = shown.diagnostics() if shown else []
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))


def _reports(folder: Path) -> list[tuple[int, Path]]:
    """Return the reports of a folder, and when they were written."""
    return [(path.stat().st_mtime_ns, path) for path in folder.glob(_REPORTS) if path.is_file()]


def serve() -> None:
    """Answer the editor that started this process, until it ends."""
    server = Server()

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        server.watching = asyncio.create_task(server.watch())

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: Any) -> None:
        server.publish(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        shown = server.page(params.text_document.uri)
        return shown.hints(params.range) if shown else []

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        shown = server.page(params.text_document.uri)
        return shown.hover(params.position) if shown else None

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, _ACTIONS)
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        shown = server.page(params.text_document.uri)
        return list(shown.actions(params.range)) if shown else []

    server.start_io()
