"""Calls to repeat: seen in docstrings, in tests and in a file of the user's, or of signatures."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import runpy
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np

from ...core.dtypes import names
from .conversions import container_of_class, dtypes_in, kind_of_data, maker
from .subjects import Subject

MOST_CALLS: Final = 3
"""How many calls of one function are measured at most, of those that one source has."""

_MOST_KEPT: Final = 12
_LONGEST: Final = 10_000
_ALIASES: Final = {
    "np": "numpy", "pd": "pandas", "xr": "xarray", "jnp": "jax.numpy", "torch": "torch",
    "nn": "torch.nn", "F": "torch.nn.functional",
}  # fmt: skip


class Call(NamedTuple):
    """A call of a subject.

    Attributes:
        source: where it was seen, in words.
        arguments: those by position.
        keywords: those by name.
    """

    source: str
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]

    @property
    def rank(self) -> int:
        """What comes first: calls with floats, then with integers, then without arrays."""
        kinds = {name.strip("0123456789_") for name in self.dtypes}
        lists = [x for x in self.values if type(x) in (list, tuple)]
        is_integer = kinds & {"int", "uint"} or any(map(kind_of_data, lists))
        return 0 if kinds & {"float", "complex", "bfloat"} else 1 if is_integer else 2

    @property
    def dtypes(self) -> list[str]:
        """The dtypes of the arrays that it hands over."""
        return list(dtypes_in(self.values))

    @property
    def names_dtype(self) -> bool:
        """Whether it asks for a dtype, which the function then gives."""
        return any(map(_is_dtype, self.values))

    @property
    def values(self) -> list[Any]:
        """All arguments."""
        return [*self.arguments, *self.keywords.values()]


def _is_dtype(x: Any) -> bool:
    if isinstance(x, str):
        return x in names()
    return (
        isinstance(x, np.dtype) or x is float or type(x).__name__ == "dtype" or _is_scalar_type(x)
    )


def _is_scalar_type(x: Any) -> bool:
    return isinstance(x, type) and issubclass(x, np.generic)


class _Recorded:
    """A function that notes its calls; in all else it is the function."""

    def __init__(self, function: Callable[..., Any], note: Callable[..., None]) -> None:
        self.__wrapped__ = function
        self._note = note

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        self._note(arguments, keywords)
        return self.__wrapped__(*arguments, **keywords)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__wrapped__, name)


class Recorder:
    """Notes the calls of some subjects, in this process, for good.

    Args:
        subjects: the subjects.
        source: where the calls are seen, in words; it may be changed.
        keep: is called with the name of a subject and a call of it.

    Attributes:
        stopped: whether nothing is noted now.
    """

    def __init__(
        self, subjects: Sequence[Subject], source: str, keep: Callable[[str, Call], None]
    ) -> None:
        self.source = source
        self._keep = keep
        self._counts: dict[tuple[str, bool], int] = {}
        self.stopped = False
        parts: dict[tuple[int, str], list[Subject]] = {}
        for subject in subjects:
            parts.setdefault((id(subject.owner), subject.attribute), []).append(subject)
        for same in parts.values():
            self._replace(same)

    def _replace(self, same: list[Subject]) -> None:
        """Have the calls noted of what several subjects share, such as the method ``fit``."""
        owner, attribute = same[0].owner, same[0].attribute

        def note(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
            for subject in same:
                self._noted(subject.full_name, arguments, keywords)

        if not attribute:
            for place, name in _places(same[0]):
                setattr(place, name, _Recorded(owner, note))
            return
        function = getattr(owner, attribute)

        def recorded(*arguments: Any, **keywords: Any) -> Any:
            note(arguments, keywords)
            return function(*arguments, **keywords)

        recorded.__doc__ = function.__doc__
        recorded.__wrapped__ = function  # type: ignore[attr-defined]  # what `inspect` follows
        with suppress(TypeError):  # a class of a compiled module
            setattr(owner, attribute, recorded)

    def _noted(self, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        if self.stopped or _is_long([*arguments, *keywords.values()]):
            return
        self.stopped = True  # copying may call what is recorded
        try:
            call = Call(self.source, *copy.deepcopy((arguments, keywords)))
            key = name, call.rank == 0
            if self._counts.setdefault(key, 0) < _MOST_KEPT:
                self._counts[key] += 1
                self._keep(name, call)
        except Exception:  # noqa: BLE001, S110  # what cannot be copied cannot be repeated
            pass
        finally:
            self.stopped = False


def _is_long(x: Any) -> bool:
    """Return whether a value has a list of so many items that it takes long to go through."""
    return type(x) in (list, tuple) and (len(x) > _LONGEST or any(map(_is_long, x)))


def _places(subject: Subject) -> Iterator[tuple[Any, str]]:
    """Yield the modules of a package that have a function under its own name."""
    for name, module in list(sys.modules.items()):
        is_public = name.partition(".")[0] == subject.root and "._" not in name
        if is_public and vars(module).get(subject.name) is subject.owner:
            yield module, subject.name
    yield import_module(subject.module), subject.name


def of_docstring(subject: Subject, limit: float) -> list[Call]:
    """Return the calls of a subject in the examples of its docstring, which run as they are.

    Args:
        subject: the subject.
        limit: how many seconds they may take; what they called until then is returned.
    """
    found: list[Call] = []
    recorder = Recorder([subject], "its docstring", lambda _, call: found.append(call))
    first = subject.name.partition(".")[0]
    given = {a: sys.modules[name] for a, name in _ALIASES.items() if name in sys.modules}
    home = sys.modules[subject.module]
    given |= {first: getattr(home, first), subject.module.rpartition(".")[2]: home}
    for text in subject.texts:
        with suppress(TimeoutError), _within(limit):
            _run_examples(text, dict(given), lambda: len(found) >= _MOST_KEPT)
        if found:
            break
    recorder.stopped = True
    return found


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Have `TimeoutError` raised in a ``with`` block after some seconds, where that can be."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _run_examples(text: str, variables: dict[str, Any], is_enough: Callable[[], bool]) -> None:
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:  # they are not written as examples are
        return
    for example in examples:
        if not example.options.get(doctest.SKIP):
            try:
                exec(compile(example.source, "<example>", "single"), variables)  # noqa: S102
            except TimeoutError:
                return
            except (Exception, SystemExit):  # noqa: BLE001, S112  # the next may do all the same
                continue
        if is_enough():
            return


def of_path(path: str, subjects: Sequence[Subject], file: BinaryIO) -> None:
    """Write the calls in tests, or in a script, to a file as they come, one after the other.

    Args:
        path: a folder or a file of tests, which pytest runs; any other file is run as a script.
        subjects: whose calls are noted.
        file: where they go.
    """

    def keep(name: str, call: Call) -> None:
        with suppress(Exception):  # it cannot be taken to another process
            file.write(pickle.dumps((name, call)))
            file.flush()

    recorder = Recorder(subjects, Path(path).name, keep)
    if not is_tests(path):
        runpy.run_path(path, run_name="__main__")
        return
    import pytest

    class Plugin:
        def pytest_runtest_call(self, item: Any) -> None:
            recorder.source = item.nodeid

    quiet = "-q -p no:cacheprovider -p no:randomly -W ignore::pytest.PytestAssertRewriteWarning"
    pytest.main([*quiet.split(), path], plugins=[Plugin()])


def is_tests(path: str) -> bool:
    """Return whether pytest is to run what lies at a path."""
    name = Path(path).name
    return (
        Path(path).is_dir() or "::" in path or name.startswith("test_") or name.endswith("_test.py")
    )


def read_calls(path: str) -> dict[str, list[Call]]:
    """Return the calls that `of_path` wrote, by the names of their subjects."""
    found: dict[str, list[Call]] = {}
    with suppress(EOFError, OSError), Path(path).open("rb") as file:
        while True:
            try:
                name, call = pickle.load(file)  # noqa: S301  # we wrote it
            except (AttributeError, ImportError):  # an object of a test's own class
                continue
            found.setdefault(name, []).append(call)
    return found


_VECTOR: Final = np.array([0.5, 1.25, 2.0, 1.5, 0.75, 2.5, 3.0, 1.0, 0.25, 1.75])
_MATRIX: Final = np.array(
    [[4.0, 1.0, 0.5, 0.25], [1.0, 3.0, 0.75, 0.5], [0.5, 0.75, 2.0, 0.25], [0.25, 0.5, 0.25, 1.0]]
)
_IMAGE: Final = (np.add.outer(np.arange(16.0), np.arange(16.0) ** 2) % 17) / 16
_INTEGERS: Final = np.array([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8], [9, 7, 9, 3]])
_LABELS: Final = np.array([0, 1, 0, 1])

_ATTEMPTS: Final[dict[int, list[list[Any]]]] = {
    1: [[_VECTOR], [_MATRIX], [_IMAGE], [_IMAGE, 3], [_VECTOR / 4], [_IMAGE[None, None]],
        [_INTEGERS]],
    2: [[_VECTOR, _VECTOR[::-1]], [_MATRIX, _VECTOR[:4]], [_MATRIX, _MATRIX.T], [_VECTOR, 2],
        [_IMAGE, 2], [_IMAGE, 2, 3], [_IMAGE, 0.5], [_IMAGE, _MATRIX[:3, :3]],
        [_IMAGE, _MATRIX[:2, :2]], [_MATRIX, _LABELS], [_INTEGERS, _INTEGERS.T]],
    3: [[_VECTOR, _VECTOR[::-1], _VECTOR / 4], [_VECTOR, _VECTOR, 2]],
}  # fmt: skip
"""What is tried for functions of so many arguments, the first with which a call succeeds."""

_DATA: Final = [[_MATRIX], [_MATRIX, _LABELS]]


def of_signature(subject: Subject) -> Iterator[Call]:
    """Yield calls to try of a subject, with as many arrays as its signature requires arguments."""
    needed = _required(subject.call if subject.attribute else subject.owner)
    is_estimator = subject.kind == "estimator"
    for given in _DATA if is_estimator else _ATTEMPTS.get(needed, []):
        with suppress(Exception):  # an object cannot be made of that
            yield Call("arrays tried", tuple(_made(subject, given)), {})


def _made(subject: Subject, given: list[Any]) -> Iterator[Any]:
    """Yield arguments with arrays of the library of a subject; of a method, its object first."""
    make = maker(subject.root)
    if subject.kind == "estimator":
        yield subject.owner()
    elif subject.attribute:
        first, *given = given
        container = container_of_class(subject.owner)
        yield container.make(first) if container and container.make else subject.owner(first)
    yield from (make(x) if type(x) is np.ndarray else x for x in given)


def _required(function: Any) -> int:
    """Return how many arguments a call needs; 0 if that is not known."""
    if hasattr(function, "nin"):
        return int(function.nin)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    needed = [p for p in parameters if p.default is p.empty]
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in needed)
