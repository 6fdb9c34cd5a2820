"""What part a file plays, told from its path: code, test, build, documentation…"""

from __future__ import annotations

import re

from devrag.wiki.analysis.survey import SurveyFact, SurveyFile

_VENDORED = {"vendor", "vendored", "_vendor", "third_party", "node_modules"}
# `MyProduct.Tests` and `benchmarks`, too, are no part of the product.
_TESTS = re.compile(
    r"^(t|testing|specs?|__tests__|e2e|tests?([-_.].*)?|(bench(marks?)?|perf)([-_.].*)?"
    r"|.*[.\-_](tests?|specs?|bench(marks?)?)|.*(Tests|Benchmarks))$"
)
# The code of a site or of a generator that only shows the documentation.
_DOCUMENTATION = re.compile(
    r"^(docs?|documentation)([-_.]?(src|source|site|website|generator))?$"
    r"|.*[.](Website|Docs\w*)$"
)
_EXAMPLES = {"example", "examples", "sample", "samples", "fixtures", "testdata"}
_EXAMPLES |= {"demo", "demos", "playground"}
_SHELLS = {"bash", "powershell", "batch", "fish", "make"}
_TOOLING = {"scripts", "script", "hack", "ci", "packaging", "build", "buildtools"}
_TOOLING |= {"m4", "cmake", "docker", "contrib", "tools", "dev-tools", "devtools"}
_TEST_NAME = re.compile(
    r"^(test_.*|.*_test|tests|conftest|.*\.(test|spec|bench)|bench_.*|.*_bench"
    r"|.*[a-z](Tests?|Benchmarks?)(?=\.(java|cs|kt)))"
    r"\.\w+$"
)
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
    r"|package\.swift|configure(\.ac|\.in)?|[\w.-]+\.(sbt|gradle|gemspec|csproj|fsproj|sln"
    r"|m4|am|cmake|mk)|hatch_build\.py|gulpfile\.\w+|gruntfile\.\w+"
    r"|(eslint|vite|vitest|webpack|rollup|babel|jest|tsup|next|nuxt|tailwind|postcss"
    r"|playwright|cypress|karma|prettier|svelte|astro|esbuild|rspack|metro|stylelint"
    r"|commitlint)\.(config|setup)\.[cm]?[jt]s|\.[\w-]+rc\.[cm]?js"
    r"|proguard[\w-]*\.\w+)$"
)
# Django and Laravel, Rails, and what teams call theirs.
_MIGRATIONS = re.compile(r"(^|_)(migrations?|migrate)$")
MARKUP_LANGUAGES = {"html", "htmldjango", "jinja", "css", "scss", "less", "svg"}


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
        ("test", any(map(_TESTS.match, parts))),
        ("test", _TEST_NAME.match(file.name) and not is_doc),
        ("build", _is_tooling(file)),
        ("build", _BUILD.match(file.name.lower()) or "requirements" in parts),
        ("build", file.kind == "code" and _shows_documentation(file, parts)),
        ("build", "proguard" in parts),
        ("migration", not is_doc and any(_MIGRATIONS.search(part) for part in parts)),
    ):
        if applies:
            return role
    return ""


def _shows_documentation(file: SurveyFile, parts: set[str]) -> bool:
    """Return whether code stands in a folder of documentation.

    In Go `doc` is a package like any other: its users import it.
    """
    own = parts - {"doc"} if file.language == "go" else parts
    return any(map(_DOCUMENTATION.match, own))


def _is_tooling(file: SurveyFile) -> bool:
    """Return whether code at the top of a source only builds or maintains it."""
    top, _, rest = file.path.partition("/")
    if file.kind != "code":
        return False
    return top in _TOOLING if rest else file.language in _SHELLS


def _kind(file: SurveyFile) -> str:
    if file.kind == "code" and file.language in MARKUP_LANGUAGES:
        return "markup"
    return file.kind if file.kind in {"code", "doc", "config"} else "data"


def is_of_build(fact: SurveyFact) -> bool:
    """Return whether a command or service belongs to the build, not to the product."""
    is_script = fact.data.get("framework") in {"npm", "composer"}
    return is_script or fact.data.get("type") in {"service", "container"}
