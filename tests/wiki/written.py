"""Writes the pages of sources as a run does, without a database."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings

from devrag.wiki.checking.mermaid import shared_parser
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.generation.page import compose_page
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import analyse


def write(*sources: Mapping[str, str], language: str = "en") -> dict[str, DraftedPage]:
    analysis = analyse(*sources)
    plan = plan_wiki(analysis, language)
    parser = shared_parser(settings.MERMAID_PATH)
    return {
        page.path: compose_page(analysis, plan, page, parser.error_in)
        for page in plan.pages
    }
