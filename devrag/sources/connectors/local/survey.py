"""What a folder would give as a source: counted for as long as somebody waits."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext

from devrag.core.errors import DevragError
from devrag.sources.confined_files import Beneath, Refused, read_bounded
from devrag.sources.connectors.local.walk import RegularFile
from devrag.sources.connectors.pages.types import Probe
from devrag.sources.connectors.types import ConnectorContext, Unlisted
from devrag.sources.ignore import IgnoreRules, is_ignore_file, size_limit

MAX_COUNTED = 10_000
_SECONDS = 5.0
_MOST_REASONS = 4


def survey(
    folder: Beneath, found: Iterable[RegularFile | Unlisted], context: ConnectorContext
) -> Probe:
    """Count files and bytes, and what would be left out, of the first 10,000 files."""
    deadline = time.monotonic() + _SECONDS
    files: dict[str, int] = {}
    skipped: Counter[str] = Counter()
    is_cut = False
    for number, item in enumerate(found):
        if number == MAX_COUNTED or time.monotonic() > deadline:
            is_cut = True
            break
        if isinstance(item, Unlisted):
            skipped[item.reason] += 1
        else:
            files[item.path] = _size(folder, item)
    rules = _rules(folder, files, context)
    for path, size in list(files.items()):
        if reason := rules.reason(path, size):
            skipped[reason.partition(" (")[0]] += 1
            del files[path]
    return _describe(files, skipped, is_cut=is_cut)


def _describe(files: dict[str, int], skipped: Counter[str], *, is_cut: bool) -> Probe:
    notes = [
        gettext("Skipped: %(count)s files (%(reason)s).")
        % {"count": f"{count:,}", "reason": gettext(reason)}
        for reason, count in skipped.most_common(_MOST_REASONS)
    ]
    if is_cut:
        notes.append(
            gettext(
                "The folder contains more files; only the first %(count)s were counted."
            )
            % {"count": f"{len(files) + skipped.total():,}"}
        )
    elif not files:
        notes.append(gettext("This folder contains nothing to index."))
    return Probe(
        "", (("files", len(files)), ("bytes", sum(files.values()))), tuple(notes)
    )


def _size(folder: Beneath, item: RegularFile) -> int:
    try:
        return folder.size(item.target)
    except (OSError, Refused):
        return 0


def _rules(
    folder: Beneath, files: Iterable[str], context: ConnectorContext
) -> IgnoreRules:
    """Return the rules of the ignore files; none where these are past their limits."""
    texts = {
        path: _read(folder, path, context) for path in files if is_ignore_file(path)
    }
    try:
        return IgnoreRules.from_files(texts, context.selection)
    except DevragError:
        return IgnoreRules.from_files({}, context.selection)


def _read(folder: Beneath, path: str, context: ConnectorContext) -> str:
    limit = size_limit(path, context.selection)
    try:
        with folder.open(path) as stream:
            data = read_bounded(stream, limit, context.checkpoint) or b""
    except (OSError, Refused):
        return ""
    return data.decode("utf-8", "replace").replace("\0", "")
