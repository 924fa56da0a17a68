"""The search on the document's dtypes, its spec files, its limits and its command."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import supremum
from supremum import design
from supremum.core.dtypes import from_code

pytestmark = pytest.mark.thorough


def test_two_float8_under_two_halves_have_two_bounds():
    both = "float8_e4m3fn, float8_e5m2 -> f16, bf16"
    asked = design.spec(require=both, never=["overflow", "precision loss"])
    with pytest.raises(design.ContradictionError) as caught:
        design.search(asked)
    assert len(caught.value.wishes) == 6
    assert "float8_e4m3fn and float8_e5m2 have two least upper bounds, float16 and bfloat16" in str(
        caught.value
    )
    # in JAX's lattice a weak dtype is below both halves, so there is a place for both formats
    assert design.insert(["float8_e4m3fn", "float8_e5m2"], "jax", spec=asked).complete


def test_the_places_that_jax_has_chosen_are_among_all():
    for name in ("float8_e4m3fn", "float8_e5m2", "int4"):
        found = design.insert(name, "jax")
        assert found.complete
        assert found.present in found.places
        for place in found.places:
            kept = supremum.system("jax").lattice.restricted_to(found.spec.base.nodes)
            assert place.lattice.restricted_to(kept.nodes) == kept


SPEC = 'dtypes = "i8 u8 i16 f16"\nrequire = "i8, u8 -> i16"\n'
BAD = {
    "no file": (None, "write into it what you require, such as dtypes = "),
    "not toml": ("dtypes = ", "not TOML"),
    "entry": ("dtype = 1", "unknown entry 'dtype'; did you mean dtypes?"),
    "cost": (SPEC + 'never = ["overflows"]', "did you mean overflow?"),
    "cost of another kind": (SPEC + "never = 3", "'never' must be a list of costs"),
    "weight": (SPEC + "costs = {overflow = -1}", "is a whole number up to 1000000, not -1"),
    "dtype": ('dtypes = "i8 flot16"', "flot16"),
    "arrow": ('dtypes = "i8 i16"\nrequire = "i8 ->"', "invalid arrow chain"),
    "itself": ('require = "i8 -> i8, i16"', "leads from a dtype to itself"),
    "nothing": ('name = "empty"', "a design has 2 to 64 dtypes, and this has 0"),
    "define": (SPEC + "[define.posit16]\nbits = 16", "posit16 needs a kind and bits"),
    "kind of one's own": (
        SPEC + '[define.decimal_t]\nkind = "decimal"\nbits = 64',
        "decimals, dates and other kinds cannot be posed",
    ),
    "define's entry": (SPEC + "[define.posit16]\nbts = 16", "'bts'; did you mean bits?"),
    "cycle": (
        'require = "i8 -> i16 -> i8"',
        "contradict each other has these 2: require int8 -> int16; require int16 -> int8 (they",
    ),
    "contradiction": (
        'never = []\nrequire = "i8 -> i16 -> i8"',
        "they make a cycle, int8 -> int16 -> int8",
    ),
}


@pytest.mark.parametrize(("text", "said"), BAD.values(), ids=BAD)
def test_bad_specs_get_one_line(run, text, said):
    if text is not None:
        Path("a.toml").write_text(text, encoding="utf-8")
    found = run("design", "a.toml")
    assert (found.exit_code, found.stdout) == (2, "")
    assert said in found.stderr
    assert len(found.stderr.splitlines()) == 1


def test_the_command_prints_text_and_json(run):
    Path("a.toml").write_text(SPEC, encoding="utf-8")
    told = run("design", "a.toml")
    assert told.exit_code == 0
    assert "a: proven to be the best" in told.stdout
    value = json.loads(run("design", "a.toml", "-f", "json").stdout)
    assert value["proven"]
    for one in value["designs"]:
        assert supremum.custom.Lattice(one["arrows"], node=from_code).join(
            *design.spec("i8 u8").dtypes
        ) is supremum.dtype("int16")


def test_a_spec_may_define_dtypes(run):
    Path("a.toml").write_text(
        'require = "float* -> posit16_t -> float64"\n'
        '[define.posit16_t]\nkind = "float"\nbits = 16\nprecision = 12\nmax = 7.2e16\n',
        encoding="utf-8",
    )
    found = run("design", "a.toml", "--insert", "posit16_t", "--into", "jax")
    assert found.exit_code == 0, found.stderr
    assert "proven to be all" in found.stdout


def test_without_the_solver_one_line_says_what_to_type(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    found = run("design", "--insert", "float16", "--into", "python")
    assert found.exit_code == 2
    assert found.stderr == (
        "supremum: the search needs OR-tools, which is not installed: "
        "pip install 'supremum[design]'\n"
    )


def test_a_time_limit_ends_a_search_and_says_so():
    asked = design.spec(" ".join(d.name for d in supremum.system("jax").dtypes), costs=design.USUAL)
    begun = time.monotonic()
    found = design.search(asked, time_limit=2)
    assert time.monotonic() - begun < 30
    assert not found.complete
    if not found.proven:
        assert "not proven" in found.verdict or "it is not proven" in found.verdict
    with pytest.raises(supremum.SupremumError, match="a number of seconds above 0"):
        design.search(asked, time_limit=0)


@pytest.mark.skipif(sys.platform == "win32", reason="it sends signals")
@pytest.mark.parametrize(("step", "signals"), [(1, 1), (2, 1), (1, 2)])
def test_ctrl_c_ends_a_search_with_what_was_found_so_far(step, signals, tmp_path):
    spec = tmp_path / "long.toml"
    dtypes = " ".join(d.name for d in supremum.system("jax").dtypes if d.is_common)
    spec.write_text(f'dtypes = "{dtypes}"\nnever = []\n', encoding="utf-8")
    program = (  # the signals come while the solver runs
        "import os, signal\n"
        "from supremum.design import solving\n"
        "usual, steps = solving.Thread.start, []\n"
        "def start(thread):\n"
        "    usual(thread)\n"
        "    steps.append(thread)\n"
        f"    for _ in range({signals} if len(steps) == {step} else 0):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "solving.Thread.start = start\n"
        "from supremum.commands import main\n"
        f"main(['design', {str(spec)!r}])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 130, done.stderr
    if signals == 1:
        assert done.stdout.startswith("long: the best" if step > 1 else "long: ")
        assert " until Ctrl-C" in done.stdout.splitlines()[0]


def test_dtypes_that_an_insertion_leaves_out_are_counted(run):
    Path("own.txt").write_text("i8 -> i16 -> f32; float8_e4m3fn -> f16 -> f32; i4 -> i8")
    found = run("design", "--insert", "bfloat16", "--into", "own.txt", "-f", "json")
    assert json.loads(found.stdout)["left_out"] == ["int4", "float8_e4m3fn"]
    assert found.stderr == "2 rare dtypes are left out; a spec that names them keeps them\n"
    Path("kept.toml").write_text('dtypes = "int4 float8_e4m3fn"', encoding="utf-8")
    found = run("design", "kept.toml", "--insert", "bfloat16", "--into", "own.txt", "-f", "json")
    assert (json.loads(found.stdout)["left_out"], found.stderr) == ([], "")
    asked = design.spec("int4")
    kept = design.insert("bfloat16", supremum.core.systems.find("own.txt"), spec=asked)
    assert [d.name for d in kept.left_out] == ["float8_e4m3fn"]
    Path("narrow.txt").write_text("i4")
    found = run("design", "--insert", "int16", "--into", "narrow.txt")
    assert found.stderr == (
        "supremum: narrow rules have no common dtypes; "
        "a spec that names them, or everything=True, keeps int4\n"
    )


def test_without_an_answer_in_the_time_the_status_is_1(run):
    dtypes = " ".join(d.name for d in supremum.system("jax").dtypes)
    Path("a.toml").write_text(f'dtypes = "{dtypes}"', encoding="utf-8")
    found = run("design", "a.toml", "--time-limit", "0.001")
    assert (found.exit_code, found.stderr) == (1, "")
    assert found.stdout.startswith("a: nothing was found in the time")


def test_parts_may_be_defined_after_what_they_are_of(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'dtypes = "i8 whole_t"\n[define.whole_t]\nkind = "complex"\nbits = 32\npart = "half_t"\n'
        '[define.half_t]\nkind = "float"\nbits = 16\nprecision = 12\nmax = 7.2e16\n',
        encoding="utf-8",
    )
    assert design.read(path).dtypes[1].part is supremum.dtype("half_t")


def test_a_search_of_a_program_with_its_own_handler_leaves_it():
    mine = lambda *_: None  # noqa: E731  # the shortest handler
    before = signal.signal(signal.SIGINT, mine)
    try:
        assert design.search(design.spec("i8 i16", require="i8 -> i16")).proven
        assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_search_gives_the_usual_handler_back():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert design.search(design.spec("i8 i16", require="i8 -> i16")).proven
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_arrows_may_be_a_list_of_texts(tmp_path):
    path = tmp_path / "mine.toml"
    text = SPEC.replace('"i8, u8 -> i16"', '["i8 -> i16", "u8 -> i16"]')
    path.write_text(text, encoding="utf-8")
    assert design.read(path).required == design.spec(require="i8, u8 -> i16").required
