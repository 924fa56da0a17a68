"""Every arrow of JAX's lattice matters: without it, or led elsewhere, the answers differ."""

import json
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

import supremum
from supremum import Lattice, LatticeError
from supremum.core.dtypes import from_code
from supremum.core.systems.jax import ARROWS, NARROW_ARROWS

GOLDEN = Path(__file__).parents[2] / "golden" / "jep9407_jax_numpy.json"

LATTICE = Lattice(ARROWS + NARROW_ARROWS)
EVERY_ARROW = [(a, b) for a, ups in LATTICE.arrows.items() for b in ups]


def join(lattice, pair):
    bounds = lattice.minimal_upper_bounds(*pair)
    return bounds[0] if bounds else None


def expected():
    """Return the joins that the written table gives, and those with narrow dtypes."""
    rows = json.loads(GOLDEN.read_text(encoding="utf-8"))["table"]
    found = dict.fromkeys(combinations_with_replacement(LATTICE, 2))
    for a, b in found:
        if a in rows and b in rows:
            found[a, b] = rows[a][b]
        elif (node := beside_a_narrow_dtype(a, b)) is not None:
            found[a, b] = node
    return found


def beside_a_narrow_dtype(a, b):
    """Return the join of a narrow dtype and another: itself above bool and what is weak."""
    narrow, other = (a, b) if a in NARROW else (b, a)
    integers = {f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64)}
    below = {"b", "i*", narrow}
    if from_code(narrow).kind == "float":
        below |= {"f*", *integers}
    return narrow if other in below else None


NARROW = {n for n in LATTICE if n not in json.loads(GOLDEN.read_text(encoding="utf-8"))["table"]}
EXPECTED = expected()


def verdict(arrows):
    """Return how a mutant dies: ``"refused"`` when it is built, ``"differs"`` in a join, or not."""
    try:
        mutant = Lattice(arrows)
    except LatticeError:
        return "refused"
    differs = any(join(mutant, pair) != answer for pair, answer in EXPECTED.items())
    return "differs" if differs else "survives"


def mutants(a, b):
    """Return the arrows without the one from `a` to `b`, and with it to every other node."""
    for head in (None, *(n for n in LATTICE if n not in (a, b))):
        arrows = {n: [m for m in ups if (n, m) != (a, b)] for n, ups in LATTICE.arrows.items()}
        if head is not None:
            arrows[a].append(head)
        yield head, arrows


def test_jaxs_own_arrows_answer_as_written():
    assert {pair: join(LATTICE, pair) for pair in EXPECTED} == EXPECTED
    assert verdict(LATTICE.arrows) == "survives"
    assert (len(EVERY_ARROW), len(LATTICE), len(NARROW)) == (41, 35, 17)


def test_the_rules_are_built_from_these_arrows():
    by_code = {from_code(n): [from_code(m) for m in ups] for n, ups in LATTICE.arrows.items()}
    assert supremum.system("jax").lattice == Lattice(by_code)


@cache
def verdicts(a, b):
    return {head: verdict(arrows) for head, arrows in mutants(a, b)}


@pytest.mark.parametrize(("a", "b"), EVERY_ARROW, ids=[f"{a} to {b}" for a, b in EVERY_ARROW])
def test_no_mutant_of_an_arrow_survives(a, b):
    found = verdicts(a, b)
    assert [head for head, verdict in found.items() if verdict == "survives"] == []
    assert len(found) == 34  # without it, and to each node but its own two


def test_all_mutants_are_killed():
    killed = Counter(verdict for a, b in EVERY_ARROW for verdict in verdicts(a, b).values())
    assert killed == {"refused": 285, "differs": 1109}
    assert killed.total() == 41 * 34
