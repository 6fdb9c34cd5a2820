"""Who owns a file, by CODEOWNERS."""

from __future__ import annotations

import pytest

from devrag.sources.owners import find_owners

OWNERS = """\
# Everybody's
*            @all ops@example.com
*.js         @web   # scripts
/docs/       @writers
apps/        @apps
/build/logs/ @builds
/apps/github
docs/with\\ space.md @space
!secret      @nobody

[Database][2] @dba
/db/
/db/seeds    @seeds
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("a.py", ("@all", "ops@example.com")),
        ("src/a.js", ("@web",)),
        ("docs/deep/a.md", ("@writers",)),
        ("src/docs/a.md", ("@all", "ops@example.com")),
        ("x/apps/a", ("@apps",)),
        ("apps/github/a", ()),  # taken back: a rule without owners
        ("docs/with space.md", ("@space",)),
        ("db/a.sql", ("@dba",)),
        ("db/seeds/a.sql", ("@seeds",)),
        ("secret", ("@all", "ops@example.com")),
    ],
)
def test_the_last_rule_decides(path: str, owners: tuple[str, ...]) -> None:
    assert find_owners(OWNERS, path) == owners


def test_without_rules_nobody_owns_it() -> None:
    assert find_owners("", "a.py") == ()
    assert find_owners("# nothing\n\n\x00\n[", "a.py") == ()
