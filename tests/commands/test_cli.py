"""The command: what it prints, and its exit codes."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

import supremum
from supremum import conformance
from supremum.audit import KINDS
from supremum.commands import main
from supremum.core.analysis import criteria
from supremum.show import render

QUICK = ["explain", "table", "laws", "diff", "draw", "compare", "export", "systems"]
COMMANDS = ["audit", *QUICK, "conform", "design", "explore", "fix", "sweep", "why"]


def succeeds(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.removesuffix("\n")


def test_explain_prints_the_explanation(run):
    assert succeeds(run("explain", "int32", "float16", "1.0")) == (
        "float16                                        jax rules, x64 on\n"
        "\n"
        "  int32     dtype                  int32 → int64 → float* → float16\n"
        "  float16   dtype                  float16\n"
        "  1.0       Python float, weak     float* → float16\n"
        "\n"
        "float16 is the least dtype that all three reach: "
        "in these rules every float is above every integer.\n"
        "May lose precision: int32 carries 31 bits, float16 carries 11.\n"
        "May overflow: int32 reaches 2147483647, float16 reaches 65504.\n"
        "\n"
        "elsewhere: float64 by numpy; refused by array-api, tensorflow"
    )


@pytest.mark.parametrize(
    ("words", "operands", "options"),
    [
        (["int16", "1"], ["int16", 1], {}),
        (["int16", "True", "2j"], ["int16", True, 2j], {}),
        (["--", "-1"], [-1], {}),
        (["-1", "-1.5", "-.5", "int8"], [-1, -1.5, -0.5, "int8"], {}),
        (["int64", "1", "-s", "jax:x64=false"], ["int64", 1], {"x64": False}),
        (["-s", "jax:x64=true", "int64", "1"], ["int64", 1], {"x64": True}),
        (["int32", "1", "-s", "jax:mode=strict"], ["int32", 1], {"mode": "strict"}),
        (
            ["-s", "jax:mode=strict,x64=false", "int32", "1"],
            ["int32", 1],
            {"mode": "strict", "x64": False},
        ),
        (["int*", "float*"], [int, float], {}),
    ],
    ids=str,
)
def test_explain_takes_operands_and_options(run, words, operands, options):
    told = supremum.system("jax", **options).explain(*operands)
    printed = succeeds(run("explain", *words)).partition("\nWith x64")[0]
    assert printed.rstrip("\n") == str(told)
    assert json.loads(succeeds(run("explain", "-f", "json", *words))) == told.to_dict()


def test_explain_takes_arrays(run):
    printed = succeeds(run("explain", "float32[]", "int64[3]", "float*[2,3]"))
    assert printed.splitlines()[2:5] == [
        "  float32[]     array                  float32",
        "  int64[3]      array                  int64 → float* → float16 → float32",
        "  float*[2,3]   array, weak            float* → float16 → float32",
    ]


CODES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b"]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    "words", ["explain {}", "compare {}[3] 1", "table numpy {}", "explain {}+1"]
)
def test_short_codes_with_two_readings_are_refused_with_both(run, code, words):
    refused = run(*words.format(code).split())
    assert refused.exit_code == 2
    assert f"'{code}' is " in refused.stderr
    assert "in bits" in refused.stderr
    assert "in bytes" in refused.stderr


def test_files_read_short_codes_as_bits_and_commands_say_so(run, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("u8 -> i16 -> f32  # not i8\n", encoding="utf-8")
    told = f"Short codes in {path} count bits: u8 as uint8."
    for words in (["explain", "uint8"], ["compare", "uint8", "int16"]):
        assert succeeds(run(*words, "-s", str(path))).splitlines()[-1] == told
    assert "Short codes" not in succeeds(run("explain", "uint8", "-s", str(path), "-f", "json"))
    path.write_text("uint8 -> i16", encoding="utf-8")
    assert "Short codes" not in succeeds(run("explain", "uint8", "-s", str(path)))


def test_table_prints_the_chosen_dtypes(run):
    assert succeeds(run("table", "jep9407-option2", "int8", "uint8", "float16")) == (
        "jep9407-option2 rules\n\n"
        "     i8  u8  f16\ni8   i8  i16 f16\nu8   i16 u8  f16\nf16  f16 f16 f16"
    )


@pytest.mark.parametrize("format", ["text", "markdown", "rst", "csv", "html", "json"])
def test_table_prints_all_that_the_rules_have_in_every_format(run, format):
    rules = supremum.system("jax-original")
    printed = succeeds(run("table", "jax-original", "-f", format))
    title = "jax-original rules\n\n" if format == "text" else ""
    assert printed == title + render(rules.table(), format)


def test_table_leaves_narrow_dtypes_out_and_says_so(golden, run):
    result = run("table")
    assert result.exit_code == 0
    golden(result.stderr)
    assert len(result.stdout.splitlines()) == 2 + 1 + 18
    whole = succeeds(run("table", "--all"))
    assert whole == f"jax rules, x64 on\n\n{render(supremum.system('jax').table())}"


def test_table_takes_dtypes_of_the_rules_alone(run):
    result = run("table", "python", "int8", "float16")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(
        "supremum: cannot promote int8 under python rules: int8 is not supported"
    )


@pytest.mark.parametrize(
    ("name", "status"), [("python", 0), ("jep9407-option3", 0), ("jax-original", 1)]
)
def test_laws_prints_laws_and_criteria_and_exits_1_where_a_law_fails(run, name, status):
    found, met = supremum.laws(name), supremum.custom.criteria(name)
    assert met.lawful == found
    text, plain = (run("laws", name, "-f", form) for form in ("text", "json"))
    assert (text.exit_code, text.stdout, text.stderr) == (status, f"{found}\n\n{met}\n", "")
    values = {**found.to_dict(), "criteria": met.to_dict()}
    assert (plain.exit_code, json.loads(plain.stdout), plain.stderr) == (status, values, "")


def test_systems_lists_the_rules_with_their_options(run):
    first, empty, *lines = succeeds(run("systems")).splitlines()
    assert (first, empty) == ("If none are named, jax rules, x64 on, decide (the default).", "")
    assert [line.split()[0] for line in lines if line[0] != " "] == list(supremum.systems())
    jax = [line.split()[0] for line in lines].index("jax")
    releases = supremum.system("jax").releases
    assert lines[jax : jax + 4] == [
        (
            "jax                       lattice  35 dtypes  by dtype  "
            "JEP 9407; jax/_src/dtypes.py 0.10.2"
        ),
        f"                          releases: {', '.join(releases)}",
        (
            "                          options: x64=True|False, mode=standard|strict, "
            f"explicit_x64=warn|error|allow, version={'|'.join(releases)}"
        ),
        "                          devices: tpu, short for jax:x64=false",
    ]
    assert "python                    lattice   3 dtypes  by dtype  JEP 9407" in lines
    start = "jax-original              table    15 dtypes  by dtype  JAX doc"
    assert any(line.startswith(start) for line in lines)
    rows = json.loads(succeeds(run("systems", "--format", "json")))
    assert [row["system"] for row in rows] == list(supremum.systems())
    (row,) = (row for row in rows if row["system"] == "jax")
    assert row == {
        "system": "jax",
        "version": "0.10.2",
        "releases": [*releases],
        "join": "lattice",
        "dtypes": 35,
        "depends_on": ["dtype"],
        "options": {
            "x64": [True, False],
            "mode": ["standard", "strict"],
            "explicit_x64": ["warn", "error", "allow"],
            "version": [*releases],
        },
        "devices": {"tpu": "jax:x64=false"},
        "functions": list(supremum.system("jax").functions),
        "source": "JEP 9407; jax/_src/dtypes.py",
    }


def test_rules_from_a_file_get_everything(run):
    Path("mine.txt").write_text("i* -> i8 -> i16; u8 -> i16\n")
    Path("mine").write_text("i* -> i8 -> i16; u8 -> i16\n")
    Path("mine.toml").write_text('name = "ours"\narrows = "i* -> i8 -> i16; u8 -> i16"\n')
    for file, name in [("mine.txt", "mine"), ("./mine", "mine"), ("mine.toml", "ours")]:
        printed = succeeds(run("explain", "int8", "uint8", "--system", file))
        assert printed.splitlines()[0].split() == ["int16", name, "rules"]
        judged = succeeds(run("laws", file))
        assert judged.startswith(f"{name} rules: every law holds")
        assert f"{name} rules: 10 of 10 pairs" in judged
        assert succeeds(run("table", file, "int8", "uint8")).endswith("\nu8  i16 u8")


def test_a_name_of_rules_means_them_whatever_files_there_are(run):
    Path("jax").write_text("i8 -> i16")
    assert "jax rules, x64 on" in succeeds(run("explain", "int8"))


def test_colour_is_for_terminals_alone(run):
    words = ["explain", "int32", "float16"]
    coloured = run(*words, FORCE_COLOR="1", TERM="xterm-256color").stdout
    assert "\x1b[" in coloured
    assert "\x1b" not in run(*words).stdout
    assert "\x1b" not in run("laws", "jax-original").stdout


def test_the_version_is_that_of_the_package(run):
    assert succeeds(run("--version")) == f"supremum, version {supremum.__version__}"


def test_the_command_alone_shows_its_help(run):
    assert run().exit_code == 0
    assert run().output.rstrip() == succeeds(run("--help")).rstrip()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_help_has_an_example(run, command, option):
    printed = succeeds(run(command, option))
    examples = [line for line in printed.splitlines() if line.startswith(f"  supremum {command}")]
    assert examples


LONG = ["diff", "export"]  # what they write is checked
EXAMPLES = [pytest.param([x], marks=pytest.mark.thorough) if x in LONG else [x] for x in QUICK]


@pytest.mark.parametrize("command", [[], *EXAMPLES], ids=str)
def test_the_examples_of_a_help_run(run, command, monkeypatch):
    # Of the libraries and rules, some: `make conform` and the page of all laws have the rest.
    ask, some = conformance.conform, supremum.laws("python")
    monkeypatch.setattr(
        conformance, "conform", lambda name, **given: ask(name, **given) if name == "numpy" else []
    )
    monkeypatch.setattr(criteria, "laws", lambda _: some)
    Path("my_rules.txt").write_text("i8 -> i16\n")
    Path("train.py").write_text("print(1)\n")
    Path("my_rules.toml").write_text('arrows = "i8 -> i16"\n')
    printed = succeeds(run(*command, "--help"))
    examples = [line.strip() for line in printed.splitlines() if line.startswith("  supremum ")]
    assert examples
    for example in examples:
        words = shlex.split(example.partition(" > ")[0])[1:]
        assert run(*words).exit_code in ((0, 1) if words[0] in ("laws", "diff") else (0,)), example


def test_all_commands_are_listed_in_a_line_each(run):
    printed = succeeds(run("--help"))
    listed = printed.partition("Your program:\n")[2].partition("Names of rules:")[0].splitlines()
    said = [line.split()[0] for line in listed if line.startswith("  ")]
    assert sorted(said) == sorted(COMMANDS)


def test_no_command_is_loaded_to_be_listed():
    words = [sys.executable, "-X", "importtime", "-m", "supremum", "--help"]
    found = subprocess.run(words, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in found.stderr.splitlines()}
    assert "supremum.commands.group" in loaded
    assert loaded.isdisjoint(f"supremum.commands.{name}" for name in COMMANDS)


@pytest.mark.parametrize(
    ("words", "start", "found"),
    [
        ([], "ex", ["explain", "explore", "export"]),
        (["explain"], "complex", ["complex32", "complex64", "complex128", "complex*"]),
        (["table"], "bf", ["bfloat16"]),
        (["laws"], "jax", ["jax", "jax-lax", "jax-original"]),
        (["table", "--format"], "m", ["markdown"]),
        (["compare", "-s"], "jax", ["jax", "jax-lax", "jax-original"]),
        (["explain", "--op"], "hyp", ["hypot", "hypot.reduce"]),
        (["draw", "--highlight"], "bf", ["bfloat16"]),
        (["draw", "--without"], "int8,bf", ["int8,bfloat16"]),
        (["audit", "--kinds"], "wi", ["widening"]),
        (
            ["audit", "--fail-on"],
            "widening,m",
            ["widening,meta-mismatch", "widening,mixed-kind"],
        ),
        (["audit", "--fail-on"], "a", ["accumulation", "all"]),
        (["fix", "--kinds"], "forb", ["forbidden"]),
        (["audit", "--forbid"], "float64,complex1", ["float64,complex128"]),
        (["audit", "--on-finding"], "", ["report", "warn", "raise", "pdb"]),
        (["fix", "--target"], "nump", ["numpy", "numpy-legacy"]),
    ],
)
def test_the_shell_completes(words, start, found):
    complete = ShellComplete(main, {}, "supremum", "_SUPREMUM_COMPLETE")
    assert [item.value for item in complete.get_completions(words, start)] == found


FREE = {
    "ARGUMENTS",
    "EXPRESSION",
    "EXPRESSION|COMMAND",
    "FILE",
    "FOLDER",
    "MODULE",
    "MODULE:NAME",
    "N",
    "NAME",
    "NAMES",
    "NUMBER",
    "PACKAGE",
    "PATH",
    "SECONDS",
}


def test_every_option_with_fixed_values_completes_them():
    for name in COMMANDS:
        for option in main.get_command(None, name).params:
            is_open = option.param_type_name == "option" and not option.is_flag
            if is_open and not isinstance(option.type, click.Choice):
                completes = option._custom_shell_complete is not None
                assert completes != (option.metavar in FREE), f"{name} {option.opts[0]}"


@pytest.mark.parametrize("command", ["audit", "fix"])
def test_the_help_of_an_audit_lists_the_kinds(run, command):
    listed = succeeds(run(command, "--help")).partition("\nKinds:\n")[2].split(",")
    assert [kind.strip() for kind in listed] == [*KINDS, "all", "none"]


def in_a_process(*words, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "supremum", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        **options,
    )


def test_the_module_runs_as_the_command():
    with in_a_process("explain", "int16", "1") as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert out == f"{supremum.explain('int16', 1)}\n"


def test_a_reader_that_stops_reading_is_no_error():
    with in_a_process("table", "--all", "--format", "json") as process:
        process.stdout.close()
        err = process.stderr.read()
    assert process.returncode == 141
    assert err == ""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["explain", "int32", "float16"], "int32 -> int64 -> float* -> float16"),
        (["laws", "numpy"], "(uint8 v int8) v float16 = int16 v float16 = float32"),
    ],
)
def test_what_an_encoding_lacks_is_spelled(words, shown, encoding):
    done = subprocess.run(
        [sys.executable, "-m", "supremum", *words],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown in done.stdout
    assert done.stderr == ""


def test_the_command_refuses_a_python_int_that_does_not_fit(run):
    found = run("explain", "int8", "300", "--op", "add", "--system", "numpy")
    assert (found.exit_code, found.stdout) == (1, "")
    assert "300 does not fit int8" in found.stderr
