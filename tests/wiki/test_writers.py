"""What the model that writes pages may look up."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from devrag.core.principal import SYSTEM
from devrag.search.api import catch_up, search
from devrag.search.types import SearchQuery
from devrag.wiki.generation.writers import find_evidence
from devrag.wiki.writing.model.queries import PseudoQuery
from tests.rerank_server import rerank_server
from tests.wiki.gitshop import GitShop


def test_no_evidence_comes_from_a_wiki(git_shop: GitShop) -> None:
    catch_up(settings.LEXICAL_DIR)
    text = "place order"
    assert search(SearchQuery(text, SYSTEM, kind="wiki")).hits
    asked = [
        PseudoQuery(f"{word}{text}", kind)
        for word in ("", "kind:wiki ")
        for kind in ("doc", "code")
    ]
    found = [
        hit for query in asked for hit in find_evidence(git_shop.product.name, query)
    ]
    assert found
    assert not any(hit.is_wiki for hit in found)


def test_evidence_is_in_the_usual_order(git_shop: GitShop, settings: Any) -> None:
    catch_up(settings.LEXICAL_DIR)
    with rerank_server() as server:
        settings.RERANK_BASE_URL = server.url
        assert find_evidence(git_shop.product.name, PseudoQuery("place order", "code"))
        assert server.seen == []
