"""Why a program stopped: the operation, where its dtypes were introduced, and what to type."""

from textwrap import dedent

import numpy as np
import pytest

from supremum import audit
from supremum.audit.record import hooks
from supremum.audit.stops import stops
from supremum.audit.stops.dtype_errors import by_message

from .stopping import Stops, check, stop_of

PROGRAMS = {
    "a scalar of an array times a number": Stops(
        "pbellino/CNFreader#5",
        """
        import numpy as np
        header = np.frombuffer(b"\\x01\\x02\\x03\\x04", dtype=np.uint8)
        def word(b, at):
            return int(b[at]) + b[at + 1] * 256
        print(word(header, 0))
        """,
        "b[at + 1]",
        "int(b[at + 1])",
    ),
    "an index times a number": Stops(
        "equinor/seismic-zfp#99",
        """
        import numpy as np
        lines = np.array([3, 9], dtype=np.uint16)
        width = 70_000
        offset = lines[1] * width
        print(offset)
        """,
        "lines[1]",
        "int(lines[1])",
    ),
    "an array times a mask": Stops(
        "SiLab-Bonn/basil#230",
        """
        import numpy as np
        class Register:
            def __init__(self):
                self.bits = np.arange(4, dtype=np.uint8)
            def spread(self):
                return (self.bits * 0x0202020202) & 0x010884422010
        print(Register().spread())
        """,
        "self.bits",
        "self.bits.astype(np.int64)",
    ),
    "an integer that is stored": Stops(
        "halide/Halide#8380",
        """
        import numpy as np
        out = np.zeros((2, 2), dtype=np.uint8)
        for x in range(2):
            for y in range(2):
                out[x, y] = x * 200 + y * 100
        print(out)
        """,
        "x * 200 + y * 100",
        "(x * 200 + y * 100) & 0xff",
    ),
    "a number in place": Stops(
        "numpy/numpy#26761",
        """
        import numpy as np
        def shifted(x):
            x += 128
            return x
        print(shifted(np.array([-100, 27], dtype=np.int8)))
        """,
        "x += 128",
        "x = x.astype(np.int16) + 128",
    ),
    "a factor in place": Stops(
        "OverflowError",
        """
        import numpy as np
        gains = np.full(2, 250, dtype=np.uint8)
        gains *= 300
        print(gains)
        assert gains[0] == 75_000
        """,
        "np.full(2, 250, dtype=np.uint8)",
        "np.full(2, 250, dtype=np.int64)",
    ),
    "a fraction in place": Stops(
        "UFuncTypeError",
        """
        import numpy as np
        x_int = np.arange(5)
        x_int += 0.5
        print(x_int)
        """,
        "np.arange(5)",
        "np.arange(5, dtype=np.float64)",
    ),
    "a fraction in place, in a function": Stops(
        "UFuncTypeError",
        """
        import numpy as np
        def centred(counts):
            counts -= counts.mean()
            return counts
        print(centred(np.zeros(3, dtype=np.int32)))
        """,
        "counts -= counts.mean()",
        "counts = counts - counts.mean()",
    ),
    "a fraction in place, for the caller": Stops(
        "UFuncTypeError",
        """
        import numpy as np
        def scale(values, by):
            values *= by
        class Table:
            def __init__(self):
                self.values = np.arange(3)
            def scaled(self):
                scale(self.values, 0.5)
                return self.values
        print(Table().scaled())
        """,
        "np.arange(3)",
        "np.arange(3, dtype=np.float64)",
    ),
    "a fraction in place, in an attribute": Stops(
        "UFuncTypeError",
        """
        import numpy as np
        class Meter:
            def __init__(self, n):
                self.total = np.zeros(n, int)
            def add(self, values):
                self.total += values * 0.5
        meter = Meter(3)
        meter.add(np.ones(3))
        print(meter.total)
        """,
        "np.zeros(n, int)",
        "np.zeros(n, np.float64)",
    ),
    "an output": Stops(
        "UFuncTypeError",
        """
        import numpy as np
        a = np.linspace(0, 1, 4)
        buffer = np.empty(4, dtype=np.int64)
        np.multiply(a, 2.0, out=buffer)
        print(buffer)
        """,
        "np.empty(4, dtype=np.int64)",
        "np.empty(4, dtype=np.float64)",
    ),
    "unsigned and signed in place": Stops(
        "numpy/numpy#5745",
        """
        import numpy as np
        ids = np.arange(4, dtype=np.uint64)
        step = np.ones(4, dtype=np.int64)
        def advance(ids, step):
            ids += step
            return ids
        print(advance(ids, step))
        """,
        "step",
        "step.astype(np.uint64)",
    ),
    "floats are counted": Stops(
        "np.bincount",
        """
        import numpy as np
        labels = np.floor(np.array([0.5, 1.5, 1.7]))
        print(np.bincount(labels))
        """,
        "labels",
        "labels.astype(np.int64)",
    ),
    "floats are indices": Stops(
        "IndexError",
        """
        import numpy as np
        table = np.arange(10.0)
        def at(x):
            where = np.round(x * 4)
            return table[where]
        print(at(np.array([0.1, 0.9])))
        """,
        "where",
        "where.astype(np.int64)",
    ),
    "a float is an index": Stops(
        "IndexError",
        """
        import numpy as np
        table = np.arange(10.0)
        middle = np.ceil(3.2)
        print(table[middle])
        """,
        "middle",
        "int(middle)",
    ),
    "a float is a size": Stops(
        "TypeError",
        """
        import numpy as np
        def buffer(seconds):
            return np.linspace(0, 1, np.ceil(seconds * 10))
        print(len(buffer(1.25)))
        """,
        "np.ceil(seconds * 10)",
        "int(np.ceil(seconds * 10))",
    ),
    "integers to negative powers": Stops(
        "ValueError",
        """
        import numpy as np
        exponents = np.arange(4)
        print(10 ** -exponents)
        """,
        "10",
        "10.0",
    ),
    "an array to a negative power": Stops(
        "ValueError",
        """
        import numpy as np
        def inverse(x):
            return x ** -1
        print(inverse(np.arange(1, 4)))
        """,
        "x",
        "x.astype(np.float64)",
    ),
    "a negative number and an unsigned scalar": Stops(
        "gwastro/pycbc#4956",
        """
        import numpy as np
        sizes = np.array([3, 2], np.uint32)
        last = [size + -1 for size in sizes]
        print(last)
        """,
        "size",
        "int(size)",
    ),
    "a fill value": Stops(
        "OverflowError",
        """
        import numpy as np
        def blank(n):
            return np.full(n, 300, dtype=np.uint8)
        print(blank(3))
        """,
        "np.uint8",
        "np.int64",
    ),
    "a list": Stops(
        "OverflowError",
        """
        import numpy as np
        print(np.array([1, 300], dtype="uint8"))
        """,
        '"uint8"',
        '"int64"',
    ),
    "a ufunc as a function": Stops(
        "OverflowError",
        """
        import numpy as np
        pixels = np.arange(6, dtype=np.uint8).reshape(2, 3)
        print(np.maximum(pixels.T, -1))
        """,
        "pixels.T",
        "pixels.T.astype(np.int64)",
    ),
    "half precision in linear algebra": Stops(
        "TypeError",
        """
        import numpy as np
        matrix = np.eye(2, dtype=np.float16)
        print(np.linalg.inv(matrix))
        """,
        "matrix",
        "matrix.astype(np.float32)",
    ),
    "an image in place": Stops(
        "UFuncTypeError",
        """
        import numpy as np
        def brighter(image, by):
            image = image.copy()
            image *= by
            return image
        print(brighter(np.ones((2, 2), np.uint8), 1.5))
        """,
        "image *= by",
        "image = image * by",
    ),
    "in a generator": Stops(
        "OverflowError",
        """
        import numpy as np
        def words(data):
            for high in data:
                yield high * 256
        print(sum(words(np.frombuffer(b"ab", np.uint8))))
        """,
        "high",
        "int(high)",
    ),
    "caught, and raised from": Stops(
        "chains",
        """
        import numpy as np
        def scaled(x, n):
            try:
                return x[0] * n
            except OverflowError as error:
                raise ValueError(f"cannot scale by {n}") from error
        print(scaled(np.ones(2, np.uint8), 999))
        """,
        "x[0]",
        "int(x[0])",
    ),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_line_to_mend_is_named_and_mending_it_helps(program, tmp_path):
    check(program, tmp_path)


@pytest.fixture
def stop(tmp_path):
    """Return a function that runs a program, and gives its findings of a stop and its error."""

    def run(source):
        path = tmp_path / "program.py"
        path.write_text("import numpy as np\n" + dedent(source), encoding="utf-8")
        found, error = stop_of(path)
        return [finding for finding in found if finding.kind == "stopped"], error

    return run


OTHER_ERRORS = {
    "a shape": "np.ones(3) + np.ones((4,))",
    "a product's shape": "np.ones((2, 3)) @ np.ones((2, 3))",
    "an index out of bounds": "np.arange(3)[7]",
    "a key": "{'x': np.ones(3)}['y']",
    "the program's own": "raise ValueError('Python integer 300 out of bounds for uint8')",
    "the program's own class": """
        class Wrong(TypeError):
            pass
        x = np.ones(2, np.uint8)
        raise Wrong("Cannot cast array data from dtype('float64') to dtype('int64')")
    """,
    "a name": "print(np.uint8(3) + missing)",
    "an assertion": "assert np.ones(3).dtype == 'float32'",
    "numbers": "[1, 2][1.5]",
    "a text and a number": "'a' + np.arange(3).tolist()",
    "an overflow of floats": "2.0 ** 100_000",
    "an exit": "raise SystemExit(0)",
    "recursion": """
        def deeper(x):
            return deeper(x * 2)
        deeper(np.ones(2, np.float32))
    """,
    "a bug in a handler": """
        try:
            np.uint8(3) + 300
        except OverflowError:
            {}["missing"]
    """,
    "an error that hides another": """
        try:
            np.uint8(3) + 300
        except OverflowError:
            raise KeyError("x") from None
    """,
}


@pytest.mark.parametrize("source", OTHER_ERRORS.values(), ids=OTHER_ERRORS)
def test_no_other_error_is_explained(stop, source):
    found, error = stop(source)
    assert found == []
    assert audit.why(error) is None


def test_an_error_is_not_about_dtypes_for_its_class_alone():
    assert by_message(TypeError("x")) is None
    assert by_message(KeyError("Python integer 300 out of bounds for uint8")) is None

    class MuteError(TypeError):
        def __str__(self):
            raise ValueError

    assert by_message(MuteError()) is None


def test_a_wrapped_error_is_explained(stop):
    found, _ = stop("""
        def run(x):
            try:
                return x + 300
            except OverflowError:
                raise RuntimeError("failed")
        run(np.uint8(3))
    """)
    assert [(f.line, f.text, f.suggestion) for f in found] == [(5, "x", "int(x)")]


@pytest.mark.parametrize("again", ["raise", "raise error"])
def test_an_error_that_is_caught_and_raised_again_is_explained(stop, again):
    found, _ = stop(f"""
        def run(x):
            try:
                return x + 300
            except OverflowError as error:
                print(error)
                {again}
        run(np.uint8(3))
    """)
    assert [(f.line, f.text) for f in found] == [(5, "x")]


def test_an_error_in_a_group_is_explained(stop):
    found, error = stop("""
        found = []
        def add(x):
            try:
                x + 300
                [][1]
            except Exception as error:
                found.append(error)
        add(np.uint8(3))
        add(np.float64(1))
        raise ExceptionGroup("several", found[::-1])
    """)
    assert isinstance(error, ExceptionGroup)
    assert [(f.line, f.text) for f in found] == [(6, "x")]


def test_a_name_that_was_bound_anew_since_is_not_read(stop):
    found, _ = stop("""
        errors = []
        for x in (np.uint8(3), np.float64(1)):
            try:
                x + 300
            except OverflowError as error:
                errors.append(error)
        raise errors[0]
    """)
    assert [(f.line, f.text, f.suggestion) for f in found] == [(6, "x + 300", "")]
    assert [m.dtype for m in found[0].places[0].operands] == ["300"]


def test_a_task_is_explained(stop):
    found, _ = stop("""
        import asyncio
        async def scaled(x):
            await asyncio.sleep(0)
            return x * 300
        async def main():
            return await asyncio.gather(scaled(np.uint8(3)))
        asyncio.run(main())
    """)
    assert [(f.line, f.text) for f in found] == [(6, "x")]


def test_comprehensions_and_classes_are_explained(stop):
    found, _ = stop("print([abs(x) * 300 for x in np.ones(2, np.uint8)])")
    assert [(f.text, f.suggestion) for f in found] == [("abs(x)", "int(abs(x))")]
    found, _ = stop("""
        class Table:
            scale = np.uint8(3)
            wide = scale.copy() * 300
    """)
    assert [(f.text, f.suggestion) for f in found] == [("scale.copy()", "int(scale.copy())")]


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


def test_hostile_objects_in_the_frame_do_no_harm(stop):
    found, _ = stop("""
        class Hostile:
            def __getattribute__(self, name):
                raise RuntimeError(name)
            def __repr__(self):
                raise RuntimeError
            def __eq__(self, other):
                raise RuntimeError
            __hash__ = None
        def run(hostile, x):
            other = Hostile()
            return np.multiply(x, 300, where=True, subok=hostile is not other)
        run(Hostile(), np.uint8(3))
    """)
    assert [f.suggestion for f in found] == ["int(x)"]


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


def test_an_operand_is_the_one_that_was_computed(stop):
    found, _ = stop("""
        def part(x):
            return x[:1]
        def run(x):
            return part(x) * 2 + part(x.astype(np.uint8)) * 300
        run(np.ones(3))
    """)
    assert found[0].text == "part(x.astype(np.uint8))"
    assert [m.dtype for m in found[0].places[0].operands] == ["uint8[1]", "300"]


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


def test_where_an_operand_was_introduced_is_said_once(stop):
    found, error = stop("""
        weights = np.zeros(3, dtype=np.int16)
        def step(weights, by):
            weights -= by
        step(weights, np.full(3, 0.5))
    """)
    assert (found[0].line, found[0].suggestion) == (3, "np.zeros(3, dtype=np.float64)")
    place = found[0].places[0]
    assert [(m.text, m.dtype) for m in place.operands] == [
        ("weights", "int16[3]"),
        ("by", "float64[3]"),
    ]
    # where the first was introduced is the line that is shown
    assert [m.born and m.born.text for m in place.operands] == [None, "np.full(3, 0.5)"]
    text = str(audit.why(error))
    assert "stopped: int16 is introduced here, and stops line 5: UFuncTypeError: Cannot " in text
    assert "float64 is introduced at line 6: np.full(3, 0.5)" in text
    assert "int16 is introduced at line" not in text
