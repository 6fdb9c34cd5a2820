"""Language, theme and time zone: of a user everywhere, of a stranger in cookies."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from devrag.access.models import Preferences
from devrag.access.preferences import language_of_addresses

from .markup import squeeze

URL = "/settings/account/"
SAVE = "/settings/account/preferences/"


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", "ann@example.org")


def device(user: User | None = None) -> Client:
    made = Client(HTTP_HOST="localhost")
    if user is not None:
        made.force_login(user)
    return made


def test_choices_are_stored_and_shown_again(ann: User) -> None:
    given = {"language": "ja", "theme": "dark", "time_zone": "Asia/Tokyo"}
    assert device(ann).post(SAVE, given)["Location"] == URL
    stored = Preferences.objects.get(user=ann)
    assert (stored.language, stored.theme, stored.time_zone) == tuple(given.values())
    page = squeeze(device(ann).get(URL))
    assert '<option value="Asia/Tokyo" selected>' in page
    assert '<option value="ja" lang="ja" selected>' in page


def test_another_device_reads_in_the_chosen_language_and_theme(ann: User) -> None:
    device(ann).post("/preferences/", {"language": "ja"})
    device(ann).post("/preferences/", {"theme": "dark"})
    page = squeeze(device(ann).get("/jobs/", headers={"Accept-Language": "en"}))
    assert '<html lang="ja" data-theme="dark">' in page


def test_messages_are_in_the_language_just_chosen(ann: User) -> None:
    here = device(ann)
    here.post(SAVE, {"language": "ja", "theme": "system", "time_zone": ""})
    page = here.get(URL).content.decode()
    assert "設定を保存しました" in page
    assert "Preferences saved." not in page


@pytest.mark.parametrize(("language", "place"), [("en", "Tokyo"), ("ja", "東京")])
def test_time_zones_are_named_in_the_readers_language(
    ann: User, language: str, place: str
) -> None:
    here = device(ann)
    here.post(SAVE, {"language": language})
    page = squeeze(here.get(URL))
    assert f'<option value="Asia/Tokyo">{place}</option>' in page
    assert '<option value="UTC">UTC</option>' in page


def test_a_place_is_listed_once_and_the_chosen_one_stays(ann: User) -> None:
    here = device(ann)
    page = squeeze(here.get(URL))
    assert 'value="Asia/Kolkata"' in page
    assert 'value="Asia/Calcutta"' not in page
    here.post(SAVE, {"time_zone": "Asia/Calcutta"})
    assert '<option value="Asia/Calcutta" selected>' in squeeze(here.get(URL))


def test_what_is_not_sent_stays(ann: User) -> None:
    here = device(ann)
    here.post(SAVE, {"language": "ja", "theme": "dark", "time_zone": "Asia/Tokyo"})
    here.post("/preferences/", {"theme": "light"})
    stored = Preferences.objects.get(user=ann)
    assert (stored.language, stored.theme) == ("ja", "light")


def test_times_are_in_the_chosen_zone_with_its_name(ann: User) -> None:
    here = device(ann)
    here.cookies["timezone"] = "Europe/Berlin"
    assert "(Europe/Berlin)" in squeeze(here.get(URL))
    here.post(SAVE, {"time_zone": "Asia/Tokyo"})
    page = squeeze(here.get(URL))
    assert "JST (Asia/Tokyo)" in page
    assert "Europe/Berlin)" not in page


def test_a_stranger_keeps_theme_and_language_in_cookies(db: None) -> None:
    here = device()
    sent: Any = here.post("/preferences/", {"theme": "dark", "next": "/sign-in/"})
    assert sent["Location"] == "/sign-in/"
    cookie = sent.cookies["theme"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    here.post("/preferences/", {"language": "ja"})
    assert '<html lang="ja" data-theme="dark">' in squeeze(here.get("/sign-in/"))
    assert not Preferences.objects.exists()


def test_automatic_follows_the_browser_again(ann: User) -> None:
    here = device(ann)
    here.post(SAVE, {"language": "ja"})
    here.post(SAVE, {"language": ""})
    page = squeeze(here.get(URL, headers={"Accept-Language": "en"}))
    assert '<html lang="en">' in page


@pytest.mark.parametrize(
    "choice", [{"language": "xx"}, {"theme": "pink"}, {"time_zone": "Mars/Base"}]
)
def test_what_there_is_not_is_refused(ann: User, choice: dict[str, str]) -> None:
    assert device(ann).post("/preferences/", choice).status_code == 400
    assert not Preferences.objects.exists()


def test_a_cookie_with_another_theme_is_ignored(db: None) -> None:
    here = device()
    here.cookies["theme"] = 'x" onload="'
    assert '<html lang="en">' in squeeze(here.get("/sign-in/"))


def test_a_script_needs_no_page_back(ann: User) -> None:
    headers = {"X-Requested-With": "fetch"}
    answer = device(ann).post("/preferences/", {"theme": "dark"}, headers=headers)
    assert answer.status_code == 204


def test_programs_are_answered_in_english(ann: User) -> None:
    here = device(ann)
    here.post(SAVE, {"language": "ja"})
    assert here.get("/api/v1/nope").json()["title"].isascii()


def test_an_address_has_the_language_of_its_account(ann: User) -> None:
    device(ann).post(SAVE, {"language": "ja"})
    found = language_of_addresses(["Ann@example.org", "bob@example.org"])
    assert found == {"Ann@example.org": "ja"}
