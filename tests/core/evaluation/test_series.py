"""NumPy's functions of a Series, beside what pandas and NumPy themselves give."""

import pytest

import supremum

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")

TEXTS = """
    np.abs(x)  np.abs(x) * np.float64(1)  np.cumsum(x) * np.float64(1)  np.sum(x)  np.mean(x)
    np.diff(x)  np.diff(x) * np.float64(1)  np.sort(x) * np.float64(1)  np.quantile(x, 0.5)
    np.median(x).sum()  np.unique(x) * np.float64(1)  x.unique() * np.float64(1)
    x.values * np.float64(1)  x.to_numpy() * np.float64(1)  x * np.float64(1)
    x.max() * np.ones(3, np.float32)  np.ones(3, np.float32) * np.median(x)  x.max() * x.values
    np.gradient(x) * np.float64(1)  np.sin(x.values) * np.float64(1)  np.where(x > 0, x, 0)
    x[:2] * np.float64(1)  x.head(2) + 1  np.repeat(x, 2) * np.float64(1)  x.any().round()
"""


@pytest.mark.parametrize("setting", [{}, {"system": "pandas"}], ids=["nobody", "pandas"])
@pytest.mark.parametrize("text", [x.strip() for x in TEXTS.replace("\n", "  ").split("  ") if x])
@pytest.mark.parametrize("dtype", ["int8", "int64", "float16", "float32", "complex64"])
def test_a_function_of_numpy_gives_what_it_gives_of_a_series(dtype, text, setting):
    x = pd.Series(np.ones(3, dtype))
    try:
        wanted = eval(text, {"np": np, "x": x}).dtype.name
    except TypeError:
        pytest.skip("NumPy refuses it")
    assert supremum.explain(text, x=x, **setting).result.name == wanted


def test_rows_that_a_series_lacks_are_told():
    shown = str(supremum.explain("int8[2] + int8[3]", system="pandas"))
    assert "int8[2] is float64, as the rows that it lacks are NaN." in shown


def test_what_may_lack_rows_is_refused():
    with pytest.raises(supremum.ExpressionError, match="lacks rows"):
        supremum.explain("int8[3].drop_duplicates() + int8[3]", system="pandas")
