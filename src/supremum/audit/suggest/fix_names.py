"""What names mean where a cause is written: modules, functions and dtypes, and how to spell one."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType, dtype
from ...core.errors import SupremumError
from ...core.functions import function
from ...core.libraries import libraries, library_of_module
from ..checks.calls import parameters_of
from .fix_edits import SourceTree

_NUMBERS = ("float", "int", "complex", "bool")

_POSITIONS: Final = {
    "array": 1, "asarray": 1, "asanyarray": 1, "ascontiguousarray": 1, "asfortranarray": 1,
    "zeros": 1, "empty": 1, "arange": 3, "fromiter": 1, "frombuffer": 1, "fromfile": 1,
    "fromstring": 1, "astype": 0, "view": 0,
}  # fmt: skip
"""Which argument is the dtype, for functions of NumPy that have no signature in some release."""

CASTS: Final = ("astype", "to", "type", "view", "cast")
"""Methods whose argument is a dtype in one library or another."""

_OF_ML_DTYPES = re.compile(r"bfloat|bcomplex|float[468]_|u?int[124]$|complex32$")


class Spelling(NamedTuple):
    """How a dtype is written.

    Attributes:
        text: the expression.
        needs: the import that the file lacks for it, or ``""``.
        is_text: whether it is a string, which cannot be called.
    """

    text: str
    needs: str = ""
    is_text: bool = False


class Names:
    """The names that are visible at a node.

    Args:
        source: the file.
        node: the node.
    """

    def __init__(self, source: SourceTree, node: ast.AST) -> None:
        self._source = source
        self._node = node
        self.imported, top = _of_module(source)
        self.bound: set[str] = set()
        for scope in reversed(source.functions(node)):
            body = getattr(scope, "body", [])
            body = body if isinstance(body, list) else []
            own = _imports(body)
            self.bound -= set(own)
            hidden = _bindings(scope, body) - set(own)
            self.imported = {k: v for k, v in self.imported.items() if k not in hidden} | own
            self.bound |= hidden
        self._builtins = {n for n in _NUMBERS if n not in self.bound | top | set(self.imported)}

    def resolve(self, node: ast.expr) -> Any:
        """Return the module, class or function that an expression names, or None.

        Nothing of the program's runs for it.
        """
        if isinstance(node, ast.Name):
            if node.id in self._builtins:
                return getattr(builtins, node.id)
            return _loaded(self.imported.get(node.id, ""))
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value)
            if isinstance(owner, ModuleType):
                found = vars(owner).get(node.attr)
                return sys.modules.get(f"{owner.__name__}.{node.attr}") if found is None else found
            return vars(owner).get(node.attr) if isinstance(owner, type) else None
        return None

    def dtype_named(self, node: ast.expr) -> DType | None:
        """Return the dtype that an expression spells out, or None if it is computed."""
        value: Any = None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            value = node.value
        elif isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            made = self.resolve(node.func)
            is_dtype = getattr(made, "__name__", "") == "dtype"
            return self.dtype_named(node.args[0]) if is_dtype else None
        else:
            value = self.resolve(node)
        return _dtype_of(value)

    def spell(self, d: DType, library: str) -> Spelling:
        """Return how a dtype of some library is written here."""
        if library == "pandas":
            return Spelling(f'"{d}"', is_text=True)
        module, alias = imported_as(library)
        if module == "numpy" and _OF_ML_DTYPES.match(d.name):
            module = alias = "ml_dtypes"
        known = next((name for name, of in self.imported.items() if of == module), None)
        if known is not None:
            return Spelling(f"{known}.{d}")
        by_itself = next((n for n, of in self.imported.items() if of == f"{module}.{d}"), None)
        if by_itself is not None:
            return Spelling(by_itself)
        if imported_as(library)[0] in ("numpy", "jax.numpy", "cupy"):
            return Spelling(f'"{d}"', is_text=True)  # which needs no import
        needs = f"import {module}" + (f" as {alias}" if alias != module else "")
        return Spelling(f"{alias}.{d}", needs)

    def is_plain(self, node: ast.expr) -> bool:
        """Tell whether an expression is a Python number, as far as the source says so."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (int, float, complex))
        if isinstance(node, ast.UnaryOp):
            return self.is_plain(node.operand)
        if isinstance(node, ast.BinOp):
            return self.is_plain(node.left) and self.is_plain(node.right)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in ("len", "int", "float")
        return isinstance(node, ast.Name) and self._is_number(node.id)

    def _is_number(self, name: str) -> bool:
        functions = self._source.functions(self._node)
        for scope in functions:
            for parameter in ast.walk(getattr(scope, "args", ast.Module([], []))):
                if isinstance(parameter, ast.arg) and parameter.arg == name:
                    kind = parameter.annotation
                    return isinstance(kind, ast.Name) and kind.id in _NUMBERS
        body = ast.walk(functions[0] if functions else self._source.tree)
        places = [n for n in body if isinstance(n, ast.Name) and n.id == name]
        stored = [self._source.parents[n] for n in places if not isinstance(n.ctx, ast.Load)]
        return bool(stored) and all(
            isinstance(n, ast.Assign)
            and isinstance(n.value, ast.Constant)
            and self.is_plain(n.value)
            for n in stored
        )  # fmt: skip


def imported_as(library: str) -> tuple[str, str]:
    """Return the module with a library's dtypes, and its alias; NumPy's if it has no rules."""
    known = {facts.title: facts.import_as for facts in libraries().values()}
    return known.get(library, ("numpy", "np"))


def name_of(call: ast.Call) -> str:
    """Return the name of the function that is called, or ``""``."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def dtype_argument(
    call: ast.Call, called: Any, names: Names, was: DType | None = None
) -> ast.expr | None:
    """Return the argument of a call that is its dtype, or None if it has none.

    Args:
        call: the call.
        called: the function, or None if it is not known.
        names: the names that are visible there.
        was: the dtype that it gives.
    """
    for keyword in call.keywords:
        if keyword.arg == "dtype":
            return keyword.value
    position = _position(called, name_of(call), call, names)
    if position is not None and position < len(call.args):
        before = call.args[: position + 1]
        return None if any(isinstance(a, ast.Starred) for a in before) else before[-1]
    if name_of(call) in CASTS:
        return next((a for a in call.args if names.dtype_named(a) is was is not None), None)
    return None


def takes_dtype(called: Any, name: str) -> bool:
    """Tell whether a function of an array library takes a dtype as a keyword."""
    known = function(name)
    if called is None or known is None or not known.takes_dtype:
        return False
    parameters = parameters_of(called)
    if parameters is None:  # it is written in C, and the catalogue knows it
        return True
    if "dtype" in parameters:
        return True
    root = str(getattr(called, "__module__", "")).partition(".")[0]
    others = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    return others and library_of_module(root) is not None


def is_given(node: ast.expr, source: SourceTree) -> bool:
    """Tell whether an expression is a parameter of its function, or of one: a caller decides."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    around: ast.AST | None = node
    while around is not None and isinstance(root, ast.Name):
        around = source.parents.get(around)
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            named = around.args
            parameters = (*named.posonlyargs, *named.args, *named.kwonlyargs)
            if any(parameter.arg == root.id for parameter in parameters):
                return True
    return False


def _position(called: Any, name: str, call: ast.Call, names: Names) -> int | None:
    """Return the position of a call's dtype, or None if it has no such parameter."""
    owner = names.resolve(call.func.value) if isinstance(call.func, ast.Attribute) else None
    if getattr(owner, "__name__", "") == "torch":
        return None  # its functions take sizes by position, and a dtype by keyword alone
    parameters = parameters_of(called)
    if parameters is None or "dtype" not in parameters:
        return _POSITIONS.get(name) if parameters is None or name in CASTS else None
    if parameters["dtype"].kind is inspect.Parameter.KEYWORD_ONLY:
        return _POSITIONS.get(name)  # NumPy takes it by position all the same
    found = list(parameters)
    of_object = isinstance(call.func, ast.Attribute) and owner is None
    method = of_object and found[0] == "self"
    return found.index("dtype") - method


@lru_cache(maxsize=16)
def _of_module(source: SourceTree) -> tuple[dict[str, str], set[str]]:
    """Return what a module imports, and the other names that it binds."""
    return _imports(source.tree.body), _bindings(None, source.tree.body)


def _imports(body: Iterable[ast.stmt]) -> dict[str, str]:
    """Return what the import statements of a scope bind: each name, with what it stands for."""
    found: dict[str, str] = {}
    for node in _statements(body):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name] = alias.name
                if alias.asname is None and "." in alias.name:
                    found.setdefault(root := alias.name.partition(".")[0], root)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def _bindings(scope: ast.AST | None, body: Iterable[ast.stmt]) -> set[str]:
    """Return the names that a scope binds, other than by an import."""
    found: set[str] = set()
    for node in _statements(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                found.add(part.id)
    arguments = getattr(scope, "args", None)
    if arguments is not None:
        found |= {a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)}
    return found


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a scope, those in blocks too, but for what is for type checkers."""
    for node in body:
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            yield from _statements(node.orelse)
            continue
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            for inner in getattr(node, name, []):
                yield from _statements([inner] if isinstance(inner, ast.stmt) else inner.body)


def _loaded(dotted: str) -> Any:
    """Return a module that is loaded, or what one has, by its full name."""
    if not dotted:
        return None
    if dotted in sys.modules:
        return sys.modules[dotted]
    module, _, name = dotted.rpartition(".")
    return vars(sys.modules[module]).get(name) if module in sys.modules else None


def _dtype_of(value: Any) -> DType | None:
    """Return the dtype that a value stands for, as the libraries read it."""
    numpy = sys.modules.get("numpy")
    try:
        of_python = any(value is t for t in (float, int, complex, bool))
        if numpy is not None and (of_python or isinstance(value, str)):
            value = numpy.dtype(value)
            return dtype(value) if value.isnative else None
        return None if value is None or isinstance(value, ModuleType) else dtype(value)
    except (SupremumError, TypeError, ValueError):
        return None
