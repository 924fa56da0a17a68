"""The exported Python module: as its system, short, and clean for the strictest checkers."""

import ast
import json
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

import supremum
from supremum import export
from supremum.core.dtypes import from_code
from supremum.custom import Lattice, PromotionSystem
from supremum.export.asking import ask, ask_types
from supremum.export.description import NUMBERS

pytestmark = pytest.mark.thorough

STRICT = ["--isolated", "--select", "ALL", "--ignore", "D203,D213,COM812,CPY001,INP001"]


SHOWN = ("mermaid", "dot", "markdown", "latex")
COMMENTS = ("#", "//", "%", "<!--")
OPERANDS = {f"{name}()": number for name, number in NUMBERS.items()}


def loaded(text):
    module = {"__name__": "exported"}
    exec(compile(text, "exported.py", "exec"), module)
    return module


def given(module, name, operands, **options):
    try:
        return module[name](*operands, **options)
    except module["PromotionError"]:
        return None


def test_it_answers_as_the_system_does(expressed, described, answers):
    module = loaded(export.render(expressed))
    rules, said = supremum.system(expressed), described(expressed)
    for a, b in product(said.dtypes, repeat=2):
        assert given(module, "promote_types", (a, b)) == ask_types(rules, a, b)
    wrong = [
        words
        for count in (1, 2, 3)
        for words, answer in answers(expressed, count)
        if given(module, "result_type", [OPERANDS.get(w, w) for w in words]) != answer
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "setting", ["jax:x64=false", "jax:x64=false,mode=strict", "jax-lax:x64=false"]
)
def test_dtypes_of_64_bits_promote_though_results_never_have_them(setting):
    module = loaded(export.render(setting))
    rules = supremum.core.systems.find(setting)
    for a, b in product(export.describe(setting).dtypes, repeat=2):
        assert given(module, "promote_types", (a, b)) == ask_types(rules, a, b)
    assert module["result_type"]("int64") == "int32"


HOSTILE = [
    'x"""; raise SystemExit',
    "x\n#error\nraise SystemExit",
    "C:\\Users\\N{x}",
    "-->",
    "\u2028;x",
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("to", export.formats.NAMES)
def test_what_rules_are_called_stays_in_a_comment(to, name):
    def code(called):
        arrows = "u8 -> i16 -> f32"
        rules = PromotionSystem.from_lattice(Lattice(arrows, node=from_code), called)
        rules = rules.replace(source=called, version=called)
        text = export.render(rules, to)
        if to == "python":
            return ast.dump(ast.Module(ast.parse(text).body[1:], []))
        if to == "json":
            assert json.loads(text)["source"] == called
            return ""
        text = re.sub(r"promotion::\w+", "promotion", text)  # a namespace is named after the rules
        lines = [line for line in text.splitlines() if not line.startswith(COMMENTS)]
        return len(lines) if to in SHOWN else lines  # a drawing has a title

    assert code(name) == code("ordinary")


def test_what_rules_are_called_stays_in_a_docstring_of_the_tests(tmp_path):
    for called in HOSTILE:
        rules = PromotionSystem.from_lattice(Lattice("u8 -> f32", node=from_code), called)
        ast.parse(export.prove(rules, tmp_path / "a.py", tmp_path / "test_a.py"))


@pytest.mark.parametrize("arrows", ["u8 -> i16 -> f32; i* -> u8", "i8 -> f*"])
def test_answers_that_are_no_dtypes_of_the_rules_are_proven_too(arrows, tmp_path):
    module, tests = tmp_path / "own.py", tmp_path / "test_own.py"
    rules = PromotionSystem.from_lattice(Lattice(arrows, node=from_code), "own")
    module.write_text(export.render(rules))
    tests.write_text(export.prove(rules, module, tests))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_it_is_short_and_needs_the_standard_library_alone(expressed):
    text = export.render(expressed)
    assert len(text.splitlines()) <= 165
    imported = [line for line in text.splitlines() if line.startswith(("import ", "from "))]
    assert {line.split()[1] for line in imported} == {"__future__", "functools", "typing"}
    assert f"supremum export {expressed} --to python" in " ".join(text.split())
    assert "SPDX-License-Identifier: Apache-2.0" in text


def test_its_dtypes_are_those_that_it_promotes(expressed, described):
    module = loaded(export.render(expressed))
    assert sorted(module["DTYPES"]) == sorted(described(expressed).dtypes)


def test_a_refusal_has_the_reason_of_the_rules(expressed, described):
    module, rules = loaded(export.render(expressed)), supremum.system(expressed)
    shared = reasons_of(rules, described(expressed).dtypes)
    for (a, b), why in shared.items():
        with pytest.raises(module["PromotionError"]) as error:
            module["promote_types"](a, b)
        said = str(error.value).partition(": ")[2].partition("; cast")[0]
        assert said == why or (expressed == "tensorflow" and said == "they have no common dtype")


def reasons_of(rules, dtypes):
    """Return the reasons of refusals that are not about the names of the operands."""
    found = {}
    for a, b in product(dtypes, repeat=2):
        try:
            rules.promote_types(a, b)
        except supremum.PromotionError as error:
            why = (rules.advise and rules.advise([x.dtype for x in error.operands])) or ""
            found[a, b] = why.partition(";")[0]
    common = {why for why in found.values() if why and list(found.values()).count(why) > 20}
    return {pair: why for pair, why in found.items() if why in common}


OPTIONS = list(product((True, False), ("standard", "strict")))


@pytest.mark.parametrize(("x64", "mode"), OPTIONS)
def test_one_module_has_every_mode(x64, mode):
    module = loaded(export.render("jax", modes=("x64", "mode")))
    rules = supremum.system("jax", x64=x64, mode=mode)
    for a, b in product(module["DTYPES"], repeat=2):
        operands = (a, b)
        assert given(module, "promote_types", operands, x64=x64, mode=mode) == ask_types(
            rules, a, b
        )
        assert given(module, "result_type", operands, x64=x64, mode=mode) == ask(rules, operands)
    for a, number in product(module["DTYPES"], OPERANDS):
        operands = (a, OPERANDS[number])
        assert given(module, "result_type", operands, x64=x64, mode=mode) == ask(rules, (a, number))


@pytest.mark.parametrize(("name", "modes"), [("jax", ["x65"]), ("torch", ["default_dtype"])])
def test_modes_that_cannot_be_written_are_refused(name, modes):
    with pytest.raises(supremum.RulesError):
        export.render(name, modes=modes)


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    folder = tmp_path_factory.mktemp("modules")
    for name in supremum.systems():
        if name not in ("duckdb", "ndonnx", "numpy-legacy", "polars"):
            (folder / f"{name.replace('-', '_')}.py").write_text(export.render(name))
    functions = ("add", "mean", "sum", "equal")
    modes = export.render("jax", modes=("x64", "mode"))
    (folder / "modes_of_jax.py").write_text(modes)
    for name in ("jax", "mlx", "tinygrad"):
        (folder / f"functions_of_{name}.py").write_text(export.render(name, functions=functions))
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ["ruff", "check", *STRICT],
        ["ruff", "format", "--isolated", "--check"],
        ["mypy", "--strict"],
        ["pyright"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_checkers_have_nothing_to_say(modules, words):
    tool = Path(sys.executable).parent / words[0]
    if not tool.exists():
        pytest.skip(f"{words[0]} is not installed")
    files = sorted(map(str, modules.glob("*.py")))
    run = subprocess.run(
        [tool, *words[1:], *files], capture_output=True, text=True, cwd=modules, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_numbers_are_told_apart():
    module = loaded(export.render("jax"))
    found = [module["result_type"](x) for x in (True, 1, 1.0, 1j)]
    assert found == ["bool", "int64", "float64", "complex128"]


@pytest.mark.parametrize(
    ("operands", "said"),
    [
        (("int8", "flot32"), "cannot promote flot32: it is not an operand; these are: array"),
        (("int8", [1]), "cannot promote list: it is not an operand"),
        ((), "cannot promote nothing: there must be an operand"),
        (
            ("uint1", "int8"),
            "cannot promote uint1 and int8: integers under 8 bits join only with bool",
        ),
    ],
)
def test_an_error_says_what_and_why(operands, said):
    module = loaded(export.render("jax"))
    with pytest.raises(module["PromotionError"]) as error:
        module["result_type"](*operands)
    assert str(error.value).startswith(said.replace("array", "bool"))


def test_numbers_whose_value_matters_are_refused():
    module = loaded(export.render("mlx"))
    assert module["result_type"]("int8", 127) == "int8"
    with pytest.raises(module["PromotionError"], match="cannot promote 1000: its value matters"):
        module["result_type"]("int8", 1000)
    assert given(module, "result_type", ("int8", "int*")) == "int8"


@pytest.mark.parametrize("name", ["jax", "tinygrad", "mlx"])
def test_functions(name):
    functions = ("add", "mean", "sum", "equal")
    module, rules = loaded(export.render(name, functions=functions)), supremum.system(name)
    for op, a, b in product(("add", "equal"), rules.dtypes, [*rules.dtypes, 1, 1.5]):
        try:
            answer = rules.result_type(a, b, op=op).name
        except supremum.PromotionError:
            answer = None
        operands = (a.name, getattr(b, "name", b))
        assert given(module, "result_type", operands, op=op) == answer
    with pytest.raises(module["PromotionError"], match="there is no function sub; there are: add"):
        module["result_type"]("int8", op="sub")


@pytest.mark.parametrize("name", ["jep9407-option3", "mlx"])
def test_the_tests_prove_it_and_a_changed_cell_fails_them(name, tmp_path):
    module, proof = tmp_path / "rules.py", tmp_path / "test_rules.py"
    text = export.render(name)
    module.write_text(text)
    proof.write_text(export.prove(name, module, proof))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(proof)]
    passes = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert passes.returncode == 0, passes.stdout
    module.write_text(one_cell_changed(text))
    fails = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert fails.returncode == 1
    assert "differ: operands, the answer, and that of the rules" in fails.stdout


def one_cell_changed(text):
    """Return a module with another answer in one cell of its table, or without one arrow."""
    if "LATTICE" in text:
        return text.replace('"uint8": "uint16 int16"', '"uint8": "uint16"')
    lines = text.splitlines(keepends=True)
    row = next(i for i, line in enumerate(lines) if line.startswith("int8 "))
    *most, last = lines[row].split()
    lines[row] = " ".join([*most, "i8" if last != "i8" else "u8"]) + "\n"
    return "".join(lines)


def test_a_module_without_an_environment_runs(tmp_path):
    (tmp_path / "rules.py").write_text(export.render("jax"))
    code = "import rules; print(rules.result_type('int8', 1.5))"
    run = [sys.executable, "-I", "-S", "-c"]
    run.append(f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{code}")
    printed = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert printed == "float64\n"
