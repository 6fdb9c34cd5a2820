"""A model's evidence is searched by meaning, too: runs after an index wait for vectors.

The structural writer searches for nothing and starts at once, as does whoever asks.
"""

from __future__ import annotations

from devrag.core.principal import PUBLISHER
from devrag.core.texts import gettext_noop
from devrag.jobs.models import OPEN_STATES, Job
from devrag.products.models import Product
from devrag.search.api import is_paused, search_spec, vector_share
from devrag.wiki.writing.author import author_of

_LOOK_AGAIN_SECONDS = 5.0
WAITS = gettext_noop(
    "The language model needs semantic search to find evidence; waiting until "
    "semantic search is ready."
)


def seconds_to_wait(job: Job) -> float:
    """Return when to look again whether vectors are complete; 0 to begin."""
    product = job.product
    if product is None or job.params.get("isAsked") or not author_of(product).is_model:
        return 0.0
    if is_paused(product) or not _are_made(product):
        return 0.0
    return _LOOK_AGAIN_SECONDS


def lacking_vectors(product: Product) -> str:
    """Say in a sentence which evidence is searched by words alone, '' for none."""
    share = vector_share(product, PUBLISHER)
    is_made = _are_made(product)
    if not share.missing and not is_made:
        return ""
    reason = "embedding is not complete; see its job"
    if share.is_paused:
        reason = "embedding is paused"
    elif is_made:
        reason = (
            "embedding is in progress, and this run was started without waiting for it"
        )
    return (
        f"{share.missing:,} of {share.chunks:,} chunks have no vector ({reason}); "
        "evidence in them is only found by keyword search."
    )


def _are_made(product: Product) -> bool:
    spec = search_spec(product)
    jobs = Job.objects.filter(product=product, kind="embed", state__in=OPEN_STATES)
    return spec is not None and jobs.filter(params__specID=spec.pk).exists()
