"""The labels of a product: what there is, and what maintainers change of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.labels.changes import note_changes
from devrag.labels.classify import CLASSIFIER_VERSION
from devrag.labels.kinds import KINDS
from devrag.labels.models import FileLabel, Label, PageLabel, Vocabulary
from devrag.labels.rules import RULES_VERSION
from devrag.products.models import Product
from devrag.products.services import get_maintained_product

MAX_LABELS, MAX_NAME, MAX_DESCRIPTION, MAX_PATHS = 100, 40, 1000, 20
_MAX_PATTERN = 300
# A word, so that it stands in a question without quotes.
_NAME = re.compile(r"[\w][\w.+-]*", re.UNICODE)


def ensure_vocabulary(product_id: int) -> list[Label]:
    """Return the product's labels, with the built-in ones that it lacks. Queries: 1."""
    known = list(Label.objects.filter(product=product_id))
    lacking = KINDS.keys() - {label.kind for label in known}
    if lacking:
        taken = {label.name for label in known if not label.is_removed}
        # A topic of the same name was there first: it takes the kind's place.
        made = [
            Label(product_id=product_id, name=key, kind=key, is_removed=key in taken)
            for key in sorted(lacking)
        ]
        Label.objects.bulk_create(made, ignore_conflicts=True)
        Vocabulary.objects.get_or_create(product_id=product_id)
        known = list(Label.objects.filter(product=product_id))
    return [label for label in known if not label.is_removed]


def vocabulary_mark(product_id: int) -> str:
    """Return what labels by rules come from: the rules and the product's words."""
    found = Vocabulary.objects.filter(product=product_id)
    revision = found.values_list("revision", flat=True).first() or 1
    return f"{RULES_VERSION}.{revision}"


def vectors_mark(product_id: int, spec_id: int) -> str:
    """Return what labels by meaning come from: vocabulary, classifier and model."""
    return f"{vocabulary_mark(product_id)}.{CLASSIFIER_VERSION}.{spec_id}"


def describe_label(label: Label) -> str:
    """Return what stands for the label as a vector, empty where rules alone give it."""
    if label.description:
        return label.description
    kind = KINDS.get(label.kind)
    return kind.description if kind and not kind.is_by_rules else ""


@transaction.atomic
def add_label(
    *,
    principal: Principal,
    product: Product,
    name: str,
    description: str = "",
    paths: Sequence[str] = (),
) -> Label:
    """Add a topic to the vocabulary, or a built-in label that was removed.

    Files get it with the next labelling. Raises InvalidInput, Conflict when the name
    is taken, PermissionDenied.
    """
    get_maintained_product(product.name, principal)
    _lock_vocabulary(product.pk)
    labels = ensure_vocabulary(product.pk)
    if len(labels) >= MAX_LABELS:
        raise InvalidInput(
            gettext("A product can have at most %(most)s labels.")
            % {"most": MAX_LABELS}
        )
    name = _checked_name(name)
    removed = Label.objects.filter(product=product, kind=name, is_removed=True).first()
    label = removed or Label(product=product)
    label.name, label.is_removed = name, False
    label.description = _checked_description(description)
    label.paths = _checked_paths(paths)
    _save(label)
    _count_change(product.pk)
    record_event("label.added", principal=principal, product=product, target=name)
    return label


@transaction.atomic
def change_label(
    *, principal: Principal, product: Product, label_id: int, changes: dict[str, Any]
) -> Label:
    """Rename a label, or change what it is about. changes: name, description, paths."""
    get_maintained_product(product.name, principal)
    _lock_vocabulary(product.pk)
    label = find_label(product, label_id)
    if "name" in changes:
        label.name = _checked_name(changes["name"])
    before = (label.description, label.paths)
    found = {"changed": sorted(changes)}
    if "description" in changes:
        label.description = _checked_description(changes["description"])
    if "paths" in changes:
        label.paths = _checked_paths(changes["paths"])
    _save(label)
    if before != (label.description, label.paths):
        _count_change(product.pk)
    record_event(
        "label.changed",
        principal=principal,
        product=product,
        target=label.name,
        details=found,
    )
    return label


@transaction.atomic
def remove_label(*, principal: Principal, product: Product, label_id: int) -> Label:
    """Take a label out of the vocabulary, from all files and pages at once.

    Corrections of a built-in label are kept for when it is added again.
    """
    get_maintained_product(product.name, principal)
    _lock_vocabulary(product.pk)
    label = find_label(product, label_id)
    _note_removal(label)
    FileLabel.objects.filter(label=label)._raw_delete(FileLabel.objects.db)
    PageLabel.objects.filter(label=label).delete()
    if label.kind:
        Label.objects.filter(pk=label.pk).update(is_removed=True, name=label.kind)
    else:
        Label.objects.filter(pk=label.pk).delete()
    record_event(
        "label.removed", principal=principal, product=product, target=label.name
    )
    return label


def _note_removal(label: Label) -> None:
    """Let the word index forget the label of the files that have it."""
    files: dict[int, list[int]] = defaultdict(list)
    rows = FileLabel.objects.filter(label=label)
    for source, file in rows.values_list("file__source_id", "file_id"):
        files[source].append(file)
    for source in sorted(files):
        note_changes(source, files[source])


def find_label(product: Product, label_id: int) -> Label:
    """Return a label of the product's vocabulary; NotFound for any other."""
    label = Label.objects.filter(product=product, pk=label_id, is_removed=False).first()
    if label is None:
        raise NotFound(
            gettext("%(product)s has no label '%(label)s'.")
            % {"product": product.name, "label": label_id}
        )
    return label


def _save(label: Label) -> None:
    try:
        with transaction.atomic():
            label.save()
    except IntegrityError as error:
        raise Conflict(
            gettext("The label '%(name)s' already exists. Choose another name.")
            % {"name": label.name}
        ) from error


def _lock_vocabulary(product_id: int) -> None:
    """Let changes of one vocabulary wait for each other: each reads, then saves all."""
    Vocabulary.objects.get_or_create(product_id=product_id)
    Vocabulary.objects.select_for_update().get(product=product_id)


def _count_change(product_id: int) -> None:
    Vocabulary.objects.filter(product=product_id).update(revision=F("revision") + 1)


def _checked_name(name: str) -> str:
    found = name.strip().lower()
    if len(found) > MAX_NAME or not _NAME.fullmatch(found):
        raise InvalidInput(
            gettext(
                "Invalid label name '%(name)s'. Use letters, digits, '.', '_', '+' "
                "and '-', starting with a letter or digit (at most %(most)s "
                "characters)."
            )
            % {"name": name[:80], "most": MAX_NAME}
        )
    return found


def _checked_description(text: str) -> str:
    if len(text) > MAX_DESCRIPTION:
        raise InvalidInput(
            gettext("Descriptions can have at most %(most)s characters.")
            % {"most": MAX_DESCRIPTION}
        )
    return " ".join(text.split())


def _checked_paths(paths: Sequence[str]) -> list[str]:
    found = [path.strip().removeprefix("/") for path in paths if path.strip()]
    if len(found) > MAX_PATHS or any(len(path) > _MAX_PATTERN for path in found):
        raise InvalidInput(
            gettext(
                "A label can have at most %(most)s path patterns of up to %(length)s "
                "characters each."
            )
            % {"most": MAX_PATHS, "length": _MAX_PATTERN}
        )
    return list(dict.fromkeys(found))
