# Two commands do all the set-up: `make run` and `make test`.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo $$p; break; fi; done)
VENV := .venv
BIN := $(VENV)/bin
SERVING := $(VENV)/.serving
READY := $(VENV)/.ready
NODE := $(VENV)/.node
BROWSER := $(VENV)/.browser
LOCK := requirements.lock
SERVE_LOCK := requirements-serve.lock
NPM := $(VENV)/npm
PIP := -m pip install --quiet --disable-pip-version-check --no-compile --no-deps
WORKERS ?= 3

# How much is done. `make TARGET SMALLEST=1` does the least that goes through all of a target, in seconds;
# $(call sized,WHOLE,LEAST) is one or the other.
SMALLEST ?=
sized = $(if $(SMALLEST),$(2),$(1))
UPGRADE ?= $(call sized,--upgrade,)
VERSIONS ?= $(call sized,3.11 3.12 3.13 3.14,$(shell $(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null))
TESTS ?= $(call sized,,tests/test_money.py)
WHOLE ?= $(call sized,,tests/test_layers.py)
CHECKED ?= $(call sized,,src/thirdcard/money.py)
BENCH ?=
PARTS ?= 24
JS ?= $(call sized,,tests/js/words.test.js)
PART ?= $(shell git rev-list --count HEAD 2>/dev/null || echo 0)/$(PARTS)
TIMES ?= $(call sized,10,1)
SEED ?= $(shell date +%j)
LOAD ?= $(call sized,0,1)
MINUTES ?= $(call sized,10,0.01)
IMAGES ?= $(call sized,10000,10)
KILLS ?= $(call sized,1000,1)
KILLING ?= 60
FLIPS ?= $(call sized,1000,2)
ROUTES ?= $(call sized,,asked_of_a_table or /api/me/wallet)
STORM ?= $(call sized,200,1)
PLANT ?= $(call sized,,anybody-deals)
ONE_IN ?= $(call sized,1,1000)
SAMPLE ?= $(call sized,0,2)
GOLDEN ?= $(call sized,,1)
CASE ?= $(call sized,,commission-v2-neglected)
SIZE ?= $(call sized,,boxes-1-en or screen[sign-in])
SCREENS ?= $(call sized,all,1440x900)
PICTURES ?= $(call sized,,lobby)
SERVE ?=
RELEASE ?= $(call sized,versions check js test whole mutants tables kills flips storms hostile cases sizes bench school radar pictures docs,help trace)

IN_TESTS := tests$(if $(PYTHONPATH),:$(PYTHONPATH))

# Without bytecode every program that the tests start would be compiled anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run quick test whole part check js warm smallest release orders costs versions lock bench school radar mutants transcripts trace counts docs pictures icons cases sizes soak tables kills flips storms hostile clean

help:
	@echo "make run          live tables in the browser, on one SQLite file"
	@echo "make quick        the tests that need no browser, no server and no kill: about a minute"
	@echo "make check        ruff, mypy, the import layers; types and lint of the JavaScript where npm is"
	@echo "make js           the rules of the pages, by node: their modules play tapes of a real house, without a browser"
	@echo "make test         all checks and tests that a change has to pass"
	@echo "make whole        the tests for more documents, screens, stores and seeds, and tests of tests"
	@echo "make part         one part of make whole, another with each commit (PART=3/6)"
	@echo "make orders       the tests of make test ten times, each time in another order (TIMES=10, SEED=7, LOAD=2: busy loops beside them)"
	@echo "make costs        what the tests of make test cost: processor time by phase, tier, file, test and fixture"
	@echo "make smallest     every target in its smallest form (make TARGET SMALLEST=1), against a copy of the files"
	@echo "make release      everything at its full size, one after the other; the record of it: docs/checked.md"
	@echo "make versions     the quick tests on every Python that is found of $(VERSIONS)"
	@echo "make bench        the measured figures, beside what they are compared with (BENCH=settle for one)"
	@echo "make school       100,000 items of every kind of the school against a referee"
	@echo "make radar        innocent and counting players before the radar, 100,000 sessions of them"
	@echo "make mutants      change every value of every rulebook: which changes does no test notice? (DOCUMENT=slug, ONLY=key)"
	@echo "make transcripts  write the golden transcripts anew, to be reviewed as a diff"
	@echo "make trace        collect anew which tests carry which paragraph"
	@echo "make counts       write the exact combination counts anew"
	@echo "make docs         write docs/rules.md, docs/figures.md and the bill of materials, draw the pictures anew; then the site: build/site"
	@echo "make pictures     take the screenshots of every page anew (PICTURES=lobby for one)"
	@echo "make icons        draw the icons of the installed app anew"
	@echo "make sizes        a player's table at fourteen screens, four numbers of boxes and every phase, and every page"
	@echo "                  at seven, in the browser (SIZE=boxes-16, SCREENS=360x640 for some)"
	@echo "make cases        every irregularity of every document through desk and pit, in the browser (CASE=late-bet for one)"
	@echo "make soak         the five that follow, one after the other"
	@echo "make tables       random tables (MINUTES=10), power cuts (IMAGES=10000), anything sent to every route"
	@echo "make kills        a server that is killed in the middle of its work (KILLS=1000, for KILLING=60 minutes at most)"
	@echo "make flips        flipped bits of a database and its checkpoints (FLIPS=1000)"
	@echo "make storms       the service simulated with all that can fail (MINUTES=10), then with planted faults"
	@echo "make hostile      all that comes from outside grown up to its limit, and what it costs (ONE_IN=20 for a part)"
	@echo "make lock         pin anew what is installed: $(SERVE_LOCK), $(LOCK), tests/browser/package-lock.json"
	@echo "                  (UPGRADE= keeps the versions that are pinned)"
	@echo "make clean        remove what the others made"
	@echo
	@echo "one test          $(BIN)/pytest tests/test_money.py -k odds"
	@echo "one tier          $(BIN)/pytest -m server (quick, slow, server, browser or whole; all of them: $(BIN)/pytest --markers)"
	@echo "one benchmark     $(BIN)/python bench/run.py settle"

# An environment that is ready and stands elsewhere is another folder's: it is neither renewed nor removed from here.
OWN_VENV := $(filter $(CURDIR)/%,$(abspath $(VENV)))

# What the lock file $(2) pins, into the virtual environment $(1).
define install
	@$(1)/bin/python $(PIP) --requirement $(2) || \
	  { echo "Could not install what $(2) pins: is a package index reachable?" >&2; exit 1; }
endef

# A virtual environment in $(2) by the interpreter $(1), with what serving needs and thirdcard itself.
define set_up
	@echo "Setting up $(2) with $(1) (once)"
	@$(1) -m venv $(2)
	$(call install,$(2),$(SERVE_LOCK))
	@$(2)/bin/python $(PIP) --no-build-isolation --editable .
endef

ifneq ($(if $(OWN_VENV),,$(wildcard $(READY))),)
$(SERVING) $(READY) $(NODE) $(BROWSER): ;
else
$(SERVING): pyproject.toml $(SERVE_LOCK)
	@if [ -z "$(PYTHON)" ]; then \
	  echo "thirdcard needs Python 3.11 or newer with its venv module; none was found." >&2; \
	  echo "Install it (on Debian: apt-get install python3 python3-venv), or name one: make PYTHON=/path/to/python" >&2; \
	  exit 1; fi
	$(call set_up,$(PYTHON),$(VENV))
	@touch $@

$(READY): $(SERVING) $(LOCK)
	@echo "Adding analysis, tests and documentation to $(VENV) (once; a minute or two)"
	$(call install,$(VENV),$(LOCK))
	@touch $@

$(NODE): $(READY) $(addprefix tests/browser/,package.json package-lock.json .npmrc eslint.config.js)
	@mkdir -p $(NPM) && cp $(filter tests/%,$^) $(NPM)/
	@npm ci --silent --no-fund --no-audit --prefix $(NPM) || \
	  { echo "The tests need npm, for axe-core, TypeScript and ESLint (on Debian: apt-get install npm)" >&2; exit 1; }
	@touch $@

# The tests drive a real browser, and axe-core looks at every page. Chromium's shell is the same without windows:
# a page takes it a third of the time, so the tests use it for all that needs no window, where it can be had.
APT := apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20
$(BROWSER): $(NODE)
	@if ! command -v chromium-headless-shell >/dev/null; then \
	  echo "Installing Chromium for the tests (once)"; \
	  { $(APT) update && { $(APT) install -y chromium chromium-headless-shell fonts-noto-cjk || \
	    $(APT) install -y chromium fonts-noto-cjk; }; } >/dev/null 2>&1 || \
	  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { echo "The tests need Chromium: install it (on Debian: apt-get install chromium chromium-headless-shell fonts-noto-cjk)" >&2; exit 1; }; fi
	@touch $@
endif

run: $(SERVING)
	@$(BIN)/thirdcard serve $(SERVE)

check: $(READY) $(if $(shell command -v npm),$(NODE))
	@$(BIN)/ruff check $(or $(CHECKED),.)
	@$(BIN)/ruff format --check $(or $(CHECKED),.)
	@$(BIN)/mypy --num-workers 2 $(CHECKED)
	@$(BIN)/lint-imports --no-cache
	@if [ -e $(NODE) ]; then mkdir -p build && $(BIN)/python tests/browser/sent.py >build/sent.d.ts && \
	  $(NPM)/node_modules/.bin/tsc --project tests/browser && \
	  $(NPM)/node_modules/.bin/eslint --config $(NPM)/eslint.config.js src/thirdcard/web/static/js tests/js; fi

# The modules of the pages in a small DOM; what the server sends is recorded of a real house just before.
js: $(NODE)
	@$(BIN)/python tests/js/pages.py
	@NODE_MODULES=$(abspath $(NPM))/ node --disable-warning=ExperimentalWarning --test --test-reporter=spec --test-concurrency=2 --test-timeout=300000 $(or $(JS),tests/js/)

quick: $(READY)
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m quick $(TESTS)

# Once for all processes of the tests: kernels are compiled and tests read, which each would do for itself.
warm: $(READY)
	@$(BIN)/thirdcard protect mbs-tiger-v2 --shoes 8 --json >/dev/null
	@$(BIN)/thirdcard simulate mbs-tiger-v2 --rounds 1000 --json >/dev/null
	@$(BIN)/thirdcard simulate rws-commission-insurance-v5 --plan flat --insurance positive --sessions 2 --json >/dev/null
	@$(BIN)/pytest --collect-only -qq >/dev/null || true # what is wrong with them the tests tell

# A line with MAKE in it runs even where make is only to tell what it would do.
SELF := $(MAKE) --no-print-directory

# What a change has to pass: all of it runs, whatever fails before; where npm or Chromium cannot be had, the rest. The
# tests wait a good deal: what runs beside them takes hardly any time of its own, and tells what it did at the end.
test: $(READY)
	@wanting=; failed=; tier="not whole"; mkdir -p build; trap 'trap - TERM; kill 0' INT TERM; \
	$(SELF) $(NODE) || wanting=npm; \
	if [ -z "$$wanting" ] && ! $(SELF) $(BROWSER); then wanting=Chromium; fi; \
	[ -z "$$wanting" ] || tier="not whole and not browser"; \
	$(SELF) --jobs 2 --output-sync check warm || failed="$$failed, check"; \
	{ beside=0; [ ! -e $(NODE) ] || $(SELF) js || beside=1; \
	  $(BIN)/python tests/every_target.py || beside=1; exit $$beside; } >build/beside.log 2>&1 & beside=$$!; \
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "$$tier" $(TESTS) || failed="$$failed, tests"; \
	wait $$beside || failed="$$failed, js or smallest (above)"; cat build/beside.log; \
	[ -z "$$wanting" ] || echo "Not run, since it could not be installed: what needs $$wanting" >&2; \
	[ -z "$$failed" ] || echo "Failed: $${failed#, }" >&2; \
	[ -z "$$wanting$$failed" ]

whole: $(BROWSER) warm
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal -m whole $(WHOLE)

part: $(BROWSER)
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal -m whole --part $(PART) $(WHOLE)

# A test that depends on order or speed is a fault to be found: run them all, time and again.
orders: $(BROWSER)
	@ends() { kill $$busy 2>/dev/null; }; busy=; trap ends EXIT; trap 'exit 130' INT TERM; \
	for loop in $$(seq $(LOAD)); do $(BIN)/python -c 'while True: pass' & busy="$$busy $$!"; done; \
	for time in $$(seq $(TIMES)); do \
	  echo "order $(SEED)-$$time, busy loops beside it: $(LOAD)"; \
	  $(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m "not whole" --shuffled $(SEED)-$$time $(TESTS) || exit 1; done

costs: $(BROWSER)
	@rm -rf build/costs && $(BIN)/pytest -q -n $(WORKERS) --dist worksteal -p costs --costs build/costs -m "not whole" $(TESTS)

# Nothing here is judged by its speed; what writes into the tree writes into a copy.
smallest: $(BROWSER)
	@$(BIN)/python tests/every_target.py

release: $(BROWSER)
	@$(BIN)/python tests/release.py $(RELEASE)

build/python%/.ready: pyproject.toml $(SERVE_LOCK) $(LOCK)
	$(call set_up,$(FOUND),build/python$*)
	$(call install,build/python$*,$(LOCK))
	@touch $@

# On the PATH, or among the versions of pyenv.
versions:
	@for version in $(VERSIONS); do \
	  found=; \
	  for python in python$$version "$$(pyenv root 2>/dev/null || echo ~/.pyenv)"/versions/$$version.*/bin/python; do \
	    if [ -z "$$found" ] && $$python -c 'import venv' 2>/dev/null; then found=$$python; fi; done; \
	  if [ -z "$$found" ]; then echo "Python $$version: not found"; continue; fi; \
	  echo "Python $$version"; \
	  $(if $(SMALLEST),true,$(MAKE) --no-print-directory build/python$$version/.ready FOUND="$$found") && \
	  $(call sized,build/python$$version,$(VENV))/bin/pytest -q -n $(WORKERS) --dist worksteal -m quick $(TESTS) || exit 1; done

# The pins hold for every Python and system that is supported; nothing in them says where packages come from.
COMPILE := pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	--custom-compile-command 'make lock' pyproject.toml
lock:
	@$(PYTHON) -m venv build/lock && { build/lock/bin/python $(PIP) 'uv<1' || \
	  { echo "Could not install uv: is a package index reachable?" >&2; exit 1; }; }
	@build/lock/bin/uv $(COMPILE) $(UPGRADE) --extra dev --output-file $(LOCK)
	@build/lock/bin/uv $(COMPILE) --extra serve --group pyproject.toml:build --constraint $(LOCK) --output-file $(SERVE_LOCK)
	@cd tests/browser && $(if $(UPGRADE),rm -f package-lock.json &&) npm install --silent --package-lock-only --no-fund --no-audit
	@! grep -nE 'https?://|--(extra-)?index-url' $(LOCK) $(SERVE_LOCK) || { echo "A lock file names no address" >&2; exit 1; }
	@! grep -n '"resolved"' tests/browser/package-lock.json || { echo "A lock file names no address" >&2; exit 1; }

bench: $(READY)
	@$(BIN)/python bench/run.py $(if $(SMALLEST),--smallest) $(BENCH)

school: $(READY)
	@$(BIN)/python bench/run.py $(if $(SMALLEST),--smallest) school_items

radar: $(READY)
	@$(BIN)/python bench/run.py $(if $(SMALLEST),--smallest) radar

mutants: $(READY)
	@PYTHONPATH=$(IN_TESTS) $(BIN)/python -m law.mutants --workers $(WORKERS) --sample $(SAMPLE) --document '$(DOCUMENT)' --only '$(ONLY)'

transcripts: $(READY)
	@for script in tests/transcripts/rewrite.py tests/transcripts/*/rewrite.py; do $(BIN)/python $$script $(GOLDEN) || exit 1; done

trace: $(READY)
	@$(BIN)/python tests/rules/collect.py

counts: $(READY)
	@$(BIN)/python tests/counts/rewrite.py

cases: $(BROWSER)
	@THIRDCARD_CASES=1 $(BIN)/pytest -q -n $(WORKERS) --dist worksteal -k '$(CASE)' tests/browser/test_cases.py

sizes: $(BROWSER)
	@THIRDCARD_SIZES='$(SCREENS)' $(BIN)/pytest -q -n $(WORKERS) --dist worksteal -k '$(SIZE)' tests/browser/test_sizes.py tests/browser/test_pages.py

pictures: $(BROWSER)
	@$(BIN)/python docs/screens.py $(PICTURES)

icons: $(BROWSER)
	@$(BIN)/python docs/icons.py

docs: $(READY)
	@$(BIN)/thirdcard rules trace --markdown > docs/rules.md
	@$(BIN)/python docs/figures.py
	@$(BIN)/python docs/pictures.py
	@$(BIN)/python docs/bill.py
	@$(BIN)/python docs/site_pages.py

soak: tables kills flips storms hostile

tables: $(READY)
	@THIRDCARD_SOAK=$(MINUTES) THIRDCARD_SOAK_IMAGES=$(IMAGES) $(BIN)/pytest -s -q \
	  -k 'soak or test_power or test_schemathesis$(if $(ROUTES), and ($(ROUTES)))' tests/table/test_machine.py \
	  tests/service/api/test_unseen.py tests/service/api/test_schemathesis.py tests/service/store/test_power.py

kills: $(READY)
	@$(BIN)/python tests/service/kill.py $(KILLS) --minutes $(KILLING)

flips: $(READY)
	@PYTHONPATH=$(IN_TESTS) $(BIN)/python tests/service/tampering.py $(FLIPS)

# A seed that finds something is a storm that comes back: cd tests && python -m simulator --seed SEED
storms: $(READY)
	@cd tests && $(abspath $(BIN))/python -m simulator --seconds $(STORM) --minutes $(MINUTES)
	@cd tests && $(abspath $(BIN))/python -m simulator --seconds $(STORM) $(if $(PLANT),--plant $(PLANT) --search,--planted)

hostile: $(READY)
	@cd tests && $(abspath $(BIN))/python -m hostile --one-in $(ONE_IN)

clean:
	rm -rf $(OWN_VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
