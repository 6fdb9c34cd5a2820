"""What part a file plays, told from its path: code, test, build, documentation…"""

from __future__ import annotations

import re

from devrag.wiki.analysis.survey import SurveyFile

_VENDORED = {"vendor", "vendored", "_vendor", "third_party", "node_modules"}
_TESTS = {"test", "tests", "testing", "spec", "__tests__", "e2e"}
_EXAMPLES = {"example", "examples", "sample", "samples", "fixtures", "testdata"}
_TEST_NAME = re.compile(r"^(test_.*|.*_test|tests|conftest|.*\.(test|spec))\.\w+$")
_MINIFIED = re.compile(r"\.min\.(js|css|mjs)$")
_LOCK = re.compile(
    r"^(.*[-.]lock(\.json|\.yaml)?|package-lock\.json|pnpm-lock\.yaml|go\.sum)$"
)
_CI = re.compile(
    r"^(\.github/(workflows|actions)/|\.ci/|\.circleci/|\.gitlab-ci|Jenkinsfile$"
    r"|azure-pipelines|\.travis\.yml$|\.drone\.yml$)"
)
_BUILD = re.compile(
    r"^(makefile|gnumakefile|justfile|dockerfile.*|containerfile|docker-compose.*"
    r"|compose\.ya?ml|pyproject\.toml|setup\.(py|cfg)|package\.json|tox\.ini|noxfile\.py"
    r"|requirements.*\.(txt|in)|cmakelists\.txt|go\.mod|cargo\.toml|pom\.xml"
    r"|build\.gradle(\.kts)?|gemfile|rakefile|procfile|\.pre-commit-config\.yaml"
    r"|manifest\.in|meson\.build|\.dockerignore|composer\.json|mix\.exs|go\.work"
    r"|package\.swift|[\w.-]+\.(sbt|gradle|gemspec|csproj|fsproj|sln))$"
)
# Django and Laravel, Rails, and what teams call theirs.
_MIGRATIONS = re.compile(r"(^|_)(migrations?|migrate)$")
_MARKUP = {"html", "htmldjango", "jinja", "css", "scss", "less", "svg"}


def role_of(file: SurveyFile) -> str:
    """Return the file's role.

    One of vendored, lock, ci, test, build, example, migration, doc, config, markup,
    code, data.
    """
    parts = set(file.path.split("/")[:-1])
    if parts & _VENDORED or _MINIFIED.search(file.name):
        return "vendored"
    if _LOCK.match(file.name):
        return "lock"
    return _place(file, parts) or _kind(file)


def _place(file: SurveyFile, parts: set[str]) -> str:
    if _CI.match(file.path):
        return "ci"
    is_doc = file.kind == "doc"
    for role, applies in (
        ("build", file.path.startswith(".") and "/" in file.path and not is_doc),
        ("example", parts & _EXAMPLES),
        ("test", parts & _TESTS or (_TEST_NAME.match(file.name) and not is_doc)),
        ("build", _BUILD.match(file.name.lower()) or "requirements" in parts),
        ("build", parts & {"doc", "docs"} and file.kind == "code"),
        ("migration", not is_doc and any(_MIGRATIONS.search(part) for part in parts)),
    ):
        if applies:
            return role
    return ""


def _kind(file: SurveyFile) -> str:
    if file.kind == "code" and file.language in _MARKUP:
        return "markup"
    return file.kind if file.kind in {"code", "doc", "config"} else "data"
