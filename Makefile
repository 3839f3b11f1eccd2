# Two commands do all the set-up: `make run` and `make test`.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo $$p; break; fi; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BROWSER := $(VENV)/.browser
WORKERS ?= 2
MINUTES ?= 10
IMAGES ?= 10000
KILLS ?= 1000

.PHONY: help run test check bench mutants transcripts trace counts docs pictures soak clean

help:
	@echo "make run          live tables in the browser, on one SQLite file"
	@echo "make test         all checks and tests"
	@echo "make bench        the measured figures, beside what they are compared with"
	@echo "make mutants      change every value of every rulebook: which changes does no test notice? (DOCUMENT=slug, ONLY=key)"
	@echo "make transcripts  write the golden transcripts anew, to be reviewed as a diff"
	@echo "make trace        collect anew which tests carry which paragraph"
	@echo "make counts       write the exact combination counts anew"
	@echo "make docs         write docs/rules.md and draw the pictures anew"
	@echo "make pictures     take the screenshots of every page anew"
	@echo "make soak         random tables (MINUTES=10), power cuts (IMAGES=10000), kill -9 (KILLS=1000)"
	@echo "make clean        remove what the others made"

$(READY): pyproject.toml
	@if [ -z "$(PYTHON)" ]; then \
	  echo "thirdcard needs Python 3.11 or newer with its venv module; none was found." >&2; \
	  echo "Install it (on Debian: apt-get install python3 python3-venv), or name one: make PYTHON=/path/to/python" >&2; \
	  exit 1; fi
	@echo "Setting up $(VENV) with $(PYTHON) (once; a minute or two)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' || \
	  { echo "Could not install what pyproject.toml names: is a package index reachable?" >&2; exit 1; }
	@touch $@

run: $(READY)
	@$(BIN)/thirdcard serve

check: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

# The tests drive a real browser, and axe-core looks at every page.
$(BROWSER): $(READY) tests/browser/package.json
	@if ! command -v chromium chromium-browser google-chrome >/dev/null 2>&1; then \
	  echo "Installing Chromium for the tests (once)"; \
	  { apt-get update -qq && apt-get install -qq -y chromium fonts-noto-cjk >/dev/null; } || \
	  { echo "The tests need Chromium: install it (on Debian: apt-get install chromium fonts-noto-cjk)" >&2; exit 1; }; fi
	@mkdir -p $(VENV)/npm && cp tests/browser/package.json $(VENV)/npm/
	@npm install --silent --no-package-lock --no-fund --no-audit --prefix $(VENV)/npm || \
	  { echo "The tests need npm, for axe-core (on Debian: apt-get install npm)" >&2; exit 1; }
	@touch $@

test: check $(BROWSER)
	@$(BIN)/pytest -n $(WORKERS)

bench: $(READY)
	@$(BIN)/python bench/run.py

mutants: $(READY)
	@PYTHONPATH=tests $(BIN)/python -m law.mutants --workers $(WORKERS) --document '$(DOCUMENT)' --only '$(ONLY)'

transcripts: $(READY)
	@for script in tests/transcripts/rewrite.py tests/transcripts/*/rewrite.py; do $(BIN)/python $$script || exit 1; done

trace: $(READY)
	@$(BIN)/python tests/rules/collect.py

counts: $(READY)
	@$(BIN)/python tests/counts/rewrite.py

pictures: $(BROWSER)
	@$(BIN)/python docs/screens.py

docs: $(READY)
	@$(BIN)/thirdcard rules trace --markdown > docs/rules.md
	@$(BIN)/python docs/pictures.py

soak: $(READY)
	@THIRDCARD_SOAK=$(MINUTES) $(BIN)/pytest -s -q -k soak tests/table/test_machine.py
	@THIRDCARD_SOAK_IMAGES=$(IMAGES) $(BIN)/pytest -s -q tests/service/store/test_power.py
	@$(BIN)/python tests/service/kill.py $(KILLS) --minutes 60

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
