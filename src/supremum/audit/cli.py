"""The command ``supremum audit``."""

from __future__ import annotations

import gc
import os
import re
import shlex
import signal
import sys
import warnings
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..core.errors import RulesError
from ..core.libraries import library_of_module
from ..core.operands import SCALAR_LIBRARY
from ..terminal import has_colour, is_terminal, progress, spelled, terminal_width
from . import options
from .kinds import STOPPED
from .log.samples import Samples
from .log.tracked_types import forget_types
from .model.wording import near
from .options import Options
from .runner import endings, program, shutdown
from .runner.isolation import ModuleIsolation
from .runner.processes import Processes
from .runner.set_aside import SetAside, aside
from .runner.watching import Watching, is_hosted, watching

if TYPE_CHECKING:
    from .report.report import Report

FOUND: Final = 3
"""The exit status if something was found that the audit fails on."""

NOT_CHECKED: Final = 2
"""The exit status if nothing was checked, and the audit was to fail on something."""

_OPTIONS: Final = frozenset(
    f"--{name}" for name in ("kinds", "fail-on", "forbid", "on-finding", "write-baseline")
)  # programs have options that are called --output, --format, --target, --include and --baseline
_OPTIONS_OF_FIX: Final = frozenset(
    {"--diff", "--force", "--compare", "--to", "--within", "--write"}
)
_OF_NARROWING: Final = (
    "arguments", "as_module", "to", "within", "inputs", "check", "compare", "include", "write",
    "force",
)  # fmt: skip


def audit(
    target_program: str,
    *,
    arguments: Sequence[str],
    as_module: bool,
    outputs: Sequence[str],
    format: str | None,
    write_baseline: str | None,
    samples: str | None = None,
    **given: Any,
) -> int:
    """Run a program, report what was found, and return the exit code.

    That is 3 if a finding is of a kind that the audit fails on, else the program's own.
    """
    is_file = not as_module and Path(target_program).exists()
    place = Path(target_program).resolve().parent if is_file else Path.cwd()
    asked = replace(options.combined(options.from_project(place), given), tries=samples is not None)
    for path in (*outputs, *filter(None, [write_baseline])):
        check_writable(path)
    files = tuple((path, format or _format_of(path)) for path in outputs)
    handed_on = _handed_on(arguments)
    found = _program(target_program, handed_on, asked.include, as_module=as_module)
    _say_misplaced(arguments, target_program, "audit", "the audit", _OPTIONS)
    for path in outputs:  # what an earlier audit wrote says nothing of this one
        if Path(path).is_file() and not Path(path).is_symlink():  # as /dev/stdout is one
            Path(path).unlink()
    run = _Run(found, asked, files, format or "text", baseline=write_baseline, samples=samples)
    return run.here() if is_hosted() else run.to_the_end()


def fix(target_program: str, *, diff: bool = False, **asked: Any) -> int:
    """Type the suggestions for a program into its files, and return the exit code."""
    from .trial.fix import fix as fixed_program

    arguments = asked["arguments"]
    _say_misplaced(arguments, target_program, "fix", "fix", _OPTIONS_OF_FIX)
    arguments = asked["arguments"] = _handed_on(arguments)
    words = ["supremum", "fix", *(["-m"] if asked.get("as_module") else []), target_program]
    command = shlex.join([*words, *arguments])
    try:
        with as_interrupts(), progress() as tell:
            found = fixed_program(
                target_program, diff=diff, reads=True, command=command, progress=tell, **asked
            )
    except KeyboardInterrupt as error:
        click.echo(f"supremum: {str(error) or 'interrupted: nothing is changed'}", err=True)
        return 130
    except SystemExit as error:
        for note in getattr(error, "__notes__", ()):
            click.echo(f"supremum: {note}", err=True)
        raise
    if diff:
        sys.stdout.buffer.write(found.patch)
        sys.stdout.buffer.flush()
        for line in filter(None, [found.note, *(f"left: {why}" for _, why in found.left)]):
            click.echo(f"supremum: {line}", err=True)
    else:
        click.echo(spelled(str(found), sys.stdout))
    return 0 if found.is_clean else 1


def narrow(target_program: str, **asked: Any) -> int:
    """Find which arrays of a program may be narrower, and return the exit code."""
    from .trial.narrow import narrow as narrowed_program

    given = {name: value for name, value in asked.items() if name in _OF_NARROWING}
    if others := [name for name in asked if asked[name] and name not in (*_OF_NARROWING, "diff")]:
        raise RulesError(f"--{others[0]} does not go with --to; leave it out", others[0])
    inputs = [_split(words) for words in given.pop("inputs")]
    try:
        with as_interrupts(), progress() as tell:
            found = narrowed_program(target_program, inputs=inputs, progress=tell, **given)
    except KeyboardInterrupt:
        click.echo("supremum: interrupted: nothing is changed", err=True)
        return 130
    if not asked["diff"]:
        click.echo(spelled(str(found), sys.stdout))
    sys.stdout.flush()
    if asked["diff"] or not found.written:
        sys.stdout.buffer.write(found.patch)
        sys.stdout.buffer.flush()
    return 130 if found.is_partial else 0


def _split(words: str) -> list[str]:
    try:
        return shlex.split(words)
    except ValueError as error:
        raise RulesError(f"--input {words!r} cannot be read: {error}", words) from None


def _program(
    target: str, arguments: Sequence[str], include: Sequence[str], *, as_module: bool
) -> program.Program:
    """Return a program to run, once the packages to look inside are known to be there."""
    found = (program.module if as_module else program.script)(target, arguments)
    for name in include:
        library = library_of_module(name.partition(".")[0])
        if library is not None and library.title == SCALAR_LIBRARY:
            raise RulesError(f"{name} is watched as it is called, and is not looked inside", name)
        if not program.is_there(name, found):
            raise RulesError(f"there is no package {name!r} to look inside", name)
    return found


_READING: Final = re.compile(
    r"argv|argpars|arg_?parser|parse_arg|optparse|getopt"
    r"|\b(?:click|typer|fire|docopt|absl|hydra|tyro|tap|cli|cmdline|options)\b"
)
"""What a script mentions that reads its options, or has another module read them."""
_MAIN: Final = re.compile(r"(def\s+)?\bmain\(")


def _handed_on(arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments of a program, without the ``--`` that they may stand after."""
    return arguments[1:] if arguments[:1] in (["--"], ("--",)) else arguments


def _say_misplaced(
    arguments: Sequence[str], target: str, command: str, owner: str, known: Collection[str]
) -> None:
    """Tell of options after the program that the command has, too.

    Raises:
        RulesError: for one that the program does not read, and for a second program: what it is
            to do would not be done, and the exit status would be that of success.
    """
    for remark, is_mistake in _of_misplaced(arguments, target, command, owner, known):
        if is_mistake:
            raise RulesError(f"{remark}; options of the program stand after --", arguments)
        click.echo(f"supremum: {remark}", err=True)


def _of_misplaced(
    arguments: Sequence[str], target: str, command: str, owner: str, known: Collection[str]
) -> Iterator[tuple[str, bool]]:
    """Yield a remark on each option after the program that is the command's, or that none reads.

    Each comes with whether it is a mistake: the program is known not to read it.
    """
    text = _text(Path(target))
    reads = text is None or _reads_options(text)
    for word in arguments:
        if not reads and word.endswith((".py", ".ipynb")) and Path(word).is_file():
            how = f"each program has a run of its own: supremum {command} {word}"
            yield f"{word} stands after the program, which does not mention it; {how}", True
    every = _options_of(command)
    own = known if reads else every
    if text is not None and _READING.search(text):  # it reads some, and names them
        own = {*known, *(name for name in every if name not in text)}
    if text is not None and "add_argument" in text:  # it reads those that it names
        given = misplaced(arguments, (), reads=False)
        own = {*own, *(x for x in given if x[:2] == "--" and x not in text and _instead(x))}
    for option in misplaced(arguments, own if reads else known, reads=reads):
        which = "which gets it" if reads and option in own else "which does not read it"
        how = f"options of {owner} stand before: supremum {command} {option} ... {target}"
        how = how if option in every else _instead_of(option, command)
        # fix changes files, so that it refuses what the program may not mean either
        is_mistake = not reads or (command == "fix" and option not in (text or ""))
        yield f"{option} stands after the program, {which}; {how}", is_mistake


def _reads_options(text: str) -> bool:
    r"""Return whether a script may read its options, itself or in a main of another module.

    >>> _reads_options("import sys; print(sys.argv)"), _reads_options("from a import main; main()")
    (True, True)
    >>> _reads_options("def main():\n    print(np.argmax(x))\nmain()")
    False
    """
    calls = [bool(found[1]) for found in _MAIN.finditer(text)]
    return bool(_READING.search(text)) or (bool(calls) and not any(calls))


def _options_of(command: str) -> Collection[str]:
    """Return the options of a command, as it is called on a command line."""
    context = click.get_current_context(silent=True)
    if context is None or context.command.name != command:
        return _OPTIONS_OF_FIX if command == "fix" else _OPTIONS
    return [name for parameter in context.command.params for name in parameter.opts]


def _instead(option: str) -> str:
    """Return what to type for an option that the command does not have, or ``""``."""
    context = click.get_current_context(silent=True)
    say = getattr(context.find_root().command, "instead_of", None) if context else None
    return say(option, context.command) if say else ""  # type: ignore[union-attr]  # there is one


def _instead_of(option: str, command: str) -> str:
    """Return what to type for an option that a command does not have."""
    said = _instead(option)
    before = " before the program" if said.startswith("type -") else ""
    return f"{said}{before}" if said else f"supremum {command} --help lists the options"


def _text(script: Path) -> str | None:
    """Return the text of a program, or None of what is no script."""
    try:
        return script.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def misplaced(arguments: Sequence[str], known: Container[str], *, reads: bool = True) -> list[str]:
    """Return the options of some that stand after the program; all, if it reads none.

    >>> misplaced(["--epochs", "3", "--fail-on=widening", "--", "--fail-on"], {"--fail-on"})
    ['--fail-on']
    """
    before = arguments[: arguments.index("--")] if "--" in arguments else arguments
    names = dict.fromkeys(word.partition("=")[0] for word in before if word.startswith("-"))
    return [name for name in names if name in known or not reads]


@contextmanager
def as_interrupts() -> Iterator[None]:
    """Let files be put back when this process is asked to end, as when it is interrupted."""
    if not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, _: Any) -> None:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Run:
    """A program that is audited once: its processes, and its report.

    Args:
        found: the program.
        asked: what the audit is asked to do.
        files: where the report is written, and in which format.
        format: the format of the report that is printed.
        baseline: the file to which the findings are written as a baseline, or None.
        samples: the file to which samples of what operations gave are written, or None.
    """

    def __init__(
        self,
        found: program.Program,
        asked: Options,
        files: Sequence[tuple[str, str]],
        format: str,
        *,
        baseline: str | None = None,
        samples: str | None = None,
    ) -> None:
        self.program = found
        self.asked = asked
        self.files = files
        self.format = format
        self.baseline = baseline
        self.output: SetAside | None = None
        self.recorder = asked.recorder()
        self.samples = samples
        self.sampled = Samples()
        if samples:
            self.recorder.tell(self.sampled.observer)
        self.finder = program.finder(found, asked.include)
        self.folder = Path.cwd()
        self.code: int | None = None

    @property
    def has_output(self) -> bool:
        """Whether standard output is the report's, and what the program prints goes elsewhere."""
        from . import report as reports

        return not self.files and self.format not in reports.BESIDE

    def here(self) -> int:
        """Run the program within another, which goes on after it; returns the exit code."""
        try:
            with redirect_stdout(sys.stderr) if self.has_output else nullcontext():
                code = program.run_here(self.program, self.recorder, self.finder)
        except BaseException:
            self.written(1, watching(self.finder))
            raise
        return self.written(code, watching(self.finder))

    def to_the_end(self) -> int:
        """Run the program to the end of this process; returns the exit code."""
        if self.has_output:
            self.output = aside()
        self.isolation = ModuleIsolation(self.program.path)
        self.processes = Processes(self.recorder, self.finder, self.asked)
        with (
            self.processes.followed(),
            endings.reported(self.finish),
        ):
            self.isolation.begin()
            gc.freeze()  # the collector need not look through the audit, least of all at the end
            code = program.run(self.program, self.recorder, self.finder)
        code = self.finish(code)
        forget_types()
        if not self.processes.in_child:
            shutdown.as_interrupted()
        return code

    def finish(self, code: int) -> int:
        """Write the report, once; returns the exit code."""
        if self.processes.in_child:  # it ends here as the program does; its parent reports
            self.processes.write()
            return code
        if self.code is None:
            what = watching(self.finder, self.processes.collect())
            with self.isolation.ours(), _silence():
                self.code = self.written(code, what)
        return self.code

    def written(self, code: int, what: Watching) -> int:
        """Write the report; returns the exit code."""
        os.chdir(self.folder)  # where the files of the report were asked for
        from . import report as reports

        script = None if self.program.name else Path(self.program.file)
        report = self.asked.report(self.recorder, what, script)
        for path, form in self.files:
            text = reports.render(report, form)
            Path(path).write_text(f"{text}\n" if text else "", encoding="utf-8")
        if not self.files:
            self.show(report)
        elif self.asked.fail_on or is_terminal(sys.stderr):  # else the program's output is its own
            self.tell(report)
        if self.samples:
            self.sampled.write(self.samples)
        if self.baseline:
            everything = options.without_baseline(self.asked).report(self.recorder, what)
            options.write_baseline(self.baseline, everything)
        if report.failed:
            return FOUND
        return code or (NOT_CHECKED if report.warning and self.asked.fail_on else 0)

    def tell(self, report: Report) -> None:
        """Print the findings in a line each, and where the report is, if that is in files."""
        from .report.wording import summary

        for finding in report.findings:
            _print(f"{near(finding.file)}:{finding.line}: {finding.kind}: {finding.headline}")
        for line in [report.warning] if report.warning else summary(report):
            _print(line)
        _print(f"{' and '.join(path for path, _ in self.files)}: written")

    def show(self, report: Report) -> None:
        """Print the report: to standard output what is for programs, else to standard error."""
        from . import report as reports

        if self.format == "text":
            _print_report(lambda width: reports.render(report, "text", brief=True, width=width))
            return
        text = reports.render(report, self.format)
        if not self.has_output:
            _print(text)
        elif not text:
            from .report.wording import nothing

            _print(f"supremum: {nothing(report)}")
        elif self.output is None:
            click.echo(spelled(text, sys.stdout))
        else:
            try:
                self.output.write(f"{text}\n")
            except OSError as error:
                _print(f"supremum: standard output cannot be written: {error}; use -o FILE")


def why(
    target_program: str, *, arguments: Sequence[str], as_module: bool, include: Sequence[str]
) -> int:
    """Run a program, and report why it stopped; returns its own exit code."""
    given = {"kinds": [STOPPED], "include": include}
    project = options.from_project(Path.cwd())
    kept = {name: project[name] for name in ("include",) if name in project}
    asked = options.combined(kept, given)
    found = _program(target_program, arguments, asked.include, as_module=as_module)
    run = _Why(found, asked, (), "text")
    return run.here() if is_hosted() else run.to_the_end()


class _Why(_Run):
    """A program that is run once, to report why it stopped."""

    def written(self, code: int, what: Watching) -> int:
        """Report why the program stopped; returns its exit code."""
        os.chdir(self.folder)
        from .report import text

        found = self.asked.report(self.recorder, what).findings
        if found:
            _print_report(lambda width: "\n\n".join(text.described(f, width) for f in found))
        else:
            _print(f"supremum: {self.nothing(code)}")
        return code

    def nothing(self, code: int) -> str:
        """Return what to say of a program that no error about dtypes ended."""
        if self.recorder.failure:
            return f"the program stopped by {self.recorder.failure}"
        what = f"the program did not stop by an error; its exit status is {code}"
        return what if code else f"{what}; supremum audit names the lines where dtypes widen"


@contextmanager
def _silence() -> Iterator[None]:
    """Suppress our warnings, which the filters of the program could make errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _print_report(render: Callable[[int | None], str]) -> None:
    """Print a report as text, on a terminal in its width and in colour."""
    from .report.text import coloured

    text = render(terminal_width(sys.stderr) if is_terminal(sys.stderr) else None)
    _print(coloured(text) if has_colour(sys.stderr) else text)


def _print(text: str) -> None:
    try:
        click.echo(spelled(text, sys.stderr), err=True, color=is_terminal(sys.stderr))
    except OSError:  # nobody reads it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _format_of(path: str) -> str:
    """Return the format of a file that is to be written, by its suffix."""
    from .report import FORMATS, known_format

    if path == "-":
        raise RulesError("-o names a file; without it the report is printed", path)
    if "=" in path and not Path(path).suffix:
        how = "options of rules stand behind their name, as in --target jax:x64=false"
        raise RulesError(f"-o names a file, not {path}; {how}", path)
    if path in FORMATS:
        raise RulesError(f"-o names a file; type -f {path}, or -o report.{path}", path)
    return known_format(path, "; name one with -f")


def check_writable(path: str) -> None:
    """Refuse a file that cannot be written, before anything runs."""
    place = Path(path)
    folder = place.resolve().parent
    if place.is_dir() or path.endswith(("/", os.sep)):
        raise RulesError(f"{path!r} is a folder; name a file in it", path)
    if not folder.is_dir():
        raise RulesError(f"{path!r} cannot be written: there is no folder {str(folder)!r}", path)
    if not os.access(place if place.exists() else folder, os.W_OK):
        raise RulesError(f"{path!r} cannot be written: permission denied", path)
