"""The action for GitHub and the hooks for pre-commit: their steps run as they would there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "howto" / "run-in-ci.md").read_text("utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = {h["id"]: h for h in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
FILES = dict(re.findall(r'^```\w+ title="(.*?)"\n(.*?)^```$', PAGE, re.DOTALL | re.MULTILINE))
LAWFUL, LAWLESS = "i8 -> i16\nu8 -> i16\n", "i8 -> i16, f16\nu8 -> i16, f16\ni16, f16 -> f32\n"


@pytest.fixture
def shell(tmp_path):
    """Return a function that runs a line as a step does: with `supremum`, and a pip that notes."""
    tools = tmp_path / "tools"
    tools.mkdir()
    commands = {
        "supremum": f'exec "{sys.executable}" -m supremum "$@"',
        "python": f'printf "%s\\n" "$@" > "{tmp_path}/installed"',
    }
    for name, line in commands.items():
        tools.joinpath(name).write_text(f"#!/bin/sh\n{line}\n", "utf-8")
        tools.joinpath(name).chmod(0o755)
    project = tmp_path / "project"
    project.mkdir()
    project.joinpath("train.py").write_text(FILES["train.py"], "utf-8")
    own = {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_ACTION_PATH": str(ROOT),
    }

    def run(line, **environment):
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line],
            env={**os.environ, **own, **environment}, cwd=project,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def steps(**given):
    """Return the steps of the action, each with the environment that its inputs give."""
    assert set(given) <= set(ACTION["inputs"])
    for step in ACTION["runs"]["steps"]:
        names = {
            n: re.fullmatch(r"\$\{\{ inputs\.(\w+) \}\}", v)[1] for n, v in step["env"].items()
        }
        values = {n: given.get(i, ACTION["inputs"][i].get("default")) for n, i in names.items()}
        assert None not in values.values()
        yield step["run"], values


def test_the_action_installs_its_own_version_or_the_one_that_is_named(shell, tmp_path):
    for package in ("", "supremum==0.1.0"):
        (line, environment), _ = steps(program="train.py", package=package)
        assert shell(line, **environment).returncode == 0
        words = (tmp_path / "installed").read_text("utf-8").splitlines()
        assert words == ["-m", "pip", "install", "--quiet", package or str(ROOT)]


def test_the_action_annotates_the_line_and_fails(shell):
    _, (line, environment) = steps(program="train.py")
    done = shell(line, **environment)
    assert done.returncode == 3
    assert done.stdout.startswith("::warning file=train.py,line=4,")


def test_the_action_takes_other_options_and_arguments_as_they_are(shell, tmp_path):
    (tmp_path / "project" / "echo.py").write_text("import sys\nprint(sys.argv[1:])\n", "utf-8")
    _, (line, environment) = steps(program="echo.py --all *.py", options="--fail-on none")
    done = shell(line, **environment)
    assert done.returncode == 0
    assert "['--all', '*.py']" in done.stdout


def test_the_action_writes_sarif_beside_the_annotations(shell, tmp_path):
    page = yaml.safe_load(FILES["sarif.yml"])
    inputs = page[0]["with"]
    _, (line, environment) = steps(**inputs)
    assert "::warning" in shell(line, **environment).stdout
    assert '"ruleId": "widening"' in (tmp_path / "project" / inputs["sarif"]).read_text("utf-8")
    assert page[1]["with"]["sarif_file"] == inputs["sarif"]


def test_the_action_fails_as_the_program_does(shell, tmp_path):
    (tmp_path / "project" / "ends.py").write_text("raise SystemExit(5)\n", "utf-8")
    _, (line, environment) = steps(program="ends.py")
    assert shell(line, **environment).returncode == 5
    _, (line, environment) = steps(program="ends.py", options="--fail-no widening")
    assert shell(line, **environment).returncode == 2


def test_the_workflow_of_the_page_runs(shell):
    *_, last = yaml.safe_load(FILES["audit.yml"])["jobs"]["audit"]["steps"]
    _, (line, environment) = steps(**last["with"])
    assert shell(line, **environment).returncode == 3


def test_the_inputs_of_the_action_are_described_on_the_page():
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == set(ACTION["inputs"])


def test_the_step_without_the_action_annotates(shell):
    [step] = yaml.safe_load(FILES["step.yml"])
    done = shell(step["run"])
    assert done.returncode == 3
    assert "::warning file=train.py,line=4," in done.stderr


def hook(name, *words):
    """Return the line that pre-commit runs."""
    config = yaml.safe_load(FILES[".pre-commit-config.yaml"])
    assert {h["id"] for h in config["repos"][0]["hooks"]} == set(HOOKS)
    return shlex.join([*shlex.split(HOOKS[name]["entry"]), *words])


def test_the_hook_of_the_audit_runs_the_program_of_its_arguments(shell):
    assert HOOKS["supremum-audit"]["pass_filenames"] is False
    done = shell(hook("supremum-audit", "train.py"))
    assert done.returncode == 3
    assert "train.py:4:" in done.stderr


@pytest.mark.parametrize(("arrows", "status"), [(LAWFUL, 0), (LAWLESS, 2)])
def test_the_hook_of_the_laws_judges_files(shell, tmp_path, arrows, status):
    files = [tmp_path / "project" / name for name in ("a.arrows", "b.arrows")]
    for path in files:
        path.write_text(arrows, "utf-8")
        assert re.search(HOOKS["supremum-laws"]["files"], path.name)
    assert shell(hook("supremum-laws", *(p.name for p in files))).returncode == status
