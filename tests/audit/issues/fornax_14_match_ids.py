"""digicatapult/fornax#14: identifiers beside weights match no node.

A list of both becomes an array of float64, in which identifiers above 2**53 are others.
"""

import numpy as np


def load_matches():
    rng = np.random.default_rng(42)
    rows = []
    for query in range(6):
        for _ in range(4):
            target = int(rng.integers(2 ** 60, 2 ** 62))
            rows.append((query, target, round(float(rng.random()), 4)))
    return rows


class Base:
    columns = []

    def __init__(self, *args, **kwargs):
        self.table = np.atleast_2d(np.array(*args, **kwargs))  # <- precision-loss
        # fixed: self.table = np.atleast_2d(np.array(*args, dtype=object, **kwargs))

    def column(self, name):
        return self.table[:, self.columns.index(name)]


class Matches(Base):
    columns = ["query", "target", "weight"]

    def best(self):
        result = {}
        for q, t, w in self.table:
            if q not in result or w > result[q][1]:
                result[q] = (t, w)
        return result


def main():
    rows = load_matches()
    known = {t for _, t, _ in rows}
    matches = Matches(rows)
    for q, (t, w) in sorted(matches.best().items()):
        print(int(q), int(t), w, "found" if int(t) in known else "unknown node")
    targets = matches.column("target").astype(np.int64)
    print("resolved", sum(int(t) in known for t in targets), "of", len(targets))


main()
