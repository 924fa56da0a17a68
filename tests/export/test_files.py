"""Files of exported rules: their suffix is their format, and they are checked as that."""

import pytest

from supremum import export
from supremum.core.errors import RulesError
from supremum.export.formats import NAMES, SUFFIXES

SAYS = {
    "jax.py": "def result_type(", "jax.JSON": '"join":', "jax.hpp": "namespace promotion::jax {",
    "jax.h": "#pragma once", "jax.pyi": "@overload", "jax.mmd": "flowchart",
    "jax.dot": "digraph", "jax.gv": "digraph", "jax.md": "| c128 |", "jax.tex": "tabular",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_every_format_has_suffixes_and_each_suffix_is_of_one():
    assert list(SUFFIXES) == list(NAMES)
    known = " ".join(SUFFIXES.values()).split()
    assert len(known) == len(set(known))


@pytest.mark.parametrize("name", SAYS)
def test_the_suffix_says_how_a_file_is_written_and_checked(name, run, tmp_path):
    assert run("export", "jax", "-o", name).exit_code == 0
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert SAYS[name] in text
    assert export.check(name, "jax") == ""
    assert f"{name}:" in export.check(name, "mlx")


def test_a_format_that_is_named_holds_where_the_suffix_says_nothing(run, tmp_path):
    assert run("export", "jax", "-o", "rules.txt", "--to", "cpp").exit_code == 0
    assert "#pragma once" in (tmp_path / "rules.txt").read_text()
    assert export.check("rules.txt", "jax", "cpp") == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "jax.hpp --to json",
            "the suffix of cpp, not of json; leave --to out, or name it jax.json",
        ),
        ("jax.xyz", "jax.xyz has the suffix of no format (.py, .json, .hpp"),
        ("jax", "name one with --to"),
        ("jax.py --to pyhton", "did you mean python?"),
    ],
)
def test_what_contradicts_or_says_nothing_is_refused(run, tmp_path, words, said):
    file, *others = words.split()
    found = run("export", "jax", "-o", file, *others)
    assert found.exit_code == 2
    assert said in found.stderr
    assert not (tmp_path / file).exists()


def test_tests_are_of_a_python_module_alone(run):
    found = run("export", "jax", "-o", "jax.hpp", "--tests", "test_jax.py")
    assert "--tests goes with --to python and -o" in found.stderr


def test_check_in_python_goes_by_the_suffix(tmp_path):
    (tmp_path / "torch.hpp").write_text(export.render("torch", "cpp"))
    assert export.check("torch.hpp", "torch") == ""
    with pytest.raises(RulesError, match="leave --to out"):
        export.check("torch.hpp", "torch", "json")


def test_a_link_stays_and_what_it_stands_for_is_written(tmp_path):
    target, link = tmp_path / "real.py", tmp_path / "link.py"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    export.write({link: "new"})
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("place", ["mine.toml", "./mine.toml", "deep/mine.toml"])
def test_what_is_written_of_a_file_of_rules_has_its_name_alone(run, tmp_path, place):
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text('arrows = "i8 -> i16; u8 -> i16"\n', encoding="utf-8")
    for path in (place, str(tmp_path / place)):
        for form in NAMES:
            text = run("export", path, "--to", form).stdout
            assert "mine" in text
            assert str(tmp_path) not in text
            assert "deep" not in text
        text = run("export", path, "--to", "cpp").stdout
        assert "Written by: supremum export mine.toml --to cpp\n" in text
        assert "namespace promotion::mine {" in text
