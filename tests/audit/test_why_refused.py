"""Operations of NumPy that are refused for their dtypes, and errors that have other reasons."""

import numpy as np
import pytest

from supremum import dtype
from supremum.audit.model.locations import Location
from supremum.audit.stops.by_rules import Question, refused
from supremum.audit.stops.dtype_errors import Refusal
from supremum.core.operands import operand

ARRAY = np.ones(2)
ASKED = {
    ("subtract", "bool", "bool"): Refusal("other"),
    ("add", "uint8", 300): Refusal("number", want=dtype("uint8"), number=300),
    ("power", "int64", -1): Refusal("power"),
    ("bincount", "float64"): Refusal("integers", dtype("float64")),
    ("inv", "float16"): Refusal("floats", dtype("float16")),
    ("bitwise_and", "float32", "int8"): Refusal("other"),
    ("add", "float32", "int8"): None,
    ("nonesuch", "float32", "int8"): None,
    ("add", "bool"): None,
}


@pytest.mark.parametrize(("asked", "refusal"), ASKED.items(), ids=str)
def test_what_the_rules_would_take_says_why_they_refuse(asked, refusal):
    name, *operands = asked
    place = Location("x.py", (1, 0, 1, 9), "call", name, keywords=("",) * len(operands))
    read = [operand(x)._replace(rank=1) for x in operands]
    read = [x._replace(form="array") if x.form == "dtype" else x for x in read]
    question = Question(place, tuple(enumerate(read, 1)), None, ARRAY)
    assert refused(question, TypeError("whatever it says")) == refusal
    assert refused(question, TypeError("operands of other shapes")) is None
    assert refused(question, KeyError("whatever it says")) is None
