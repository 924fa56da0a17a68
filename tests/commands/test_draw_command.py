"""The command that draws."""

import os
import subprocess
import sys

import pytest

import supremum

pytest.importorskip("fast_sugiyama")


def test_a_text_drawing_shows_chains_as_lines(golden, run):
    result = run("draw", "jax")
    assert result.exit_code == 0
    (line,) = [line for line in result.stdout.splitlines() if "i16" in line]
    assert line.index("i8") < line.index("i16") < line.index("i32") < line.index("i64")
    golden(result.stderr)


def test_without_a_name_the_usual_rules_are_drawn(run):
    assert run("draw").stdout == run("draw", "jax").stdout


@pytest.mark.parametrize("name", ["x.svg", "x.png", "x.pdf"])
def test_a_drawing_is_written(run, name, tmp_path, monkeypatch):
    pytest.importorskip("typst")
    monkeypatch.chdir(tmp_path)
    result = run("draw", "numpy", "--highlight", "i32", "f16", "-o", name)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "int32 and float16 give float64. The order of the table of NumPy" in result.stderr
    assert (tmp_path / name).stat().st_size > 1000


def test_the_text_formats(golden, run):
    golden(run("draw", "python", "--format", "arrows").stdout)
    assert "n0 -> n1" in run("draw", "python", "--format", "dot").stdout
    assert "n0 --> n1" in run("draw", "python", "--format", "mermaid").stdout


def test_an_encoding_without_braille_gets_arrows():
    code = "from supremum.commands import main; main(['draw', 'python'])"
    printed = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    ).stdout
    assert printed.splitlines() == [b"int* -> float*", b"float* -> complex*"]


def test_some_dtypes_are_drawn_or_left_out(run):
    names = run("draw", "torch", "--without", "u16,u32,u64", "-f", "arrows").stdout
    assert "uint16" not in names
    assert "float16 -> float32" in names.splitlines()
    assert run("draw", "jax", "int8", "f32", "-f", "arrows").stdout == "int8 -> float32\n"
    whole = run("draw", "jax", "--all", "-f", "dot").stdout
    assert whole.count("label=") == len(supremum.system("jax").dtypes)


def test_a_file_may_have_other_nodes_than_dtypes(golden, run, tmp_path):
    path = tmp_path / "colours.txt"
    path.write_text("red, blue -> purple -> black\n", encoding="utf-8")
    result = run("draw", str(path), "--highlight", "red", "blue", "--format", "arrows")
    golden(result.stdout)
    golden(result.stderr)
    path.write_text("a, b -> c, d\n", encoding="utf-8")
    broken = run("draw", str(path))
    assert broken.exit_code == 2
    assert broken.stderr.startswith(f"supremum: {path}: a and b have 2 least upper bounds")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nunpy"], "there are no rules named 'nunpy'; did you mean numpy"),
        (["torch", "uint16", "bfloat16", "complex64"], "the table of PyTorch is not an order"),
        (["jax", "--highlight", "int32", "flaot16"], "float16"),
        (["jax", "-o", "x.jpg"], "x.jpg: a drawing is written to a file that ends in .svg, "),
        (["jax", "-o", "no/x.svg"], "no/x.svg: cannot be written: No such file or directory"),
        (["jax", "--format", "dto"], "'dto'"),
        ([""], "there are no rules named ''"),
        (["jax", "-o", ""], "a drawing is written to a file that ends in .svg, "),
        (["jax", "-o", "x.svg", "-f", "dot"], "leave -f out, or print it with -f dot > FILE"),
    ],
    ids=str,
)
def test_a_mistake_is_one_line_and_writes_nothing(run, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("draw", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert len([x for x in result.stderr.splitlines() if x.startswith("supremum: ")]) == 1
    assert not list(tmp_path.iterdir())
