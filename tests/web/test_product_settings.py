"""What maintainers set of a product, and its members."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from devrag.products.models import Membership, Product

from .conftest import Harbour
from .markup import squeeze

URL = "/p/harbour/settings/"
GIVEN = {
    "title": "The Harbour",
    "description": "Greets.",
    "visibility": "members",
    "is_inside": "on",
    "language": "ja,en",
    "audience": "sailors",
    "notes": "",
    "glossary": "cart: Basket\norder: 注文\n",
}


@pytest.mark.parametrize("url", [URL, "/p/harbour/members/"])
def test_only_maintainers_change_a_product(
    bob: Client, charlie: Client, stranger: Client, url: str
) -> None:
    assert bob.post(url, GIVEN).status_code == 403
    assert charlie.post(url, GIVEN).status_code == 404
    assert "/sign-in/" in stranger.post(url, GIVEN).content.decode()
    assert Product.objects.get().title == "Harbour"


def test_what_is_saved_is_what_the_page_shows(alice: Client) -> None:
    assert alice.post(URL, GIVEN)["Location"] == URL
    product = Product.objects.get()
    assert product.is_external_models_allowed is False
    assert product.wiki_settings == {
        "language": "ja,en",
        "audience": "sailors",
        "glossary": {"cart": "Basket", "order": "注文"},
    }
    page = alice.get(URL).content.decode()
    for shown in ('value="The Harbour"', "cart: Basket\norder: 注文", "Saved."):
        assert shown in page


def test_a_wrong_glossary_keeps_what_was_typed(alice: Client) -> None:
    answer = alice.post(URL, {**GIVEN, "glossary": "cart Basket"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "cart Basket</textarea>" in page
    assert 'value="The Harbour"' in page
    assert "“cart Basket” is not a valid entry. Write a term, a colon" in page
    assert Product.objects.get().title == "Harbour"


def test_a_member_is_let_in_changed_and_removed(
    alice: Client, charlie: Client, harbour: Harbour
) -> None:
    alice.post("/p/harbour/members/", {"user_name": "charlie", "role": "viewer"})
    assert charlie.get("/p/harbour/").status_code == 200
    member = Membership.objects.get(user__username="charlie")
    where = f"/p/harbour/members/{member.pk}/"
    alice.post(where, {"role": "maintainer"})
    assert charlie.get(URL).status_code == 200
    alice.post(f"{where}remove/")
    assert charlie.get("/p/harbour/").status_code == 404


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"user_name": "nobody", "role": "viewer"}, "User “nobody” not found"),
        ({"user_name": "bob", "role": "viewer"}, "bob is already a member."),
        ({"user_name": "", "role": "viewer"}, "Enter a username."),
    ],
)
def test_who_cannot_be_added_is_named(
    alice: Client, bob: Client, given: dict[str, str], said: str
) -> None:
    answer = alice.post("/p/harbour/members/", given)
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_the_pages_of_the_settings_lead_to_each_other(
    alice: Client, harbour: Harbour
) -> None:
    pages = [URL, *(f"/p/harbour/{each}/" for each in ("members", "digest", "secrets"))]
    for page in (*pages, "/p/harbour/audit/"):
        shown = alice.get(page).content.decode()
        assert f'href="{page}" aria-current="page"' in shown
        assert [each for each in pages if f'href="{each}"' not in shown] == []


def test_the_only_maintainer_is_not_offered_to_be_removed(
    alice: Client, bob: Client
) -> None:
    page = squeeze(alice.get("/p/harbour/members/"))
    assert "maintainer; the only one, so it cannot be removed" in page
    assert page.count("/remove/") == 1  # bob, a viewer


@pytest.mark.parametrize(("path", "given"), [("remove/", {}), ("", {"role": "viewer"})])
def test_the_last_maintainer_stays(
    alice: Client, path: str, given: dict[str, str]
) -> None:
    member = Membership.objects.get(user__username="alice")
    answer = alice.post(f"/p/harbour/members/{member.pk}/{path}", given)
    assert answer.status_code == 409
    assert "last maintainer" in answer.content.decode()
    member.refresh_from_db()
    assert member.role == "maintainer"


def test_who_leaves_is_led_to_the_dashboard(alice: Client, bob: Client) -> None:
    Membership.objects.filter(user__username="bob").update(role="maintainer")
    member = Membership.objects.get(user=User.objects.get(username="alice"))
    answer = alice.post(f"/p/harbour/members/{member.pk}/remove/")
    assert answer["Location"] == "/"


# -- access to the server


@pytest.fixture
def administrator(harbour: Harbour) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_an_administrator_allows_folders_and_the_key(
    administrator: Client, alice: Client, tmp_path: Path, settings: Settings
) -> None:
    settings.SOURCE_ROOTS = [tmp_path]
    server = {"source_roots": f"{tmp_path}/a\n{tmp_path}/b\n", "is_ssh_key_allowed": 1}
    administrator.post(URL, {**GIVEN, **server})
    product = Product.objects.get()
    assert product.source_roots == [f"{tmp_path}/a", f"{tmp_path}/b"]
    assert product.is_ssh_key_allowed
    shown = administrator.get(URL).content.decode()
    assert f"{tmp_path}/a\n{tmp_path}/b</textarea>" in shown
    assert f"<code>{tmp_path}/a</code>" in alice.get(URL).content.decode()


def test_a_folder_elsewhere_keeps_what_was_typed(
    administrator: Client, tmp_path: Path, settings: Settings
) -> None:
    settings.SOURCE_ROOTS = [tmp_path]
    answer = administrator.post(URL, {**GIVEN, "source_roots": "/etc"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "/etc is outside the folders that this server allows." in page
    assert "/etc</textarea>" in page
    assert Product.objects.get().title == "Harbour"


def test_a_maintainer_changes_no_access_to_the_server(
    alice: Client, tmp_path: Path, settings: Settings
) -> None:
    settings.SOURCE_ROOTS = [tmp_path]
    server = {"source_roots": str(tmp_path), "is_ssh_key_allowed": "on"}
    alice.post(URL, {**GIVEN, **server})
    product = Product.objects.get()
    assert product.title == GIVEN["title"]
    assert (product.source_roots, product.is_ssh_key_allowed) == ([], False)
    assert 'name="source_roots"' not in alice.get(URL).content.decode()


FIND = "/p/harbour/members/find/"


@pytest.fixture
def dora(db: None) -> User:
    return User.objects.create_user(
        "dora", "dora@example.org", first_name="Dora", last_name="Doe"
    )


@pytest.mark.parametrize("text", ["dor", "doe", "ra@ex", "Dora Doe", ""])
def test_users_are_found_by_name_or_address(
    alice: Client, dora: User, text: str
) -> None:
    found = squeeze(alice.get(FIND, {"user_name": text}))
    assert '<option value="dora">Dora Doe · dora@example.org</option>' in found


def test_members_and_closed_accounts_are_no_candidates(
    alice: Client, bob: Client, dora: User
) -> None:
    User.objects.filter(pk=dora.pk).update(is_active=False)
    found = squeeze(alice.get(FIND))
    assert not any(f'"{name}"' in found for name in ("alice", "bob", "dora"))


def test_who_may_not_manage_members_sees_no_user(
    bob: Client, charlie: Client, stranger: Client, dora: User
) -> None:
    answers = [each.get(FIND) for each in (bob, charlie, stranger)]
    assert [each.status_code for each in answers] == [403, 404, 303]
    assert not any(b"dora" in each.content for each in answers)


def test_candidates_are_there_without_a_script(alice: Client, dora: User) -> None:
    page = squeeze(alice.get("/p/harbour/members/"))
    assert 'list="dr-member-candidates"' in page
    assert '<datalist id="dr-member-candidates"><option value="dora">' in page


def test_a_member_is_added_by_e_mail_address(alice: Client, dora: User) -> None:
    given = {"user_name": "Dora@example.org", "role": "viewer"}
    assert alice.post("/p/harbour/members/", given).status_code == 303
    assert Membership.objects.filter(user=dora).exists()


def test_an_address_of_two_accounts_is_none(alice: Client, dora: User) -> None:
    User.objects.create_user("dora2", "dora@example.org")
    given = {"user_name": "dora@example.org", "role": "viewer"}
    assert alice.post("/p/harbour/members/", given).status_code == 422
