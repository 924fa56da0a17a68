"""The same is found at module level, in a function, and in what a comprehension runs over."""

from textwrap import indent

import pytest

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
