"""What names mean somewhere in a file: modules, classes and functions, and what is a number."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Any, Final

from .source_file import SourceFile, assigned, parameters

NUMBERS: Final = ("float", "int", "complex", "bool")
"""Python's types of numbers."""


class Names:
    """The names that are visible at a node.

    Args:
        source: the file.
        node: the node.

    Attributes:
        imported: each name that is imported there, with the full name that it stands for.
    """

    def __init__(self, source: SourceFile, node: ast.AST) -> None:
        self._source = source
        self._node = node
        self.imported, top = _of_module(source)
        bound: set[str] = set()
        for scope in reversed(source.functions(node)):
            body = scope.body if isinstance(scope.body, list) else []
            own = _imports(body)
            hidden = (_bindings(body) | set(parameters(scope))) - set(own)
            self.imported = {k: v for k, v in self.imported.items() if k not in hidden} | own
            bound = (bound - set(own)) | hidden
        self._builtins = {n for n in NUMBERS if n not in bound | top | set(self.imported)}

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

    def name_for(self, full: str) -> str:
        """Return the name by which a module, or what is in one, is imported, or ``""``."""
        return next((name for name, of in self.imported.items() if of == full), "")

    def is_plain(self, node: ast.expr) -> bool:
        """Return whether an expression is a Python number, as far as the source says so."""
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
            for parameter in ast.walk(scope.args):
                if isinstance(parameter, ast.arg) and parameter.arg == name:
                    kind = parameter.annotation
                    return isinstance(kind, ast.Name) and kind.id in NUMBERS
        value = assigned(self._source, functions[0] if functions else None, name)
        return isinstance(value, ast.Constant) and self.is_plain(value)


@lru_cache(maxsize=16)
def _of_module(source: SourceFile) -> tuple[dict[str, str], set[str]]:
    """Return what a module imports, and the other names that it binds: a cell, those before it."""
    body = [*source.before, *source.tree.body]
    return _imports(body), _bindings(body)


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


def _bindings(body: Iterable[ast.stmt]) -> set[str]:
    """Return the names that the statements of a scope bind, other than by an import."""
    found: set[str] = set()
    for node in _statements(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                found.add(part.id)
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
