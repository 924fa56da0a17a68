"""What the processes of a program find is in its report, however they are started."""

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from textwrap import dedent

import pytest

from supremum.audit.runner.processes import VARIABLE, why_lost

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes of POSIX systems"),
]

WORK = """\
import numpy as np

def work(n):
    return float((np.ones(8, np.float32) * np.hanning(8)).sum()) + n

if __name__ == "__main__":
    print(work(1))
"""
HEAD = """\
import multiprocessing, os, subprocess, sys
from functools import partial
from {where} import *
"""
POOL = """
    if __name__ == "__main__":
        with multiprocessing.get_context("{}").Pool(2) as pool:
            print(sorted(pool.map(work, range(3))))
    """
PROCESS = """
    if __name__ == "__main__":
        process = multiprocessing.get_context("{}").Process(target=work, args=(1,))
        process.start()
        process.join()
        print(process.exitcode)
    """
PROGRAMS = {
    **{f"a process by {how}": PROCESS.format(how) for how in ("fork", "spawn", "forkserver")},
    **{f"a pool by {how}": POOL.format(how) for how in ("fork", "spawn", "forkserver")},
    "an executor": """
        from concurrent.futures import ProcessPoolExecutor
        if __name__ == "__main__":
            with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
                print(list(pool.map(work, range(3))))
        """,
    "a script": "print(subprocess.check_output([sys.executable, 'work.py']))",
    "a module": "print(subprocess.check_output([sys.executable, '-m', 'work']))",
    "code": "subprocess.run([sys.executable, '-c', 'import work; work.work(1)'], check=True)",
    "a script by a shell": "os.system(f'{sys.executable} work.py && echo done')",
    "a script in its environment": """
        subprocess.run([sys.executable, "work.py"], check=True, env={**os.environ, "MORE": "1"})
        """,
    "a script of a script": """
        if len(sys.argv) == 1:
            sys.exit(subprocess.call([sys.executable, __file__, "again"]))
        subprocess.run([sys.executable, "work.py"], check=True)
        """,
    "joblib": """
        joblib = __import__("joblib")
        if __name__ == "__main__":
            print(joblib.Parallel(2)(joblib.delayed(work)(i) for i in range(3)))
        """,
    "PyTorch's loader": """
        from torch.utils.data import DataLoader
        class Data:
            def __len__(self): return 4
            def __getitem__(self, i): return work(i)
        if __name__ == "__main__":
            print(list(DataLoader(Data(), num_workers=2)))
        """,
    "Dask's workers": """
        from distributed import Client, LocalCluster
        if __name__ == "__main__":
            with LocalCluster(
                n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster, Client(cluster) as client:
                print(client.gather(client.map(work, range(3))))
        """,
}
NEEDS = {"joblib": "joblib", "PyTorch's loader": "torch", "Dask's workers": "distributed"}


@pytest.fixture
def temporary():
    """A folder with a short path, as sockets need one."""
    with tempfile.TemporaryDirectory(dir="/tmp" if os.name == "posix" else None) as folder:
        yield Path(folder)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_widening_in_another_process_is_found(write, command, tmp_path, temporary, name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    write(WORK, "work.py")
    write(HEAD.format(where="work") + dedent(PROGRAMS[name]))
    environment = {"TMPDIR": str(temporary)}
    plain = subprocess.run(
        [sys.executable, "program.py"], capture_output=True, text=True, check=True, timeout=120,
        env={**os.environ, **environment},
    )  # fmt: skip
    result = command("--fail-on", "widening", "-o", "r.json", "program.py", env=environment)
    assert (result.returncode, result.stdout) == (3, plain.stdout), result.stderr
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    [finding] = report["findings"]
    assert (finding["file"], finding["line"]) == (str(tmp_path / "work.py"), 4)
    assert finding["cause"]["text"] == "np.hanning(8)"
    assert report["watched"]["files"] == 2
    assert report["watched"]["processes"] > 1
    assert report["watched"]["lost"] == report["unwatched"] == []
    assert not list(temporary.glob("supremum-*"))


@pytest.mark.parametrize("how", ["spawn", "forkserver"])
def test_the_main_module_is_watched_where_it_runs_once_more(write, command, tmp_path, how):
    body = dedent(POOL.format(how))
    write("import multiprocessing\n" + WORK.partition("if __name__")[0] + body)
    assert command("-o", "r.json", "program.py").returncode == 0
    [finding] = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["findings"]
    assert (finding["file"], finding["line"]) == (str(tmp_path / "program.py"), 5)


def test_the_workers_of_pytest_are_watched(write, command):
    pytest.importorskip("xdist")
    write(WORK, "work.py")
    write("import work\ndef test_work():\n    work.work(1)\n", "test_work.py")
    words = ["-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", "-n1"]
    result = command("--fail-on", "widening", *words)
    assert result.returncode == 3, result.stderr
    assert "work.py:4:" in result.stderr
    assert "Watched: 2 files in this folder, in 2 processes.\n" in result.stderr


LOST = {
    "-I": "[sys.executable, '-I', 'work.py']",
    "-E": "[sys.executable, '-E', '-B', 'work.py']",
    "-S": "[sys.executable, '-S', '-c', '1']",
    "an environment of its own": "[sys.executable, '-c', '1'], env={}",
}


@pytest.mark.parametrize("words", LOST.values(), ids=LOST)
def test_a_process_that_cannot_be_watched_is_named(write, command, words):
    write(WORK, "work.py")
    write(HEAD.format(where="work") + f"subprocess.run({words})\n")
    result = command("program.py")
    assert f"Not watched: process {sys.executable[:10]}" in result.stderr
    assert result.stderr.startswith("Warning: no operation on arrays was seen")


def test_options_reach_other_processes(write, command):
    write(WORK, "work.py")
    write(HEAD.format(where="work") + dedent(PROGRAMS["a process by spawn"]))
    result = command("--kinds", "forbidden", "--forbid", "float64", "program.py")
    assert result.stderr.startswith("work.py:4:44: forbidden:float64: ")
    stopped = command("--on-finding", "raise", "program.py")
    assert "AuditStop: widening" in stopped.stderr
    assert stopped.stdout == "1\n"  # its exit code, as the program prints it


def test_a_sitecustomize_of_the_user_still_runs(write, command, tmp_path):
    write("import builtins\nbuiltins.MARK = 5\n", "site/sitecustomize.py")
    write("print(MARK, [p for p in __import__('sys').path if 'startup' in p])\n", "child.py")
    write("import subprocess, sys\nsubprocess.run([sys.executable, 'child.py'])\nprint(MARK)\n")
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    result = command("program.py", env={"PYTHONPATH": path})
    assert result.stdout == "5 []\n5\n"


def test_a_script_in_another_process_ends_as_without_the_audit(write, command, tmp_path):
    write("import sys\nprint(sys.argv, sys.path[0], __name__, __file__)\nx = 1 / 0\n", "child.py")
    source = """\
        import subprocess, sys
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "child.py", "a"], capture_output=True, text=True
        )
        print(done)
        """
    path = write(source)
    plain = subprocess.run(
        [sys.executable, path.name], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "ZeroDivisionError" in plain.stdout
    assert command("program.py").stdout == plain.stdout


def test_the_environment_is_as_it_was_once_the_audit_is_over(write, command):
    write("import os\nprint(sorted(os.environ))\n")
    assert VARIABLE in command("program.py").stdout
    assert VARIABLE not in os.environ


@pytest.mark.parametrize(
    ("words", "lost"),
    [
        (["python3", "x.py", "-I"], False),
        (["python3", "-W", "error", "-Ic", "1"], True),
        (["python3", "-W", "ignore::ImportWarning", "x.py"], False),
        (["ls", "-I"], False),
        (["python3.12", "-BS", "x.py"], True),
    ],
)
def test_which_words_keep_the_audit_out(words, lost):
    assert bool(why_lost(words[0], words, None)) is lost


PREDICTED = """
import multiprocessing
import subprocess
import sys
import numpy as np

def here(f, i):
    return f * i

def there(n):
    f = np.apply_along_axis(np.sort, 0, np.ones((n, 2), np.float32))
    return float((f / np.arange(1, 3))[0, 1])

if __name__ == "__main__":
    here(np.ones(2, np.float32), np.arange(2))
    with multiprocessing.get_context("{method}").Pool(2) as pool:
        pool.map(there, [1, 2, 3])
        pool.close()
        pool.join()
    subprocess.run([sys.executable, "other.py"], check=True)
"""
OTHER = """
import numpy as np

print((np.ones(2, np.float32) - np.arange(2)).dtype)
"""


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_what_other_processes_predict_is_told(command, write, tmp_path, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("this system has no such processes")
    write(PREDICTED.format(method=method))
    write(OTHER, "other.py")
    command("--target", "torch", "-o", "report.json", "program.py")
    report = json.loads((tmp_path / "report.json").read_text())
    found = {line["text"]: (line["dtypes"], line["target"]) for line in report["predicted"]}
    for text in ("f * i", "f / np.arange(1, 3)", "np.ones(2, np.float32) - np.arange(2)"):
        assert found[text] == (["float64"], ["float32"])
    assert report["unknown_functions"] == ["apply_along_axis"]
    others = [f["operands"][0]["text"] for f in report["findings"] if f["kind"] == "widening"]
    assert sorted(others) == ["f", "f", "np.ones(2, np.float32)"]
