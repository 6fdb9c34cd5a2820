"""What people say about labels of files: kept across versions, with who and when."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.labels.assignment import (
    assign_by_rules,
    corrected,
    current_files,
    lock_files,
)
from devrag.labels.changes import note_changes
from devrag.labels.models import FileLabel, Label, LabelCorrection, LabelledFile
from devrag.labels.selectors import known_names
from devrag.labels.types import Assigned
from devrag.products.services import get_maintained_product
from devrag.sources.models import File, Source


@transaction.atomic
def correct_label(
    *, principal: Principal, source: Source, path: str, name: str, is_assigned: bool
) -> LabelCorrection:
    """Correct whether a file has a label, until the correction is withdrawn.

    Raises NotFound for a file or a label that is not there, PermissionDenied for who
    does not maintain the product.
    """
    get_maintained_product(source.product.name, principal)
    file, label = _find_file(source, path), _find_label(source, name)
    correction, _ = LabelCorrection.objects.update_or_create(
        source=source,
        path=path,
        label=label,
        defaults={
            "content_hash": file.content_hash,
            "is_assigned": is_assigned,
            "author_id": principal.user_id,
            "author_name": _name_of(principal),
        },
    )
    _apply(source, file, label, is_assigned=is_assigned)
    _forget_other_versions(source, file)
    _record(principal, source, path, {"label": label.name, "isAssigned": is_assigned})
    return correction


@transaction.atomic
def withdraw_correction(
    *, principal: Principal, source: Source, path: str, name: str
) -> None:
    """Let rules and vectors decide again; NotFound where nothing was corrected.

    The vectors of the file are compared again by the next labelling.
    """
    get_maintained_product(source.product.name, principal)
    file, label = _find_file(source, path), _find_label(source, name)
    rows = LabelCorrection.objects.filter(source=source, path=path, label=label)
    if not rows.delete()[0]:
        raise NotFound(
            gettext("The label '%(label)s' of %(path)s has no correction to remove.")
            % {"label": label.name, "path": path}
        )
    lock_files([file.pk])
    FileLabel.objects.filter(file=file, label=label).delete()
    LabelledFile.objects.filter(file=file).update(vectors_mark="")
    _forget_other_versions(source, file)
    assign_by_rules(source, [file.pk])
    note_changes(source.pk, [file.pk])
    _record(principal, source, path, {"label": label.name, "isWithdrawn": True})


def _record(
    principal: Principal, source: Source, path: str, details: dict[str, Any]
) -> None:
    record_event(
        "label.corrected",
        principal=principal,
        source=source,
        target=path,
        details=details,
    )


def _name_of(principal: Principal) -> str:
    """Return the user's name, also where a token of theirs asks."""
    if principal.user_id is None:
        return principal.name
    rows = User.objects.filter(pk=principal.user_id)
    return rows.values_list("username", flat=True).first() or principal.name


def _forget_other_versions(source: Source, file: File) -> None:
    """Let versions of the path that come back be labelled anew."""
    rows = LabelledFile.objects.filter(file__source=source, file__path=file.path)
    rows.exclude(file=file).update(rules_mark="", vectors_mark="")


def _apply(source: Source, file: File, label: Label, *, is_assigned: bool) -> None:
    lock_files([file.pk])
    row = FileLabel.objects.filter(file=file, label=label).first()
    had = {label.pk: Assigned(row.origin)} if row else {}
    now = corrected(had, {label.pk: is_assigned})
    FileLabel.objects.filter(file=file, label=label).delete()
    for label_id, given in now.items():
        FileLabel.objects.create(file=file, label_id=label_id, origin=given.origin)
    if now.keys() != had.keys():
        note_changes(source.pk, [file.pk])


def _find_file(source: Source, path: str) -> File:
    file = current_files(source.pk).filter(path=path).defer("text").first()
    if file is None:
        raise NotFound(
            gettext("'%(source)s' has no file %(path)s.")
            % {"source": source.name, "path": path}
        )
    return file


def _find_label(source: Source, name: str) -> Label:
    rows = Label.objects.filter(product=source.product_id, is_removed=False)
    label = rows.filter(name=name.lower()).first()
    if label is None:
        known = known_names([source.product_id])
        raise NotFound(
            gettext("There is no label '%(name)s'. Labels of %(product)s: %(known)s.")
            % {
                "name": name[:80],
                "product": source.product.name,
                "known": ", ".join(known),
            }
        )
    return label
