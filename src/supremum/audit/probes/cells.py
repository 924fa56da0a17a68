"""The cells of a notebook, watched: what IPython compiles has probes in it.

IPython takes a cell apart and compiles one statement after the other. Transformers of syntax trees
do not suffice: a tree cannot refer to a probe, other transformers may come later, and what IPython
shows of a cell depends on its last statement. So its compiler is given the probes' code instead.
Tracebacks are as they were, since the code keeps IPython's name of the cell, and its lines.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import partial
from types import CodeType
from typing import Any

from ..log.hooks import HIDE
from ..model import cells
from ..model.cells import BLOCKS, Block
from ..model.locations import Location, Table
from . import import_hook
from .ast_builders import copy_of
from .module_variables import in_frame
from .rewriter import rewrite
from .scopes import Known

_TIMED = ("<timed exec>", "<timed eval>")
_TIME = re.compile(r"(?P<indent>\s*)(?:[\w\s,.\[\]]+=\s*)?%time\s+(?P<rest>.*)")


class _Running:
    """A cell that runs.

    Attributes:
        file: what it is called.
        raw: its lines, as they were written.
        blocks: where the code is that was compiled for it, by IPython's names.
        source: its lines in Python, as `linecache` has them.
        inner: the sources of the code that it has IPython run.
    """

    def __init__(self, file: str, raw: str) -> None:
        self.file = file
        self.raw = raw.splitlines()
        self.blocks: dict[str, Block] = {}
        self.source = [""] * len(self.raw)
        self.inner: list[list[str]] = []


class CellCompiler:
    """Has what the compiler of a shell compiles watched, while a cell runs.

    Args:
        shell: IPython's shell.
        watches: tells whether a file that ``%run`` runs is to be watched, by its path.

    Attributes:
        is_on: whether cells are watched.
    """

    def __init__(self, shell: Any, watches: Callable[[str], bool]) -> None:
        self.is_on = True
        self._shell = shell
        self._watches = watches
        self._known = Known()
        self._running: _Running | None = None

    def attach(self) -> None:
        """Take the place of the shell's compiler."""
        base = type(self._shell.compile)
        watched, script = self.watched, self._script

        class Compiler(base):  # type: ignore[misc, valid-type]  # it is what the shell has
            is_watched = True

            def __call__(
                self, source: Any, filename: str, symbol: str, *given: Any, **named: Any
            ) -> Any:
                if isinstance(source, bytes):
                    return script(source, filename)
                plain = super().__call__(source, filename, symbol, *given, **named)
                return watched(source, filename, symbol, plain, self.flags)

        Compiler.__name__, Compiler.__qualname__ = base.__name__, base.__qualname__
        Compiler.__module__ = base.__module__
        self._shell.compile.__class__ = Compiler
        # %run has the shell compile a script if it shares what the cells import from __future__
        self._shell.safe_execfile = partial(self._shell.safe_execfile, shell_futures=True)

    def detach(self) -> None:
        """Let the shell compile as before."""
        compiler = self._shell.compile
        compiler.__class__ = type(compiler).__mro__[1]
        vars(self._shell).pop("safe_execfile", None)

    def _script(self, source: bytes, file: str) -> CodeType:
        """Return the code of a script, which shares no ``__future__`` with the cells."""
        if self.is_on and self._watches(str(file)):
            return import_hook.compiled(source, str(file))
        return compile(source, file, "exec", dont_inherit=True)

    def begin(self, file: str, raw: str) -> None:
        """Take note that a cell begins."""
        self._running = _Running(file, raw)
        cells.write(file, self._running.raw)

    def nested(self, raw: str) -> None:
        """Take note of code that the cell has IPython run, unless that is the cell itself."""
        lines = raw.splitlines()
        if self._running is not None and lines != self._running.raw:
            self._running.inner.append(lines)

    def end(self) -> None:
        """Take note that the cell is over."""
        self._running = None
        HIDE(self._shell.user_ns)  # a magic may have asked the frame for its variables

    def watched(self, source: Any, name: str, symbol: str, plain: CodeType, flags: int) -> CodeType:
        """Return the code that IPython compiles, watched, or as it is.

        Args:
            source: the source, or its syntax tree.
            name: the name that IPython gives it.
            symbol: how it is compiled: ``"exec"``, ``"eval"`` or ``"single"``.
            plain: the code as it is.
            flags: the flags that the compiler has.
        """
        running = self._running
        is_tree = isinstance(source, ast.Module | ast.Interactive | ast.Expression)
        if running is None or not (self.is_on and is_tree):
            return plain
        try:
            block = running.blocks.get(name) or self._block(running, source, name)
        except Exception as error:  # noqa: BLE001  # the cell runs all the same
            import_hook.UNWATCHED[running.file] = f"{type(error).__name__}: {error}"
            return plain
        if block is None:
            return plain
        BLOCKS[name] = block

        def make() -> tuple[CodeType, Table]:
            tree, places = rewrite(copy_of(source), block.file, self._known)
            code: CodeType = compile(tree, name, symbol, flags, dont_inherit=True)
            return in_frame(code), _moved(places, block)

        return import_hook.made(make, block.file) or plain

    def _block(self, running: _Running, tree: ast.AST, name: str) -> Block | None:
        """Return where some code is in a cell that runs, or None if it is not known."""
        if name in _TIMED:
            return self._timed(running, tree)
        source = [line.rstrip("\n") for line in linecache.getlines(name)]
        if not source or name.startswith("<magic-timeit"):
            return None
        if not running.blocks:
            if not running.raw:  # it began before cells were watched
                running.raw, running.source = source, list(source)
            lines = lines_in_cell(running.raw, source)
            block = Block(running.file, lines)
            for text, line in zip(source, lines, strict=True):
                running.source[line - 1] = text
        else:
            found = self._inside(running, source)
            if found is None:
                return None
            block = found
        cells.write(running.file, running.source)
        running.blocks[name] = block
        return block

    def _inside(self, running: _Running, source: list[str]) -> Block | None:
        """Return where code is that the cell has IPython run, as ``%%capture`` does."""
        for raw in reversed(running.inner):
            for first in range(len(running.raw) - len(raw) + 1):
                if running.raw[first : first + len(raw)] == raw:
                    lines = [line + first for line in lines_in_cell(raw, source)]
                    for text, line in zip(source, lines, strict=True):
                        running.source[line - 1] = text
                    return Block(running.file, lines)
        return None

    def _timed(self, running: _Running, tree: ast.AST) -> Block | None:
        """Return where code is that ``%time`` runs."""
        wanted = {ast.dump(part) for part in _statements(tree)}
        heads = [n for n, line in enumerate(running.raw) if line.lstrip().startswith("%%time")]
        if heads:
            body = running.raw[heads[0] + 1 :]
            source = self._shell.transform_cell("\n".join([*body, ""])).splitlines()
            if wanted <= {ast.dump(part) for part in _statements(_parsed("\n".join(source)))}:
                lines = [line + heads[0] + 1 for line in lines_in_cell(body, source)]
                for text, line in zip(source, lines, strict=True):
                    running.source[line - 1] = text
                cells.write(running.file, running.source)
                return Block(running.file, lines)
        for number, text in enumerate(running.raw, 1):
            found = _TIME.fullmatch(text)
            if found and wanted == {ast.dump(p) for p in _statements(_parsed(found["rest"]))}:
                indent = len(found["indent"])
                running.source[number - 1] = " " * indent + found["rest"]
                cells.write(running.file, running.source)
                return Block(running.file, [number], indent)
        return None


def is_attached(shell: Any) -> bool:
    """Return whether what a shell compiles is watched by one that was not detached."""
    return getattr(shell.compile, "is_watched", False)


def _parsed(source: str) -> ast.AST:
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.Module([], [])


def _statements(tree: ast.AST) -> list[ast.AST]:
    """Return the statements of a tree, or the expression that it is."""
    if isinstance(tree, ast.Expression):
        return [tree.body]
    body: Sequence[ast.AST] = getattr(tree, "body", ())
    return [node.value if isinstance(node, ast.Expr) else node for node in body]


def lines_in_cell(raw: Sequence[str], source: Sequence[str]) -> list[int]:
    r"""Return for each line of the Python that IPython made of a cell its line in the cell.

    >>> lines_in_cell(["", "%ls \\", "  -l", "x = 1"], ["get_ipython()...", "x = 1"])
    [2, 4]
    """
    if len(raw) == len(source):
        return list(range(1, len(raw) + 1))
    before, after = ([line.strip() for line in lines] for lines in (raw, source))
    found: list[int] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind != "delete":
            written = [n for n in range(first, last) if before[n]] if kind != "equal" else []
            rows = written or list(range(first, max(last, first + 1)))
            found += [rows[min(n, len(rows) - 1)] + 1 for n in range(end - start)]
    return found


def _moved(places: Table, block: Block) -> Table:
    """Return the places of some code as places in the cell that it stands in."""
    moved = Table(block.file)
    for place in places:
        spans = tuple(span and block.span(span) for span in place.spans)
        moved.add(
            Location(place.file, block.span(place.span), place.form, place.name, spans, *place[5:])
        )
    return moved
