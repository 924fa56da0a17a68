"""Searches against brute force: every order of a few dtypes, judged by the core."""

import sys
from itertools import combinations, permutations
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from orders import counted, extended, lattice_of, lattices, orders  # it lies there

import supremum
from supremum import design
from supremum.design import lattice_of as lattice_of_rules
from supremum.design.costs import Tie, answered
from supremum.design.posing import wishes

pytestmark = pytest.mark.thorough

FREE = ("dropped component",)
SETS = {
    "integers": ("i8 u8 i16 u16", "", FREE),
    "floats": ("f16 bf16 f32 f64", "", ()),
    "mixed": ("u8 i8 i16 f16", "i8, u8 -> i16", FREE),
    "weak": ("i* i8 f* f16", "i* -> i8", FREE),
    "loophole": ("i64 f* c* f64 c128", "f* -> f64 -> c128; c* -> c128", FREE),
    "closed": ("i64 f* c* f64 c128", "f* -> f64 -> c128; c* -> c128", design.NEVER),
    "two formats": ("float8_e4m3fn float8_e5m2 f16 bf16 f32", "f16, bf16 -> f32", FREE),
    "strict": ("b u8 i8 f16 bf16", "b -> u8, i8", design.NEVER),
}
COSTS = {
    "order": ("undefined", "precision loss", "wider result"),
    "other order": ("wider result", "overflow", "undefined"),
    "weights": {"undefined": 3, "overflow": 2, "precision loss": 2, "wider result": 1},
    "one": ("precision loss",),
    "bits": ("undefined", "precision loss", "lost bits"),
}


def test_all_orders_are_tried():
    known = {1: 1, 2: 3, 3: 19, 4: 219}  # how many labelled orders there are
    for count, number in known.items():
        found = list(orders("abcd"[:count]))
        assert len(found) == len(set(found)) == number


def asked(name, **more):
    dtypes, require, never = SETS[name]
    return design.spec(dtypes, **{"require": require, "never": never, "name": name, **more})


def best(found, costs):
    def rank(counts):
        if isinstance(costs, dict):
            return [sum(weight * counts[name] for name, weight in costs.items())]
        return [counts[name] for name in costs]

    least = min(rank(counts) for _, counts in found)
    return {order for order, counts in found if rank(counts) == least}, least


@pytest.mark.parametrize("costs", COSTS.values(), ids=COSTS)
@pytest.mark.parametrize("name", SETS)
def test_the_search_finds_all_that_are_best(name, costs):
    spec = asked(name, costs=costs)
    wanted, _ = best([*lattices(spec)], costs)
    found = design.search(spec, ties=10_000)
    assert found.proven
    assert found.complete
    assert {d.order for d in found.designs} == wanted
    assert len(found.designs) == len(wanted)
    if len(wanted) <= 20:  # few are searched for one by one
        few = design.search(spec, ties=20)
        assert few.complete
        assert {d.order for d in few.designs} == wanted


@pytest.mark.parametrize("name", SETS)
def test_what_a_design_says_of_itself_is_what_the_core_says(name):
    for one in design.search(asked(name), ties=20).designs:
        assert supremum.laws(one.system()).hold
        costs = counted(one.lattice)
        assert {n: costs[n] for n in one.costs} == dict(one.costs)
        assert design.costs_of(one.lattice) == costs
        arrows = [*asked(name).required, *one.added]
        above = {a: [b for c, b in arrows if c is a] for a in one.dtypes}
        assert supremum.custom.Lattice(above) == one.lattice


def complex_of_reals(lattice):
    return {
        (a.name, b.name)
        for a, b in combinations(lattice.nodes, 2)
        if "complex" not in (a.kind, b.kind)
        and [c for c in lattice.minimal_upper_bounds(a, b) if c.kind == "complex"]
    }


def test_the_loophole_is_one_and_is_closed():
    costs = ("undefined", "precision loss")
    sent = design.search(asked("loophole", costs=costs), ties=1000)
    assert any(("int64", "float64") in complex_of_reals(d.lattice) for d in sent.designs)
    closed = design.search(asked("closed", costs=costs), ties=1000)
    assert closed.complete
    assert not any(complex_of_reals(d.lattice) for d in closed.designs)


CONTRADICTIONS = {
    "cycle": ("i8 -> i16 -> i32 -> i8", "", ()),
    "both": ("i8 -> i16 -> i32", "i8 -> i32", ()),
    "two bounds": ("u8, i8 -> i16, f16", "i16 -> f16; f16 -> i16; i8 -> u8; u8 -> i8", ()),
    "rules": ("u8, i8 -> i16, f16", "i16 -> f16", ("dropped component", "overflow")),
    "loss": ("float8_e4m3fn, float8_e5m2 -> f16, bf16", "", ("overflow", "precision loss")),
    "undefined": ("i8 -> i16", "u8 -> i16; i8 -> u8", ("undefined", "overflow")),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_the_smallest_contradiction_is_named(name):
    require, forbid, never = CONTRADICTIONS[name]
    spec = design.spec(require=require, forbid=forbid, never=never, name=name)
    known = [(order, counted(found)) for order in orders(spec.dtypes)
             if (found := lattice_of(spec.dtypes, order))]  # fmt: skip

    def is_had(kept):
        def meets(order, costs):
            return all(
                {"require": wish.of in order, "forbid": wish.of not in order,
                 "never": not costs.get(wish.of)}[wish.kind]
                for wish in kept
            )  # fmt: skip

        return any(meets(order, costs) for order, costs in known)

    sets = (kept for n in range(9) for kept in combinations(wishes(spec), n) if not is_had(kept))
    smallest = next(sets)
    with pytest.raises(design.ContradictionError) as caught:
        design.search(spec)
    error = caught.value
    assert error.smallest
    assert len(error.wishes) == len(smallest)
    assert not is_had(error.wishes)
    assert all(str(wish) in str(error) for wish in error.wishes)


PLACES = {
    "half": ("f16", "i* -> f* -> c*"),
    "unsigned": ("u8", "i* -> i8 -> i16"),
    "two": ("i32 u32", "i* -> f*"),
    "bfloat": ("bf16", "f* -> f16 -> f32"),
    "below a half": ("u16", "i16 -> i32 -> f16 -> f32"),
}
TIED = """
                   float8_e4m3fn float8_e5m2 f16 bf16 f32
    float8_e4m3fn  float8_e4m3fn f16         f16 bf16 f32
    float8_e5m2    f16           float8_e5m2 f16 bf16 f32
    f16            f16           f16         f16 f32  f32
    bf16           bf16          bf16        f32 bf16 f32
    f32            f32           f32         f32 f32  f32
"""


def places(base, new, never):
    """Return the orders of a base with new dtypes that are lattices, without what is ruled out."""
    found = {frozenset((a, b) for a, b in permutations(base.nodes, 2) if base.leq(a, b))}
    nodes = [*base.nodes]
    for d in new:
        found = {wider for order in found for wider in extended(order, nodes, d)}
        nodes.append(d)
    dtypes = [d for d in nodes if not isinstance(d, Tie)]
    wanted = set()
    for order in found:
        lattice = lattice_of(nodes, order)
        if lattice is not None and not any(
            design.COSTS[cost](pair, join)
            for pair in combinations(dtypes, 2)
            for join in [answer_of(lattice, pair)]
            for cost in never
            if not (set(pair) <= set(base.nodes) and join is answer_of(base, pair))
        ):
            wanted.add(order)
    return wanted


def answer_of(lattice, pair):
    return answered((lattice.minimal_upper_bounds(*pair) or (None,))[0])


@pytest.mark.parametrize("never", [(), ("overflow",), ("overflow", "precision loss")])
@pytest.mark.parametrize(("new", "base"), PLACES.values(), ids=PLACES)
def test_every_place_for_a_new_dtype_is_found(new, base, never):
    rules = supremum.custom.PromotionSystem.from_lattice(base, "base")
    dtypes = design.spec(new).dtypes
    never = (*design.INSERTED_NEVER, *never)
    wanted = places(rules.lattice, dtypes, never)
    asked = design.spec(never=never)
    if not wanted:
        with pytest.raises(design.ContradictionError):
            design.insert(dtypes, rules, spec=asked)
        return
    found = design.insert(dtypes, rules, spec=asked)
    assert found.complete
    assert {place.order for place in found.places} == wanted


@pytest.mark.parametrize("new", ["i8", "float8_e4m3b11fnuz", "f64", "float8_e5m2"])
def test_every_place_in_a_lattice_with_ties_is_found(new):
    rules = supremum.custom.PromotionSystem.from_table(TIED, name="tied")
    (d,) = design.spec(new).dtypes
    found = design.insert(d, rules, everything=True)
    whole = lattice_of_rules(rules, rules.dtypes)
    base = whole.restricted_to([node for node in whole if node is not d])
    assert [n.answer.name for n in base if isinstance(n, Tie)] == ["float16"]
    assert found.complete
    assert {place.order for place in found.places} == places(base, [d], design.INSERTED_NEVER)
    assert (found.present is not None) == (d in rules.dtypes)
    if found.present is not None:
        assert found.present.lattice == whole


def test_the_lattice_of_answers_has_these_answers():
    has_one = set()
    for name in supremum.systems():
        rules = supremum.system(name)
        dtypes = [d for d in rules.dtypes if d.is_common or name == "tinygrad"]
        try:
            lattice = lattice_of_rules(rules, dtypes)
        except supremum.RulesError:
            continue
        has_one.add(name)
        for pair in combinations(dtypes, 2):
            assert answer_of(lattice, pair) is answer(rules, pair), (name, pair)
    assert {"jax", "tinygrad", "jep9407-option1"} <= has_one
    assert not {"torch", "numpy", "tensorflow"} & has_one


def answer(rules, pair):
    try:
        return rules.promote_types(*pair)
    except supremum.PromotionError:
        return None


@pytest.mark.parametrize("name", ["torch", "numpy", "jax-original"])
def test_rules_without_a_lattice_say_why(golden, name):
    with pytest.raises(supremum.RulesError) as caught:
        design.insert("uint16", name)
    golden(caught.value)


def test_of_two_losses_that_of_fewer_bits_is_better():
    never = ["dropped component", "undefined"]
    asked = design.spec("i64 u64 bf16 f64", never=never, forbid="i64 -> u64; u64 -> i64")
    for one in design.search(asked, ties=100).designs:
        assert answer_of(one.lattice, asked.dtypes[:2]).name == "float64"
    bits = design.COSTS["lost bits"]
    assert [bits(asked.dtypes[:2], d) for d in asked.dtypes[2:]] == [56, 11]
