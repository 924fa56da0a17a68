"""However a program ends, its report is written, or the exit code is not zero."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the ends of POSIX processes"),
]

WIDENS = """\
import os, signal, sys, threading
import numpy as np
wide = np.ones(8, np.float32) * np.hanning(8)
print("out", flush=True)
"""
# what the program does last, how it ends, and whether there is a report then
ENDS = {
    "os._exit": ("os._exit(0)", 0, True),
    "os._exit 7": ("os._exit(7)", 7, True),
    "in a thread": ("t = threading.Thread(None, os._exit, 't', [0]); t.start(); t.join()", 0, True),
    "execv": ("os.execv('/bin/true', ['true'])", 0, True),
    "execvp": ("os.execvp('false', ['false'])", 1, True),
    "execve": ("os.execve('/bin/sh', ['sh', '-c', 'exit $N'], {'N': '5'})", 5, True),
    "an exec that dies": ("os.execvp('sh', ['sh', '-c', 'kill -9 $$'])", -9, True),
    "SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM)", -15, True),
    "SIGHUP": ("os.kill(os.getpid(), signal.SIGHUP)", -1, True),
    "SIGINT": ("os.kill(os.getpid(), signal.SIGINT)", -2, True),
    "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -9, False),
    "abort": ("os.abort()", -6, False),
    "a segmentation fault": ("import ctypes; ctypes.string_at(0)", -11, False),
    "its own handler": (
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(4)); os.kill(os.getpid(), 15)", 4, True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", ENDS)
def test_a_program_ends_as_without_the_audit_and_is_reported(write, command, tmp_path, how):
    last, code, reported = ENDS[how]
    write(f"{WIDENS}{last}\n")
    plain = subprocess.run(
        [sys.executable, "program.py"], capture_output=True, text=True, check=False
    )
    output = tmp_path / "r.json"
    output.write_text("what an earlier audit wrote", encoding="utf-8")
    result = command("-o", "r.json", "program.py")
    assert (result.returncode, result.stdout) == (code, "out\n") == (plain.returncode, plain.stdout)
    assert output.exists() is reported
    if reported:
        [finding] = json.loads(output.read_text(encoding="utf-8"))["findings"]
        assert finding["cause"]["text"] == "np.hanning(8)"


@pytest.mark.parametrize(("last", "code", "reported"), ENDS.values(), ids=ENDS)
def test_fail_on_never_passes(write, command, last, code, reported):
    write(f"{WIDENS}{last}\n")
    result = command("--fail-on", "widening", "program.py")
    assert result.returncode == (3 if code >= 0 else code)
    assert ("1 cause (1 widening)" in result.stderr) is reported


def test_a_program_that_runs_itself_anew_is_watched_in_its_new_process(write, command):
    source = """\
        import os, sys
        import numpy as np
        if len(sys.argv) == 1:
            os.execv(sys.executable, [sys.executable, sys.argv[0], "again"])
        print((np.ones(8, np.float32) * np.hanning(8)).dtype)
        """
    write(source)
    result = command("--fail-on", "widening", "program.py")
    assert (result.returncode, result.stdout) == (3, "float64\n")
    assert "program.py:5:" in result.stderr
