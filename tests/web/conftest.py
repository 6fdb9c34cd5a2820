"""A small product with sources, a wiki and jobs, and Alice, Bob and Charlie.

Alice maintains the product, Bob reads it, Charlie must not see that it exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser
from pytest_django import Settings

from devrag.ask.models import Conversation
from devrag.core.hashing import sha256_hex
from devrag.jobs.models import Job
from devrag.products.models import Membership, Product
from devrag.search.lexical.follower import catch_up
from devrag.sources.models import (
    Chunk,
    File,
    GitRef,
    RefFile,
    Snapshot,
    Source,
)
from devrag.wiki.models import Claim, Page, Version, Wiki
from tests.stored import add_symbol

from .browser import open_browser, without_browser

COMMIT = "a" * 40
CODE = '''"""Greets."""


class Greeter:
    def greet(self, name):
        return f"Hello {name}"
'''
README = "# Harbour\n\n[Guide](docs/guide.md)\n\n<script>alert(1)</script>\n"
ARCHITECTURE = """# Architecture

It greets.[1](cite:1) See [greeting](features/greeting.md) and [gone](gone.md).

## The graph

```mermaid
graph LR
  a[Greeter] --> b[Name]
```

### Detail

Text.

## 日本語

終わり。
"""


@dataclass
class Harbour:
    """The product and its rows."""

    product: Product
    source: Source
    ref: GitRef
    files: dict[str, File] = field(default_factory=dict)

    def add_file(self, path: str, text: str, language: str, kind: str) -> File:
        file = File.objects.create(
            source=self.source,
            path=path,
            digest=sha256_hex(text),
            content_hash=sha256_hex(text),
            facts_version=1,
            size=len(text.encode()),
            lines=text.count("\n"),
            language=language,
            kind=kind,
            text=text,
            state="parsed",
        )
        RefFile.objects.create(ref=self.ref, file=file, since=1)
        Chunk.objects.create(
            file=file,
            ordinal=0,
            kind="window",
            start_line=1,
            end_line=max(1, file.lines),
            text=text,
            content_hash=sha256_hex(text),
            embedded_hash=sha256_hex(text),
            tokens=10,
        )
        self.files[path] = file
        return file


# Chromium, for files in a row: to start it takes seconds.
_chromium = ExitStack()
_started: list[Browser] = []


@pytest.fixture(scope="module")
def browser() -> Browser:
    if not _started:
        _started.append(_chromium.enter_context(open_browser()))
    return _started[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Iterator[None]:
    """End Chromium before a test of another file that wants none, or another one."""
    yield
    if not _may_go_on(item, nextitem):
        _started.clear()
        _chromium.close()


def _may_go_on(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Return whether the next test is of this file, or of one here with a browser."""
    if nextitem is None or nextitem.path.parent != item.path.parent:
        return False
    wants = isinstance(nextitem, pytest.Function) and "browser" in nextitem.fixturenames
    return wants or nextitem.path == item.path


@pytest.fixture
def harbour(db: None) -> Harbour:
    product = Product.objects.create(
        name="harbour", title="Harbour", visibility="members", description="Greets."
    )
    source = Source.objects.create(
        product=product,
        name="harbour-code",
        source_type="git",
        metadata={"url": "https://git.example/harbour.git"},
    )
    snapshot = Snapshot.objects.create(
        source=source,
        version_identifier=COMMIT,
        is_indexed=True,
        indexed_at=timezone.now(),
        file_count=3,
        chunk_count=3,
        line_count=12,
    )
    ref = GitRef.objects.create(
        source=source,
        name="main",
        kind="branch",
        snapshot=snapshot,
        sequence=1,
        is_current=True,
    )
    made = Harbour(product, source, ref)
    code = made.add_file("src/greeter.py", CODE, "python", "code")
    made.add_file("README.md", README, "markdown", "doc")
    made.add_file("docs/案内.md", "# 案内\n", "markdown", "doc")
    for ordinal, (name, kind, line, parent) in enumerate(
        [("Greeter", "class", 4, ""), ("greet", "method", 5, "Greeter")]
    ):
        add_symbol(
            code,
            name,
            ordinal=ordinal,
            kind=kind,
            start_line=line,
            end_line=6,
            class_name=parent,
        )
    return made


@pytest.fixture
def indexed(harbour: Harbour, settings: Settings) -> Harbour:
    """The product, searchable by words."""
    catch_up(Path(settings.LEXICAL_DIR))
    return harbour


@pytest.fixture
def asked(indexed: Harbour, alice: Client) -> Conversation:
    """A conversation of Alice's with one answer that cites one place."""
    made = Conversation.objects.create(
        owner=User.objects.get(username="alice"),
        title="Where does Greeter greet?",
        product=indexed.product,
        products=["harbour"],
    )
    turn = made.turns.create(
        ordinal=1,
        question=made.title,
        mode="quick",
        state="done",
        outcome="answered",
        markdown="`Greeter.greet` greets by name. [1](cite:1)\n",
        finished_at=timezone.now(),
    )
    turn.citations.create(
        ordinal=1,
        number=1,
        product=indexed.product,
        source_name="harbour-code",
        path="src/greeter.py",
        start_line=4,
        end_line=6,
        version_identifier=COMMIT,
        content_hash=sha256_hex(CODE),
        kind="definition",
        language="python",
        title="Greeter",
        excerpt="\n".join(CODE.split("\n")[3:6]),
    )
    return made


@pytest.fixture
def wiki(harbour: Harbour) -> Wiki:
    made = Wiki.objects.create(product=harbour.product)
    version = Version.objects.create(
        wiki=made,
        number=1,
        writer="structural",
        sources={"harbour-code": {"ref": "main", "commit": COMMIT}},
    )
    made.current = version
    made.save(update_fields=["current"])
    pages = [
        ("index.md", "", "Overview", "# Harbour\n\nRead on.\n"),
        ("architecture.md", "", "Architecture", ARCHITECTURE),
        ("features/greeting.md", "architecture.md", "Greeting", "# Greeting\n"),
    ]
    for ordinal, (path, parent, title, markdown) in enumerate(pages):
        page = Page.objects.create(
            version=version,
            path=path,
            parent_path=parent,
            ordinal=ordinal,
            kind="feature",
            title=title,
            markdown=markdown,
            fingerprint="f",
        )
    page = version.pages.get(path="architecture.md")
    Claim.objects.create(
        page=page,
        ordinal=1,
        sentence="It greets.",
        source_name="harbour-code",
        path="src/greeter.py",
        start_line=5,
        end_line=6,
        version_identifier=COMMIT,
        content_hash=harbour.files["src/greeter.py"].content_hash,
        excerpt="def greet",
    )
    return made


@pytest.fixture
def make_job(harbour: Harbour) -> Callable[..., Job]:
    def make(**fields: object) -> Job:
        defaults: dict[str, object] = {
            "kind": "index",
            "lane": "index:harbour-code:main",
            "product": harbour.product,
            "source_name": "harbour-code",
            "state": "running",
            "phase": 0,
        }
        return Job.objects.create(**{**defaults, **fields})

    return make


def _signed_in(name: str, *, is_staff: bool = False) -> Client:
    user = User.objects.create_user(name, is_staff=is_staff)
    client = Client(HTTP_HOST="localhost")
    client.force_login(user)
    client.get("/favicon.ico")  # notes the session: the pages' own queries are counted
    return client


@pytest.fixture
def alice(harbour: Harbour) -> Client:
    client = _signed_in("alice", is_staff=True)
    Membership.objects.create(
        product=harbour.product,
        user=User.objects.get(username="alice"),
        role=Membership.Role.MAINTAINER,
    )
    return client


@pytest.fixture
def bob(harbour: Harbour) -> Client:
    client = _signed_in("bob")
    Membership.objects.create(
        product=harbour.product, user=User.objects.get(username="bob")
    )
    return client


@pytest.fixture
def charlie(harbour: Harbour) -> Client:
    return _signed_in("charlie")


@pytest.fixture
def stranger(db: None) -> Client:
    """Someone not signed in, from elsewhere: no open reading."""
    return Client(HTTP_HOST="localhost", REMOTE_ADDR="192.0.2.7")


# Browser tests run wherever a Chromium is found.
collect_ignore = without_browser(
    *("test_accessible.py", "test_browser.py", "test_code_browser.py"),
    *("test_hostile_browser.py", "test_layout_shift.py"),
    *("test_passkeys_browser.py", "test_reading.py", "test_sign_in_browser.py"),
    "test_tasks.py",
)
