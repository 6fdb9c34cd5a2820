"""Labels of a product and of a file, as pages show and correct them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext

from devrag.core.principal import SYSTEM, Principal
from devrag.labels.api import KINDS, CountedLabel, corrections_of, list_labels
from devrag.labels.models import Label, LabelCorrection
from devrag.labels.types import LabelView, title_of
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.sources.models import Source
from devrag.use_cases.api import (
    ProposedLabel,
    correct_labels,
    propose_labels,
    withdraw_corrections,
)

_CORRECTIONS = 50


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label in the list of a product. about: what it is compared with."""

    counted: CountedLabel
    about: str

    @property
    def paths_text(self) -> str:
        """Its patterns as they are typed, one in each line."""
        return "\n".join(self.counted.label.paths)


@dataclass(frozen=True, slots=True)
class LabelsPage:
    product: Product
    rows: tuple[LabelRow, ...]
    removed: tuple[tuple[str, str], ...]
    corrections: tuple[LabelCorrection, ...]
    proposed: tuple[ProposedLabel, ...]
    may_maintain: bool


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """A label that a file may have. reason: what gave it, '' where it is not given."""

    name: str
    title: str
    is_chosen: bool
    reason: str
    corrected: str


def get_labels_page(principal: Principal, product: Product) -> LabelsPage:
    """Return the vocabulary of a product with counts. Queries: 2, 6 for maintainers."""
    labels = list_labels(product, principal)
    is_maintainer = may_maintain(principal, product)
    rows = corrections_of(product, principal)
    corrections = rows[:_CORRECTIONS] if is_maintainer else ()
    there = {each.label.kind for each in labels}
    return LabelsPage(
        product=product,
        rows=tuple(
            LabelRow(
                each,
                each.label.description or _about(each.label.kind),
            )
            for each in labels
        ),
        removed=tuple(
            (key, title_of(key, key)) for key in KINDS if labels and key not in there
        ),
        corrections=tuple(corrections),
        proposed=tuple(propose_labels(product)) if is_maintainer else (),
        may_maintain=is_maintainer,
    )


def _about(kind: str) -> str:
    return gettext(KINDS[kind].description) if kind in KINDS else ""


def list_choices(
    product: Product, source: Source, path: str, given: Collection[LabelView]
) -> tuple[LabelChoice, ...]:
    """Return the labels that somebody may choose for a file. Queries: 2."""
    by_name = {label.name: label for label in given}
    # Whoever may choose sees the file.
    rows = corrections_of(product, SYSTEM).filter(source=source, path=path)
    corrected = {row.label.name: row for row in rows}
    labels = Label.objects.filter(product=product, is_removed=False)
    return tuple(
        LabelChoice(
            name=label.name,
            title=title_of(label.name, label.kind),
            is_chosen=label.name in by_name,
            reason=_reason(by_name.get(label.name)),
            corrected=_said(corrected.get(label.name)),
        )
        for label in labels.order_by("name")
    )


def _reason(label: LabelView | None) -> str:
    return label.said if label else ""


def _said(row: LabelCorrection | None) -> str:
    if row is None:
        return ""
    words = {"name": row.author_name, "date": timezone.localdate(row.updated_at)}
    if row.is_assigned:
        return gettext("added by %(name)s, %(date)s") % words
    return gettext("removed by %(name)s, %(date)s") % words


def save_choices(
    principal: Principal,
    source: Source,
    path: str,
    *,
    shown: Collection[str],
    chosen: Collection[str],
    choices: Collection[LabelChoice],
) -> int:
    """Correct what somebody chose otherwise than it was shown; return how many labels.

    shown: the labels that were chosen when the form was made; the file may have got
    others since.
    """
    differing = {
        each.name: each.name in chosen
        for each in choices
        if (each.name in shown) != (each.name in chosen)
        and each.is_chosen != (each.name in chosen)
    }
    made = correct_labels(
        principal=principal, source=source, path=path, corrections=differing
    )
    return len(made)


def reset_choices(
    principal: Principal, source: Source, path: str, choices: Collection[LabelChoice]
) -> None:
    """Withdraw all that was corrected about a file."""
    names = [each.name for each in choices if each.corrected]
    withdraw_corrections(principal=principal, source=source, path=path, names=names)
