"""Pages stand in the group in which a reader looks for them."""

from __future__ import annotations

import pytest

from devrag.wiki.planning.page_groups import PAGE_GROUPS, group_of
from devrag.wiki.writing.page_kinds import PAGE_KINDS


@pytest.mark.parametrize(
    ("kind", "title", "has_files", "group"),
    [
        ("index", "Shop", True, "start"),
        ("feature", "Quickstart", False, "start"),
        ("feature", "Callbacks", False, "concepts"),
        ("feature", "Shop User Contract", False, "project"),
        ("feature", "Quickstart", True, "code"),
        ("architecture", "Architecture", True, "code"),
        ("examples", "Examples", True, "concepts"),
        ("api", "API", True, "reference"),
        ("testing", "Testing", True, "project"),
    ],
)
def test_a_page_has_its_group(
    kind: str,
    title: str,
    has_files: bool,
    group: str,
) -> None:
    assert group_of(kind, title, has_files=has_files) == group


def test_every_kind_has_a_group() -> None:
    found = {group_of(kind.name, "", has_files=True) for kind in PAGE_KINDS}
    assert found <= set(PAGE_GROUPS)
