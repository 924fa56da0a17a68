"""Every order of a few dtypes, and what the core says of each: what searches are held against."""

from itertools import permutations

from supremum.custom import AmbiguousJoinError, Lattice, PromotionSystem, criteria
from supremum.design import COSTS


def orders(dtypes):
    """Yield every order of some dtypes as its set of pairs, by adding one after another."""
    if not dtypes:
        yield frozenset()
        return
    *rest, new = dtypes
    for order in orders(rest):
        yield from extended(order, rest, new)


def extended(order, nodes, new):
    """Yield every order that some nodes have with one more, and among themselves as before."""
    for below in subsets(nodes):
        if any(b in below and a not in below for a, b in order):
            continue
        for above in subsets([d for d in nodes if d not in below]):
            if any(a in above and b not in above for a, b in order):
                continue
            if all((a, b) in order for a in below for b in above):
                yield order | {(a, new) for a in below} | {(new, b) for b in above}


def subsets(items):
    for mask in range(1 << len(items)):
        yield {item for i, item in enumerate(items) if mask >> i & 1}


def lattice_of(dtypes, order):
    """Return the lattice of an order, or None if it is none."""
    try:
        return Lattice({a: [b for b in dtypes if (a, b) in order] for a in dtypes})
    except AmbiguousJoinError:
        return None


def counted(lattice):
    """Return the costs of a lattice as `criteria` counts them, and those that it does not."""
    rules = PromotionSystem.from_lattice(lattice, "tried")
    met = criteria(rules)
    found = {c.name: len(c.cases) for c in met.counted} | {"undefined": met.refused}
    for name in COSTS.keys() - found.keys():
        pairs = {frozenset(pair) for pair in permutations(lattice.nodes, 2)}
        found[name] = sum(
            COSTS[name](tuple(pair), lattice.join(*pair))
            for pair in pairs
            if lattice.minimal_upper_bounds(*pair)
        )
    return found


def lattices(spec):
    """Yield every lattice under a spec as its order and its costs."""
    required, forbidden = set(spec.required), set(spec.forbidden)
    for order in orders(spec.dtypes):
        if required <= order and not forbidden & order:
            lattice = lattice_of(spec.dtypes, order)
            if lattice is not None:
                costs = counted(lattice)
                if not any(costs[name] for name in spec.never):
                    yield order, costs
