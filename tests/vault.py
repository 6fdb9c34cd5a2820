"""A source that only some members see: all that is in it has the word quokka.

Questions for it say zebrafish, so that an answer which only repeats them names nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from devrag.jobs.models import Job
from devrag.labels.api import ensure_vocabulary
from devrag.labels.models import FileLabel
from devrag.products.models import Product, SourceLimit
from devrag.search.lexical.follower import catch_up
from devrag.search.models import VectorCoverage
from devrag.search.semantic.specs import ensure_active_spec
from devrag.sources.models import (
    Chunk,
    Document,
    Fact,
    File,
    GitRef,
    Skip,
    Snapshot,
    Source,
    Symbol,
)
from tests.stored import add_conflict, store_files, symbol_named

WORD, QUESTION = "quokka", "zebrafish"
CODE = '''"""A quokka counts zebrafish."""


def count_zebrafish(quokka):
    """Let the quokka count every zebrafish in the tank."""
    return quokka.zebrafish
'''
PAGE = "# Quokka README\n\nEvery zebrafish is fed by the quokka of `shop/till.py`.\n"
VERSION = "e" * 40


@dataclass(frozen=True, slots=True)
class Vault:
    source: Source
    ref: GitRef
    symbol: Symbol
    job: Job
    path: str = "quokka/tank.py"


def add_vault(product: Product, *members: User) -> Vault:
    """Add it to a product; without members nobody sees it but administrators."""
    source = Source.objects.create(
        product=product,
        name="quokka-vault",
        source_type="confluence",
        metadata={"url": "https://quokka.example/display/Q"},
        index_error="quokka failed",
    )
    limit = SourceLimit.objects.create(product=product, source_id=source.pk)
    limit.members.set(members)
    snapshot = Snapshot.objects.create(
        source=source,
        version_identifier=VERSION,
        is_indexed=True,
        indexed_at=timezone.now(),
        file_count=7_777,
        line_count=77_777,
        chunk_count=777_777,
    )
    ref = GitRef.objects.create(
        source=source,
        name="quokka",
        kind="branch",
        snapshot=snapshot,
        sequence=1,
        is_current=True,
    )
    store_files(ref, {"quokka/tank.py": CODE, "README.md": PAGE})
    for file in File.objects.filter(source=source):
        _describe(file)
    Skip.objects.create(ref=ref, path="quokka/secret.bin", reason="binary")
    VectorCoverage.objects.create(
        spec=ensure_active_spec(), source=source, chunks=777_777, embedded=1
    )
    job = Job.objects.create(
        kind="index",
        lane="index:quokka-vault:quokka",
        product=product,
        source_name=source.name,
        state="failed",
        error="quokka broke",
        params={"sourceID": source.pk},
    )
    job.events.create(message="quokka was read")
    add_conflict(source)
    catch_up(Path(settings.LEXICAL_DIR))
    return Vault(source, ref, symbol_named(ref, "count_zebrafish"), job)


def _describe(file: File) -> None:
    """Give a file what search, labels and facts know of one."""
    is_code = file.path.endswith(".py")
    Chunk.objects.create(
        file=file,
        ordinal=0,
        kind="symbol" if is_code else "entry",
        symbol_ordinal=0 if is_code else None,
        symbol_kind="function" if is_code else "",
        start_line=1,
        end_line=4,
        text=file.text,
        title="Quokka notes",
        tags=["quokka"],
        content_hash=file.content_hash,
        embedded_hash=file.content_hash,
        tokens=10,
    )
    Symbol.objects.filter(file=file).update(chunk_ordinal=0)
    Fact.objects.create(
        file=file,
        kind="command",
        name="quokka",
        start_line=1,
        end_line=1,
        detector_version=1,
    )
    Document.objects.create(
        file=file,
        kind="page",
        author="Quokka",
        status="quokka",
        labels=["quokka"],
        terms=["kind:page", "author:quokka", "status:quokka", "label:quokka"],
        url="https://quokka.example/1",
    )
    label = ensure_vocabulary(file.source.product_id)[0]
    FileLabel.objects.create(file=file, label=label, origin="rule", reason="quokka")
