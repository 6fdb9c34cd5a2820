"""The form that adds a repository: what is allowed, folders to choose, options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.models import Source
from tests.conftest import Repository

from .browser import open_page
from .conftest import Harbour
from .markup import squeeze

HTMX = {"HX-Request": "true"}


@pytest.fixture
def root(db: None) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """An allowed folder with a space in the name of one below it."""
    (tmp_path / "roots/tea shop/api").mkdir(parents=True)
    settings.SOURCE_ROOTS = [tmp_path / "roots"]
    return tmp_path / "roots"


def test_what_is_allowed_is_said_before_it_is_sent(
    root: Client, folder: Path, settings: Any
) -> None:
    page = squeeze(root.get("/"))
    assert "https://, ssh:// or user@host:path." in page
    assert f"Folders under:<code>{folder}</code>" in page
    settings.SOURCE_ROOTS = []
    page = squeeze(root.get("/"))
    assert "No folder of this server can be added here yet." in page
    assert "/add/folders/" not in page


def test_folders_of_the_server_are_told_to_nobody_unknown(
    db: None, folder: Path
) -> None:
    client = Client(HTTP_HOST="localhost")
    page = client.get("/").content.decode()
    assert "Sign in to see which folders on the server you can add." in page
    assert str(folder) not in page
    answer = client.get("/add/folders/", {"path": str(folder)})
    assert answer["Location"].startswith("/sign-in/")


def test_a_maintainer_is_told_who_adds_folders(alice: Client, folder: Path) -> None:
    page = alice.get("/").content.decode()
    assert "Only administrators can add folders on the server." in page
    assert str(folder) not in page


def test_folders_are_links_that_lead_to_the_form(root: Client, folder: Path) -> None:
    path = "/add/folders/?path="
    page = squeeze(root.get("/add/folders/"))
    whole = str(folder).replace("/", "%2F")
    assert f'href="/?location={whole}#dr-location">Use this folder' in page
    assert page.count("Use this folder") == 1
    inner = str(folder / "tea shop").replace("/", "%2F").replace(" ", "%20")
    assert f'href="{path}{inner}"' in page
    page = squeeze(root.get("/add/folders/", {"path": str(folder / "tea shop")}))
    assert f'href="/?location={inner}#dr-location">Use this folder' in page
    form = squeeze(root.get("/", {"location": str(folder / "tea shop")}))
    assert f'value="{folder}/tea shop"' in form


def test_the_form_tells_who_sees_a_new_product(root: Client) -> None:
    assert "Everyone, also without signing in. You can change" in squeeze(root.get("/"))


def test_a_folder_opened_on_its_own_page_is_the_one_that_is_used(
    root: Client, folder: Path
) -> None:
    """The button above the list leads to the form with the folder of the address."""
    assert "hx-get" not in _listing(root.get("/add/folders/", {"path": str(folder)}))
    fragment = root.get("/add/folders/", {"path": str(folder)}, headers=HTMX)
    assert "hx-get" in _listing(fragment)


def _listing(answer: HttpResponse) -> str:
    return squeeze(answer).partition('id="dr-folders"')[2].partition("</ul>")[0]


def test_an_opened_folder_is_filled_in(root: Client, folder: Path) -> None:
    page = root.get("/add/folders/", {"path": str(folder)}, headers=HTMX)
    assert "<html" not in page.content.decode()
    assert f'name="location" value="{folder}"' in squeeze(page)
    assert 'hx-swap-oob="true"' in squeeze(page)
    # What was typed is kept until a folder is opened.
    page = root.get("/add/folders/", headers=HTMX)
    assert 'name="location"' not in squeeze(page)


def test_an_empty_folder_and_a_refused_one_say_so(root: Client, folder: Path) -> None:
    page = squeeze(root.get("/add/folders/", {"path": str(folder / "tea shop/api")}))
    assert "This folder contains no visible folders." in page
    answer = root.get("/add/folders/", {"path": "/etc"}, headers=HTMX)
    assert answer.status_code == 403
    assert "/etc is outside the folders that can be added here" in squeeze(answer)
    assert "Show all folders" in squeeze(answer)
    assert 'name="location"' not in squeeze(answer)


def test_the_options_reach_the_job_and_the_source(
    root: Client, shop: Repository, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    shop.git("branch", "next")
    given = {"location": str(shop.path), "ref": "next", "minutes": "30", "wiki": "no"}
    given |= {"product": "store", "wiki_language": "ja,en"}
    answer = root.post("/add/", given)
    assert answer.status_code == 303, squeeze(answer)
    source = Source.objects.get()
    assert source.product.name == "store"
    assert source.product.wiki_settings == {"language": "ja,en"}
    assert source.metadata["default_branch"] == "next"
    assert (source.index_every_minutes, source.is_wiki_scheduled) == (30, False)
    assert not Job.objects.get().params["generateWiki"]


def test_the_language_of_the_page_is_that_of_a_new_wiki(
    root: Client, shop: Repository, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    japanese = {"accept-language": "ja"}
    root.post("/add/", {"location": str(shop.path), "product": "a"}, headers=japanese)
    given = {"location": str(shop.path), "product": "b", "wiki_language": "en"}
    root.post("/add/", given, headers=japanese)
    found = dict(Product.objects.values_list("name", "wiki_settings"))
    assert found == {"a": {"language": "ja"}, "b": {"language": "en"}}


def test_a_wiki_keeps_its_language(
    root: Client, shop: Repository, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    Product.objects.create(name="store")
    given = {"location": str(shop.path), "product": "store", "wiki_language": "ja"}
    answer = root.post("/add/", given, headers=HTMX)
    assert answer.status_code == 422
    assert "The wiki of &#x27;store&#x27; is written in &#x27;en&#x27;." in squeeze(
        answer
    )
    assert '<option value="ja" selected>' in squeeze(answer)
    assert not Source.objects.exists()
    assert root.post("/add/", {**given, "wiki_language": "en"}).status_code == 303


def test_a_wiki_is_generated_unless_it_is_declined(
    root: Client, shop: Repository, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    root.post("/add/", {"location": str(shop.path)})
    assert Job.objects.get().params["generateWiki"]
    assert Source.objects.get().index_every_minutes is None


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("ref", "a..b", "is not a valid branch or tag name"),
        ("minutes", "0", "greater than or equal to 1"),
        ("product", "Bad/Name", "Invalid product name"),
    ],
)
def test_a_wrong_option_is_said_at_its_field(
    alice: Client, harbour: Harbour, name: str, value: str, error: str
) -> None:
    given = {"location": "https://git.example/x", name: value}
    answer = alice.post("/add/", given, headers=HTMX)
    page = squeeze(answer)
    assert answer.status_code == 422
    assert f'id="dr-{name}-error"' in page
    assert error in page
    assert f'value="{value}"' in page
    assert '<details class="snippet-more full" open>' in page


def test_a_new_product_can_be_for_members_only(
    root: Client, shop: Repository, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    given = {"location": str(shop.path), "visibility": "members"}
    assert root.post("/add/", given).status_code == 303
    assert Product.objects.get().visibility == "members"
    assert Client(HTTP_HOST="localhost").get("/p/shop/").status_code == 404


def test_an_existing_product_keeps_its_visibility(
    root: Client, shop: Repository, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    given = {"location": str(shop.path)}
    root.post("/add/", given)
    answer = root.post("/add/", {**given, "visibility": "members"}, headers=HTMX)
    assert answer.status_code == 422
    assert "has another visibility" in squeeze(answer)
    assert Product.objects.get().visibility == "everyone"


def test_a_location_that_is_known_is_named(
    root: Client, shop: Repository, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    given = {"location": str(shop.path), "product": "shop"}
    said = "is already a source of shop. It is indexed again."
    first = root.post("/add/", given)["Location"]
    assert said not in root.get(first).content.decode()
    Job.objects.update(state="completed")
    again = root.post("/add/", given)["Location"]
    assert said in root.get(again).content.decode()


def test_uploads_offer_the_language_of_the_wiki(root: Client) -> None:
    page = squeeze(root.get("/"))
    languages = page.partition('id="dr-upload-language"')[2].partition("</select>")[0]
    assert '<option value="ja">Japanese</option>' in languages


def test_the_options_are_closed_until_one_is_used(root: Client) -> None:
    assert '<details class="snippet-more full">' in squeeze(root.get("/"))
    page = squeeze(root.get("/", {"ref": "next", "wiki": "no"}))
    assert '<details class="snippet-more full" open>' in page
    assert '<option value="no" selected>' in page


@pytest.mark.slow
def test_a_folder_is_chosen_by_keyboard(
    root: Client, folder: Path, browser: Browser, live_server: LiveServer
) -> None:
    with open_page(browser, live_server.url, root) as page:
        page.goto("/")
        location = page.get_by_label("Git URL or path")
        location.fill("https://git.example/x")
        page.get_by_role("link", name="Choose a folder").press("Enter")
        picker = page.locator(".folder-picker")
        expect(picker.locator("[autofocus]")).to_be_focused()
        expect(location).to_have_value("https://git.example/x")
        picker.get_by_role("link", name="tea shop").press("Enter")
        expect(location).to_have_value(str(folder / "tea shop"))
        expect(picker.get_by_role("link", name="api")).to_be_visible()
        picker.get_by_role("link", name="Parent folder").press("Enter")
        expect(location).to_have_value(str(folder))


def test_a_location_is_tested_before_it_is_added(
    root: Client, folder: Path, shop: Repository, settings: Any
) -> None:
    (folder / "tea shop/a.md").write_text("# Tea\n")
    for headers in ({}, HTMX):
        given = {"location": str(folder / "tea shop")}
        answer = root.post("/add/test/", given, headers=headers)
        page = squeeze(answer)
        assert answer.status_code == 200, page
        assert 'Files: <span class="tabular">1</span>' in page.replace(":<", ": <")
        assert ("<html" in page) is not bool(headers)
    settings.SOURCE_ROOTS = [shop.path.parent]
    given = {"location": str(shop.path), "ref": "main"}
    assert "Reads the branch main." in squeeze(root.post("/add/test/", given))
    answer = root.post("/add/test/", {**given, "ref": "gone"}, headers=HTMX)
    assert answer.status_code == 422
    assert "has no branch or tag" in squeeze(answer)
    assert not Source.objects.exists()


def test_a_location_is_tested_for_nobody_unknown(db: None) -> None:
    client = Client(HTTP_HOST="localhost")
    answer = client.post("/add/test/", {"location": "https://u:secret@git.example/x"})
    assert answer["Location"].startswith("/sign-in/")
    assert "secret" not in answer["Location"]
