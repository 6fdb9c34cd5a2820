"""Foreign keys follow the import order, also those given as strings."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import models

from tests.architecture.modules import ROOT

ORDER = (
    *("products", "access", "spending", "jobs", "sources", "labels", "search"),
    *("wiki", "ask"),
)
MODELS = [
    model
    for model in apps.get_models(include_auto_created=True)
    if model.__module__.startswith("devrag.")
]


def test_every_room_with_models_has_its_place_in_the_order() -> None:
    assert {model._meta.app_label for model in MODELS} == set(ORDER)


def test_the_order_is_the_one_that_imports_follow() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    places = [text.index(f'"devrag.{name}",') for name in ORDER]
    assert places == sorted(places, reverse=True)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_model_refers_to_a_room_above_its_own(model: type[models.Model]) -> None:
    own = ORDER.index(model._meta.app_label)
    above = [
        f"{field.name} → {field.related_model._meta.label}"
        for field in model._meta.get_fields()
        if field.is_relation
        and not field.auto_created
        and field.related_model._meta.app_label in ORDER[own + 1 :]
    ]
    assert above == []


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_only_what_a_job_owns_refers_to_it(model: type[models.Model]) -> None:
    # Jobs go after a day; nothing that lives longer may hold on to one.
    if model._meta.app_label == "jobs":
        return
    targets = {
        field.related_model._meta.label
        for field in model._meta.get_fields()
        if field.is_relation and not field.auto_created
    }
    assert "jobs.Job" not in targets
