"""What somebody types who knows a command's name alone: it works, or says what to type."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import supremum
from supremum.commands.group import STATUSES
from supremum.commands.output import hanging, in_blocks

# Each with the status, and what is in the answer.
GUESSES = [
    ("explain int32 float32", 0, "float32"),
    ("explain np.float32 1", 0, "float32"),
    ("explain torch.bfloat16[3] 1.5", 0, "bfloat16"),
    ("explain f32 i8", 0, "float32"),
    ("explain -inf int8", 0, "float*"),
    ("explain int32 -1 -1.5", 0, "float*"),
    ("explain int32 int32 --op +", 0, "int32"),
    ("explain int32 int32 --op /", 0, "float32"),
    ("explain int8 --system np", 0, "numpy rules"),
    ("explain int8 -s tf", 0, "tensorflow rules"),
    ("explain int8 -s pytorch", 0, "torch rules"),
    ("explain int64 -s jax:x64=false", 0, "int32"),
    ("explain int64 --no-x64", 0, "int32"),
    ("explain int8 -s numpy -s jax", 2, "'supremum compare' takes several"),
    ("explain int8 -s nmpy", 2, "did you mean numpy?"),
    ("explain flot32", 2, "did you mean float32"),
    ("table", 0, "jax rules, x64 on"),
    ("table numpy", 0, "numpy rules"),
    ("table numpy int8 uint8", 0, "i16"),
    ("table jax numpy int8 uint8", 0, "numpy rules"),
    ("table int8 numpy", 2, "name rules before dtypes"),
    ("table nmpy", 2, "did you mean numpy?"),
    ("table jax:x64=fasle", 2, "x64 is True or False"),
    ("laws jax-lax", 0, "every law holds"),
    ("laws python jep9407-option0", 0, "jep9407-option0 rules"),
    ("laws jaxx", 2, "did you mean jax"),
    ("laws int8", 2, "int8 is a dtype, and this takes rules"),
    ("criteria python", 0, "python rules"),
    ("criteria -s python", 0, "python rules"),
    ("systems", 0, "Without --system, jax rules, x64 on, decide (the default)."),
    ("systems jax", 0, "int8 -> int16"),
    ("systems numpy torch", 0, "PyTorch"),
    ("systems numpyy", 2, "did you mean numpy"),
    ("diff numpy jax int8 uint8", 0, "differ in 0 of 4 pairs"),
    ("diff numpy jax int8 int32 float32", 1, "wider in numpy"),
    ("diff jax jax:mode=strict int8 int16", 1, "strict"),
    ("diff numpy jax --summary", 1, "of common dtypes"),
    ("diff numpy jax --summary --exit-zero", 0, "of common dtypes"),
    ("diff numpy", 2, "Missing argument 'SECOND'"),
    ("diff np pytorch uint8 int8", 1, "numpy and torch"),
    ("compare int32 float32", 0, "tinygrad"),
    ("compare int32 float32 -s numpy -s jax", 0, "numpy"),
    ("compare int32 1.5 --no-x64", 0, "float32"),
    ("compare numpy jax", 2, "'numpy' is the name of rules, not of a dtype"),
    ("explain int32 + float32 --system numpy", 0, "float64"),
    ("compare float32 / -2.5", 0, "numpy"),
    ("promote int8 int16", 2, "'supremum explain' does that"),
    ("plot jax", 2, "'supremum draw' does that"),
    ("draw jax --format arrows", 0, "int8 -> int16"),
    ("draw --format mermaid", 0, "flowchart"),
    ("draw int8 uint8 int16 --format arrows", 0, "uint8 -> int16"),
    ("draw jax --format sgv", 2, "'sgv'"),
    ("export jax", 0, "def result_type("),
    ("export", 0, "rules of JAX"),
    ("export jax --to rust", 0, "pub const fn promote_types"),
    ("export jax --to pyhton", 2, "did you mean python?"),
    ("export jaxx", 2, "did you mean jax"),
    ("export numpy-legacy", 2, "neither a lattice nor a table"),
    ("export jax --to cpp --functions add", 2, "cpp has no functions"),
    ("export jax -o nowhere/x.py", 2, "nowhere/x.py: cannot be written"),
    ("export jax --check missing.py", 2, "missing.py: cannot be read"),
    ("export jax --tests t.py", 2, "--tests goes with --to python and -o"),
    ("export jax -o a.py --tests ./a.py", 2, "./a.py is the module; name another file"),
    ("conform numppy", 2, "did you mean numpy"),
    ("conform cupy", 1, "cupy: not measured: cupy is not installed"),
    ("conform json", 2, "'json' is a module, not the name of rules; type --module json"),
    ("conform --module numpy", 0, "undefined by the standard"),
    ("design", 2, "supremum design mine.toml"),
    ("design jax", 2, "a spec is a TOML file"),
    ("design --insert float16 --into python", 0, "3 places, proven to be all"),
    ("design --insert int4", 2, "--insert float8_e5m2 --into jax"),
    ("design --insert int4 --into numpy", 2, "name rules that have one, such as jax"),
    ("audit", 2, "Missing argument"),
    ("sweep", 2, "Missing argument"),
    ("sweep nonesuch", 2, "there is no module 'nonesuch'"),
    ("why", 2, "Missing argument"),
    ("fix", 2, "Missing argument"),
    ("explore --save", 2, "requires an argument"),
    ("lsp now", 2, "unexpected extra argument"),
    ("-V", 0, supremum.__version__),
    ("tabel", 2, "did you mean table?"),
]


@pytest.mark.parametrize(("words", "status", "said"), GUESSES, ids=lambda x: str(x)[:50])
def test_a_first_guess_is_answered(run, words, status, said):
    found = run(*words.split())
    assert found.exit_code == status, found.output
    assert said in (found.stdout if status < 2 else found.stderr)


def test_every_command_was_guessed():
    from supremum.commands import COMMANDS

    guessed = [words.split()[0] for words, *_ in GUESSES]
    for command in COMMANDS:
        assert guessed.count(command) >= (
            1 if command in ("audit", "why", "fix", "lsp", "explore") else 2
        )


@pytest.mark.parametrize(
    ("alias", "name"),
    [("np", "numpy"), ("NumPy", "numpy"), ("jnp", "jax"), ("jax.numpy", "jax"),
     ("tf", "tensorflow"), ("pytorch", "torch"), ("cp", "cupy"), ("pl", "polars"),
     ("pa", "pyarrow"), ("mx", "mlx")],
)  # fmt: skip
def test_rules_have_the_names_that_programs_use(alias, name):
    assert supremum.system(alias) is supremum.system(name)
    assert supremum.options(alias) == supremum.options(name)


def test_options_stand_behind_a_name(golden):
    assert supremum.system("jax:x64=false,mode=strict") is supremum.system(
        "jax", x64=False, mode="strict"
    )
    assert supremum.result_type("int64", system="jax:x64=false") == "int32"
    assert [a.result for a in supremum.compare("int64", systems=["jax:x64=false"])] == ["int32"]
    for text, said in [
        ("jax:x64", "write options of rules as in jax:x64=false"),
        ("jax:", "write options of rules as in jax:x64=false"),
        ("jaxx:x64=false", "there are no rules named 'jaxx'; did you mean jax"),
    ]:
        with pytest.raises(supremum.RulesError, match=re.escape(said)):
            supremum.system(text)
    with pytest.raises(supremum.RulesError) as caught:
        supremum.system("jax:x64=false", x64=True)
    golden(caught.value)


def test_the_usual_rules_are_those_of_option_environment_and_project(run):
    assert "jax rules, x64 on" in run("explain", "int8").stdout
    Path("pyproject.toml").write_text('[tool.supremum]\nsystem = "numpy"\n')
    assert "numpy rules" in run("explain", "int8").stdout
    assert "numpy rules" in run("table", "int8").stdout
    assert "[tool.supremum] in" in run("systems").stdout
    named = run("explain", "int64", SUPREMUM_SYSTEM="jax:x64=false").stdout
    assert named.startswith("int32")
    assert "(SUPREMUM_SYSTEM)" in run("systems", SUPREMUM_SYSTEM="torch").stdout
    assert "torch rules" in run("explain", "int8", "-s", "torch", SUPREMUM_SYSTEM="numpy").stdout
    # an expression's own functions say whose rules decide, unless somebody named some
    assert "numpy rules" in run("explain", "jnp.sin(int8[3])").stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [("[tool.supremum]\nsystem = 3\n", "system is a name such as"), ("[tool", "cannot be read")],
)
def test_a_project_that_cannot_be_read_is_named(run, text, said):
    Path("pyproject.toml").write_text(text)
    found = run("laws")
    assert found.exit_code == 2
    assert said in found.stderr
    assert "pyproject.toml" in found.stderr
    assert run("laws", "python").exit_code == 0  # nobody asks for the usual ones


def test_rules_of_a_file_are_named_where_rules_are(run):
    Path("mine.toml").write_text('arrows = "i8 -> i16; u8 -> i16"\n')
    assert run("laws", "mine.toml").stdout.startswith("mine rules: every law holds")
    assert "i16" in run("table", "mine.toml", "int8", "uint8").stdout
    assert "mine and jax" in run("diff", "./mine.toml", "jax").stdout
    assert run("explain", "int8", SUPREMUM_SYSTEM="mine.toml").stdout.split()[1] == "mine"


def test_several_rules_give_a_list_of_json(run):
    found = json.loads(run("laws", "python", "jep9407-option0", "-f", "json").stdout)
    assert [laws["system"] for laws in found] == ["python", "jep9407-option0"]
    (full,) = json.loads(run("systems", "jax", "-f", "json").stdout)
    assert any("int8 -> int16" in arrow for arrow in full["arrows"])


def test_a_crash_has_a_status_of_its_own(run, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("what was not thought of")

    monkeypatch.setattr("supremum.core.analysis.laws.laws", broken)
    found = run("laws")
    assert found.exit_code == 70
    assert found.stderr.endswith(
        "supremum: this is a mistake in supremum itself; please report it\n"
    )
    assert {0, 1, 2, 3, 70, 130, 141} == STATUSES.keys()


WORDS = ["table", "compare int32 1.5", "diff numpy jax", "laws numpy", "systems", "systems jax",
         "explain int32 float16 1.0", "criteria python"]  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_terminal_of_any_width_has_no_longer_line(words, columns):
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm", "PYTHONUTF8": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "supremum", *words.split()],
        stdout=theirs, stderr=subprocess.DEVNULL, env=environment,
    ):  # fmt: skip
        os.close(theirs)
        printed = b""
        while True:
            try:
                more = os.read(ours, 65_536)
            except OSError:  # on Linux, at the end
                break
            if not more:
                break
            printed += more
    os.close(ours)
    assert b"\x1b[" in printed  # in colour
    plain = re.sub(r"\x1b\[[\d;]*m", "", printed.decode())
    words_longer = {w for w in plain.split() if len(w) > columns - 16}
    for line in plain.replace("\r", "").splitlines():
        assert len(line) <= columns or any(word in line for word in words_longer), line


def test_blocks_and_hanging_lines_lose_nothing():
    text = str(supremum.table("jax", "int8", "uint8", "float16", "bfloat16", "float32"))
    blocks = in_blocks(text, 12).split("\n\n")
    assert len(blocks) > 2
    assert sorted(" ".join(b.splitlines()[0] for b in blocks).split()) == sorted(
        text.splitlines()[0].split()
    )
    line = "* torch  float32  1.5, a number, is of a higher kind than int32."
    assert hanging(line, 30).split() == line.split()
