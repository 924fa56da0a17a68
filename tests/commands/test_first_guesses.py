"""What somebody types who knows a command's name alone: it works, or says what to type."""

import itertools
import json
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import supremum
from supremum.commands.group import STATUSES
from supremum.commands.output import in_blocks
from supremum.terminal import hanging, progress

# Each with the status, and what is in the answer.
GUESSES = [
    ("explain int32 float32", 0, "float32"),
    ("explain np.float32 1", 0, "float32"),
    ("explain torch.bfloat16[3] 1.5", 0, "bfloat16"),
    ("explain f32 i32", 0, "float32"),
    ("explain -inf int8", 0, "float*"),
    ("explain int32 -1 -1.5", 0, "float*"),
    ("explain int32 int32 --op +", 0, "int32"),
    ("explain int32 int32 --op /", 0, "float32"),
    ("explain int8 --system np", 0, "numpy rules"),
    ("explain int8 -s tf", 0, "tensorflow rules"),
    ("explain int8 -s pytorch", 0, "torch rules"),
    ("explain int64 -s jax:x64=false", 0, "int32"),
    ("explain int64 --no-x64", 2, "type -s jax:x64=false"),
    ("explain int64 --x64", 2, "type -s jax:x64=true"),
    ("explain int64 --mode strict", 2, "type -s jax:mode=strict"),
    ("explain int8 --option x64=false", 2, "type it after the rules, as in jax:x64=false"),
    ("audit --show-source x.py", 2, "it is not needed: each finding has its lines"),
    ("audit --per-file-ignores x.py", 2, "type # supremum: allow KIND REASON"),
    ("audit --concise x.py", 2, "type --format compact"),
    ("audit --add-noqa x.py", 2, "type --write-baseline known.json"),
    ("audit --explain widening", 2, "type supremum explain KIND"),
    ("audit *.py", 2, "a run is of one program"),
    ("fix --show-fixes x.py", 2, "type supremum fix --diff"),
    ("kinds", 2, "type supremum audit --help, which lists the kinds of finding"),
    ("explain train.py:6", 2, "is a line of a program; type supremum audit train.py"),
    ("export jax --json", 2, "type --to json"),
    ("explain wide-reduction", 2, "wide-reduction is a kind of finding"),
    ("explain Float[Array] int8", 2, "write an array by its dtype and sizes, as in float32[3]"),
    ("explain int8 plus uint8", 2, "as in supremum explain int8 + uint8"),
    ("explain int8 vs uint8", 2, "dtypes stand side by side"),
    ("compare -s numpy,torch int8", 2, "as in -s numpy -s torch"),
    ("diff numpy vs torch", 2, "leave 'vs' out; type supremum diff numpy torch\n"),
    ("diff numpy<2 numpy", 2, "type numpy-legacy\n"),
    ("diff numpy>=2 jax", 2, "type numpy\n"),
    ("diff numpy jax --dtypes int8", 2, "type the dtypes alone, as in supremum diff numpy jax"),
    ("systems torch --options", 2, "it is not needed: supremum systems NAME lists them"),
    ("conform --all", 2, "it is not needed: without names, every library that is installed"),
    ("export jax --to js", 2, "there is json, which a program in any language reads"),
    ("export jax --to svg", 2, "supremum draw draws a lattice"),
    ("why widening", 2, "which supremum explain widening explains"),
    ("search float64 x.py", 2, "'supremum audit' does that"),
    ("ls", 2, "'supremum systems' does that"),
    ("clean", 2, "there is nothing to remove"),
    ("hook", 2, "type supremum audit --fail-on all FILE"),
    ("conform --option version=2024.12", 2, "type it after the rules, as in jax:x64=false"),
    ("table --no-x64", 2, "type jax:x64=false instead of jax"),
    ("laws --mode strict", 2, "type jax:mode=strict instead of jax"),
    ("export --option x64=false", 2, "type it after the rules, as in jax:x64=false"),
    ("explain uint8 -1", 0, "elsewhere: refused by numpy"),
    ("explain int8 --numpy", 2, "type -s numpy, or numpy-legacy for NumPy 1"),
    ("audit --only x.py y.py", 2, "of a file, # supremum: allow KIND REASON"),
    ("diff window.py other.py", 2, "type supremum audit for each, with --baseline"),
    ("sweep --fail-on widening core", 2, "type widens"),
    ("audit -q x.py", 2, "type -f compact for a line for each finding"),
    ("explain strig int8", 2, "'strig' is not the name of a dtype"),
    ("design my.arrows", 2, "supremum laws my.arrows checks arrows as they are"),
    ("export --system numpy", 2, "type the rules alone, as in supremum export numpy"),
    ("table -s numpy", 2, "type the rules alone, as in supremum table numpy"),
    ("laws --system numpy", 2, "type the rules alone"),
    ("export -s numpy", 2, "type the rules alone"),
    ("systems -s numpy", 2, "type the rules alone"),
    ("draw int8 numpy", 2, "one set of rules is drawn, and named first; numpy is not"),
    ("draw numpy jax", 2, "one set of rules is drawn, and named first; jax is not"),
    ("draw -s numpy", 2, "type the rules alone"),
    ("systems --check", 2, "type supremum laws and supremum conform"),
    ("diff numpy jax --summary", 2, "type | grep : after the command"),
    ("diff numpy jax --exit-zero", 2, "type || true after the command"),
    ("diff numpy jax --draw both.svg", 2, "type supremum.show.draw_diff(first, second) in Python"),
    ("compare --function numpy:hypot int32[3]", 2, "type supremum.compare_function(function"),
    ("export jax --check jax.py", 2, "type git diff --exit-code FILE once -o FILE has written it"),
    ("export jax --modes x64", 2, "type export.render(rules, 'python', modes=[...]) in Python"),
    ("explore --port 8765", 2, "type --save FOLDER"),
    ("explore --no-open", 2, "type BROWSER=true before the command"),
    ("audit --fix x.py", 2, "type supremum fix"),
    ("audit --once x.py", 2, "type supremum fix --diff, and apply the patch"),
    ("audit --exact x.py", 2, "it is not needed: every operation is counted without it"),
    ("audit --list-modules x.py", 2, "type --include PACKAGE"),
    ("audit -s jax x.py", 2, "type --target"),
    ("audit --module mypkg", 2, "type -m MODULE"),
    ("audit --config pyproject.toml x.py", 2, "[tool.supremum.audit] of pyproject.toml"),
    ("audit --select widening x.py", 2, "type --kinds"),
    ("compare numpy torch", 2, "type supremum diff numpy torch"),
    ("conform numpy==2.0", 2, "the numpy that is installed is asked; install numpy==2.0"),
    ("explain int8 uint8 --x64 false", 2, "-s jax:x64=false"),
    ("explain int8 + uint8 --in torch", 2, "no such option: --in; type --system"),
    ("laws numpy --law associativity", 2, "supremum laws NAME checks every law"),
    ("export numpy.json", 2, "type supremum export numpy -o numpy.json"),
    ("explain int8 -s torch:mps", 2, "mps is a device; type mps alone"),
    ("explain int8 -s torch:narrow", 2, "write options of rules as in torch:default_dtype="),
    ("--system numpy explain int8", 2, "type it after the command, as in supremum explain"),
    ("audit --device mps x.py", 2, "type --target"),
    ("audit --target torch-mps x.py", 2, "type mps"),
    ("audit --target gpu x.py", 2, "leave it out, or name jax or torch"),
    ("explain flaot32", 2, "did you mean float32 or float*?"),
    ("export jax c++", 2, "it is called cpp; type --to cpp"),
    ("meet int16 float32", 2, "rules join dtypes, and have no meet"),
    ("audit --compare numpy1 x.py", 2, "type --target"),
    ("why -", 2, "of a traceback, give the script that it names, as in supremum why SCRIPT"),
    ("audit --numpy2 x.py", 2, "type --target numpy"),
    ("fix --inplace x.py", 2, "it is not needed: fix types into the files"),
    ("port x.py --to jax", 2, "type supremum audit --target jax FILE"),
    ("baseline x.py", 2, "type supremum audit --write-baseline known.json FILE"),
    ("explain int8 --to uint8", 2, "'x.astype(float32)' x=int8 for a cast"),
    ("compare int64 float32 --only numpy", 2, "type -s, once for each"),
    ("laws --all", 2, "type the names of rules, as in supremum laws numpy jax"),
    ("why --target mps x.py", 2, "type supremum audit --target"),
    ("explain int8 weak_int", 2, "a weak one is int*"),
    (
        "audit --ignore widening x.py",
        2,
        "type # supremum: allow KIND REASON at the end of a line; or",
    ),
    ("audit --package scipy x.py", 2, "type --include"),
    ("audit --watch x.py", 2, "type supremum audit --on-finding warn"),
    ("audit --exit-zero x.py", 2, "it is not needed: only --fail-on changes the exit status"),
    ("audit --strict x.py", 2, "type --fail-on all"),
    ("audit --fail-on float64 x.py", 2, "type --forbid float64 --fail-on forbidden"),
    ("audit python x.py", 2, "leave it out, and give what it runs"),
    ("audit -mno_such_module", 2, "no_such_module"),
    ("fix -i x.py", 2, "it is not needed: fix types into the files"),
    ("check x.py", 2, "'supremum audit' or 'supremum conform' does that"),
    ("can_cast float64 float32", 2, "supremum.can_promote('int8', 'int16') in Python"),
    ("can-cast float64 float32", 2, "no command 'can-cast'; supremum.can_promote("),
    ("diff numpy1 numpy", 2, "type numpy-legacy"),
    ("diff numpy 1 numpy 2", 2, "type supremum diff numpy-legacy numpy\n"),
    ("diff torch 1.10 torch", 2, "type supremum diff torch:version=1.10 torch\n"),
    ("diff pandas 2 pandas 3", 2, "the rules of pandas 2 are not known; supremum systems pandas"),
    ("diff numpy numpy2", 2, "no rules named 'numpy2'; type numpy\n"),
    (
        "explain Int64 float32 -s pandas",
        2,
        "type 'int64', which promotes alike and knows no missing",
    ),
    ("init", 2, "there is nothing to set up"),
    ("tutorial", 2, "type supremum audit FILE"),
    ("completion bash", 2, "_SUPREMUM_COMPLETE=bash_source"),
    ("export jax python", 2, "type --to python"),
    ("explore site", 2, "type --save site"),
    ("explore --save site", 2, "type npm pack pyodide@"),
    ("table --csv numpy", 2, "type --format csv"),
    ("table numpy -o t.csv", 2, "type > FILE after the command"),
    ("diff numpy torch -o d.md", 2, "type > FILE after the command"),
    ("draw --png jax", 2, "type -o FILE.png"),
    ("draw --dot jax", 2, "type --format dot"),
    ("draw --json jax", 2, "type --format arrows"),
    ("draw --html jax", 2, "type --format svg"),
    ("laws --csv numpy", 2, "supremum table has csv"),
    ("diff --only numpy", 2, "as in supremum diff numpy jax"),
    ("diff -s numpy -s jax", 2, "as in supremum diff numpy jax"),
    ("explain --only numpy int8", 2, "type -s NAME"),
    ("explain --systems numpy int8", 2, "supremum compare takes several"),
    ("fix --watch x.py", 2, "type supremum audit --on-finding warn"),
    ("draw torch", 0, "bf16"),
    ("compare --all int8 int16", 2, "it is not needed: every library is asked"),
    ("explain --strict int8 int16", 2, "type -s jax:mode=strict"),
    ("explain int8 x=int8", 2, "names an operand of an expression"),
    ("fix --once x.py", 2, "type supremum fix --diff, and apply the patch"),
    ("fix --exact x.py", 2, "it is not needed: every operation is counted without it"),
    ("fix --tolerance 1e-5 x.py", 2, "type --within"),
    ("fix --to int16 --margin 2 x.py", 2, "type --input, with arguments that make larger numbers"),
    ("fix --baseline known.json x.py", 2, "type baseline = 'FILE' in [tool.supremum.audit]"),
    ("explain int8 -s numpy -s jax", 2, "'supremum compare' takes several"),
    ("explain int8 -s nmpy", 2, "did you mean numpy?"),
    ("explain flot32", 2, "did you mean float32"),
    ("table", 0, "jax rules, x64 on"),
    ("table numpy", 0, "numpy rules"),
    ("table numpy int8 uint8", 0, "i16"),
    ("table jax numpy int8 uint8", 0, "numpy rules"),
    ("table int8 numpy", 2, "name rules before dtypes"),
    ("table nmpy", 2, "did you mean numpy?"),
    ("table jax:x64=fasle", 2, "x64 is True or False"),
    ("laws jax-lax", 0, "every law holds"),
    ("laws python jep9407-option0", 0, "jep9407-option0 rules"),
    ("laws jaxx", 2, "did you mean jax"),
    ("laws int8", 2, "int8 is a dtype, and this takes rules"),
    ("laws python", 0, "python rules: 6 of 6 pairs have an answer"),
    ("criteria python", 2, "there is no command 'criteria'; 'supremum laws' does that"),
    ("systems", 0, "If none are named, jax rules, x64 on, decide (the default)."),
    ("systems jax", 0, "int8 -> int16"),
    ("systems numpy torch", 0, "PyTorch"),
    ("systems numpyy", 2, "did you mean numpy"),
    ("diff numpy jax int8 uint8", 0, "differ in 0 of 4 pairs"),
    ("diff numpy jax int8 int32 float32", 1, "wider in numpy"),
    ("diff jax jax:mode=strict int8 int16", 1, "strict"),
    ("diff numpy jax nonesuch", 2, "'nonesuch' is not the name of a dtype"),
    ("diff numpy", 2, "SECOND is missing; for example: supremum diff numpy jax"),
    ("diff np pytorch uint8 int8", 1, "numpy and torch"),
    ("compare int32 float32", 0, "tinygrad"),
    ("compare int32 float32 -s numpy -s jax", 0, "numpy"),
    ("compare int32 1.5 -s jax:x64=false", 0, "float32"),
    ("export jax rust", 2, "there is no format 'rust'; there is json"),
    ("compare Int64 --systems pandas", 2, "type --system, once for each"),
    ("compare bigint float32", 2, "'bigint' is not the full name of a dtype; type 'int64'"),
    ("table numpy --dtypes int8", 2, "type the dtypes alone"),
    ("audit --output-format github x.py", 2, "no such option: --output-format; type --format"),
    ("explain int32 + float32 --system numpy", 0, "float64"),
    ("compare float32 / -2.5", 0, "numpy"),
    ("promote int8 int16", 2, "'supremum explain' does that"),
    ("plot jax", 2, "'supremum draw' does that"),
    ("draw jax --format arrows", 0, "int8 -> int16"),
    ("draw --format mermaid", 0, "flowchart"),
    ("draw int8 uint8 int16 --format arrows", 0, "uint8 -> int16"),
    ("draw jax --format sgv", 2, "'sgv'"),
    ("export jax", 0, "def result_type("),
    ("export", 0, "rules of JAX"),
    ("export jax --to cpp", 0, "constexpr std::optional<DType> promote_types"),
    ("export jax --to pyhton", 2, "did you mean python?"),
    ("export jaxx", 2, "did you mean jax"),
    ("export numpy-legacy", 2, "neither a lattice nor a table"),
    ("export jax --to cpp --functions add", 2, "cpp has no functions"),
    ("export jax -o nowhere/x.py", 2, "nowhere/x.py: cannot be written"),
    ("export jax --tests t.py", 2, "--tests goes with --to python and -o"),
    ("export jax -o a.py --tests ./a.py", 2, "./a.py is the module; name another file"),
    ("conform numppy", 2, "did you mean numpy"),
    ("conform cupy", 1, "cupy: not measured: cupy is not installed"),
    ("conform json", 2, "'json' is a module, not the name of rules; type --module json"),
    ("conform --module numpy", 0, "undefined by the standard"),
    ("design", 2, "supremum design mine.toml"),
    ("design jax", 2, "a spec is a TOML file"),
    ("design --insert float16 --into python", 0, "3 places, proven to be all"),
    ("design --insert int4", 2, "--insert float8_e5m2 --into jax"),
    ("design --insert int4 --into numpy", 2, "name rules that have one, such as jax"),
    ("audit", 2, "is missing; for example: supremum audit "),
    ("sweep", 2, "is missing; for example: supremum sweep "),
    ("sweep nonesuch", 2, "there is no module 'nonesuch'"),
    ("why", 2, "is missing; for example: supremum why "),
    ("fix", 2, "is missing; for example: supremum fix "),
    ("explore --save", 2, "requires an argument"),
    ("-V", 0, supremum.__version__),
    ("tabel", 2, "did you mean table?"),
    ("help", 0, "supremum audit train.py"),
    ("help explain", 0, "supremum explain int32 float16 1.0"),
    ("version", 0, supremum.__version__),
    ("int8 uint8", 2, "type supremum explain int8 uint8"),
    ("x.py --epochs 3", 2, "type supremum audit x.py --epochs 3"),
    ("jax", 2, "it names rules: type supremum systems jax"),
    ("explain int8 uint8 --json", 2, "type --format json"),
    ("diff numpy jax --json", 2, "type --format json"),
    ("explain int8 --library torch", 2, "type --system"),
    ("export jax --lang cpp", 2, "type --to"),
    ("fix --dry-run x.py", 2, "type --diff"),
    ("audit -o x64=false x.py", 2, "as in --target jax:x64=false"),
    ("audit -c print(1)", 2, "type supremum audit FILE, with the program in a file"),
    ("audit -q x.py", 2, "and 2> /dev/null after the command"),
    ("fix -q x.py", 2, "type > /dev/null after the command"),
    (
        "audit --exclude tests x.py",
        2,
        "type # supremum: allow KIND REASON at the end of a line; or",
    ),
    ("audit --html-report out x.py", 2, "type -o report.html"),
    ("audit --junit-xml=out.xml x.py", 2, "type -o report.sarif"),
    ("audit -x x.py", 2, "type --on-finding raise"),
    ("audit -k float64 x.py", 2, "type --kinds"),
    ("audit --line 4 x.py", 2, "it is not needed: each finding names its line"),
    ("audit --dtype float32 x.py", 2, "type --forbid DTYPES"),
    ("audit --threads 4 x.py", 2, "it is not needed: threads that the program starts are followed"),
    ("audit --library torch x.py", 2, "type --target"),
    ("audit --statistics x.py", 2, "it is not needed: the last lines of a report count"),
    ("audit x.py:4", 2, "give the path of a file"),
    ("audit -", 2, "write the program into a file"),
    ("audit /dev/stdin", 2, "write the program into a file"),
    ("audit help", 2, "type supremum audit --help"),
    ("audit --numpy x.py", 2, "type --target numpy"),
    ("fix --unsafe-fixes x.py", 2, "it is not needed: each change is tried"),
    ("fix --undo x.py", 2, "type git checkout FILE, or mv FILE.orig FILE"),
    ("sweep scipy --function hilbert", 2, "type --only"),
    ("conform numpy --quick", 2, "type --cells 8"),
    ("--list", 2, "type supremum --help"),
    ("--config pyproject.toml audit x.py", 2, "type [tool.supremum] into pyproject.toml"),
    ("-q audit x.py", 2, "type 2> /dev/null"),
    ("audit --level error x.py", 2, "supremum audit --help lists the options"),
    ("audit --float32 x.py", 2, "type --forbid float32"),
    ("audit --list-kinds", 2, "type supremum audit --help, which lists the kinds"),
    ("audit --max-findings 3 x.py", 2, "it is not needed: the worst findings come first"),
    ("fix -n x.py", 2, "type --diff"),
    (
        "fix --backup x.py",
        2,
        "not needed: a file that git does not have is kept as FILE.orig",
    ),
    ("explain --version", 2, "type supremum -V"),
    ("explain --nonesuch int8", 2, "supremum explain --help lists the options"),
    ("explain int8 --to float32", 2, "float32 alone for a promotion"),
    ("explain np.ndarray", 2, "write an array by its dtype and sizes, as in float32[3]"),
    ("explain torch.Tensor float32", 2, "write an array by its dtype and sizes"),
    ("explain int32 x float32", 2, "dtypes stand side by side"),
    ("pytest", 2, "pytest --promotion-audit"),
    ("rule widening", 2, "a kind of finding: a result is wider than an operand of its kind"),
    ("explain widening", 2, "type supremum audit --kinds widening FILE"),
    ("explain x.py", 2, "'x.py' is a program, not a dtype; type supremum audit x.py"),
    ("explain pd.concat", 2, "'pd.concat' is a function; call it in an expression"),
    ("explain pd.concat(float32[3])", 2, "no function 'concat'; other libraries' rules have it"),
    ("explain sum int8", 2, "'sum' is a function; call it in an expression"),
    ("explain np.promote_types int8 uint8", 2, "type the dtypes alone"),
    ("explain torch.get_default_dtype", 2, "is that of an expression, such as 'torch.ones(3)'"),
    ("explain Decimal(10,2)", 2, "'Decimal' is a decimal number, and only bool and numbers"),
    ("explain Decimal(10,2) int64", 2, "'Decimal(10,2)' is a decimal number, and only bool"),
    ("explain int8 None", 2, "type 'float64'"),
    ("explain int8 float32 in numpy", 2, "rules are named by -s, as in -s numpy"),
    ("explain --numpy int8", 2, "type -s numpy"),
    ("explain --rules numpy int8", 2, "type --system"),
    ("explain -l torch int8", 2, "type --system"),
    ("table --numpy", 2, "type numpy alone"),
    ("cast int8 uint8", 2, "supremum explain says what two dtypes give"),
    ("finfo float16", 2, "supremum.finfo('float16') in Python"),
    ("doctor", 2, "supremum systems says what decides"),
    ("format x.py", 2, "supremum fix types what the audit suggests"),
    ("int8+uint8", 2, "type supremum explain 'int8+uint8'"),
    ("list-rules", 2, "supremum systems lists them"),
    ("monitor", 2, "supremum audit FILE watches one run"),
    ("report", 2, "type supremum audit -o report.html FILE"),
    ("show jax", 2, "'supremum draw' or 'supremum table' does that"),
    ("test", 2, "'supremum audit' or 'supremum conform' does that"),
    ("upgrade", 2, "pip install --upgrade supremum"),
    ("watch x.py", 2, "type supremum audit FILE again"),
    ("explain int8 --no-color", 2, "type NO_COLOR=1"),
    ("explain int8,uint8", 0, "int16"),
    ("explain int8, uint8", 0, "int16"),
    ("compare int64 1.0 -s jax -s tpu", 0, "jax:x64=false"),
    ("draw jax jax.svg", 2, "name the file with -o: -o jax.svg"),
    ("diff torch numpy jax", 2, "supremum compare int8 uint8 -s torch -s numpy -s jax"),
    ("diff torch numpy jax int32", 2, "supremum compare int32 -s torch -s numpy -s jax"),
    ("diff int8 float32 numpy jax", 2, "type supremum diff numpy jax int8 float32"),
    ("diff torch int8 jax", 2, "type supremum diff torch jax int8"),
    ("diff numpy int8 float32", 2, "type supremum diff numpy jax int8 float32"),
    ("diff", 2, "FIRST is missing; for example: supremum diff numpy jax"),
    ("explain jax int8 uint8 -s jax", 2, "not of a dtype; type -s jax instead of it"),
    ("explain int8 -s numpy,jax", 2, "'supremum compare' takes several"),
    ("explain int8 -s numpy1", 2, "type numpy-legacy"),
    ("explain int8 -s numpy==1.26", 2, "type numpy-legacy"),
    ("explain int8 -s numpy:version=1.26", 2, "type numpy-legacy"),
    ("explain int8 -s torch==1.10", 2, "type torch:version=1.10"),
    ("why int8 uint8", 2, "type 'supremum explain' for dtypes"),
    ("explain fp16 bf16", 0, "float32"),
    ("explain i32* bf16", 2, "weak dtypes have none; type 'int*'"),
    ("explain int32{weak} int8", 2, "weak dtypes have none; type 'int*'"),
    ("explain x.sum()", 2, "say what it is, as in x='float32[3]' beside it"),
    ("explain pl.col('a')+1", 2, "write a column by its dtype and length"),
    ("explain --why int8", 2, "it is not needed: explain says why"),
    ("explain --all int8 int16", 2, "type supremum compare, which asks every library"),
    ("explain -s all int8 int16", 2, "ask supremum compare, which asks every library"),
    ("diff --all numpy jax", 2, "type -f json, which has all of them"),
    ("table --x32", 2, "type jax:x64=false instead of jax"),
    ("draw --format png", 2, "png is for files; type -o FILE.png"),
    ("laws --verbose", 2, "it is not needed: all that is known is printed"),
    ("--verbose audit x.py", 2, "it is not needed: all that is known is printed"),
    ("systems --list", 2, "it is not needed: supremum systems lists them"),
    ("sweep --list", 2, "it is not needed: each function has a line"),
    ("--install-completion", 2, "_SUPREMUM_COMPLETE=bash_source"),
    ("lsp --stdio", 2, "supremum audit -f sarif"),
    ("audit --jax x.py", 2, "type --target jax"),
    ("audit --ignore-line x.py", 2, "type # supremum: allow KIND REASON at the end of the line"),
    ("audit --fail-on x.py", 2, "took x.py for it; type supremum audit --fail-on all x.py"),
    ("audit --write-baseline x.py", 2, "type supremum audit --write-baseline known.json x.py"),
    ("explain --function mean int32", 2, "no such option: --function; type --op"),
    ("sweep os.path:join", 2, "type supremum sweep os.path --only join"),
    ("sweep os.path.jion", 2, "os.path has no 'jion'"),
    ("fix --format json x.py", 2, "type supremum audit --format json"),
    ("audit --x64 x.py", 2, "type JAX_ENABLE_X64=1 before the command"),
    ("explain --fn mean int32", 2, "no such option: --fn; type --op"),
    ("explain matmul int32", 2, "as in 'np.matmul(int8[3], float16[3])'"),
    ("explain float_ int8", 2, "not the full name of a dtype; type 'float64'"),
    ("fix --check x.py", 2, "type supremum fix --diff x.py"),
    ("fix --to x.py", 2, "type supremum fix --to float32 x.py"),
    ("explain fp8", 2, "type 'float8_e4m3fn' or 'float8_e5m2'"),
    ("explain np.longlong", 0, "int64"),
    ("explain np.uintc", 0, "uint32"),
    ("explain int32*[3] 1", 2, "has a width, and weak dtypes have none; type 'int*'"),
    ("explain [1,2] int8", 2, "'[1,2]' has no dtype; write that and sizes, as in int64[3]"),
    ("explain np.array([1,2]) int8", 2, "write its dtype and sizes, as in int64[3]"),
    ("export jax -f c", 2, "no such option: -f; type --to"),
    ("export jax --format c", 2, "type --to"),
    ("table tinygrad --default int32", 2, "as in tinygrad:default_int=int64"),
    ("conform torch --compiled --dtypes int8", 2, "type conformance.conform(name, compiled=True"),
    ("conform --coverage numpy", 2, "type python tests/peers/covered.py"),
    ("conform numpy --expressions 9", 2, "type python tests/peers/random_expressions.py"),
    ("explain np.intp", 2, "type 'int64' or 'int32'"),
    ("explain np.int_", 2, "type 'int64' or 'int32'"),
    ("explain torch.long", 0, "int64"),
    ("explain <f4", 2, "type 'float32'"),
    ("explain np.float32(1) np.int64(1)", 2, "beside other operands write float32[]"),
    ("explain float-32", 2, "did you mean float32"),
    ("explain uint8 300 --system numpy", 0, "An operation with 300 is refused"),
    ("explain uint8 300 --system jax", 0, "An operation with 300 computes with 44"),
    ("explain uint8 -1 --system torch", 0, "An operation with -1 computes with 255"),
    ("explain int32 uint32 --system jax", 0, "With x64 off it is int32."),
    ("explain int32 uint32 -s jax:x64=false", 0, "With x64 on it is int64."),
    ("explain jnp.ones(3)", 0, "With x64 off it is float32."),
    ("compare int32 uint32 -s jax", 0, "With x64 off it is int32."),
    ("compare int32[3]/2.5 -s jax", 0, "With x64 off it is float32."),
    ("compare uint8[3] 300 -s numpy", 0, "An operation with 300 is refused"),
]


PASTED = "RuntimeError: Found dtype Double but expected Float"


@pytest.mark.parametrize("command", [[], ["audit"], ["explain"], ["fix"], ["why"]])
@pytest.mark.parametrize("text", [PASTED, PASTED.partition(": ")[2]])
def test_a_pasted_message_of_an_error_is_known_for_one(run, command, text):
    said = "it is the message of an error about float64 and float32; type supremum why FILE"
    assert said in run(*command, text).stderr


def test_an_expression_with_a_mistake_is_no_message_of_an_error(run):
    assert "there is no axis 3" in run("explain", "np.sum(int8[3], axis=3)").stderr


@pytest.mark.parametrize("command", ["audit", "why"])
def test_a_pasted_message_about_something_else_is_said_to_be_so(run, command):
    found = run(command, "ValueError: operands could not be broadcast together")
    assert "says nothing of dtypes; supremum why FILE explains those that do" in found.stderr


@pytest.mark.parametrize(("words", "status", "said"), GUESSES, ids=lambda x: str(x)[:50])
def test_a_first_guess_is_answered(run, words, status, said):
    found = run(*words.split())
    assert found.exit_code == status, found.output
    assert said in (found.stdout if status < 2 else found.stderr)


@pytest.mark.parametrize("given", [["int8 uint8"], ["int8, uint8"], ["-"]])
def test_operands_may_come_in_one_word_or_from_a_pipe(run, given):
    plain = run("explain", "int8", "uint8")
    found = run("explain", *given, input="int8 uint8\n")
    assert found.stdout == plain.stdout, found.output


RARE = r"long|\bu?int[124]\b|float[468]_|c32\b"


@pytest.mark.parametrize("words", ["table numpy", "draw numpy --format arrows", "laws jax"])
def test_what_people_use_is_shown_first(run, words):
    assert re.search(RARE, run(*words.split()).stdout) is None


def test_laws_show_what_people_use_first():
    assert re.search(RARE, str(supremum.laws("numpy"))) is None


def test_a_difference_is_first_shown_between_arrays(run):
    rows = run("diff", "numpy", "torch").stdout.splitlines()[4:8]
    assert not any(sign in row for row in rows for sign in ("[]", "*"))


def test_many_answers_have_a_summary(run):
    found = supremum.compare("int32", "float32")
    counts = [int(n) for n in re.findall(r"(\d+) (?:give|refuse)", found.summary)]
    assert sum(counts) == sum(answer.covered for answer in found)
    assert run("compare", "int32", "float32").stdout.splitlines()[-1] == found.summary
    assert supremum.compare("int32", "float32", systems=["numpy", "jax"]).summary == ""


def test_an_option_that_a_script_does_not_mention_is_warned_of(tmp_path):
    script = tmp_path / "plain.py"
    script.write_text("print(1)\n", encoding="utf-8")
    words = [sys.executable, "-m", "supremum", "audit", str(script), "--json"]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    said = "--json stands after the program, which does not read it; type --format json before"
    assert said in found.stderr
    script.write_text("import sys\nprint(sys.argv[1])\n", encoding="utf-8")
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "--json stands" not in found.stderr
    assert found.stdout.splitlines()[0] == "--json"


def test_numpy_is_not_looked_inside(tmp_path, run):
    script = tmp_path / "x.py"
    script.write_text("print(1)\n", encoding="utf-8")
    found = run("audit", "--include", "numpy", str(script))
    assert found.exit_code == 2
    assert "numpy is watched as it is called, and is not looked inside" in found.stderr


def test_a_program_after_a_program_is_an_argument_and_said_to_be_one(tmp_path):
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("print(1)\n", encoding="utf-8")
    words = [sys.executable, "-m", "supremum", "audit", "one.py", "two.py"]
    found = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "each program has a run of its own: supremum audit two.py" in found.stderr
    words = [sys.executable, "-m", "supremum", "audit", "one.py:1"]
    found = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "each finding names its line: type supremum audit one.py" in found.stderr
    words = [sys.executable, "-m", "supremum.audit", "one.py"]
    found = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "type python -m supremum audit" in found.stderr


def test_a_module_beside_the_program_is_not_said_to_be_uninstalled(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text("import mine\n", encoding="utf-8")
    words = [sys.executable, "-m", "supremum", "audit", "tests/test_it.py"]
    found = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "type PYTHONPATH=. before the command" in found.stderr
    assert "uvx" not in found.stderr


SOUGHT = {
    "array": "namespace('numpy').asarray([1, 2])", "check": "audit.run('train.py')",
    "cli": "commands.main()", "dtypes": "names()", "Error": "SupremumError",
    "eval_shape": "eval_dtypes(function, 'float32[3]')", "forbid": "audit.run('train.py', forbid=",
    "get_system": "system('numpy')", "is_associative": "laws('numpy')",
    "load": "custom.PromotionSystem.from_file('mine.arrows')",
    "meet": "promote_types for a join; rules have no meet",
    "is_floating": "isdtype(x, 'real floating')",
    "is_lossless": "explain('int32', 'float32').losses",
    "list_systems": "systems()", "plot": "draw('numpy')", "report": "audit.last_report()",
    "set_system": "result_type(..., system='numpy')", "sup": "promote_types",
    "sweep": "audit.sweep('mypackage')", "upcast": "audit(on_finding='raise')",
    "why": "explain('int8[3] + 1', system='numpy') for an operation; supremum why FILE",
    "trace": "eval_dtypes(function, 'float32[3]')",
}  # fmt: skip


@pytest.mark.parametrize("name", SOUGHT)
def test_a_name_that_the_package_lacks_is_refused_with_what_to_type(name):
    with pytest.raises(AttributeError) as caught:
        getattr(supremum, name)
    assert f"; type supremum.{SOUGHT[name]}" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [("asdict", "x.to_dict()"),
     ("to_json", "json.dumps(x.to_dict())"),
     ("lossless", "x.losses, for an explanation"),
     ("to_csv", "supremum.show.render(x, 'csv'), for a table"), ("nonesuch", None)],
)  # fmt: skip
def test_what_a_value_lacks_is_refused_with_what_to_type(name, said):
    for value in (supremum.table("python"), supremum.explain("int8"), supremum.laws("python")):
        with pytest.raises(AttributeError) as caught:
            getattr(value, name)
        assert str(caught.value).endswith(f"; type {said}" if said else f"attribute {name!r}")
        assert not hasattr(value, "__nonesuch__")
    assert pickle.loads(pickle.dumps(supremum.explain("int8"))) == supremum.explain("int8")


def test_every_command_was_guessed():
    from supremum.commands import COMMANDS

    guessed = [words.split()[0] for words, *_ in GUESSES]
    for command in (name for section in COMMANDS.values() for name in section):
        assert guessed.count(command) >= (1 if command in ("audit", "why", "fix", "explore") else 2)


@pytest.mark.parametrize(
    ("alias", "name"),
    [("np", "numpy"), ("NumPy", "numpy"), ("jnp", "jax"), ("jax.numpy", "jax"),
     ("tf", "tensorflow"), ("pytorch", "torch"), ("cp", "cupy"), ("pl", "polars"),
     ("pa", "pyarrow"), ("mx", "mlx")],
)  # fmt: skip
def test_rules_have_the_names_that_programs_use(alias, name):
    assert supremum.system(alias) is supremum.system(name)
    assert supremum.options(alias) == supremum.options(name)


def test_options_stand_behind_a_name(golden):
    assert supremum.system("jax:x64=false,mode=strict") is supremum.system(
        "jax", x64=False, mode="strict"
    )
    assert supremum.result_type("int64", system="jax:x64=false") == "int32"
    assert [a.result for a in supremum.compare("int64", systems=["jax:x64=false"])] == ["int32"]
    for text, said in [
        ("jax:x64", "write options of rules as in jax:x64=false"),
        ("jax:", "write options of rules as in jax:x64=false"),
        ("jaxx:x64=false", "there are no rules named 'jaxx'; did you mean jax"),
    ]:
        with pytest.raises(supremum.RulesError, match=re.escape(said)):
            supremum.system(text)
    with pytest.raises(supremum.RulesError) as caught:
        supremum.system("jax:x64=false", x64=True)
    golden(caught.value)


def test_the_usual_rules_are_those_of_option_environment_and_project(run):
    assert "jax rules, x64 on" in run("explain", "int8").stdout
    Path("pyproject.toml").write_text('[tool.supremum]\nsystem = "numpy"\n')
    assert "numpy rules" in run("explain", "int8").stdout
    assert "numpy rules" in run("table", "int8").stdout
    assert "[tool.supremum] in" in run("systems").stdout
    named = run("explain", "int64", SUPREMUM_SYSTEM="jax:x64=false").stdout
    assert named.startswith("int32")
    assert "(SUPREMUM_SYSTEM)" in run("systems", SUPREMUM_SYSTEM="torch").stdout
    assert "torch rules" in run("explain", "int8", "-s", "torch", SUPREMUM_SYSTEM="numpy").stdout
    # an expression's own functions say whose rules decide, unless somebody named some
    assert "numpy rules" in run("explain", "jnp.sin(int8[3])").stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [("[tool.supremum]\nsystem = 3\n", "system is a name such as"), ("[tool", "cannot be read")],
)
def test_a_project_that_cannot_be_read_is_named(run, text, said):
    Path("pyproject.toml").write_text(text)
    found = run("laws")
    assert found.exit_code == 2
    assert said in found.stderr
    assert "pyproject.toml" in found.stderr
    assert run("laws", "python").exit_code == 0  # nobody asks for the usual ones


def test_rules_of_a_file_are_named_where_rules_are(run):
    Path("mine.toml").write_text('arrows = "i8 -> i16; u8 -> i16"\n')
    assert run("laws", "mine.toml").stdout.startswith("mine rules: every law holds")
    assert "i16" in run("table", "mine.toml", "int8", "uint8").stdout
    assert "mine and jax" in run("diff", "./mine.toml", "jax").stdout
    assert run("explain", "int8", SUPREMUM_SYSTEM="mine.toml").stdout.split()[1] == "mine"


def test_several_rules_give_a_list_of_json(run):
    found = json.loads(run("laws", "python", "jep9407-option0", "-f", "json").stdout)
    assert [laws["system"] for laws in found] == ["python", "jep9407-option0"]
    (full,) = json.loads(run("systems", "jax", "-f", "json").stdout)
    assert any("int8 -> int16" in arrow for arrow in full["arrows"])


def test_a_crash_has_a_status_of_its_own(run, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("what was not thought of")

    monkeypatch.setattr("supremum.core.analysis.criteria.criteria", broken)
    found = run("laws")
    assert found.exit_code == 70
    assert found.stderr.endswith(
        "supremum: this is a mistake in supremum itself; please report it\n"
    )
    assert {0, 1, 2, 3, 70, 130, 141} == STATUSES.keys()


WORDS = ["table", "compare int32 1.5", "diff numpy jax", "laws numpy", "systems", "systems jax",
         "explain int32 float16 1.0", "laws python"]  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_terminal_of_any_width_has_no_longer_line(words, columns):
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm", "PYTHONUTF8": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "supremum", *words.split()],
        stdout=theirs, stderr=subprocess.DEVNULL, env=environment,
    ):  # fmt: skip
        os.close(theirs)
        printed = b""
        while True:
            try:
                more = os.read(ours, 65_536)
            except OSError:  # on Linux, at the end
                break
            if not more:
                break
            printed += more
    os.close(ours)
    assert b"\x1b[" in printed  # in colour
    plain = re.sub(r"\x1b\[[\d;]*m", "", printed.decode())
    words_longer = {w for w in plain.split() if len(w) > columns - 16}
    for line in plain.replace("\r", "").splitlines():
        assert len(line) <= columns or any(word in line for word in words_longer), line


def test_progress_is_shown_on_a_terminal_alone_and_in_one_place(capfd):
    with progress("counting") as tell:
        tell("counting", 1, 2)
    assert capfd.readouterr() == ("", "")
    source = Path(supremum.__file__).parent
    users = {
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if re.search(r"^ +from rich", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert users == {"terminal.py", "audit/sweeping/table.py"}  # which makes the table


def test_a_log_has_a_line_of_progress_from_time_to_time(capsys, monkeypatch):
    clock = itertools.count(100.0)
    monkeypatch.setattr("supremum.terminal.monotonic", lambda: next(clock))
    with progress(logged=True) as tell:
        for done in range(1, 31):
            tell("numpy", done, 100)
        tell("jax", 1, 200)
    said = capsys.readouterr().err
    assert said.splitlines() == [
        "supremum: numpy: 4 of 100 done, about 2 minutes more",
        "supremum: numpy: 14 of 100 done, about 1 minute more",
    ]
    assert "\r" not in said
    assert "\x1b" not in said


def test_blocks_and_hanging_lines_lose_nothing():
    text = str(supremum.table("jax", "int8", "uint8", "float16", "bfloat16", "float32"))
    blocks = in_blocks(text, 12).split("\n\n")
    assert len(blocks) > 2
    assert sorted(" ".join(b.splitlines()[0] for b in blocks).split()) == sorted(
        text.splitlines()[0].split()
    )
    line = "* torch  float32  1.5, a number, is of a higher kind than int32."
    assert hanging(line, 30).split() == line.split()
