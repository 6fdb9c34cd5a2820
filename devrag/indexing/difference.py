"""What a listing changes in a ref's manifest, taken in SQL and staged for activation.

The database compares, so that neither side need fit into this process (decision 8).
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.db import connection

from devrag.indexing.listing import Listing, rows
from devrag.sources.api import copy_rows
from devrag.sources.models import GitRef, RefFile, StagedChange

_CREATE = """
CREATE TEMP TABLE listed (path text, digest text, size bigint, reason text)
ON COMMIT DROP
"""
# What the ref has: files of its manifest, and paths that are left out.
_KNOWN = """
SELECT f.path, f.digest, '' AS reason, true AS is_file
FROM sources_reffile m JOIN sources_file f ON f.id = m.file_id
WHERE m.ref_id = %(ref)s AND m.until IS NULL {files}
UNION ALL
SELECT s.path, s.digest, s.reason, false FROM sources_skip s
WHERE s.ref_id = %(ref)s {skips}
"""
# Of a partial listing only the paths it names are compared; the table is small then.
_NAMED = {
    "files": "AND f.source_id = %(source)s AND f.path IN (SELECT path FROM listed)",
    "skips": "AND s.path IN (SELECT path FROM listed)",
}
_EVERYTHING = {"files": "", "skips": ""}
# A path is the same when its bytes are (indexed, or known to hold no text), or when it
# is left out again for the same reason. A rebuild takes in what is the same as well.
_STAGE = """
WITH known AS ({known}), compared AS (
    SELECT coalesce(l.path, k.path) AS path, l.digest, l.size, l.reason,
        coalesce(k.is_file, false) AS was_file,
        CASE
            WHEN l.path IS NULL OR l.reason IS NULL
                THEN CASE WHEN k.path IS NULL THEN 'none' ELSE 'leave' END
            WHEN l.reason = '' THEN 'enter'
            ELSE 'skip'
        END AS kind,
        coalesce(CASE
            WHEN l.reason = '' THEN k.digest = l.digest
            ELSE NOT k.is_file AND k.reason = l.reason
        END, false) AS is_same
    FROM (SELECT DISTINCT ON (path) * FROM listed) AS l
    FULL JOIN known AS k ON k.path = l.path
), staged AS (
    INSERT INTO sources_stagedchange (run, kind, path, reason, digest, size)
    SELECT %(run)s, kind, path, coalesce(reason, ''), coalesce(digest, ''),
        coalesce(size, 0)
    FROM compared WHERE kind <> 'none' AND (
        NOT is_same OR %(is_rebuild)s AND (was_file OR NOT %(keeps_skips)s)
    )
)
SELECT kind, was_file, is_same, count(*) FROM compared GROUP BY 1, 2, 3
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """Files a version adds, modifies, removes and leaves; entering: to be read."""

    added: int
    modified: int
    removed: int
    unchanged: int
    entering: int


_Groups = Mapping[tuple[str, bool, bool], int]


def stage_difference(
    run: uuid.UUID,
    listing: Listing,
    base: GitRef | None,
    *,
    is_rebuild: bool,
    keeps_skips: bool = False,
) -> Counts:
    """Stage a run's changes anew, within one transaction; return their counts.

    base: the ref as it is; None before its first index. is_rebuild: what is the same
    enters as well. keeps_skips: but what is known to have no text is not read again.
    """
    StagedChange.objects.filter(run=run).delete()
    keys = {
        "run": run,
        "ref": base.pk if base else None,
        "source": base.source_id if base else None,
        "is_rebuild": is_rebuild,
        "keeps_skips": keeps_skips,
    }
    scope = _NAMED if listing.is_partial else _EVERYTHING
    with connection.cursor() as cursor:
        cursor.execute(_CREATE)
        copy_rows("listed", ("path", "digest", "size", "reason"), rows(listing.items))
        cursor.execute("ANALYZE listed")
        cursor.execute(_STAGE.format(known=_KNOWN.format(**scope)), keys)
        groups = {tuple(row[:3]): row[3] for row in cursor.fetchall()}
        cursor.execute("DROP TABLE listed")
    counts = _counts(groups, base if listing.is_partial else None)
    if not is_rebuild:
        return counts
    kept = 0 if keeps_skips else groups.get(("enter", False, True), 0)
    again = groups.get(("enter", True, True), 0) + kept
    return replace(counts, entering=counts.entering + again)


def _counts(groups: _Groups, partial: GitRef | None) -> Counts:
    """Add up groups of (kind, was a file, is the same).

    partial: the ref whose unnamed files stay, after a listing of changes only.
    """

    def total(kind: str, *, was_file: bool, is_same: bool = False) -> int:
        return groups.get((kind, was_file, is_same), 0)

    added = total("enter", was_file=False)
    modified = total("enter", was_file=True)
    same = total("enter", was_file=True, is_same=True)
    removed = total("leave", was_file=True) + total("skip", was_file=True)
    if partial and partial.snapshot:
        same = partial.snapshot.file_count - modified - removed
    return Counts(added, modified, removed, same, added + modified)


def count_lost(run: uuid.UUID, base: GitRef) -> int:
    """Return how many files of a ref were found to have no text any more."""
    skipped = StagedChange.objects.filter(run=run, kind=StagedChange.Kind.SKIP)
    paths = skipped.exclude(digest="").values("path")
    manifest = RefFile.objects.filter(ref=base, until=None, file__path__in=paths)
    return manifest.count()
