# Two commands set everything up: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test lint types check clean

$(VENV)/installed-demo: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[plots]"
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed-demo
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(VENV)/installed-demo   ## reduce a bundled table, write coordinates and a picture
	$(BIN)/python examples/demo.py

test: $(VENV)/installed-dev    ## every test, doctest and example
	$(BIN)/python -m pytest

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

check: lint types test         ## what a change must pass

clean:
	rm -rf $(VENV) build demo-output
