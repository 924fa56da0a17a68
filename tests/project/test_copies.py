"""The core, copied elsewhere and under another name, as who vendors it does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import supremum

CODE = """
from engine_copy.ask import promote_types, result_type, table
from engine_copy.explain import explain
from engine_copy.systems import system, systems
from engine_copy import completion
from engine_copy.analysis import compare, criteria, differences, laws
print(len(table("python").nodes), [system(x).name for x in systems()] == [*systems()])
print(result_type("int8", op="sqrt", system="numpy"), explain("int32", "float16").result)
print(promote_types("int8", "uint8", system="torch"), laws.laws("python").hold)
print([name for name in sys.modules if "supremum" in name])
"""


def test_a_copy_of_the_core_works_by_itself_under_any_name(tmp_path):
    core = Path(supremum.__file__).parent / "core"
    shutil.copytree(core, tmp_path / "engine_copy", ignore=shutil.ignore_patterns("__pycache__"))
    code = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n{CODE}"
    alone = [sys.executable, "-I", "-S", "-c", code]  # without any installed package
    env = {**os.environ, "SUPREMUM_SYSTEM": "numpy"}  # which is no setting of a copy
    ran = subprocess.run(alone, env=env, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == ["3 True", "float16 float16", "int16 True", "[]"]
