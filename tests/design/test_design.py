"""The search on the document's dtypes, its spec files, its limits and its command."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import supremum
from supremum import design
from supremum.core.dtypes import from_code
from supremum.core.systems import jep9407

pytestmark = pytest.mark.thorough

SCALARS_ALONE = "u8, i8 -> f*"  # the document's options 0 to 2: f* is for scalars


def document(**more):
    never = ["dropped component", "complex from real", "lost width"]
    return design.spec(**{"require": jep9407.INTEGERS, "never": never, "name": "document", **more})


ON_FRONT = {
    "jep9407-option0": False,
    "jep9407-option1": False,
    "jep9407-option2": False,
    "jep9407-option3": True,
    "jax": True,
}


@pytest.mark.parametrize("name", list(ON_FRONT)[:3])
def test_the_first_options_are_on_the_front_if_weak_floats_are_for_scalars(name):
    stands = design.standing(document(forbid=SCALARS_ALONE), supremum.system(name).lattice)
    assert (stands.on_front, stands.breaks) == (True, ())


@pytest.mark.parametrize("name", ON_FRONT)
def test_where_the_options_of_the_document_stand(name):
    stands = design.standing(document(), supremum.system(name).lattice, name)
    assert stands.proven
    assert stands.on_front is ON_FRONT[name]
    if stands.better:
        better = design.costs_of(stands.better[0].lattice)
        mine = design.costs_of(supremum.system(name).lattice)
        assert all(better[cost] <= mine[cost] for cost in design.FRONT)
        assert any(better[cost] < mine[cost] for cost in design.FRONT)
        assert supremum.laws(stands.better[0].system()).hold


def test_the_front_without_overflow_is_whole():
    front = design.pareto(document(never=design.NEVER))
    assert front.complete
    assert all(point.complete for point in front.points)
    for point in front.points:
        for one in point.designs:
            assert supremum.laws(one.system()).hold
            costs = design.costs_of(one.lattice)
            assert {name: costs[name] for name in point.costs} == dict(point.costs)
            assert supremum.Lattice(jep9407.INTEGERS, node=from_code) <= one.lattice


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
    "no file": (None, "No such file"),
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
    found = run("design", "a.toml", "-o", "a.svg")
    assert (found.exit_code, found.stdout) == (2, "")
    assert said in found.stderr
    assert len(found.stderr.splitlines()) == 1
    assert not Path("a.svg").exists()


def test_the_command_prints_draws_and_writes_json(run):
    Path("a.toml").write_text(SPEC, encoding="utf-8")
    told = run("design", "a.toml", "--draw", "-o", "a.svg")
    assert told.exit_code == 0
    assert "a: proven to be the best" in told.stdout
    value = json.loads(run("design", "a.toml", "-f", "json").stdout)
    files = sorted(path.name for path in Path().glob("*.svg"))
    many = len(value["designs"])
    assert files == (["a.svg"] if many == 1 else [f"a-{n}.svg" for n in range(1, many + 1)])
    assert value["proven"]
    front = json.loads(run("design", "a.toml", "--pareto", "-f", "json").stdout)
    assert front["complete"]
    (stands,) = json.loads(run("design", "a.toml", "--standing", "jax", "-f", "json").stdout)
    assert stands["name"] == "jax"


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
    asked = design.spec(" ".join(d.name for d in supremum.system("jax").dtypes), costs=design.FRONT)
    begun = time.monotonic()
    found = design.search(asked, time_limit=2)
    assert time.monotonic() - begun < 30
    assert not found.complete
    if not found.proven:
        assert "not proven" in found.verdict or "it is not proven" in found.verdict
    with pytest.raises(supremum.SupremumError, match="a number of seconds above 0"):
        design.search(asked, time_limit=0)


@pytest.mark.skipif(sys.platform == "win32", reason="it sends a signal")
def test_ctrl_c_gives_what_was_found_so_far(tmp_path):
    spec = tmp_path / "long.toml"
    spec.write_text(
        f'require = """{jep9407.INTEGERS}"""\nnever = ["dropped component"]\n', encoding="utf-8"
    )
    words = [sys.executable, "-m", "supremum", "design", str(spec), "--pareto"]
    environment = {**os.environ, "PYTHONUTF8": "1"}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    ) as process:
        time.sleep(12)
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert "of the front until Ctrl-C, each proven; there may be more" in told
    assert "\n  1  undefined " in told


@pytest.mark.skipif(sys.platform == "win32", reason="it sends signals")
@pytest.mark.parametrize("signals", [1, 2])
def test_ctrl_c_ends_the_question_how_rules_stand(signals, tmp_path):
    spec = tmp_path / "long.toml"
    dtypes = " ".join(d.name for d in supremum.system("jax").dtypes if d.is_common)
    spec.write_text(f'dtypes = "{dtypes}"\nnever = []\n', encoding="utf-8")
    program = (  # the signals come while the solver runs
        "import os, signal, sys, threading, time\n"
        "from supremum.design import solving\n"
        "usual = solving.Thread.start\n"
        "def start(thread):\n"
        "    usual(thread)\n"
        f"    for _ in range({signals}):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "solving.Thread.start = start\n"
        "from supremum.commands import main\n"
        f"main(['design', {str(spec)!r}, '--standing', 'jax', '--standing', 'keras'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 130, done.stderr
    if signals == 1:
        assert done.stdout.startswith("jax: not known: no lattice that betters it was found until")
        assert "keras" not in done.stdout


def test_dtypes_that_an_insertion_leaves_out_are_counted(run):
    Path("own.txt").write_text("i8 -> i16 -> f32; float8_e4m3fn -> f16 -> f32; i4 -> i8")
    found = run("design", "--insert", "bfloat16", "--into", "own.txt", "-f", "json")
    assert json.loads(found.stdout)["left_out"] == ["int4", "float8_e4m3fn"]
    assert found.stderr == "2 rare dtypes are left out; --all keeps them\n"
    found = run("design", "--insert", "bfloat16", "--into", "own.txt", "-f", "json", "--all")
    assert (json.loads(found.stdout)["left_out"], found.stderr) == ([], "")
    asked = design.spec("int4")
    kept = design.insert("bfloat16", supremum.core.systems.find("own.txt"), spec=asked)
    assert [d.name for d in kept.left_out] == ["float8_e4m3fn"]
    Path("narrow.txt").write_text("i4")
    found = run("design", "--insert", "int16", "--into", "narrow.txt")
    assert found.stderr == (
        "supremum: narrow rules have no common dtypes; --all (everything=True) keeps int4\n"
    )


def test_the_file_of_a_drawing_is_looked_at_before_the_search(run, monkeypatch):
    monkeypatch.setattr(design, "search", None)
    Path("a.toml").write_text(SPEC, encoding="utf-8")
    for file, said in (
        ("a.bmp", "ends in .svg, .png, .pdf"),
        ("no/a.svg", "cannot be written: No such file"),
    ):
        found = run("design", "a.toml", "-o", file)
        assert (found.exit_code, found.stdout) == (2, "")
        assert said in found.stderr


def test_without_an_answer_in_the_time_the_status_is_1(run):
    dtypes = " ".join(d.name for d in supremum.system("jax").dtypes)
    Path("a.toml").write_text(f'dtypes = "{dtypes}"', encoding="utf-8")
    found = run("design", "a.toml", "--time-limit", "0.001")
    assert (found.exit_code, found.stderr) == (1, "")
    assert found.stdout.startswith("a: nothing was found in the time")
    found = run("design", "a.toml", "--pareto", "--time-limit", "0.001")
    assert (found.exit_code, found.stderr) == (1, "")
    assert found.stdout.startswith("a: no point of the front was found in the time")


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
