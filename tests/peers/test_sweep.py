"""Sweeps of installed packages: what is known of their functions, each from an issue or by hand."""

import pytest

from supremum import audit

pytestmark = pytest.mark.thorough

# What is swept; with which dtype; a few functions, each with its verdict; and for some of those
# that widen, a part of the line that introduces the dtype.
SWEEPS = {
    "scipy.linalg": ("float32", {
        # the six of scipy#25964
        "solve_discrete_lyapunov": ("widens", "np.eye("),
        "clarkson_woodruff_transform": ("widens", "S @ input_matrix"),
        "matrix_balance": ("widens", "np.ones_like(ps, dtype=float)"),
        "expm_cond": ("widens", "np.identity("),
        "fractional_matrix_power": ("widens", "np.floor(p)"),
        "expm_frechet": ("widens", "np.identity("),
        "det": ("widens", "np.empty("), "cho_solve": ("keeps", ""), "eigh": ("keeps", ""),
        "lu_solve": ("keeps", ""), "svd": ("keeps", ""), "subspace_angles": ("keeps", ""),
        "block_diag": ("widens", ""), "hilbert": ("takes no arrays", ""),
        "issymmetric": ("no arrays", ""),
    }),
    "scipy.signal": ("float32", {
        "square": ("widens", 'dtype="d"'),  # scipy#23418
        "wiener": ("widens", "xp.ones(mysize)"), "convolve": ("keeps", ""),
        "lfilter": ("keeps", ""), "spline_filter": ("wrong", ""),  # its precision is 1e-3 then
    }),
    "sklearn.preprocessing": ("float32", {
        "StandardScaler.transform": ("keeps", ""), "add_dummy_feature": ("widens", "np.full("),
        "MinMaxScaler.inverse_transform": ("keeps", ""),
    }),
    "pandas.Series": ("float32", {
        "Series.mean": ("keeps", ""), "Series.rank": ("widens", "rank"),
        "Series.cumsum": ("keeps", ""), "Series.isna": ("no arrays", ""),
    }),
    "xarray.DataArray": ("float32", {
        "DataArray.mean": ("keeps", ""), "DataArray.quantile": ("widens", "npmodule"),
        "DataArray.rolling": ("no arrays", ""),
    }),
    "torch.nn": ("bfloat16", {
        "Linear": ("keeps", ""), "Softmax": ("keeps", ""), "LSTM": ("keeps", ""),
        "FractionalMaxPool2d": ("keeps", ""),  # its random numbers are of the dtype
    }),
    "jax.numpy": ("float16", {
        "mean": ("keeps", ""), "exp": ("keeps", ""), "cumsum": ("keeps", ""),
        "isnan": ("no arrays", ""),
    }),
    "numpy": ("float16", {
        "var": ("wrong", ""), "cov": ("widens", ""), "exp": ("keeps", ""), "asarray": ("keeps", ""),
        "roots": ("refuses", ""), "linspace": ("takes no arrays", ""),
    }),
}  # fmt: skip


@pytest.mark.parametrize("module", SWEEPS)
def test_known_functions_have_their_verdicts(module, monkeypatch, tmp_path):
    root = module.partition(".")[0]
    pytest.importorskip(root)
    monkeypatch.chdir(tmp_path)
    dtype, known = SWEEPS[module]
    home = root if module.rpartition(".")[2][0].isupper() else module
    found = audit.sweep(module, dtypes=dtype, only=[f"{home}.{name}" for name in known])
    rows = {row.name.removeprefix(f"{home}."): row for row in found.rows}
    assert {name: row.verdict for name, row in rows.items()} == {
        n: v for n, (v, _) in known.items()
    }
    for name, (_, part) in known.items():
        assert not part or part in rows[name].line["text"]
    assert [row.name for row in found.rows if row.by_rules] == []
