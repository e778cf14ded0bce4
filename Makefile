# Two commands set up everything: `make conform` runs the main job, `make test` the tests.
PYTHON ?= python3
# The user's environment: the rules as the wheel that everybody gets, conformance from
# the checkout, with the tools that no wheel has, and OpenSpiel.
USER_VENV := .venv
USER_BIN := $(USER_VENV)/bin
# The developers': the checkout with everything the tests need; and the same, compiled.
VENV := .venv-dev
BIN := $(VENV)/bin
READY := $(VENV)/.ready
COMPILED := .venv-compiled
COMPILED_BIN := $(CURDIR)/$(COMPILED)/bin
COMPILED_READY := $(COMPILED)/.ready
DEALS ?= 1000
WORKERS ?= 2
BASE ?= main
# The lines and branches of conformance that the tests cover, in percent: never lowered.
FLOOR := 80 # what the interpreted tests reach: those left to the wheel are not counted
SITE := .venv-site
SITE_READY := $(SITE)/.ready
.PHONY: conform check checks quick test heavy slow all-tests gate deep coverage test-compiled engines bench strength evidence fuzz js js-alike js-test fmt registry build site book site-test site-time clean

# Whether the rules can be compiled here; `make conform COMPILER=` keeps them interpreted.
# The build finds out for itself, and is only told what is not wanted.
HEADERS = import os, sysconfig; print(sysconfig.get_path("include") + "/Python.h")
COMPILER ?= $(shell command -v cc >/dev/null && test -e "$$($(PYTHON) -c '$(HEADERS)')" && echo cc)
NO_COMPILER := no C compiler with the headers of Python:
ENOUGH = import sys; sys.exit(sys.version_info < (3, 11) and "refengine needs Python 3.11 or later")
UNWANTED := $(if $(COMPILER)$(filter file,$(origin COMPILER)),,REFENGINE_COMPILE=0)
# The tests compile C: where nothing here does, with a compiler from the registry.
NO_CC := $(shell command -v cc >/dev/null || echo ,zig)
INSTALLED := $(USER_VENV)/.installed$(if $(COMPILER),,-interpreted)

conform: $(INSTALLED) ## our rules against OpenSpiel, the book's tables, the bundled traces
	@$(USER_BIN)/refengine conform all --deals $(DEALS)

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

# Which tests, and what the compiled run has too, and faster, is left to it. The wheel is
# built meanwhile, from the first second on: the checks before the tests need one core.
SHORT := "not slow and not heavy and not deep"
HEAVY := "heavy and not slow"
# The searches of tables and the library of Go, kept in the checkout for both modes.
KEPT := XDG_CACHE_HOME=$(CURDIR)/build/cache
TESTED = -n $(WORKERS) --durations=15 $(if $(COMPILER),--compiled-next)
# Those of the JavaScript are left to js-alike.
MADE_HERE := tests refengine --ignore tests/javascript
define BOTH_MODES
@mkdir -p build; wheel=; code=0; \
	$(if $(COMPILER),$(MAKE) --no-print-directory $(INSTALLED) >build/wheel.log 2>&1 & wheel=$$!;) \
	$(MAKE) --no-print-directory $(FIRST) \
		&& $(KEPT) $(BIN)/python -m pytest $(TESTED) $(MEASURE) -m $(CHOSEN) $(MADE_HERE) || code=$$?; \
	if [ -n "$$wheel" ] && ! wait $$wheel && [ $$code = 0 ]; then cat build/wheel.log; exit 2; fi; \
	exit $$code
@$(MAKE) --no-print-directory test-compiled CHOSEN='$(CHOSEN)' MEASURE_COMPILED='$(MEASURE_COMPILED)'
endef

CHOSEN := $(SHORT)
FIRST := $(READY)
test: FIRST = checks
test: ## lint, types, and the short tests, interpreted and then compiled: a quarter of an hour
	$(BOTH_MODES)

heavy: CHOSEN = $(HEAVY)
heavy: ## the tests that take half a second of processor time or more, and the others on the wheel, half an hour
	$(BOTH_MODES)

slow: $(READY) ## the tests marked slow, which go deeper than others of their kind; over an hour
	$(KEPT) $(BIN)/python -m pytest -n $(WORKERS) --durations=15 --timeout 0 -m slow $(MADE_HERE)

# `make deep` alone: what each test takes, and the list of those left to `make heavy`.
COSTS := $(CURDIR)/build/costs
all-tests: CHOSEN = "not slow"
all-tests: MEASURE = --measure $(COSTS)/interpreted.json
all-tests: MEASURE_COMPILED = --measure $(COSTS)/compiled.json
all-tests: ## all tests but the slow in both modes, and what each of them takes
	@rm -rf $(COSTS)
	$(BOTH_MODES)
	$(BIN)/python -m tests.support.costs $(COSTS)/*.json

gate: ## what .ci/run says of the last commit, in a clean clone; moves no branch
	@bash .ci/gate

deep: $(READY) ## nearly everything, over an hour; goes on after an interruption, and says in conformance/deep.json what came of it
	RECORD='--record --afresh' $(BIN)/python -m tests.support.deep_run $(STAGES)

# The rules are measured by their own tests. The tests of the evidence play many games by
# rules that those have measured, and take twice as long if it is done again.
EVIDENCE := refengine_conformance,refengine.cli,refengine.comparison,refengine.jobs,refengine.rulings.broken_clauses
EVIDENCE_TESTS := tests/conformance
RULES_TESTS := $(MADE_HERE) --ignore $(EVIDENCE_TESTS)

# The rules whole; the evidence about them to the level that it has reached.
coverage: $(READY) ## all tests but the slow, with branch coverage
	@rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest $(TESTED) -m "not slow" $(RULES_TESTS)
	$(BIN)/coverage run --source=$(EVIDENCE) -m pytest $(TESTED) -m "not slow" $(EVIDENCE_TESTS)
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --include 'refengine/*' --fail-under 100
	$(BIN)/coverage report --include 'conformance/*' --fail-under $(FLOOR)

# In a folder from which the source cannot be imported, so that the wheel is tested.
ifeq ($(COMPILER),)
test-compiled:
	@echo "$(NO_COMPILER) the tests ran interpreted only"
else
test-compiled: $(COMPILED_READY) ## the tests whose result may depend on the mode, on the compiled wheel
	@rm -rf build/tested && mkdir -p build/tested
	@cp -r tests docs README.md pyproject.toml build/tested
	@mkdir build/tested/conformance && cp -r conformance/adapters build/tested/conformance
	cd build/tested && $(KEPT) $(COMPILED_BIN)/python -m pytest -n $(WORKERS) $(MEASURE_COMPILED) -m $(CHOSEN) --mode compiled tests
endif

# The small deals are walked compiled if possible; their journal is then read. What was
# found is kept by `make deep` alone.
RECORD ?=
strength: $(READY) $(if $(COMPILER),$(COMPILED_READY)) ## mutants, theorems, small deals, and the matrix of clauses; half an hour
	@mkdir -p build .strength-work
ifneq ($(COMPILER),)
	cd build && $(COMPILED_BIN)/refengine conform exhaustion --jobs $(WORKERS) --resume $(CURDIR)/.strength-work
endif
	$(BIN)/refengine conform strength --strict $(RECORD) --jobs $(WORKERS) --resume .strength-work

evidence: $(READY) $(if $(COMPILER),$(COMPILED_READY)) ## of all that, what rests on something that has changed, and a share of the rest
	@mkdir -p build
	$(BIN)/refengine conform changed-evidence --walk build/units --jobs $(WORKERS)
	cd build && $(if $(COMPILER),$(COMPILED_BIN),../$(BIN))/refengine conform exhaustion --units units --jobs $(WORKERS)

# Compiled if possible: what is expected is worked out by our rules.
MASKED ?= 12
DRAW ?=
engines: $(READY) $(if $(COMPILER),$(COMPILED_READY)) ## engines as people write them, clean and with faults (DRAW=TEXT: one of each, drawn): five minutes
	@mkdir -p build
	cd build && $(if $(COMPILER),$(COMPILED_BIN),../$(BIN))/refengine conform engines --masked $(MASKED) $(if $(DRAW),--draw $(DRAW)) --jobs $(WORKERS)

fuzz: $(READY) ## every reader under a coverage-guided fuzzer and Hypothesis; some minutes
	$(BIN)/refengine conform fuzz --jobs $(WORKERS)

# Like the tests, in a folder from which the source cannot be imported.
bench: $(if $(COMPILER),$(COMPILED_READY),$(READY)) $(VENV)/.bench-ready ## every row beside its yardstick, as a table and in bench/results.json
ifeq ($(COMPILER),)
	@echo "$(NO_COMPILER) there is nothing to measure"
else
	@rm -rf build/measured && mkdir -p build/measured && cp -r bench build/measured
	@cd build/measured && $(COMPILED_BIN)/python -m bench --json $(CURDIR)/bench/results.json
endif

$(VENV)/.bench-ready: $(READY)
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[bench]"
	@touch $(VENV)/.bench-ready

js: $(READY) ## the rules in JavaScript, as a module, as a script and as an npm package, in build/js
	@PYTHONPATH=js $(BIN)/python -m carrying.build build/js
	@PYTHONPATH=js $(BIN)/python -m carrying.package build/js
	@ls build/js

NODE := $(BIN)/python -m tests.support.node
TYPESCRIPT := build/npm/node_modules/typescript/bin/tsc

js-alike: $(READY) ## what the rules in JavaScript answer, beside those in Python: half a minute
	@$(BIN)/python -m pytest -q -p no:cacheprovider -n $(WORKERS) -m "not slow" tests/javascript

# All that is published, the declarations, and a sample of the long comparisons.
js-test: js $(TYPESCRIPT) ## the rules in JavaScript under our own runner, and their declarations under TypeScript's compiler: a minute
	@$(NODE) npm install --prefix build/npm --no-save --no-audit --no-fund --loglevel error build/js/refengine-*.tgz
	@cp tests/javascript/uses.ts build/npm
	@$(NODE) $(TYPESCRIPT) --noEmit --strict --module nodenext --target es2022 build/npm/uses.ts
	@cat conformance/tables/*.jsonl >build/tables.jsonl
	$(BIN)/refengine conform run --tier core --format text -- $(NODE) build/js/adapter.mjs
	$(BIN)/refengine conform run --corpus build/tables.jsonl --format text -- $(NODE) build/js/adapter.mjs
	PYTHONPATH=js $(BIN)/python -m carrying.differential --least 1 -- $(NODE) build/js/adapter.mjs
	PYTHONPATH=js $(BIN)/python -m carrying.mutants --number 12 -- $(NODE)

$(TYPESCRIPT): js/package.json js/package-lock.json $(READY)
	@mkdir -p build/npm && cp js/package.json js/package-lock.json build/npm
	@$(NODE) npm ci --prefix build/npm --no-audit --no-fund --loglevel error
	@touch $(TYPESCRIPT)

fmt: $(READY) ## format the source
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

registry: $(READY) ## derive the registry of clauses and the generated pages again
	$(BIN)/refengine conform registry
	$(BIN)/refengine conform profiles-page
	$(BIN)/refengine conform corpus --manifest
	$(BIN)/refengine irregularities --markdown >docs/irregularities.md

SOURCE := $(shell find refengine spec -type f -not -path '*/__pycache__/*') \
	hatch_build.py pyproject.toml conformance/pyproject.toml

build: $(READY) ## what is published into dist/: refengine as sdist and as both wheels, pure, and compiled where there is a C compiler; refengine-conform
	@cd conformance && ../$(BIN)/python -m hatchling build -d ../dist
	@$(BIN)/python -m hatchling build -t sdist -d dist
	@REFENGINE_COMPILE=0 $(BIN)/python -m hatchling build -t wheel -d dist
ifeq ($(COMPILER),)
	@echo "$(NO_COMPILER) only the pure wheel is made"
else
	@REFENGINE_COMPILE=1 $(BIN)/python -m hatchling build -t wheel -d dist
endif
	@ls dist

site: $(SITE_READY) js ## the rule book, rulings, the viewer and the API reference as static files in build/site
	@rm -rf build/site
	@PYTHONPATH=site $(SITE)/bin/python -m booksite build/site-source
	@cp build/js/rules.js build/js/search.js build/site-source/static
	@$(SITE)/bin/sphinx-build -q -W --keep-going -b html build/site-source build/site
	@PYTHONPATH=site $(SITE)/bin/python -m booksite.links build/site
	@echo "open build/site/index.html"

book: $(SITE)/.book-ready ## the rule book as PDF and EPUB in build/book, the same bytes each time
	@PYTHONPATH=site $(SITE)/bin/python -m booksite.printing build/book

# Without the stamp the typesetter is asked for again; the book says what is missing.
$(SITE)/.book-ready: $(SITE_READY)
	@$(SITE)/bin/pip install -qq --disable-pip-version-check --constraint constraints.txt --only-binary typst --editable ".[book]" 2>/dev/null \
		&& touch $(SITE)/.book-ready || true

site-test: site book $(READY) ## the site in headless Chromium, the rules in JavaScript, the book to print, the HTML report
	@$(SITE)/bin/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[site-test]"
	@sh site/browser/browser.sh
	@$(NODE) npm install --silent --no-audit --no-fund --no-save --prefix build/axe axe-core@4.14.1
	@$(MAKE) --no-print-directory js-alike
	@$(SITE)/bin/pytest -q -p no:cacheprovider site/browser
	@$(BIN)/pytest -q -p no:cacheprovider -m slow tests/conformance/report/test_html_report.py

site-time: site ## how long the ruling of a shared address takes on a slow phone
	@$(SITE)/bin/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[site-test]"
	@sh site/browser/browser.sh
	@PYTHONPATH=site $(SITE)/bin/python site/browser/time_to_ruling.py

$(SITE_READY): pyproject.toml conformance/pyproject.toml constraints.txt
	@$(PYTHON) -m venv --clear $(SITE)
	@$(SITE)/bin/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[site,rl]" --editable ./conformance
	@touch $(SITE_READY)

# The wheel is kept: the tests and the bench run on the very wheel that the user has.
$(INSTALLED): $(SOURCE) constraints.txt
	@$(PYTHON) -c '$(ENOUGH)'
	@echo "making the environment in $(USER_VENV)"
	@$(PYTHON) -m venv --clear $(USER_VENV)
	@echo "building refengine$(if $(UNWANTED),, (half a minute where there is a C compiler))"
	@rm -rf build/wheel
	@$(UNWANTED) $(USER_BIN)/pip wheel -qq --disable-pip-version-check --no-deps --wheel-dir build/wheel .
	@$(USER_BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt build/wheel/*.whl --editable ./conformance
	@$(USER_BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --only-binary open_spiel open_spiel 2>/dev/null \
		|| echo "no OpenSpiel wheel for this platform: the comparison with it is left out"
	@touch $(INSTALLED)

# Its libraries are those of $(VENV), and refengine itself is the wheel of $(USER_VENV).
# Conformance is not compiled, and comes from the checkout.
$(COMPILED_READY): $(READY) $(INSTALLED)
	@$(PYTHON) -m venv --clear --without-pip $(COMPILED)
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"), "$(CURDIR)/conformance", sep="\n")' \
		> "$$($(COMPILED_BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/libraries.pth"
	@$(BIN)/pip --python $(COMPILED_BIN)/python install -qq --disable-pip-version-check --no-deps --no-index build/wheel/*.whl
	@touch $(COMPILED_READY)

$(READY): pyproject.toml conformance/pyproject.toml constraints.txt
	@$(PYTHON) -c '$(ENOUGH)'
	@echo "making the environment in $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --editable ".[dev,cluster,rl$(NO_CC)]" --editable ./conformance
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --only-binary open_spiel open_spiel 2>/dev/null \
		|| echo "no OpenSpiel wheel for this platform: the comparison with it is left out"
	@$(BIN)/pip install -qq --disable-pip-version-check --constraint constraints.txt --only-binary atheris atheris 2>/dev/null \
		|| echo "no Atheris wheel for this platform: fuzzing is by Hypothesis alone"
	@touch $(READY)

clean: ## remove what make made
	rm -rf $(USER_VENV) $(VENV) $(COMPILED) $(SITE) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
