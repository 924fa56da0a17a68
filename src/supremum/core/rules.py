"""The data of a promotion system: one frozen value, which the engine reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field, fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from .dtypes import DType, from_code, in_order
from .errors import RulesError, short
from .fold import Fold, comparable
from .function_rules import Defaults, FunctionRule, parse_rules
from .functions import canonical, chain
from .lattice import Lattice
from .libraries import Library
from .operands import Operand
from .steps import Classify, Join, Settle, ToWidths, by_dtype
from .table import Table


class Origin(NamedTuple):
    """How rules that ship are made again: what makes them, their name and their options."""

    make: Callable[..., Any]
    name: str
    options: tuple[tuple[str, Any], ...]


_TO_WIDTHS = ToWidths()


_in_order = lru_cache(256)(in_order)  # each refusal and each function with a default asks


def _read_codes(codes: Any) -> tuple[DType, ...]:
    names = codes.split() if isinstance(codes, str) else codes
    if not isinstance(names, Iterable):
        raise RulesError(f"operable is dtypes or their codes, not {short(codes)}", codes)
    return tuple(from_code(x) if isinstance(x, str) else x for x in names)


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class Rules:
    """The parts of a promotion system."""

    name: str
    """What to call the rules."""

    join: Join
    """The lattice, the table or the fold over dtypes. A fold is given `Classified` operands."""

    _: KW_ONLY

    classify: Classify = by_dtype
    """What each operand is to these rules; by default its dtype."""

    settle: Settle = _TO_WIDTHS
    """What becomes of the joined node; by default a weak result takes a width."""

    widths: InitVar[Mapping[str, str] | None] = None
    """The dtype of each weak result, by name, instead of a last step, `settle`."""

    functions: Mapping[str, FunctionRule] = field(default_factory=dict)
    """What functions make of the join: rules by name, or the string that `function_rules` reads."""

    follow: bool = False
    """Whether a function without a rule has the rule of the one that it follows."""

    operable: tuple[DType, ...] = ()
    """The dtypes that functions are known for, or their codes; by default all."""

    function_join: Join = None  # type: ignore[assignment]  # `join` takes its place
    """How the operands of functions join, if that is not `join`."""

    function_classify: Classify | None = None
    """What an operand is to functions, if that is not `classify`."""

    ranked: bool = False
    """Whether a node depends on whether an operand has dimensions."""

    valued: bool = False
    """Whether a node depends on the value of a scalar."""

    defaults: Defaults | None = None
    """The default dtypes; by default those of Python's numbers."""

    weak_arrays: bool = True
    """Whether arrays that result from Python scalars alone are weak."""

    refuse_int: Callable[[int, DType, Sequence[Operand], str], str | None] | None = None
    """Returns why a function does not take a Python int, or None; by default any is accepted. It
    is given the int, what the operands join to, the operands, and what the rule says of ints."""

    advise: Callable[[Sequence[DType]], str | None] | None = None
    """Returns, for nodes that have no join, a sentence with the reason; or None."""

    setting: Mapping[str, Any] = field(default_factory=dict)
    """The options that led here."""

    label: str = ""
    """The setting in words, for reports."""

    version: str = ""
    """The release of the library that the rules were measured on."""

    releases: tuple[str, ...] = ()
    """All releases that give the same answers, as measured; by default that one."""

    source: str = ""
    """Where the rules come from."""

    library: Library | None = None
    """The facts of the library."""

    origin: Origin | None = field(default=None, compare=False)
    """How `supremum.system` makes the rules, if they ship."""

    def __post_init__(self, widths: Mapping[str, str] | None) -> None:
        join: Any = self.join
        self._check_parts(widths)
        codes: Any = self.operable
        read: dict[str, Any] = {
            "functions": MappingProxyType(parse_rules(self.functions)),
            "setting": MappingProxyType(dict(self.setting)),
            "function_join": join if self.function_join is None else self.function_join,
            "operable": _read_codes(codes) or self.join.nodes,
            "releases": tuple(self.releases or filter(None, [self.version])),
        }
        settle: Any = self.settle
        read["settle"] = _TO_WIDTHS if settle is None else settle
        if widths is not None:
            if self.settle is not _TO_WIDTHS:
                raise RulesError("give rules either widths or a last step, settle", widths)
            read["settle"] = ToWidths(widths)
        for part, value in read.items():
            object.__setattr__(self, part, value)

    def _check_parts(self, widths: Any) -> None:
        """Refuse parts that are not of their type."""
        for part in ("join", "function_join"):
            value = getattr(self, part)
            if not isinstance(value, (Lattice, Table, Fold)) and (
                part == "join" or value is not None
            ):
                what = f"the {part} of rules is a Lattice, a Table or a Fold"
                raise RulesError(f"{what}, not {short(value)}; use from_lattice or from_table")
        for part in ("classify", "settle", "function_classify", "refuse_int", "advise"):
            value = getattr(self, part)
            if value is not None and not callable(value):
                raise RulesError(f"{part} is a function, not {short(value)}", value)
        for part, value in (("setting", self.setting), ("widths", widths)):
            if value is not None and not isinstance(value, Mapping):
                raise RulesError(f"{part} is a mapping, not {short(value)}", value)

    def parts(self) -> dict[str, Any]:
        """Return the parts by name, without those that others decide."""
        found = {x.name: getattr(self, x.name) for x in fields(Rules)}
        decided = {
            "function_join": self.join, "operable": self.join.nodes, "releases": (self.version,),
        }  # fmt: skip
        return {name: x for name, x in found.items() if name not in decided or x != decided[name]}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        compared = [x.name for x in fields(Rules) if x.compare]
        ours, theirs = self.parts(), other.parts()
        return self is other or all(
            comparable(ours.get(part)) == comparable(theirs.get(part)) for part in compared
        )

    def __hash__(self) -> int:
        return hash((self.name, self.label))

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """The dtypes of the rules: kind by kind, narrow ones first, weak ones last."""
        return _in_order(tuple(self.join.nodes))

    @property
    def title(self) -> str:
        """How messages name the rules: by their library, or by their own name."""
        return self.library.title if self.library is not None else self.name

    @property
    def library_title(self) -> str:
        """The title of the library, as its arrays have it, or ``""``."""
        return self.library.title if self.library is not None else ""

    @property
    def depends_on(self) -> tuple[str, ...]:
        """What an answer depends on: ``"dtype"``, and ``"rank"`` and ``"value"`` if they count."""
        return ("dtype", *(("rank",) if self.ranked else ()), *(("value",) if self.valued else ()))

    def rule(self, function: str) -> FunctionRule | None:
        """Return the rule of a function, or of one that it follows; None if there is none."""
        known = canonical(function) if isinstance(function, str) else None
        names = (chain(known) if self.follow else (known,)) if known else ()
        return next((self.functions[name] for name in names if name in self.functions), None)
