"""Evaluating an expression with the library that is installed, and comparing it with `explain`."""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from types import CodeType
from typing import Any, Final, NamedTuple

from ..core.deciding import rules_as_said
from ..core.errors import ExpressionError, RulesError, SupremumError
from ..core.evaluation.expression import names_own
from ..core.evaluation.text import Source, read
from ..core.explain import explain
from ..core.libraries import libraries
from ..core.operands import Operand, operand, parse
from ..core.system import PromotionSystem
from ..core.systems import DEFAULT, spelled
from ..core.systems import system as rules_named
from .library import Library, conformable, load
from .measure import NOT_INSTALLED
from .vetting import roots, vetted

REPORT: Final = "https://github.com/supremum-dev/supremum/issues/new?template=wrong-answer.yml"
"""Where a wrong answer is reported."""

_LARGEST: Final = 1_000_000  # elements


class Evaluated(NamedTuple):
    """What Supremum or a library makes of an expression.

    Attributes:
        results: what results, read as operands, Python numbers among them.
        is_several: whether that is a list or a tuple.
        error: what is raised instead.
    """

    results: tuple[Operand, ...] = ()
    is_several: bool = False
    error: Exception | None = None

    def __str__(self) -> str:
        if self.error is not None:
            return f"{type(self.error).__name__}: {str(self.error).partition(chr(10))[0][:200]}"
        return ", ".join(map(_named, self.results))


def _named(x: Operand) -> str:
    """Return what a result is, with what changes the next step."""
    if x.is_python:
        return f"Python {x.library}"
    is_flat = x.form == "array" and x.rank == 0
    return f"{x.dtype}{'[]' if is_flat else ''}{', weak' if x.weak else ''}"


class Confirmation(NamedTuple):
    """What Supremum and the live library say of an expression; printing it gives a sentence.

    Attributes:
        text: the expression.
        library: the name of the rules.
        version: the release that is installed.
        ours: what Supremum says.
        theirs: what the library gives.
        agrees: whether both answer alike, or both refuse.
    """

    text: str
    library: str
    version: str
    ours: Evaluated
    theirs: Evaluated
    agrees: bool

    @property
    def verdict(self) -> str:
        """``"right"``, ``"wrong"``, ``"refused"`` by us alone, or that the library ``"raises"``."""
        if self.agrees:
            return "right"
        return "refused" if self.ours.error else "raises" if self.theirs.error else "wrong"

    def to_dict(self) -> dict[str, str]:
        """Return the record as plain texts, as ``--format json`` prints it."""
        return {
            "expression": self.text,
            "library": self.library,
            "version": self.version,
            "verdict": self.verdict,
            "rules": str(self.ours),
            "live": str(self.theirs),
        }

    def __str__(self) -> str:
        name = f"{self.library} {self.version}"
        if self.agrees:
            return f"confirmed with {name}{', which refuses it' if self.theirs.error else ''}"
        theirs = "refuses it" if self.theirs.error else f"gives {self.theirs}"
        ours = "refuse it" if self.ours.error else f"give {self.ours}"
        said = f"not confirmed: {name} {theirs}, and the rules {ours}"
        return f"{said}\nPlease report this, with the expression: {REPORT}"


def evaluate(
    text: str,
    library: str | PromotionSystem | None = None,
    given: Mapping[str, Any] | None = None,
) -> Evaluated:
    """Return what the installed library makes of an expression.

    Its operands become small arrays: of ones, with twos on diagonals, so that matrices have
    inverses; or of True and False in turn.

    Args:
        text: the expression.
        library: the rules of the library, whose functions stand for those of any other one, unless
            there are some of both. Without it, each function is that of the library that it names.
        given: operands by the names that the expression has for them: as text, or live ones.

    Raises:
        ExpressionError: if there is something in it that is not evaluated.
        RulesError: if the library is not installed, or evaluates no expressions.
    """
    source, live = read(text, given), given or {}
    rules = rules_named(library or _home(source, live))
    asked = library_of(rules)
    setting = {name: rules.setting[name] for name in asked.settings[0]}
    with warnings.catch_warnings(), asked.within(**setting):
        warnings.simplefilter("ignore")
        names = {
            name: _live(asked, rules, live.get(name, x)) for name, x in source.operands.items()
        }
        try:
            is_free = library is None or names_own(source, rules, live)
            tree = vetted(source, names, asked.system, is_free=is_free)
            found = _run(compile(tree, "expression", "eval"), names)
            is_several = isinstance(found, (list, tuple))
            return Evaluated(tuple(map(operand, found if is_several else [found])), is_several)
        except ExpressionError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever the library raises
            return Evaluated(error=error)


def _run(code: CodeType, names: dict[str, Any]) -> Any:
    # with Python's builtins, which no name of it can reach, and NumPy crashes without
    return eval(code, {}, names)  # noqa: S307  # `vetted` made it


def confirm(
    text: str,
    system: str | PromotionSystem | None = None,
    given: Mapping[str, Any] | None = None,
) -> Confirmation:
    """Return what `explain` says of an expression beside what the live library gives.

    Args:
        text: the expression.
        system: the rules, or their name; by default those that the expression itself decides.
        given: operands by the names that the expression has for them.

    Raises:
        ExpressionError: if the expression cannot be read, or is not evaluated.
        RulesError: if the library is not installed, or evaluates no expressions.
    """
    if system is None:  # as they are set before the library is imported, as for those of `explain`
        rules = rules_as_said(rules_named(_home(read(text, given), given or {})))
    else:  # as they are in every program: a name alone would follow what the library has set
        rules = system = rules_named(system)
    try:
        results = explain(text, system=system, **(given or {})).results
        ours = Evaluated(results, len(results) > 1)
    except SupremumError as error:
        ours = Evaluated(error=error)
    theirs = evaluate(text, rules, given)
    library, agrees = library_of(rules), _agree(rules, ours, theirs)
    return Confirmation(text, library.system, library.version(), ours, theirs, agrees)


def _agree(rules: PromotionSystem, ours: Evaluated, theirs: Evaluated) -> bool:
    """Return whether both refuse, or give the same; of many results, one may stand for all."""
    if ours.error or theirs.error:
        return bool(ours.error and theirs.error)
    pairs = zip_longest(ours.results, theirs.results, fillvalue=ours.results[-1])
    return ours.is_several == theirs.is_several and all(
        _key(rules, x, y) == _key(rules, y, x) for x, y in pairs
    )


def _key(rules: PromotionSystem, x: Operand, other: Operand) -> tuple[Any, ...]:
    """Return what of a result changes the next step; a rank that is not known is no answer."""
    library, is_known = library_of(rules), x.rank is not None and other.rank is not None
    return (
        x.dtype if x.is_python or not x.weak else rules.result_type(x.dtype),
        x.is_python,
        library.weak_results and x.weak and x.dtype.kind != "bool",
        library.ranked_results and is_known and x.rank == 0,
    )


def _home(source: Source, live: Mapping[str, Any]) -> str:
    """Return the rules of the library whose arrays, prefixes or functions are in an expression."""
    titles = {facts.title: name for name, facts in [*libraries().items()][::-1]}
    arrays = [titles.get(operand(x).library) for x in live.values() if not isinstance(x, str)]
    written = [titles.get(x.library) for x in source.operands.values()]
    named = [roots().get(n.id) for n in ast.walk(source.tree) if isinstance(n, ast.Name)]
    return next(filter(None, (*arrays, *written, *named)), DEFAULT)


def library_of(rules: PromotionSystem) -> Library:
    """Return how the library of some rules is asked.

    Raises:
        RulesError: if it is not installed, or evaluates no expressions.
    """
    name = spelled(rules).partition(":")[0]
    if name not in conformable():
        raise RulesError(f"no library is asked for {rules.name} rules", name)
    library = load(name)
    try:
        library.version()
    except ModuleNotFoundError as error:
        raise RulesError(f"{error.name} {NOT_INSTALLED}", name) from None
    if not library.has_expressions:
        raise RulesError(f"no expressions are evaluated with {rules.title}", name)
    return library


def _live(library: Library, rules: PromotionSystem, x: Any) -> Any:
    """Return a live operand: what is given, or what is described."""
    if not isinstance(x, (str, Operand)):
        return x
    described = parse(x) if isinstance(x, str) else x
    if described.is_python:
        return described.value
    inner = described.text.partition("[")[2].strip("] ")
    sizes = [int(size) for size in inner.split(",") if size.strip()]
    if described.form != "array" or math.prod(sizes) > _LARGEST:
        what = "is too large" if sizes else "has no elements"
        raise RulesError(f"{described.text} {what}, so that it is not evaluated", described)
    d = rules.result_type(described) if described.dtype.weak else described.dtype
    made = library.filled(_values(sizes, d.kind), d)
    return library.weak(made) if described.weak else made


def _values(sizes: Sequence[int], kind: str, *place: int) -> Any:
    """Return lists in lists of numbers, which those of a place begin."""
    if sizes:
        return [_values(sizes[1:], kind, *place, i) for i in range(sizes[0])]
    if kind == "bool":
        return sum(place) % 2 == 0
    return 1 + (place[-2:-1] == place[-1:] != ())
