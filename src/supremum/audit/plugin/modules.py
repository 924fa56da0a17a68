"""Modules of a test suite, watched: pytest rewrites their asserts first, then come the probes.

So an assert that fails tells what it tells without the audit.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook, rewrite_asserts

from ..model.locations import Table
from ..probes import import_hook
from ..probes.ast_builders import copy_of
from ..probes.code_cache import CachedCode, cached
from ..probes.module_variables import in_frame
from ..probes.rewriter import rewrite
from ..runner.user_code import UserFinder

_MADE_BY: Final = pytest.__version__, Path(__file__).stat().st_mtime_ns


def compiled(
    source: bytes, file: str, config: pytest.Config, kept: CachedCode | None = None
) -> CodeType:
    """Return the code of a file of tests, with its asserts rewritten, and watched.

    Args:
        source: what is in the file.
        file: its path.
        config: pytest's.
        kept: where the code is to be kept.
    """
    tree = ast.parse(source, filename=file)
    rewrite_asserts(tree, source, file, config)
    plain = compile(tree, file, "exec", dont_inherit=True)
    for node in ast.walk(tree):
        place = vars(node)  # of some of its nodes pytest says where they begin alone
        if "lineno" in place and place.get("end_lineno") is None:
            place.update(end_lineno=place["lineno"], end_col_offset=place["col_offset"])

    def rewritten() -> tuple[CodeType, Table]:
        watched, places = rewrite(copy_of(tree), file)  # pytest has some nodes twice in a tree
        return in_frame(compile(watched, file, "exec", dont_inherit=True)), places

    return import_hook.made(rewritten, file, kept) or plain


class Loader(import_hook.Loader):
    """Loads a module that pytest would load, past the cache of compiled files.

    Args:
        fullname: the module.
        path: its file.
        hook: what rewrites asserts otherwise; it is told which modules are rewritten.
    """

    def __init__(self, fullname: str, path: str, hook: AssertionRewritingHook) -> None:
        super().__init__(fullname, path)
        self.hook = hook

    def get_code(self, fullname: str) -> CodeType:
        """Compile the module's source, with its asserts rewritten, and watched."""
        path = self.get_filename(fullname)
        self.hook._rewritten_names[fullname] = Path(path)  # noqa: SLF001  # as it does itself
        config = self.hook.config
        kept = cached(path, *_MADE_BY, config.getini("enable_assertion_pass_hook"))
        found = kept.read() if kept is not None else None
        if found is None:
            return compiled(self.get_data(path), path, config, kept)
        import_hook.UNWATCHED.pop(path, None)
        return import_hook.with_probes(*found)


class Finder(import_hook.Finder):
    """Finds the user's own modules, and those of the tests.

    Args:
        roots: the folders whose modules are the user's own.
        include: the packages that are watched wherever they are.
    """

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the module's specification where it is to be watched, else None."""
        spec = super().find_spec(fullname, path, target)
        if spec is not None or import_hook.is_ours(fullname):
            return spec
        for hook in sys.meta_path:
            if isinstance(hook, AssertionRewritingHook):
                spec = hook.find_spec(fullname, path, target)
                if spec is None or not spec.origin or not self.watches(fullname, spec.origin):
                    return None
                # what is not Python is for pytest to report, in its own words
                if _parses(spec.origin):
                    spec.loader = Loader(fullname, spec.origin, hook)
                    self.watched[spec.origin] = fullname
                    return spec
        return None


class Beside(Finder):
    """Watches the modules of tests, too, where ``supremum audit -m pytest`` watches the others.

    Args:
        finder: what finds the others.
    """

    def __init__(self, finder: UserFinder) -> None:
        super().__init__(finder.roots, finder.include)
        self.finder = finder
        self.watched = finder.watched

    def watches(self, module: str, file: str) -> bool:
        """Return whether a module is the user's own, or one that was asked for."""
        return self.finder.watches(module, file)


def join_audit() -> None:
    """Watch the modules of tests if the process that runs them is audited."""
    for finder in sys.meta_path:
        if isinstance(finder, UserFinder):
            import_hook.watch_imports(Beside(finder))
            return


def _parses(file: str) -> bool:
    try:
        with warnings.catch_warnings(record=True):  # they are given when it is compiled
            ast.parse(Path(file).read_bytes(), filename=file)
    except (OSError, SyntaxError, ValueError):
        return False
    return True
