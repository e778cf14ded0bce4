# Two commands do all the set-up: `make conform` runs the main job, `make test` the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
COMPILED := .venv-compiled
COMPILED_BIN := $(CURDIR)/$(COMPILED)/bin
COMPILED_READY := $(COMPILED)/.ready
DEALS ?= 1000
WORKERS ?= 2
BASE ?= main
# The lines and branches of conformance that the tests cover, in percent: never lowered.
FLOOR := 0
SITE := .venv-site
SITE_READY := $(SITE)/.ready
.PHONY: conform check checks quick test coverage test-compiled bench bench-check run-bench strength fuzz fmt registry build site site-test clean

# Whether the rules can be compiled here; `make conform COMPILER=` stays interpreted.
HEADERS = import os, sysconfig; print(sysconfig.get_path("include") + "/Python.h")
COMPILER ?= $(shell command -v cc >/dev/null && test -e "$$($(PYTHON) -c '$(HEADERS)')" && echo cc)
NO_COMPILER := no C compiler with the headers of Python:

conform: $(if $(COMPILER),$(COMPILED_READY),$(READY)) ## our rules against OpenSpiel, the book's tables, the bundled traces
ifeq ($(COMPILER),)
	@echo "$(NO_COMPILER) the rules run interpreted"
endif
	@$(if $(COMPILER),$(COMPILED_BIN),$(BIN))/refengine conform all --deals $(DEALS)

check: $(READY) ## format, lint, types, import contracts, registry: seconds, and 15 at most
	@$(BIN)/python -m tests.support.within --warm .mypy_cache 15 $(MAKE) --no-print-directory checks

checks: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/refengine conform registry --check

quick: $(READY) ## the tests of what has changed since BASE, else a few of every room: 90 seconds at most
	@$(BIN)/python -m tests.support.within 90 $(BIN)/python -m tests.support.quick --base $(BASE) -n $(WORKERS)

test: checks ## lint, types, all tests with branch coverage; then the tests compiled
	$(BIN)/pytest -n $(WORKERS) -m "not slow" --durations=15 --cov --cov-report=
	@$(MAKE) --no-print-directory coverage test-compiled

# The rules whole; the evidence about them to the level that it has reached. What other
# processes covered has been combined by the run that started them.
coverage:
	$(BIN)/coverage report --include 'refengine/*' --fail-under 100
	$(BIN)/coverage report --include 'conformance/*' --fail-under $(FLOOR)

# From a folder where the source cannot be imported, so that the wheel is what is tested.
ifeq ($(COMPILER),)
test-compiled:
	@echo "$(NO_COMPILER) the tests ran interpreted only"
else
test-compiled: $(COMPILED_READY) ## the tests that the mode can change, on the compiled wheel
	@rm -rf build/tested && mkdir -p build/tested
	@cp -r tests docs README.md pyproject.toml build/tested
	cd build/tested && $(COMPILED_BIN)/python -m pytest -n $(WORKERS) -m "not slow" --mode compiled tests
endif

# The small deals are walked compiled where that can be; their journal is then read.
strength: $(READY) $(if $(COMPILER),$(COMPILED_READY)) ## mutants, theorems, small deals, and the matrix of clauses; half an hour
	@mkdir -p build .strength-work
ifneq ($(COMPILER),)
	cd build && $(COMPILED_BIN)/refengine conform exhaustion --jobs $(WORKERS) --resume $(CURDIR)/.strength-work
endif
	$(BIN)/refengine conform strength --strict --jobs $(WORKERS) --resume .strength-work

fuzz: $(READY) ## every reader under a coverage-guided fuzzer and Hypothesis, some minutes
	$(BIN)/refengine conform fuzz --jobs $(WORKERS)

bench: BENCH = --json $(CURDIR)/build/bench.json
bench: run-bench ## every row beside its yardstick: a table, and build/bench.json

bench-check: BENCH = --check
bench-check: run-bench ## the same in two minutes; fails where not even half of a goal is met

# As the tests, from a folder where the source cannot be imported.
run-bench: $(if $(COMPILER),$(COMPILED_READY),$(READY)) $(VENV)/.bench-ready
ifeq ($(COMPILER),)
	@echo "$(NO_COMPILER) there is nothing to measure"
else
	@rm -rf build/measured && mkdir -p build/measured && cp -r bench build/measured
	@cd build/measured && $(COMPILED_BIN)/python -m bench $(BENCH)
endif

$(VENV)/.bench-ready: $(READY)
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[bench]"
	@touch $(VENV)/.bench-ready

fmt: $(READY) ## put the source into its format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

registry: $(READY) ## derive the registry of clauses and the page of profiles anew
	$(BIN)/refengine conform registry
	$(BIN)/refengine conform profiles-page
	$(BIN)/refengine irregularities --markdown >docs/irregularities.md

# The compiler leaves its modules beside the source it reads, where Python would take them
# for the source: so it reads a copy, build/source, which belongs to nobody.
SOURCE := $(shell find refengine conformance spec -type f -not -path '*/__pycache__/*' -not -name '*.so')
# What mypyc writes is exported unless told otherwise, and then neither inlined nor called
# directly: the last two make random play half as fast again. The first two are flags that
# Python itself has, which CFLAGS replace.
FASTER := -DNDEBUG -fwrapv -fvisibility=hidden -fno-semantic-interposition
COMPILED_WHEEL = rm -rf build/source && mkdir -p build/source \
	&& cp -r refengine conformance spec pyproject.toml README.md LICENSE build/source \
	&& CFLAGS="$(FASTER) $$CFLAGS" HATCH_BUILD_HOOKS_ENABLE=1 $(BIN)/pip wheel -qq --disable-pip-version-check --no-deps --wheel-dir

build: $(READY) ## both wheels into dist/: pure, and compiled where there is a C compiler
	$(BIN)/pip wheel -qq --no-deps --wheel-dir dist .
ifeq ($(COMPILER),)
	@echo "$(NO_COMPILER) only the pure wheel is made"
else
	@$(COMPILED_WHEEL) dist ./build/source
endif
	@ls dist

site: $(SITE_READY) ## the rule book, the viewer and the API reference as static files in build/site
	@rm -rf build/site
	@PYTHONPATH=site $(SITE)/bin/python -m booksite build/site-source
	@$(SITE)/bin/sphinx-build -q -W --keep-going -b html build/site-source build/site
	@PYTHONPATH=site $(SITE)/bin/python -m booksite.links build/site
	@echo "open build/site/index.html"

site-test: site $(READY) ## the built site in headless Chromium, and the HTML report of a run
	@$(SITE)/bin/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[site-test]"
	@sh site/browser/browser.sh
	@$(SITE)/bin/pytest -q -p no:cacheprovider site/browser
	@$(BIN)/pytest -q -p no:cacheprovider -m slow tests/conformance/report/test_html_report.py

$(SITE_READY): pyproject.toml constraints.txt
	@$(PYTHON) -m venv --clear $(SITE)
	@$(SITE)/bin/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[site]"
	@touch $(SITE_READY)
# Its libraries are those of $(VENV); refengine itself is the compiled wheel.
$(COMPILED_READY): $(READY) $(SOURCE)
	@echo "compiling the rules into $(COMPILED)"
	@$(PYTHON) -m venv --clear --without-pip $(COMPILED)
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
		> "$$($(COMPILED_BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/libraries.pth"
	@rm -rf build/wheel
	@$(COMPILED_WHEEL) build/wheel ./build/source
	@$(BIN)/pip --python $(COMPILED_BIN)/python install -qq --disable-pip-version-check --no-deps --no-index build/wheel/*.whl
	@touch $(COMPILED_READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "refengine needs Python 3.11 or later")'
	@echo "making the environment in $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[dev,cluster]"
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --only-binary open_spiel open_spiel 2>/dev/null \
		|| echo "no OpenSpiel wheel for this platform: the comparison with it is left out"
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --only-binary atheris atheris 2>/dev/null \
		|| echo "no Atheris wheel for this platform: fuzzing is by Hypothesis alone"
	@touch $(READY)

clean: ## remove what make made
	rm -rf $(VENV) $(COMPILED) $(SITE) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
