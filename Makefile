# `make demo` and `make test` are enough to get started; `make help` lists all targets.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
PY := $(VENV)/bin/python
# The demo and the tests never use paid keys: empty values override .env.
KEYLESS := OPENAI_API_KEY= ANTHROPIC_API_KEY= GEMINI_API_KEY= LLM_API_KEY= EMBEDDING_API_KEY= RERANK_API_KEY= RERANK_BASE_URL=
# Modules in their order: the longest one, an installation, starts early.
SPREAD := --dist loadscope --no-loadscope-reorder
REPO ?= .
SEED ?= 1
FAULTS ?= 40
NAME ?= $(if $(filter .,$(REPO)),devrag)

.PHONY: help demo stop test test-full chaos test-containers check messages schema permissions screenshots lock install dev clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

demo: ## Install and start devrag, index this repository and generate its wiki
	@began=$$(date +%s.%N); $(MAKE) --no-print-directory install && \
	$(KEYLESS) DEMO_BEGAN=$$began $(PY) manage.py demo "$(REPO)" --name "$(NAME)"

stop: ## Stop everything that `make demo` started
	@test ! -x $(PY) || $(PY) manage.py server stop

test: dev ## Run the test suite on its own services
	@$(KEYLESS) $(PY) -m pytest -n 3 $(SPREAD) -m "not slow" $(ARGS)

test-full: dev ## Run all tests, including the slow ones; as root, also installs Redmine
	@sh scripts/redmine.sh
	@$(KEYLESS) $(PY) -m pytest -n 2 $(SPREAD) $(ARGS)

test-containers: ## As root, with podman: build the image and try docker-compose.yml
	@sh scripts/container_trial.sh

chaos: dev ## Break an installation in every way while it works (SEED=1 FAULTS=40)
	@$(KEYLESS) PYTHONPATH=. $(PY) benchmarks/chaos.py --seed $(SEED) --faults $(FAULTS)

check: dev ## Check format, lint, types, import contracts, templates, migrations, deployment
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" sh scripts/check.sh

install: $(VENV)/.base ## Create the environment with the pinned packages
	@:

dev: $(VENV)/.dev ## Like install, with the tools for tests and checks
	@:

screenshots: dev ## Take screenshots of all pages of the running demo, into screenshots/
	@$(PY) scripts/screenshots.py

schema: dev ## Generate docs/data-schema.md from the models
	@$(PY) scripts/schema.py

permissions: dev ## Generate docs/permissions.md, the permissions of each role
	@$(PY) scripts/permissions.py

messages: dev ## Update and compile the translation catalogs
	@$(PY) scripts/messages.py

lock: ## Update the pinned requirements, with hashes
	@sh scripts/lock.sh

clean: ## Remove the environment and caches; data in var/ is kept
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
