"""Integers that are meant to wrap around: hashes, generators of random numbers, checksums."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from ....core.dtypes import DType
from ....core.functions import facts_of
from ...model.locations import Location, span_of
from ...model.source_file import name_of, source_file

_NAMES: Final = re.compile(
    r"hash|crc|check_?sum|fnv|djb|murmur|lcg|xorshift|splitmix|pcg|adler|fletcher|rand|seed|mix"
)
_SAID: Final = re.compile(r"\bmod(ulo)?\b|check_?sum|wraps? around", re.IGNORECASE)
_ON_PURPOSE: Final = re.compile(
    r"\bwraps? (?:around )?(?:[\w*]+ ){0,4}(?:by design|on purpose)|modulo (?:2|256)\b",
    re.IGNORECASE,
)
_LARGE: Final = 1 << 16
_WIDE: Final = 32  # bits
_MANY: Final = 23  # bits that a float32 has
_MOST: Final = 65
_TEN: Final = 10
_HASHES: Final = re.compile(r"hash|fnv|murmur|splitmix|xxh|(?:^|_)mix(?:\d|$)")
_RUNNING: Final = ("cumsum", "accumulate", "cumulative_sum")
_CODING: Final = ("add", "subtract", "diff", *_RUNNING)
_OF_BITS: Final = re.compile(r"bitwise_(?:and|not|or|xor)|invert|packbits|unpackbits")
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_meant(
    place: Location, d: DType, kind: str, *, given: DType | None = None, is_all: bool = False
) -> bool:
    """Return whether what became of the values at a place is meant to.

    Args:
        place: where it did.
        d: the dtype.
        kind: the kind of finding that it would be.
        given: the dtype of the first operand, or None if it is not an array.
        is_all: whether it became of all numbers that were converted, so that no choice among them
            leaves it out.
    """
    tree = source_file(place.file).tree
    if kind == "precision-loss":
        return given is not None and given.kind == "unsigned" and _is_fraction(place)
    if kind != "wraparound":
        return kind == "float-overflow" and _is_hidden(
            tree, place, _HIDE - _CHOOSE if is_all else _HIDE
        )
    of_floats = given is not None and given.kind == "float"  # which do not wrap around
    if _is_hidden(tree, place, _CHOOSE) or _is_masked(tree, place):
        return True
    if not of_floats and _gets_sign(tree, place, d):
        return True
    is_unsigned = d.kind == "unsigned"
    if is_unsigned and (_is_packed(tree, place) or _is_coded(tree, place, d)):
        return True
    if is_unsigned and _ON_PURPOSE.search(ast.get_docstring(tree) or ""):
        return True
    for function in _around(tree, place):
        name = getattr(function, "name", "").lower()
        documented = (isinstance(function, _SCOPES) and ast.get_docstring(function)) or ""
        if is_unsigned and (_NAMES.search(name) or _SAID.search(documented)):
            return True
    scope, is_wide = next(_around(tree, place), None), (d.bits or 0) >= _WIDE
    if scope is None:
        return False
    nodes = [*ast.walk(scope)] if is_unsigned and is_wide else []
    hashes = any(map(_is_hash, nodes)) or any(map(_goes_on_with_product, nodes))
    is_shift = place.name == "left_shift"  # of fields beside each other, which masks cut, too
    return hashes or _mixes_bits(scope, wide=is_wide and not is_shift)


def is_named_at_once(place: Location, d: DType) -> bool:
    """Return whether what is computed at a place goes to a call that names a dtype for it.

    So it does if it is added up in the dtype that it has, and if integers are cast to others.
    """
    source = source_file(place.file)
    around = source.around(place.span)
    method = around if isinstance(around, ast.Attribute) else None
    call = source.parents.get(method) if method is not None else around
    if not isinstance(call, ast.Call):
        return False
    if d.kind == "float":
        named = [ast.unparse(k.value) for k in call.keywords if k.arg == "dtype"]
        is_same = any(re.search(rf"\b{d.name}\b", text) for text in named)
        return is_same and facts_of(name_of(call)).adds_up
    is_cast = method is not None and method.attr == "astype" and call.args
    return bool(is_cast and re.search(rf"\bu?int(?!{d.bits}\b)\d", ast.unparse(call.args[0])))


def _is_fraction(place: Location) -> bool:
    """Return whether random bits become a fraction: they are divided by how many there may be."""
    source = source_file(place.file)
    around = source.around(place.span)
    if not isinstance(around, ast.BinOp) or not isinstance(around.op, ast.Div | ast.Mult):
        return False
    other = around.right if span_of(around.left) == place.span else around.left
    return any(map(_is_size_of_bits, ast.walk(other)))


def _is_size_of_bits(node: ast.AST) -> bool:
    """Return whether a number is written that is two to the power of many bits, or one less.

    >>> [_is_size_of_bits(ast.parse(x, mode="eval").body) for x in ("2**32", "2.0**-24", "1e9")]
    [True, True, False]
    """
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        parts = node.left, _without_sign(node.right)
        base, power = (getattr(part, "value", None) for part in parts)
        return base == 2 and isinstance(power, int) and power >= _MANY
    number = getattr(node, "value", None)
    if not isinstance(number, (int, float)) or not 1 << _MANY <= number < 1 << _MOST:
        return False
    bits = int(number)
    return bits == number and (bits & (bits - 1) == 0 or bits & (bits + 1) == 0)


def _without_sign(node: ast.expr) -> ast.expr:
    return node.operand if isinstance(node, ast.UnaryOp) else node


def _is_hidden(tree: ast.Module, place: Location, hide: frozenset[str]) -> bool:
    """Return whether what is infinite is handed to what takes it out, or is divided by.

    Args:
        tree: the file.
        place: where it became infinite, or wrapped around.
        hide: the functions that take it out.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node) in hide:
            parts: list[ast.expr] = [*node.args, *(k.value for k in node.keywords)]
            is_choice = name_of(node) in _CHOOSE and isinstance(node.func, ast.Attribute)
            parts = parts[1:] if is_choice else parts  # what chooses is no choice itself
            parts += [node.func.value] if isinstance(node.func, ast.Attribute) else []
        elif hide is _HIDE and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            parts = [node.right]
        else:
            continue
        if any(_holds(part, place) for part in parts):
            return True
    return False


def _gets_sign(tree: ast.Module, place: Location, d: DType) -> bool:
    """Return whether a difference of unsigned numbers is read as signed at once: it is right there.

    Args:
        tree: the file.
        place: the difference, or what reads it.
        d: the dtype that comes out there.
    """
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        difference = node.func.value
        if span_of(difference) == place.span and d.kind == "unsigned":
            signed = rf"\b{d.name.removeprefix('u')}\b"
            return re.search(signed, ast.unparse(node.args[0])) is not None
        if span_of(node) == place.span and d.kind == "signed":
            return _subtracts(difference)
    return False


def _is_packed(tree: ast.Module, place: Location) -> bool:
    """Return whether the bits of what is computed are taken at once, as those of small integers.

    What is shifted to make room for other bits is to keep its own, but for those that come in again
    on the other side.
    """
    signs = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
    operations = (n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.op, signs))
    found = (n for n in operations if span_of(n.left) == place.span)
    return any(place.name != "left_shift" or not _makes_room(n) for n in found)


def _makes_room(node: ast.BinOp) -> bool:
    """Return whether bits stand beside those of the first operand that are no rest of it."""
    is_rest = isinstance(node.right, ast.BinOp) and isinstance(node.right.op, ast.RShift)
    return isinstance(node.op, ast.BitOr) and not is_rest


def _is_masked(tree: ast.Module, place: Location) -> bool:
    """Return whether low bits are taken of a sum with what is computed: those are right."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            for part in (node.left, node.right):
                if _holds(part, place) and any(span_of(n) == place.span for n in _terms(part)):
                    return True
    return False


def _terms(node: ast.expr) -> Iterator[ast.expr]:
    """Yield an expression, and what it adds, subtracts and multiplies."""
    yield node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        yield from _terms(node.left)
        yield from _terms(node.right)


def _is_coded(tree: ast.Module, place: Location, d: DType) -> bool:
    """Return whether a file has running sums of a dtype that it names, for what is computed here.

    They undo differences, each of which wraps around, as the filters of images in files do.
    """
    if place.name not in _CODING:
        return False
    sums = (n for n in ast.walk(tree) if isinstance(n, ast.Call) and name_of(n) in _RUNNING)
    named = (keyword.value for call in sums for keyword in call.keywords if keyword.arg == "dtype")
    return any(re.search(rf"\b{d.name}\b", ast.unparse(node)) for node in named)


def _subtracts(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp | ast.UnaryOp):
        return isinstance(node.op, ast.Sub | ast.USub)
    return facts_of(name_of(node)).has("differs")


def _holds(node: ast.expr | ast.stmt, place: Location) -> bool:
    first, last = span_of(node)[:2], span_of(node)[2:]
    return first <= place.span[:2] and place.span[2:] <= last


_HIDE: Final = frozenset(
    {"where", "select", "nan_to_num", "clip", "clamp", "minimum", "fmin", "isfinite", "isinf"}
)


_CHOOSE: Final = frozenset({"where", "select"})


def _is_hash(node: ast.AST) -> bool:
    """Return whether a node calls what makes hashes by its name."""
    return isinstance(node, ast.Call) and _HASHES.search(name_of(node).lower()) is not None


def _goes_on_with_product(node: ast.AST) -> bool:
    """Return whether a statement is a step of a polynomial hash, as ``h = h * base + x`` is.

    A power of two, or ten, reads digits instead.
    """
    if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp)):
        return False
    own, (product, added) = {*map(ast.unparse, node.targets)}, (node.value.left, node.value.right)
    if not isinstance(node.value.op, ast.Add) or not isinstance(product, ast.BinOp):
        return False
    factors = {ast.unparse(product.left), ast.unparse(product.right)}
    is_digit = any(n == _TEN or n & (n - 1) == 0 for n in _integers(product))
    is_step = isinstance(product.op, ast.Mult) and not own.isdisjoint(factors)
    return is_step and not is_digit and ast.unparse(added) not in own


def _mixes_bits(scope: ast.AST, *, wide: bool) -> bool:
    """Return whether a function does with integers what hashes do."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Call) and _OF_BITS.fullmatch(name_of(node)):
            return True
        if isinstance(node, ast.BinOp | ast.AugAssign):
            if isinstance(node.op, ast.BitXor):
                return True
            if not wide:
                continue
            if isinstance(node.op, ast.RShift):
                return True
            if isinstance(node.op, ast.BitAnd) and any(_is_mask(n) for n in _integers(node)):
                return True
            if isinstance(node.op, ast.Mult) and any(_is_multiplier(n) for n in _integers(node)):
                return True
    return False


def _integers(node: ast.BinOp | ast.AugAssign) -> Iterator[int]:
    for n in ast.walk(node):
        if isinstance(n, ast.Constant) and type(n.value) is int:
            yield n.value


def _is_mask(value: int) -> bool:
    return value >= 0xFF and value & (value + 1) == 0


def _is_multiplier(value: int) -> bool:
    return value >= _LARGE and value % 2 == 1 and not _is_mask(value)


def _around(tree: ast.Module, place: Location) -> Iterator[ast.AST]:
    """Yield the functions and classes around a place, from the inside out, or else the module."""
    found = [n for n in ast.walk(tree) if isinstance(n, _SCOPES) and _holds(n, place)]
    yield from reversed(found)
    if not found:
        yield ast.Module([n for n in tree.body if not isinstance(n, _SCOPES)], [])
