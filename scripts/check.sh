#!/bin/sh
# Everything that can be said about the code without running it.
set -eu
work=$(mktemp -d)
step() {
    printf '%-14s' "$1"
    shift
    if "$@" >"$work/said" 2>&1; then echo ok; else echo FAILED; cat "$work/said"; exit 1; fi
}
trap 'rm -rf "$work"' EXIT
export DEVRAG_HOME="$work/home"

step format ruff format --check --quiet .
step lint ruff check --quiet .
step types mypy --no-error-summary
step imports lint-imports --no-logo
step templates djlint --lint --quiet templates
step migrations python manage.py makemigrations --check --dry-run -v 0
# Production settings: external services, https, a real host name.
export DATABASE_URL=postgres://devrag:x@database.invalid/devrag
export REDIS_URL=redis://broker.invalid/0 ALLOWED_HOSTS=devrag.example
SECRET_KEY=$(python -c 'import secrets; print(secrets.token_urlsafe(60))')
export SECRET_KEY
step deploy python manage.py check --deploy --fail-level WARNING -v 0
