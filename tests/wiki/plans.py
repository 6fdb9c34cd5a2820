"""Plans pages of every kind, as a run does."""

from __future__ import annotations

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.planning.plan import Plan, make_plan
from devrag.wiki.writing.page_kinds import PAGE_KINDS


def plan_wiki(analysis: Analysis, language: str = "en") -> Plan:
    return make_plan(analysis, PAGE_KINDS, language)
