"""Keys made of words are told from names in code."""

from __future__ import annotations

import pytest

from devrag.core.masking import mask_secrets

KEYS = [
    "export API_TOKEN=§AcmeProd_Token_48213",
    "secret_key: §Production2024Secret99",
    "session_key=§Oauth2Client9876Sesame",
    "https://bob:§SUMMER_WINTER@db.example.org/shop",
]
NAMES = [
    "https://bob:DB_PASSWORD@db.example.org/shop",
    "token = Oauth2Client",
    'dependencies = [("auth", "0002_alter_permission_name_max_length")]',
]


@pytest.mark.parametrize("line", KEYS)
def test_a_key_made_of_words_is_hidden(line: str) -> None:
    before, _, key = line.partition("§")
    masked = mask_secrets(before + key)
    assert masked.startswith(before)
    assert "•" in masked
    assert key[:12] not in masked


@pytest.mark.parametrize("line", NAMES)
def test_a_name_in_code_stays(line: str) -> None:
    assert mask_secrets(line) == line
