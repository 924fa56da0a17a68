"""Changes of which nobody knows that they are right: a trial decides, one after the other.

Each is typed by itself, and counts if the program gives the same without the finding. So they are
generic: another dtype where a value is made, a cast where it is made, where it meets another one,
and of what comes out. Nothing is left out but what cannot be typed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from ...core.dtypes import DType, by_name
from ...core.functions import facts_of
from ..kinds import Wanted, find
from ..log.libraries import jax_loops
from ..log.libraries.pandas import MIXES, STACKS
from ..log.stores import is_changed
from ..log.values.looks import LISTED
from ..model.dtypes import SINGLE, bits, family, is_strong
from ..model.locations import LOCATIONS, Location, span_of
from ..model.names import Names
from ..model.provenance import Effect, Origin
from ..model.source_file import (
    SourceFile,
    all_attributed,
    name_of,
    origins,
    source_file,
)
from . import libraries
from .candidates import Candidate, Change, applied, read_dtype
from .causes import ROOMY, Cause, cause_span, for_all, of_stored, operand_of, suggest
from .safety import adds_to_half
from .spelling import (
    CASTS,
    HOLE,
    Spelling,
    at_hand,
    cast,
    dtype_argument,
    is_cast_method,
    is_given,
    named_for,
    spell,
)

_TABLE: Final = "DataFrame"
_ROWS: Final = ("iloc", "loc")
_OF_LISTS: Final = ("array", "asarray", _TABLE)
_ARRAYS: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp)
_BUFFERS: Final = ("empty", "full", "ones", "zeros")
_REGISTERS: Final = "register_buffer"
_STORAGE: Final = ("cpu", "cuda", "device", "load_state_dict", "mps", "persistent", "state_dict")
_MATRIX: Final = "matrix power"  # what is said of one
_WHOLE: Final = ("int", "signed", "unsigned")
_MOST: Final = 6  # changes that are tried for one finding
_SAMPLE: Final = 16  # bits of integers that are samples of sound, or labels


def of_finding(origin: Origin, effect: Effect, want: DType, suggested: str) -> tuple[Change, ...]:
    """Return changes to try, those at the operation first if the width is named on purpose.

    Args:
        origin: the cause.
        effect: what came of it first.
        want: the dtype that would have stayed.
        suggested: what is suggested already.
    """
    kind = find(effect.kind)
    of_rows = effect.kind == "precision-loss" and LOCATIONS[effect.location].name == _TABLE
    if libraries.is_of_table(effect) or of_rows:
        return distinct([*_in_objects(effect), *_of_listed(effect)], suggested)
    if kind.is_intended or want.weak or adds_to_half(origin, effect):
        return ()
    if kind.wants is Wanted.STORED_INTO and family(effect.operands[0].dtype) == "integer":
        return distinct(_of_stored_integers(origin, effect), suggested)
    if kind.name == "precision-loss" and (of_integers := _of_integers(effect)):
        return distinct(of_integers, suggested)
    if effect.enough is not None:
        named = [*_of_variable(origin, effect.enough), *_of_cast(origin, effect)]
        named += _of_origin(origin, effect, effect.enough)
        named += _narrow_again(origin, effect)
        named += _at_operands(effect, effect.enough)
        named += _of_all_named(origin, effect, effect.enough)
        last = _of_number(effect) if effect.kind == "wraparound" else _in_64_bits(origin)
        return distinct([*named, *last], suggested)
    if effect.kind == "wraparound":
        return distinct([*_of_matrix(effect), *_in_floats(effect)], suggested)
    if kind.is_of_values and origin.location != effect.location:  # digits were lost before it
        wide = by_name("float32" if bits(origin.dtype) < SINGLE else "float64")
        return distinct(_where_made(origin, effect, wide)[0], suggested)
    if kind.is_of_values and family(origin.dtype) == "inexact":
        found = [*_in_objects(effect), *_of_arguments(origin, effect), *_unregistered(effect)]
        found += _in_64_bits(origin)
        return distinct([*found, *_of_buffers(origin, effect, by_name("float64"))], suggested)
    if kind.is_of_values or family(want) != "inexact" or want is origin.dtype:
        return ()
    born, is_meant = _where_made(origin, effect, want)
    born = [*born, *_of_variable(origin, want)]
    there = _where_used(origin, effect, want)
    found = [*there, *born] if is_meant else [*born, *there]
    return distinct([*found, *_of_buffers(origin, effect, want)], suggested)


def _of_stored_integers(origin: Origin, effect: Effect) -> list[Change | None]:
    """Return changes for what an array of integers has no place for, or JAX stores in none."""
    into = effect.operands[0]
    is_roomy = bits(into.dtype) >= ROOMY
    made = [of_stored(effect, is_tried=True), *_of_array(effect)] if is_roomy else []
    if into.library != jax_loops.LIBRARY or family(origin.dtype) != "integer":
        return made
    return [*_where_made(origin, effect, into.dtype)[0], *made]  # which are to be alike


def _where_used(origin: Origin, effect: Effect, want: DType) -> list[Change | None]:
    """Return casts at an operation; none if a caller asks for the width, and others are narrow."""
    call = _Call.at(origin.location, origin.dtype)
    named = call.named if call is not None else None
    if call is not None and named is not None and is_given(named, source_file(call.file)):
        return []
    return [*_at_operands(effect, want, origin.dtype), *_of_result(origin, effect, want)]


def distinct(changes: Iterable[Change | None], suggested: str) -> tuple[Change, ...]:
    """Return changes once each, as many as are tried, without one that is suggested already."""
    found = {(*c[:3], c.others): c for c in changes if c is not None and c.text}
    return tuple(c for c in found.values() if c.others or c.text != suggested)[:_MOST]


def _typed(file: str, node: ast.expr, *candidates: Candidate | None) -> Change | None:
    """Return candidates in one node with their text, or None if one of them is none."""
    found = [x for x in candidates if x is not None]
    if len(found) < len(candidates):
        return None
    needs = next((x.needs for x in found if x.needs), "")
    return Change(file, span_of(node), applied(source_file(file), node, *found), needs)


def _where_made(origin: Origin, effect: Effect, want: DType) -> tuple[list[Change | None], bool]:
    """Return other dtypes, and casts, where values are made; and if their width is meant."""
    place = LOCATIONS[origin.location]
    source = source_file(place.file)
    node = source.find(cause_span(origin))
    if not isinstance(node, ast.expr):
        return [], False
    cause = Cause(source, node, origin, effect, want)
    ways = (cause.renamed, cause.with_dtype, cause.cast)
    found = [_typed(place.file, node, way()) for way in ways]
    return [*found, *_before(origin, node, want)], cause.is_meant()


def _of_buffers(origin: Origin, effect: Effect, want: DType) -> Iterator[Change | None]:
    """Yield a dtype for all arrays that the function, or the class, of a cause fills with a number.

    What a loop hands on, and what a class adds up, has to have one dtype in all its parts.
    """
    place = LOCATIONS[origin.location]
    source = source_file(place.file)
    cause_node = source.find(cause_span(origin))
    around = [*source.above(cause_node)] if cause_node is not None else []
    classes = (n for n in around if isinstance(n, ast.ClassDef))
    functions = (n for n in around if isinstance(n, ast.FunctionDef))
    scope = next(chain(classes, functions), None)
    made = []
    for node in ast.walk(scope) if scope is not None else ():
        if isinstance(node, ast.Call) and name_of(node) in _BUFFERS:
            cause = Cause(source, node, origin, effect, want)
            given = cause.with_dtype() or cause.renamed()
            made.append(_typed(place.file, node, given) if given is not None else None)
    changes = [change for change in made if change is not None and change.text]
    if 1 < len(changes) <= _MOST:
        yield changes[0]._replace(others=tuple(changes[1:]))


def _before(origin: Origin, node: ast.expr, want: DType) -> Iterator[Change | None]:
    """Yield a cast of what a method is called of, as of what is then moved to a device."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    of, place = node.func.value, LOCATIONS[origin.location]
    names = Names(source_file(place.file), of)
    takes_array = facts_of(place.name).category != "random"  # which is of a generator
    if takes_array and names.resolve(of) is None:
        spelled = cast(want, origin.library, names, scalar=False)
        yield _typed(place.file, of, Candidate.of(of, spelled))


class _Call(NamedTuple):
    """A call, and where its dtype is written.

    Attributes:
        file: the path of the file.
        node: the call.
        names: the names that are visible there.
        named: the argument that is its dtype, or None.
    """

    file: str
    node: ast.Call
    names: Names
    named: ast.expr | None

    @classmethod
    def at(cls, location: int, was: DType | None = None) -> _Call | None:
        """Return the call at a location, which gives some dtype, or None."""
        place = LOCATIONS[location]
        source = source_file(place.file)
        call = source.expression(place.span)
        if not isinstance(call, ast.Call):
            return None
        names = Names(source, call)
        return cls(
            place.file, call, names, dtype_argument(call, names.resolve(call.func), names, was)
        )


def _of_array(effect: Effect) -> Iterator[Change | None]:
    """Yield a cast of the array that floats are stored in, where it comes from, to their dtype."""
    into, stored = effect.operands[:2]
    if family(stored.dtype) != "inexact":
        return
    d = stored.dtype if is_strong(stored) else by_name("float64")
    place, introduced = LOCATIONS[effect.location], effect.introductions[:1]
    base = operand_of(effect, 0)
    nodes = [*origins(source_file(place.file), base, ())] if base is not None else []
    found: list[tuple[str, ast.expr | None]] = [(place.file, node) for node, _ in nodes]
    for location in introduced:
        if location is not None:
            other = LOCATIONS[location]
            found.append((other.file, source_file(other.file).expression(other.span)))
    for file, node in found:
        if isinstance(node, (ast.Call, ast.Subscript, ast.BinOp)):
            spelled = cast(d, into.library, Names(source_file(file), node), scalar=False)
            yield _typed(file, node, Candidate.of(node, spelled))


def _of_origin(origin: Origin, effect: Effect, want: DType) -> Iterator[Change | None]:
    """Yield another dtype where a value was made that has its own from what it is handed."""
    for location in dict.fromkeys((origin.location, *effect.introductions)):
        if location is None or location == effect.location:
            continue
        call = _Call.at(location, origin.dtype)
        if call is not None and call.named is not None:
            new = spell(want, origin.library, call.names)
            yield _typed(call.file, call.node, Candidate.of(call.named, new))


def _of_variable(origin: Origin, want: DType) -> Iterator[Change | None]:
    """Yield another dtype for a variable, or a default, that a call has its own from."""
    call = _Call.at(origin.location, origin.dtype)
    if call is None or call.named is None:
        return
    source = source_file(call.file)
    for one in named_for(source, call.named, origin.dtype):
        new = spell(want, origin.library, Names(source, one))
        yield _typed(call.file, one, Candidate.of(one, new))


def _of_arguments(origin: Origin, effect: Effect) -> Iterator[Change | None]:
    """Yield casts to float64 of what functions are given that compute operands, at their calls."""
    place = LOCATIONS[effect.location]
    source = source_file(place.file)
    node = source.find(place.span)
    parts = [n for n in ast.walk(node) if isinstance(n, ast.Attribute)] if node is not None else []
    made = [value for part in parts for value in all_attributed(source, part)]
    functions = [f for n in (*made, node) if n is not None for f in source.functions(n)[:1]]
    names = {_called(source, function) for function in functions}
    calls = [n for n in ast.walk(source.tree) if isinstance(n, ast.Call) and name_of(n) in names]
    for call in calls:
        given = [*call.args, *(k.value for k in call.keywords)]
        casts = []
        for argument in given:
            if isinstance(argument, _ARRAYS):
                spelled = cast(
                    by_name("float64"), origin.library, Names(source, argument), scalar=False
                )
                casts.append(Candidate.of(argument, spelled))
        yield _typed(place.file, call, *casts) if casts else None


def _called(source: SourceFile, function: ast.AST) -> str:
    """Return the name that a function is called by, which is that of the class for `__init__`."""
    name: str = getattr(function, "name", "")
    owner = source.parents.get(function)
    return owner.name if name == "__init__" and isinstance(owner, ast.ClassDef) else name


def _in_64_bits(origin: Origin) -> Iterator[Change | None]:
    """Yield a statement behind the import of JAX that lets it have 64 bits."""
    file = LOCATIONS[origin.location].file
    source = source_file(file)
    imports = [n for n in source.tree.body if isinstance(n, ast.Import)]
    names = [(n, alias) for n in imports for alias in n.names if alias.name.startswith("jax")]
    if origin.library != jax_loops.LIBRARY or not names:
        return
    own = next((n for n, alias in names if alias.name == "jax" and alias.asname is None), None)
    statement, needs = (own, "") if own is not None else (names[0][0], "import jax\n")
    text = f'{source.text(span_of(statement))}\n{needs}jax.config.update("{jax_loops.FLAG}", True)'
    yield Change(file, span_of(statement), text)


def _unregistered(effect: Effect) -> Iterator[Change | None]:
    """Yield attributes in the place of buffers of PyTorch, whose values a cast has rounded.

    All that are registered together are attributes then, which neither a device nor a checkpoint
    has: in a file that speaks of those they stay buffers.
    """
    registered = next(iter(effect.introductions), None)
    place = LOCATIONS[registered] if registered is not None else None
    if place is None or place.name != _REGISTERS:
        return
    source = source_file(place.file)
    if any(map(_is_of_storage, ast.walk(source.tree))):
        return
    node = source.find(place.span)
    scope = next(iter(source.functions(node)), None) if node is not None else None
    statements = (n for n in ast.walk(scope) if isinstance(n, ast.Expr)) if scope else ()
    changes = [
        change for one in statements if (change := _as_attribute(place.file, one)) is not None
    ]
    if changes:
        yield changes[0]._replace(others=tuple(changes[1:]))


def _is_of_storage(node: ast.AST) -> bool:
    """Return whether an attribute, a name or an argument is of a device, or of a checkpoint."""
    words = (getattr(node, name, None) for name in ("attr", "id", "arg"))
    return any(word in _STORAGE for word in words)


def _as_attribute(file: str, statement: ast.Expr) -> Change | None:
    """Return a statement that sets an attribute, for one that registers a buffer."""
    source = source_file(file)
    match statement.value:
        case ast.Call(ast.Attribute(module, name), [ast.Constant(str(buffer)), value]) if (
            name == _REGISTERS and buffer.isidentifier()
        ):
            new = f"{source.text(span_of(module))}.{buffer} = {source.text(span_of(value))}"
            return Change(file, span_of(statement), new)
    return None


def _in_objects(effect: Effect) -> Iterator[Change | None]:
    """Yield objects, which each stay what they are where integers lose digits among floats.

    So they do in lists and rows that an array or a table is made of, and where columns become one.
    """
    call = _Call.at(effect.location)
    if call is not None and name_of(call.node) in _OF_LISTS and call.named is None:
        yield _typed(call.file, call.node, Candidate(call.node, keyword="dtype=object"))
    place = LOCATIONS[effect.location]
    node = operand_of(effect, effect.against) if place.name in MIXES else _table_of_row(place)
    if node is not None:
        yield _typed(place.file, node, Candidate(node, f"{HOLE}.astype(object)"))


def _table_of_row(place: Location) -> ast.expr | None:
    """Return the table that a row is taken of, by its place or its label."""
    match source_file(place.file).find(place.span):
        case ast.Subscript(ast.Attribute(table, name)) if name in _ROWS:
            return table
    return None


def _of_integers(effect: Effect) -> list[Change | None]:
    """Return changes that keep integers what they are, in a list or in a sum."""
    return [*_in_arrays(effect, effect.enough), *_of_terms(effect)]


def _in_arrays(effect: Effect, d: DType | None) -> Iterator[Change | None]:
    """Yield an array of integers for a list that a function would make floats of."""
    call = _Call.at(effect.location)
    if call is None or name_of(call.node) not in LISTED or not call.node.args:
        return
    given, module = call.node.args[0], getattr(call.node.func, "value", None)
    if isinstance(module, ast.Name):
        own = "object" if d is None else spell(d, "NumPy", call.names).text
        made = f"{module.id}.array({HOLE}, dtype={own})"
        yield _typed(call.file, call.node, Candidate(given, made))


def _of_terms(effect: Effect) -> Iterator[Change | None]:
    """Yield a cast of each term of a sum of integers that two of them made floats of.

    The term that has the other sign is the one to cast, to the integers that come later.
    """
    place, dtypes = LOCATIONS[effect.location], [op.dtype for op in effect.operands]
    if place.form != "operator" or [d.kind == "float" for d in dtypes] != [True, False]:
        return
    node, terms = operand_of(effect, 0), []
    while isinstance(node, ast.BinOp):
        terms.append(node.right)
        node = node.left
    source, d = source_file(place.file), dtypes[1]
    for term in (node, *terms[::-1]) if node is not None and terms and d.kind in _WHOLE else ():
        names = Names(source, term)
        spelled = cast(d, effect.operands[1].library, names, scalar=False)
        yield _typed(place.file, term, Candidate.of(term, spelled))


def _of_listed(effect: Effect) -> Iterator[Change | None]:
    """Yield a cast of the columns of a table that is put below others, which lack them.

    It may be that all have a column, which has to be cast in each.
    """
    call = _Call.at(effect.location)
    if call is not None and name_of(call.node) == STACKS and call.node.args:
        lists = [n for n in ast.walk(call.node.args[0]) if isinstance(n, ast.List)]
        for table in (table for one in lists for table in one.elts):
            yield _typed(call.file, table, libraries.of_columns(effect, table))
        for one, part in ((one, part) for one in lists for part in effect.parts):
            casts = (libraries.of_columns(effect, x, (part,)) for x in one.elts)
            yield _typed(call.file, one, *casts)


def _of_number(effect: Effect) -> Iterator[Change | None]:
    """Yield a float for a number of Python's whose powers, or products, no integer holds."""
    place = LOCATIONS[effect.location]
    for index, op in enumerate(effect.operands if place.form == "operator" else ()):
        node = operand_of(effect, index)
        if op.is_python and op.dtype.kind in _WHOLE and isinstance(node, ast.Name):
            yield _typed(place.file, node, Candidate(node, f"float({HOLE})"))


def _of_matrix(effect: Effect) -> Iterator[Change | None]:
    """Yield objects for a matrix of integers whose power no integer holds: they are exact."""
    place = LOCATIONS[effect.location]
    node = operand_of(effect, 0) if effect.operands else None
    is_power = place.name == "matrix_power" or _MATRIX in effect.remark
    if is_power and node is not None:
        yield _typed(place.file, node, Candidate.of(node, Spelling(f"{HOLE}.astype(object)")))


def _in_floats(effect: Effect) -> Iterator[Change | None]:
    """Yield float64 for a power, a product, or a sum, that no integer has a place for."""
    call, place = _Call.at(effect.location), LOCATIONS[effect.location]
    is_whole = all(op.dtype.kind in _WHOLE for op in effect.operands)
    is_product = call is not None and facts_of(name_of(call.node)).category == "contraction"
    if (place.form == "operator" or is_product) and is_whole:
        yield from _operands_in(effect, by_name("float64"))
    if call is None or is_product or not facts_of(name_of(call.node)).is_accumulating:
        return
    library = next((op.library for op in effect.operands), "")
    new = spell(by_name("float64"), library, call.names)
    change = Candidate.of(call.named, new) if call.named is not None else None
    change = change or Candidate(call.node, keyword=f"dtype={new.text}")
    yield _typed(call.file, call.node, change)


def _operands_in(effect: Effect, d: DType) -> Iterator[Change | None]:
    """Yield a cast of one operand after the other to a dtype that may lose what they have."""
    file = LOCATIONS[effect.location].file
    for index, op in enumerate(effect.operands):
        node = operand_of(effect, index)
        if node is not None and is_strong(op):
            names, is_scalar = Names(source_file(file), node), op.form == "scalar"
            spelled = cast(d, op.library, names, scalar=is_scalar)
            yield _typed(file, node, Candidate.of(node, spelled))


def _of_cast(origin: Origin, effect: Effect) -> Iterator[Change | None]:
    """Yield another dtype for an operation that is given one, unless that is a format's."""
    call = _Call.at(effect.location)
    if call is not None and call.named is None and name_of(call.node) in CASTS:
        call = call._replace(named=next(iter(call.node.args), None))  # it changes the dtype
    if call is None or call.named is None or effect.enough is None:
        return
    if facts_of(name_of(call.node)).converts and family(effect.enough) == "integer":
        return  # 16 bits of sound are not to become 32: what is converted has to fit
    library = next((op.library for op in effect.operands), origin.library)
    new = spell(effect.enough, library, call.names)
    yield _typed(call.file, call.node, Candidate.of(call.named, new))


def _of_all_named(origin: Origin, effect: Effect, want: DType) -> Iterator[Change | None]:
    """Yield another dtype for a cast between integers, wherever its file names it, and alone.

    What is written in a format is read in it: 16 bits have to be as many in both places.
    """
    call = _Call.at(origin.location, origin.dtype)
    if call is None or call.named is None or not isinstance(call.named, ast.Attribute):
        return
    are_integers = all(family(op.dtype) == "integer" for op in effect.operands)
    if not are_integers or bits(origin.dtype) != _SAMPLE or not bits(want) > _SAMPLE:
        return
    written, source = ast.dump(call.named), source_file(call.file)
    nodes = [n for n in ast.walk(source.tree) if isinstance(n, ast.Attribute)]
    same = [n for n in nodes if ast.dump(n) == written]
    new = [
        _typed(call.file, n, Candidate.of(n, spell(want, origin.library, Names(source, n))))
        for n in sorted(same, key=lambda n: n is not call.named)
    ]
    if 1 < len(new) <= _MOST and new[0] is not None and None not in new:
        yield new[0]._replace(others=tuple(new[1:]))  # type: ignore[arg-type]  # there is no None
    yield new[0]


def _at_operands(effect: Effect, want: DType, was: DType | None = None) -> Iterator[Change | None]:
    """Yield a cast of each operand that has a dtype, or another than is wanted; and of all."""
    place = LOCATIONS[effect.location]
    source = source_file(place.file)
    whole, every = source.expression(place.span), []
    if isinstance(whole, ast.Call) and (is_cast_method(whole) or facts_of(place.name).converts):
        return  # what it gives has the dtype that is named, whatever it is given
    for index, (op, at) in enumerate(zip(effect.operands, effect.spans, strict=False)):
        if is_changed(place, index, at):
            continue  # what a cast gives is another array, and the one that is meant stays
        node = operand_of(effect, index)
        is_other = op.dtype is was if was is not None else op.dtype is not want
        if node is None or not is_strong(op) or not is_other or effect.spans.count(at) > 1:
            continue
        everywhere = for_all(effect, index, want)
        if everywhere is None:
            continue
        is_complex = op.dtype.kind == "complex"
        d = by_name(f"complex{2 * bits(everywhere)}") if is_complex else everywhere
        names = Names(source, node)
        written = ((x, operand_of(effect, i)) for i, x in enumerate(effect.operands))
        given = at_hand(source, written, d, op.library)
        spelled = cast(d, op.library, names, scalar=op.form == "scalar", at_hand=given)
        if (of_dtype := read_dtype(source, node)) is not None:
            node, spelled = of_dtype, spell(d, op.library, names)
        candidate = Candidate.of(node, spelled)
        if candidate is not None:
            every.append(candidate)
            yield _typed(place.file, node, candidate)
    if whole is not None and len(every) > 1:
        yield _typed(place.file, whole, *every)


def _narrow_again(origin: Origin, effect: Effect) -> Iterator[Change | None]:
    """Yield what a statement computes in more bits, cast back to half precision as a whole.

    So the sum before a mean has a place, and what goes on with the mean has the dtype that it had.
    """
    place = LOCATIONS[effect.location]
    source = source_file(place.file)
    node, value = source.find(place.span), getattr(source.statement(place.span), "value", None)
    if effect.enough is None or node is value or not isinstance(value, ast.BinOp):
        return
    if not isinstance(node, ast.expr) or bits(origin.dtype) >= SINGLE:
        return
    wide = suggest(origin, effect, effect.enough)
    was, whole = source.text(wide.span), source.text(span_of(value))
    back = cast(origin.dtype, origin.library, Names(source, value), unlike=True)
    if wide.text and wide.file == place.file and whole.count(was) == 1 and back is not None:
        text = back.text.replace(HOLE, f"({whole.replace(was, wide.text)})")
        yield Change(place.file, span_of(value), text, wide.needs or back.needs)


def _of_result(origin: Origin, effect: Effect, want: DType) -> Iterator[Change | None]:
    """Yield a cast of what comes out of an operation."""
    place = LOCATIONS[effect.location]
    source = source_file(place.file)
    node = source.find(place.span)
    if isinstance(node, ast.expr) and effect.result is not None:
        spelled = cast(want, origin.library, Names(source, node), scalar=False)
        yield _typed(place.file, node, Candidate.of(node, spelled))
