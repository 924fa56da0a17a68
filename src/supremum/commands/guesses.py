"""What people type first, and what to type instead: options, commands, missing words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import click

from ..core.dtypes import is_name, is_spelled
from ..core.errors import RulesError, SupremumError, did_you_mean, short
from ..core.explain import explain
from ..core.functions import canonical
from ..core.operands import can_parse
from ..core.systems import find, rules_not_dtype, system

_TAKES_RULES: Final = "words systems system names"  # the arguments of commands for rules

_COMPLETION: Final = 'eval "$(_SUPREMUM_COMPLETE=bash_source supremum)" into ~/.bashrc'

_NOTHING: Final = "nothing: "

_QUIET: Final = (
    "-f compact for a line for each finding, or --fail-on KINDS and 2> /dev/null after the command "
    "for the exit status alone"
)

_ALLOW: Final = (
    "# supremum: allow KIND REASON at the end of a line; or, in [tool.supremum.audit] of "
    'pyproject.toml, allow = [{file = "train.py", kinds = ["precision-loss"], reason = "..."}]'
)

INSTEAD: Final = (
    ("--json", "--format=json", "--format json"),
    ("--json", "--highlight", "--format arrows, which programs read"),
    ("--json", "--to", "--to json"),
    ("--library", "--system", "--system"),
    ("--lib", "--system", "--system"),
    ("--backend", "--system", "--system"),
    ("--rules", "--system", "--system"),
    ("-l", "--system", "--system"),
    ("-r", "--system", "--system"),
    ("-f", "--to", "--to"),
    ("--format", "--force", "supremum audit --format json, which has what fix would type"),
    ("--format", "--to", "--to"),
    ("--lang", "--to", "--to"),
    ("--language", "--to", "--to"),
    ("--dry-run", "--diff", "--diff"),
    ("--system", "--target", "--target"),
    ("-s", "--target", "--target"),
    ("--rules", "--target", "--target"),
    ("--system", _TAKES_RULES, "the rules alone, as in supremum {command} numpy"),
    ("-s", _TAKES_RULES, "the rules alone, as in supremum {command} numpy"),
    ("--x64", "--system", "-s jax:x64=true, or -s jax:x64=false"),
    ("--x64", _TAKES_RULES, "jax:x64=true, or jax:x64=false, instead of jax"),
    *(
        (name, "systems", "nothing: supremum laws NAME checks every law")
        for name in ("--law", "--laws", "--associative", "--commutative", "--associativity")
    ),
    ("--x32", "--system", "-s jax:x64=false"),
    ("--x32", _TAKES_RULES, "jax:x64=false instead of jax"),
    ("--no-x64", "--system", "-s jax:x64=false"),
    ("--no-x64", _TAKES_RULES, "jax:x64=false instead of jax"),
    ("--mode", "--system", "-s jax:mode=strict"),
    ("--mode", _TAKES_RULES, "jax:mode=strict instead of jax"),
    ("--option", f"--system {_TAKES_RULES}", "it after the rules, as in jax:x64=false"),
    ("--default", _TAKES_RULES, "it after the rules, as in tinygrad:default_int=int64"),
    *((name, "--live", "--op") for name in ("--fn", "--func", "--function", "--ufunc")),
    ("--function", "--op", "supremum.compare_function(function, ...) in Python"),
    ("--x64", "--on-finding", "JAX_ENABLE_X64=1 before the command"),
    ("--check", "names", "supremum laws and supremum conform"),
    ("--check", "--tests", "git diff --exit-code FILE once -o FILE has written it"),
    ("--modes", "--tests", "export.render(rules, 'python', modes=[...]) in Python"),
    ("--summary", "--expr", "| grep : after the command"),
    ("--exit-zero", "--expr", "|| true after the command"),
    ("--draw", "--expr", "supremum.show.draw_diff(first, second) in Python"),
    ("--no-browser", "--pyodide", "BROWSER=true before the command, which prints the address"),
    ("--port", "--save", "--save FOLDER, which python -m http.server sends at any port"),
    ("--no-open", "--pyodide", "BROWSER=true before the command, which prints the address"),
    ("--dtypes", "--compiled", "conformance.conform(name, compiled=True, dtypes=...) in Python"),
    ("--dtypes", "--expr", "the dtypes alone, as in supremum diff numpy jax int8 uint8"),
    ("--dtypes", _TAKES_RULES, "the dtypes alone, as in supremum table numpy int8 uint8"),
    ("--coverage", "--module", "python tests/peers/covered.py, in the repository"),
    ("--expressions", "--module", "python tests/peers/random_expressions.py, in the repository"),
    *(
        (name, "--on-finding --diff", instead)
        for name, instead in (
            ("--module", "-m MODULE"),
            ("--config", "the options into [tool.supremum.audit] of pyproject.toml"),
            ("--select", "--kinds"),
            ("--ignore", _ALLOW),
            ("--package", "--include"),
            ("--exclude", _ALLOW),
            ("--only", f"--kinds for one kind; of a file, {_ALLOW}"),
            ("-k", "--kinds"),
            ("--library", "--target"),
            *((name, "--target numpy-legacy") for name in ("--numpy1", "--numpy-1", "--legacy")),
            ("--lib", "--target"),
            ("--device", "--target"),
            ("--compare", "--target"),
            ("--rules", "--target"),
            ("--numpy2", "--target numpy"),
            ("--inplace", "nothing: fix types into the files"),
            ("--in-place", "nothing: fix types into the files"),
            ("--list-kinds", "supremum audit --help, which lists the kinds"),
            ("--help-kinds", "supremum audit --help, which lists the kinds"),
            ("--max-findings", "nothing: the worst findings come first"),
            ("--statistics", "nothing: the last lines of a report count what was found"),
            ("--summary", "nothing: the last lines of a report count what was found"),
            ("--line", "nothing: each finding names its line"),
            ("--jobs", "nothing: processes that the program starts are followed"),
            ("--threads", "nothing: threads that the program starts are followed"),
            ("-j", "nothing: processes that the program starts are followed"),
            ("--ignore-line", "# supremum: allow KIND REASON at the end of the line"),
            ("--watch", "supremum audit --on-finding warn, which tells at once"),
            (
                "-i",
                "nothing: fix types into the files, and supremum fix --diff prints a patch",
            ),
            ("--write", "nothing: fix types into the files"),
            ("--extend-select", "--kinds"),
            ("--extend-ignore", _ALLOW),
            ("--per-file-ignores", _ALLOW),
            ("--disable", _ALLOW),
            ("--disable-error-code", _ALLOW),
            ("--show-source", "nothing: each finding has its lines"),
            ("--show-error-codes", "nothing: each finding has its kind"),
            ("--no-cache", "nothing: each run looks at the program anew"),
            ("--ignore-errors", "nothing: what is found before an error is reported, too"),
            ("--python-version", "python3.12 -m supremum audit FILE, with that Python"),
            ("--stdin-filename", "the path of a file, whose lines the report has"),
            ("--show-fixes", "supremum fix --diff"),
            ("--fix-only", "nothing: supremum fix changes the files, and says what"),
        )
    ),
    ("--concise", "--on-finding", "--format compact"),
    ("--add-noqa", "--on-finding", "--write-baseline known.json"),
    ("--explain", "--on-finding", "supremum explain KIND, which says what it means"),
    ("--options", "names", "nothing: supremum systems NAME lists them"),
    *((name, "--on-finding", "-o report.html") for name in ("--html", "--html-report", "--report")),
    ("--sarif", "--on-finding", "-o report.sarif"),
    *(
        (name, "--on-finding", "-o report.sarif; reports of pytest are of --promotion-audit")
        for name in ("--junit-xml", "--junitxml")
    ),
    *(
        (name, "--on-finding", "--on-finding raise")
        for name in ("-x", "--exitfirst", "--maxfail", "--fail-fast", "--error")
    ),
    *(
        (name, "--force", "nothing: each change is tried, and undone if results differ")
        for name in ("--unsafe-fixes", "--unsafe", "--safe", "--yes", "-y")
    ),
    *(
        (name, "--force", "git checkout FILE, or mv FILE.orig FILE: fix keeps what it changes")
        for name in ("--undo", "--revert", "--restore")
    ),
    ("-n", "--force", "--diff"),
    ("-n", "--on-finding", "-m pytest -n 4, as pytest takes it"),
    ("--backup", "--force", "nothing: a file that git does not have is kept as FILE.orig"),
    ("--to", "--live", "'x.astype(float32)' x=int8 for a cast, float32 alone for a promotion"),
    ("--weak", "--live", "int* for a weak dtype; Python's numbers are weak as they are"),
    ("--only", "--live", "-s NAME, whose rules decide"),
    ("--only", "--expr", "the dtypes after the rules, as in supremum diff numpy jax int8 uint8"),
    ("--only", "--op", "-s, once for each"),
    ("--all", "--cells", "nothing: without names, every library that is installed is asked"),
    ("--all", "systems", "the names of rules, as in supremum laws numpy jax"),
    ("--target", "--include", "supremum audit --target"),
    ("--version", "", "supremum -V"),
    ("--function", "--only", "--only"),
    ("-k", "--only", "--only"),
    ("--config", "--version", "[tool.supremum] into pyproject.toml, which is read"),
    ("-q", "--version", "2> /dev/null after the command"),
    ("--quiet", "--version", "2> /dev/null after the command"),
    ("-q", "--on-finding", _QUIET),
    ("--quiet", "--on-finding", _QUIET),
    ("--dtype", "--on-finding", "--forbid DTYPES for those that must not come up"),
    ("--dtype", "--diff", "--to"),
    ("--exit-zero", "--on-finding", "nothing: only --fail-on changes the exit status"),
    ("--strict", "--on-finding", "--fail-on all"),
    ("--strict", "--system", "-s jax:mode=strict"),
    ("--all", "--live", "supremum compare, which asks every library"),
    ("--all", "--expr", "-f json, which has all of them"),
    ("--all", "--op", "nothing: every library is asked; -s NAME names some"),
    ("--why", "--live", "nothing: explain says why"),
    ("--list", "names", "nothing: supremum systems lists them"),
    ("--list", "--only", "nothing: each function has a line; --only NAME chooses some"),
    ("--list", "--version", "supremum --help, which lists the commands"),
    ("--quick", "--cells", "--cells 8, which asks so many of each function"),
    ("--fast", "--cells", "--cells 8, which asks so many of each function"),
    ("--stdin", "--live", "- instead of the operands"),
    ("--output-format", "--format", "--format"),
    ("--libraries", "--live", "--system NAME; supremum compare takes several"),
    ("--libraries", "--expr", "the two rules first, as in supremum diff numpy jax"),
    ("--libraries", "--op", "--system, once for each"),
    ("--systems", "--live", "--system NAME; supremum compare takes several"),
    ("--systems", "--expr", "the two rules first, as in supremum diff numpy jax"),
    ("--systems", "--op", "--system, once for each"),
    ("--system", "--expr", "the two rules first, as in supremum diff numpy jax"),
    ("-s", "--expr", "the two rules first, as in supremum diff numpy jax"),
    ("--in", "--system", "--system"),
    ("--html", "--save", "--save FOLDER"),
    *(
        (f"--{name}", f"--format={name}", f"--format {name}")
        for name in ("csv", "html", "markdown", "latex", "rst", "dot", "mermaid", "arrows")
    ),
    ("--csv", "--format=json", "--format json; supremum table has csv"),
    ("--html", "--format=json", "--format json; supremum table and supremum diff have html"),
    (
        "--markdown",
        "--format=json",
        "--format json; supremum table and supremum diff have markdown",
    ),
    ("--html", "--highlight", "--format svg, which a page may contain"),
    ("--markdown", "--highlight", "--format mermaid, which Markdown may contain"),
    *(
        (name, "--highlight", f"-o FILE{name.replace('--', '.')}")
        for name in ("--png", "--svg", "--pdf")
    ),
    ("-o", "--format", "> FILE after the command"),
    ("--output", "--format", "> FILE after the command"),
    ("--fix", "--on-finding", "supremum fix"),
    ("--diff", "--on-finding", "supremum fix --diff"),
    ("--to", "--on-finding", "supremum fix --to"),
    ("--once", "--on-finding --diff", "supremum fix --diff, and apply the patch"),
    ("--exact", "--on-finding --diff", "nothing: every operation is counted without it"),
    ("--list-modules", "--on-finding", "--include PACKAGE, which watches an installed package"),
    ("--margin", "--within", "--input, with arguments that make larger numbers"),
    ("--tolerance", "--within", "--within"),
    ("--baseline", "--diff", "baseline = 'FILE' in [tool.supremum.audit] of pyproject.toml"),
    *(
        (name, "--version", f"it after the command, as in supremum explain int8 {name} {value}")
        for name, value in (
            ("--system", "numpy"),
            ("-s", "numpy"),
            ("--format", "json"),
            ("-f", "json"),
            ("--op", "divide"),
        )
    ),
    ("--color", "", "FORCE_COLOR=1 before the command"),
    ("--no-color", "", "NO_COLOR=1 before the command"),
    ("--quiet", "", "> /dev/null after the command; its exit status says what was found"),
    ("--verbose", "", "nothing: all that is known is printed"),
    ("-v", "", "nothing: all that is known is printed; supremum -V prints the version"),
    ("--install-completion", "", _COMPLETION),
    ("--show-completion", "", _COMPLETION),
    ("-c", "", "supremum audit FILE, with the program in a file"),
    ("-q", "", "> /dev/null after the command; its exit status says what was found"),
)
"""Options that commands do not have; what tells which command, if not all; and what to type."""

VALUES: Final = {
    "--fail-on": "--fail-on all",
    "--write-baseline": "--write-baseline known.json",
    "--check": "--diff",
    "--to": "--to float32",
}
"""What to type where an option took the program for its value."""

PROGRAMS: Final = (".py", ".ipynb")
"""How the files of programs end."""

NO_COMMANDS: Final = {
    "completion": f"put {_COMPLETION}",
    "config": "settings stand in [tool.supremum] of pyproject.toml",
    "can_cast": "supremum.can_promote('int8', 'int16') in Python asks the rules",
    "cast": "supremum explain says what two dtypes give, and 'x.astype' casts",
    "doctor": "supremum systems says what decides, supremum conform NAME if it holds here",
    "finfo": "supremum.finfo('float16') in Python says it",
    "iinfo": "supremum.iinfo('int8') in Python says it",
    "format": "supremum fix types what the audit suggests",
    "list-rules": "supremum systems lists them",
    "monitor": "supremum audit FILE watches one run of a program",
    "info": "supremum systems says what decides, supremum systems NAME all of it",
    "install": "pip install supremum installs it",
    "report": "type supremum audit -o report.html FILE",
    "update": "pip install --upgrade supremum renews it",
    "upgrade": "pip install --upgrade supremum renews it",
    "watch": "type supremum audit FILE again; with --on-finding warn it tells at once",
    **dict.fromkeys(
        ("glb", "inf", "infimum", "meet"),
        "rules join dtypes, and have no meet; supremum explain int8 float16 gives a join",
    ),
    "baseline": "type supremum audit --write-baseline known.json FILE",
    "migrate": "type supremum audit --target jax FILE",
    "port": "type supremum audit --target jax FILE",
    "docs": "supremum --help lists the commands, and supremum COMMAND --help says more",
    "lsp": "editors show what supremum audit -f sarif FILE prints",
    "pytest": "pytest --promotion-audit audits tests, as supremum audit -m pytest does",
    "python": "leave it out: supremum audit FILE runs the file",
    "clean": "there is nothing to remove: a run leaves the files that -o names alone",
    "kinds": "type supremum audit --help, which lists the kinds of finding",
    "hook": "type supremum audit --fail-on all FILE, which exits with 3 for a finding",
    "init": "there is nothing to set up: type supremum audit FILE",
    "tutorial": "type supremum audit FILE, and what it suggests after it",
}
"""What people type that is no command, with what helps."""


def instead_of(name: str, command: click.Command) -> str:
    """Return what to type for an option that a command does not have, by the tables; or ``""``."""
    known = _options(command)
    for option, of_command, instead in INSTEAD:
        if option == name and (not of_command or {*of_command.split()} & {*known}):
            if instead.startswith(_NOTHING):
                return f"it is not needed: {instead.removeprefix(_NOTHING)}"
            return f"type {instead.replace('{command}', command.name or '')}"
    rules = _of_rules(name, known)
    return f"type {rules}" if rules else ""


def no_such_option(name: str, command: click.Command) -> str:
    """Return what to say of an option that a command does not have."""
    if instead := instead_of(name, command):
        return f"no such option: {name}; {instead}"
    known = _options(command)
    names = [o.strip("-") for o in known if o.startswith("--") and "=" not in o]
    near = did_you_mean(name.strip("-"), names)[1]
    if near:
        return f"no such option: {name}; did you mean {' or '.join(f'--{word}' for word in near)}?"
    called = " ".join(filter(None, ["supremum", command.name if command.name != "main" else ""]))
    hint = f"{called} --help lists the options"
    if any(parameter.name == "program" for parameter in command.params):
        hint += ", and those of the program stand after it"
    return f"no such option: {name}; {hint}"


def _options(command: click.Command) -> list[str]:
    """Return the options and arguments of a command, and the values of those that name them."""
    types = [(p.opts[-1], p.type) for p in command.params]
    values = [
        f"{n}={v}" for n, kind in types if isinstance(kind, click.Choice) for v in kind.choices
    ]
    return [*(option for parameter in command.params for option in parameter.opts), *values]


def _of_rules(name: str, known: Sequence[str]) -> str:
    """Return what to type for an option that is the name of rules, or a dtype's: ``--numpy``."""
    word = name.removeprefix("--")
    if "--forbid" in known and is_spelled(word):
        return f"--forbid {word}"
    try:
        system(word)
    except SupremumError:
        return ""
    older = ", or numpy-legacy for NumPy 1" if word in ("np", "numpy") else ""
    places = {"--system": f"-s {word}{older}", "--target": f"--target {word}"}
    return next((typed for option, typed in places.items() if option in known), f"{word} alone")


def no_such_command(words: Sequence[str], known: Sequence[str], sought: Mapping[str, str]) -> str:
    """Return the message for a command that does not exist.

    Args:
        words: the words of the command line.
        known: the commands.
        sought: other words for some of them.
    """
    if said := of_message(words[0]):
        return f"there is no command {short(words[0])}; {said}"
    word = words[0].replace("-", "_")
    meant = [f"'supremum {name}'" for name, others in sought.items() if word in others.split()]
    hint = f"; {' or '.join(meant)} does that" if meant else _by_its_kind(words)
    hint = hint or next((f"; {NO_COMMANDS[w]}" for w in (words[0], word) if w in NO_COMMANDS), "")
    hint = hint or did_you_mean(words[0], known)[0] or "; supremum --help lists them"
    return f"there is no command {words[0]!r}{hint}"


def _by_its_kind(words: Sequence[str]) -> str:
    """Return what to type if the first word is a dtype, rules or a program."""
    whole = " ".join(map(_quoted, words))
    if kinds := [said for word in words[:2] if (said := of_kind(word))]:
        return f"; {kinds[0]}"
    if words[0].endswith(PROGRAMS):
        return f"; type supremum audit {whole}"
    parts = re.split(r"[-+*/%()\s]+", words[0])
    if can_parse(words[0]) or any(part[:1].isalpha() and can_parse(part) for part in parts):
        return f"; type supremum explain {whole}"
    try:
        find(words[0])
    except SupremumError:
        return ""
    return f"; it names rules: type supremum systems {words[0]}"


NO_DTYPES: Final = {
    **dict.fromkeys(("in", "with", "under", "rules"), "rules are named by -s, as in -s numpy"),
    **dict.fromkeys(
        ("and", "or", "to", "x", "vs", "versus", "against"),
        "leave it out: dtypes stand side by side",
    ),
    **dict.fromkeys(
        ("plus", "minus", "times", "over"),
        "write the operator, as in supremum explain int8 + uint8, or '*' in quotes",
    ),
    **dict.fromkeys(
        ("Bool", "Complex", "Float", "Inexact", "Int", "Num", "Real", "Shaped", "UInt"),
        "write an array by its dtype and sizes, as in float32[3]; float* is of any width",
    ),
    **dict.fromkeys(
        ("ndarray", "Tensor", "tensor", "Array", "Series", "DataFrame", "scalar"),
        "write an array by its dtype and sizes, as in float32[3], or float32[] of no dimensions",
    ),
    **dict.fromkeys(
        ("weak int", "weak float", "weak complex", "weak_int", "weak_float", "weak_complex"),
        "a weak one is int*, float* or complex*, and that of a number, as in explain int8 1",
    ),
    **dict.fromkeys(
        ("promote_types", "result_type", "can_cast", "find_common_type", "common_type"),
        "type the dtypes alone, as in supremum explain int8 uint8",
    ),
    **dict.fromkeys(
        ("get_default_dtype", "set_default_dtype", "set_default_device", "default_float_dtype"),
        "what a library makes without a dtype is that of an expression, such as 'torch.ones(3)'",
    ),
}
"""What people type among dtypes that is none, with what helps."""


_OPERANDS: Final = ("int8[3]", "int8[3], float16[3]", "bool[3], int8[3], float16[3]", "int8[2,2]")
_OF_FUNCTION: Final = "np.sum(int8[3])"
"""What a function is called with in an example, and an example of another one."""


def no_such_dtype(word: str) -> str:
    """Return what to say of a word that is no dtype but has another meaning, or ``""``."""
    last = re.split(r"[.:] ?", word)[-1]  # of a module, or what an annotation says
    if said := of_message(word):
        return f"{short(word)} is no dtype; {said}"
    if why := rules_not_dtype(word):
        return f"{why}; type -s {word} instead of it"
    if last in NO_DTYPES:
        return f"{word!r} is not the name of a dtype; {NO_DTYPES[last]}"
    if word.endswith(PROGRAMS):
        return f"{word!r} is a program, not a dtype; type supremum audit {word}"
    if canonical(last) and last.isidentifier() and not is_name(last):  # i1 is both
        return f"{word!r} is a function; {_called(last)}"
    kind = of_kind(word)
    return f"no dtype is called so; {kind}" if kind else ""


def _called(name: str) -> str:
    """Return how a function is asked about: with the operands that it takes."""
    examples = (f"np.{name}({given})" for given in _OPERANDS)
    example = next(filter(_is_answered, examples), _OF_FUNCTION)
    return f"call it in an expression, as in '{example}'"


def _is_answered(expression: str) -> bool:
    try:
        explain(expression, system="numpy")
    except SupremumError:
        return False
    return True


def of_message(word: str) -> str:
    """Return what to type for the message of an error, or ``""`` for other words."""
    if " " not in word:
        return ""
    from ..audit.stops.messages import explained_by

    return explained_by(word)


def of_kind(word: str) -> str:
    """Return what a kind of finding means, and how to ask for it, or ``""`` for other words."""
    from ..audit.kinds import KNOWN

    if word not in KNOWN:
        return ""
    how = f"type supremum audit --kinds {word} FILE"
    return f"{word} is a kind of finding: {KNOWN[word].meaning}; {how}"


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w./:=-]+", word) else f"'{word}'"


def usage(error: click.UsageError) -> str:
    """Return what a mistake in a command line is, with an example of the command."""
    context = error.ctx
    if isinstance(error, click.NoSuchOption) and context is not None:
        return no_such_option(error.option_name, context.command)
    if context is not None and (taken := _taken(error, context)):
        return taken
    text = error.format_message().rstrip(".").replace("\n", " ")
    if context is None or not (
        isinstance(error, click.MissingParameter) or text.startswith("Got unexpected extra")
    ):
        return text
    extra = re.fullmatch(r"Got unexpected extra arguments? \((\S+)\)", text)
    options = [name for parameter in context.command.params for name in parameter.opts]
    instead = next((to for to in ("--to", "--save") if to in options), "")
    if extra is not None and instead:
        return f"{_lowered(text)}; {_of_extra(extra[1], instead)}"
    example = re.search(r"supremum [^\n]+", context.command.help or "")
    return f"{_lowered(text)}; for example: {example[0]}" if example else _lowered(text)


def _of_extra(word: str, option: str) -> str:
    """Return what to type for a word that an option may take."""
    from ..export.formats import check_format

    try:
        if option == "--to":
            check_format(word)
    except RulesError as error:
        if len(error.candidates) != 1 or str(error).endswith("?"):
            return str(error)
        return f"{error}; type {option} {error.candidates[0]}"
    return f"type {option} {word}"


def _taken(error: click.UsageError, context: click.Context) -> str:
    """Return what to type if an option took the program for its value, or a format for another."""
    program = getattr(error, "param", None)
    if isinstance(error, click.MissingParameter) and program and program.name == "program":
        for parameter in context.command.params:
            value = context.params.get(parameter.name or "")
            value = value[-1] if isinstance(value, (list, tuple)) and value else value
            if isinstance(value, str) and value.endswith(PROGRAMS):
                name = parameter.opts[0]
                example = VALUES.get(name, parameter.make_metavar(context))
                typed = f"supremum {context.command.name} {example} {value}"
                return f"{name} takes a value, and took {value} for it; type {typed}"
    drawn = re.search(r"'(png|pdf)' is not one of", error.format_message())
    return f"{drawn[1]} is for files; type -o FILE.{drawn[1]}, without --format" if drawn else ""


def _lowered(text: str) -> str:
    missing = re.fullmatch(r"Missing (?:argument|option) '(.+)'", text)
    return f"{missing[1]} is missing" if missing else text[:1].lower() + text[1:]
