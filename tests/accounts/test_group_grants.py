"""OIDC_GROUPS: what can be read, and what stops the start with a reason."""

from __future__ import annotations

import pytest
from environs import ValidationError

from devrag.accounts.oidc.group_grants import (
    EXAMPLE,
    Grants,
    check_groups,
    grants_of,
    read_groups,
)


def test_grants_are_words_or_a_list() -> None:
    text = '{"a": "administrator", "CN=b,OU=x": "x:viewer y:maintainer", "c": []}'
    assert read_groups(text) == {
        "a": ["administrator"],
        "CN=b,OU=x": ["x:viewer", "y:maintainer"],
        "c": [],
    }
    assert read_groups('{"a": ["creator"]}') == {"a": ["creator"]}
    assert read_groups(" ") == {}
    assert read_groups(EXAMPLE)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("admins", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a JSON object"),
        ('{"a": 1}', "of the group 'a' are not text"),
        ('{"a": "root"}', "grants 'root'"),
        ('{"a": "shop:owner"}', "grants 'shop:owner'"),
        ('{"a": ":viewer"}', "grants ':viewer'"),
        ('{"a": [1]}', "grants '1'"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        check_groups(text)


def test_nothing_known_is_nothing_granted() -> None:
    assert grants_of(["x"], {"a": ["administrator"]}) == Grants()
    assert grants_of(["a"], {"a": []}).is_known
