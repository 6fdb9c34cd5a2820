#!/bin/sh
# Everything that can be said about the code without running it.
set -eu
step() { printf '%-14s' "$1"; shift; "$@" && echo ok; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DEVRAG_HOME="$work/home"

step format ruff format --check --quiet .
step lint ruff check --quiet .
step types mypy --no-error-summary
step imports lint-imports --no-logo
step templates djlint --check --lint --quiet templates
step migrations python manage.py makemigrations --check --dry-run -v 0
DATABASE_URL=postgres://devrag:x@database.invalid/devrag \
    REDIS_URL=redis://broker.invalid/0 \
    SECRET_KEY=$(python -c 'import secrets; print(secrets.token_urlsafe(60))') \
    ALLOWED_HOSTS=devrag.example \
    step deploy python manage.py check --deploy --fail-level WARNING -v 0
