"""Names that are taken are refused a limited number of times."""

from __future__ import annotations

import pytest

from devrag.access.shared_cache import SharedCache
from devrag.core.errors import Conflict
from devrag.core.principal import SYSTEM, Principal, Role
from devrag.products.names import MAX_REFUSED_NAMES, TooManyNames, refuse_name

# An administrator's token for one product belongs to nobody: its name counts.
LIMITED = Principal(
    name="token ci at work (devrag_Ab…)",
    role=Role.ADMIN,
    product_ids=frozenset({1}),
)


def test_a_token_that_belongs_to_nobody_is_limited_too() -> None:
    for _ in range(MAX_REFUSED_NAMES):
        assert isinstance(refuse_name("tea", LIMITED), Conflict)
    with pytest.raises(TooManyNames):
        refuse_name("tea", LIMITED)


def test_who_sees_all_products_is_not_limited() -> None:
    for _ in range(MAX_REFUSED_NAMES + 1):
        assert isinstance(refuse_name("tea", SYSTEM), Conflict)


def test_a_count_that_expires_meanwhile_is_no_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SharedCache, "add", lambda *_args, **_more: False)
    assert isinstance(refuse_name("tea", LIMITED), Conflict)
