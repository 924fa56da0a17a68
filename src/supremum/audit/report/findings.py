"""The findings of a log: causes, those that cost most first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING

from ...core.dtypes import DType, by_name
from ...core.errors import SupremumError
from ...core.functions import facts_of
from ..kinds import FORBIDDEN, KNOWN, WIDE_STORAGE, Wanted, base_name, find, rank
from ..model import rows
from ..model.dtypes import SINGLE, bits, family, is_strong
from ..model.locations import LOCATIONS, Location, Span
from ..model.log import Log
from ..model.provenance import Effect, Origin
from ..model.rows import TOO_NARROW
from .places import Introduction, Mark, Place, located
from .report import Candidate, Finding, Predicted

if TYPE_CHECKING:
    from ..edits.candidates import Change


def results(log: Log) -> tuple[tuple[str, int], ...]:
    """Return how many operations gave each dtype, in the order of the dtypes' names."""
    found: dict[str, int] = {}
    for origin in list(log.origins.values()):
        if origin.operations:
            found[origin.dtype.name] = found.get(origin.dtype.name, 0) + origin.operations
    return tuple(sorted(found.items()))


def predicted(lines: Mapping[int, Iterable[tuple[str, str]]]) -> tuple[Predicted, ...]:
    """Return the places that a target observed, in the order of the source."""
    found = []
    for index, pairs in lines.items():
        location = LOCATIONS[index]
        was, would = (tuple(sorted(set(names))) for names in zip(*pairs, strict=True))
        found.append(
            Predicted(location.file, location.line, location.column, location.text, was, would)
        )
    return tuple(sorted(found))


def findings(
    log: Log, kinds: Iterable[str] | None = None, *, tries: bool = False
) -> tuple[Finding, ...]:
    """Return what a log has: the findings that cost most first, notes last.

    Args:
        log: the log.
        kinds: the kinds to tell of; by default all.
        tries: whether each has its candidates, for somebody who tries them.
    """
    chosen = set(KNOWN if kinds is None else kinds)
    found, origins = [], list(log.origins.values())
    wider = [origin for origin in origins if _gets_room(origin)]
    given_room = {row.location for o in wider for row in o.rows if row.role == TOO_NARROW}
    casts, needs, coarse = casts_of(log), _room_needed(origins), _too_coarse(origins)
    for origin in origins:
        effects = [
            _with_room(m, needs) for m in reported(origin, casts)
            if base_name(m.kind) in chosen
            and not _makes_finer(m, coarse)
            and not (m.location in given_room and find(m.kind).wants is Wanted.STORED_INTO)
        ]  # fmt: skip
        if effects:
            found.append((origin.index, findings_of(origin, effects, tries=tries)))
    found.sort(key=lambda pair: _order(pair[1], pair[0]))
    return _agreed([finding for _, finding in found])


def _gets_room(origin: Origin) -> bool:
    """Return whether an array is to be wider for what is stored in it."""
    return any(m.enough is not None and LOCATIONS[m.location].form == "store"
               for m in origin.effects.values())  # fmt: skip


def _too_coarse(origins: Iterable[Origin]) -> set[tuple[str, DType]]:
    """Return the dtypes of half precision that some values have no place in, by file."""
    found = set()
    for origin in origins:
        for m in list(origin.effects.values()):
            own = m.result or origin.dtype
            is_lost = find(m.kind).is_of_values and m.enough is not None
            if is_lost and family(own) == "inexact" and bits(own) < SINGLE:
                found.add((LOCATIONS[m.location].file, own))
    return found


def _makes_finer(m: Effect, coarse: Collection[tuple[str, DType]]) -> bool:
    """Return whether an operand is widened whose dtype was found to be too coarse."""
    file, kind = LOCATIONS[m.location].file, find(m.kind)
    is_known = kind.widens and bool(m.operands)
    return is_known and (file, m.operands[m.against].dtype) in coarse


def _room_needed(origins: Iterable[Origin]) -> dict[tuple[str, Span | None], DType]:
    """Return the integers that operands of what wraps around need, by where they are written."""
    found: dict[tuple[str, Span | None], DType] = {}
    for effect in (m for origin in origins for m in list(origin.effects.values())):
        place = LOCATIONS[effect.location]
        if effect.kind == "wraparound" and effect.enough is not None and effect.spans:
            at = effect.spans[effect.against]
            span = place.spans[at] if at < len(place.spans) else None
            found[place.file, span] = effect.enough
    return found


def _with_room(effect: Effect, needs: Mapping[tuple[str, Span | None], DType]) -> Effect:
    """Return what wraps around with the room that what is computed of it needs, too."""
    place, own = LOCATIONS[effect.location], effect.enough
    more = needs.get((place.file, place.span))
    if effect.kind != "wraparound" or own is None or more is None or bits(own) >= bits(more):
        return effect
    roomy = copy(effect)
    roomy.enough = more
    return roomy


def casts_of(log: Log) -> rows.Rows:
    """Return how often each place of a log casts to a dtype with less room."""
    origins = list(log.origins.values())
    effects = (m.rows for origin in origins for m in list(origin.effects.values()))
    return rows.casts((*(origin.rows for origin in origins), *effects))


def reported(origin: Origin, casts: rows.Rows) -> Iterator[Effect]:
    """Yield what came of a cause, as far as it is reported.

    What is widened is not if each result is cast at once, nor what the target makes narrower.

    Args:
        origin: the cause.
        casts: the casts of the log.
    """
    for effect in list(origin.effects.values()):
        known = find(effect.kind)
        is_for_room = known.widens or known.is_of_target
        back = rows.cast_back(casts, LOCATIONS[effect.location]) if is_for_room else 0
        kind = known.reported_as(origin, effect) if back < max(effect.count, 1) else ""
        if kind == effect.kind:
            yield effect
        elif kind:
            reported = copy(effect)  # the recorder goes on with the other
            reported.kind = kind
            yield reported


def _order(finding: Finding, index: int) -> tuple[bool, bool, int, int]:
    """Return what findings are sorted by: those that make values wrong come first, notes last."""
    kind = find(finding.kind)
    tells_values = kind.is_of_values or kind.wants is Wanted.STORED_INTO
    is_wrong = kind.is_wrong or kind.is_declared or (tells_values and bool(finding.places[0].told))
    return finding.severity == "note", not is_wrong, -finding.bytes, index


def _agreed(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings without the suggestions that contradict each other.

    Code that runs with arrays of several dtypes may be the cause of several findings.
    """
    fixes: dict[tuple[str, Span], set[str]] = {}
    for finding in found:
        fixes.setdefault((finding.file, finding.span), set()).add(finding.suggestion)
    return tuple(
        f if len(fixes[f.file, f.span]) == 1 else f._replace(suggestion="", needs="") for f in found
    )


def findings_of(origin: Origin, effects: Sequence[Effect], *, tries: bool = False) -> Finding:
    """Return the finding that a cause is, with what came of it; `tries` as in `findings`."""
    from ..edits import alternatives  # for those who find something, as what follows
    from ..edits.causes import cause_span, number_span, suggest

    names = sorted({m.kind for m in effects}, key=rank)
    first = next(m for m in effects if m.kind == names[0])
    want = _wanted(origin, sorted(effects, key=lambda m: rank(m.kind)))
    # a cause that widens is changed as such, whatever else it does
    others = [m for m in effects if base_name(m.kind) != FORBIDDEN]
    leading = min(others, key=lambda m: rank(m.kind), default=first)
    wide, narrow = bits(origin.dtype), bits(want)
    saved = origin.bytes * max(wide - narrow, 0) // wide if wide and narrow else 0
    saved += origin.copied
    change = suggest(origin, leading, want)
    itself = LOCATIONS[origin.location]._replace(span=cause_span(origin))
    here = itself._replace(file=change.file, span=change.span)
    leaks = here != itself  # what changes is where a width leaks that is meant
    ordered = sorted(effects, key=lambda m: (not (leaks and _is_at(m, here)), m is not first))
    return Finding(
        names=tuple(names),
        **located(here),
        dtype=origin.dtype.name,
        elsewhere=origin.operand is not None and number_span(origin) is None,
        count=max(origin.operations, sum(m.count for m in effects)),
        bytes=saved if any(find(m.kind).costs_memory for m in effects) else 0,
        suggestion=change.text,
        needs=change.needs,
        explanation=_explained(leading),
        places=tuple(_place(m, origin if leaks else None) for m in ordered),
        candidates=candidates_of(
            alternatives.of_finding(origin, leading, want, change.text) if tries else ()
        ),
    )


def candidates_of(changes: Iterable[Change]) -> tuple[Candidate, ...]:
    """Return changes as a report has them."""
    return tuple(
        Candidate(
            Introduction(**located(Location(c.file, c.span, "", ""))), c.text, c.needs,
            candidates_of(c.others),
        )
        for c in changes
    )  # fmt: skip


def _is_at(m: Effect, place: Location) -> bool:
    """Return whether an effect is at some location, rather than in a part of it or elsewhere."""
    return LOCATIONS[m.location][:2] == place[:2]


def _wanted(origin: Origin, effects: Sequence[Effect]) -> DType:
    """Return the dtype that would have stayed if it were not for the cause."""
    wanted = next(filter(None, (_wanted_by(m, origin.dtype) for m in effects)), None)
    if wanted is None and any(base_name(m.kind) == FORBIDDEN for m in effects):
        return by_name(_NARROWER.get(origin.dtype.name, origin.dtype.name))
    return wanted or origin.dtype


def _wanted_by(m: Effect, d: DType) -> DType | None:
    """Return the dtype that would have stayed in the place of another, by one effect of it."""
    wants = find(m.kind).wants
    if m.enough is not None:
        return m.enough
    if wants is Wanted.RESULT:
        return m.result
    if wants is Wanted.STORED_INTO:
        return _part(m.operands[0].dtype, d)
    if m.remark:
        return None
    if wants is Wanted.NARROW_OPERAND:
        return _part(m.operands[m.against].dtype, d)
    return _part(_other_dtype(m), d) if wants is Wanted.OTHER_OPERAND else None


def _other_dtype(m: Effect) -> DType:
    """Return the dtype of the first float among the operands, or of one that fares well."""
    floats = [op.dtype for op in m.operands if family(op.dtype) == "inexact"]
    others = [op.dtype for i, op in enumerate(m.operands) if i != m.against]
    return next(iter((*floats, *others)), m.operands[m.against].dtype)


_NARROWER = {
    "float64": "float32", "float32": "float16", "complex128": "complex64",
    "int64": "int32", "int32": "int16", "uint64": "uint32", "uint32": "uint16",
    "longdouble": "float64", "clongdouble": "complex128",
}  # fmt: skip


def _part(d: DType, like: DType) -> DType:
    """Return a dtype of the kind of another, with the width of the first."""
    if like.kind == "complex" and d.kind == "float":
        return by_name(f"complex{2 * bits(d)}")
    return d.part if like.kind == "float" else d


def _place(m: Effect, origin: Origin | None = None) -> Place:
    """Return where an effect is, with where an origin was introduced, if that is elsewhere."""
    location: Location = LOCATIONS[m.location]
    marks = []
    for i, op in enumerate(m.operands):
        index = m.spans[i]
        span = location.spans[index] if index < len(location.spans) else None
        introduced = m.introductions[i]
        if origin is not None and origin.location != m.location:
            is_wide = op.dtype is origin.dtype and is_strong(op)
            introduced = origin.location if is_wide else introduced
        marks.append(Mark(location.operand_text(index), op.text, span, introduction(introduced)))
    return Place(
        **located(location),
        name=m.kind,
        operands=tuple(marks),
        result=m.result.name if m.result else None,
        count=m.count,
        told=m.remark,
    )


def introduction(location: int | None) -> Introduction | None:
    """Return a place where a dtype was introduced."""
    return Introduction(**located(LOCATIONS[location])) if location is not None else None


def _explained(m: Effect) -> str:
    """Return why the library gave what it gave, by its own rules."""
    is_told = bool(m.remark) and find(m.kind).is_of_values
    if m.rules is None or not m.operands or is_told or m.kind == WIDE_STORAGE:
        return ""
    if m.operator is None and find(m.kind).wants is Wanted.STORED_INTO:  # nothing is promoted
        return ""
    own = m.rules.library.float64_functions if m.rules.library else ()
    if facts_of(LOCATIONS[m.location].name).name in own:  # whatever it is given
        return ""
    try:
        explained = m.rules.explain(*m.operands, op=m.operator)
    except SupremumError:
        try:  # these rules may have no rule of the function
            explained = m.rules.explain(*m.operands)
        except SupremumError:
            return ""
    return str(explained) if m.result in (None, explained.result) else ""
