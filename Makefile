# `make demo` and `make test` are all a newcomer needs; `make help` lists the rest.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
PY := $(VENV)/bin/python
# A demo and the tests never use somebody's paid keys: empty beats what .env says.
KEYLESS := OPENAI_API_KEY= ANTHROPIC_API_KEY= GEMINI_API_KEY= LLM_API_KEY= EMBEDDING_API_KEY= RERANK_API_KEY= RERANK_BASE_URL=
# Modules in their order: the longest, an installation, is among the first.
SPREAD := --dist loadscope --no-loadscope-reorder
REPO ?= .
NAME ?= $(if $(filter .,$(REPO)),devrag)

.PHONY: help demo stop test test-full check messages schema screenshots lock install dev clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

demo: ## Install, start everything, index this repository, write its wiki, serve it
	@began=$$(date +%s.%N); $(MAKE) --no-print-directory install && \
	$(KEYLESS) DEMO_BEGAN=$$began $(PY) manage.py demo "$(REPO)" --name "$(NAME)"

stop: ## End everything that `make demo` started
	@test ! -x $(PY) || $(PY) manage.py server stop

test: dev ## Run the test suite on services of its own
	@$(KEYLESS) $(PY) -m pytest -n 3 $(SPREAD) -m "not slow" $(ARGS)

test-full: dev ## Run everything, the long suites included; as root installs Redmine
	@sh scripts/redmine.sh
	@$(KEYLESS) $(PY) -m pytest -n 2 $(SPREAD) $(ARGS)

check: dev ## Format, lint, types, import contracts, templates, migrations, deploy
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" sh scripts/check.sh

install: $(VENV)/.base ## Create the environment with the pinned packages
	@:

dev: $(VENV)/.dev ## The same with what tests and checks need
	@:

screenshots: dev ## Picture every page of the running demo into screenshots/
	@$(PY) scripts/screenshots.py

schema: dev ## Write docs/data-schema.md, the page about the database, from the models
	@$(PY) scripts/schema.py

messages: dev ## Collect the texts of the interface into its catalogues, compile them
	@$(PY) scripts/messages.py

lock: ## Pin requirements/*.in again, with hashes and without addresses
	@sh scripts/lock.sh

clean: ## Remove the environment and caches; data under var/ stays
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

$(VENV)/.base: requirements/base.txt pyproject.toml
	@$(PYTHON) scripts/check_python.py
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@echo "Installing pinned packages into $(VENV) …"
	@$(PY) -m pip install --disable-pip-version-check --progress-bar off \
		--require-hashes -r requirements/base.txt
	@$(PY) -m pip install --disable-pip-version-check --quiet --no-deps \
		--no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.base
	@echo "Installing test and check tools …"
	@$(PY) -m pip install --disable-pip-version-check --progress-bar off --quiet \
		--require-hashes -r requirements/dev.txt
	@touch $@
