"""Typing suggestions into a text, and holding what two runs gave against each other."""

import math

import numpy as np
import pytest

from supremum.audit.trial.comparison import (
    file_differences,
    text_differences,
    tolerance,
    value_differences,
)
from supremum.audit.trial.edits import Change, EditError, apart, changes, edited, is_typed
from supremum.audit.trial.files import decoded

SINGLE = tolerance("float32")


def change_of(text, old, new, needs="", nth=0):
    """Return the change of the nth occurrence of something in a text."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(old, start + 1)
    lines = [part.replace("\r\n", "\n").replace("\r", "\n") for part in (text[:start], old)]
    line, column = lines[0].count("\n") + 1, len(lines[0].rpartition("\n")[2]) + 1
    rows = lines[1].split("\n")
    end = column + len(rows[0]) if len(rows) == 1 else len(rows[-1]) + 1
    return Change(
        "f.py",
        (line, column),
        (line + len(rows) - 1, end),
        " ".join(old.split()),
        new,
        needs,
        "widening",
    )


def test_the_rest_of_a_text_stays_as_it_is():
    text = 'größe = "µ"\r\n\tx = f * ones(8)  # 变\r\n'.replace("\t", "")
    change = change_of(text, "ones(8)", "ones(8, dtype=float32)")
    assert edited(text, [change]) == text.replace("ones(8)", "ones(8, dtype=float32)")


def test_tabs_and_two_changes_of_one_line():
    text = "if 1:\n\tx = ones(8) + ones(8)\n"
    both = [change_of(text, "ones(8)", "ones(8, 'f')", nth=n) for n in (1, 0)]
    assert edited(text, both) == "if 1:\n\tx = ones(8, 'f') + ones(8, 'f')\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_suggestion_of_several_lines_gets_the_line_ends_of_the_text(end):
    text = "x = ones(\n    8,\n)\ny = 1\n".replace("\n", end)
    old = "ones(\n    8,\n)".replace("\n", end)
    change = change_of(text, old, "ones(\n    8,\n    dtype=d,\n)")._replace(text="ones(8,)")
    assert edited(text, [change]) == text.replace(f"8,{end}", f"8,{end}    dtype=d,{end}")


DOC = '"""What\n\nit is."""\n'
FUTURE = "from __future__ import annotations\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x = a\n", "import m\nx = a\n"),
        ("#!/bin/python\n# coding: utf-8\nx = a\n",
         "#!/bin/python\n# coding: utf-8\nimport m\nx = a\n"),
        (f"{DOC}x = a\n", f"{DOC}\nimport m\nx = a\n"),
        (f"{DOC}\nimport os\nx = a\n", f"{DOC}\nimport m\nimport os\nx = a\n"),
        (f"{FUTURE}\nimport os\nx = a\n", f"{FUTURE}\nimport m\nimport os\nx = a\n"),
        (f"{DOC}{FUTURE}x = a\n", f"{DOC}{FUTURE}\nimport m\nx = a\n"),
        ("'doc'; x = a\n", "'doc'; x = a\n\nimport m\n"),
        ("@d\nclass C: x = a\n", "import m\n@d\nclass C: x = a\n"),
        ("from __future__ import annotations; x = a",
         "from __future__ import annotations; x = a\n\nimport m\n"),
    ],
)  # fmt: skip
def test_an_import_stands_where_python_allows_it(text, wanted):
    change = change_of(text, "= a", "= b", needs="import m")
    assert edited(text, [change]) == wanted.replace("= a", "= b")


def test_an_import_that_two_changes_need_is_added_once():
    text = "x = ones(8)\ny = ones(8)\n"
    both = [change_of(text, "ones(8)", "m.f(8)", "import m", nth=n) for n in (0, 1)]
    assert edited(text, both) == "import m\nx = m.f(8)\ny = m.f(8)\n"


def test_what_is_not_there_any_more_is_not_changed():
    change = change_of("x = ones(8)\n", "ones(8)", "ones(8, d)")
    for text in ("x = zeros(8)\n", "", "\n", "x = one"):
        with pytest.raises(EditError, match="not at line 1 any more"):
            edited(text, [change])


def test_nothing_comes_of_it_that_is_not_python():
    with pytest.raises(EditError, match="not be Python"):
        edited("x = ones(8)\n", [change_of("x = ones(8)\n", "ones(8)", "ones(8")])


def test_an_import_that_is_there_is_not_added():
    text = "import m\nx = ones(8)\n"
    change = change_of(text, "ones(8)", "m.f(8)", "import m")
    assert edited(text, [change]) == "import m\nx = m.f(8)\n"


def test_of_overlapping_changes_the_first_is_taken():
    text = "x = (a + b) * c\n"
    inner, outer = change_of(text, "a + b", "d"), change_of(text, "(a + b) * c", "e")
    other = change_of(text, "c", "g")
    assert apart([inner, outer, other]) == [inner, other]
    assert apart([outer, inner]) == [outer]
    assert apart([inner, outer._replace(file="g.py")]) == [inner, outer._replace(file="g.py")]


def test_a_suggestion_that_is_typed_already_is_recognised():
    text = "y = f * np.float32(np.sqrt(2))\n"
    assert is_typed(text, change_of(text, "np.sqrt(2)", "np.float32(np.sqrt(2))"))
    assert not is_typed(text, change_of(text, "np.sqrt(2)", "np.float16(np.sqrt(2))"))
    assert not is_typed("f(2) + f(2).g\n", change_of("f(2) + f(2).g\n", "f(2)", "f(2).g"))


@pytest.mark.parametrize(
    "data",
    [
        "x = 'é'\r\n".encode(),
        b"\xef\xbb\xbfx = '\xc3\xa9'\n",
        "# coding: latin-1\nx = 'é'\n".encode("latin-1"),
        b"",
        b"x = 1\ry = 2",
    ],
)
def test_files_are_read_as_python_reads_them_and_written_so(data):
    source = decoded(data)
    assert not source.text.startswith("\ufeff")
    assert source.text.encode(source.encoding) == data


def test_a_report_names_each_change_once(audited):
    report = audited(
        """\
        import numpy as np
        f = np.ones(8, np.float32)
        for _ in range(2):
            out = f * np.hanning(8)
        h = f.astype(np.float16) * np.arange(8)
        """
    )
    found = changes(report.to_dict()["findings"])
    wanted = [(4, "np.hanning(8)"), (5, "f.astype(np.float16) * np.arange(8)")]
    assert [(c.line, c.text) for c in found] == wanted
    assert [c.dtypes & {"float16", "float32"} for c in found] == [{"float32"}, {"float16"}]


def test_what_two_findings_suggest_is_one_change_of_both(audited):
    report = audited("import numpy as np\nx = np.ones(8, np.float32) * np.hanning(8)\n")
    (first,) = report.to_dict()["findings"]
    place = {**first["places"][0], "operands": [{"dtype": "float16[8]"}]}
    other = {**first, "kind": "stopped", "places": [place]}
    (both,) = changes([first, other])
    assert both.kind == "stopped"
    assert both.dtypes == {"float16", "float32", "float64"}
    assert changes([other, first]) == [both]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("loss 0.123456789\n", "loss 0.12345679\n"),
        ("49.27 m", "49.28 m"),  # the last digit of those shown
        ("[1.0, 2.0, 1.2e-17]", "[1. 2. -3.1e-08]".replace(" ", ", ")),
        ("[0.5 0.25\n 1. ]", "[0.50000001 0.25 1.0]"),
        ("1.2e-17", "-4e-09"),
        ("0.0", "1e-08"),
        ("nan inf -inf", "nan inf -inf"),
        ("float64 and torch.complex128", "float32 and torch.complex64"),
        ("uint8 [0]", "int16 [0]"),
        ("array([1], dtype=uint8)", "array([1], dtype=int16)"),
        ("array([0.1, 0.2])", "array([0.1, 0.2], dtype=float32)"),
        ("np.float64(1.5)", "np.float32(1.5)"),
        ("tensor([1.], dtype=torch.float64)", "tensor([1.])"),
        ("# 1.0", "# 1.00000001"),
        ("float64, 80 bytes", "float32, 40 bytes"),
        ("float64 1536", "float32 768"),
        ("1.5 MB of memory", "768.0 kB of memory"),
        ("megabytes 139.9", "megabytes 17.5"),
        ("traced 2 times", "traced 1 times"),
        ("it took 1.25 s", "it took 0.75 s"),
        ("=== 3 passed in 2.19s ===", "=== 3 passed in 1.63s ==="),
        ("Wall time: 905 μs", "Wall time: 1.2 ms"),
        ("149 μs ± 1.2 ns per loop (1 loop each)", "87.5 μs ± 0 ns per loop (1 loop each)"),
        ("float64 in the space: False", "float32 in the space: True"),
        ("dtypes {'float32', 'float64'}, 3", "dtypes {'float32'}, 3"),
    ],
)
def test_texts_that_differ_by_rounding_agree(before, after):
    assert not [*text_differences(before, after, SINGLE)]


def test_zeros_that_numpy_leaves_out_are_digits_too():
    found = text_differences("[0.127 0.127]", "[1. 1.]", tolerance("bfloat16"))
    assert list(found) == ["line 1: 0.127 became 1."]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("a\nloss 1.0", "a\nloss 1.001", "line 2: 1.0 became 1.001"),
        ("3 found", "4 found", "line 1: 3 became 4"),
        ("id 16777217", "id 16777216", "line 1: 16777217 became 16777216"),
        (
            "9007199254740993",
            "9007199254740992",
            "line 1: 9007199254740993 became 9007199254740992",
        ),
        ("1e-09", "0.0", "line 1: 1e-09 became 0.0"),
        ("1.0", "nan", "line 1: 1.0 became nan"),
        ("inf", "-inf", "line 1: inf became -inf"),
        ("0.50", "0.51", "line 1: 0.50 became 0.51"),
        ("[100.0, 1.0]", "[100.0, 1.01]", "line 1: 1.0 became 1.01"),
        ("ok", "no", "line 1: 'ok' became 'no'"),
        ("1.5", "done", "line 1: a number became 'done'"),
        ("a b", "a", "line 1: 'b' is missing"),
        ("a", "a\n1.5", "line 2: a number is new"),
        ("v1.2.3", "v1.2.4", "line 1: '3' became '4'"),
        ("#", "1", "line 1: '#' became a number"),
        ("each 0.010 s", "each 0.009 s", "line 1: 0.010 became 0.009"),
        ("converged: False", "converged: True", "line 1: 'False' became 'True'"),
        ("float64 mean 0.5", "float32 mean 0.6", "line 1: 0.5 became 0.6"),
        ("float64 3", "float32 2", "line 1: 3 became 2"),
        ("[4 8] bytes", "[2 4] bytes", "line 1: 4 became 2"),
    ],
)
def test_texts_that_differ_are_told_apart(before, after, message):
    assert next(text_differences(before, after, SINGLE)) == message


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (np.array([1.0, 2.0]), np.array([1.0, 2.0000001], np.float32), ""),
        (np.sin(np.linspace(0, 7, 99)), np.sin(np.linspace(0, 7, 99)).astype(np.float32), ""),
        (np.array([1.0, np.nan, np.inf]), np.array([1.0, np.nan, np.inf], np.float32), ""),
        (np.array([1, 2]), np.array([1, 3]), "the result[1]: 2 became 3"),
        (np.zeros(3), np.zeros(4), "the shape of the result: (3,) became (4,)"),
        (np.array([1.0, 5.0]), np.array([1.0, np.inf]), "the result[1]: 5.0 became inf"),
        (np.array([1e-9, 1.0]), np.array([2e-5, 1.0]), "the result[0]: 1e-09 became 2e-05"),
        (np.array([1j, 2.0]), np.array([1j, 2.0], np.complex64), ""),
        (np.array(["a"]), np.array(["b"]), "the result[0]: line 1: 'a' became 'b'"),
        ({"a": [1.0]}, {"a": [1.1]}, "the result['a'][0]: 1.0 became 1.1"),
        ({"a": 1}, {"b": 1}, "the keys of the result: ('a',) became ('b',)"),
        ((1.0, 2.0), (1.0,), "the length of the result: 2 became 1"),
        (None, None, ""),
        (True, False, "the result: True became False"),
        (2.5, 2.50001, ""),
        ("x 1.0", "x 2.0", "the result: line 1: 1.0 became 2.0"),
        ([1.0, 2.0], 1.0, "the result: [1.0, 2.0] became 1.0"),
        ([1.0, (1, "a")], [1.0, (1, "b")], "the result[1][1]: line 1: 'a' became 'b'"),
        (np.array([None, 1.0]), np.array([None, 2.0]), "the result[1]: 1.0 became 2.0"),
        (1 + 1e-9j, 1 - 1e-9j, ""),
    ],
)  # fmt: skip
def test_values_are_compared_by_what_they_hold(before, after, message):
    assert next(value_differences(before, after, SINGLE), "") == message


def test_each_line_that_differs_is_named_once():
    before = "a 1.0\nb 2.0 2.0\nc [3.0\n3.0]\nd 4.0"
    after = "a 1.0\nb 2.5 2.5\nc [3.0\n3.5]\nd 4.5\ne 5"
    assert [*text_differences(before, after, SINGLE)] == [
        "line 2: 2.0 became 2.5", "line 4: 3.0 became 3.5", "line 5: 4.0 became 4.5",
        "line 6: 'e' is new",
    ]  # fmt: skip
    assert [*text_differences("a", "b c", SINGLE, goes_on=True)] == ["line 1: 'a' became 'b'"]


def test_numbers_that_merge_differ():
    north = 5_411_932.75 - np.arange(6) * 0.1
    rows = np.column_stack((north, np.ones(6)))
    merged = rows.astype(np.float32)
    assert [*value_differences(rows, merged, SINGLE)] == [
        "the result[:, 0]: of 6 different numbers, 3 are left"
    ]
    assert [*value_differences(north, merged[:, 0], SINGLE)] == [
        "the result: of 6 different numbers, 3 are left"
    ]
    for text in (lambda x: str(x.tolist()), lambda x: "\n".join(map(str, x.tolist()))):
        assert [*text_differences(text(north), text(merged[:, 0]), SINGLE)] == [
            "line 1: of 6 different numbers, 3 are left"
        ]
    noise = np.random.default_rng(0).standard_normal((500, 3))
    near = 1 + 1e-10 * noise.ravel()  # the same but for rounding
    for fine in (noise, near):
        assert not [*value_differences(fine, fine.astype(np.float32), SINGLE)]
    half = tolerance("float16")
    assert not [*value_differences(noise, noise.astype(np.float16), half)]


def file_change(name, before, after):
    return next(file_differences(name, before, after, SINGLE), "")


def test_files_are_compared_by_what_their_names_say(tmp_path):
    def saved(save, *arrays):
        save(tmp_path / "x.np", *arrays) if save is np.save else save(
            tmp_path / "x.np.npz", *arrays
        )
        found = next(tmp_path.iterdir())
        data = found.read_bytes()
        found.unlink()
        return data

    one, other = np.linspace(0, 1, 9), np.linspace(0, 1, 9, dtype=np.float32)
    assert not file_change("x.npy", saved(np.save, one), saved(np.save, other))
    assert not file_change("x.npz", saved(np.savez, one), saved(np.savez, other))
    message = file_change("x.npy", saved(np.save, one), saved(np.save, other * 2))
    assert message == "x.npy[1]: 0.125 became 0.25"
    assert not file_change("x.csv", b"a,b\n1.0,2.5\n", b"a,b\n1.00000001,2.5\n")
    assert file_change("x.csv", b"1.0,2.5\n", b"1.0,2.6\n") == "x.csv: line 1: 2.5 became 2.6"
    assert not file_change("x.json", b'{"a": [1.0]}', b'{"a":[1.00000001]}')
    assert file_change("x.json", b'{"a": 1}', b"{") == "x.json has other bytes"
    assert file_change("x.bin", b"\xff", b"\xfe") == "x.bin has other bytes"


def test_the_tolerance_is_that_of_the_narrower_dtype():
    assert tolerance("float32").relative == 512 * 2.0**-23
    assert tolerance("float16").relative == math.sqrt(2.0**-10)
    assert tolerance("bfloat16").relative == math.sqrt(2.0**-7)
    assert tolerance("float32", 1e-3).relative == 1e-3
    assert tolerance("").relative == 512 * 2.0**-52
