"""Why a program stopped: the operation, where its dtypes were introduced, and what to type."""

from textwrap import dedent

import numpy as np
import pytest

from supremum import audit
from supremum.audit.log import hooks
from supremum.audit.stops import stops
from supremum.audit.stops.messages import by_message


@pytest.fixture
def stop(tmp_path):
    """Return a function that runs a program, and gives its findings of a stop and its error."""

    def run(source):
        path = tmp_path / "program.py"
        path.write_text("import numpy as np\n" + dedent(source), encoding="utf-8")
        error = None
        try:
            audit.run(str(path))
        except Exception as raised:  # noqa: BLE001  # whatever it is
            error = raised
        return audit.last_report().of(["stopped"]), error

    return run


def test_an_error_is_not_about_dtypes_for_its_class_alone():
    assert by_message(TypeError("x")) is None
    assert by_message(KeyError("Python integer 300 out of bounds for uint8")) is None

    class MuteError(TypeError):
        def __str__(self):
            raise ValueError

    assert by_message(MuteError()) is None


class _Kept(dict):
    """What an earlier program kept, whose frames had the numbers of all that come."""

    def __contains__(self, key):
        return True

    def __missing__(self, key):
        return np.ones(2, np.uint8)


def test_a_comprehension_is_explained_by_its_own_operands(stop, monkeypatch):
    monkeypatch.setattr(hooks, "_kept", _Kept())
    found, _ = stop("print([abs(x) * 300 for x in np.ones(2, np.uint8)])")
    assert [(f.text, f.suggestion) for f in found] == [("abs(x)", "int(abs(x))")]


def test_what_an_earlier_program_kept_is_let_go(stop):
    stop("class Table: x = sum([np.ones(2, np.uint8)]) * 300")
    assert hooks._kept
    stop("pass")
    assert not hooks._kept


def test_a_huge_array_is_not_printed(stop):
    _, error = stop("x = np.zeros(50_000_000, np.uint8)\nx * 3000")
    text = str(audit.why(error))
    assert "uint8[50000000]" in text
    assert len(text) < 600


def test_a_long_message_is_cut(stop):
    found, _ = stop(f"np.zeros(2, np.uint8) * {'1' * 900}")
    assert all(len(f.places[0].told) < 400 for f in found)


def test_nothing_of_the_program_runs_again(stop, capsys):
    stop("""
        class Store:
            @property
            def data(self):
                print("read")
                return np.ones(2, np.uint8)
            def __getattr__(self, name):
                print("asked", name)
                raise AttributeError(name)
        def run(store):
            try:
                return store.data * 300
            finally:
                store = Store()
        run(Store())
    """)
    assert capsys.readouterr().out == "read\n"


def test_the_last_error_is_explained_if_none_is_given(stop, monkeypatch):
    _, error = stop("np.uint8(3) * 300")
    monkeypatch.setattr("sys.last_exc", error, raising=False)
    assert audit.why().finding.suggestion == "int(np.uint8(3))"
    monkeypatch.delattr("sys.last_exc")
    monkeypatch.setattr("sys.last_value", None, raising=False)
    assert audit.why() is None


def test_an_error_of_code_that_is_not_watched_is_not_explained():
    with pytest.raises(OverflowError) as caught:
        np.uint8(3) * 300
    assert audit.why(caught.value) is None


def test_an_error_in_the_explanation_stays_inside(stop, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(stops, "location_at", fail)
    found, error = stop("np.uint8(3) * 300")
    assert found == []
    assert isinstance(error, OverflowError)


def test_where_an_operand_was_introduced_is_said_once(stop, golden):
    _, error = stop("""
        weights = np.zeros(3, dtype=np.int16)
        def step(weights, by):
            weights -= by
        step(weights, np.full(3, 0.5))
    """)
    golden(str(audit.why(error)).partition("program.py")[2])


def test_nothing_of_the_program_is_done_again(stop):
    found, error = stop("""
        class Counted(np.ndarray):
            calls = 0
            def __array_finalize__(self, whole):
                type(self).calls += 1
        def twice(x):
            x.flags.writeable = True
            return np.linalg.inv(x)
        x = np.eye(2, dtype=np.float16)
        x.flags.writeable = False
        try:
            twice(x.copy())
        finally:
            print(Counted.calls, x.flags.writeable)
    """)
    assert isinstance(error, TypeError)
    assert [one.suggestion for one in found] == ["x.astype(np.float32)"]


def test_an_error_that_another_dtype_does_not_mend_is_not_about_dtypes(stop):
    found, error = stop("np.linalg.inv(np.zeros((2, 2), np.float32))")
    assert found == []
    assert isinstance(error, np.linalg.LinAlgError)


def test_what_is_random_or_in_place_is_not_done_again(stop):
    found, _ = stop("""
        rng = np.random.default_rng(0)
        state = rng.bit_generator.state
        try:
            rng.choice(np.ones(3, np.float16), np.float32(2.5))
        finally:
            assert rng.bit_generator.state == state
    """)
    assert [one.suggestion for one in found] in ([], [""])
