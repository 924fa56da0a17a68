"""What hints say to type is typed: options are parsed, and names and parameters exist."""

import ast
import dataclasses
import inspect
import json
import re
from pathlib import Path

import click
import pytest

import supremum
from supremum import audit
from supremum.audit import pytest_plugin
from supremum.audit.log import suppressions
from supremum.audit.options import Options
from supremum.audit.options import read as read_options
from supremum.audit.report import FORMATS, report
from supremum.commands import COMMANDS, SOUGHT, guesses, main
from supremum.core import ask, display, dtypes, systems
from supremum.core.explain import explain
from supremum.show.draw import drawing

REPOSITORY = Path(__file__).parents[2]
NAMES = [name for section in COMMANDS.values() for name in section]
ALL = [main, *(main.get_command(None, name) for name in NAMES)]
SETTINGS = {field.name for field in dataclasses.fields(Options)}
OF_PYTEST = {f"--promotion-{name.replace('_', '-')}" for name in pytest_plugin.SETTINGS}

OTHERS = re.compile(r"\b(?:git|pip|mv|grep|npm|pytest|python(?! -m supremum)) [^;,]+")
OURS = re.compile(r"\bsupremum ((?!as\b|in\b)[a-z]+|-\w|--\w+)([^;,)]*)")
OPTION = re.compile(r"(?<![\w-])(--?[a-zA-Z][\w-]*)(?: ([\w./:=*-]+)(?=$|,| or| alone| before))?")
QUOTED = re.compile(r"(?<![(\w])'([^']*\([^']*)'((?: \w+=[\w\[\]]+)*)")
CALL = re.compile(r"(?<![\w.)'])[a-z_]+(?:\.\w+)*\(")
NAME = re.compile(r"\bsupremum(?:\.[a-zA-Z_]\w*)+")


def in_table(text, name):
    """Return what a command's hint is made of."""
    text = text.removeprefix("type ").replace("it is not needed: ", "nothing: ")
    return re.sub(rf"as in supremum {name} numpy$", "as in supremum {command} numpy", text)


def reached():
    """Return each row of options with the commands that say it."""
    options = dict.fromkeys(option for option, *_ in guesses.INSTEAD)
    said = {(o, guesses.instead_of(o, c), c.name): c for o in options for c in ALL}
    rows = {}
    for (option, text, name), command in said.items():
        rows.setdefault((option, in_table(text, name)), []).append(command)
    return rows


ROWS = reached()


def some_value(type):
    """Return a value that an option of a type takes."""
    if isinstance(type, click.Choice):
        return type.choices[0]
    return "1" if isinstance(type, (click.IntRange, click.types.FloatParamType)) else "NAME"


def parsed(command, options, words=()):
    """Parse options with a command, and the words that it needs."""
    arguments = [p for p in command.params if isinstance(p, click.Argument) and p.required]
    needed = [] if words else ["numpy", "jax"][: len(arguments)]
    known = {name: p for p in command.params for name in (*p.opts, *p.secondary_opts)}
    typed = []
    for option, value in options:
        if option in ("--help", "-h"):
            continue
        assert option in known, f"there is no {option} of {command.name}"
        has_value = isinstance(known[option], click.Option) and not known[option].is_flag
        if option == "-o" and command.name in ("audit", "draw") and (end := Path(value).suffix):
            assert end in (drawing.WRITERS if command.name == "draw" else FORMATS.values())
        typed += [option, value or some_value(known[option].type)] if has_value else [option]
        if has_value and option in ("-s", "--system", "--target") and value and value.islower():
            assert systems.find(value)
    if command is main:
        return
    parent = click.Context(main, **main.context_settings)  # whose --help has a short form
    context = command.make_context(command.name, [*typed, *needed, *words], parent=parent)
    given = {k: v for k, v in context.params.items() if k in SETTINGS and v}
    read_options(**{k: v for k, v in given.items() if str(v).islower() and k != "include"})


def without_other_commands(text):
    """Return a hint without what it says of other commands, whose files and options exist."""
    for found in OTHERS.finditer(text):
        for word in found[0].split():
            assert not word.endswith(".py") or (REPOSITORY / word).is_file(), word
            assert not word.startswith("--promotion") or word in OF_PYTEST, word
    return OTHERS.sub("", text)


def without_settings(text):
    """Return a hint without what it says to write into files, which is read there."""
    for found in re.finditer(r"# supremum: .*? REASON", text):
        assert suppressions._COMMENT.match(found[0]), found[0]
    for key in re.findall(r"\b(\w+) = ", re.sub(r"\{.*\}", "", text)):
        assert key in SETTINGS, key
    return re.sub(r"\w+ = (\[.*\]|'\w+')|# supremum: \w+", "", text)


def without_code(text):
    """Return a hint without the expressions and calls in it, which have an answer, or names."""
    for found in QUOTED.finditer(text):
        explain(found[1], **dict(word.split("=") for word in found[2].split()))
    text = QUOTED.sub("", text)
    while found := CALL.search(text):
        code = call_at(text, found.start())
        for node in ast.walk(ast.parse(code, mode="eval")):
            if isinstance(node, ast.Call):
                resolved(node)
        text = text.replace(code, "")
    for found in NAME.finditer(text):
        resolved(ast.parse(found[0], mode="eval").body)
    return text


def call_at(text, start):
    """Return the code in a text from where a call begins, to the last bracket that closes one."""
    ends = [found.end() for found in re.finditer(r"\)(?:\.\w+(?!\w*\())*", text[start:])]
    for end in reversed(ends):
        try:
            ast.parse(text[start : start + end], mode="eval")
        except SyntaxError:
            continue
        return text[start : start + end]
    raise AssertionError(f"no code: {text[start:]}")


KNOWN = {"supremum": supremum, "json": json, "print": print, "help": help,
         "x": supremum.table("python"), "d": supremum.dtype("float32")}  # fmt: skip


def resolved(node):
    """Return what an expression names, whose attributes and parameters exist."""
    if isinstance(node, ast.Name):
        return KNOWN[node.id] if node.id in KNOWN else getattr(supremum, node.id)
    if isinstance(node, ast.Attribute):
        base = resolved(node.value)
        return getattr(answer(base, node.value) if isinstance(node.value, ast.Call) else base,
                       node.attr)  # fmt: skip
    assert isinstance(node, ast.Call), ast.dump(node)
    function = resolved(node.func)
    given = {word.arg: word.value for word in node.keywords}
    signature = inspect.signature(function)
    signature.bind_partial(*node.args, **given)
    if any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
        assert given.keys() <= SETTINGS | {*signature.parameters, "diff"}, given
    return function


def answer(function, call):
    """Return what a call gives whose answer a hint goes on with."""
    return function(*map(ast.literal_eval, call.args))


@pytest.mark.parametrize("row", guesses.INSTEAD, ids=lambda row: " ".join(row[:2]))
def test_what_to_type_for_an_option_is_accepted(row):
    option, _, instead = row
    commands = ROWS.get((option, instead))
    assert commands, "another row is found first, or no command lacks the option"
    for command in commands:
        checked(instead.replace("{command}", command.name), command)


def checked(text, command=None):
    """Check all that a hint says to type."""
    text = without_code(without_settings(without_other_commands(text)))
    for found in OURS.finditer(text):
        own = main if found[1].startswith("-") else main.get_command(None, found[1])
        assert own, f"there is no command {found[1]}"
        parsed(own, OPTION.findall(f"{found[1]} {found[2]}" if own is main else found[2]))
    if command is not None:
        parsed(command, OPTION.findall(OURS.sub("", text)))


TEXTS = {
    **{f"command {name}": text for name, text in guesses.NO_COMMANDS.items()},
    **{f"dtype {name}": text for name, text in guesses.NO_DTYPES.items()},
    **{f"attribute {name}": f"supremum.{text}" for name, text in supremum._INSTEAD.items()},
    **{f"audit's {name}": f"supremum.audit.{text}" for name, text in audit._INSTEAD.items()},
    **{f"parameter {name}": text for name, text in ask._INSTEAD.items()},
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_to_type_for_a_word_is_accepted(text):
    checked(text)


@pytest.mark.parametrize("option", guesses.VALUES)
def test_what_to_type_for_a_value_is_accepted(option):
    having = [c for c in ALL if any(option in p.opts for p in c.params)]
    assert having
    for command in having:
        if any(p.name == "program" for p in command.params):
            checked(guesses.VALUES[option], command)


def test_words_for_commands_are_of_commands():
    assert SOUGHT.keys() <= {*NAMES}


@pytest.fixture(scope="module")
def answers():
    """Return one answer of each class that says what to type for an attribute."""
    found = [supremum.table("numpy"), supremum.system("numpy"), supremum.laws("numpy")]
    return [*found, supremum.explain("int8")]


@pytest.mark.parametrize("name", display.INSTEAD)
def test_what_to_type_for_an_attribute_of_an_answer_works(name, answers):
    hint = display.INSTEAD[name].format(format=name.removeprefix("to_"))
    code = re.split(r"; |, (?=for|which|law)", hint)[0]
    known = [{"supremum": supremum, "json": json, "x": x} for x in answers]
    assert any(evaluated(code, names) is not None or "print" in code for names in known)
    assert "to_dataframe" in dir(supremum.table("python"))


@pytest.mark.parametrize("name", report._INSTEAD)
def test_what_to_type_for_an_attribute_of_a_report_works(name):
    found = report.Report(())
    with pytest.raises(AttributeError, match=re.escape(report._INSTEAD[name])):
        getattr(found, name)
    code = report._INSTEAD[name]
    assert eval(code, {"supremum": supremum, "x": found}) is not None or "print" in code


def evaluated(code, names):
    """Return what code gives, or None if a value has no such attribute."""
    try:
        return eval(code, names)
    except (AttributeError, TypeError):
        return None


@pytest.mark.parametrize("name", dtypes._INSTEAD)
def test_what_to_type_for_an_attribute_of_a_dtype_works(name):
    code = dtypes._INSTEAD[name]
    libraries = {x: pytest.importorskip(x) for x in ("numpy", "torch") if x in code}
    d, other = map(supremum.dtype, ("float32", "int8"))
    known = {"supremum": supremum, "d": d, "other": other, **libraries}
    assert eval(code, known) is not None


@pytest.mark.parametrize(
    "hint",
    [
        "--nonesuch, which is no option",
        "--format nonesuch",
        "supremum nonesuch",
        "supremum laws --nonesuch",
        "-s nonesuch:x64=true",
        "supremum.nonesuch('int8')",
        "supremum.result_type('int8', nonesuch=1)",
        "supremum.audit.run('train.py', nonesuch=True)",
        "nonesuch = ['a'] in pyproject.toml",
        "'nonesuch(int8[3])'",
        "python tests/nonesuch.py",
        "pytest --promotion-nonesuch",
        "# supremum: nonesuch KIND REASON",
    ],
)
def test_a_hint_that_names_what_does_not_exist_is_found(hint):
    with pytest.raises(
        (AssertionError, AttributeError, TypeError, click.UsageError, supremum.SupremumError)
    ):
        checked(hint, main.get_command(None, "explain"))


MODULES = ["arrays", "conformance", "custom", "design", "export", "show"]


@pytest.mark.parametrize("name", MODULES)
def test_what_to_type_for_a_module_that_is_called_is_accepted(name):
    with pytest.raises(TypeError, match=f"supremum.{name} is a module; type supremum.") as caught:
        getattr(supremum, name)("jax", "python")
    checked(str(caught.value).partition("; type ")[2])


def test_every_module_is_called():
    of_modules = {name for name, home in supremum._HOMES.items() if name == home}
    assert of_modules - {"audit"} == {*MODULES}  # the audit takes a program
