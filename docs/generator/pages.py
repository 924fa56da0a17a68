"""Pages with what they show as it is now: console output, generated blocks."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

from click.testing import CliRunner, Result

from supremum.commands import main as command
from supremum.commands.group import CRASHED

from . import documents, kinds, tables  # noqa: F401  # they register blocks
from .blocks import content

ROOT = Path(__file__).resolve().parents[2]

FILE = re.compile(r'^```\w* title="([^"/]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^\$ .*\n(?:(?!\$ ).*\n)*", re.MULTILINE)
_MEASURED = re.compile(r"^ +before +after\n(?: .*\n)+", re.MULTILINE)
"""What `supremum fix` measures, which is another in each run."""
_NEEDS = re.compile(r"^<!-- needs (\w+) -->$", re.MULTILINE)
_BLOCK = re.compile(
    r"(?P<start>^<!-- (?P<words>[^\n]+) -->\n)(?P<old>(?:(?!<!-- ).*\n)*?)(?=^<!-- end -->$)",
    re.MULTILINE,
)


def renewed(text: str) -> str:
    """Return a document with everything generated as it is now."""
    if not all(map(find_spec, _NEEDS.findall(text))):
        return text
    with TemporaryDirectory() as folder, chdir(folder):
        for name, written in FILE.findall(text):
            Path(name).write_text(written, encoding="utf-8")
        if "$ supremum audit" in text or "$ supremum fix" in text or " examples/" in text:
            copytree(ROOT / "examples", "examples", ignore=ignore_patterns("__pycache__"))
        text = _CONSOLE.sub(lambda block: _PROMPT.sub(_renewed_output, block[0]), text)
        return _BLOCK.sub(_renewed_block, text)


def _renewed_output(prompt: re.Match[str]) -> str:
    line, _, _ = prompt[0].partition("\n")
    if not line.startswith("$ supremum "):
        return prompt[0]
    return f"{line}\n" + _MEASURED.sub("  ...\n", output(line[2:]))


def output(line: str) -> str:
    """Return what a command prints, on both streams."""
    return _run(line).output


def _renewed_block(comment: re.Match[str]) -> str:
    words = comment["words"]
    made = _run(words[2:]).stdout if words.startswith("$ supremum ") else content(words)
    return comment[0] if made is None else comment["start"] + made


def _run(line: str) -> Result:
    if line.startswith(("supremum audit ", "supremum fix ")) and "--help" not in line:
        return _run_apart(line)
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "FORCE_COLOR": None}
    result = CliRunner(env=plain).invoke(command, shlex.split(line)[1:], prog_name="supremum")
    if not isinstance(result.exception, (SystemExit, type(None))):
        raise result.exception
    if result.exit_code == CRASHED:
        raise RuntimeError(f"{line} ends in a mistake:\n{result.stderr}")
    return result


def _run_apart(line: str) -> Result:
    """Run an audit in a process of its own: it becomes the program that it runs."""
    program = [sys.executable, "-m", *shlex.split(line)]
    # JAX as it is installed, whatever a program set that ran in this process
    own = {name: value for name, value in os.environ.items() if not name.startswith("JAX_")}
    environment = {**own, "NO_COLOR": "1", "COLUMNS": "80"}
    done = subprocess.run(  # noqa: S603  # a command of our own documents
        program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False
    )
    # a traceback names the temporary folder
    printed = done.stdout.replace(f"{Path.cwd()}{os.sep}".encode(), b"")
    return Result(CliRunner(), printed, b"", printed, None, done.returncode, None)
