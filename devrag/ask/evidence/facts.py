"""Routes, commands, settings and the like that a question names."""

from __future__ import annotations

import re
from collections.abc import Collection

from django.utils.translation import gettext, gettext_noop

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.core.identifiers import words_of
from devrag.search.api import read_question
from devrag.sources.models import Fact

_WHAT = {
    "route": gettext_noop("Route %(name)s"),
    "command": gettext_noop("Command %(name)s"),
    "setting": gettext_noop("Setting %(name)s"),
    "model": gettext_noop("Data model %(name)s"),
    "task": gettext_noop("Task %(name)s"),
    "entry_point": gettext_noop("Entry point %(name)s"),
}
# What a file starts as says nothing but its name: only for questions about that.
_ENTRY_POINT = "entry_point"
_STARTED = re.compile(
    r"\b(?:entry.?points?|scripts?|commands?|cli|main|programs?|executables?|binary"
    r"|runs?|running|start(?:s|ed|ing)?|launch(?:es|ed)?|invoked?|executed?)\b"
    r"|エントリ|スクリプト|コマンド|プログラム|起動|実行|入口|入り口",
    re.IGNORECASE,
)
_WEIGHT, _MOST, _READ = 0.15, 4, 200
# The share of a name's words that the question has; shorter words say too little.
_LEAST_SHARE, _LEAST_WORD = 0.6, 4


def find_facts(text: str, source_ids: Collection[int]) -> list[PassageCandidate]:
    """Return the facts whose names the question has, the best first. Queries: 1."""
    words = {w for w in read_question(text).words if len(w) >= _LEAST_WORD}
    if not words:
        return []
    rows = Fact.objects.filter(
        kind__in=_kinds(text),
        name__iregex="|".join(map(re.escape, sorted(words))),
        file__source__in=source_ids,
        file__is_generated=False,
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    ).select_related("file__source")
    known = rows.defer("file__text").order_by("pk")[:_READ]
    asked = _stems(text)
    shares = [(_share(fact.name, asked), fact) for fact in known]
    named = [pair for pair in shares if pair[0] >= _LEAST_SHARE]
    named.sort(key=lambda pair: (-pair[0], len(pair[1].name), pair[1].pk))
    return [_candidate(fact, share) for share, fact in named[:_MOST]]


def _kinds(text: str) -> list[str]:
    is_about_start = _STARTED.search(text) is not None
    return [kind for kind in _WHAT if kind != _ENTRY_POINT or is_about_start]


def _candidate(fact: Fact, share: float) -> PassageCandidate:
    why = gettext(_WHAT[fact.kind]) % {"name": fact.name}
    return fact_candidate(fact, weight=_WEIGHT * share, why=why)


def fact_candidate(fact: Fact, *, weight: float, why: str) -> PassageCandidate:
    """Return the lines of a fact as evidence."""
    return PassageCandidate(
        source=fact.file.source.name,
        path=fact.file.path,
        start_line=fact.start_line,
        end_line=fact.end_line,
        kind="fact",
        weight=weight,
        file_weight=weight,
        title=fact.name,
        why=why,
    )


def _share(name: str, asked: Collection[str]) -> float:
    words = _stems(name)
    return len(words & set(asked)) / len(words) if words else 0.0


def _stems(text: str) -> set[str]:
    found = words_of(text)
    return {word.lower()[:5] for word in found if len(word) > 2}
