"""The language server: what it makes of a report and a document, and one session with an editor."""

import asyncio
import json
import subprocess
import sys
from functools import partial

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.workspace import PositionCodec, TextDocument

from supremum.audit.editor import Page, key, read

PROGRAM = """\
import numpy as np

image = np.ones((8, 8), np.float32)
größe = "é😀"; taps = np.hanning(8)
wide = image * taps
"""
MENDED = PROGRAM.replace("np.hanning(8)", "np.hanning(8).astype(np.float32, copy=False)")
ALL = types.Range(types.Position(0, 0), types.Position(1000, 0))
REPORT = ".supremum/report.json"
SECONDS = 20


@pytest.fixture
def page(audited, write):
    """Return a function that audits a program, and gives what is known of a document of it."""

    def audit_program(now=PROGRAM, *, source=PROGRAM, encoding="utf-16", **changed):
        report = audited(source).as_dict()
        report["findings"][0] |= changed
        path = write(json.dumps(report), "report.json")
        file = path.with_name("program.py")
        codec = PositionCodec(types.PositionEncodingKind(encoding))
        document = TextDocument(file.as_uri(), now, position_codec=codec)
        return Page(document, read(path)[key(str(file))])

    return audit_program


def between(text, span, encoding="utf-16-le"):
    """Return what stands in a range of a line of a text."""
    line = text.splitlines()[span.start.line].encode(encoding)
    size = len("a".encode(encoding))
    return line[span.start.character * size : span.end.character * size].decode(encoding)


def applied(text, action):
    """Return a text after an action, as an editor makes its edits."""
    lines = text.splitlines(keepends=True)

    def at(position):
        before = "".join(lines[position.line : position.line + 1]).encode("utf-16-le")
        return sum(map(len, lines[: position.line])) + len(
            before[: position.character * 2].decode("utf-16-le")
        )

    (edits,) = action.edit.changes.values()
    for edit in sorted(edits, key=lambda e: at(e.range.start), reverse=True):
        text = text[: at(edit.range.start)] + edit.new_text + text[at(edit.range.end) :]
    return text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8", "utf-32"])
def test_a_finding_is_a_diagnostic_where_the_client_counts_it(page, encoding):
    (found,) = page(encoding=encoding).diagnostics()
    codec = encoding.removesuffix("-8") + ("-le" if encoding != "utf-8" else "-8")
    assert between(PROGRAM, found.range, codec) == "np.hanning(8)"
    assert (found.code, found.source) == ("widening", "supremum")
    assert found.severity == types.DiagnosticSeverity.Warning
    assert found.code_description.href.endswith("/kinds/widening.html")
    assert found.message.endswith("np.hanning(8).astype(np.float32, copy=False)")
    (place,) = found.related_information
    assert between(PROGRAM, place.location.range, codec) == "image * taps"


LONGER = "# more\n\n" + PROGRAM


@pytest.mark.parametrize(
    ("now", "line"),
    [
        (PROGRAM, 3),
        (LONGER, 5),
        (PROGRAM.replace("\n", "\r\n"), 3),
        (PROGRAM.replace("wide =", "broad ="), 3),
        (PROGRAM.replace("hanning(8)", "hanning(9)"), None),
        ("", None),
    ],
)
def test_a_finding_moves_with_the_lines_above_and_goes_with_its_own(page, now, line):
    shown = page(now)
    assert [d.range.start.line for d in shown.diagnostics()] == ([] if line is None else [line])
    assert len(list(shown.actions(ALL))) == (line is not None)


@pytest.mark.parametrize("before", ["", "# more\n\n"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_action_types_the_suggestion(page, before, line_end):
    text = (before + PROGRAM).replace("\n", line_end)
    (action,) = page(text).actions(ALL)
    assert action.kind == types.CodeActionKind.QuickFix
    assert applied(text, action) == (before + MENDED).replace("\n", line_end)


@pytest.mark.parametrize(
    ("more", "added"), [("", "import os\n"), ("import os\n", ""), ("def (\n", None)]
)
def test_an_action_types_the_import_that_is_lacking(page, more, added):
    actions = list(page(PROGRAM + more, needs="import os").actions(ALL))
    if added is None:  # nobody knows where an import belongs in what is not Python now
        assert actions == []
    else:
        assert applied(PROGRAM + more, actions[0]) == added + MENDED + more


def test_actions_are_those_of_the_lines_asked_for(page):
    shown = page()
    for line, count in ((3, 1), (0, 0), (4, 0)):
        here = types.Range(types.Position(line, 0), types.Position(line, 100))
        assert len(list(shown.actions(here))) == count


def test_hovering_explains(page):
    shown = page()
    (found,) = shown.diagnostics()
    text = shown.hover(found.range.start).contents.value
    assert "np.hanning(8).astype(np.float32, copy=False)" in text
    assert "float64 holds every value of float32" in text
    assert shown.hover(types.Position(0, 0)) is None


def test_dtypes_are_shown_beside_what_has_them(page):
    hints = page().hints(ALL)
    assert [(h.position.line, h.label) for h in hints] == [
        (2, ": float32"),
        (3, ": float64"),
        (4, ": float64"),
        (4, ": float32[8, 8]"),
        (4, ": float64[8]"),
    ]
    changed = page(PROGRAM.replace("np.ones((8", "np.ones((9"))
    assert len(changed.hints(ALL)) == 4


class Editor(LanguageClient):
    """A client that keeps the findings and messages that it gets."""

    def __init__(self):
        super().__init__("editor", "1")
        self.found, self.logged = asyncio.Queue(), asyncio.Queue()
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self.found.put_nowait))
        self.feature(types.WINDOW_LOG_MESSAGE)(lambda p: self.logged.put_nowait(p.message))

    async def next(self, queue):
        return await asyncio.wait_for(queue.get(), SECONDS)

    async def findings(self, uri):
        found = await self.next(self.found)
        assert found.uri == uri
        return found.diagnostics


def audit(folder):
    words = [sys.executable, "-m", "supremum", "audit", "-o", REPORT, "program.py"]
    subprocess.run(words, cwd=folder, check=True)


@pytest.mark.thorough
def test_an_editor_sees_the_newest_report(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8", newline="")
    audit(tmp_path)
    assert (tmp_path / ".supremum" / ".gitignore").read_text(encoding="utf-8") == "*\n"
    uri = path.as_uri()

    async def session():
        client = Editor()
        await client.start_io(sys.executable, "-m", "supremum", "lsp", cwd=tmp_path)
        folder = types.WorkspaceFolder(tmp_path.as_uri(), "here")
        await client.initialize_async(
            types.InitializeParams(types.ClientCapabilities(), workspace_folders=[folder])
        )
        client.initialized(types.InitializedParams())
        assert len(await client.findings(uri)) == 1  # it is not open yet
        item = types.TextDocumentItem(uri, "python", 1, LONGER)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        (found,) = await client.findings(uri)
        assert found.range.start.line == 5
        document = types.TextDocumentIdentifier(uri)
        context = types.CodeActionContext([])
        (action,) = await client.text_document_code_action_async(
            types.CodeActionParams(document, found.range, context)
        )
        assert applied(LONGER, action) == "# more\n\n" + MENDED
        hover = types.HoverParams(document, found.range.start)
        assert await client.text_document_hover_async(hover)
        hints = types.InlayHintParams(document, ALL)
        assert len(await client.text_document_inlay_hint_async(hints)) == 5
        change = types.TextDocumentContentChangeWholeDocument("# more\n\n" + MENDED)
        version = types.VersionedTextDocumentIdentifier(2, uri)
        client.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))
        assert not await client.findings(uri)
        client.text_document_did_close(types.DidCloseTextDocumentParams(document))
        assert len(await client.findings(uri)) == 1  # as it is on the disk
        (tmp_path / REPORT).write_text("{", encoding="utf-8")
        assert "is not a report" in await client.next(client.logged)
        assert not await client.findings(uri)
        path.write_text(MENDED, encoding="utf-8", newline="")
        audit(tmp_path)
        assert not await client.findings(uri)
        for other in ("untitled:Untitled-1", "file:///c%3A/Users/me/program.py"):
            document = types.TextDocumentIdentifier(other)
            assert await client.text_document_hover_async(
                types.HoverParams(document, types.Position(0, 0))
            ) is None  # fmt: skip
        await client.shutdown_async(None)
        client.exit(None)
        assert await asyncio.wait_for(client._server.wait(), SECONDS) == 0
        assert await client._server.stderr.read() == b""
        await client.stop()

    asyncio.run(session())


def test_without_pygls_one_line_says_what_to_install():
    code = (
        "import sys; sys.modules['pygls'] = None\nfrom supremum.commands import main; main(['lsp'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "supremum: the editor needs pygls, which is not installed: pip install 'supremum[lsp]'\n"
    )
