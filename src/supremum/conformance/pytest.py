"""Conformance as parametrised tests, one a pair of dtypes, for the authors of array libraries.

Three lines in a test module of a library that follows the array API are a test of every pair::

    from supremum.conformance.pytest import conformance_test
    import my_array_lib
    test_promotion = conformance_test(my_array_lib, system="array-api")
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ..core.system import PromotionSystem
from ..core.systems import system as system_of
from .module import Namespace, measure_questions
from .questions import Question, questions


def conformance_test(
    module: Any, system: str | PromotionSystem = "array-api", **options: Any
) -> Callable[..., None]:
    """Return a test that asks a library every pair of operands that some rules know.

    A pair of dtypes is one case, named as in ``int8-uint8``: both orders, arrays with dimensions
    and 0-d arrays. A pair that the library lacks or a standard leaves undefined is skipped.

    Args:
        module: an array API namespace, or its name.
        system: the rules, or their name.
        options: the options of rules that are named.
    """
    rules = system_of(system, **options)
    library = Namespace(module)
    pairs: dict[tuple[str, ...], list[Question]] = {}
    for question in questions(library, rules):
        names = sorted(op.text.partition("[")[0] for op in question.operands)
        pairs.setdefault(tuple(names), []).append(question)
    cases = [pytest.param(alike, id="-".join(names)) for names, alike in pairs.items()]

    @pytest.mark.parametrize("asked", cases)
    def test_promotion(asked: list[Question]) -> None:
        measured = measure_questions(library, asked, rules)
        if measured.differences:
            lines = [group.line(standard=measured.standard) for group in measured.groups]
            pytest.fail("\n".join(lines), pytrace=False)
        if not measured.asked:
            lacks = f"the library lacks {' and '.join(measured.lacks)}"
            pytest.skip(lacks if measured.lacks else "undefined by the standard")

    return test_promotion
