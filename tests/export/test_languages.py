"""Every format is compiled or parsed by its own tool, and what computes gives every answer."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import supremum
from supremum import export
from supremum.export.description import NUMBERS
from supremum.export.formats import FORMATS, describe
from supremum.export.running import Module

pytestmark = pytest.mark.thorough

BIN = Path(sys.executable).parent


def tool(name):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def ran(*words, folder, text=None):
    run = subprocess.run(words, capture_output=True, text=True, cwd=folder, input=text, check=False)
    assert run.returncode == 0, (run.stdout + run.stderr)[-3000:]
    return run.stdout


def expected(said, answers, name):
    """Return what each program prints: the number of the answer for each question, or -1."""
    place = {d: str(i) for i, d in enumerate(said.nodes)} | {None: "-1"}
    module = Module(said)
    pairs = [place[module.promote_types(a, b)] for a, b in product(said.dtypes, repeat=2)]
    found = [place[answer] for count in (1, 2, 3) for _, answer in asked(answers, name, count)]
    return "\n".join([*pairs, *found])


def first(said):
    """Return what the first dtype promotes to with itself, as the programs print it."""
    answer = Module(said).promote_types(said.dtypes[0], said.dtypes[0])
    return "-1" if answer is None else str(said.nodes.index(answer))


def asked(answers, name, count):
    """Return the questions: all of one and two operands, and of three every seventh."""
    return answers(name, count)[:: 1 if count < 3 else 7]


def questions(said, answers, name, operand):
    """Return the operands of each question as numbers of operands, by how a language has them."""
    words = [w for w in said.words if w in said.dtypes or w not in said.taken]
    place = {word: i for i, word in enumerate(words)}
    lines = [
        " ".join(str(place[w]) for w in some)
        for count in (1, 2, 3)
        for some, _ in asked(answers, name, count)
    ]
    return [operand(word) for word in words], "\n".join(lines) + "\n"


def test_cpp(described, answers, compiled, tmp_path):
    gcc, said = tool("g++"), described(compiled)

    def operand(word):
        if word.endswith("()"):
            return f"{word[:-2]}_number"
        name = f"static_cast<DType>({said.nodes.index(word.removesuffix('[]'))})"
        return f"without_dimensions({name})" if word.endswith("[]") else f"Operand({name})"

    operands, lines = questions(said, answers, compiled, operand)
    (tmp_path / "rules.hpp").write_text(export.render(compiled, "cpp"))
    code = _CPP.replace("OPERANDS", ", ".join(operands)).replace("DTYPES", str(len(said.dtypes)))
    code = code.replace("RULES", compiled.replace("-", "_"))
    (tmp_path / "ask.cpp").write_text(code.replace("FIRST", first(said)))
    ran(gcc, *CPP_FLAGS, "-o", "ask", "ask.cpp", folder=tmp_path)
    printed = ran(tmp_path / "ask", folder=tmp_path, text=lines)
    assert printed.split() == expected(said, answers, compiled).split()


CPP_FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
TOGETHER = ("jax", "numpy", "torch", "jax:x64=false")


def test_headers_of_several_rules_go_together(tmp_path):
    gcc = tool("g++")
    names = [name.replace(":", "_").replace("=", "_") for name in TOGETHER]
    for rules, name in zip(TOGETHER, names, strict=True):
        (tmp_path / f"{name}.hpp").write_text(export.render(rules, "cpp"))
    asked = "".join(
        f"  std::puts({n}::name(*{n}::promote_types({n}::DType::int64, {n}::DType::float32)));\n"
        for n in names
    )
    code = "".join(f'#include "{name}.hpp"\n' for name in (*names, *names))
    code += f"#include <cstdio>\nusing namespace promotion;\nint main() {{\n{asked}}}\n"
    (tmp_path / "ask.cpp").write_text(code)
    ran(gcc, *CPP_FLAGS, "-o", "ask", "ask.cpp", folder=tmp_path)
    printed = ran(tmp_path / "ask", folder=tmp_path).split()
    wanted = [str(supremum.promote_types("int64", "float32", system=rules)) for rules in TOGETHER]
    assert printed == wanted
    assert len(set(printed)) == 2


@pytest.mark.parametrize("name", ["double", "std", "2nd", "日本", "my-rules.toml", "__x__"])
def test_any_rules_have_a_namespace(name, tmp_path):
    gcc = tool("g++")
    said = replace(describe("python"), name=name)
    (tmp_path / "rules.hpp").write_text(FORMATS["cpp"](said))
    (tmp_path / "ask.cpp").write_text('#include "rules.hpp"\n')
    ran(gcc, *CPP_FLAGS, "-fsyntax-only", "ask.cpp", folder=tmp_path)


_CPP = """
#include <iostream>
#include <sstream>
#include <string>
#include "rules.hpp"
using namespace promotion::RULES;

// it computes while this is compiled
constexpr auto compiled = promote_types(static_cast<DType>(0), static_cast<DType>(0));
static_assert((compiled ? static_cast<int>(*compiled) : -1) == FIRST);

void print(std::optional<DType> d) { std::cout << (d ? static_cast<int>(*d) : -1) << "\\n"; }

int main() {
    const Operand all[] = {OPERANDS};
    for (int a = 0; a < DTYPES; ++a)
        for (int b = 0; b < DTYPES; ++b)
            print(promote_types(static_cast<DType>(a), static_cast<DType>(b)));
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        int a = 0, b = 0, c = 0;
        in >> a;
        if (!(in >> b)) print(result_type({all[a]}));
        else if (!(in >> c)) print(result_type({all[a], all[b]}));
        else print(result_type({all[a], all[b], all[c]}));
    }
}
"""


def test_ties_are_no_dtypes():
    assert "int_weak, float_weak,\n};" in export.render("tinygrad", "cpp")


def test_json(answers, expressed):
    jsonschema = pytest.importorskip("jsonschema")
    folder = Path(export.__file__).parent
    schema = json.loads((folder / "export.schema.json").read_text(encoding="utf-8"))
    document = json.loads(export.render(expressed, "json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    for count in (1, 2):
        for words, answer in answers(expressed, count):
            assert by_json(document, words) == answer


def by_json(document, words):
    """Return what a document says of one or two operands, read as its schema explains."""
    join = document["join"]
    if not document["numbers_alone"] and all(word.endswith("()") for word in words):
        return None
    nodes = [
        document["numbers"].get(word[:-2])
        if word.endswith("()")
        else document["taken"].get(word.removesuffix("[]"), word.removesuffix("[]"))
        for word in words
    ]
    if None in nodes:
        return None
    node = nodes[0]
    if join["kind"] == "lattice":
        above = [up_set(join["arrows"], n) for n in nodes]
        common = set.intersection(*above)
        node = next((n for n in common if up_set(join["arrows"], n) == common), None)
    elif len(nodes) == 2:
        rows = [join["table"]]
        tiers = [2 if w.endswith(("()", "*")) else int(w.endswith("[]")) for w in words]
        if join["kind"] == "tiers" and tiers[0] != tiers[1]:
            nodes = nodes if tiers[0] < tiers[1] else nodes[::-1]
            rows = [join["lower"]]
        node = rows[0].get(nodes[0], {}).get(nodes[1])
        if node is None and join["kind"] == "asked":
            node = rows[0].get(nodes[1], {}).get(nodes[0])
    elif node not in join["table"]:
        return None
    node = join.get("stands_for", {}).get(node, node)
    return document["settled"].get(node, node)


def up_set(arrows, node):
    return {node}.union(*(up_set(arrows, up) for up in arrows[node]))


def test_the_documentation_has_the_schema():
    name = "export.schema.json"
    published = Path(__file__).parents[2] / "docs" / "reference" / name
    assert published.read_text() == (Path(export.__file__).parent / name).read_text()


def test_the_schema_refuses_what_is_no_export():
    jsonschema = pytest.importorskip("jsonschema")
    folder = Path(export.__file__).parent
    schema = json.loads((folder / "export.schema.json").read_text(encoding="utf-8"))
    document = json.loads(export.render("jax", "json"))
    for broken in (
        {**document, "join": {"kind": "lattice"}},
        {**document, "licence": 1},
        {k: v for k, v in document.items() if k != "dtypes"},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema)


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_stubs(described, checker, compiled_names, tmp_path):
    if not (BIN / checker).exists():
        pytest.skip(f"{checker} is not installed")
    wrong = 0
    for name in compiled_names:
        said = described(name)
        module = name.replace("-", "_")
        (tmp_path / f"of_{module}.pyi").write_text(export.render(name, "stubs"))
        (tmp_path / f"of_{module}.py").write_text(export.render(name))
        head = ["from typing import Literal", f"from of_{module} import promote_types", ""]
        exported = Module(said)
        found = {(a, b): exported.promote_types(a, b) for a, b in product(said.dtypes, repeat=2)}
        right = [
            f'x{i}: Literal["{answer}"] = promote_types("{a}", "{b}")'
            for i, ((a, b), answer) in enumerate(found.items())
            if answer is not None and i % 7 == 0
        ]
        (tmp_path / f"right_{module}.py").write_text("\n".join([*head, *right, ""]))
        first, other = said.dtypes[1:3]
        bad = [f'x: Literal["{other}"] = promote_types("{first}", "{first}")']
        bad += [f'promote_types("{a}", "{b}")' for (a, b), to in found.items() if to is None][:1]
        wrong += len(bad)
        (tmp_path / f"wrong_{module}.py").write_text("\n".join([*head, *bad, ""]))
    flags = ["--strict"] if checker == "mypy" else []
    ran(BIN / checker, *flags, *sorted(tmp_path.glob("right_*.py")), folder=tmp_path)
    run = subprocess.run(
        [BIN / checker, *flags, *sorted(tmp_path.glob("wrong_*.py"))],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    errors = [
        line for line in run.stdout.splitlines() if " error: " in line or " - error: " in line
    ]
    assert len(errors) >= wrong, run.stdout


def test_dot(expressed, tmp_path):
    dot = tool("dot")
    drawn = shown(expressed, "dot")
    svg = ran(dot, "-Tsvg", folder=tmp_path, text=drawn)
    names = [d.name for d in supremum.system(expressed).dtypes]
    assert svg.count('class="node"') == drawn.count("[label=") == len(names)
    assert svg.count('class="edge"') == drawn.count(" -> ")


def shown(name, to):
    try:
        return export.render(name, to)
    except supremum.SupremumError as error:
        pytest.skip(f"refused: {error}")


def test_markdown_and_latex_have_every_cell(expressed):
    rules = supremum.system(expressed)
    for to, mark in (("markdown", "| "), ("latex", " & ")):
        text = export.render(expressed, to)
        rows = [line for line in text.splitlines() if mark in line and "---" not in line]
        assert len(rows) == len(rules.dtypes) + 1
        assert f"supremum export {expressed} --to {to}" in text
    assert text.count("\\\\") == len(rules.dtypes) + 1


def test_latex_compiles(tmp_path):
    latex = tool("pdflatex")
    head = "\\documentclass{article}\\begin{document}\\tiny\n"
    (tmp_path / "t.tex").write_text(head + export.render("mlx", "latex") + "\\end{document}\n")
    ran(latex, "-interaction=nonstopmode", "-halt-on-error", "t.tex", folder=tmp_path)


assert set(NUMBERS) == {"bool", "int", "float", "complex"}
