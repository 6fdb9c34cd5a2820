"""Labels of wiki pages: what many of the files have that a page cites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from django.db import transaction

from devrag.core.principal import PUBLISHER
from devrag.labels.models import FileLabel, PageLabel
from devrag.sources.models import File, Source

# A file as a page cites it: name of the source, path.
Cited = tuple[str, str]
_LEAST_SHARE, _MOST_LABELS = 0.34, 4


@transaction.atomic
def label_pages(
    product_id: int, language: str, pages: Mapping[str, Collection[Cited]]
) -> int:
    """Replace the labels of a wiki's pages; return how many there are now.

    pages: path of the page → the files that it cites. Queries: 4.
    """
    PageLabel.objects.filter(product=product_id, language=language).delete()
    labels = _labels_of(
        product_id, {cited for each in pages.values() for cited in each}
    )
    rows = [
        PageLabel(
            product_id=product_id,
            language=language,
            page_path=path,
            label_id=label,
            share=share,
        )
        for path, cited in pages.items()
        for label, share in shared_labels([labels.get(each, ()) for each in cited])
    ]
    PageLabel.objects.bulk_create(rows, batch_size=1000)
    return len(rows)


def shared_labels(files: Collection[Collection[int]]) -> list[tuple[int, float]]:
    """Return labels that a third of the files have, with their share. Pure.

    >>> shared_labels([[1, 2], [1], [1], []])
    [(1, 0.75)]
    """
    counted = Counter(label for labels in files for label in labels)
    shares = [(label, n / len(files)) for label, n in counted.most_common()]
    return [each for each in shares if each[1] >= _LEAST_SHARE][:_MOST_LABELS]


def _labels_of(product_id: int, cited: Collection[Cited]) -> dict[Cited, list[int]]:
    open_to_all = Source.objects.within_limits(PUBLISHER).filter(product=product_id)
    current = File.objects.filter(
        source__in=open_to_all,
        path__in={path for _, path in cited},
        manifests__until=None,
        manifests__ref__is_current=True,
    )
    rows = FileLabel.objects.filter(file__in=current, label__is_removed=False)
    found: dict[Cited, list[int]] = {}
    for source, path, label in rows.values_list(
        "file__source__name", "file__path", "label_id"
    ):
        found.setdefault((source, path), []).append(label)
    return {key: labels for key, labels in found.items() if key in cited}
