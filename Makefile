# `make run` starts decode, `make test` checks everything; each sets up .venv by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# An installed wheel comes compiled; so does this tree, also where Python itself may not write bytecode.
COMPILE := $(BIN)/python -m compileall -q src

# Tests of the interface wait for it half of their time, so that there may be more of them than processors.
WORKERS ?= $(shell $(PYTHON) -c "import os; print(2 * (os.cpu_count() or 1))")

.PHONY: run test lint types imports tests snapshots screenshot bench lock clean

run: $(READY)
	@$(BIN)/decode $(ARGS)

test: lint types imports tests

lint: $(READY)
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports --no-cache

tests: $(READY)
	@$(COMPILE)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q

# Draws the snapshots anew; look at every one of them before it is committed.
snapshots: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) -q tests/workflows --snapshot-update

# Makes the README's picture from the program itself.
screenshot: $(READY)
	$(BIN)/python docs/screenshot.py

# Measures against reference runs; ARGS="--json FILE keys" chooses. It needs tmux, Linux and an idle machine.
bench: $(READY)
	@$(COMPILE)
	@PYTHONPATH=tests $(BIN)/python -m bench $(ARGS)

# Pins every dependency with its hashes, for all platforms; no registry host is written down.
lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet uv==0.13.9
	.venv-lock/bin/uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes \
		--no-header --output-file requirements.lock

$(READY): requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV) (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(COMPILE)
	@touch $(READY)

clean:
	rm -rf $(VENV) .venv-lock .mypy_cache .ruff_cache .pytest_cache .import_linter_cache dist
