"""Which file versions a version of a source holds, as far as the database knows."""

from __future__ import annotations

import re

from django.contrib.postgres.search import TrigramSimilarity
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from devrag.core.errors import FileNotFound
from devrag.core.time_limit import TimeLimitExceeded, time_limit
from devrag.mentions.api import FILE_NAME
from devrag.sources.models import File, GitRef, Source
from devrag.sources.selectors import CURRENT_VERSION
from devrag.wiki.models import Claim

_COMMIT = re.compile(r"[0-9a-f]{40,64}")
# Share of common trigrams from which on a path may have been meant.
_ALIKE = 0.4
_MOST_CHARACTERS, _SECONDS = 300, 1.0


def find_ref(source: Source, version: str) -> GitRef | None:
    """Return the ref whose manifest is this version: `current`, a commit or its name.

    Queries: 1, 2 for a name.
    """
    refs = source.refs.select_related("snapshot")
    if version == CURRENT_VERSION:
        return refs.filter(is_current=True).first()
    known = refs.filter(snapshot__version_identifier=version)
    return known.order_by("-is_current").first() or refs.filter(name=version).first()


def stays_same(ref: GitRef | None, version: str) -> bool:
    """Return whether a version that was found names a commit.

    Its files never change.
    """
    if ref is None:
        return True
    return ref.snapshot is not None and ref.snapshot.version_identifier == version


def brief(version: str) -> str:
    """Return a commit's first digits, a name as it is."""
    return version[:12] if _COMMIT.fullmatch(version) else version


def find_file(source: Source, ref: GitRef | None, version: str, path: str) -> File:
    """Return a file at a version; raise NotFound with what to do instead."""
    files = File.objects.filter(source=source, path=path)
    found = None
    if ref is not None:
        found = files.filter(manifests__ref=ref, manifests__until=None).first()
    elif version != CURRENT_VERSION:
        found = _find_cited(source, version, path)
    if found is None:
        raise _not_found(source, ref, version, path)
    return found


def _not_found(
    source: Source, ref: GitRef | None, version: str, path: str
) -> FileNotFound:
    if version == CURRENT_VERSION:
        text = gettext(
            "“%(path)s” does not exist in the current version of %(source)s. It may "
            "have been renamed, be excluded by the ignore rules, or not be indexed yet."
        )
    else:
        text = gettext(
            "“%(path)s” does not exist in %(source)s at %(version)s. It may have "
            "been renamed, be excluded by the ignore rules, or not be indexed yet."
        )
    names = {"path": path, "source": source.name, "version": brief(version)}
    closest = _find_closest(ref, path) if ref else ""
    text %= names
    if closest:
        text += " " + gettext("Did you mean “%(path)s”?") % {"path": closest}
    return FileNotFound(text, closest)


def _find_closest(ref: GitRef, path: str) -> str:
    """Return the path of a version that is the most like another, '' for none in time.

    One with the same file name is preferred. Queries: 1, 2 without such a file.
    """
    if len(path) > _MOST_CHARACTERS:
        return ""
    files = File.objects.filter(
        source=ref.source_id, manifests__ref=ref, manifests__until=None
    )
    name = path.rpartition("/")[2].lower()
    named = files.annotate(name=FILE_NAME).filter(name=name)
    alike = files.filter(path__trigram_similar=path)
    try:
        # Within a transaction of its own, which a statement that is stopped ends.
        with transaction.atomic(), time_limit(_SECONDS):
            return _first_alike(named, path) or _first_alike(alike, path, _ALIKE)
    except TimeLimitExceeded:
        return ""


def _first_alike(files: QuerySet[File], path: str, least: float = 0.0) -> str:
    near = files.annotate(near=TrigramSimilarity("path", path)).filter(near__gte=least)
    found = near.order_by("-near", "path").values_list("path", flat=True)
    return found.first() or ""


def _find_cited(source: Source, version: str, path: str) -> File | None:
    # An older commit has no manifest of its own any more, but a citation of the wiki
    # remembers which content stood there.
    hashes = Claim.objects.filter(
        source_name=source.name, path=path, version_identifier=version
    ).values("content_hash")
    files = File.objects.filter(source=source, path=path, content_hash__in=hashes)
    return files.order_by("-pk").first()
