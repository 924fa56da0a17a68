# Needs python3 and make alone; the site needs npm, too. Everything is installed into .venv, once
# for each dependency group of pyproject.toml.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-thorough test-peers test-peers-thorough test-programs test-packages test-cluster array-api-tests peers-suites conform \
	conform-of-jax conform-of-others conform-numba conform-dpnp conform-releases lint format bench docs docs-serve regenerate dist release clean

demo: .venv/.demo  ## which line of an image filter widens float32 to float64
	$(BIN)/supremum audit examples/image_filter.py

test: .venv/.test  ## what needs no other array library than NumPy
	@echo "This takes about five minutes of one core: three minutes on two, one on eight."
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not thorough"

test-thorough: .venv/.test  ## the rest of it: audited programs, documents, measurements
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m thorough

test-peers: .venv/.peers  ## asks the live libraries
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not thorough" tests/peers \
		--ignore=tests/peers/test_numpy_versions.py

test-peers-thorough: .venv/.peers  ## the rest of it: in every setting, all operands
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m thorough tests/peers \
		--ignore=tests/peers/test_issues.py --ignore=tests/peers/test_numpy_versions.py

test-programs: .venv/.peers .venv-legacy/.legacy  ## programs from public issues, and all of two NumPys
	SUPREMUM_ALL_PROGRAMS=1 $(BIN)/python -m pytest -q -n auto tests/audit/narrowing \
		tests/audit/test_issues.py tests/peers/test_issues.py \
		tests/peers/test_numpy_versions.py

test-packages: .venv-packages/.packages  ## audits packages from inside: same results, bit by bit
	.venv-packages/bin/python tests/packages/check.py

test-cluster: .venv/.peers  ## 16 GiB of mixed dtypes on two processes of 2 GiB
	SUPREMUM_CLUSTER_GIB=16 $(BIN)/python -m pytest -q tests/peers/test_arrays_cluster.py

SEED ?= 1
LISTS ?= 20000
DRAWN = --seed $(SEED) $(if $(CELLS),--cells $(CELLS))
RANDOM_LISTS = --random $(LISTS)

array-api-tests:  ## the public suite of that name; SUITE is the path of a checkout
	@$(PYTHON) tests/array_api/run.py "$(SUITE)" --check
	@$(MAKE) --no-print-directory .venv-suite/.suite
	.venv-suite/bin/python tests/array_api/run.py "$(SUITE)" --seed $(SEED)

CHECKOUTS ?= ..

peers-suites: .venv-suite/.suite  ## suites of others beside array-api-strict; CHECKOUTS has them
	.venv-suite/bin/python tests/array_api/suites.py "$(CHECKOUTS)"

conform: .venv/.peers .venv-frames/.frames .venv-legacy/.legacy  ## asks every library every cell, or CELLS of a function
	@$(MAKE) --no-print-directory -j2 --output-sync=line conform-of-jax conform-of-others

conform-of-jax:  # which takes as long as all the others
	$(BIN)/supremum conform --require $(RANDOM_LISTS) $(DRAWN) jax

conform-of-others:
	$(BIN)/supremum conform --require $(RANDOM_LISTS) $(DRAWN) numpy torch
	DEV=PYTHON $(BIN)/supremum conform --require $(DRAWN) jax-lax tensorflow keras mlx tinygrad
	DEV=PYTHON $(BIN)/python tests/try_wrong_cells.py \
		numpy jax torch jax-lax tensorflow keras mlx tinygrad
	.venv-frames/bin/supremum conform --require $(DRAWN) \
		paddle cupy dask duckdb ndonnx numexpr pytensor polars pyarrow pandas array-api
	.venv-frames/bin/python tests/try_wrong_cells.py \
		paddle cupy dask duckdb ndonnx numexpr pytensor polars pyarrow pandas array-api
	.venv-frames/bin/supremum conform --require --no-functions numba
	.venv-legacy/bin/supremum conform --require $(RANDOM_LISTS) $(DRAWN) numpy-legacy
	.venv-legacy/bin/python tests/try_wrong_cells.py numpy-legacy

conform-numba: .venv-frames/.frames  ## asks Numba every function, each of which it compiles
	.venv-frames/bin/supremum conform --require numba
	.venv-frames/bin/python tests/try_wrong_cells.py numba

conform-dpnp: .venv-dpnp/.dpnp  ## asks dpnp on a CPU, and as on devices without float64 and float16
	SYCL_CACHE_PERSISTENT=1 SYCL_CACHE_DIR=.venv-dpnp/kernels \
		.venv-dpnp/bin/supremum conform --require dpnp
	.venv-dpnp/bin/python tests/try_wrong_cells.py dpnp

conform-releases: .venv/.test  ## asks each release that was measured; needs Python 3.12 too
	$(BIN)/python tests/ask_releases.py

lint: .venv/.lint
	$(BIN)/python docs/generator/signatures.py
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.peers  ## the budget, as ratios
	$(BIN)/python benchmarks/run.py

# what the site serves itself: the Python of its explorer, and what lets its search run from files
FROM_NPM := .npm/pyodide@$(shell sed -n 's/^VERSION: Final = "\(.*\)"/\1/p' src/supremum/show/explore/site.py) \
	.npm/iframe-worker@1.0.4

.npm/%:
	@command -v npm >/dev/null || { echo "the site needs $*, which npm brings: install npm" >&2; exit 1; }
	mkdir -p .npm
	cd .npm && npm pack --silent $* && mkdir -p $* && tar -xzf $(subst @,-,$*).tgz -C $* --strip-components=1

docs: .venv/.docs $(FROM_NPM)  ## the site, in site/, with its links checked
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html is ready"

docs-serve: .venv/.docs $(FROM_NPM)  ## the site with its search, at http://127.0.0.1:8000
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --strict

regenerate: .venv/.test  ## what README and docs show: run, and written down
	$(BIN)/python docs/regenerate.py

dist: .venv/.test  ## wheel and sdist, each tried in an environment of its own
	$(BIN)/python tests/try_distributions.py

release: .venv/.test  ## both in dist/, checked and tried on every Python; publishes nothing
	$(BIN)/python tests/try_release.py

.venv/bin/python .venv-dpnp/bin/python .venv-frames/bin/python .venv-legacy/bin/python \
.venv-packages/bin/python .venv-suite/bin/python:
	$(PYTHON) -m venv $(@:/bin/python=)

PIP = $(@D)/bin/python -m pip install --quiet --disable-pip-version-check
# Python 3.11 brings a pip without groups
INSTALL = $(PIP) 'pip>=25.1' && $(PIP) -e . --group $*

.venv/.%: pyproject.toml | .venv/bin/python
	$(INSTALL)
	@touch $@

.venv-dpnp/.%: pyproject.toml | .venv-dpnp/bin/python
	$(INSTALL)
	@touch $@

.venv-frames/.%: pyproject.toml | .venv-frames/bin/python
	$(INSTALL)
	@touch $@

.venv-legacy/.%: pyproject.toml | .venv-legacy/bin/python
	$(INSTALL)
	@touch $@

.venv-packages/.%: pyproject.toml | .venv-packages/bin/python
	$(INSTALL)
	@touch $@

.venv-suite/.%: pyproject.toml | .venv-suite/bin/python
	$(INSTALL)
	@touch $@

clean:
	rm -rf .npm .venv .venv-dpnp .venv-frames .venv-legacy .venv-packages .venv-suite .venv-releases dist site .pytest_cache .mypy_cache .ruff_cache
