# Mamba Chat. Each target first makes the environment it needs: .venv, from constraints.txt.
#   make run    open the window (in the terminal where there is no display)
#   make test   everything that must hold, in a few minutes
#   make metal  the tests that need a Mac's GPU
#   make soak   the long matrices, kills and fuzzing
#   make bench  everything measured in absolute time, reported with machine and spread

VENV := .venv
PY := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed
SUPPORTED := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))

# The first of these that runs and is 3.11 to 3.13; `make PYTHON=/path/to/python run` chooses.
PYTHON ?= $(shell for python in python3.12 python3.13 python3.11 python3; do \
	"$$python" -c "$(SUPPORTED)" >/dev/null 2>&1 && echo "$$python" && break; done)

SCREENSHOTS ?= build/screenshots
PYTEST := $(PY) -m pytest
JAPANESE := resources/i18n/mamba-chat_ja

QUICK := -m "not soak and not bench and not metal"

.PHONY: run test test-window test-rest metal soak bench screenshots translations

run: $(INSTALLED)
	@$(PY) -m app

test: $(INSTALLED)
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	@$(MAKE) -j 2 test-window test-rest

# The two halves of the tests, about as long as each other.
test-window: $(INSTALLED)
	$(PYTEST) -q $(QUICK) tests/app

test-rest: $(INSTALLED)
	$(PYTEST) -q $(QUICK) --ignore=tests/app

metal: $(INSTALLED)
	$(PYTEST) -m "metal and not soak and not bench"

soak: $(INSTALLED)
	$(PYTEST) -m "soak and not metal"

bench: $(INSTALLED)
	$(PYTEST) -m bench -s

screenshots: $(INSTALLED)
	$(PY) -m app --screenshots "$(SCREENSHOTS)"

# Collects every tr() of app/ beside its Japanese, and compiles that for the app.
translations: $(INSTALLED)
	$(VENV)/bin/pyside6-lupdate -no-obsolete -locations none -source-language en \
		-target-language ja $$(find app -name '*.py' | LC_ALL=C sort) -ts $(JAPANESE).ts
	$(VENV)/bin/pyside6-lrelease -silent $(JAPANESE).ts -qm $(JAPANESE).qm

# An environment whose Python still runs and is supported is kept, and brought up to date.
$(INSTALLED): pyproject.toml constraints.txt
	@$(PY) -c "$(SUPPORTED)" >/dev/null 2>&1 || { \
		test -n "$(PYTHON)" || { \
			echo "Mamba Chat needs Python 3.11, 3.12 or 3.13 with its venv module;" \
				"none was found. Install one, or name it: make PYTHON=/path/to/python" >&2; \
			exit 2; }; \
		echo "Making .venv with $(PYTHON)"; "$(PYTHON)" -m venv --clear $(VENV); }
	$(PY) -m pip --disable-pip-version-check install --quiet -c constraints.txt setuptools
	$(PY) -m pip --disable-pip-version-check install --quiet -c constraints.txt \
		--no-build-isolation -e ".[dev]"
	@touch $@
