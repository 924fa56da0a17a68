"""What adversaries found in the errors: those not ours, too long, or without a line."""

import numpy as np
import pytest

import supremum
from supremum import Lattice, PromotionSystem, RulesError, dtype

ENOUGH = 2500
"""The characters that a message may have, with the path of a file."""


class OwnScalar(np.generic):
    """A scalar type that is not one of numbers, as the one of JAX's keys."""


class OwnFloat(np.floating):
    """A family that somebody has made."""


def nested():
    """Stand for Polars' dtypes of nested values, which need the dtype of these."""

    def takes_another(_, inner):
        return inner

    own = {"__module__": "polars.datatypes.classes", "__init__": takes_another}
    return type("List", (), own)


class NoModule:
    __module__ = None


@pytest.mark.parametrize(
    "ask",
    [
        lambda: dtype(nested()),
        lambda: dtype(OwnScalar),
        lambda: dtype(OwnFloat),
        lambda: dtype(NoModule),
        lambda: supremum.result_type(NoModule(), 1),
        lambda: supremum.result_type(1, 1, op=5),
        lambda: supremum.result_type(1, 1, op=[]),
        lambda: supremum.options([]),
        lambda: supremum.system([]),
    ],
    ids=["nested dtype", "scalar type", "family", "class without a module", "object of one",
         "number for op", "list for op", "list for options", "list for rules"],
)  # fmt: skip
def test_the_errors_are_ours(ask):
    with pytest.raises(supremum.SupremumError):
        ask()


@pytest.fixture
def written(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def refusal(ask, *args):
    with pytest.raises(supremum.SupremumError) as caught:
        ask(*args)
    return caught.value


def test_toml_of_many_nested_brackets_is_refused(written):
    for text in ("arrows = " + "[" * 5000, "arrows = " + "[" * 5000 + "]" * 5000):
        error = refusal(PromotionSystem.from_file, written("f.toml", text))
        assert str(error).endswith("its brackets are nested too deeply")


@pytest.mark.parametrize(
    ("name", "text"), [("f.toml", 'arrows = "i8 -> i16"'), ("f.txt", "i8 -> i16")]
)
def test_a_mark_of_the_byte_order_may_begin_a_file(written, name, text):
    rules = PromotionSystem.from_file(written(name, b"\xef\xbb\xbf" + text.encode()))
    assert rules.promote_types("int8", "int16") is dtype("int16")


LONG = "z" * 200_000


@pytest.mark.parametrize(
    "ask",
    [
        lambda: Lattice(f"i8 {LONG}"),
        lambda: PromotionSystem.from_lattice(f"i8 -> {LONG}"),
        lambda: PromotionSystem.from_lattice("i8", functions=LONG),
        lambda: PromotionSystem.from_lattice("i8", functions=f"add = {LONG}"),
        lambda: PromotionSystem.from_table(f"i8\n{LONG} i8"),
        lambda: dtype(LONG),
        lambda: supremum.system(LONG),
        lambda: supremum.result_type("int8", op=LONG),
        lambda: supremum.result_type(*["int4"] * 50_000, *["int8"] * 50_000),
        lambda: Lattice({i: [(i + 1) % 5000] for i in range(5000)}),
        lambda: Lattice({0: range(2, 500), 1: range(2, 500)}),
    ],
)
def test_messages_have_a_bound(ask):
    assert len(str(refusal(ask))) <= ENOUGH


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('source = "i8 -> zebra"\nname = "x"\narrows = "i8 -> zebra"', 3),
        ('source = "i8 ->"\nname = "x"\narrows = "i8 ->"', 3),
        ('name = "x"\narrows = """\ni8 -> i16\n\ni16 -> i8"""', 5),
        ('name = "x"\ntable = """\n   i8 u8\ni8 i8 i16\nu8 u8 u8\n"""', 4),
        ('name = "x"\ntable = """\n   i8 u8\ni8 i8 !\nu8 u8 u8\n"""', 4),
        ('name = "x"\narrows = "i8"\nfunctions = """\nadd =\nsqrt = flot: b"""', 5),
    ],
    ids=["same text before", "same chain before", "cycle", "cell", "mark alone", "function"],
)
def test_errors_of_a_file_have_the_line_of_the_mistake(written, text, line):
    error = refusal(PromotionSystem.from_file, written("f.toml", text))
    assert f"f.toml: line {line}: " in str(error)
    assert error.line == line


@pytest.mark.parametrize("widths", [{"int8": "int16"}, {"int*": "float*"}, {"int*": "zebra"}])
def test_widths_are_checked(written, widths):
    ((weak, width),) = widths.items()
    text = f"arrows = 'i8 -> i16'\n[widths]\n'{weak}' = '{width}'"
    assert "widths: " in str(refusal(PromotionSystem.from_file, written("f.toml", text)))
    with pytest.raises(RulesError, match=r"^widths: "):
        PromotionSystem.from_lattice("i8 -> i16", widths=widths)
