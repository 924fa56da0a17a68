"""The core, and the whole package, copied elsewhere and under other names, as vendors do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import supremum

SOURCE = Path(supremum.__file__).parent


def run_alone(code, folder):
    """Run code in an interpreter that has a folder, and no installed package."""
    ran = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys\nsys.path.insert(0, {str(folder)!r})\n{code}",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={
            **{key: value for key, value in os.environ.items() if not key.startswith("PYTHON")},
            "SUPREMUM_SYSTEM": "numpy",  # which is no setting of a copy
        },
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


NO_CACHES = shutil.ignore_patterns("__pycache__")


def test_a_copy_of_the_core_works_by_itself_under_any_name(tmp_path):
    shutil.copytree(SOURCE / "core", tmp_path / "engine_copy", ignore=NO_CACHES)
    code = """
from engine_copy.ask import promote_types, result_type, table
from engine_copy.explain import explain
from engine_copy.systems import options, system, systems
from engine_copy import completion
from engine_copy.analysis import compare, criteria, laws
from engine_copy.dtypes import define
print(result_type("int32", "float16"), promote_types("int8", "uint8", system="numpy"))
print(len(systems()) > 20, {system(name).result_type("float32", "float32").name
                            for name in ("jax", "numpy", "torch", "polars")})
print(result_type("int8", op="sqrt", system="numpy"), explain("int8", 1.0).result)
print(laws.laws("python").hold, criteria.criteria("python").refused)
print(len(compare.compare("int8", 1)) > 9)
print(completion.completed(system("python")).rule("sqrt") is not None)
print(table("numpy", "int8", "uint8").join, type(system("jax")).__module__)
import pickle
print(pickle.loads(pickle.dumps(system("jax", x64=False))) is system("jax", x64=False))
try:
    result_type("int4", "int8")
except TypeError as error:
    print(type(error).__module__)
print([name for name in sys.modules if "supremum" in name])
try:
    import supremum
except ImportError:
    print("nothing else is there")
"""
    told = run_alone(code, tmp_path).splitlines()
    assert told[:6] == [
        "float16 int16",
        "True {'float32'}",
        "float16 float64",
        "True 0",
        "True",
        "True",
    ]
    assert told[6].endswith("engine_copy.system")
    assert told[7:] == ["True", "engine_copy.errors", "[]", "nothing else is there"]


def test_a_copy_of_the_whole_package_works_under_any_name(tmp_path):
    shutil.copytree(SOURCE, tmp_path / "infimum", ignore=NO_CACHES)
    site = [path for path in sys.path if path]
    code = f"""
import infimum
print(infimum.result_type("int32", "float16"), infimum.laws("python").hold)
print(infimum.show.render(infimum.table("python"), "csv").splitlines()[0])
print(infimum.explain("int8", "uint8").result)
sys.path += {site!r}  # what follows needs NumPy, click and rich
for name in infimum.__all__:
    getattr(infimum, name)
xp = infimum.namespace("numpy")
print((xp.asarray([1, 2], dtype=xp.int8) + 1.0).dtype)
from click.testing import CliRunner
from infimum.commands import main
print(CliRunner().invoke(main, ["explain", "int8", "uint8"]).output.split()[0])
print([name for name in sys.modules if name.partition(".")[0] == "supremum"])
"""
    assert run_alone(code, tmp_path).splitlines() == [
        "float16 True",
        ",int*,float*,complex*",
        "int16",
        "float64",
        "int16",
        "[]",
    ]
