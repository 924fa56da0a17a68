"""Why a program stopped: the operation, where its dtypes were introduced, and what to type."""

from textwrap import dedent

import numpy as np
import pytest

from supremum import audit, dtype
from supremum.audit.model.locations import Location
from supremum.audit.record import hooks
from supremum.audit.stops import stops
from supremum.audit.stops.by_rules import Question, refused
from supremum.audit.stops.dtype_errors import Refusal, by_message
from supremum.core.operands import operand


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


# what the rules refuse

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
    read = [operand(x).ranked(1) for x in operands]
    read = [x._replace(form="array") if x.form == "dtype" else x for x in read]
    question = Question(place, tuple(enumerate(read, 1)), None, ARRAY)
    assert refused(question, TypeError("whatever it says")) == refusal
    assert refused(question, TypeError("operands of other shapes")) is None
    assert refused(question, KeyError("whatever it says")) is None
