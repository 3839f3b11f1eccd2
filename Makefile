# Two commands do all the set-up: `make run` and `make test`.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	if command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo $$p; break; fi; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WORKERS ?= 2
MINUTES ?= 10

.PHONY: help run test check bench transcripts trace counts docs soak clean

help:
	@echo "make run          settle and explain a sample round of each game"
	@echo "make test         all checks and tests"
	@echo "make bench        the measured figures, beside what they are compared with"
	@echo "make transcripts  write the golden transcripts anew, to be reviewed as a diff"
	@echo "make trace        collect anew which tests carry which paragraph"
	@echo "make counts       write the exact combination counts anew"
	@echo "make docs         write docs/rules.md and draw the pictures anew"
	@echo "make soak         long random tests of the table, MINUTES=10 by default"
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
	@for round in \
	  'rws-tiger-buffalo-commission-v2 --layout A --cards "6C 3D KH AS 3C" --bet player=100 --bet banker-char-siu=10 --insure player:1=40' \
	  'rws-tiger-buffalo-non-commission-v3 --layout C --cards "2H 4S 2C 2D AD" --bet banker=200 --bet small-tiger=10 --bet wu-dalang=5' \
	  'rws-tiger-buffalo-non-commission-v4 --layout R --cards "KH QS 6C 6D" --bet tie=20 --bet tiger-tie=10 --bet banker=100' \
	  'rws-commission-insurance-v5 --layout E --cards "AS 5H 4D KC 4S 4H" --bet player=80 --bet tie=10 --insure player:2=10' \
	  'mbs-tiger-v2 --layout A --cards "9C 9H 9D 9S" --bet tiger-pair=5 --bet player=50'; \
	do echo "\$$ thirdcard settle $$round"; eval "$(BIN)/thirdcard settle $$round" || exit 1; echo; done

check: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

test: check
	@$(BIN)/pytest -n $(WORKERS)

bench: $(READY)
	@$(BIN)/python bench/run.py

transcripts: $(READY)
	@for script in tests/transcripts/rewrite.py tests/transcripts/*/rewrite.py; do $(BIN)/python $$script || exit 1; done

trace: $(READY)
	@$(BIN)/python tests/rules/collect.py

counts: $(READY)
	@$(BIN)/python tests/counts/rewrite.py

docs: $(READY)
	@$(BIN)/thirdcard rules trace --markdown > docs/rules.md
	@$(BIN)/python docs/pictures.py

soak: $(READY)
	@THIRDCARD_SOAK=$(MINUTES) $(BIN)/pytest -s -q -k soak tests/table/test_machine.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
