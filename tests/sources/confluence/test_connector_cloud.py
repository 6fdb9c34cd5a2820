"""A space of Confluence Cloud."""

from __future__ import annotations

import pytest

from devrag.core.errors import NotFound
from tests.sources.confluence.confluence_server import Wiki, fill
from tests.sources.pages.reading import (
    Open,
    later,
    texts,
)


@pytest.fixture
def cloud(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> Wiki:
    """Have the wiki be Cloud: its host cannot tell it on loopback."""
    wiki.is_cloud = True
    monkeypatch.setattr(
        "devrag.sources.connectors.confluence.address._GATEWAY", "127.0.0.1"
    )
    return wiki


def test_cloud_is_read_by_cursors_with_an_e_mail_address(
    cloud: Wiki, opened: Open
) -> None:
    fill(cloud, 450)
    cloud.attach("1", "a.txt", b"a")
    connector = opened()
    found = texts(connector)
    assert len(found) == 451
    assert "cursor=" in "".join(cloud.requests)
    later(cloud, hours=25)
    cloud.delete(next(i for i, e in cloud.content.items() if e["title"] == "Page 449"))
    assert len(texts(connector)) == 450


def test_a_cloud_space_that_is_not_there(cloud: Wiki, opened: Open) -> None:
    connector = opened()
    cloud.key = "OTHER"
    with pytest.raises(NotFound, match="no access to a space ENG"):
        connector.probe()
