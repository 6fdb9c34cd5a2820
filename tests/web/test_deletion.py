"""Deleting from the browser: who is asked, what is said, what happens."""

from __future__ import annotations

from pathlib import Path

from django.test import Client

import devrag
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.wiki.models import Wiki

from .conftest import Harbour

SOURCE, PRODUCT = "/p/harbour/s/harbour-code/delete/", "/p/harbour/delete/"


def test_maintainers_are_led_there(
    alice: Client, bob: Client, harbour: Harbour
) -> None:
    page = "/p/harbour/s/harbour-code/"
    assert f'href="{SOURCE}"' in alice.get(page).content.decode()
    assert f'href="{PRODUCT}"' in alice.get("/p/harbour/settings/").content.decode()
    for url in (page, "/p/harbour/"):
        assert "/delete/" not in bob.get(url).content.decode()


def test_it_asks_with_counts_before_anything_goes(alice: Client, wiki: Wiki) -> None:
    page = alice.get(PRODUCT).content.decode()
    assert "1 wiki version<" in page
    assert "file versions" in page
    assert Product.objects.filter(name="harbour").exists()


def test_a_source_goes_with_a_click(alice: Client, harbour: Harbour) -> None:
    response = alice.post(SOURCE)
    job = Job.objects.get(kind="delete")
    assert (response.status_code, response["Location"]) == (303, f"/jobs/{job.pk}/")
    assert not Source.objects.filter(name="harbour-code").exists()
    assert "harbour-code" in alice.get(f"/jobs/{job.pk}/").content.decode()


def test_a_product_wants_its_name_typed(alice: Client, harbour: Harbour) -> None:
    response = alice.post(PRODUCT, {"typed": "harbor"})
    assert response.status_code == 400
    assert "Nothing was deleted" in response.content.decode()
    assert alice.post(PRODUCT, {"typed": "harbour"}).status_code == 303
    assert alice.get("/p/harbour/").status_code == 404
    job = Job.objects.get(kind="delete")
    assert alice.get(f"/jobs/{job.pk}/").status_code == 200


def test_the_demo_goes_with_a_click_from_the_dashboard(
    alice: Client, bob: Client, harbour: Harbour
) -> None:
    assert "Remove the demo" not in alice.get("/").content.decode()
    harbour.source.metadata = {"path": str(Path(devrag.__file__).parents[1])}
    harbour.source.save(update_fields=["metadata"])
    assert f'href="{PRODUCT}">Remove the demo' in alice.get("/").content.decode()
    assert "Remove the demo" not in bob.get("/").content.decode()
    assert 'name="typed"' not in alice.get(PRODUCT).content.decode()
    assert bob.post(PRODUCT).status_code == 403
    assert alice.post(PRODUCT).status_code == 303
    assert not Product.objects.filter(name="harbour").exists()


def test_a_demo_with_another_source_wants_its_name_typed(
    alice: Client, harbour: Harbour
) -> None:
    harbour.source.metadata = {"path": str(Path(devrag.__file__).parents[1])}
    harbour.source.save(update_fields=["metadata"])
    Source.objects.create(product=harbour.product, name="notes")
    assert "Remove the demo" not in alice.get("/").content.decode()
    assert 'name="typed"' in alice.get(PRODUCT).content.decode()
    assert alice.post(PRODUCT).status_code == 400


def test_readers_and_strangers_may_not(
    bob: Client, charlie: Client, stranger: Client, harbour: Harbour
) -> None:
    for url in (SOURCE, PRODUCT):
        assert bob.post(url, {"typed": "harbour"}).status_code == 403
        assert charlie.post(url, {"typed": "harbour"}).status_code == 404
        assert stranger.get(url)["Location"].startswith("/sign-in/")
    assert Source.objects.filter(name="harbour-code").exists()
