# Every target works on a fresh machine with Python 3.11 or later, pip and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# every package of this repository, installed editable
PACKAGES := providers/inprocess providers/native providers/testkit providers/wgpu_provider plugins/finance plugins/signal plugins/stats plugins/image plugins/optim plugins/symbolic plugins/plot benchmarks docs/site
PROJECTS := pyproject.toml $(addsuffix /pyproject.toml,$(PACKAGES))

# bytecode of the tests is kept even where the environment says not to: it saves half of a start
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n auto

.PHONY: help demo quick test about test-all test-times lint types layers unit bench gate docs wheels clean

help:
	@echo "make demo      install into $(VENV) and run a real program"
	@echo "make quick     a few cases of each test of the language and builtins: one minute on two cores"
	@echo "make test      lint, types, layers and tests: seven minutes on two cores"
	@echo "make test-all  the same with every case of every sweep: hours"
	@echo "make test-times  what each test costs, in seconds of a processor"
	@echo "make bench     the interpreter, ordinary programs and builtins beside Octave, what capture costs, the benchmark cases beside NumPy and Octave"
	@echo "make gate      counts and results of the benchmark cases against the baseline"
	@echo "make docs      the documentation as pages in build/docs"
	@echo "make wheels    every package as a wheel in dist, for machines without a network"

$(STAMP): $(PROJECTS)
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "runmat needs Python 3.11 or later; name one with: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]" \
	    $(addprefix --editable ,$(PACKAGES))
	@# a start without bytecode takes four times as long, and some environments never write it
	@$(BIN)/python -m compileall -q runmat_core providers plugins benchmarks || true
	@touch $@

demo: $(STAMP)
	$(BIN)/runmat run examples/montecarlo.m

quick: $(STAMP)
	$(PYTEST) --quick

test: about lint types layers unit

about:
	@echo "lint, types, layers and tests: seven minutes on two quiet cores (make quick: one)"

test-all: lint types layers $(STAMP)
	$(PYTEST) --runslow

test-times: $(STAMP)
	rm -rf build/times
	$(PYTEST) --times=build/times
	$(BIN)/python -m tests.times build/times

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/lint-imports --no-cache

unit: $(STAMP)
	$(PYTEST)

bench: $(STAMP)
	$(BIN)/python -m benchmarks.interpreter
	$(BIN)/python -m benchmarks.programs
	$(BIN)/python -m benchmarks.builtins --most 1e6
	$(BIN)/python -m benchmarks.capture
	$(BIN)/python -m benchmarks.capture.programs
	$(BIN)/python -m benchmarks.capture.plans
	$(BIN)/python -m benchmarks.capture.elements
	$(BIN)/runmat bench run --profile small

gate: $(STAMP)
	$(BIN)/runmat bench gate --counts benchmarks/baselines/small.json

docs: $(STAMP)
	$(BIN)/runmat docs build --strict

wheels: $(STAMP)
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist \
	    . $(addprefix ./,$(PACKAGES))

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
