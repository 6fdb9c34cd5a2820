"""A question as what it is about: by a model when there is one, else by rules."""

from __future__ import annotations

import re

import structlog
from django.conf import settings

from devrag.core.hashing import sha256_hex
from devrag.core.text import clean_text
from devrag.llm.chat import ChatModel, Message
from devrag.llm.fence import Fence
from devrag.search.models import QueryRewrite
from devrag.search.query_model import FAILURES, instructed
from devrag.search.types import MAX_QUERY_CHARS

log = structlog.get_logger("devrag.search")
_TASK = (
    "Rewrite the search query as a few precise terms for a search in source code and "
    "its documents. Keep names and the language of the query. Answer with the terms "
    "alone. "
)
_MAX_TOKENS = 200
_MODEL_CHARACTERS = 120
# What surrounds the matter of a question, at its beginning and at its end.
_OPENINGS = re.compile(
    r"(?:hi|hello|hey|please|pls|and|so|can you|could you|would you|i want to|"
    r"i would like to|i'd like to|i need to|help me(?: to)?|tell me|show me|explain|"
    r"find me|find|search for|look for|give me|where (?:is|are|does|do|can i find)|"
    r"what (?:is|are|does)|which|how (?:do i|do you|do we|can i|can we|to|is|are|does|"
    r"do)|why (?:is|are|does|do)|who|when (?:is|are|does|do)|is there|are there|"
    r"know|the|a|an|any|some|in which (?:file|function|class))\b[\s,:]*",
    re.IGNORECASE,
)
_ENDINGS = re.compile(
    r"(?:[\s,]*\b(?:please|pls|thanks|thank you|in (?:this|the) (?:code|codebase|"
    r"repository|repo|project|source)|here)|"
    r"(?:について)?(?:を)?(?:教えて(?:ください|下さい|ほしい)?|知りたい(?:です)?|"
    r"説明して(?:ください|下さい)?|探して(?:ください|下さい)?)|"
    r"(?:は|が)?(?:どこ|何|なに|どう|どのように|どうやって)(?:に|で|を)?"
    r"(?:あり|し|なり|でき|書かれてい|定義されてい|実装されてい)?(?:ます|です)?か?|"
    r"[\s?？!！.。、,]+)$",
    re.IGNORECASE,
)


def rewrite_query(text: str, model: ChatModel | None = None) -> str:
    """Return the query to ask instead; the same question asks a model once.

    When the model fails, the query stays as it is.
    """
    if model is None:
        return rewrite_by_rules(text)
    key = {
        "model": f"{model.provider}/{model.model}"[:_MODEL_CHARACTERS],
        "query_hash": sha256_hex(text),
    }
    known = QueryRewrite.objects.filter(**key).first()
    if known is not None:
        return known.rewritten
    try:
        rewritten = _ask(model, text)
    except FAILURES as error:
        log.warning("query not rewritten", error=error.message)
        return text
    row, _ = QueryRewrite.objects.get_or_create(
        **key, defaults={"query": _kept(text), "rewritten": rewritten}
    )
    return row.rewritten


def rewrite_by_rules(text: str) -> str:
    """Return a question without the words that only make it one.

    >>> rewrite_by_rules("Please show me where the token is checked?")
    'where the token is checked'
    """
    query = text.strip()
    while (shorter := _ENDINGS.sub("", query)) != query and shorter:
        query = shorter
    while (opening := _OPENINGS.match(query)) and query[opening.end() :].strip():
        query = query[opening.end() :].lstrip()
    return query


def _kept(text: str) -> str:
    """Return what is kept of a question beside its hash, as the log's setting says."""
    return text if settings.IS_SEARCH_LOGGED else ""


def _ask(model: ChatModel, text: str) -> str:
    fence = Fence([text])
    said = model.complete(
        [instructed(_TASK, fence), Message("user", fence.around("query", text))],
        max_output_tokens=_MAX_TOKENS,
        temperature=0.0,
    ).text
    rewritten = " ".join(clean_text(said).split())[:MAX_QUERY_CHARS]
    return text if fence.word in rewritten else rewritten or text
