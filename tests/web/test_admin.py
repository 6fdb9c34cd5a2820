"""The administration: every list opens, leads into the app, and acts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from devrag.access.services import create_token, principal_of_token
from devrag.jobs.models import Job
from devrag.search.models import SearchLog
from devrag.wiki.models import Wiki

from .conftest import Harbour


@pytest.fixture
def root(harbour: Harbour) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def rows(root: Client, wiki: Wiki, make_job: Any) -> None:
    make_job()
    create_token(name="ci", scopes=["read"], user=User.objects.get())
    SearchLog.objects.create(query="a b", mode="hybrid", hit_count=1, latency_ms=1.5)


def test_the_administration_looks_like_devrag_and_leads_back(root: Client) -> None:
    page = root.get("/admin/").content.decode()
    assert "Back to devrag" in page
    assert page.count("favicon.svg") >= 2
    assert re.search(r'href="/"[^>]*>', page)
    assert "oklch(47.5% 0.085 178)" in page


def test_every_list_and_row_opens(root: Client, rows: None) -> None:
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert root.get(reverse(f"{name}_changelist")).status_code == 200, name
        row = model._default_manager.first()
        if row is not None:
            url = reverse(f"{name}_change", args=[row.pk])
            assert root.get(url).status_code == 200, name


@pytest.mark.parametrize(
    ("model", "leads_to"),
    [
        ("products_product", "/p/harbour/"),
        ("sources_source", "/p/harbour/"),
        ("sources_gitref", "/p/harbour/s/harbour-code/-/current/"),
        ("jobs_job", "/jobs/"),
        ("wiki_version", "/p/harbour/wiki/"),
        ("search_searchlog", "/search?q=a+b&amp;mode=hybrid"),
    ],
)
def test_lists_lead_into_the_app(
    root: Client, rows: None, model: str, leads_to: str
) -> None:
    page = root.get(reverse(f"admin:{model}_changelist")).content.decode()
    assert f'href="{leads_to}' in page


def test_sources_are_indexed_from_their_list(root: Client, harbour: Harbour) -> None:
    given = {"action": "index_now", "_selected_action": harbour.source.pk}
    root.post(reverse("admin:sources_source_changelist"), given)
    assert Job.objects.get().requested_by == "root"


def test_a_refused_action_says_why(root: Client, harbour: Harbour) -> None:
    harbour.ref.snapshot = None
    harbour.ref.save()
    given = {"action": "write_wiki", "_selected_action": harbour.product.pk}
    url = reverse("admin:products_product_changelist")
    page = root.post(url, given, follow=True).content.decode()
    assert "has no indexed source yet" in page


def test_tokens_are_revoked_from_their_list(root: Client) -> None:
    token, secret = create_token(name="ci", scopes=["read"])
    given = {"action": "revoke", "_selected_action": token.pk}
    root.post(reverse("admin:access_apitoken_changelist"), given)
    assert principal_of_token(secret) is None
