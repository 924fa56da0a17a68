"""The same is found at module level, in a function, and in what a comprehension runs over."""

from textwrap import indent

import pytest

from supremum.audit.probes import import_hook

HEAD = """\
f = np.ones(8, np.float32)
d = np.hanning(8)
i = np.zeros(8, np.int32)
"""
TINY = "(float(d.sum()) * 1e-60)"

PROGRAMS = {
    "a number of a scalar": "scale = float(d.max()) * 1e-60\ng = f * scale",
    "a number, written there": f"g = f * {TINY}",
    "a number on the left": f"g = {TINY} * f",
    "two numbers": f"g = f * ({TINY} * {TINY})",
    "a number beside another": f"g = {TINY} * (f * (float(d.sum()) + 1))",
    "a sign": f"g = f * -{TINY}",
    "an item": "g = f * (d.sum().item() * 1e-60)",
    "an integer": "g = f * (int(d.sum()) + 2**24)",
    "an integer of a length": "g = f * (3 ** len(f) * 2**20 + 1)",
    "a call": "g = f * max(1e-60, float(d[0]))",
    "an item of a dictionary": "c = {'a': 1e-60}\ng = f * c['a']",
    "an attribute": "class A:\n    s = 1e-60\ng = f * A.s",
    "either": "g = f * (1e-60 if d.size else 2)",
    "in place": f"f *= {TINY}",
    "in place, of a part": f"f[0:2] *= {TINY}",
    "in place, of an attribute": f"class A: pass\na = A()\na.s = f\na.s *= {TINY}",
    "a store": "i[0] = float(d.sum()) + 0.25",
    "a store by a call": "i.fill(float(d.sum()) + 0.25)",
    "an array of a number": "s = np.array(float(d.sum()) + 1)\ng = f * s",
    "a scalar": "s = d.std()\ng = f * s",
    "a scalar in place": "s = f.mean()\ns += d.mean()\ng = f * s",
    "a loop": "for k in range(100):\n    s = d[3] * 2.0\n    t = s + np.float32(1)\ng = f * t",
    "elements": "for k, x in enumerate(d):\n    i[k] = x",
    "a comprehension": "g = [f * (x * 1e-60) for x in [1.0, 2.0]]",
    "a nested comprehension": "g = [[x * y * (y.item() * 1e-60) for x in f] for y in d]",
    "a lambda": "g = (lambda x: f * (x * 1e-60))(2.0)",
    "a class": f"class A:\n    g = f * {TINY}",
    "an exception": f"try:\n    f * ({TINY} / 0)\nexcept ZeroDivisionError:\n    g = f * {TINY}",
}


def _found(report, lines, columns):
    assert report.problems == ()
    return report.operations, [
        (
            *(f.kind, f.also, f.line - lines, f.column - columns, f.text, f.dtype, f.elsewhere),
            *(f.count, f.bytes, f.suggestion, f.explanation),
            [
                (
                    *(p.kind, p.line - lines, p.column - columns, p.text, p.result, p.count),
                    *(p.told, *((m.text, m.dtype) for m in p.operands)),
                )
                for p in f.places
            ],
        )
        for f in report.findings
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_module_finds_what_a_function_does(audited, name):
    program = HEAD + PROGRAMS[name] + "\n"
    module = audited("import numpy as np\n" + program)
    function = audited("import numpy as np\ndef main():\n" + indent(program, "    ") + "main()\n")
    assert module.findings
    assert _found(module, 0, 0) == _found(function, 1, 4)


def test_a_class_and_what_is_run_over_find_the_same(audited):
    source = "import numpy as np\n" + HEAD
    [plain] = audited(source + f"g = f * {TINY}").findings
    for other in (f"g = [x for x in f * {TINY}]", f"class A:\n    g = f * {TINY}"):
        [finding] = audited(source + other).findings
        assert (finding.kind, finding.text) == (plain.kind, plain.text)
        assert finding.places[0].told == plain.places[0].told


HIDDEN = {
    "globals": "names = set(globals()) | {str(abs(-1) + abs(-2))}",
    "a frame": "import sys\nnames = set(sys._getframe().f_locals) | {str(abs(-1) * abs(3))}",
    "a frame, from inside": "import sys\ndef f(): return set(sys._getframe(1).f_locals)\n"
    "names = {str(abs(-1) * 2)} | f() | {str(abs(-1) * 2)}",
    "locals": "names = {str(abs(2) + abs(3))} | set(locals()) | set(vars()) | set(dir())",
    "exec": "names = [abs(2) + 1, exec('inner = set(locals())')] and inner",
    "an error": "import traceback\ntry:\n    abs(abs(1) + 1) + unknown\nexcept NameError:\n"
    "    traceback.format_exc()\nnames = globals()",
    "cells": "f = [lambda: x for x in (1, 2)]\nx = 5\n"
    "names = [f[0]() + abs(f[1]()), x] and globals()",
    "many names": "\n".join(f"n{i} = abs({i}) + n{i - 1}" for i in range(1, 400))
    + "\nnames = globals()",
    "a loop": "for i in range(3):\n    t = abs(i) + abs(i)\nelse:\n    names = globals()",
    "a class": "class A:\n    a = abs(2) + abs(3)\n    names = set(locals())\nnames = A.names",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_program_sees_no_variable_that_is_not_its_own(name):
    found = {"__name__": "program", "n0": 0}
    import_hook.run(import_hook.compiled(HIDDEN[name], "<program>"), found)
    names = set(found["names"]) | set(found)
    assert "names" in names
    assert not [one for one in names if one.startswith("@")]
    assert found.get("n399") in (None, sum(range(400)))
    assert found.get("x", 5) == 5


def test_modules_that_are_imported_hide_them_too(audited, write):
    write("import sys\nx = abs(-2) * 2 + len(sys._getframe().f_locals)\n", "part.py")
    report = audited(
        "import part, numpy as np\nprint([n for n in vars(part) if n[0] == '@'])\n"
        "assert not [n for n in vars(part) if n[0] == '@']\n"
        "np.float32([1, 2]) * np.ones(2)\n"
    )
    assert [f.kind for f in report.findings] == ["widening"]
