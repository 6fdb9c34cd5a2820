"""Give file versions their labels: by rules, by vectors, and as people corrected them.

Each version is labelled once for a mark. Origins do not touch each other's labels; what
a person said about a file wins over both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from devrag.labels.changes import note_changes
from devrag.labels.models import (
    FileLabel,
    Label,
    LabelCorrection,
    LabelledFile,
)
from devrag.labels.path_patterns import matches
from devrag.labels.rule_inputs import read_views
from devrag.labels.rules import FileView, find_kinds
from devrag.labels.types import Assigned
from devrag.labels.vocabulary import ensure_vocabulary, vocabulary_mark
from devrag.sources.models import File, Source

_MAX_REASON = 200
# Label id → what gives it.
Found = Mapping[int, Assigned]


def current_files(source_id: int) -> QuerySet[File]:
    """Return the parsed files of the manifest that search sees."""
    return File.objects.filter(
        source=source_id,
        state=File.State.PARSED,
        manifests__until=None,
        manifests__ref__is_current=True,
    )


def files_to_label(source: Source, *, mark: str = "") -> QuerySet[File]:
    """Return current files without labels by the present rules and vocabulary."""
    wanted = mark or vocabulary_mark(source.product_id)
    done = LabelledFile.objects.filter(file=OuterRef("pk"), rules_mark=wanted)
    return current_files(source.pk).filter(~Exists(done))


def files_to_compare(source_id: int, mark: str) -> QuerySet[File]:
    """Return current files whose vectors were not compared with the vocabulary yet."""
    done = LabelledFile.objects.filter(file=OuterRef("pk"), vectors_mark=mark)
    return current_files(source_id).filter(~Exists(done))


@transaction.atomic
def assign_by_rules(source: Source, file_ids: Sequence[int]) -> int:
    """Give files what rules and path patterns say; return how many labels changed.

    Takes as many statements for one file as for hundreds.
    """
    if not file_ids:
        return 0
    mark = vocabulary_mark(source.product_id)
    labels = ensure_vocabulary(source.product_id)
    views = read_views(file_ids)
    by_kind = {label.kind: label.pk for label in labels if label.kind}
    topics = [label for label in labels if label.paths]
    found = {
        pk: {**_by_kind(view, by_kind), **_by_path(view, topics)}
        for pk, view in views.items()
    }
    changed = store_labels(source.pk, found, FileLabel.Origin.RULE)
    _mark(source.pk, found, rules_mark=mark)
    return changed


@transaction.atomic
def assign_by_vectors(source_id: int, found: Mapping[int, Found], mark: str) -> int:
    """Give files what their vectors say, under a mark; return how many changed."""
    if not found:
        return 0
    changed = store_labels(source_id, found, FileLabel.Origin.EMBEDDING)
    _mark(source_id, found, vectors_mark=mark)
    return changed


def _by_kind(view: FileView, by_kind: Mapping[str, int]) -> dict[int, Assigned]:
    return {
        by_kind[kind]: Assigned(FileLabel.Origin.RULE, reason=reason)
        for kind, reason in find_kinds(view)
        if kind in by_kind
    }


def _by_path(view: FileView, topics: Sequence[Label]) -> dict[int, Assigned]:
    found = {}
    for label in topics:
        pattern = next((p for p in label.paths if matches(p, view.path)), None)
        if pattern is not None:
            found[label.pk] = Assigned(FileLabel.Origin.RULE, reason=f"path: {pattern}")
    return found


def store_labels(source_id: int, found: Mapping[int, Found], origin: str) -> int:
    """Replace files' labels of one origin, corrected as people said.

    Return how many files got other labels than they had; the word index follows those
    that searches see.
    """
    lock_files(found)
    before = _read_labels(found)
    corrections = _read_corrections(source_id, list(found))
    wanted = {
        file_id: corrected(
            merged(before.get(file_id, {}), fresh, origin), corrections.get(file_id, {})
        )
        for file_id, fresh in found.items()
    }
    touched = [pk for pk, labels in wanted.items() if labels != before.get(pk, {})]
    FileLabel.objects.filter(file__in=touched)._raw_delete(FileLabel.objects.db)
    rows = [_row(pk, *item) for pk in touched for item in wanted[pk].items()]
    FileLabel.objects.bulk_create(rows, batch_size=2000)
    changed = [pk for pk in touched if wanted[pk].keys() != before.get(pk, {}).keys()]
    note_changes(source_id, changed)
    return len(changed)


def merged(had: Found, fresh: Found, origin: str) -> dict[int, Assigned]:
    """Return labels with those of one origin replaced; rules before vectors. Pure."""
    others = {label: each for label, each in had.items() if each.origin != origin}
    if origin == FileLabel.Origin.RULE:
        return {**others, **fresh}
    return {**fresh, **others}


def corrected(
    found: Mapping[int, Assigned], corrections: Mapping[int, bool]
) -> dict[int, Assigned]:
    """Return the labels that remain: label id → what gives it. Pure."""
    kept = {
        label: each
        for label, each in found.items()
        if each.origin != FileLabel.Origin.HAND and corrections.get(label, True)
    }
    by_hand = {
        label: Assigned(FileLabel.Origin.HAND)
        for label, is_assigned in corrections.items()
        if is_assigned
    }
    return {**kept, **by_hand}


def _row(file_id: int, label_id: int, each: Assigned) -> FileLabel:
    return FileLabel(
        file_id=file_id,
        label_id=label_id,
        origin=each.origin,
        score=each.score,
        reason=each.reason[:_MAX_REASON],
    )


def _read_labels(file_ids: Collection[int]) -> dict[int, dict[int, Assigned]]:
    rows = FileLabel.objects.filter(file__in=file_ids)
    found: dict[int, dict[int, Assigned]] = defaultdict(dict)
    for file, label, origin, score, reason in rows.values_list(
        "file_id", "label_id", "origin", "score", "reason"
    ):
        found[file][label] = Assigned(origin, score, reason)
    return found


def _read_corrections(
    source_id: int, found: Collection[int]
) -> dict[int, dict[int, bool]]:
    """Return what people said about the paths of these files, by file and label."""
    rows = LabelCorrection.objects.filter(source=source_id, label__is_removed=False)
    if not rows.exists():
        return {}
    files = list(File.objects.filter(pk__in=found).values_list("pk", "path"))
    said: dict[str, dict[int, bool]] = defaultdict(dict)
    for path, label, is_assigned in rows.filter(
        path__in=[path for _, path in files]
    ).values_list("path", "label_id", "is_assigned"):
        said[path][label] = is_assigned
    return {pk: said[path] for pk, path in files if path in said}


def lock_files(file_ids: Collection[int]) -> None:
    """Let nobody else replace labels of these files until the transaction ends."""
    rows = File.objects.select_for_update(no_key=True).filter(pk__in=file_ids)
    list(rows.order_by("pk").values_list("pk", flat=True))


def _mark(source_id: int, file_ids: Collection[int], **marks: str) -> None:
    rows = [LabelledFile(file_id=pk, source_id=source_id, **marks) for pk in file_ids]
    LabelledFile.objects.bulk_create(
        rows,
        batch_size=2000,
        update_conflicts=True,
        unique_fields=["file"],
        update_fields=list(marks),
    )


def labels_of_files(file_ids: Collection[int]) -> dict[int, list[int]]:
    """Return the ids of the labels of each file. Queries: 1."""
    rows = FileLabel.objects.filter(file__in=file_ids, label__is_removed=False)
    found: dict[int, list[int]] = defaultdict(list)
    for file, label in rows.values_list("file_id", "label_id"):
        found[file].append(label)
    return found
