"""The questions that users ask of dtypes and operands, under rules that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Final, TypeVar

from .answers import remember_usual_promotions, remember_usual_results
from .deciding import (
    rules_given,
    rules_of_operands,
    rules_that_vary,
    usual_setting,
    usual_system,
)
from .dtypes import DType, dtype, in_bytes, is_spelled
from .errors import DTypeError
from .lattice import Lattice
from .operands import operand
from .system import PromotionSystem
from .systems import DEFAULT, rules_not_dtype
from .table import Table

Ask = TypeVar("Ask", bound=Callable[..., Any])


_INSTEAD: Final = {
    **dict.fromkeys(
        ("rules", "library", "lib", "backend", "target"), f"name rules by system={DEFAULT!r}"
    ),
    "x64": f"options of rules stand after their name, as in system='{DEFAULT}:x64=false'",
    "dtypes": "pass dtypes one by one, as in table('int8', 'uint8')",
    "casting": "NumPy's rules of casting are asked by numpy.can_cast",
}
"""What to type for a parameter that other libraries have."""


def _telling_rules(ask: Ask) -> Ask:
    """Return a question whose error says where to name rules and dtypes, if they are misplaced."""

    @wraps(ask)
    def asked(*operands: Any, **how: Any) -> Any:
        if unknown := [name for name in how if name in _INSTEAD]:
            what = f"{ask.__name__} has no parameter {unknown[0]!r}"
            raise TypeError(f"{what}; {_INSTEAD[unknown[0]]}")
        try:
            return ask(*operands, **how)
        except DTypeError as error:
            if (
                isinstance(error.given, str)
                and in_bytes(error.given)
                and len(error.candidates) == 1
            ):
                message = f"{error}, or np.dtype({error.given!r}) for NumPy's rules"
                raise DTypeError(message, error.given, error.candidates) from None
            if not (why := rules_not_dtype(error.given)):
                raise
            message = f"{why}; name rules by system={error.given!r}"
            raise DTypeError(message, error.given) from None

    return asked  # type: ignore[return-value]  # as it is


def _remembered(remember: Callable[..., Callable[..., DType]], **how: Any) -> Callable[[Ask], Ask]:
    """Return a decorator of a question, whose answers are remembered unless rules are named."""
    return lambda ask: wraps(ask)(remember(ask, **how))  # type: ignore[return-value]  # as it is


@_remembered(remember_usual_promotions, varies=rules_that_vary, setting=usual_setting)
@_telling_rules
def promote_types(*dtypes: Any, system: str | PromotionSystem | None = None) -> DType:
    """Return the dtype that these dtypes promote to: their join.

    Args:
        dtypes: one dtype or more, in any form that `supremum.dtype` takes. Weak ones (``int*``, or
            Python's ``int``) may be among them, and a weak answer stays weak. They are joined all
            at once; a lattice joins them in no order.
        system: the rules, or their name; by default those of the library whose dtypes these are,
            such as NumPy's of ``np.int32``. Names such as ``"int32"`` are of no library: JAX's
            rules decide about them, unless ``SUPREMUM_SYSTEM`` or ``system`` in
            ``[tool.supremum]`` of the project's ``pyproject.toml`` names others.

    Raises:
        PromotionError: if the rules have no answer.
        DTypeError: if something is not a dtype.
        RulesError: if they are dtypes of several libraries.

    >>> promote_types("int32", "float16")
    supremum.dtype('float16')
    >>> promote_types("int32", "float16", system="jep9407-option2")
    supremum.dtype('float32')
    """
    rules = rules_of_operands(dtypes) if system is None else rules_given(system)
    return rules.promote_types(*dtypes)


@_remembered(remember_usual_results, varies=rules_that_vary, setting=usual_setting)
@_telling_rules
def result_type(
    *operands: Any, system: str | PromotionSystem | None = None, op: str | None = None
) -> DType:
    """Return the dtype that an operation on these operands gives.

    Args:
        operands: arrays and scalars of any library, of any shape; Python numbers; and what
            `promote_types` takes.
        system: the rules, or their name; by default those of the library that operands are of, as
            it is set now. NumPy's arrays give way to those of another library, and its dtypes and
            scalars to a library that has NumPy's dtypes. Names and Python's numbers are of none:
            about them alone, the rules decide that `promote_types` has for names.
        op: the function, such as ``"true_divide"``; without one, what operands share.

    Raises:
        PromotionError: if the rules have no answer.
        DTypeError: if something is not an operand.
        RulesError: if the rules do not have the function, or the operands are of several libraries
            of which not one alone has arrays.

    >>> result_type("int16", 1)
    supremum.dtype('int16')
    >>> result_type("int32", "int32", op="true_divide")
    supremum.dtype('float32')
    """
    rules = rules_of_operands(operands) if system is None else rules_given(system)
    return rules.result_type(*operands, op=op)


@_telling_rules
def table(*words: Any, system: str | PromotionSystem | None = None) -> Table[DType]:
    """Return what every ordered pair of dtypes promotes to.

    Args:
        words: the dtypes to keep; by default all that the rules have. Rules may stand before them.
        system: rules or their name, if none stand before the dtypes; by default those that
            `promote_types` has for these dtypes.

    Raises:
        RulesError: for unknown rules.
        DTypeError: for something that is not a dtype.

    >>> table("numpy", "int8", "uint8")["int8", "uint8"]
    supremum.dtype('int16')
    >>> table("int8", "uint8", system="numpy").to_dict()["int8"]
    {'int8': 'int8', 'uint8': 'int16'}
    """
    first = words[0] if words and system is None else None
    if isinstance(first, PromotionSystem) or (type(first) is str and not is_spelled(first)):
        system, words = first, words[1:]
    if others := [word for word in words if type(word) is str and rules_not_dtype(word)]:
        what = f"a table is of one library; supremum.diff({system!r}, {others[0]!r}) shows two"
        raise DTypeError(what, others)
    dtypes = [dtype(word) for word in words]
    rules = rules_of_operands(words) if system is None and words else None
    whole = (rules or (usual_system() if system is None else rules_given(system))).table()
    return whole.only(dtypes) if dtypes else whole


@_telling_rules
def can_promote(from_: Any, to: Any, *, system: str | PromotionSystem | None = None) -> bool:
    """Return whether a dtype promotes to another: whether the join of the two is the second.

    Then an operation on both gives the second, which need not hold every value of the first: that
    is what NumPy's ``can_cast`` asks.

    Args:
        from_: a dtype, or an array or scalar of any library.
        to: a dtype.
        system: the rules, or their name; by default as for `result_type`.

    Raises:
        DTypeError: if something is not a dtype.

    >>> can_promote("int64", "float16"), can_promote("int64", "float16", system="numpy")
    (True, False)
    """
    rules = rules_of_operands([from_, to]) if system is None else rules_given(system)
    return rules.can_promote(operand(from_).dtype, to)


def draw(
    rules: str | PromotionSystem | Lattice[Any] | None = None,
    *nodes: Any,
    highlight: Iterable[Any] = (),
) -> Any:
    """Return the drawing of the lattice of some rules, or of the order of their table.

    A notebook shows it, ``print`` shows it as text, and its ``save`` writes it to a file.

    Args:
        rules: rules or their name, or a lattice; by default as for `promote_types`.
        nodes: the dtypes to draw; by default those of eight bits and more that are not float8.
        highlight: dtypes whose paths to their join are highlighted.

    Raises:
        RulesError: for unknown rules, and for a table that is not an order.

    >>> draw("jax", highlight=["int32", "float16"])
    <Drawing of JAX: 18 nodes, 24 arrows>
    """
    for path in (x for x in nodes if isinstance(x, str) and x.endswith((".svg", ".png"))):
        what = f"{path!r} is not a dtype; save a drawing with supremum.draw(...).save({path!r})"
        raise DTypeError(what, path)
    if not isinstance(rules, Lattice):
        rules = usual_system() if rules is None else rules_given(rules)
    return rules.draw(nodes, highlight=highlight)
