"""What rules say of files, by their paths, imports and declared facts."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.labels.kinds import KINDS
from devrag.labels.path_patterns import matches
from devrag.labels.rules import FileView, find_kinds


def kinds(path: str, **fields: Any) -> set[str]:
    named = {
        name: frozenset(value) if name in {"imports", "facts"} else value
        for name, value in fields.items()
    }
    return {kind for kind, _ in find_kinds(FileView(path=path, **named))}


@pytest.mark.parametrize(
    ("path", "fields", "expected"),
    [
        ("src/auth/login.py", {}, {"auth"}),
        ("app/TokenAuthenticator.java", {}, {"auth"}),
        ("app/service.py", {"imports": ["django.contrib.auth.models"]}, {"auth"}),
        ("app/author.py", {}, set()),
        ("lib/tls.go", {"imports": ["crypto/tls"]}, {"security"}),
        ("app/db.py", {}, {"storage"}),
        ("app/people.py", {"facts": ["model:django"]}, {"storage"}),
        ("io/codec/redis/RedisDecoder.java", {}, set()),
        ("app/people.py", {"facts": ["route"]}, {"api"}),
        ("schema/shop.proto", {"kind": "data"}, {"api"}),
        ("app/templates/cart.html", {"kind": "code"}, {"ui"}),
        (
            "shop/__main__.py",
            {"imports": ["argparse"], "facts": ["entry_point"]},
            {"cli"},
        ),
        ("shop/terminal.py", {"imports": ["argparse"]}, set()),
        ("app/point.py", {"facts": ["model:dataclass"]}, set()),
        ("http2/RemoteFlowController.java", {}, set()),
        (".github/ISSUE_TEMPLATE/config.yml", {"kind": "config"}, set()),
        ("doc/md_docs.go", {}, set()),
        ("shop/settings.py", {}, {"config"}),
        ("shop/logging.py", {}, {"logging"}),
        ("pyproject.toml", {"kind": "config"}, {"build"}),
        (".github/workflows/ci.yml", {"kind": "config"}, {"build"}),
        ("docs/guide.md", {"kind": "doc"}, {"docs"}),
        ("LICENSE.md", {"kind": "doc"}, set()),
        ("tests/test_cart.py", {"imports": ["sqlite3", "argparse"]}, {"test"}),
        ("tests/test_auth.py", {}, {"test", "auth"}),
        ("examples/todo/app.py", {}, {"examples"}),
        ("shop/cart.py", {}, set()),
    ],
)
def test_a_rule_says_what_a_file_is_about(
    path: str, fields: dict[str, Any], expected: set[str]
) -> None:
    assert kinds(path, **fields) == expected


def test_every_rule_is_of_a_built_in_kind_and_gives_its_reason() -> None:
    views = [
        FileView(path="src/auth/login.py"),
        FileView(path="app/x.py", imports=frozenset({"sqlite3"})),
        FileView(path="app/x.py", facts=frozenset({"route", "command"})),
    ]
    found = [each for view in views for each in find_kinds(view)]
    assert {kind for kind, _ in found} <= KINDS.keys()
    assert [reason for _, reason in found] == [
        "name: auth",
        "import: sqlite3",
        "declares: route",
        "declares: command",
    ]


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("billing/", "app/billing/invoice.py", True),
        ("billing/", "billing.py", False),
        ("app/billing/", "app/billing/a/b.py", True),
        ("app/billing/", "web/app/billing/a.py", False),
        ("*_test.go", "a/b/x_test.go", True),
        ("src/**/*.sql", "src/a/b.sql", True),
        ("src/*.sql", "src/a/b.sql", False),
        ("[", "[", False),
    ],
)
def test_path_patterns_are_those_of_gitignore(
    pattern: str, path: str, expected: bool
) -> None:
    assert matches(pattern, path) is expected
