"""Programs that others wrote for the array API run on our arrays, and stay in float32."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import supremum

RULES = ["array-api", "jax", "numpy"]

# Each of SciPy's functions with what it gives; x is 2-d, v and w are 1-d, all of float32.
SCIPY = {
    "special.logsumexp(x, axis=1)": "float32",
    "special.softmax(x)": "float32",
    "special.expit(x)": "float32",
    "special.betainc(x, x, x)": "float32",
    "signal.detrend(v)": "float32",
    "signal.fftconvolve(v, w)": "float32",
    "signal.correlate(v, w)": "float32",
    "signal.hilbert(v)": "complex64",
    "signal.savgol_filter(v, 5, 2)": "float32",
    "ndimage.gaussian_filter(x, 1)": "float32",
    "ndimage.sobel(x)": "float32",
    "vq.whiten(x)": "float32",
    "vq.vq(x, x)[1]": "float32",
    "vq.kmeans2(x, 2, rng=1)[0]": "float32",
    "stats.zscore(x)": "float32",
    "stats.skew(x)": "float32",
    "stats.ttest_ind(v, w).pvalue": "float32",
    "stats.pearsonr(v, v * v).statistic": "float32",
    "stats.gmean(x)": "float32",
    "fft.dct(x)": "float32",
    "fft.rfft(x)": "complex64",
    "integrate.trapezoid(v)": "float32",
    "spatial.transform.Rotation.from_quat(x).as_matrix()": "float32",
    "differentiate.derivative(lambda t: t * t, w).df": "float32",
}
# What it computes in float64, whoever asks.
WIDENS = ["signal.wiener(v)", "stats.rankdata(x)"]

PROGRAM = """
import json, sys
import numpy as np
from scipy import differentiate, fft, integrate, ndimage, signal, spatial, special, stats
from scipy.cluster import vq
import supremum

def run(xp, code):
    x, v = (xp.asarray(a) for a in (X, V))
    found = eval(code, globals(), {"x": x, "v": v, "w": v[:9]})
    return found, [type(found).__module__, str(found.dtype)]

rng = np.random.default_rng(0)
X, V = rng.random((6, 4), dtype=np.float32), rng.random(40, dtype=np.float32)
for rules, codes in json.load(sys.stdin).items():
    for code in codes:
        found, told = run(supremum.namespace(rules, backend="numpy"), code)
        close = np.allclose(np.asarray(found), run(np, code)[0], rtol=1e-3, atol=1e-4)
        print(json.dumps([rules, code, *told, bool(close)]))
"""


def run(command, given="", **environment):
    return subprocess.run(
        command,
        input=given,
        env={**os.environ, "SCIPY_ARRAY_API": "1", "OMP_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_scipy_stays_in_float32():
    codes = {rules: [*SCIPY, *WIDENS] for rules in RULES}
    ran = run([sys.executable, "-c", PROGRAM], json.dumps(codes))
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    expected = [
        [rules, code, "supremum.arrays.array", SCIPY.get(code, "float64"), True]
        for rules in RULES
        for code in codes[rules]
    ]
    assert (found, ran.returncode) == (expected, 0), ran.stderr


def test_where_scipy_widens_the_audit_names_the_line(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import numpy as np
        from scipy import signal
        import supremum

        xp = supremum.namespace("jax", backend="numpy")
        x = xp.asarray(np.linspace(0, 1, 32, dtype=np.float32))
        print(signal.wiener(x).dtype)
        """),
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "supremum", "audit", "--kinds", "widening"]
    outside = run([*command, str(program)])
    assert outside.stdout == "float64\n"
    assert "program.py:8:7: widening: float64 is introduced here" in outside.stderr
    inside = run([*command, "--include", "scipy.signal", str(program)])
    assert inside.stdout == "float64\n"
    assert "lMean = correlate(im, xp.ones(mysize), 'same')" in inside.stderr


@pytest.fixture(scope="module")
def sklearn():
    """Return a function that runs code with array API dispatch on, in a process of its own."""

    def fit(code):
        before = """
        import json
        import numpy as np
        import supremum
        from sklearn import config_context
        from sklearn.decomposition import PCA
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
        from sklearn.linear_model import Ridge
        from sklearn.preprocessing import MinMaxScaler, StandardScaler

        rng = np.random.default_rng(0)
        x = rng.random((60, 4), dtype=np.float32)
        y = (x @ np.asarray([1, 2, 3, 4], dtype=np.float32)).astype(np.float32)
        labels = (y > y.mean()).astype(np.int32)

        def told(found):
            return {name: [type(a).__module__, str(a.dtype)] for name, a in found.items()}
        """
        ran = run([sys.executable, "-c", textwrap.dedent(before) + textwrap.dedent(code)])
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    return fit


def test_scikit_learn_stays_in_float32(sklearn):
    found = sklearn("""
    def fit(xp):
        a, b, c = (xp.asarray(part) for part in (x, y, labels))
        ridge = Ridge(solver="svd").fit(a, b)
        lda = LinearDiscriminantAnalysis().fit(a, c)
        pca = PCA(2, svd_solver="full").fit(a)
        return {
            "ridge": ridge.coef_, "ridge predicts": ridge.predict(a), "lda": lda.coef_,
            "lda transforms": lda.transform(a), "lda is sure": lda.predict_proba(a),
            "pca": pca.components_, "pca transforms": pca.transform(a),
            "scaled": StandardScaler().fit_transform(a), "ranged": MinMaxScaler().fit_transform(a),
        }, lda.predict(a)

    expected, sorted_ = fit(np)
    everything = {}
    with config_context(array_api_dispatch=True):
        for rules in ("array-api", "jax", "numpy"):
            found, predicted = fit(supremum.namespace(rules, backend="numpy"))
            for name, a in found.items():
                assert np.allclose(np.asarray(a), expected[name], rtol=1e-2, atol=1e-3), name
            assert (np.asarray(predicted) == sorted_).all()
            everything[rules] = told({**found, "lda predicts": predicted})
    print(json.dumps(everything))
    """)
    for rules in RULES:
        assert found[rules].pop("lda predicts") == ["supremum.arrays.array", "int32"]
        assert set(map(tuple, found[rules].values())) == {("supremum.arrays.array", "float32")}
        assert len(found[rules]) == 9


def test_scikit_learn_gives_the_numbers_of_numpy_on_five_classes(sklearn):
    found = sklearn("""
    import array_api_strict
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score, roc_auc_score
    from sklearn.naive_bayes import GaussianNB
    from sklearn.preprocessing import LabelEncoder

    classes = rng.integers(0, 5, 300)
    x = rng.normal(size=(300, 6))
    x[:, :5] += 1.5 * np.eye(5)[classes]

    def fit(xp, dtype):
        a, c = xp.asarray(x.astype(dtype)), xp.asarray(classes)
        encoder = LabelEncoder().fit(10 * c)
        found = {"coded": encoder.transform(10 * c)}
        found["decoded"] = encoder.inverse_transform(found["coded"])
        for model in (LogisticRegression(), LinearDiscriminantAnalysis(), GaussianNB()):
            name = type(model).__name__
            predicted, sure = model.fit(a, c).predict(a), model.predict_proba(a)
            for average in ("micro", "macro", "weighted", None):
                found[f"{name} f1 {average}"] = f1_score(c, predicted, average=average)
            # of more than two classes scikit-learn 1.9.1 takes NumPy's arrays only
            areas = np.asarray(c), np.asarray(sure)
            found[f"{name} area"] = roc_auc_score(*areas, multi_class="ovr")
            found.update({f"{name} predicts": predicted, f"{name} is sure": sure})
        return {name: np.asarray(a) for name, a in found.items()}

    def differ(found, expected, close=()):
        return [
            name
            for name, a in found.items()
            if not (np.allclose if name in close else np.array_equal)(a, expected[name])
        ]

    told = {}
    with config_context(array_api_dispatch=True):
        for dtype in ("float32", "float64"):
            expected, strict = fit(np, dtype), fit(array_api_strict, dtype)
            for rules in ("array-api", "jax", "numpy", "torch"):
                found = fit(supremum.namespace(rules, backend="numpy"), dtype)
                told[f"{rules} {dtype}"] = [
                    # of NumPy's arrays it computes a logistic regression with code of its own
                    differ(found, expected, close=["LogisticRegression is sure"]),
                    differ(found, strict),
                ]
    print(json.dumps(told))
    """)
    assert found == {
        f"{rules} {dtype}": [[], []]
        for rules in ("array-api", "jax", "numpy", "torch")
        for dtype in ("float32", "float64")
    }


def test_where_a_program_widens_before_scikit_learn_the_audit_names_the_line(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import numpy as np
        import supremum
        from sklearn import config_context
        from sklearn.linear_model import Ridge

        xp = supremum.namespace("jax", backend="numpy")
        x = xp.asarray(np.linspace(0, 1, 32, dtype=np.float32).reshape(8, 4))
        y = x @ xp.asarray(np.ones(4))
        with config_context(array_api_dispatch=True):
            print(Ridge(solver="svd").fit(x, y).coef_.dtype)
        """),
        encoding="utf-8",
    )
    ran = run([sys.executable, "-m", "supremum", "audit", str(program)])
    assert ran.stdout == "float32\n"
    assert "program.py:9:20: widening: float64 is introduced here" in ran.stderr
    assert "type instead: np.ones(4, dtype=np.float32)" in ran.stderr


PLOTS = [
    "ax.plot(x, x * x)", "ax.plot(narrow, narrow)", "ax.scatter(x, x, c=x, s=10 * x)",
    "ax.bar(x, x)", "ax.hist(x)", "ax.imshow(image)", "ax.errorbar(x, x, yerr=x / 10)",
    "ax.fill_between(x, x, 2 * x)", "ax.contour(image)", "ax.pcolormesh(image)", "ax.stem(x, x)",
    "ax.boxplot(x)", "ax.quiver(x, x, x, x)", "ax.set_xlim(x[0], x[-1])", "ax.axhline(x[3])",
    "ax.hlines(x, x, x)", "ax.pie(x)",
]  # fmt: skip


@pytest.mark.parametrize("code", PLOTS)
def test_matplotlib_draws_our_arrays(code):
    figure = pytest.importorskip("matplotlib.figure")
    xp = supremum.namespace("jax", backend="numpy")
    x = xp.linspace(0, 1, 20, dtype=xp.float32)
    image = xp.reshape(x, (4, 5))
    ours = {"x": x, "narrow": xp.astype(x, xp.bfloat16), "image": image}
    theirs = {name: np.asarray(a).astype(np.float32) for name, a in ours.items()}
    drawn = []
    for values in (ours, theirs):
        made = figure.Figure()
        eval(code, {"ax": made.add_subplot(), **values})
        drawn.append(_pixels(made))
    assert (drawn[0] == drawn[1]).all()


def _pixels(figure):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


INTEGERS = ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16"]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("rules", ["torch", "jax"])
def test_pytorch_computes_with_what_is_cast_first(rules, dtype):
    torch = pytest.importorskip("torch")
    xp = supremum.namespace(rules, backend="torch")
    x = xp.astype(xp.asarray([0.5, 1.5, -3.0, float("inf")]), dtype)
    numbers = [[1], [0], [70_000], [2049], [3, 0, 1, 2049]]
    compared = 0
    for other in INTEGERS:
        for given in numbers:
            y = xp.astype(xp.asarray(given), other)
            for one in (y, *([y[0]] if len(given) == 1 else [])):
                for name in ("add", "multiply", "divide", "floor_divide", "remainder", "less"):
                    f, cast = getattr(xp, name), xp.astype(one, dtype)
                    pairs = ((f(x, one), f(x, cast)), (f(one, x), f(cast, x)))
                    if rules == "torch" and one.size == 1:  # PyTorch casts to float32 then
                        own, of = getattr(torch, name), xp.asarray
                        a, b = x.native, one.native
                        pairs = ((f(x, one), of(own(a, b))), (f(one, x), of(own(b, a))))
                    for found, wanted in pairs:
                        assert found.dtype == wanted.dtype, (name, other, given)
                        values = [np.asarray(a).astype("float64") for a in (found, wanted)]
                        np.testing.assert_array_equal(*values)
                        compared += 1
    assert compared > 700


@pytest.mark.parametrize("dtype", ["int16", "uint16", "int64", "float16", "float32", "complex64"])
def test_pytorch_computes_in_place_what_the_operator_computes(dtype):
    pytest.importorskip("torch")
    for rules in ("torch", "numpy"):
        xp = supremum.namespace(rules, backend="torch")
        for other in [*INTEGERS, "uint32", "uint64", "float16"]:
            for y in (xp.astype(xp.asarray([1, 70_000]), other), xp.astype(xp.asarray(3), other)):
                for name in ("__add__", "__sub__", "__mul__", "__truediv__"):
                    x = xp.astype(xp.asarray([1, 2]), dtype)
                    try:
                        wanted = xp.astype(getattr(x, name)(y), dtype)
                        getattr(x, name.replace("__", "__i", 1))(y)
                    except supremum.SupremumError:  # the rules refuse the store, or the operation
                        continue
                    np.testing.assert_array_equal(np.asarray(x), np.asarray(wanted))
