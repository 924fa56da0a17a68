"""Code that was loaded before the audit began, given probes where it stands.

Functions are given the code that they would have if their file had been watched when it was loaded.
The body of a ``with`` statement, whose frame runs already, is compiled once more, on its own.
"""

from __future__ import annotations
import __future__

import ast
import ctypes
import gc
import inspect
import linecache
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from types import CellType, CodeType, FrameType, FunctionType
from typing import Any, Final, NamedTuple

from ...core.errors import RulesError
from ..model.locations import Table
from . import import_hook
from .module_variables import in_frame
from .plain_code import codes_by_key, counterpart, has_probes, inside, remember
from .rewriter import Rewriter, rewrite
from .scopes import Known

_NAME: Final = "__supremum_body__"
_LEAVING: Final = {
    ast.Return: "return", ast.Yield: "yield", ast.YieldFrom: "yield from", ast.Await: "await",
    ast.AsyncFor: "async for", ast.AsyncWith: "async with", ast.Break: "break",
    ast.Continue: "continue",
}  # fmt: skip
"""What leaves the body of a ``with`` statement other than by its end, or waits in it."""

_FUTURE: Final = __future__.annotations.compiler_flag
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)

OTHERWISE: Final = "; type supremum audit SCRIPT, or %%audit in a notebook"
"""What to type where the body of a ``with`` statement cannot be watched."""

Codes = Mapping[Any, Sequence[CodeType]]
"""The code of functions, as `codes_by_key` has it."""

_kept: Final[dict[str, tuple[str, str, Codes]]] = {}
"""The last code with probes of each file, with its source and what it is called: a statement in a
loop, or a cell that is run again, finds the same files."""

Called = Callable[[str], str]
"""Returns what a file is called in places: cells of notebooks have names of their own."""


class Body(NamedTuple):
    """The body of a ``with`` statement that a frame is about to run.

    Attributes:
        lines: its first and its last line; none if there is nothing to skip, as of ``pass``.
        is_bound: whether the statement binds the audit, with ``as``.
        run: runs it with probes, and leaves the frame the variables that it bound; takes the audit.
    """

    lines: tuple[int, int]
    is_bound: bool
    run: Callable[[Any], None]


@contextmanager
def watched_functions(is_own: Callable[[str, str], bool], called: Called) -> Iterator[set[str]]:
    """Give the functions of some files probes, as long as this lasts; gives these files.

    Args:
        is_own: tells whether a file is to be watched, by the name of its module and its path.
        called: what files are called.
    """
    files: dict[str, list[FunctionType]] = defaultdict(list)
    for x in gc.get_objects():
        if type(x) is FunctionType:
            files[x.__code__.co_filename].append(x)
    before: list[tuple[FunctionType, CodeType]] = []
    watched = set()
    for file, functions in files.items():
        if is_own(functions[0].__module__ or "", file) and (source := source_of(file)):
            changed = list(_changed(functions, source, file, called(file)))
            before += changed
            watched |= {called(file)} if changed else set()
    try:
        yield watched
    finally:
        for function, code in before:
            function.__code__ = code


def _changed(
    functions: Sequence[FunctionType], source: str, file: str, name: str
) -> Iterator[tuple[FunctionType, CodeType]]:
    """Give functions of a file probes; yields each with the code that it had."""
    plain = [function for function in functions if not has_probes(function.__code__)]
    codes = _codes(file, source, name) if plain else {}
    if not codes:
        return
    remember(file, source)
    for function in plain:
        before = function.__code__
        new = counterpart(before, codes)
        if new is not None and new is not before:
            function.__code__ = new
            yield function, before


def _codes(file: str, source: str, name: str) -> Codes:
    """Return the code with probes of all functions of a file; none if it cannot be rewritten."""
    known = _kept.get(file)
    if known is None or known[:2] != (source, name):
        code = import_hook.made(partial(_rewritten, source, file, name), name)
        if code is None:
            return {}
        known = _kept[file] = source, name, codes_by_key(code)
    return known[2]


def _rewritten(source: str, file: str, name: str) -> tuple[CodeType, Table]:
    tree, places = rewrite(ast.parse(source, file), name)
    return in_frame(compile(tree, file, "exec", dont_inherit=True)), places


def source_of(file: str) -> str:
    """Return the source of a file, a cell or a typed line, or ``""`` if it is not known."""
    return "".join(linecache.getlines(file))


def body_of(frame: FrameType, called: Called) -> Body:
    """Return the body of the ``with`` statement that a frame has just entered.

    Args:
        frame: the frame, which calls ``__enter__``.
        called: what files are called.

    Raises:
        RulesError: where the statement is not found, or its body cannot run on its own.
    """
    file, flags = frame.f_code.co_filename, frame.f_code.co_flags
    tree = _parsed(file)
    statement = _statement(tree, frame)
    lines = _checked(statement)
    target = statement.items[-1].optional_vars
    if not (target is None or isinstance(target, ast.Name)):
        raise RulesError(f"`as {ast.unparse(target)}` is no name; bind the audit to one", None)
    if flags & inspect.CO_OPTIMIZED:
        run = _in_function(frame, tree, statement, called(file))
    elif frame.f_locals is frame.f_globals:
        run = _in_module(frame, tree, statement, called(file))
    else:
        raise RulesError(f"the body of a class is not watched by itself{OTHERWISE}", None)
    is_empty = all(_does_nothing(node) for node in statement.body)
    return Body((1, 0) if is_empty else lines, target is not None, run)


def _does_nothing(node: ast.stmt) -> bool:
    """Return whether Python leaves a statement out, so that no exception gets out of it."""
    is_constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Pass) or is_constant


def _parsed(file: str) -> ast.Module:
    source = source_of(file)
    if not source:
        raise RulesError(f"there is no source of {file} to watch{OTHERWISE}", file)
    try:
        return ast.parse(source, file)
    except SyntaxError:
        raise RulesError(f"{file} has changed since it was loaded{OTHERWISE}", file) from None


def _statement(tree: ast.Module, frame: FrameType) -> ast.With:
    """Return the statement whose last manager a frame enters."""
    made = frame.f_lasti // 2 - 1  # the instruction that made the manager
    line, _, column, _ = next(islice(frame.f_code.co_positions(), made, None))
    at = line or frame.f_lineno, column
    items = [(n, item) for n in ast.walk(tree) if isinstance(n, ast.With) for item in n.items]
    found = [pair for pair in items if _is_at(pair[1].context_expr, *at)]
    # what was indented in its file, as marimo's cells are, has its lines alone
    found = found or [pair for pair in items if _is_at(pair[1].context_expr, at[0], None)]
    statement, item = found[0] if found else (None, None)
    if statement is None:
        msg = "write `with supremum.audit():` around the code that is to be watched"
        raise RulesError(msg, None)
    if item is not statement.items[-1]:
        msg = "the audit comes last in a with-statement; move it behind the others"
        raise RulesError(msg, None)
    return statement


def _is_at(node: ast.expr, line: int, column: int | None) -> bool:
    """Return whether an expression is where a line and a column, if it is known, point to."""
    last = node.end_lineno or node.lineno
    start, end = (node.lineno, node.col_offset), (last, node.end_col_offset or 0)
    return node.lineno <= line <= last and (column is None or start <= (line, column) < end)


def _checked(statement: ast.With) -> tuple[int, int]:
    """Return the first and the last line of a body that can run on its own."""
    leaving = next(_leaving(statement.body), "")
    if leaving:
        raise RulesError(f"the body of the with-statement has {leaving}{OTHERWISE}", None)
    first = min(node.lineno for node in ast.walk(statement.body[0]) if hasattr(node, "lineno"))
    if first <= (statement.items[-1].context_expr.end_lineno or 0):
        raise RulesError("write the body of the with-statement on lines of its own", None)
    return first, statement.body[-1].end_lineno or first


def _leaving(nodes: Sequence[ast.AST], *, in_loop: bool = False) -> Iterator[str]:
    """Yield the words that leave some statements other than by their end, or that wait."""
    for node in nodes:
        is_of_loop = isinstance(node, ast.Break | ast.Continue) and in_loop
        if type(node) in _LEAVING and not is_of_loop:
            yield _LEAVING[type(node)]
        if not isinstance(node, _SCOPES):
            loops = in_loop or isinstance(node, ast.For | ast.While)
            yield from _leaving(list(ast.iter_child_nodes(node)), in_loop=loops)


def _in_module(
    frame: FrameType, tree: ast.Module, statement: ast.With, name: str
) -> Callable[[Any], None]:
    """Return what runs the body in the frame of a module."""
    file = frame.f_code.co_filename
    known, whole = Known(), Rewriter(tree, name)
    known.meet(whole.rebound, whole.compilers)

    def make() -> tuple[CodeType, Table]:
        body, places = rewrite(ast.Module(statement.body, []), name, known)
        return in_frame(compile(body, file, "exec", frame.f_code.co_flags & _FUTURE, True)), places

    code = _made(make, name)

    def run(bound: Any) -> None:
        target = statement.items[-1].optional_vars
        if isinstance(target, ast.Name):
            frame.f_globals[target.id] = bound
        import_hook.run(code, frame.f_globals)

    return run


def _in_function(
    frame: FrameType, tree: ast.Module, statement: ast.With, name: str
) -> Callable[[Any], None]:
    """Return what runs the body in the frame of a function.

    It becomes a function in that function, whose variables are `nonlocal`, and whose code is taken.
    """
    code = frame.f_code
    own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    bound = _bound(statement.body)
    if any(
        isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del) for node in ast.walk(statement)
    ):
        raise RulesError(f"the body of the with-statement deletes a variable{OTHERWISE}", None)
    made = ast.parse(f"def {_NAME}(): pass").body[0]
    assert isinstance(made, ast.FunctionDef)  # noqa: S101  # for the type checker
    declared: list[ast.stmt] = []
    if inner := sorted(bound & own):
        declared.append(ast.Nonlocal(inner))
    if outer := sorted(bound - own):
        declared.append(ast.Global(outer))
    made.body = [*(ast.copy_location(one, statement) for one in declared), *statement.body]
    ast.fix_missing_locations(ast.copy_location(made, statement))
    _Inserted(statement, made).visit(tree)

    def make() -> tuple[CodeType, Table]:
        whole, places = rewrite(tree, name)
        return compile(whole, code.co_filename, "exec", dont_inherit=True), places

    whole = _made(make, name)
    body = next(one for one in inside(whole) if one.co_name == _NAME)
    body = body.replace(co_name=code.co_name, co_qualname=code.co_qualname)

    def run(found: Any) -> None:
        values = dict(frame.f_locals)
        names = [*body.co_freevars]
        target = statement.items[-1].optional_vars
        if isinstance(target, ast.Name):
            values[target.id] = found
            names.append(target.id)
        cells = {n: CellType(*([values[n]] if n in values else [])) for n in names}
        closure = tuple(cells[name] for name in body.co_freevars)
        try:
            FunctionType(body, frame.f_globals, code.co_name, None, closure)()
        finally:
            _put_back(frame, cells)

    return run


class _Inserted(ast.NodeTransformer):
    """Puts a function behind a statement, where its names are those of the statement."""

    def __init__(self, statement: ast.With, made: ast.FunctionDef) -> None:
        self.statement, self.made = statement, made

    def visit_With(self, node: ast.With) -> Any:
        """Return the statement, whose body is taken, and the function."""
        if node is not self.statement:
            return self.generic_visit(node)
        names = [ast.Name(name, ast.Store()) for name in sorted(_bound(node.body))]
        kept = [ast.For(name, ast.Tuple([], ast.Load()), [ast.Pass()], []) for name in names]
        node.body = [ast.fix_missing_locations(ast.copy_location(one, node)) for one in kept]
        node.body = node.body or [ast.copy_location(ast.Pass(), node)]
        return [node, self.made]


def _bound(body: Sequence[ast.stmt]) -> set[str]:
    """Return the names that some statements bind."""
    made = ast.parse(f"def {_NAME}(): pass").body[0]
    assert isinstance(made, ast.FunctionDef)  # noqa: S101  # for the type checker
    made.body = list(body)
    whole = compile(ast.Module([made], []), "<body>", "exec", dont_inherit=True)
    code = next(one for one in inside(whole) if one.co_name == _NAME)
    return {*code.co_varnames, *code.co_cellvars}


def _made(make: Callable[[], tuple[CodeType, Table]], name: str) -> CodeType:
    code = import_hook.made(make, name)
    if code is None:
        why = import_hook.UNWATCHED.pop(name, "")
        raise RulesError(f"the body of the with-statement cannot be watched: {why}{OTHERWISE}", why)
    return code


def _put_back(frame: FrameType, cells: dict[str, CellType]) -> None:
    """Leave a frame what the variables of its function are now."""
    values = {}
    for name, cell in cells.items():
        try:
            values[name] = cell.cell_contents
        except ValueError:  # it has no value
            continue
    shown = frame.f_locals
    shown.update(values)
    if sys.version_info < (3, 13):  # where that is a copy
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(1))
