"""The plain code of functions that have probes, for those who read bytecode.

Compilers and serialisers know the bytecode that Python makes, whose constants are literals. The
source is compiled once more for them, when they ask.
"""

from __future__ import annotations

import linecache
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any, Final

from ..log import hooks
from ..model.silence import silence

_sources: dict[str, bytes | str] = {}
_MOST_FILES: Final = 16  # whose plain code is kept


def remember(file: str, source: bytes | str) -> None:
    """Keep the source of a file that is instrumented: it may change while the program runs."""
    _sources[file] = source


def has_probes(code: CodeType) -> bool:
    """Return whether some code, or any code inside, refers to a probe."""
    return any(
        has_probes(value)
        if isinstance(value, CodeType)
        else isinstance(value, FunctionType) and value.__module__ == hooks.__name__
        for value in code.co_consts
    )


def plain(code: CodeType) -> CodeType:
    """Return what Python's compiler makes of the source of some code.

    Args:
        code: with probes in it or not. It is returned itself if it has none, or if no code of the
            same closure is found in its file.
    """
    if not has_probes(code):
        return code
    file = code.co_filename
    source = _sources.get(file) or "".join(linecache.getlines(file))
    try:
        return counterpart(code, _codes(source, file)) or code
    except (SyntaxError, ValueError):  # it is another file by now
        return code


def counterpart(code: CodeType, codes: Mapping[Any, Sequence[CodeType]]) -> CodeType | None:
    """Return what stands in the place of some code among others, or None.

    Args:
        code: with probes in it or not.
        codes: those of another compilation of its file, from `codes_by_key`.
    """
    same = [one for one in codes.get(_key(code), ()) if one.co_freevars == code.co_freevars]
    span = _span(code)
    return next((one for one in same if _span(one) == span), same[0] if same else None)


@lru_cache(maxsize=_MOST_FILES)
def _codes(source: bytes | str, file: str) -> Mapping[Any, Sequence[CodeType]]:
    with silence():
        return codes_by_key(compile(source, file, "exec", dont_inherit=True))


def codes_by_key(module: CodeType) -> Mapping[Any, Sequence[CodeType]]:
    """Return the code in that of a module, by what tells most of it apart."""
    codes = defaultdict(list)
    for code in inside(module):
        codes[_key(code)].append(code)
    return dict(codes)


def inside(code: CodeType) -> Iterator[CodeType]:
    """Yield some code, and all code in it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from inside(value)


def _key(code: CodeType) -> tuple[Any, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    return code.co_qualname, code.co_firstlineno, code.co_varnames[:count]


def _span(code: CodeType) -> tuple[Any, ...]:
    """Return where the first and the last expression is: functions of one line differ in it."""
    positions = [p for p in code.co_positions() if None not in p and p[2] != p[3]]
    starts = [(line, column) for line, _, column, _ in positions]
    ends = [(line, column) for _, line, _, column in positions]
    return min(starts, default=None), max(ends, default=None)
