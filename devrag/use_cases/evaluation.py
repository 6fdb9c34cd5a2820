"""Index what an evaluation asks about: checkouts of repositories, or documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from devrag.core.errors import InvalidInput
from devrag.core.hashing import sha256_hex
from devrag.core.principal import SYSTEM
from devrag.jobs.models import OPEN_STATES, Job
from devrag.search.evaluation.questions import Document
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.job_feed import wait_for_job

PRODUCT = "eval"


@dataclass(frozen=True, slots=True)
class Checkout:
    """A repository to ask about. root: the folder of it that is indexed, '' for all."""

    name: str
    root: str

    @property
    def source_name(self) -> str:
        return f"{PRODUCT}-{self.name}"


def read_checkouts(path: Path) -> list[Checkout]:
    """Return the repositories of a JSON list of `{name, benchmark_root}`."""
    try:
        rows = json.loads(path.read_text("utf-8"))
        return [Checkout(row["name"], row.get("benchmark_root") or "") for row in rows]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{path} must be a JSON list of {{name, benchmark_root}}: {error}"
        raise InvalidInput(reason) from error


def index_checkouts(
    checkouts: Iterable[Checkout], folder: Path, product: str = PRODUCT
) -> None:
    """Index `folder/<name>/<root>` of each, and wait until all texts have vectors."""
    places = {each: (folder / each.name / each.root).resolve() for each in checkouts}
    missing = [str(place) for place in places.values() if not place.is_dir()]
    if missing:
        raise InvalidInput(f"Folder not found: {', '.join(missing)}.")
    jobs = [_index(place, each.source_name, product) for each, place in places.items()]
    wait_for_vectors(jobs)


def index_documents(documents: Iterable[Document], name: str) -> Mapping[str, str]:
    """Index texts, each a file of its own; return path → the document's id."""
    folder = settings.DEVRAG_HOME / "eval" / name
    folder.mkdir(parents=True, exist_ok=True)
    ids: dict[str, str] = {}
    for document in documents:
        path = f"{sha256_hex(document.name)[:32]}.txt"
        ids[path] = document.name
        (folder / path).write_text(document.text, "utf-8")
    for file in folder.iterdir():  # of an earlier corpus of that name
        if file.name not in ids:
            file.unlink()
    wait_for_vectors([_index(folder, f"{PRODUCT}-{name}", PRODUCT)])
    return ids


def _index(place: Path, source_name: str, product: str) -> Job:
    return add_repository(
        principal=SYSTEM,
        location=str(place),
        product_name=product,
        source_name=source_name,
        source_type="local",
        is_wiki_wanted=False,
        is_local_user=True,
    )


def wait_for_vectors(jobs: Sequence[Job]) -> None:
    """Wait for indexing, then for embedding: an earlier run may have begun it."""
    names = [job.source_name for job in jobs]
    for job in jobs:
        wait_for_job(job)
    for job in Job.objects.filter(
        kind="embed", source_name__in=names, state__in=OPEN_STATES
    ):
        wait_for_job(job)
