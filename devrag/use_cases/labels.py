"""What people change about labels, with what has to follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from devrag.core.principal import Principal
from devrag.labels import api as labels
from devrag.labels.models import Label, LabelCorrection
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.use_cases.labelling import (
    refresh_pages,
    request_labels,
    request_product_labels,
)


@transaction.atomic
def add_label(
    *,
    principal: Principal,
    product: Product,
    name: str,
    description: str = "",
    paths: Sequence[str] = (),
) -> Label:
    """Add a label to a product's vocabulary; a job gives it to files."""
    label = labels.add_label(
        principal=principal,
        product=product,
        name=name,
        description=description,
        paths=paths,
    )
    request_product_labels(product, requested_by=principal.name)
    return label


@transaction.atomic
def change_label(
    *, principal: Principal, product: Product, label_id: int, changes: dict[str, Any]
) -> Label:
    """Rename a label, or say anew what it is about; a job looks at files then."""
    label = labels.change_label(
        principal=principal, product=product, label_id=label_id, changes=changes
    )
    request_product_labels(product, requested_by=principal.name)
    return label


@transaction.atomic
def remove_label(*, principal: Principal, product: Product, label_id: int) -> Label:
    """Take a label out of a product's vocabulary, from all its files and pages."""
    return labels.remove_label(principal=principal, product=product, label_id=label_id)


@transaction.atomic
def correct_label(
    *, principal: Principal, source: Source, path: str, name: str, is_assigned: bool
) -> LabelCorrection:
    """Correct whether a file has a label; searches follow in a moment."""
    made = correct_labels(
        principal=principal, source=source, path=path, corrections={name: is_assigned}
    )
    return made[0]


@transaction.atomic
def correct_labels(
    *, principal: Principal, source: Source, path: str, corrections: Mapping[str, bool]
) -> list[LabelCorrection]:
    """Correct labels of a file; wiki pages and searches follow all of it at once.

    corrections: name of the label → whether the file has it.
    """
    made = [
        labels.correct_label(
            principal=principal,
            source=source,
            path=path,
            name=name,
            is_assigned=is_assigned,
        )
        for name, is_assigned in corrections.items()
    ]
    if made:
        refresh_pages(source.product)
    return made


@transaction.atomic
def withdraw_corrections(
    *, principal: Principal, source: Source, path: str, names: Sequence[str]
) -> None:
    """Let rules and meaning decide again about labels of a file."""
    for name in names:
        labels.withdraw_correction(
            principal=principal, source=source, path=path, name=name
        )
    if names:
        refresh_pages(source.product)
        request_labels(source, requested_by=principal.name)
