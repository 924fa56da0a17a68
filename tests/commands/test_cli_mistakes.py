"""The command's answers to mistakes: one line on stderr, exit code 2, or 1 for a refused mix."""

from pathlib import Path

import pytest

import supremum

NO_OPERAND = "name one operand or more: supremum explain int32 float16 1.0"
NO_ARRAY = (
    "'float32[3' is not an array; write its sizes as in float32[3], float32[2,3] or float32[]"
)
NO_FORMAT = "Invalid value for '-f' / '--format': 'xml' is not one of"


@pytest.mark.parametrize(
    "words",
    [
        ["int32", "float32", "-s", "jax-lax"],
        ["u64", "i64", "--system", "jep9407-option1"],
        ["1", "2", "-s", "array-api:version=2024.12"],
    ],
    ids=["jax-lax", "jep9407-option1", "array-api"],
)
@pytest.mark.parametrize("format", ["text", "json"])
def test_a_mix_that_the_rules_refuse_exits_1(golden, run, format, words):
    result = run("explain", "--format", format, *words)
    assert (result.exit_code, result.stdout) == (1, "")
    golden(result.stderr)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["explain", "flaot32"],
            "'flaot32' is not the name of a dtype; did you mean float32",
        ),
        (["explain", "f4"], "'f4' is float32 in bytes, as NumPy counts; type 'float32'"),
        (["explain"], NO_OPERAND),
        (["explain", "-s", "jax"], NO_OPERAND),
        (
            ["explain", "float32[3"],
            NO_ARRAY,
        ),
        (
            ["table", "int8", "long"],
            "'long' is not the full name of a dtype; type 'int64' or 'int32'",
        ),
        (
            ["explain", "-s", "jaxx", "int8"],
            "there are no rules named 'jaxx'; did you mean jax or jax-lax?",
        ),
        (
            ["laws", "qqq"],
            f"there are no rules named 'qqq'; the rules are {', '.join(supremum.systems())}",
        ),
        (["laws", "nope.toml"], "nope.toml: No such file or directory"),
        (["laws", "./nope"], "nope: No such file or directory"),
        (["table", "cyclic.txt"], "cyclic.txt: line 2: the arrows make a cycle"),
        (["explain", "-s", "cyclic.txt", "int8"], "cyclic.txt: line 2: the arrows make a cycle"),
        (["laws", "fine.txt:x64=false"], "rules from a file have no options such as x64"),
        (
            ["explain", "int8", "-s", "jax:x46=true"],
            "jax rules have no option 'x46'; did you mean x64?",
        ),
        (["explain", "int8", "-s", "jax:x64"], "write options of rules as in jax:x64=false"),
        (
            ["explain", "int8", "-s", "jax:x64=maybe"],
            "jax rules: x64 is True or False, not 'maybe'",
        ),
        (
            ["explain", "int8", "-s", "jax:mode=strikt"],
            "jax rules: mode is 'standard' or 'strict', not 'strikt'",
        ),
        (
            ["explain", "int8", "-s", "jax-original:x64=false"],
            "jax-original rules have no option 'x64'; they have none",
        ),
        (
            ["explain", "int8", "--fromat", "json"],
            "no such option: --fromat; did you mean --format?",
        ),
        (["explain", "--systen=jax", "int8"], "no such option: --systen; did you mean --system?"),
        (["explain", "int8", "-q"], "no such option: -q"),
        *(
            (
                ["conform", "--module", "math", *more],
                "--module asks about pairs, so it goes without --random, --functions and --cells",
            )
            for more in (["--functions"], ["--random", "5"], ["--cells", "5"])
        ),
        (["table", "--fromat", "json"], "no such option: --fromat; did you mean --format?"),
        (
            ["explain", "int8", "--format", "xml"],
            f"{NO_FORMAT} 'text', 'json'",
        ),
        (
            ["table", "--format", "xml"],
            f"{NO_FORMAT} 'text', 'markdown', 'rst', 'csv', 'html', 'latex', 'json'",
        ),
        (["explian", "int8"], "there is no command 'explian'; did you mean explain?"),
        (["foo"], "there is no command 'foo'; supremum --help lists them"),
        (["export", "numpy", "python"], "got unexpected extra argument (python); type --to python"),
        (["laws", "int8"], "int8 is a dtype, and this takes rules, such as jax"),
    ],
    ids=lambda words: " ".join(words)[:40] if isinstance(words, list) else None,
)
def test_a_mistake_is_answered_in_one_line(run, words, message):
    Path("cyclic.txt").write_text("i8 -> i16\ni16 -> i8\n")
    Path("fine.txt").write_text("i8 -> i16\n")
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"supremum: {message}")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    assert isinstance(result.exception, SystemExit)


def test_the_nodes_of_a_cycle_are_named(run):
    Path("cyclic.txt").write_text("i8 -> i16\ni16 -> i8\n")
    assert "int8 -> int16 -> int8; remove one of them" in run("laws", "cyclic.txt").stderr
