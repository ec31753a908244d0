# Everything runs in .venv, which is built from requirements.lock and from nothing else.
#   make test      lint, types, import contracts, tests; those of pages in a browser where chromium is found
#   make certify   certificates of all showcase worlds, the report, what the README shows, the page of pictures
#   make audit     certify, and the slower audits that the report lists: mutants of every part, 2,000 puzzles of
#                  the rendered scene, the frozen public pack
#   make zipapp    the certificate checker as one file, which a bare Python runs: dist/cwr-check.pyz
#   make bench     measurements
#   make clean     removes what the other targets made, the environment included

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := test
.PHONY: .venv test lint certify audit zipapp bench clean

BIN := .venv/bin
WORKERS ?= 2

# Python 3.11 is what the lock was made for; a newer python3 serves where 3.11 is missing.
PYTHON ?= $(shell for python in python3.11 python3; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)

.venv: .venv/.linked

# The environment is thrown away and built anew when the lock changes, so that nothing stays that the lock does not name.
.venv/.installed: requirements.lock
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer found; name one with PYTHON=" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	touch $@

.venv/.linked: .venv/.installed pyproject.toml
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

lint: .venv/.linked
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -q -n $(WORKERS)

certify: .venv/.linked
	$(BIN)/cwr certify --out certificates/issued
	$(BIN)/cwr audit motifs --keep
	$(BIN)/cwr report
	$(BIN)/python -m cwr_audits.sessions README.md docs/alternatives.md docs/cyclic-order.md docs/instances.md docs/why-not.md
	$(BIN)/python -m cwr_audits.gallery docs
	$(BIN)/python -m cwr_audits.scenes.cyclic_order.sheet docs/cyclic-order
	$(BIN)/python -m cwr_audits.packs.figures docs/sources.md

audit: certify
	$(BIN)/cwr attack --keep
	$(BIN)/cwr audit scene cyclic_order --workers $(WORKERS) --keep
	rm -rf out/pack out/frozen
	$(BIN)/cwr pack --seed public --out out/pack
	@# what stands against freezing is told here and by the report, which is written either way
	$(BIN)/cwr freeze out/pack --out out/frozen --keep || true
	$(BIN)/cwr report

zipapp: .venv/.linked
	mkdir -p dist
	$(BIN)/python -m cwr_certificates.bundle dist/cwr-check.pyz

# Each script prints its own figures; the first that fails ends the run.
bench: .venv/.linked
	@for script in tests/bench/bench_*.py; do \
		test -e "$$script" || { echo "make: tests/bench holds no bench_*.py" >&2; exit 1; }; \
		echo "== $$script"; $(BIN)/python "$$script"; done

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
