"""Rules that a file describes, and every way in which a file does not."""

import re

import pytest

import supremum
from supremum import RulesError, dtype
from supremum.custom import PromotionSystem

TABLE = """
          i8   u8   i16
    i8    i8   i16! i16
    u8    i16! u8   -
    i16   i16  i16  i16
"""


def refusal(call, *args, error=RulesError):
    with pytest.raises(error) as caught:
        call(*args)
    return caught.value


@pytest.fixture
def written(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_file_of_arrows_describes_rules(written):
    path = written("mine.txt", "# mine\ni* -> i8 -> i16\nu8 -> i16  # wider\n")
    rules = PromotionSystem.from_file(path)
    assert rules.promote_types("int8", "uint8") is dtype("int16")
    assert (rules.name, rules.setting) == ("mine", {"file": str(path)})
    assert PromotionSystem.from_file(str(path)).lattice == rules.lattice


def test_what_a_diff_says_to_type_names_the_file(written):
    path = written("mine.toml", 'name = "ours"\narrows = "i4 -> i8; f16 -> f32"\n')
    text = str(supremum.diff(PromotionSystem.from_file(path), "jax"))
    assert f"supremum diff {path} jax int4 int8" in text


def test_a_toml_file_of_arrows_describes_rules(written):
    path = written(
        "mine.toml",
        'name = "ours"\nversion = "1.0"\nsource = "me"\n'
        'arrows = """\ni* -> i8 -> i16\nu8 -> i16\n"""\n[widths]\n"int*" = "int8"\n',
    )
    rules = PromotionSystem.from_file(path)
    assert (rules.name, rules.version, rules.source) == ("ours", "1.0", "me")
    assert rules.promote_types("int8", "uint8") is dtype("int16")
    assert rules.result_type(1) is dtype("int8")


def test_a_toml_file_of_a_table_describes_rules(written):
    rules = PromotionSystem.from_file(written("mine.toml", f'table = """{TABLE}"""'))
    assert rules.name == "mine"
    assert rules.table() == PromotionSystem.from_table(TABLE).table()
    assert len(rules.table().marked) == 2


@pytest.mark.parametrize(
    "text",
    [
        "i8 -> i16\ni16 -> i32\ni32 -> i8\n",
        "i8 -> i16\ni8 ->\n",
        "i8 i16\n",
        "i8, u8 -> i16, f16",
        "# f8\ni8 -> f8",
        "i8->i16\n\ni16->zebra",
        "",
        " \n",
        "# i8 -> i16\n",
        b"\xff",
    ],
)
def test_a_file_without_arrows_is_refused(golden, written, text):
    path = written("f.txt", text)
    error = refusal(PromotionSystem.from_file, path)
    golden(error)
    assert error.given == path


@pytest.mark.parametrize(
    "text",
    [
        b"\xff",
        "arrows = ",
        "name = 'x'",
        "",
        "arrows = 'i8'\ntable = 'i8'",
        "arows = 'i8'",
        "arrows = ''",
        "arrows = '# i8'",
        "table = ''",
        "arrows = 'i8 -> zebra'",
        "table = '''\n  i8 u8\ni8 i8\n'''",
        "table = '''\n  i8\ni8 i16\n'''",
        "arrows = 'i8'\n[widths]\n'int*' = 'zebra'",
        "arrows = 3",
        "table = ['i8']",
        "arrows = 'i8'\nname = 3",
        "arrows = 'i8'\nversion = 1.0",
        "arrows = 'i8'\nsource = true",
        "arrows = 'i8'\nwidths = {'int*' = 8}",
        "arrows = 'i8'\nwidths = [1]",
        "arrows = 'i8'\nwidths = 'x'",
    ],
)
def test_a_toml_file_that_does_not_describe_rules_is_refused(golden, written, text):
    path = written("f.toml", text)
    error = refusal(PromotionSystem.from_file, path)
    golden(error)
    assert error.given == path


def test_a_file_that_is_not_there_is_refused(golden, tmp_path):
    path = tmp_path / "mine.txt"
    error = refusal(PromotionSystem.from_file, path)
    golden(error)
    error = refusal(PromotionSystem.from_file, tmp_path)
    golden(error)


def test_the_error_of_a_file_comes_with_that_of_the_lattice(written):
    path = written("f.txt", "i8 -> i16\ni16 -> i8\n")
    error = refusal(PromotionSystem.from_file, path)
    assert isinstance(error.__cause__, supremum.custom.CycleError)
    assert (error.__cause__.nodes, error.__cause__.line) == (
        (dtype("int8"), dtype("int16")),
        2,
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("f.txt", "i8 -> i16\ni16 -> i8\n"),
        ("f.txt", "i8 -> i16\nint16 -> int8\n"),
        ("f.toml", "name = 'mine'\narrows = '''\ni8 -> i16\ni16 -> i8\n'''\n"),
    ],
    ids=["arrows", "two names of a dtype", "toml"],
)
def test_the_line_of_a_cycle_is_that_of_the_file(written, name, text):
    error = refusal(PromotionSystem.from_file, written(name, text))
    line = re.search(r": line (\d+): the arrows make a cycle", str(error))
    assert line is not None
    assert text.splitlines()[int(line[1]) - 1] in ("i16 -> i8", "int16 -> int8")


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
