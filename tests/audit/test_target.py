"""``--target``: what would come out by other rules, told of NumPy programs."""

import json

import pytest

import supremum
from supremum import audit

pytestmark = pytest.mark.thorough

PROGRAM = """\
import numpy as np
f = np.ones((4, 8), np.float32)
i = np.arange(8)
g = f * i
h = g + 1
k = np.median(h) * g
j = i * 2 + 1
u = np.uint64([1]) + np.int64([1])
v = np.apply_along_axis(abs, 0, j)
"""


def differences(report):
    """Return the lines with other dtypes: what came out, and what would."""
    lines = [p for p in report.predicted if p.dtypes != p.target and p.is_answered]
    return [(p.line, p.text, *p.dtypes, *p.target) for p in lines]


def kinds(report):
    return [(f.line, f.kind, f.text) for f in report.of(["port-mismatch"])]


def test_jax(audited, told, golden):
    report = audited(PROGRAM, target="jax:x64=true", kinds="port-mismatch")
    text = told(PROGRAM, target="jax:x64=true", kinds="port-mismatch")
    [finding] = report.findings
    golden(text)
    assert report.target == "jax"
    # where it begins is a finding; what comes of it is counted, and predicted
    assert (finding.line, finding.text) == (4, "f * i")
    assert differences(report) == [
        (4, "f * i", "float64", "float32"),
        (5, "g + 1", "float64", "float32"),
        (6, "np.median(h)", "float64", "float32"),
        (6, "np.median(h) * g", "float64", "float32"),
    ]
    assert report.unknown == ("apply_along_axis",)


def test_without_64_bits(audited):
    report = audited(PROGRAM, target=supremum.system("jax", x64=False))
    found = {p.text: (p.dtypes, p.target) for p in report.predicted}
    assert found["np.arange(8)"] == (("int64",), ("int32",))
    assert found["i * 2"] == (("int64",), ("int32",))
    assert found["f * i"] == (("float64",), ("float32",))
    assert kinds(report)[0] == (3, "port-mismatch", "np.arange(8)")


# What is asked of a kernel's arrays, and of NumPy's scalars in it: here, and once it is compiled.
KERNEL = [
    ("f * 3.0", "float32", "float64"),
    ("f * 3", "float32", "float32"),
    ("f * i", "float64", "float32"),
    ("f ** 2", "float32", "float32"),
    ("s / s", "float64", "float32"),
    ("s * 2", "int8", "int64"),
    ("s[0] + s[0]", "int8", "int64"),
    ("f[0] ** s[0]", "float32", "float32"),
    ("np.std(f)", "float32", "float64"),
]


def test_what_changes_when_a_function_is_compiled(audited):
    lines = [f"    {text}" for text, *_ in KERNEL]
    given = "np.ones(3, np.float32), np.arange(3), np.ones(3, np.int8)"
    source = "\n".join(["import numpy as np", "def kernel(f, i, s):", *lines, f"kernel({given})"])
    report = audited(source, target="numba")
    found = {p.text: (*p.dtypes, *p.target) for p in report.predicted}
    assert [(text, *found[text]) for text, *_ in KERNEL] == KERNEL


def test_options_of_the_target(audited, golden):
    report = audited(PROGRAM, target="jax:x64=false")
    found = {p.text: (p.dtypes, p.target) for p in report.predicted}
    assert found["f * i"] == (("float64",), ("float32",))
    with pytest.raises(supremum.RulesError) as caught:
        audited(PROGRAM, target="jax,x64")
    golden(caught.value)


def test_a_file_of_rules_is_a_target(audited, write):
    write('arrows = "b -> i32 -> f32 -> f64"\n', "mine.toml")
    report = audited("import numpy as np\nnp.ones(3) * np.int32([1])\n", target="mine.toml")
    assert report.target == "mine"


def test_the_excerpt_of_what_is_made(told, golden):
    source = "import numpy as np\na = np.zeros(3)\n"
    golden("\n".join(told(source, target="torch").split("\n")[:4]))


# What is asked of the rules of a function, or of the default dtypes, beside what comes out here.
FOUND = {
    "square of bool": ("jax:x64=true", "np.square(b)", "int8", "int32"),
    "mean of integers": ("torch", "np.mean(i)", "float64", "refused"),
    "square root of integers": ("torch", "np.sqrt(i)", "float64", "float32"),
    "bits": ("jax:x64=true", "i & 1", "int64", "int64"),
    "a comparison": ("array-api", "f < 1", "bool", "bool"),
    "a comparison across kinds": ("array-api", "f < i", "bool", "refused"),
    "where": ("array-api", "np.where(b, f, 0.0)", "float32", "float32"),
    "where alone": ("jax:x64=true", "np.where(b)", "int64", "int64"),
    "select": ("jax:x64=true", "np.select([b, b], [f, i], 0)", "float64", "float32"),
    "weights": ("jax:x64=true", "np.average(f, weights=i)", "float64", "float32"),
    "weights that are counted": (
        "jax:x64=true",
        "np.bincount(i, weights=f)",
        "float64",
        "not answered",
    ),
    "axes are no operand": ("torch", "np.tensordot(f, f, 1)", "float32", "float32"),
    "a list": ("jax:x64=true", "f * [1, 2, 3]", "float64", "float32"),
    "a list alone": ("torch", "np.sum([0.5, 1.0])", "float64", "float32"),
    "roots": ("jax:x64=true", "np.linalg.eigvals(m)", "complex64", "complex64"),
    "rank": ("jax:x64=true", "np.linalg.matrix_rank(m)", "int64", "int64"),
    "singular values": ("jax:x64=true", "np.linalg.svd(m * 1j)[1]", "float32", "float32"),
    "counts": ("jax:x64=true", "np.unique(f, return_counts=True)[1]", "int64", "int64"),
    "integers where floats are made": ("torch", "np.indices((2, 2))", "int64", "int64"),
    "filled by keyword": ("torch", "np.full(3, fill_value=0.5)", "float64", "float32"),
    "complex numbers": ("torch", "np.array([1j, 2])", "complex128", "complex64"),
    "counts of a narrow integer": ("numpy-legacy", "np.arange(np.uint8(3))", "int64", "int64"),
    "counts from a narrow integer": (
        "numpy",
        "np.arange(np.int8(1), np.int8(3))",
        "int64",
        "int64",
    ),
    "counts of a narrow array": (
        "numpy-legacy",
        "np.arange(np.array(3, np.int16))",
        "int64",
        "int64",
    ),
    "counts of a wide integer": ("numpy-legacy", "np.arange(np.uint64(3))", "float64", "float64"),
    "counts of a float": ("numpy-legacy", "np.arange(np.float32(3))", "float64", "float64"),
    "random": ("torch", "np.random.default_rng(0).random(3)", "float64", "float32"),
    "an object that is an int": ("torch", "f * Two.TWO", "float64", "float32"),
}


@pytest.mark.parametrize(("target", "source", "here", "there"), FOUND.values(), ids=FOUND)
def test_functions_are_asked_of_the_rules(audited, target, source, here, there):
    head = """\
import enum
import numpy as np
Two = enum.IntEnum("Two", {"TWO": 2})
f, i = np.ones(3, np.float32), np.arange(3, dtype=np.int64)
b, m = i > 1, np.array([[0, 1], [-1, 0]], np.float32)
"""
    report = audited(head + source, target=target, kinds="port-mismatch")
    [line] = [p for p in report.predicted if p.text == source]
    assert (line.dtypes, line.target) == ((here,), (there,))
    assert report.problems == ()


def test_the_operands_of_a_call_are_marked(told, golden):
    source = "import numpy as np\nf, i = np.ones(3, np.float32), np.arange(3)\ng = np.add(f, i)\n"
    golden("\n".join(told(source, target="jax:x64=true", kinds="port-mismatch").split("\n")[1:5]))


def test_the_same_rules_give_the_same(audited, told, golden):
    report = audited(PROGRAM, target="numpy")
    assert differences(report) == []
    assert kinds(report) == []
    golden("\n".join(told(PROGRAM, target="numpy").split("\n")[-2:]))


@pytest.mark.parametrize("name", supremum.systems())
def test_any_rules_may_be_the_target(audited, name):
    report = audited(PROGRAM, target=name)
    assert report.target == name
    assert len(report.predicted) == 12
    assert report.problems == ()


def test_other_findings_stay(audited):
    alone = audited(PROGRAM)
    report = audited(PROGRAM, target="jax:x64=true")
    assert kinds(alone) == []
    assert {(f.line, f.kind) for f in alone.findings} <= {
        (f.line, kind) for f in report.findings for kind in (f.kind, *f.also)
    }
    assert alone.predicted == alone.unknown == ()
    assert alone.target == ""


def test_json(audited):
    report = json.loads(audit.render(audited(PROGRAM, target="jax:x64=true"), "json"))
    assert report["target"] == "jax"
    assert report["unknown_functions"] == ["apply_along_axis"]
    assert len(report["predicted"]) == 12
    [line] = [line for line in report["predicted"] if line["text"] == "f * i"]
    assert line.pop("file").endswith("program.py")
    assert line == {
        "line": 4, "column": 5, "text": "f * i", "dtypes": ["float64"], "target": ["float32"],
    }  # fmt: skip


def test_the_command(write, command, golden):
    write(PROGRAM)
    result = command(
        "--target", "jax:x64=true", "--kinds", "port-mismatch", "--fail-on", "all", "program.py"
    )
    assert (result.returncode, result.stdout) == (3, "")
    golden(result.stderr)
    assert command("--target", "numpy", "--fail-on", "port-mismatch", "program.py").returncode == 0


# Under NumPy 2, what NumPy 1 gives: whether a line is a finding, and what is told of it.
BETWEEN_RELEASES = {
    "equal of scalars": (
        "s == 0.1",
        "True here, False by numpy-legacy rules, which compare in float64",
    ),
    "the same comparison": ("s < 0.5", None),
    "of an array": (
        "(f == np.float64(0.1))",
        "4 of 4 comparisons come out otherwise by numpy-legacy rules, which compare in float32",
    ),
    "a list": ("f * [1, 2, 3, 4]", None),
    "Python's sum": ("sum([u[0], u[0]])", "uint8 here, int64 by numpy-legacy rules"),
    "in place": ("f.__iadd__(1)", None),
    "values": ("u[1] * 100", "uint8 here, int64 by numpy-legacy rules: 144 becomes 400"),
    "bool scalars": ("b[0] + u", None),
    "a square of bools": ("b ** 2", None),
}


@pytest.mark.parametrize(("source", "told"), BETWEEN_RELEASES.values(), ids=BETWEEN_RELEASES)
@pytest.mark.filterwarnings("ignore:overflow")
def test_values_between_releases(audited, source, told):
    head = """\
import numpy as np
s, f = np.float32(0.1), np.full(4, 0.1, np.float32)
u, b = np.array([3, 4], np.uint8), np.array([True, False])
"""
    report = audited(head + source, target="numpy-legacy", kinds=["port-mismatch"])
    assert [f.places[0].told for f in report.findings] == ([told] if told else [])
    assert report.problems == ()


def test_a_file_of_rules_has_no_options(audited, write, golden):
    write('arrows = "b -> i32"\n', "mine.toml")
    with pytest.raises(supremum.RulesError) as caught:
        audited("import numpy as np\n", target="mine.toml:x64=false")
    golden(caught.value)


# Calls that take lists and numbers, and functions with several results.
OF_LISTS = """\
import numpy as np
x = np.array([1, 2, 3], np.int8)
f = np.array([1.5, 2.5, 3.5], np.float32)
for a in (x, f):
    np.concatenate([a, [1, 2]]), np.concatenate([[1.5], a]), np.stack([a, [1, 2, 3]])
    np.array([a, [1, 2, 3]]), np.array([a[0], 1]), np.hstack([a, 1.5])
    np.append(a, 1), np.append(a, 1.5), np.insert(a, 1, [1])
    np.dot(a, [1, 2, 3]), np.dot(a, 2), np.outer(a, [1.5]), np.kron(a, [1, 2]), a.dot([1, 2, 3])
    np.meshgrid(a, [1, 2]), np.average(a, weights=[1, 2, 3]), np.isin(a, 300)
    np.histogram(a), np.histogram(a, density=True), np.bincount(x, weights=f)
    np.polyval(a, 2), np.polyval([1, 2], a), np.polyadd(a, [1]), np.convolve(a, [1.0, 2])
    np.where(a > 1, a, 0.5), np.where(a > 1, 1, 0), np.select([a > 1], [a], 1.5)
    np.linspace(0, a), np.geomspace(1, a[2]), np.interp(1.5, a, [1, 2, 3])
    np.maximum(a, [1, 2, 3]), a + [1, 2, 3], sum(a), np.cov(a, [1, 2, 3]), np.diff(a, append=[1])
"""


def test_rules_of_the_library_itself_give_what_comes_out(audited):
    assert kinds(audited(OF_LISTS, target="numpy")) == []


def test_lists_and_numbers_of_calls_are_operands(audited):
    report = audited(OF_LISTS, target="numpy-legacy")
    # measured with NumPy 1.26.4
    assert [(line, text) for line, _, text in kinds(report)] == [
        (14, "sum(a)"),
        (14, "sum(a)"),
    ]


@pytest.mark.parametrize("options", [{}, {"target": "mps"}, {"forbid": "float64"}])
def test_what_the_host_makes_is_cast_whatever_was_asked(audited, options):
    report = audited(
        "import numpy as np\nwindow = np.hanning(8)\nmade = np.ones(8, np.float32) * window\n",
        **options,
    )
    [finding] = [f for f in report.findings if f.line == 2]
    assert finding.suggestion == "np.hanning(8).astype(np.float32, copy=False)"
