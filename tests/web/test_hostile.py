"""Markup that a repository, a wiki or a question brings along does nothing here."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import quote, urlencode

import pytest
from django.test import Client

from devrag.jobs.models import Job
from devrag.sources.models import File, GitRef, RefFile
from devrag.wiki.models import Claim, Feedback, Note, Page, Wiki
from tests.stored import add_symbol
from tests.tiers import mostly_slow

from .conftest import COMMIT, Harbour

PAYLOADS = (
    "<script>pwned=1</script>",
    '"><img src=x onerror=pwned=1>',
    "'><svg/onload=pwned=1>",
    "</title></textarea></pre><script src=//evil.example/x></script>",
    "<iframe srcdoc='<script>pwned=1</script>'></iframe>",
    "<math><mtext><table><mglyph><style><img src onerror=pwned=1>",
    '<a href="javascript:pwned=1">x</a><a href="data:text/html,x">x</a>',
    "[x](javascript:pwned=1) [x](<data:text/html,x>) ![x](http://evil.example/x)",
    '<div hx-get="/evil" hx-trigger="load" data-hx-on:click="pwned=1">x</div>',
    "<base href=//evil.example><style>*{display:none}</style>",
    '{{ 7|add:"7" }} {% load x %} ${pwned} <form action=//evil.example>',
)
_FORBIDDEN = {"iframe", "base", "object", "embed", "style", "math", "template"}
_ADDRESSES = {"href", "src", "action", "formaction", "srcset", "xlink:href"}


_OF_A_FILE = "/p/harbour/s/harbour-code/mentions/src/"


class Inspector(HTMLParser):
    """Collects what content may not bring: elements, handlers, addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _FORBIDDEN:
            self.found.append(tag)
        if tag == "script" and not (dict(attrs).get("src") or "").startswith("/static"):
            self.found.append("script")
        for name, value in attrs:
            if _is_bad(name, (value or "").strip().lower()):
                self.found.append(f"{tag} {name}={value}")

    handle_startendtag = handle_starttag


def _is_bad(name: str, value: str) -> bool:
    if name in _ADDRESSES:
        elsewhere = value.startswith(("//", "http")) and "evil" in value
        return elsewhere or value.startswith(("javascript:", "data:", "vbscript:"))
    is_active = name.removeprefix("data-").startswith("hx-")
    # The menu of a file asks for its own address, which has the file's name, quoted.
    is_elsewhere = "/evil" in value and not value.startswith(_OF_A_FILE)
    return name.startswith("on") or name == "style" or (is_active and is_elsewhere)


def plant(harbour: Harbour, wiki: Wiki, payload: str) -> list[str]:
    """Put it wherever content comes from; return the pages that show some."""
    harbour.product.title = harbour.product.description = payload
    harbour.product.save()
    readme = harbour.files["README.md"]
    File.objects.filter(pk=readme.pk).update(
        text=f"# {payload}\n\n{payload}\n\n- {payload}\n"
    )
    path = f"src/{payload.strip('/')}.py"
    file = harbour.add_file(path, f"{payload}\n" * 3, "python", "code")
    symbol = add_symbol(file, payload, signature=payload, docstring=payload)
    GitRef.objects.create(
        source=harbour.source,
        name=payload,
        kind="branch",
        snapshot=harbour.ref.snapshot,
        sequence=1,
    )
    page = wiki.current.pages.get(path="architecture.md")  # type: ignore[union-attr]
    page.title = payload
    page.markdown = (
        f"# {payload}\n\n{payload} said.[1](cite:1)\n\n`{payload}`\n\n"
        f'```mermaid\ngraph LR\n  a["{payload}"] --> b\n```\n\n'
        f"```html\n{payload}\n```\n"
    )
    page.save()
    Claim.objects.update(sentence=payload, excerpt=payload)
    Note.objects.create(wiki=wiki, page_path=page.path, text=payload)
    Feedback.objects.create(
        wiki=wiki, page_path=page.path, paragraph=payload, remark=payload
    )
    wiki.current.cause = payload  # type: ignore[union-attr]
    wiki.current.report = {"warnings": [payload], "why": {page.path: [payload]}}  # type: ignore[union-attr]
    wiki.current.save()  # type: ignore[union-attr]
    job = Job.objects.create(
        kind="index",
        lane="x",
        product=harbour.product,
        source_name=payload[:100],
        requested_by=payload[:100],
        state="failed",
        error=payload,
    )
    versions = "/p/harbour/wiki-versions"
    source = "/p/harbour/s/harbour-code"
    return [
        "/",
        "/p/harbour/",
        "/p/harbour/settings/",
        "/p/harbour/delete/",
        f"{source}/",
        f"{source}/-/current/src",
        f"{source}/-/current/{quote(path)}",
        f"{source}/-/{COMMIT}/{quote(path)}",
        f"{source}/preview/current/{quote(path)}?first=1&last=2",
        f"{source}/symbol/current/{symbol.uuid}/",
        "/p/harbour/wiki/",
        "/p/harbour/wiki/architecture",
        f"/p/harbour/wiki-claims/{page.claims.get().pk}/",
        "/p/harbour/wiki-feedback/",
        f"{versions}/",
        f"{versions}/1/",
        f"{versions}/1/pages/architecture",
        f"{versions}/compare/?from=1&to=1&page=architecture.md&view=source",
        "/jobs/",
        f"/jobs/{job.pk}/",
        *(f"/search?{urlencode({'q': payload, **more})}" for more in _MODES),
        f"/palette?{urlencode({'q': payload})}",
        f"/search/complete?{urlencode({'word': f'path:{payload}'})}",
        f"/p/{quote(payload, safe='')}/",
    ]


_MODES: tuple[dict[str, str], ...] = (
    {},
    {"mode": "keyword", "path": "src/", "language": "<b>"},
    {"kind": "code", "product": "harbour"},
)


@pytest.mark.parametrize("payload", mostly_slow(PAYLOADS, quick=2))
def test_nothing_of_it_becomes_markup(
    alice: Client, indexed: Harbour, wiki: Wiki, payload: str
) -> None:
    pages = plant(indexed, wiki, payload)
    away = Client(HTTP_HOST="localhost")
    sign_in = f"/sign-in/?{urlencode({'next': payload})}"
    for url in (*pages, sign_in):
        answer = (away if url == sign_in else alice).get(url)
        inspector = Inspector()
        inspector.feed(answer.content.decode())
        assert not inspector.found, (url, inspector.found)
        assert answer.status_code in {200, 404}, url
        assert "'unsafe" not in answer["Content-Security-Policy"]


@pytest.mark.slow
def test_a_folder_of_five_thousand_files_is_light(
    bob: Client, harbour: Harbour
) -> None:
    many = File.objects.bulk_create(
        File(
            source=harbour.source,
            path=f"many/{'ab'[n % 2] * 290}{n:05}.py",
            digest=f"{n}",
            content_hash=f"{n}",
            facts_version=1,
            size=1,
            text="",
        )
        for n in range(5_000)
    )
    RefFile.objects.bulk_create(RefFile(ref=harbour.ref, file=f, since=1) for f in many)
    page = bob.get("/p/harbour/s/harbour-code/-/current/many").content.decode()
    assert "500 of 5,000 shown" in page
    assert len(page) < 600_000


def test_eighty_pages_take_no_more_queries(
    bob: Client, wiki: Wiki, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    version = wiki.current
    assert version is not None
    Page.objects.bulk_create(
        Page(
            version=version,
            path=f"features/p{n}.md",
            parent_path="architecture.md",
            ordinal=10 + n,
            kind="feature",
            title=f"Part {n}",
            markdown=f"# Part {n}\n",
            fingerprint="f",
        )
        for n in range(80)
    )
    bob.get("/p/harbour/wiki/architecture")
    with django_assert_max_num_queries(17):  # type: ignore[operator]
        page = bob.get("/p/harbour/wiki/architecture").content.decode()
    assert page.count('href="/p/harbour/wiki/features/p') == 80
