"""``--on-finding``: a finding is a warning, an exception, or opens the debugger."""

import json

import pytest

from supremum import audit

ACTS = """\
import numpy as np
def work(image):
    taps = np.hanning(8)
    wide = image * taps
    return wide
for i in range(3):
    work(np.ones(8, np.float32))
print("end")
"""
TOLD = (
    "widening: float64 is introduced here, 32 bytes more than needed; cause at program.py:3: "
    "np.hanning(8); type instead: np.hanning(8).astype(np.float32, copy=False)"
)


def test_warn_at_once(write, command, tmp_path):
    write(ACTS)
    result = command("--on-finding", "warn", "program.py")
    assert (result.returncode, result.stdout) == (0, "end\n")
    assert result.stderr.startswith(
        f"{tmp_path}/program.py:4: PromotionWarning: {TOLD}\n  wide = image * taps\n"
        "program.py:3:12: widening: "
    )
    assert result.stderr.count("PromotionWarning") == 1


def test_a_warning_that_is_an_error_stops_the_program(write, command):
    write(ACTS)
    result = command("--on-finding", "warn", "program.py", env={"PYTHONWARNINGS": "error"})
    assert (result.returncode, result.stdout) == (1, "")
    assert "    wide = image * taps\n" in result.stderr
    assert f": {TOLD}\n" in result.stderr
    assert "Not judged" not in result.stderr


def test_raise_at_once(write, command):
    write(ACTS)
    result = command("--on-finding", "raise", "program.py")
    assert (result.returncode, result.stdout) == (1, "")
    assert f"supremum.audit.log.settings.AuditStop: {TOLD}\n" in result.stderr
    assert "    wide = image * taps\n" in result.stderr
    assert "1 cause (1 widening) in 2 operations on arrays" in result.stderr


def test_what_is_raised_can_be_caught(audited):
    source = """\
        import numpy as np
        from supremum.audit import AuditStop
        try:
            np.ones(8, np.float32) * np.hanning(8)
        except AuditStop as error:
            told = str(error)
        else:
            raise AssertionError
        assert told.startswith("widening: float64 is introduced here"), told
        """
    assert len(audited(source, on_finding="raise").findings) == 1


def test_what_is_allowed_is_not_raised(audited):
    source = """\
        import numpy as np
        np.ones(8, np.float32) * np.hanning(8)  # supremum: allow widening
        """
    assert audited(source, on_finding="raise").findings == ()


def test_what_is_not_asked_for_is_not_raised(audited):
    source = """\
        import numpy as np
        np.ones(8, np.float32) * np.int16(8)
        """
    assert audited(source, on_finding="raise", kinds="widening").findings == ()


def test_what_is_known_is_not_raised(audited, tmp_path):
    source = "import numpy as np\nx = np.ones(8, np.float32) * np.hanning(8)\n"
    known = {"file": "program.py", "kind": "widening", "text": "np.hanning(8)"}
    path = tmp_path / "known.json"
    path.write_text(json.dumps({"version": 1, "findings": [known]}), encoding="utf-8")
    assert audited(source, on_finding="raise", baseline=str(path)).findings == ()
    with pytest.raises(audit.AuditStop):
        audited(source, on_finding="raise")


def test_the_debugger_opens_in_the_program(write, command):
    write(ACTS)
    result = command(
        "--on-finding", "pdb", "program.py", input="p image.dtype, taps.dtype\nup\nc\n"
    )
    assert result.returncode == 0
    first, *more = result.stdout.split("\n")
    assert first.endswith("program.py(4)work()")
    assert more[0] == "-> wide = image * taps"
    assert more[1] == "(Pdb) (dtype('float32'), dtype('float64'))"
    assert more[2].endswith("program.py(7)<module>()")
    assert result.stdout.endswith("end\n")
    assert result.stderr.startswith(TOLD + "\n")


def test_the_debugger_goes_on_from_there(write, command):
    write(ACTS)
    result = command("--on-finding", "pdb", "program.py", input="unt\np wide.dtype\nc\n")
    assert result.returncode == 0
    assert "program.py(5)work()\n-> return wide\n(Pdb) dtype('float64')\n" in result.stdout


def test_a_debugger_that_is_left_ends_the_program(write, command):
    write(ACTS)
    result = command("--on-finding", "pdb", "program.py", input="q\n")
    assert result.returncode == 1
    assert "end" not in result.stdout
    assert "    wide = image * taps\n" in result.stderr
    assert "Not judged" not in result.stderr
