"""What of the candidates a reranker gets, who allows it, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from django.utils import timezone

from devrag.core.masking import mask_secrets
from devrag.llm.chat import Usage
from devrag.llm.providers import Reranker
from devrag.sources.models import Chunk
from devrag.spending.measuring import record_call
from devrag.spending.models import RERANK_PURPOSE, ModelCall


@dataclass(frozen=True, slots=True)
class CandidateText:
    """A chunk's text with its place, and the product that it belongs to."""

    chunk_id: int
    text: str
    product_id: int
    product_name: str
    may_leave: bool


def read_texts(chunk_ids: Sequence[int]) -> Mapping[int, CandidateText]:
    """Return the texts of the chunks that still exist. Queries: 1."""
    rows = Chunk.objects.filter(pk__in=chunk_ids).values_list(
        *("pk", "header", "text", "file__source__product"),
        *("file__source__product__name",),
        "file__source__product__is_external_models_allowed",
    )
    return {
        key: CandidateText(key, _with_place(header, text), *product)
        for key, header, text, *product in rows
    }


def _with_place(header: str, text: str) -> str:
    """Return the text under its path and what it lies in: both tell what it is."""
    return f"{header}\n{text}" if header else text


def sent_texts(reranker: Reranker, texts: Iterable[CandidateText]) -> list[str]:
    """Return what is sent: beginnings, without what looks like a secret."""
    return [reranker.fit(mask_secrets(each.text)) for each in texts]


def note_call(reranker: Reranker, texts: Sequence[CandidateText], tokens: int) -> None:
    """Count a call for each product, by its share of the texts. No price is known."""
    products = [each.product_id for each in texts]
    run, now = uuid4(), timezone.now()
    calls = ModelCall.objects.bulk_create(
        ModelCall(
            product_id=product,
            purpose=RERANK_PURPOSE,
            provider="rerank",
            model=reranker.name[:120],
            run=run,
            input_tokens=round(tokens * products.count(product) / len(products)),
            finished_at=now,
        )
        for product in dict.fromkeys(products)
    )
    for call in calls:
        record_call(call, Usage(input_tokens=call.input_tokens), None)
