"""How a live library is asked: what its file in `libraries` says of it, and what holds for most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import KW_ONLY, dataclass, field
from functools import cache, cached_property
from importlib import import_module, metadata
from pkgutil import iter_modules, resolve_name
from typing import Any, Final

from ..core.dtypes import DType, by_name, dtype
from ..core.errors import DTypeError, RulesError
from ..core.functions import FUNCTIONS
from ..core.operands import Operand
from ..core.system import PromotionSystem
from . import calls

_ONES: Final = {0: 1, 1: [1, 1, 1], 2: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}


@dataclass(eq=False)
class Library:
    """How a live library is asked, which is imported only then.

    A library overrides `filled`, which makes its arrays, and what else it does otherwise.

    Attributes:
        system: the name of the rules.
        distribution: what installs the library, with the release that the rules were measured on;
            after a blank, what decides for some of its dtypes, likewise.
        module: what is imported, if that is not the name of the rules.
        settings: the options of the rules; each setting is asked in a process of its own.
        ranks: the ranks of the arrays that are asked about.
        scalars: the Python numbers that are asked about.
        nary_settings: the settings in which more than two operands can be asked about at once; by
            default all.
        nary_scalars: whether Python numbers may be among more than two operands.
        most_of_any_rank: how many operands there may be if a 0-d array is among them.
        roots: where its functions are: modules, and classes for methods; the first has
            ``result_type``. Without any, no function is asked about.
        calls: how it calls functions of the catalogue, if otherwise than the catalogue says.
        names: how it names functions of the catalogue, if another one has that name there.
        unasked: the functions of the rules that are not asked about.
        unmodelled: for a function, whether its rules refuse some operands by name.
        function_scalars: the Python numbers that functions are asked about, if those are others.
        scalars_alone: whether functions of elements are asked about operands of which none is an
            array with dimensions, too.
        weak_results: whether the results of functions say if they are weak.
        ranked_results: whether 0-d results of expressions are other operands than numbers.
        has_expressions: whether it evaluates expressions.
        of_releases: options of the rules, each with the distribution whose release it is.
        compiled_dtypes: the dtypes that compiled code is asked about, unless others are chosen, if
            the library has a compiler: then it overrides `compiled`.
        takes_dtype: the functions that compiled code is asked about with ``dtype=``, too.
        products: those that it is asked about with matrices besides vectors.
    """

    system: str
    distribution: str
    _: KW_ONLY
    module: str = ""
    settings: Sequence[Mapping[str, Any]] = ({},)
    ranks: Sequence[int] = (1, 0)
    scalars: Sequence[complex] = ()
    nary_settings: Sequence[Mapping[str, Any]] | None = None
    nary_scalars: bool = True
    most_of_any_rank: int = 5
    roots: Sequence[str] = ()
    calls: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    unasked: Sequence[str] = ()
    unmodelled: Mapping[str, Callable[[Sequence[Operand]], bool]] = field(default_factory=dict)
    function_scalars: Sequence[complex] = ()
    scalars_alone: bool = False
    weak_results: bool = False
    ranked_results: bool = False
    has_expressions: bool = False
    of_releases: Mapping[str, str] = field(default_factory=dict)
    compiled_dtypes: Sequence[str] = ()
    takes_dtype: Sequence[str] = ()
    products: Sequence[str] = ()

    def __post_init__(self) -> None:
        self.setting: dict[str, Any] = dict(self.settings[0])

    @property
    def pinned(self) -> tuple[str, str]:
        """The distribution of the library, and the release that its rules describe."""
        name, _, release = self.distribution.partition(" ")[0].partition("==")
        return name.partition("[")[0], release

    def version(self) -> str:
        """Return the release that is installed; raises ImportError if there is none."""
        name = self.module or self.system
        found = getattr(import_module(name), "__version__", None) or metadata.version(name)
        return str(found).partition("+")[0]

    def configure(self, **setting: Any) -> None:
        """Bring the library into a setting."""
        self.setting = setting

    def within(self, **_: Any) -> AbstractContextManager[object]:
        """Return the context in which expressions are evaluated in a setting."""
        return nullcontext()

    def array(self, d: DType, rank: int, setting: Mapping[str, Any]) -> Operand:  # noqa: ARG002  # for some it counts
        """Return the operand that stands for the arrays of a dtype and a rank, in a setting."""
        return Operand(f"{d}[{', '.join('3' * rank)}]", d, False, "array", shape=(3,) * rank)

    def function_dtypes(self, rules: PromotionSystem) -> Sequence[DType]:
        """Return the dtypes that functions are asked about, in the setting of the rules."""
        return rules.operable

    def more(self, dtypes: Sequence[DType]) -> list[Operand]:  # noqa: ARG002  # some have more
        """Return operands besides those of its ranks and scalars."""
        return []

    def make(self, op: Operand) -> Any:
        """Return a live operand: a Python number, or an array of ones.

        Raises:
            DTypeError: if the library has no such dtype.
        """
        return op.value if op.is_python else self.filled(_ONES[op.rank or 0], op.dtype)

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of a number, or of lists of numbers."""
        raise NotImplementedError

    def weak(self, strong: Any) -> Any:
        """Return an array that is weakly typed.

        Raises:
            DTypeError: if the library has none.
        """
        raise DTypeError(f"{self.system} has no weak arrays", strong)

    def ask(self, *operands: Any) -> str:
        """Return the full name of what operands promote to; raises where the library refuses."""
        return self.name_of(self.namespaces()[0].result_type(*operands))

    def name_of(self, found: Any) -> str:
        """Return the full name of a dtype of the library, or of that of an array."""
        return dtype(getattr(found, "dtype", found)).name

    def namespaces(self) -> Sequence[Any]:
        """Return where its functions are: its ``roots``, imported."""
        return tuple(map(resolve_name, self.roots))

    def operate(self, function: str, *operands: Any) -> str:
        """Return what a function of the catalogue gives, as `ask` does; of several the first."""
        return self.answer(self.call(function, operands))

    def answer(self, found: Any) -> str:
        """Return what is said of a result, or of the first of several, which may be weak."""
        first = found[0] if isinstance(found, (list, tuple)) else found
        return f"{self.name_of(first)}{calls.WEAK if self.is_weak(first) else ''}"

    def is_weak(self, found: Any) -> bool:  # noqa: ARG002  # some results are
        """Return whether a result is weak."""
        return False

    def call(self, function: str, operands: Sequence[Any]) -> Any:
        """Return the result of a function of the catalogue."""
        call, called = self.find(function)
        name = FUNCTIONS[function].name
        return calls.perform(call, name, called, operands, lambda x: self.selectors[x])

    def find(self, function: str) -> tuple[str, Callable[..., Any]]:
        """Return how the library calls a function of the catalogue, and its function.

        Raises:
            LackingError: if it has none.
        """
        known = FUNCTIONS[function]
        called = calls.find(self.namespaces(), known, self.names)
        return self.calls.get(function, known.call), called

    def own_dtype(self, d: DType) -> Any:
        """Return the library's own object for a dtype."""
        return d.to(self.system)

    def concrete(self, live: Any) -> Any:
        """Return what compiled code is given for an operand."""
        return live

    def needs_to_compile(self) -> str:
        """Return what the compiler needs and is not installed, or ``""``."""
        return ""

    def compiled(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """Return what a function gives when it is compiled as a whole.

        Raises:
            LackingError: if the compiler leaves a part of it to the interpreter.
        """
        raise NotImplementedError

    @cached_property
    def selectors(self) -> dict[str, Any]:
        """The arrays of conditions, ``c``, and of indices, ``i``, that functions take."""
        return {
            "c": self.filled([True] * 3, by_name("bool")),
            "i": self.filled([1] * 3, by_name("int64")),
        }


def load(name: str) -> Library:
    """Return how the library of these rules is asked.

    Raises:
        RulesError: if its file has something else.
    """
    module = import_module(f".libraries.{name.replace('-', '_')}", __package__)
    found = getattr(module, "LIBRARY", None)
    if not isinstance(found, Library):
        what = f"{module.__file__} has no LIBRARY, which says how {name} is asked"
        raise RulesError(f"{what}; see docs/howto/add-a-library.md", name)
    if not found.roots and type(found).ask is Library.ask:  # else all would count as refused
        what = f"LIBRARY in {module.__file__} has no roots, the first of which has result_type"
        raise RulesError(f"{what}, and no ask of its own; see docs/howto/add-a-library.md", name)
    return found


@cache
def compilable() -> tuple[str, ...]:
    """Return the names of the rules whose library has a compiler that can be asked."""
    return tuple(name for name in conformable() if load(name).compiled_dtypes)


@cache
def conformable() -> tuple[str, ...]:
    """Return the names of the rules that a live library can be asked about."""
    files = iter_modules(import_module(".libraries", __package__).__path__)
    return tuple(sorted(file.name.replace("_", "-") for file in files))
