"""Read labels: of a product, of files and pages, and those that a search names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.core.principal import Principal
from devrag.labels.kinds import KINDS
from devrag.labels.models import FileLabel, Label, LabelCorrection, PageLabel
from devrag.labels.types import LabelView, title_of
from devrag.products.models import Product
from devrag.sources.api import label_term
from devrag.sources.models import Document, Source

_MOST_NAMED = 30


@dataclass(frozen=True, slots=True)
class CountedLabel:
    """A label of a vocabulary and how many current files have it."""

    label: Label
    files: int

    @property
    def title(self) -> str:
        return title_of(self.label.name, self.label.kind)


def list_labels(product: Product, principal: Principal) -> list[CountedLabel]:
    """Return the labels of a product, by name, with files that a reader of it sees.

    Queries: 1.
    """
    current = Q(
        file_labels__file__manifests__until=None,
        file_labels__file__manifests__ref__is_current=True,
        file_labels__file__source__in=Source.objects.within_limits(principal),
    )
    rows = Label.objects.filter(product=product, is_removed=False)
    counted = rows.annotate(files=Count("file_labels", filter=current))
    return [CountedLabel(row, row.files) for row in counted.order_by("name")]


def labels_of_file(file_id: int) -> tuple[LabelView, ...]:
    """Return the labels of a file version, by name. Queries: 1."""
    return labels_by_file([file_id]).get(file_id, ())


def labels_by_file(file_ids: Iterable[int]) -> dict[int, tuple[LabelView, ...]]:
    """Return the labels of each of these files, by name. Queries: 1."""
    rows = FileLabel.objects.filter(
        file__in=list(file_ids), label__is_removed=False
    ).order_by("label__name")
    found: dict[int, list[LabelView]] = defaultdict(list)
    for file, *given in rows.values_list(
        "file_id", "label__name", "label__kind", "origin", "reason"
    ):
        found[file].append(LabelView(*given))
    return {file: tuple(labels) for file, labels in found.items()}


def labels_of_page(
    product_id: int, language: str, page_path: str
) -> tuple[LabelView, ...]:
    """Return the labels of a wiki page, what most of its files have first."""
    rows = PageLabel.objects.filter(
        product=product_id,
        language=language,
        page_path=page_path,
        label__is_removed=False,
    )
    return tuple(
        LabelView(name, kind, "page")
        for name, kind in rows.order_by("-share", "label__name").values_list(
            "label__name", "label__kind"
        )
    )


def corrections_of(product: Product, principal: Principal) -> QuerySet[LabelCorrection]:
    """Return what people said about labels of a product's files, the newest first.

    Of files that a reader of the product sees.
    """
    rows = LabelCorrection.objects.filter(
        source__product=product,
        source__in=Source.objects.within_limits(principal),
        label__product=product,
        label__is_removed=False,
    )
    return rows.select_related("source", "label")


def known_names(product_ids: Collection[int]) -> list[str]:
    """Return the names of the labels of these products, built-in ones included."""
    rows = Label.objects.filter(product__in=product_ids, is_removed=False)
    return sorted(set(rows.values_list("name", flat=True)) or KINDS)


def find_label_ids(
    names: Sequence[str], source_ids: Collection[int]
) -> tuple[tuple[int, ...], ...]:
    """Return for each name the labels that it means in the products of sources.

    A name may be the title of a built-in label in the reader's language, unless a label
    of the product is called so, or a label that pages and tickets of the sources bear,
    which has no id. Raises InvalidInput for a name that nothing there knows. Queries:
    1, and 2 where a name is no label of ours.
    """
    rows = Label.objects.filter(
        product__in=Source.objects.filter(pk__in=source_ids).values("product"),
        is_removed=False,
    )
    by_name = _ids_by_name(rows)
    unknown = [name for name in names if name.lower() not in by_name]
    unknown = [name for name in unknown if not _is_of_source(name, source_ids)]
    # Before the first labelling there is no vocabulary yet, but its words are known.
    if any(by_name or name.lower() not in KINDS for name in unknown):
        raise InvalidInput(
            gettext("Unknown label '%(name)s'. Use one of: %(known)s.")
            % {
                "name": unknown[0][:80],
                "known": ", ".join(_known(rows)),
            }
        )
    return tuple(tuple(sorted(by_name.get(name.lower(), ()))) for name in names)


def _ids_by_name(rows: QuerySet[Label]) -> dict[str, list[int]]:
    """Return the ids of labels by what they are called: names before titles."""
    labels = list(rows.values_list("product_id", "pk", "name", "kind"))
    names = {(product, name) for product, _, name, _ in labels}
    found: dict[str, list[int]] = defaultdict(list)
    for product, pk, name, kind in labels:
        found[name].append(pk)
        title = title_of(name, kind).lower()
        if (product, title) not in names:
            found[title].append(pk)
    return dict(found)


def _is_of_source(name: str, source_ids: Collection[int]) -> bool:
    """Return whether a page or ticket of the sources has this label there."""
    rows = Document.objects.filter(terms__contains=[label_term(name)])
    return rows.filter(file__source__in=source_ids).exists()


def _known(rows: QuerySet[Label]) -> list[str]:
    names = sorted(set(rows.values_list("name", flat=True)) or KINDS)
    more = ["…"] if len(names) > _MOST_NAMED else []
    return names[:_MOST_NAMED] + more
