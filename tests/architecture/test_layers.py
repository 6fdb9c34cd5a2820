"""Foreign keys follow the import order, also those given as strings."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import models

from tests.architecture.modules import ROOT

ORDER = (
    *("audit", "products", "access", "spending", "jobs", "sources", "accounts"),
    *("labels", "search", "wiki", "ask", "insights"),
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


def _referred(model: type[models.Model]) -> list[Any]:
    """Return the models to which one refers."""
    return [
        field.related_model
        for field in model._meta.get_fields()
        if field.is_relation and not field.auto_created
    ]


def test_no_model_refers_to_a_room_above_its_own() -> None:
    above = [
        f"{model._meta.label} → {other._meta.label}"
        for model in MODELS
        for other in _referred(model)
        if other._meta.app_label in ORDER[ORDER.index(model._meta.app_label) + 1 :]
    ]
    assert above == []


def test_only_what_a_job_owns_refers_to_it() -> None:
    # Jobs go after a day; nothing that lives longer may hold on to one.
    others = [model for model in MODELS if model._meta.app_label != "jobs"]
    found = [
        model._meta.label
        for model in others
        if "jobs.Job" in {other._meta.label for other in _referred(model)}
    ]
    assert found == []
