# Every habit has one command; `make help` lists them.

HOST ?= 127.0.0.1
PORT ?= 8000
DATA ?= var
PYTHON ?= $(shell command -v python3.11 || command -v python3)

BIN := .venv/bin
# npm and vite must find the Node that the virtual environment brings, before any other.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export CRESCENT_DATA := $(abspath $(DATA))

FRONTEND := $(shell find frontend/src frontend/public -type f 2>/dev/null) frontend/vite.config.ts frontend/package.json
CATALOGUES := $(wildcard games/locale/*/LC_MESSAGES/django.po)

.PHONY: help run test check format vectors types bench chaos clean build
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## serve the game: HOST=127.0.0.1 PORT=8000 DATA=var
	@exec $(BIN)/python manage.py serve --migrate --host $(HOST) --port $(PORT)

# The browser's tests run apart: Playwright keeps an event loop that Django's own tests stumble over.
# What fails is run once more, alone: see docs/decisions/015-once-more.md.
# Tests wait more than they work, so several processes run them: see docs/decisions/022-tests-together.md.
WORKERS ?= 4
PYTEST := $(BIN)/python -m pytest
TOGETHER := --numprocesses $(WORKERS) --dist worksteal
AGAIN := --last-failed --last-failed-no-failures none

test: build .venv/dev check ## everything that this machine can test; it says what it skipped
	$(BIN)/npm --prefix frontend test
	$(PYTEST) $(TOGETHER) -m "not chromium" || $(PYTEST) -m "not chromium" $(AGAIN)
	$(PYTEST) $(TOGETHER) -m chromium || $(PYTEST) -m chromium $(AGAIN)

check: build .venv/dev ## linters, types, layers, formats
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run --verbosity 0
	$(BIN)/npm --prefix frontend run check

format: build .venv/dev ## put every file in its form
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/npm --prefix frontend run format

vectors: .venv/dev ## write the vectors that tie the two engines together
	$(BIN)/python -m tests.vectors.write

types: .venv/dev ## write the TypeScript types of the protocol and the schema of exports
	$(BIN)/python manage.py protocol_types frontend/src/net/protocol.gen.ts
	$(BIN)/python manage.py export_schema docs/game-export.schema.json

chaos: build .venv/dev ## every fault, ten rounds with fifty clients; evenings of eight browsers, cut off
	$(BIN)/python -m tests.faults.chaos --rounds 10 --clients 50
	CRESCENT_CHAOS=full $(PYTEST) -s tests/e2e/test_storm.py

bench: build .venv/dev ## measure it
	$(BIN)/python -m bench.engine
	$(BIN)/python -m bench.replays
	$(BIN)/python -m bench.compare
	$(BIN)/python -m bench.ramp
	$(BIN)/python -m bench.two
	$(BIN)/python -m bench.pages
	$(BIN)/python -m bench.frontend

clean: ## away with all that can be made again (the database stays)
	rm -rf .venv frontend/node_modules frontend/dist games/locale/*/LC_MESSAGES/*.mo

build: .venv/run frontend/dist/.built games/locale/.compiled

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/run: requirements.lock | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

.venv/dev: requirements-dev.lock .venv/run
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

frontend/node_modules/.installed: frontend/package.json frontend/package-lock.json .venv/run
	cd frontend && npm ci --no-audit --no-fund --silent
	@touch $@

frontend/dist/.built: $(FRONTEND) frontend/node_modules/.installed
	cd frontend && npm run --silent build
	$(BIN)/python -m whitenoise.compress --quiet frontend/dist
	@touch $@

games/locale/.compiled: $(CATALOGUES) .venv/run
	@$(BIN)/pybabel --quiet compile --directory games/locale --domain django
	@touch $@
