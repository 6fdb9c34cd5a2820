"""A path tells what a file is for; only code of the product makes topics."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.roles import role_of
from devrag.wiki.analysis.survey import SurveyFile


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("app/migrations/0001_initial.py", "migration"),
        ("db/migrate/20240101_add.rb", "migration"),
        ("db/old_migrations/001_add.rb", "migration"),
        ("app/migrator/run.py", "code"),
        ("composer.json", "build"),
        ("shop.gemspec", "build"),
        ("eslint.config.mjs", "build"),
        (".eslintrc.cjs", "build"),
        ("src/app/app.config.ts", "code"),
        ("tools/release.py", "build"),
        ("src/tools/search.py", "code"),
        ("docs-src/generate.py", "build"),
        ("src/Shop.Website/Program.cs", "build"),
        ("src/website/views.py", "code"),
        ("metrics/src/ParseBenchmark.java", "test"),
        ("perf-measures/run.ts", "test"),
        ("performance/monitor.py", "code"),
        ("test-shrinker/Main.java", "test"),
        ("src/testimonials/list.py", "code"),
        ("META-INF/proguard/shop.pro", "build"),
        ("examples/first.py", "example"),
        ("vendor/left.js", "vendored"),
    ],
)
def test_a_path_tells_what_a_file_is_for(path: str, role: str) -> None:
    language = "json" if path.endswith("json") else "python"
    assert role_of(SurveyFile(1, "s", path, language, "code", 9)) == role


def test_documents_about_tests_are_documents() -> None:
    file = SurveyFile(1, "s", "docs/test_plan.md", "markdown", "doc", 9)
    assert role_of(file) == "doc"


@pytest.mark.parametrize(
    ("path", "role"),
    [("doc/man.go", "code"), ("docs/site.go", "build"), ("doc/man_test.go", "test")],
)
def test_doc_is_a_package_of_go_like_any_other(path: str, role: str) -> None:
    assert role_of(SurveyFile(1, "s", path, "go", "code", 9)) == role
