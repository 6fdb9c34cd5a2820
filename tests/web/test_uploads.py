"""Uploading files in the browser: as a plain form, and with progress."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from devrag.jobs.models import Job
from devrag.sources.models import Source
from tests.sources.uploads.archives import zipped

from .browser import open_page
from .conftest import Harbour
from .markup import squeeze

HTMX = {"HX-Request": "true"}
ADD = "/add/upload/"


@pytest.fixture
def root(db: None) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


def sent(name: str = "handbook.zip", **files: bytes) -> SimpleUploadedFile:
    named = {f"{key}.md": data for key, data in files.items()}
    return SimpleUploadedFile(name, zipped(named or {"a.md": b"# Tea\n"}))


def test_the_dashboard_offers_it_to_who_may_add(root: Client) -> None:
    page = squeeze(root.get("/"))
    assert 'enctype="multipart/form-data"' in page
    assert "Up to 200 MB and 20,000 files." in page
    assert "upload.js" in page
    unknown = squeeze(Client(HTTP_HOST="localhost").get("/"))
    assert 'enctype="multipart/form-data"' not in unknown


def test_a_plain_form_adds_a_source(root: Client) -> None:
    given = {"files": sent(), "product": "tea", "source_name": "book", "no_wiki": "on"}
    answer = root.post(ADD, {**given, "wiki_language": "ja"})
    assert answer.status_code == 303, squeeze(answer)
    assert answer["Location"] == "/"  # the first one is followed there
    source = Source.objects.get()
    assert (source.name, source.product.name, source.location) == (
        "book",
        "tea",
        "handbook.zip",
    )
    assert not Job.objects.get().params["generateWiki"]
    assert source.product.wiki_settings == {"language": "ja"}


def test_names_are_taken_from_the_file(root: Client) -> None:
    assert root.post(ADD, {"files": sent("Tea Book.zip")}).status_code == 303
    source = Source.objects.get()
    assert (source.name, source.product.name) == ("Tea Book", "tea-book")
    assert Job.objects.get().params["generateWiki"]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        (
            {"files": SimpleUploadedFile("a.7z", b"7z")},
            "archive type that is not supported",
        ),
        ({"files": []}, "Choose a file to upload."),
        ({"product": "Bad/Name"}, "Invalid product name"),
        ({"source_name": "a/b"}, "Invalid source name"),
    ],
)
def test_an_error_is_said_and_nothing_typed_is_lost(
    root: Client, changes: dict[str, Any], error: str
) -> None:
    given = {"files": sent(), "product": "tea", "members": "", **changes}
    for headers in ({}, HTMX):
        answer = root.post(ADD, given, headers=headers)
        page = squeeze(answer)
        assert answer.status_code == 422
        assert error in page
        assert f'value="{given["product"]}"' in page
        assert ("<html" in page) is not bool(headers)
        given["files"] = changes.get("files", sent())
    assert not Source.objects.exists()


def test_a_form_of_another_site_is_refused(root: Client) -> None:
    strict = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    strict.cookies = root.cookies
    assert strict.post(ADD, {"files": sent()}).status_code == 403
    assert not Source.objects.exists()


def test_who_is_not_signed_in_is_asked_to(db: None) -> None:
    client = Client(HTTP_HOST="localhost")
    assert client.post(ADD, {"files": sent()})["Location"].startswith("/sign-in/")
    assert client.get(ADD)["Location"].startswith("/sign-in/")


def test_readers_do_not_replace_files(
    alice: Client, bob: Client, harbour: Harbour
) -> None:
    product = harbour.product.name
    answer = alice.post(ADD, {"files": sent(), "product": product})
    assert answer.status_code == 303, squeeze(answer)
    place = f"/p/{product}/s/handbook/"
    page = squeeze(alice.get(place))
    assert "Another upload replaces all files." in page
    assert f'action="{place}upload/"' in page
    assert "Another upload replaces" not in squeeze(bob.get(place))
    assert bob.post(f"{place}upload/", {"files": sent("v2.zip")}).status_code == 403
    assert Source.objects.get(name="handbook").location == "handbook.zip"
    answer = alice.post(f"{place}upload/", {"files": sent("v2.zip")})
    assert answer.status_code == 303
    assert Source.objects.get(name="handbook").location == "v2.zip"
    answer = alice.post(f"{place}upload/", {"files": SimpleUploadedFile("a.7z", b"7")})
    assert answer.status_code == 422
    assert "archive type that is not supported" in squeeze(answer)


def test_uploads_that_are_turned_off_are_not_offered(
    root: Client, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 0
    assert 'enctype="multipart/form-data"' not in squeeze(root.get("/"))
    assert "Uploads are disabled" in squeeze(root.get(ADD))
    assert "Uploads are disabled" in squeeze(root.post(ADD, {"files": sent()}))


@pytest.mark.slow
def test_a_file_is_uploaded_with_progress(
    root: Client, browser: Browser, live_server: LiveServer, tmp_path: Path
) -> None:
    broken, good = tmp_path / "broken.zip", tmp_path / "handbook.zip"
    broken.write_bytes(b"no zip")
    good.write_bytes(zipped({"a.md": b"# Tea\n"}))
    with open_page(browser, live_server.url, root) as page:
        page.goto("/")
        page.get_by_text("Or upload files").press("Enter")
        form = page.locator("form[data-upload]")
        form.get_by_label("Files").set_input_files(broken)
        form.get_by_role("button", name="Upload and index").press("Enter")
        expect(form.get_by_role("alert")).to_contain_text("damaged")
        expect(form.get_by_label("Files")).to_be_focused()
        # Files that are dropped take the place of those that were chosen.
        page.evaluate(
            """data => {
                const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
                const dropped = new DataTransfer();
                dropped.items.add(new File([bytes], "handbook.zip"));
                document.querySelector("form[data-upload] label").dispatchEvent(
                    new DragEvent("drop", {dataTransfer: dropped, bubbles: true}));
            }""",
            base64.b64encode(good.read_bytes()).decode(),
        )
        button = form.get_by_role("button", name="Upload and index")
        expect(button).to_be_focused()
        button.press("Enter")
        expect(page.locator("h1")).to_contain_text("handbook")
    assert Source.objects.get().location == "handbook.zip"
