"""What leaves for a remote model: who allows it, in which form, and what it cost."""

from __future__ import annotations

from decimal import Decimal

from django.utils import timezone

from devrag.core.masking import mask_secrets
from devrag.jobs.models import Job
from devrag.llm.chat import Usage
from devrag.llm.embedder import Embedder
from devrag.products.external_models import check_external_models
from devrag.products.models import Product
from devrag.search.models import EmbeddingSpec
from devrag.search.semantic.embedded_text import embedded_text
from devrag.search.semantic.specs import dollars_of
from devrag.sources.models import Chunk
from devrag.spending.measuring import record_call
from devrag.spending.models import EMBEDDING_PURPOSE, ModelCall


def check_may_send(spec: EmbeddingSpec, job: Job) -> None:
    """Raise PermissionDenied if the product's texts must not leave for this model.

    Asked anew before each sending: it may have been forbidden while the job ran.
    """
    if not spec.is_external:
        return
    product = Product.objects.filter(jobs=job).first()
    check_external_models(
        product, spec.name, instead="Its vectors are computed by the local model."
    )


def sent_text(spec: EmbeddingSpec, embedder: Embedder, chunk: Chunk) -> str:
    """Return what is embedded of a chunk; what looks like a secret does not leave."""
    text = embedded_text(
        kind=chunk.kind, header=chunk.header, heading=chunk.heading, text=chunk.text
    )
    return embedder.fit(mask_secrets(text) if spec.is_external else text)


def note_call(job: Job, spec: EmbeddingSpec, tokens: int) -> None:
    """Count what a call of a remote model cost its product."""
    if not spec.is_external or job.product_id is None:
        return
    dollars = dollars_of(spec, tokens)
    call = ModelCall.objects.create(
        product_id=job.product_id,
        purpose=EMBEDDING_PURPOSE,
        provider=spec.provider,
        model=spec.model,
        run=job.pk,
        input_tokens=tokens,
        cost=None if dollars is None else Decimal(str(round(dollars, 6))),
        finished_at=timezone.now(),
    )
    record_call(call, Usage(input_tokens=tokens), call.cost)
