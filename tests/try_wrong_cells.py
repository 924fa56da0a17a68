"""Change one cell in the rules of each library that is named: asking the library must name it.

Run by `make conform`, where the libraries are installed. Exits 1 where a wrong cell goes unnoticed.
"""

import sys
from itertools import product

import supremum
from supremum.conformance import conform
from supremum.conformance.library import load
from supremum.core.operands import Operand


class WrongInOneCell:
    """Rules with another answer for one pair of arrays."""

    def __init__(self, rules, rank):
        strong = [d for d in rules.dtypes if not d.weak]
        arrays = [Operand(d.name, d, False, "array", shape=(3,) * rank) for d in strong]
        for pair in product(arrays, repeat=2):
            try:
                right = rules.result_type(*pair)
            except supremum.PromotionError:
                continue
            break
        self.rules = rules
        self.rank = rank
        self.pair = [op.dtype for op in pair]
        self.wrong = next(d for d in rules.dtypes if d is not right)

    def __getattr__(self, name):
        return getattr(self.rules, name)

    def result_type(self, *operands, op=None):
        arrays = [x.dtype for x in operands if x.form == "array" and x.rank == self.rank]
        if op is None and len(operands) == 2 and arrays == self.pair:
            return self.wrong
        return self.rules.result_type(*operands, op=op)


def main() -> None:
    """Try each library that is named."""
    failed = False
    for name in sys.argv[1:]:
        library = load(name)
        right = supremum.system(library.system, **library.settings[0])
        rules = WrongInOneCell(right, library.ranks[0])
        (measured,) = conform(name, rules=rules, functions=False)
        told = [d.rules for d in measured.differences]
        noticed = measured.verdict == "differs" and told == [rules.wrong.name]
        failed = failed or not noticed
        cell = " with ".join(map(str, rules.pair))
        print(
            f"{name}: {cell} as {rules.wrong}: {'noticed' if noticed else f'unnoticed: {measured}'}"
        )
    sys.exit(failed)


if __name__ == "__main__":
    main()
