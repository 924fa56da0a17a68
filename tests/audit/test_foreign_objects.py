"""Objects that answer with more attributes than their types define are asked for none of these."""

import pytest

OPENING = """\
import sys
import numpy as np

asked = []

def counts(self, name):
    caller = sys._getframe(1).f_globals.get("__name__", "")
    asked.append((name, caller))
    raise AttributeError(name)

class Meta(type):
    __getattr__ = counts
"""

# each a class Foreign, and what makes the two objects a and b of it
CLASSES = {
    "a quantity of a number": """
class Foreign:
    __getattr__ = counts
    def __init__(self, value):
        self.value = value
    dtype = property(lambda self: self.value.dtype)
    shape = property(lambda self: self.value.shape)
    def __array_function__(self, function, types, args, kwargs):
        return Foreign(function(*(getattr(a, "value", a) for a in args), **kwargs))
    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        return Foreign(getattr(ufunc, method)(*(getattr(a, "value", a) for a in args), **kwargs))
    def __add__(self, other):
        return Foreign(self.value + other.value)
    __mul__ = __radd__ = __iadd__ = __add__
    def __neg__(self):
        return Foreign(-self.value)
    def __getitem__(self, index):
        return Foreign(self.value)
    def __setitem__(self, index, value):
        pass
    def sum(self, *args, **kwargs):
        return Foreign(sum([self.value]))
a, b = Foreign(1.5), Foreign(2)
""",
    "an array with a unit": """
class Foreign(np.ndarray):
    __getattr__ = counts
a, b = np.ones(3, np.float32).view(Foreign), np.ones(3).view(Foreign)
""",
    "a metaclass": """
class Foreign(metaclass=Meta):
    def __add__(self, other):
        return Foreign()
    __mul__ = __radd__ = __neg__ = __getitem__ = sum = lambda self, *args, **kwargs: Foreign()
    def __setitem__(self, index, value):
        pass
a, b = Foreign(), Foreign()
""",
    "what is given all it has": """
class Foreign:
    __getattr__ = counts
    def __init__(self, data):
        self.dtype, self.shape, self.data = data.dtype, data.shape, data
    def __add__(self, other):
        return Foreign(self.data)
    __mul__ = __radd__ = __neg__ = __getitem__ = sum = lambda self, *_, **__: Foreign(self.data)
    def __setitem__(self, index, value):
        pass
a, b = Foreign(np.ones(3)), Foreign(np.ones(3, np.float32))
""",
}

USES = """
def use(a, b):
    for c in (a, b):
        d = a + c
        d = a * b
        d = -c
        d = c[0]
        d = c.sum()
        d = c + c
        d += c
        c[0] = c[0]
        d = np.add(a, b)
        d = [a, b][0]
        d = dict(a=a, b=b)["a"]
        x = np.zeros(2, dtype=object)
        x[0] = c
        for one in [a, b]:
            e = one
    return d
"""

ENDS = """
for n in range(30):
    use(a, b)
print(sorted({name for name, caller in asked if caller.startswith("supremum")}))
"""


@pytest.mark.parametrize("kind", CLASSES)
def test_no_attribute_is_asked_for_that_a_type_does_not_define(audited, capsys, kind):
    audited(OPENING + CLASSES[kind] + USES + ENDS)
    assert capsys.readouterr().out == "[]\n"


def test_a_type_that_python_has_not_made_ready_is_of_no_interest(audited):
    lines = "lines = (lambda: 0).__code__.co_lines()\nprint(len([*lines]))\n"
    assert not audited(lines).findings
