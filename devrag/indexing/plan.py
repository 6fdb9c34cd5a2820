"""The plan phase: resolve, list, diff, store what changed. Alone touches the source.

It commits as it goes; started again, it finds the stored files and goes on.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from django.conf import settings

from devrag.core.errors import InvalidInput
from devrag.indexing.store import StoredFile, stage, store_files
from devrag.jobs.models import Job
from devrag.jobs.run import BatchRun
from devrag.jobs.workflow import BatchPlan, Result
from devrag.parsing.decoding import decode
from devrag.parsing.types import FACTS_VERSION
from devrag.sources.connectors.types import Connector, Entry, Unlisted, Version
from devrag.sources.diff import DiffResult, diff_manifest
from devrag.sources.ignore import IgnoreRules, is_ignore_file
from devrag.sources.models import File, GitRef, RefFile, Skip, Source, StagedChange
from devrag.sources.services import open_source

_FILES_PER_COMMIT = 500
_BYTES_PER_COMMIT = 8_000_000
_SECONDS_BETWEEN_LINES = 5.0


@dataclass
class Listing:
    """What the source holds at a version: entries by path and what was left out."""

    entries: dict[str, Entry] = field(default_factory=dict)
    skips: list[StagedChange] = field(default_factory=list)


def plan_plan(job: Job) -> Iterable[BatchPlan]:
    """Plan one batch, on the host that can read a path source."""
    source = Source.objects.get(pk=job.params["sourceID"])
    return (BatchPlan(queue=f"plan.{source.host}" if source.host else "plan"),)


def run_plan(run: BatchRun) -> Result:
    """Resolve the version, diff it with the ref's manifest, store changed files."""
    began = time.perf_counter()
    source = Source.objects.select_related("product").get(pk=run.job.params["sourceID"])
    is_full = bool(run.job.params.get("full"))
    with contextlib.closing(open_source(source, _teller(run))) as connector:
        wanted_ref = run.job.params.get("ref")
        version = connector.resolve(wanted_ref, run.job.params.get("commit"))
        ref = GitRef.objects.filter(source=source, name=version.ref_name).first()
        is_seen = ref and (ref.is_current or wanted_ref)
        if ref and is_seen and not is_full and _is_unchanged(ref, version):
            return {"unchangedSince": version.identifier, **_version_facts(version)}
        run.log(f"Reading {source.name} at {version.identifier[:12]}.")
        # A run that was cut off may have staged another version: begin afresh, the
        # files it stored are found again.
        with run.fenced():
            StagedChange.objects.filter(run=run.job.pk).delete()
        listing = list_entries(connector, version, source)
        known = known_digests(ref)
        entries = {path: entry.digest for path, entry in listing.entries.items()}
        difference = diff_manifest(known, entries)
        wanted = _wanted(listing, difference, is_full=is_full)
        kept = [] if is_full else _skips_to_keep(ref, difference)
        with run.fenced():
            stage(run.job.pk, [*listing.skips, *kept], difference.removed)
        left_out = _store(run, connector, version, source, wanted)
    _refuse_empty(source, listing, left_out, ref)
    return {
        **_version_facts(version),
        "isDefault": not wanted_ref,
        "sequence": ref.sequence if ref else 0,
        "added": len(difference.added),
        "modified": len(difference.modified),
        "removed": len(difference.removed),
        "unchanged": 0 if is_full else len(difference.unchanged),
        "seconds": round(time.perf_counter() - began, 3),
    }


def _teller(run: BatchRun) -> Callable[[str], None]:
    """Return what passes git's own progress on to the log, a line now and then."""
    told_at = time.monotonic()

    def tell(line: str) -> None:
        nonlocal told_at
        if time.monotonic() - told_at > _SECONDS_BETWEEN_LINES:
            told_at = time.monotonic()
            run.log(line)

    return tell


def _version_facts(version: Version) -> dict[str, str]:
    committed = version.committed_at
    return {
        "commit": version.identifier,
        "ref": version.ref_name,
        "refKind": version.ref_kind,
        "committedAt": committed.isoformat() if committed else "",
    }


def _is_unchanged(ref: GitRef, version: Version) -> bool:
    return (
        ref.snapshot is not None
        and ref.snapshot.is_indexed
        and ref.snapshot.version_identifier == version.identifier
        and ref.facts_version == FACTS_VERSION
    )


def _wanted(listing: Listing, difference: DiffResult, *, is_full: bool) -> list[Entry]:
    paths = set(difference.added) | set(difference.modified)
    if is_full:
        paths |= set(difference.unchanged)
    return [listing.entries[path] for path in sorted(paths)]


def known_digests(ref: GitRef | None) -> dict[str, str]:
    """Return path → digest of a ref's manifest and of its files without text."""
    if ref is None or ref.facts_version != FACTS_VERSION:
        return {}
    rows = RefFile.objects.filter(ref=ref, until=None)
    known = dict(rows.values_list("file__path", "file__digest"))
    skipped = Skip.objects.filter(ref=ref).exclude(digest="")
    return known | dict(skipped.values_list("path", "digest"))


def _skips_to_keep(ref: GitRef | None, difference: DiffResult) -> list[StagedChange]:
    """Files without text that did not change stay left out without being read again."""
    if ref is None:
        return []
    unchanged = set(difference.unchanged)
    rows = Skip.objects.filter(ref=ref).exclude(digest="")
    return [
        _skip(row.path, row.reason, row.size, row.digest)
        for row in rows
        if row.path in unchanged
    ]


def list_entries(connector: Connector, version: Version, source: Source) -> Listing:
    """List the version, apply the ignore rules, note what is left out."""
    listing = Listing()
    for item in connector.list(version):
        if isinstance(item, Unlisted):
            listing.skips.append(_skip(item.path, item.reason))
        else:
            listing.entries[item.path] = item
        if len(listing.entries) > settings.MAX_FILES:
            raise InvalidInput(
                f"{source.name} has more than {settings.MAX_FILES} files. Exclude "
                "folders in .devragignore or raise MAX_FILES."
            )
    rules = _ignore_rules(connector, version, listing.entries.values())
    for entry in list(listing.entries.values()):
        reason = rules.reason(entry.path, entry.size)
        if reason:
            listing.skips.append(_skip(entry.path, reason, entry.size))
            del listing.entries[entry.path]
    return listing


def _ignore_rules(
    connector: Connector, version: Version, entries: Iterable[Entry]
) -> IgnoreRules:
    found = [entry for entry in entries if is_ignore_file(entry.path)]
    texts = {
        entry.path: data.decode("utf-8", "replace")
        for entry, data in connector.read(version, found)
    }
    return IgnoreRules.from_files(texts, max_bytes=settings.MAX_FILE_BYTES)


def _skip(path: str, reason: str, size: int = 0, digest: str = "") -> StagedChange:
    return StagedChange(
        kind=StagedChange.Kind.SKIP,
        path=path,
        reason=reason[:200],
        size=size,
        digest=digest,
    )


def _store(
    run: BatchRun,
    connector: Connector,
    version: Version,
    source: Source,
    wanted: list[Entry],
) -> int:
    """Store entries in commits of bounded size; return how many had no text."""
    done = left_out = 0
    for part in _portions(wanted):
        known = _stored_already(source, part)
        unread = [entry for entry in part if (entry.path, entry.digest) not in known]
        files, skips = _decode_all(connector.read(version, unread))
        with run.fenced():
            store_files(run.job.pk, source, files, known)
            stage(run.job.pk, skips, ())
        left_out += len(skips)
        done += len(part)
        run.progress(done, units=max(1, len(wanted)))
    return left_out


def _portions(entries: list[Entry]) -> Iterator[list[Entry]]:
    part: list[Entry] = []
    size = 0
    for entry in entries:
        part.append(entry)
        size += entry.size
        if len(part) >= _FILES_PER_COMMIT or size >= _BYTES_PER_COMMIT:
            yield part
            part, size = [], 0
    if part:
        yield part


def _stored_already(source: Source, part: list[Entry]) -> dict[tuple[str, str], int]:
    """Return (path, digest) → file id of versions that are in the database."""
    rows = File.objects.filter(
        source=source, facts_version=FACTS_VERSION, path__in=[e.path for e in part]
    ).values_list("path", "digest", "pk")
    wanted = {(entry.path, entry.digest) for entry in part}
    return {(p, d): pk for p, d, pk in rows if (p, d) in wanted}


def _decode_all(
    blobs: Iterator[tuple[Entry, bytes]],
) -> tuple[list[StoredFile], list[StagedChange]]:
    files: list[StoredFile] = []
    skips: list[StagedChange] = []
    for entry, data in blobs:
        decoded = decode(data)
        if decoded is None:
            skips.append(_skip(entry.path, "binary", entry.size, entry.digest))
        else:
            files.append(StoredFile.of(entry, data, decoded))
    return files, skips


def _refuse_empty(
    source: Source, listing: Listing, left_out: int, ref: GitRef | None
) -> None:
    if ref is None and len(listing.entries) == left_out:
        count = left_out + len(listing.skips)
        reasons = sorted({skip.reason for skip in islice(listing.skips, 1000)})
        why = ", ".join(["binary"] * bool(left_out) + reasons[:4]) or "it has no files"
        raise InvalidInput(
            f"{source.name} has no text to index: {count} files were left out ({why}). "
            "Check the ref and the ignore files."
        )
