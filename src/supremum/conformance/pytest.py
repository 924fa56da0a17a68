"""Conformance as parametrised tests, one case a cell, for the authors of array libraries.

Three lines in a test module of a library that follows the array API are a test of every cell::

    from .pytest import conformance_test
    import my_array_lib
    test_promotion = conformance_test(my_array_lib, system="array-api")
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ..core.system import PromotionSystem
from ..core.systems import system as system_of
from .calls import LACKS
from .module import Namespace, answers, every_question
from .questions import Question


def conformance_test(
    module: Any, system: str | PromotionSystem = "array-api", **options: Any
) -> Callable[..., None]:
    """Return a test that asks a library every pair of operands that some rules know.

    Args:
        module: an array API namespace, or its name.
        system: the rules, or their name.
        options: the options of rules that are named.
    """
    rules = system_of(system, **options)
    asked = every_question(module, rules)
    names = ["-".join(op.text for op in question.operands) for _, question in asked]

    @pytest.mark.parametrize(("library", "question"), asked, ids=names)
    def test_promotion(library: Namespace, question: Question) -> None:
        ours, live = answers(library, question, rules)
        if live.startswith(LACKS):
            pytest.skip(f"the library lacks {live.removeprefix(LACKS).strip()}")
        assert live == ours, f"{rules.name} rules say {ours}"  # noqa: S101  # it is a test

    return test_promotion
