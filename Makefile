# Two commands do all the set-up: `make conform` runs the main job, `make test` the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEALS ?= 1000
WORKERS ?= 2
SITE := .venv-site
SITE_READY := $(SITE)/.ready

.PHONY: conform test fuzz fmt registry build site site-test clean

conform: $(READY) ## our rules against OpenSpiel, the book's tables, the bundled traces
	@$(BIN)/refengine conform all --deals $(DEALS)

test: $(READY) ## lint, types, and all tests with branch coverage
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m conformance.registry --check
	$(BIN)/pytest -n $(WORKERS) -m "not slow" --durations=15 --cov --cov-report=term

fuzz: $(READY) ## every reader under a coverage-guided fuzzer and Hypothesis, two minutes
	$(BIN)/python -m conformance.fuzzing --jobs $(WORKERS)

fmt: $(READY) ## put the source into its format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

registry: $(READY) ## derive the registry of clauses and the page of profiles anew
	$(BIN)/python -m conformance.registry
	$(BIN)/python -m conformance.profiles

build: $(READY) ## both wheels into dist/: pure, and compiled where there is a C compiler
	$(BIN)/pip wheel -qq --no-deps --wheel-dir dist .
	@if command -v cc >/dev/null; then \
		HATCH_BUILD_HOOKS_ENABLE=1 $(BIN)/pip wheel -qq --no-deps --wheel-dir dist .; \
	else echo "no C compiler: only the pure wheel is made"; fi
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
	@$(BIN)/pytest -q -p no:cacheprovider -m slow tests/test_html_report.py

$(SITE_READY): pyproject.toml constraints.txt
	@$(PYTHON) -m venv $(SITE)
	@$(SITE)/bin/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[site]"
	@touch $(SITE_READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "refengine needs Python 3.11 or later")'
	@echo "making the environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[dev,cluster]"
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --only-binary open_spiel open_spiel 2>/dev/null \
		|| echo "no OpenSpiel wheel for this platform: the comparison with it is left out"
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --only-binary atheris atheris 2>/dev/null \
		|| echo "no Atheris wheel for this platform: fuzzing is by Hypothesis alone"
	@touch $(READY)

clean: ## remove what make made
	rm -rf $(VENV) $(SITE) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
