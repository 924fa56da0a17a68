"""The language server, driven by a client as an editor drives it."""

import asyncio
import gc
import json
import os
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from textwrap import dedent

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from supremum.audit.editor.audits import Audits

pytestmark = pytest.mark.thorough

PROGRAM = """\
import numpy as np

image = np.ones((8, 8), np.float32)
größe = "é😀"; taps = np.hanning(8)
wide = image * taps
"""
MENDED = PROGRAM.replace("np.hanning(8)", "np.hanning(8).astype(np.float32, copy=False)")
REPORT = ".supremum/report.json"
SECONDS = 20
UNIT_OF_UTF16 = types.ClientCapabilities()
WIDE = types.ClientCapabilities(
    general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf8]),
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
    ),
    window=types.WindowClientCapabilities(work_done_progress=True),
)


def audit(folder, *words):
    done = subprocess.run(
        [sys.executable, "-m", "supremum", "audit", *words],
        cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


class Editor(LanguageClient):
    """A client that keeps what it is told, and waits for it."""

    def __init__(self):
        super().__init__("editor", "1")
        self.diagnostics, self.shown, self.logged, self.progress, self.refreshed = {}, [], [], [], 0
        # they get attributes, which methods do not take
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._published))
        self.feature(types.WINDOW_SHOW_MESSAGE)(lambda p: self.shown.append(p.message))
        self.feature(types.WINDOW_LOG_MESSAGE)(lambda p: self.logged.append(p.message))
        self.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda _: None)
        self.feature(types.PROGRESS)(partial(self.progress.append))
        self.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(lambda _: self._refreshed())

    def _published(self, params):
        self.diagnostics[params.uri] = params.diagnostics

    def _refreshed(self):
        self.refreshed += 1

    async def until(self, condition):
        end = time.monotonic() + SECONDS
        while not (found := condition()):
            assert time.monotonic() < end, (self.shown, self.logged, self.diagnostics)
            await asyncio.sleep(0.02)
        return found

    async def told(self, text):
        """Wait for a message with some text."""
        return await self.until(
            lambda: next((m for m in (*self.shown, *self.logged) if text in m), None)
        )

    def open(self, path, text=None, uri=None):
        with path.open(encoding="utf-8", newline="") as stream:
            text = stream.read() if text is None else text
        uri = uri or path.as_uri()
        item = types.TextDocumentItem(uri, "python", 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri, text, version=2):
        document = types.VersionedTextDocumentIdentifier(version, uri)
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def look(self):
        """Say that files have changed."""
        self.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([]))

    async def findings(self, uri, condition=bool):
        """Wait for the findings of a document that are as they should be."""
        found = []

        def arrived():
            found[:] = self.diagnostics.get(uri, ())
            return uri in self.diagnostics and condition(found)

        await self.until(arrived)
        return found

    async def hints(self, uri, first=0, last=1000):
        span = types.Range(types.Position(first, 0), types.Position(last, 0))
        document = types.TextDocumentIdentifier(uri)
        params = types.InlayHintParams(document, span)
        return list(await self.text_document_inlay_hint_async(params))

    async def actions(self, uri, line=None, only=None):
        start = types.Position(line or 0, 0)
        end = types.Position(1000 if line is None else line, 1000)
        found = await self.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri),
                types.Range(start, end),
                types.CodeActionContext([], only=only),
            )
        )
        # this client reads an action that has a command as if it were the command
        audits = [a for a in found if isinstance(a, types.Command)]
        assert all("supremum.audit" in a.command and uri in a.command for a in audits)
        return [a for a in found if a not in audits], len(audits)

    async def hover(self, uri, line, character):
        return await self.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        )

    async def run(self, *arguments, command="supremum.audit"):
        params = types.ExecuteCommandParams(command, list(arguments))
        return await self.workspace_execute_command_async(params)


@asynccontextmanager
async def editor(*folders, capabilities=UNIT_OF_UTF16, options=None, cwd=None):
    client = Editor()
    await client.start_io(sys.executable, "-m", "supremum", "lsp", cwd=cwd)
    named = [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]
    client.started = await client.initialize_async(
        types.InitializeParams(
            capabilities, workspace_folders=named, initialization_options=options
        )
    )
    client.initialized(types.InitializedParams())
    try:
        yield client
        await client.shutdown_async(None)
        client.exit(None)
        assert await asyncio.wait_for(client._server.wait(), SECONDS) == 0
        assert await client._server.stderr.read() == b""
    finally:
        if client._server.returncode is None:
            client._server.kill()
        await client.stop()


def applied(text, edits, encoding="utf-16-le"):
    """Return a text after edits, as an editor makes them that counts in some encoding."""
    size = len("a".encode(encoding))
    lines = text.split("\n")

    def at(position):
        line = lines[position.line].encode(encoding)[: position.character * size]
        return sum(len(line) + 1 for line in lines[: position.line]) + len(line.decode(encoding))

    for edit in sorted(edits, key=lambda e: at(e.range.start), reverse=True):
        text = text[: at(edit.range.start)] + edit.new_text + text[at(edit.range.end) :]
    return text


def the_edits(action, uri):
    edit = action.edit
    return edit.changes[uri] if edit.changes else edit.document_changes[0].edits


def between(text, span, encoding="utf-16-le"):
    """Return what stands in a range of a text."""
    assert span.start.line == span.end.line
    line = text.split("\n")[span.start.line].encode(encoding)
    size = len("a".encode(encoding))
    return line[span.start.character * size : span.end.character * size].decode(encoding)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a program that has a finding, and the report on it."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8", newline="")
    audit(folder, "-o", REPORT, "program.py")
    return folder, (folder / REPORT).read_text(encoding="utf-8")


@pytest.fixture
def folder(made, tmp_path):
    """Such a folder that may be changed."""
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8", newline="")
    (tmp_path / ".supremum").mkdir()
    moved_to(tmp_path, made)
    return tmp_path


def moved_to(folder, made):
    """Write the report, as if it were made in another folder."""
    old, new = (json.dumps(os.fspath(path))[1:-1] for path in (made[0], folder))
    (folder / REPORT).write_text(made[1].replace(old, new), encoding="utf-8")


def test_the_audit_makes_the_folder_that_git_ignores(made):
    assert (made[0] / ".supremum" / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_findings_are_diagnostics(folder):
    async def session():
        async with editor(folder) as client:
            uri = client.open(folder / "program.py")
            (found,) = await client.findings(uri)
            assert between(PROGRAM, found.range) == "np.hanning(8)"
            assert (found.code, found.source) == ("widening", "supremum")
            assert found.code_description.href.endswith("/kinds/widening.html")
            assert found.severity == types.DiagnosticSeverity.Warning
            assert found.message.startswith("float64 is introduced here; it reaches 2 results")
            assert "type instead: np.hanning(8).astype(np.float32, copy=False)" in found.message
            (place,) = found.related_information
            assert place.location.uri == uri
            assert between(PROGRAM, place.location.range) == "image * taps"
            assert place.message == (
                "widening: it widens to float64; image is float32[8, 8]; taps is float64[8]"
            )
            assert client.started.server_info.name == "supremum"

    asyncio.run(session())


def test_findings_of_files_that_are_not_open_are_shown_if_they_are_in_the_workspace(folder):
    async def session():
        async with editor(folder) as client:
            uri = (folder / "program.py").as_uri()
            await client.findings(uri)
            client.open(folder / "program.py", PROGRAM.replace("hanning(8)", "hanning(9)"))
            await client.findings(uri, lambda d: d and d[0].tags)
            document = types.TextDocumentIdentifier(uri)
            client.text_document_did_close(types.DidCloseTextDocumentParams(document))
            await client.findings(uri, lambda d: d and not d[0].tags)  # as it is on the disk
        elsewhere = folder / "elsewhere"
        elsewhere.mkdir()
        async with editor(elsewhere, options={"report": os.fspath(folder / REPORT)}) as client:
            await client.told("has 1 finding")
            await client.hints(uri)  # everything before it was sent
            assert not client.diagnostics
            client.open(folder / "program.py")
            await client.findings(uri)

    asyncio.run(session())


@pytest.mark.parametrize("capabilities", [UNIT_OF_UTF16, WIDE], ids=["utf-16", "utf-8"])
def test_a_fix_that_is_applied_mends_the_file(folder, capabilities):
    encoding = "utf-16-le" if capabilities is UNIT_OF_UTF16 else "utf-8"
    path = folder / "program.py"

    async def session():
        async with editor(folder, capabilities=capabilities) as client:
            uri = client.open(path)
            (found,) = await client.findings(uri)
            assert between(PROGRAM, found.range, encoding) == "np.hanning(8)"
            (fix, fix_all), audits = await client.actions(uri, line=3)
            assert audits == 1
            assert fix.title == "Type instead: np.hanning(8).astype(np.float32, copy=False)"
            assert fix.kind == types.CodeActionKind.QuickFix
            assert [d.message for d in fix.diagnostics] == [found.message]
            assert applied(PROGRAM, the_edits(fix, uri), encoding) == MENDED
            assert applied(PROGRAM, the_edits(fix_all, uri), encoding) == MENDED
            if capabilities is WIDE:
                assert fix.edit.document_changes[0].text_document.version == 1
            assert await client.actions(uri, line=0) == ([fix_all], 1)
            path.write_text(MENDED, encoding="utf-8", newline="")
            client.change(uri, MENDED)
            await client.findings(uri, lambda d: d and d[0].tags)
            audit(folder, "-o", REPORT, "program.py")
            assert await client.findings(uri, lambda d: not d) == []
            assert await client.actions(uri) == ([], 1)

    asyncio.run(session())


def test_an_editor_may_ask_for_one_kind_of_action(folder):
    async def session():
        async with editor(folder) as client:
            uri = client.open(folder / "program.py")
            await client.findings(uri)
            kinds = {
                "quickfix": (["quickfix", "quickfix"], 0),
                "source": (["source.fixAll.supremum"], 1),
                "source.supremum": ([], 1),
                "source.fixAll": (["source.fixAll.supremum"], 0),
                "source.fixAll.supremum": (["source.fixAll.supremum"], 0),
                "source.fixAll.sup": ([], 0),
                "refactor": ([], 0),
            }
            for kind, expected in kinds.items():
                found, audits = await client.actions(uri, only=[kind])
                assert ([a.kind for a in found], audits) == expected

    asyncio.run(session())


def test_dtypes_are_shown_beside_what_has_them(folder):
    async def session():
        async with editor(folder) as client:
            uri = client.open(folder / "program.py")
            await client.findings(uri)
            lines = PROGRAM.split("\n")
            shown = []
            for hint in await client.hints(uri):
                line = lines[hint.position.line].encode("utf-16-le")
                before = line[: 2 * hint.position.character].decode("utf-16-le")
                shown.append((before.replace("; ", " ").split(" ")[-1], hint.label))
                assert hint.kind == types.InlayHintKind.Type
            assert shown == [
                ("image", ": float32"),
                ("taps", ": float64"),
                ("wide", ": float64"),
                ("image", ": float32[8, 8]"),
                ("taps", ": float64[8]"),
            ]
            assert len(await client.hints(uri, 4, 5)) == 3
            client.change(uri, PROGRAM.replace("np.ones((8", "np.ones((9"))
            assert len(await client.hints(uri)) == 4  # of a line that has changed, nothing is known

    asyncio.run(session())


def test_hovering_explains(folder):
    async def session():
        async with editor(folder) as client:
            uri = client.open(folder / "program.py")
            (found,) = await client.findings(uri)
            told = await client.hover(uri, 3, found.range.start.character + 1)
            assert told.range == found.range
            text = told.contents.value
            assert text.startswith("**widening**: float64 is introduced here; 2 results")
            assert "np.hanning(8).astype(np.float32, copy=False)" in text
            assert "float64 holds every value of float32" in text
            seen = await client.hover(uri, 4, 1)
            assert seen.contents.value == "Observed here: `float64`"
            assert await client.hover(uri, 0, 0) is None

    asyncio.run(session())


def test_findings_move_with_the_lines_above_and_are_stale_where_their_own_changes(folder):
    async def session():
        async with editor(folder) as client:
            uri = client.open(folder / "program.py")
            await client.findings(uri)
            longer = "# more\n\n" + PROGRAM
            client.change(uri, longer)
            (found,) = await client.findings(uri, lambda d: d[0].range.start.line == 5)
            assert between(longer, found.range) == "np.hanning(8)"
            assert found.severity == types.DiagnosticSeverity.Warning
            (fix, _), _ = await client.actions(uri, line=5)
            assert applied(longer, the_edits(fix, uri)) == "# more\n\n" + MENDED

            other = longer.replace("hanning(8)", "hanning(16)")
            client.change(uri, other, 3)
            (found,) = await client.findings(uri, lambda d: d[0].tags)
            assert list(found.tags) == [types.DiagnosticTag.Unnecessary]
            assert found.severity == types.DiagnosticSeverity.Hint
            assert found.message.endswith("(this line has changed since the audit)")
            assert between(other, found.range) == other.split("\n")[5]
            told = (await client.hover(uri, 5, 0)).contents.value
            assert "audit again" in told
            assert "astype" not in told
            assert await client.actions(uri) == ([], 1)

            client.change(uri, longer, 4)  # taken back
            await client.findings(uri, lambda d: not d[0].tags)
            client.change(uri, longer.replace(PROGRAM.split("\n")[3] + "\n", ""), 5)
            assert await client.findings(uri, lambda d: not d) == []
            client.change(uri, "", 6)
            assert await client.hints(uri) == []

    asyncio.run(session())


def test_a_report_that_is_written_again_is_read_again(folder, made):
    async def session():
        async with editor(folder, capabilities=WIDE) as client:
            uri = client.open(folder / "program.py")
            await client.findings(uri)
            before = client.refreshed
            (folder / REPORT).unlink()
            await client.findings(uri, lambda d: not d)
            moved_to(folder, made)
            client.look()
            await client.findings(uri)
            await client.until(lambda: client.refreshed >= before + 2)
            (folder / "program.py").unlink()
            assert len(await client.hints(uri)) == 5  # it is open all the same

    asyncio.run(session())


def test_the_newest_report_counts_where_there_are_several(folder, made):
    (folder / "other.py").write_text("import program\n", encoding="utf-8")
    uri = (folder / "program.py").as_uri()

    async def session():
        options = {"report": [REPORT, "other.json"]}
        async with editor(folder, options=options) as client:
            await client.findings(uri)
            assert await client.told("there is no report")
            (folder / "program.py").write_text(MENDED, encoding="utf-8", newline="")
            audit(folder, "-o", "other.json", "other.py")
            await client.findings(uri, lambda d: not d)
            moved_to(folder, made)
            await client.findings(uri)  # stale, since it is mended

    asyncio.run(session())


def without_operands(finding):
    """Return a finding of a store at its own place, whose operands were lost."""
    where = {name: finding[name] for name in ("line", "column", "end_line", "end_column")}
    place = {**finding["places"][0], **where, "operands": []}
    return {**finding, "kind": "narrowing-store", "places": [place]}


CLASSES = {
    "no JSON": (lambda _: "{", "is not a report of the audit as JSON"),
    "empty": (lambda _: "", "is not a report of the audit as JSON"),
    "another file": (lambda _: '{"a": 1}', "is not a report of the audit as JSON"),
    "a list": (lambda _: "[]", "is not a report of the audit as JSON"),
    "deep": (lambda _: "[" * 100_000, "is not a report of the audit as JSON"),
    "another version": (lambda r: {**r, "version": 2}, "has version 2 of the report"),
    "an old one": (
        lambda r: {k: v for k, v in r.items() if k != "sources"},
        "did not note the lines",
    ),
    "wrong types": (lambda r: {**r, "findings": [{**r["findings"][0], "line": "3"}]}, "is damaged"),
    "wrong lines": (lambda r: {**r, "findings": [{**r["findings"][0], "line": 0}]}, "is damaged"),
    "no member": (lambda r: {**r, "findings": [{"file": "x"}]}, "is damaged"),
    "a finding without places": (
        lambda r: {**r, "findings": [{**r["findings"][0], "places": []}]},
        "is damaged",
    ),
    "an unknown kind": (
        lambda r: {**r, "findings": [{**r["findings"][0], "kind": "news"}]},
        "is damaged ('news')",
    ),
    "a store of nothing": (
        lambda r: {**r, "findings": [without_operands(r["findings"][0])]},
        "is damaged",
    ),
    "another machine": (
        lambda r: json.loads(json.dumps(r).replace("program.py", "nowhere/program.py")),
        "names files that are not on this machine",
    ),
}


def test_a_report_that_cannot_be_used_is_said_once_and_the_next_one_is(folder, made):
    good = json.loads((folder / REPORT).read_text(encoding="utf-8"))

    async def session():
        async with editor(folder) as client:
            uri = client.open(folder / "program.py")
            await client.findings(uri)
            for make, message in CLASSES.values():
                client.shown.clear()
                bad = make(good)
                text = bad if isinstance(bad, str) else json.dumps(bad)
                (folder / REPORT).write_text(text, encoding="utf-8")
                client.look()
                client.look()  # what is not whole the first time may be being written
                told = await client.told(message)
                assert told.startswith(f"supremum: {folder / REPORT} ")
                assert "\n" not in told
                assert len(client.shown) == 1
            moved_to(folder, made)
            await client.findings(uri)
            client.shown.clear()
            await asyncio.sleep(2.5)
            assert client.shown == []

    asyncio.run(session())


def test_a_span_beyond_the_file_is_left_out(folder):
    path = folder / REPORT
    report = json.loads(path.read_text(encoding="utf-8"))
    far = {"line": 900, "end_line": 901, "column": 1, "end_column": 70}
    report["findings"].append({**report["findings"][0], **far})
    report["findings"][0]["places"][0].update(far)
    report["sources"][0]["observed"].append({**far, "dtypes": ["float64"]})
    path.write_text(json.dumps(report), encoding="utf-8")

    async def session():
        async with editor(folder) as client:
            uri = client.open(folder / "program.py")
            (found,) = await client.findings(uri)
            assert found.related_information is None
            assert len(await client.hints(uri)) == 5

    asyncio.run(session())


def test_without_a_report_the_log_says_how_to_write_one(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")

    async def session():
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "program.py")
            told = await client.told("there is no report")
            assert told.endswith(f"supremum audit --output {tmp_path / REPORT} SCRIPT")
            assert client.shown == []
            assert await client.hints(uri) == []
            assert await client.hover(uri, 0, 0) is None
            assert await client.actions(uri) == ([], 1)

    asyncio.run(session())


def test_options_that_are_not_known_are_said(folder):
    async def session():
        options = {"repotr": "x", "report": 5, "python": ""}
        async with editor(folder, options=options) as client:
            await client.findings((folder / "program.py").as_uri())
            assert client.shown == [
                "supremum: there is no option 'repotr'; did you mean report?",
                "supremum: the option report is a path, not 5",
                "supremum: the option python is a path, not ''",
            ]
        async with editor(folder, options=["report"]) as client:
            await client.findings((folder / "program.py").as_uri())

    asyncio.run(session())


def test_the_command_audits_a_file(tmp_path):
    path = tmp_path / "a program.py"
    source = PROGRAM + 'import sys\nprint("Content-Length: 1", sys.argv[1:])\nsys.exit(4)\n'
    path.write_text(source, encoding="utf-8")

    async def session():
        async with editor(tmp_path, capabilities=WIDE) as client:
            uri = client.open(path, source + "# not saved\n")
            await client.told("there is no report")
            await client.run(uri, "--fast", "x")
            await client.told("a program.py was audited: 1 finding in it; it exited with 4")
            assert any("has changes that are not saved" in message for message in client.shown)
            await client.findings(uri)
            kinds = [p.value["kind"] for p in client.progress]
            assert kinds == ["begin", "end"]
            assert [p.name for p in (tmp_path / ".supremum").iterdir() if p.suffix] == [
                "report.json"
            ]

    asyncio.run(session())


def test_a_command_that_cannot_be_done_is_said(tmp_path):
    (tmp_path / "program.py").write_text("raise SystemExit(\n", encoding="utf-8")

    async def session():
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "program.py")
            for arguments in ((), ("untitled:Untitled-1",), (5,), ((tmp_path / "no.py").as_uri(),)):
                client.shown.clear()
                await client.run(*arguments)
                await client.told("supremum.audit takes the URI of a file that is saved")
            await client.run(uri)
            told = await client.told("program.py was not audited: ")
            assert told.endswith("program.py:1: not Python: '(' was never closed")
        async with editor(tmp_path, options={"python": "no/such/python"}) as client:
            await client.run(uri)
            assert await client.told("program.py was not audited: ")

    asyncio.run(session())


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return not Path("/proc/self").exists()
    return state != "Z"


SLEEPER = """\
import os, pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path("pids").write_text(f"{os.getpid()} {child.pid}")
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes end one by one there")
@pytest.mark.parametrize("how", ["exit", "gone", "cancelled"])
def test_no_process_is_left(tmp_path, how):
    path = tmp_path / "program.py"
    path.write_text(SLEEPER, encoding="utf-8")
    told = tmp_path / "pids"

    async def session():
        async with editor(tmp_path, capabilities=WIDE) as client:
            await client.run(path.as_uri())
            pids = (await client.until(lambda: told.exists() and told.read_text())).split()
            await client.run(path.as_uri())
            await client.told("an audit runs already")
            if how == "cancelled":
                token = client.progress[0].token
                client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
                await client.told("program.py was not audited: it was stopped")
            elif how == "gone":
                client._server.stdin.close()
                await asyncio.wait_for(client._server.wait(), SECONDS)
                assert await client._server.stderr.read() == b""
            if how != "exit":
                await client.until(lambda: not any(is_alive(int(pid)) for pid in pids))
            if how == "gone":
                raise EOFError
        await client.until(lambda: not any(is_alive(int(pid)) for pid in pids))

    if how == "gone":
        with pytest.raises(EOFError):
            asyncio.run(session())
    else:
        asyncio.run(session())


@pytest.mark.parametrize("line_break", ["\r\n", "\r"], ids=["CRLF", "CR"])
def test_line_breaks_are_kept(tmp_path, line_break):
    source = dedent("""\
        from numpy import float32 as f32, hanning, ones
        x = ones(3, f32) * (
        \thanning(3)  # é
        )
        """).replace("\n", line_break)
    path = tmp_path / "program.py"
    path.write_bytes(source.encode())
    audit(tmp_path, "-o", REPORT, "program.py")

    async def session():
        async with editor(tmp_path) as client:
            uri = client.open(path)
            (found,) = await client.findings(uri)
            assert (found.range.start.line, found.range.start.character) == (2, 1)
            assert found.tags is None
            (fix, _), _ = await client.actions(uri, line=2)
            edits = the_edits(fix, uri)
            assert all("\n" not in e.new_text.replace(line_break, "") for e in edits)

    asyncio.run(session())


def test_documents_that_are_no_files_and_paths_of_other_systems_do_no_harm(folder):
    async def session():
        async with editor(folder) as client:
            for uri in (
                "untitled:Untitled-1",
                "file:///c%3A/Users/me/program.py",
                "file:///C:/Users/me/program.py",
                "file://server/share/program.py",
                "vscode-notebook-cell:/a.ipynb#W0",
            ):
                client.open(folder / "program.py", uri=uri)
                assert await client.hints(uri) == []
                assert await client.hover(uri, 3, 30) is None
                assert await client.actions(uri) == ([], 1)
                document = types.TextDocumentIdentifier(uri)
                client.text_document_did_close(types.DidCloseTextDocumentParams(document))
            odd = (folder / "program.py").as_uri().replace("program", "pr%6Fgram")
            client.open(folder / "program.py", uri=odd)
            await client.findings(odd)
            assert not [m for m in client.shown if "rror" in m]

    asyncio.run(session())


def test_each_folder_of_the_workspace_has_its_report(folder, made):
    more = folder / "another folder"
    (more / ".supremum").mkdir(parents=True)
    (more / "program.py").write_text(PROGRAM, encoding="utf-8", newline="")
    moved_to(more, made)
    uris = [(where / "program.py").as_uri() for where in (folder, more)]

    async def session():
        async with editor(folder, more) as client:
            for uri in uris:
                await client.findings(uri)
            removed = [types.WorkspaceFolder(more.as_uri(), more.name)]
            event = types.WorkspaceFoldersChangeEvent([], removed)
            client.workspace_did_change_workspace_folders(
                types.DidChangeWorkspaceFoldersParams(event)
            )
            await client.findings(uris[1], lambda d: not d)
            assert client.diagnostics[uris[0]]
        async with editor(cwd=folder) as client:  # none: where we are
            await client.findings(uris[0])

    asyncio.run(session())


def test_without_pygls_one_line_says_what_to_install():
    code = "import sys; sys.modules['pygls'] = None\nfrom supremum.cli import main; main(['lsp'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "supremum: the editor needs pygls, which is not installed: pip install 'supremum[lsp]'\n"
    )


@pytest.mark.parametrize("is_shut_down", [False, True])
def test_an_audit_that_is_cut_short_leaves_nothing_behind(tmp_path, capfd, is_shut_down):
    path = tmp_path / "program.py"
    path.write_text(SLEEPER, encoding="utf-8")
    audits = Audits()

    async def session():
        command = [sys.executable, str(path)]
        work = asyncio.create_task(audits.run(command, tmp_path, tmp_path / "report.json"))
        for _ in range(SECONDS * 100):
            if audits.process is not None:
                break
            await asyncio.sleep(0.01)
        if is_shut_down:  # a request of shutdown cancels it once, the end of the loop once more
            work.cancel()
            for _ in range(3):
                await asyncio.sleep(0)
        return work

    work = asyncio.run(session())
    assert work.cancelled()
    assert audits.process is None
    gc.collect()
    assert capfd.readouterr().err == ""
