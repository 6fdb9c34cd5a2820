"""The interface in English and Japanese, and times where the reader lives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from devrag.access.services import create_token
from devrag.core.hashing import stable_uuid
from devrag.jobs.models import Job, JobEvent, JobState
from devrag.search.ranking import REASONS
from devrag.search.types import KINDS
from devrag.sources.connectors.git.failures import explain
from devrag.use_cases.workflows import WORKFLOWS
from devrag.web import translated_terms as words
from devrag.wiki.evidence.freshness import ClaimFreshness
from devrag.wiki.models import Wiki

from .conftest import Harbour
from .markup import squeeze

JAPANESE = {"Accept-Language": "ja,en;q=0.8"}
SOURCE = "/p/harbour/s/harbour-code"
PAGES = [
    "/",
    "/p/harbour/",
    "/p/harbour/sources/",
    f"{SOURCE}/",
    f"{SOURCE}/-/current/",
    f"{SOURCE}/-/current/src/greeter.py",
    f"{SOURCE}/symbol/current/{stable_uuid('Greeter')}/",
    f"{SOURCE}/symbol/current/{stable_uuid('greet')}/",
    f"{SOURCE}/delete/",
    "/p/harbour/delete/",
    "/p/harbour/wiki/architecture",
    "/p/harbour/wiki-versions/",
    "/p/harbour/wiki-versions/1/",
    "/p/harbour/wiki-versions/compare/?from=1&to=1&page=architecture.md",
    "/p/harbour/wiki-feedback/",
    "/p/harbour/wiki-notes/add/?language=en&place=architecture.md",
    "/search",
    "/search?q=Greeter&mode=keyword&summary=on&complexity=",
    "/search?q=nothinghasthis&mode=keyword",
    "/search?q=the&mode=keyword",
    "/search?q=lang:go+lang:python+x",
    "/searches/",
    "/ask/",
    "/p/harbour/ask/",
    "/jobs/",
    "/settings/tokens/",
    "/settings/connect/",
    "/settings/models/",
    "/settings/health/",
    "/p/harbour/settings/",
    "/p/harbour/members/",
    "/p/harbour/audit/",
    "/nowhere",
    f"{SOURCE}/-/current/src/gone.py",
    f"{SOURCE}/symbol/current/{stable_uuid('gone')}/",
    "/p/harbour/wiki-versions/9/",
]
# Names of things, which no language changes.
_NAMES = {
    *("devrag", "English", "Python", "Markdown", "python", "markdown", "git", "Wiki"),
    *("Harbour", "harbour", "harbour-code", "src", "docs", "README.md", "Raw", "main"),
    *(
        "Ctrl",
        "Tab",
        "Click",
        "Aa",
        "Blame",
        "alice, bob",
        "Ctrl K",
        "Enter",
        "Esc",
        "Shift",
        "lang:go",
        "lang:python",
    ),
    *("Anthropic", "OpenAI", "Gemini", "gRPC", "Valkey", "PostgreSQL"),
    *("VS Code", "Claude Desktop", "Claude Code", "Cursor"),
    *("openai (Python", "llm", "all"),
    *("greeter.py", "src/greeter.py", "Greeter", "greet", "alice", "Architecture"),
    *(
        "Greeting",
        "Greets.",
        "Overview",
        "<script>alert(1)</script>",
        "Guide",
        "The graph",
        "Detail",
        "def greet",
        "@ aaaaaaa",
    ),
    *(
        "harbour / harbour-code",
        "Enter",
        "Ctrl K",
        "Esc",
        "Shift",
        "text/markdown",
        "open",
        "aaaaaaaaaa",
        "https://git.example/harbour.git",
    ),
    *("https://github.com/owner/repository", "README.md:1", "src/greeter.py:5–6"),
    *("Claude Code", "Claude Desktop", "Cursor", "VS Code", "OpenAI", "Gemini"),
    *("Anthropic", "PostgreSQL", "Valkey", "DATABASE_URL", "REDIS_URL", "celery"),
    *("src/greeter.py:4", "src/greeter.py:5", "Greeter.greet", "greet(self, name)"),
}
# Blanks, moments and shares, which stand beside names.
_DATA = r"\s+|\d{4}-\d\d-\d\d \d\d:\d\d UTC|[\d.]+%"
_SAID = ("aria-label", "alt", "placeholder", "title")
_VOID = {"meta", "link", "input", "img", "hr", "br", "use", "rect", "circle"}
_OTHERWISE = {"code", "pre", "script", "style"}


class _Words(HTMLParser):
    """Collects what a page says in its own language."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_other = tag in _OTHERWISE or given.get("lang", "ja") != "ja"
        if not is_other and not any(self._open):
            data = [name for name in given if name.startswith("data-")]
            names = [*_SAID, *(data if tag in {"meta", "button"} else [])]
            self.found += [given[name] or "" for name in names if name in given]
        if tag not in _VOID:
            self._open.append(is_other)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if not any(self._open):
            self.found.append(data)


def untranslated(page: str) -> set[str]:
    """Return what has letters, no Japanese, and is no name."""
    words = _Words()
    words.feed(page.replace("<wbr>", ""))
    said = {re.sub(_DATA, " ", text).strip(" ·/():,：（）。") for text in words.found}
    latin = {text for text in said if re.search(r"[A-Za-z]{2}", text)}
    own = {text for text in latin if not re.search(r"[\u3040-\u9fff]", text)}
    is_name = re.compile(r"a{7,}|^#dr-|^p/harbour/|· (?:Harbour · )?devrag$")
    return {text for text in own - _NAMES if not is_name.search(text)}


@pytest.fixture
def jobs(make_job: Callable[..., Job]) -> list[str]:
    """Addresses of jobs in each state."""
    states = dict.fromkeys(JobState.values, "index") | {"running": "wiki"}
    made = [make_job(state=state, kind=kind) for state, kind in states.items()]
    Job.objects.filter(state="completed").update(
        report={"added": 1, "lines": 12_345}, finished_at=datetime.now(UTC)
    )
    return [reverse("web:job", args=[job.pk]) for job in made]


def test_every_page_is_japanese_for_a_japanese_browser(
    alice: Client, indexed: Harbour, wiki: Wiki, jobs: list[str]
) -> None:
    left = {}
    for url in [*PAGES, *jobs]:
        response = alice.get(url, headers=JAPANESE)
        page = response.content.decode()
        assert '<html lang="ja">' in page, url
        assert response.headers["Content-Language"] == "ja"
        if found := untranslated(page):
            left[url] = found
    assert left == {}


def test_first_pages_are_japanese_too(stranger: Client, db: None) -> None:
    page = stranger.get("/sign-in/", headers=JAPANESE).content.decode()
    assert untranslated(page) == set()


def test_a_refused_form_answers_in_japanese(alice: Client, harbour: Harbour) -> None:
    given = {"location": "ftp://example.com/x", "product": "Not A Name"}
    page = alice.post("/add/", given, headers=JAPANESE).content.decode()
    assert "プロダクト名「Not A Name」は使用できません" in page
    given["product"] = ""
    page = alice.post("/add/", given, headers=JAPANESE).content.decode()
    assert "対応していません" in page


@pytest.mark.usefixtures("wiki")
def test_a_refusal_answers_in_japanese(bob: Client) -> None:
    url = "/p/harbour/wiki-versions/1/pin/"
    answer = bob.post(url, {"pinned": "1"}, headers=JAPANESE)
    assert answer.status_code == 403
    assert "「harbour」を閲覧できますが、変更はできません" in answer.content.decode()


def test_what_git_complains_of_is_japanese_for_a_japanese_reader() -> None:
    facts = dict.fromkeys(("mirror", "known_hosts", "scan"), "")
    facts["place"] = "https://git.example/a.git"
    with translation.override("ja"):
        error = explain("fatal: repository not found", facts)
    assert error.message.startswith("https://git.example/a.git に Git リポジトリは")


def test_programs_are_answered_in_english(stranger: Client, harbour: Harbour) -> None:
    _, secret = create_token(name="ci", scopes=["read"])
    answer = stranger.post(
        "/api/v1/search",
        {"query": "x", "productName": "nope"},
        "application/json",
        headers={**JAPANESE, "Authorization": f"Bearer {secret}"},
    )
    assert answer.json()["detail"] == "There is no product 'nope'."
    assert "Content-Language" not in answer.headers


@pytest.mark.parametrize("language", ["en", "de", ""])
def test_all_others_are_answered_in_english(bob: Client, language: str) -> None:
    page = bob.get("/", headers={"Accept-Language": language}).content.decode()
    assert '<html lang="en">' in page


def test_the_switch_needs_no_script_and_leads_back(
    bob: Client, harbour: Harbour
) -> None:
    page = squeeze(bob.get("/search?q=%22a%22&mode=keyword"))
    assert '<button type="submit" name="language" value="ja"' in page
    assert 'name="next" value="/search?q=%22a%22&amp;mode=keyword"' in page
    done = bob.post("/preferences/", {"language": "ja", "next": "/jobs/"})
    assert done.headers["Location"] == "/jobs/"
    cookie = done.cookies["django_language"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    # It beats what the browser asks for.
    page = bob.get("/jobs/", headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="ja">' in page


def test_the_switch_leads_to_no_other_site(bob: Client, harbour: Harbour) -> None:
    done = bob.post(
        "/preferences/", {"language": "ja", "next": "https://evil.example/"}
    )
    assert done.headers["Location"] == "/"


def test_the_switch_obeys_only_our_own_pages(stranger: Client) -> None:
    outside = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    assert outside.post("/preferences/", {"language": "ja"}).status_code == 403


def test_pages_vary_by_language_and_choice(bob: Client, harbour: Harbour) -> None:
    vary = bob.get("/").headers["Vary"]
    assert {"Accept-Language", "Cookie"} <= {each.strip() for each in vary.split(",")}


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("Asia/Tokyo", "00:30:15"),
        ("", "15:30:15"),
        ("Nowhere/City", "15:30:15"),
        ("../../etc/passwd", "15:30:15"),
        ("Europe", "15:30:15"),
        ("x" * 4_000, "15:30:15"),
    ],
)
def test_times_are_of_the_readers_zone(
    bob: Client, make_job: Callable[..., Job], zone: str, told: str
) -> None:
    job = make_job()
    event = JobEvent.objects.create(job=job, message="Read.")
    at = datetime(2026, 1, 2, 15, 30, 15, tzinfo=UTC)
    JobEvent.objects.filter(pk=event.pk).update(at=at)
    bob.cookies["timezone"] = zone
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    (stamp,) = re.findall(
        r'<time datetime="([^"]+)"[^>]*>([^<]+)</time>\s*<span[^>]*>Read', page
    )
    assert stamp[1] == told
    assert datetime.fromisoformat(stamp[0]) == at


def test_numbers_are_grouped_for_people_and_plain_in_addresses(
    bob: Client, harbour: Harbour
) -> None:
    harbour.add_file("long.txt", "line\n" * 1_234, "text", "doc")
    path = f"{SOURCE}/-/current/long.txt?line=1234"
    page = bob.get(path, headers=JAPANESE).content.decode()
    assert "1,234 行" in page
    assert 'id="L1234" href="#L1234"' in page
    assert not re.search(r'(?:id|href|value|max)="[^"]*\d,\d', page)


def _known() -> Iterator[tuple[str, tuple[str, ...]]]:
    for workflow in WORKFLOWS.values():
        for phase in workflow.phases:
            yield phase.name, words.PHASES
            yield phase.unit, ("", *words.UNITS)
    yield from ((reason, words.RULES) for reason in REASONS)
    yield from ((kind, words.KINDS) for kind in KINDS)
    yield from ((state, words.CLAIM_STATES) for state in ClaimFreshness)
    yield from ((state, (*words.STATES, "pending")) for state in JobState.values)


def test_words_of_other_rooms_are_all_known() -> None:
    assert [word for word, known in _known() if word not in known] == []
