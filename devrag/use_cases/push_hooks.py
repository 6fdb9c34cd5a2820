"""A push at a git host becomes an index run of the ref that moved."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping

import structlog
from django.db import transaction
from django.db.models import Q

from devrag.core.errors import ConfigurationError
from devrag.core.principal import Principal, Role
from devrag.jobs.models import Job
from devrag.sources.api import load_hook_secret
from devrag.sources.models import HookDelivery, Source
from devrag.use_cases.index import request_index
from devrag.use_cases.push_events import Host, Ignored, Push

log = structlog.get_logger(__name__)
# Checked where there is no secret, so that every refusal costs the same.
_DECOY = secrets.token_urlsafe(32)


def find_signed_source(
    key: str, host: Host, headers: Mapping[str, str], body: bytes
) -> Source | None:
    """Return the source of this id or name whose secret signed the request.

    None says no more than that: not whether there is such a source, or a secret.
    """
    named = Q(name=key)
    if re.fullmatch(r"[0-9]{1,18}", key):
        named |= Q(pk=int(key))
    sources = Source.objects.filter(named).select_related("product")
    secrets_by_source = {source: _secret(source) for source in sources}
    if not any(secrets_by_source.values()):
        host.is_signed(headers, body, _DECOY)
        return None
    signed = [
        source
        for source, secret in secrets_by_source.items()
        if secret and host.is_signed(headers, body, secret)
    ]
    return signed[0] if signed else None


def _secret(source: Source) -> str:
    try:
        return load_hook_secret(source)
    except ConfigurationError as error:
        # The sender must not learn of it, the operator must.
        log.error("hook_secret_unreadable", source=source.name, error=error.message)  # noqa: TRY400
        return ""


@transaction.atomic
def follow_push(
    *, kind: str, source: Source, event: Push | Ignored, delivery: bytes
) -> Job | Ignored:
    """Index the head of the pushed ref, if it is one that this source follows.

    delivery: identifies it; the same one is ignored from then on. The source's setting
    decides whether the wiki is written: nothing in the address of a hook is signed.

    The commit of the push is left aside: of a burst only the last run happens (Latest
    Only), and it should see the newest head. The same push again finds it unchanged.
    """
    if isinstance(event, Ignored):
        return event
    is_indexed = source.refs.filter(name=event.name, kind=event.kind).exists()
    if not is_indexed and not _is_default(source, event):
        return Ignored(
            f"The {event.kind} '{event.name}' of this source has not been indexed. "
            "Index it once; later pushes to it are then indexed automatically."
        )
    if not _is_first(source, delivery):
        return Ignored("This delivery has already been received and processed.")
    return request_index(
        principal=_sender(kind, source),
        source=source,
        ref=event.name if is_indexed else None,
        is_wiki_wanted=source.is_wiki_scheduled,
    )


def _is_first(source: Source, delivery: bytes) -> bool:
    """Remember a delivery; return whether it was unknown."""
    if not delivery:
        return True
    digest = hashlib.sha256(delivery).digest()
    _, is_new = HookDelivery.objects.get_or_create(source=source, digest=digest)
    return is_new


def _is_default(source: Source, push: Push) -> bool:
    """Return whether a ref that was never indexed is what `index` would choose."""
    wanted = source.metadata.get("default_branch") or push.default_branch
    return push.kind == "branch" and push.name == wanted


def _sender(kind: str, source: Source) -> Principal:
    """Who signed with a source's secret may index that source, nothing else."""
    return Principal(
        name=f"{kind} push",
        role=Role.MAINTAINER,
        product_ids=frozenset({source.product_id}),
        scopes=frozenset({"read", "index"}),
    )
