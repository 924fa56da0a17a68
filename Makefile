# Needs python3 and make alone. Everything is installed into .venv, once for each extra.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-peers lint format bench docs regenerate dist clean

demo: .venv/.test  ## the main job on real arrays
	$(BIN)/python examples/three_questions.py

test: .venv/.test  ## everything that needs no other array library than NumPy
	$(BIN)/python -m pytest -q

test-peers: .venv/.peers  ## asks the live libraries
	$(BIN)/python -m pytest -q tests/peers

lint: .venv/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.peers  ## the budget, as ratios
	$(BIN)/python benchmarks/budget.py

docs: .venv/.docs  ## the site, in site/, with its links checked
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html is ready"

regenerate: .venv/.test  ## run the commands shown in README and docs, and write down what they print
	$(BIN)/python docs/regenerate.py

dist: .venv/.test  ## wheel and sdist, each tried in an environment of its own
	$(BIN)/python tests/try_distributions.py

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.%: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	@touch $@

clean:
	rm -rf .venv dist site .pytest_cache .mypy_cache .ruff_cache
