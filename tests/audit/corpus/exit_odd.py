# exit codes that are no small numbers
import os
import subprocess
import sys

if len(sys.argv) > 1:
    values = {"none": None, "negative": -1, "true": True, "float": 1.5, "tuple": (1, 2), "huge": 2**40 + 1}
    raise SystemExit(values[sys.argv[1]])
for name in "none", "negative", "true", "float", "tuple", "huge":
    ended = subprocess.run([sys.executable, __file__, name], capture_output=True, text=True)
    print(name, ended.returncode, ended.stderr)
sys.stdout.flush()
os._exit(7 + 1)
