"""The language server: it answers an editor from the last report, and reads it when it changes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from ... import __version__
from ...core.errors import did_you_mean, plural
from ..model.locations import Span
from .answers import SOURCE, Page
from .audits import Audits
from .documents import Document, text_of
from .edits import fixes
from .saved_reports import SavedReports, key, state_of

REPORT: Final = ".supremum/report.json"
"""Where the report is, in each folder of the workspace, unless the editor says otherwise."""

COMMAND: Final = "supremum.audit"
_OPTIONS: Final = ("report", "python")
_FIX_ALL: Final = f"{types.CodeActionKind.SourceFixAll.value}.{SOURCE}"
_AUDIT: Final = f"{types.CodeActionKind.Source.value}.{COMMAND}"
_SECONDS: Final = 1.0  # between two looks at the reports

_ERROR: Final = types.MessageType.Error


class Server(LanguageServer):
    """Answers an editor from the last report.

    Attributes:
        reports: what the reports say.
        audits: the audits that the editor asked for.
    """

    def __init__(self) -> None:
        # changes of parts are counted in lines that break where LSP says they do not
        super().__init__("supremum", __version__, types.TextDocumentSyncKind.Full)
        self.reports = SavedReports(self.tell)
        self.audits = Audits()
        self._given: dict[str, Any] = {"report": [REPORT], "python": sys.executable}
        self._shown: set[str] = set()
        self._open: dict[str, str] = {}  # URIs by the keys of the files
        self._pages: dict[str, Page] = {}
        self._texts: dict[str, tuple[object, str | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def tell(self, text: str, is_fault: bool) -> None:
        """Let the user know something: a fault is shown, the rest is in the log."""
        if is_fault:
            self.show(text, types.MessageType.Warning)
        else:
            self.window_log_message(types.LogMessageParams(types.MessageType.Info, text))

    def show(self, text: str, severity: types.MessageType) -> None:
        """Show a message."""
        self.window_show_message(types.ShowMessageParams(severity, f"supremum: {text}"))

    def take_options(self, given: object) -> None:
        """Take the initialization options; what is wrong is said, and left out."""
        for name, value in given.items() if isinstance(given, dict) else ():
            if name not in _OPTIONS:
                hint, _ = did_you_mean(str(name), _OPTIONS)
                known = hint or f"; there are {', '.join(_OPTIONS)}"
                self.tell(f"there is no option {name!r}{known}", is_fault=True)
            elif name == "python" and isinstance(value, str) and value:
                self._given[name] = str(Path(value).expanduser())
            elif name == "report" and (paths := _paths(value)):
                self._given[name] = paths
            else:
                self.tell(f"the option {name} is a path, not {value!r}", is_fault=True)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something go on beside what the editor asks."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """End what goes on, before the connection does."""
        for task in self._tasks:
            task.cancel()
        self.audits.stop()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Show an error, unless it is that nothing can be sent, which would come up again."""
        if source is not JsonRpcInternalError:
            super().report_server_error(error, source)

    # the reports

    def folders(self) -> list[Path]:
        """Return the folders of the workspace; where we are if it has none."""
        paths = [to_fs_path(folder.uri) for folder in self.workspace.folders.values()]
        paths = paths or [self.workspace.root_path]
        return [Path(path) for path in paths if path] or [Path.cwd()]

    def refresh(self, *, always: bool = False) -> None:
        """Read the reports that have changed, and show what they say."""
        paths = [folder / path for folder in self.folders() for path in self._given["report"]]
        if self.reports.refresh(list(dict.fromkeys(paths))) or always:
            self.show_diagnostics()
            support = self.client_capabilities.workspace
            hints = support.inlay_hint if support else None
            if hints and hints.refresh_support:
                self.workspace_inlay_hint_refresh(None)

    async def watch(self) -> None:
        """Look at the reports now and then."""
        while True:
            try:
                self.refresh()
            except Exception as error:  # noqa: BLE001  # the editor goes on, whatever fails here
                self.tell(f"{type(error).__name__}: {error}", is_fault=True)
            await asyncio.sleep(_SECONDS)

    # what they say of documents

    def opened(self, uri: str, *, is_open: bool = True) -> None:
        """Take note that a document was opened, or closed."""
        path = to_fs_path(uri)
        if path and is_open:
            self._open[key(path)] = uri
        elif path:
            self._open.pop(key(path), None)
        self.show_diagnostics()

    def page(self, path: str) -> Page | None:
        """Return a file as it is now beside what a report says of it, or None if none does."""
        name = key(path)
        file = self.reports.files.get(name)
        if file is None:
            return None
        uri = self._open.get(name)
        text = self.workspace.get_text_document(uri).source if uri else self._saved(name)
        if text is None:
            return None
        page = self._pages.get(name)
        if page is None or page.file is not file or page.document.text != text:
            units = self.workspace.position_codec.client_num_units
            self._pages[name] = page = Page(Document(text, file.lines), file, units)
        return page

    def page_of(self, uri: str) -> Page | None:
        """Return a document that is open beside what a report says of it."""
        path = to_fs_path(uri)
        return self.page(path) if path and key(path) in self._open else None

    def _saved(self, path: str) -> str | None:
        """Return the text of a file that is not open, or None if it cannot be read."""
        state = state_of(Path(path))
        known = self._texts.get(path)
        if known is None or known[0] != state:
            known = self._texts[path] = state, text_of(path)
        return known[1]

    def locate(self, file: str, span: Span) -> types.Location | None:
        """Return where a place of a report is now."""
        page = self.page(file)
        where = page.document.find(span) if page is not None else None
        uri = self._open.get(key(file)) or from_fs_path(file)
        if page is None or where is None or uri is None:
            return None
        return types.Location(uri, page.range(where.span))

    def show_diagnostics(self) -> None:
        """Show the findings of all files that are open or in the workspace."""
        folders = [key(folder) for folder in self.folders()]
        shown = set()
        for name, file in self.reports.files.items():
            is_near = any(Path(name).is_relative_to(folder) for folder in folders)
            uri = self._open.get(name) or (from_fs_path(file.path) if is_near else None)
            page = self.page(name) if uri and file.findings else None
            if uri and page is not None:
                self.publish(uri, page)
                shown.add(uri)
        for uri in self._shown - shown:
            self.publish(uri, None)
        self._shown = shown

    def publish(self, uri: str, page: Page | None) -> None:
        """Show the findings of a file."""
        found = page.diagnostics(self.locate) if page is not None else []
        is_open = uri in self._open.values()
        version = self.workspace.get_text_document(uri).version if is_open else None
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    # what they offer

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return what can be done about part of a document."""
        uri = params.text_document.uri
        page, wanted = self.page_of(uri), params.context.only
        found = []
        if page is not None and _is_wanted(types.CodeActionKind.QuickFix.value, wanted):
            for finding, place, _ in page.marked():
                apart = place.end < params.range.start or params.range.end < place.start
                replaced = [] if apart else fixes(page.document, [finding])
                if replaced:
                    told = page.diagnostics(self.locate)
                    found.append(
                        types.CodeAction(
                            f"Type instead: {' '.join(finding.suggestion.split())}",
                            kind=types.CodeActionKind.QuickFix,
                            diagnostics=[d for d in told if d.range == place][:1],
                            edit=self._edit(uri, page.edits(replaced)),
                            is_preferred=True,
                        )
                    )
        kinds = [types.CodeActionKind.QuickFix.value, _FIX_ALL]
        kind = next((kind for kind in kinds if _is_wanted(kind, wanted)), None)
        if page is not None and kind:
            replaced = fixes(page.document, page.file.findings)
            if replaced:
                title = "Apply all fixes of the audit in this file"
                edit = self._edit(uri, page.edits(replaced))
                found.append(types.CodeAction(title, kind=kind, edit=edit))
        if _is_wanted(_AUDIT, wanted):
            title = "Run this file with the audit"
            command = types.Command(title, COMMAND, arguments=[uri])
            found.append(types.CodeAction(title, kind=_AUDIT, command=command))
        return found

    def _edit(self, uri: str, edits: list[types.TextEdit]) -> types.WorkspaceEdit:
        """Return a change of a document, of this version of it if the client looks at that."""
        workspace = self.client_capabilities.workspace
        support = workspace.workspace_edit if workspace else None
        if not (support and support.document_changes):
            return types.WorkspaceEdit(changes={uri: edits})
        version = self.workspace.get_text_document(uri).version
        document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, edits)])

    # audits

    async def audit(self, uri: object, arguments: list[str]) -> None:
        """Run a file with the audit, and say how it ended."""
        path = Path(to_fs_path(uri) or "") if isinstance(uri, str) else Path()
        if not path.is_file():
            self.show(f"{COMMAND} takes the URI of a file that is saved, not {uri!r}", _ERROR)
            return
        if self.audits.process is not None:
            self.show("an audit runs already", _ERROR)
            return
        opened = self._open.get(key(path))
        if opened and self.workspace.get_text_document(opened).source != text_of(str(path)):
            told = f"{path.name} has changes that are not saved; the saved file is audited"
            self.show(told, types.MessageType.Warning)
        around = [f for f in self.folders() if Path(key(path)).is_relative_to(key(f))]
        folder = max(around, key=lambda f: len(f.parts), default=path.parent)
        report = folder / self._given["report"][0]
        command = [self._given["python"], str(path), *arguments]
        self.tell(f"{path} runs with the audit", is_fault=False)
        token = await self._begin(f"Auditing {path.name}")
        try:
            code, failure = await self.audits.run(command, folder, report)
        except OSError as error:
            code, failure = 0, str(error)
        if token:  # if this was cancelled, nobody listens any more
            self.work_done_progress.end(token, types.WorkDoneProgressEnd())
        if failure:
            self.show(f"{path.name} was not audited: {failure}", _ERROR)
            return
        self.refresh()
        file = self.reports.files.get(key(path))
        count = len(file.findings) if file else 0
        ended = f"; it exited with {code}" if code else ""
        told = f"{path.name} was audited: {plural(count, 'finding')} in it{ended}"
        self.show(told, types.MessageType.Info)

    async def _begin(self, title: str) -> str:
        """Show that an audit runs, with a way to stop it; returns a token, or an empty text."""
        window = self.client_capabilities.window
        if not (window and window.work_done_progress):
            return ""
        token = uuid4().hex
        await self.work_done_progress.create_async(token)
        begin = types.WorkDoneProgressBegin(title, cancellable=True)
        self.work_done_progress.begin(token, begin)
        self.work_done_progress.tokens[token].add_done_callback(lambda _: self.audits.stop())
        return token


def _paths(value: object) -> list[str]:
    """Return paths, of which there may be one or several; none if they are something else."""
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(path, str) and path for path in found):
        return []
    return [str(Path(path).expanduser()) for path in found]


def _is_wanted(kind: str, wanted: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Tell whether an editor asks for actions of a kind: for all, or for that or a wider kind."""
    names = [getattr(name, "value", name) for name in wanted or ()]
    return not names or any(f"{kind}.".startswith(f"{name}.") for name in names)


def serve() -> None:
    """Answer the editor that started this process, until it ends."""
    server = Server()

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.take_options(params.initialization_options)

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        server.start(server.watch())

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.stop()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_: types.DidChangeWatchedFilesParams) -> None:
        server.refresh()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(_: types.DidChangeWorkspaceFoldersParams) -> None:
        server.refresh(always=True)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.opened(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.opened(params.text_document.uri, is_open=False)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        page = server.page_of(params.text_document.uri)
        if page is not None and page.file.findings:
            server.publish(params.text_document.uri, page)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: types.DidSaveTextDocumentParams) -> None:
        server.refresh(always=True)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        page = server.page_of(params.text_document.uri)
        return page.hints(params.range) if page is not None else []

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        page = server.page_of(params.text_document.uri)
        return page.hover(params.position) if page is not None else None

    kinds = [types.CodeActionKind.QuickFix, _FIX_ALL, _AUDIT]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds))
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return server.actions(params)

    @server.command(COMMAND)
    async def audit(*arguments: Any) -> None:
        uri, *rest = arguments or (None,)
        server.start(server.audit(uri, [str(argument) for argument in rest]))

    try:
        server.start_io()
    finally:
        server.audits.stop()
