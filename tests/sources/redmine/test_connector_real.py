"""Against Debian's Redmine 5 on PostgreSQL: what the local server only imitates."""

from __future__ import annotations

import html
import os
import re
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings

from devrag.core.errors import PermissionDenied
from devrag.sources.api import read_document
from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.redmine import issues, mark
from devrag.sources.connectors.redmine.address import ProjectAddress
from devrag.sources.connectors.redmine.links import TextLinks
from devrag.sources.connectors.redmine.markup import to_markdown
from tests.sources.pages.reading import changes, texts, unlisted
from tests.sources.redmine.real_redmine import Redmine, is_installed, running_redmine
from tests.sources.repositories import LOOPBACK

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not is_installed() and "DEVRAG_REQUIRE_REDMINE" not in os.environ,
        reason="Debian's packages redmine, redmine-pgsql and puma are not installed",
    ),
]
ISSUES = 2_000
TEXTILE = [
    "h2. Title\n\none *two* _three_ -four- @five_six@\n\n* a\n** b\n# c\n## d",
    "|_. Name |_. Value |\n| a | b |\n|\\2. *c* |",
    'see "the guide":https://a.b/c, "one":https://d.e, run --force, "q" -- it\'s...',
    "bq. said\n\n> cited\n>> before",
    '<pre><code class="ruby">\nx *y* <b>\n</code></pre>',
    "<script>alert(1)</script> a & b 2*3*4 a_b_c x - y\nnext line",
    "これは *重要* です。%{color:red}赤% (*b*) 3 x 4 (c)",
    "text\n* a\n* b\nmore\n\n---\n\np{color:red; margin: 1.5em}. Styled",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redmine]:
    known = settings.DATABASES["default"]
    login = f"{known['USER']}:{known['PASSWORD']}@{known['HOST']}:{known['PORT']}"
    url = f"postgresql://{login}/postgres"
    folder = tmp_path_factory.mktemp("redmine")
    with running_redmine(folder, url, issues=ISSUES, texts=TEXTILE) as made:
        yield made


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mirror")


@pytest.fixture
def connector(server: Redmine, mirror: Path) -> Iterator[PageConnector]:
    """Open the same mirror for every test."""
    with closing(connect(server, mirror, server.known["key"])) as made:
        yield made


def connect(
    server: Redmine, mirror: Path, key: str, project: str = "shop", **metadata: bool
) -> PageConnector:
    context = ConnectorContext(
        mirror, address_rules=LOOPBACK, credentials=Credentials("", key)
    )
    made = open_connector("redmine", {"url": server.url(project), **metadata}, context)
    assert isinstance(made, PageConnector)
    return made


def requests(connector: PageConnector) -> int:
    """Return how many were sent."""
    return int(connector._remote._api._client.requests)  # type: ignore[attr-defined]


def test_everything_is_read_but_what_is_private(
    server: Redmine, connector: PageConnector
) -> None:
    known = server.known
    found = texts(connector)
    issues = [path for path in found if re.fullmatch(r"issues/\d+\.md", path)]
    assert len(issues) == ISSUES + 8  # without the private one and the subproject's
    assert unlisted(connector) == {
        (f"issues/private/{known['secret']}.md", "private issue")
    }
    everything = "\n".join(found.values())
    assert "Salaries" not in everything
    assert "Of a subproject" not in everything
    assert everything.count("Note of Imported") == ISSUES // 10
    rich = found[f"issues/{known['rich']}.md"]
    assert "- Target version: 1.2\n" in rich
    assert "- Browser: Firefox\n" in rich
    assert "## Steps\n\n1. press **Pay**\n2. wait\n" in rich
    assert "[Payment flow](../wiki/Wiki/Payment%20flow.md)" in rich
    assert f"- Duplicated by: [#{known['duplicate']}]" in rich
    assert rich.endswith("\n\nSeen in *production*\n")
    assert found[f"issues/{known['rich']}/log.txt"] == "charged, charged"
    assert found["wiki/تقرير ✓/page.txt"] == "of a page"
    assert found["files/1.2/list.csv"] == "a,b"
    assert "## Faster" in found["versions/1.2.md"]
    closed = read_document(found[f"issues/{known['closed']}.md"])
    assert closed is not None
    assert closed.is_closed


def test_the_address_of_a_page_opens_its_version(
    server: Redmine, connector: PageConnector
) -> None:
    facts = read_document(texts(connector)["wiki/Wiki/Payment flow.md"])
    assert facts is not None
    assert facts.version == "3"
    request = urllib.request.Request(
        facts.url.replace("?version=3", ".json?version=2"),
        headers={"X-Redmine-API-Key": server.known["key"]},
    )
    with urllib.request.urlopen(request) as answer:
        assert b"Version *2*" in answer.read()
    with urllib.request.urlopen(facts.url) as answer:
        assert answer.status == 200


def test_a_run_without_changes_asks_seven_times(connector: PageConnector) -> None:
    connector.resolve()
    before = requests(connector)
    connector.resolve()
    assert requests(connector) - before == 7


def test_changes_are_seen_at_once(server: Redmine, connector: PageConnector) -> None:
    before = connector.resolve().identifier
    first, second, third, fourth, fifth = server.known["plain"]
    path = "/issues/{}.json".format
    server.call("PUT", path(first), {"issue": {"notes": "New words"}})
    server.call("DELETE", path(second))
    server.call("PUT", path(third), {"issue": {"is_private": True}})
    server.call("PUT", path(fourth), {"issue": {"project_id": server.known["other"]}})
    server.call("DELETE", f"/attachments/{server.known['log']}.json")
    server.call(
        "PUT", "/projects/shop/wiki/New.json", {"wiki_page": {"text": "h1. New"}}
    )
    server.call("DELETE", "/projects/shop/wiki/تقرير_✓.json")
    server.execute(
        "UPDATE wiki_pages SET title = 'Payments' WHERE title = 'Payment_flow'"
    )
    entered, gone = changes(connector, before)
    assert gone == {
        *(f"issues/{number}.md" for number in (second, third, fourth)),
        f"issues/{server.known['rich']}/log.txt",
        *("wiki/تقرير ✓.md", "wiki/تقرير ✓/page.txt", "wiki/Wiki/Payment flow.md"),
    }
    expected = {
        *(f"issues/{first}.md", f"issues/private/{third}.md"),
        *("wiki/New.md", "wiki/Wiki/Payments.md"),
    }
    assert entered - {f"issues/{server.known['rich']}.md"} == expected
    assert f"issues/{fifth}.md" not in entered


def test_a_note_that_becomes_private_changes_no_date(
    server: Redmine, connector: PageConnector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why issues with notes are read again after some days."""
    number = server.known["plain"][4]
    path = f"/issues/{number}.json"
    before = server.call("GET", path)["issue"]["updated_on"]
    server.execute(
        f"UPDATE journals SET private_notes = true WHERE journalized_id = {number}"
    )
    assert server.call("GET", path)["issue"]["updated_on"] == before
    assert "Note of Plain" in texts(connector)[f"issues/{number}.md"]
    monkeypatch.setattr(issues, "_ORIGIN", issues._ORIGIN - timedelta(days=11))
    monkeypatch.setattr(mark, "_BETWEEN_LISTINGS", timedelta(0))
    assert "Note of Plain" not in texts(connector)[f"issues/{number}.md"]


def test_a_wrong_key_is_refused_though_the_project_is_public(
    server: Redmine, mirror: Path
) -> None:
    with (
        closing(connect(server, mirror, "wrong")) as made,
        pytest.raises(PermissionDenied, match="rejected the token"),
    ):
        made.probe()


def test_private_things_are_read_where_that_is_chosen(
    server: Redmine, mirror: Path
) -> None:
    known = server.known
    plans, hidden = (f"issues/{known[each]}.md" for each in ("plans", "hidden"))
    with closing(connect(server, mirror, known["key"], "lab")) as made:
        found = texts(made)
        assert plans not in found
        assert "Of few" not in found[hidden]
    everything = {"read_restricted": True}
    with closing(connect(server, mirror, known["key"], "lab", **everything)) as made:
        assert dict(made.preview().counts)["tickets"] == 2
        found = texts(made)
        assert "Plans" in found[plans]
        assert "Of few" in found[hidden]


def test_textile_has_the_words_that_redmine_shows(server: Redmine) -> None:
    links = TextLinks(ProjectAddress("https://r.example", "shop"), "issues/1")
    for text, shown in zip(TEXTILE, server.known["html"], strict=True):
        words = _words(html.unescape(re.sub(r"<[^>]+>", " ", shown)))
        written = to_markdown(text, links, "textile")
        written = re.sub(r"\]\([^)]*\)", " ", written).replace("\\<", "<")
        assert _words(written) == words, text


def _words(text: str) -> list[str]:
    """Return words and signs, without the marks that make Markdown."""
    marks = r"(?m)^(?:[ >]*(?:#+|-|\d+\.) |```.*$)"
    return re.findall(r"\w+|[<&=.,\"']", re.sub(marks, " ", text))
