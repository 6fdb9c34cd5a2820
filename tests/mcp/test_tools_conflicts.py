"""What agents are told of conflicts and mentions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from devrag.core.hashing import sha256_hex
from devrag.search.lexical.follower import catch_up
from devrag.sources.models import Source
from devrag.wiki.models import DocumentConflict
from tests.conftest import Stand
from tests.documents import PAY, index_documents
from tests.mcp.teahouse import Teahouse, open_teahouse
from tests.standing import Standing

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def standing_teahouse(stand: Stand) -> Standing[Teahouse]:
    def make(folder: Path) -> Teahouse:
        teahouse = open_teahouse(folder)
        tickets = {"issues/7.md": (PAY, "It is `shop/till.py` that charges twice.\n")}
        index_documents(folder / "tracker", "tea", tickets)
        catch_up(Path(settings.LEXICAL_DIR))
        add_conflicts(Source.objects.get(name="shop"))
        return teahouse

    return stand(make)


def add_conflicts(source: Source) -> None:
    """Add three open conflicts and a dismissed one, on lines 1 to 4."""
    for line in (1, 2, 3, 4):
        has_code = line > 1
        DocumentConflict.objects.create(
            product=source.product,
            key=sha256_hex(str(line)),
            kind="default" if has_code else "path",
            state="dismissed" if line == 4 else "open",
            subject=f"NAME_{line}",
            value="3" if has_code else "",
            actual="5" if has_code else "",
            document_source=source,
            document_path="README.md",
            document_start=line,
            document_end=line,
            document_excerpt="It is 3.",
            code_source=source if has_code else None,
            code_path="shop/till.py" if has_code else "",
            code_start=line,
            code_end=line,
            code_excerpt="NAME = 5" if has_code else "",
        )


def subjects(found: Any) -> list[str]:
    return [each["subject"] for each in found["conflicts"]]


def test_both_sides_of_open_conflicts_are_listed(ask: Ask) -> None:
    found = ask("list_conflicts", product="tea")
    assert subjects(found) == ["NAME_1", "NAME_2", "NAME_3"]
    nothing, differs, _ = found["conflicts"]
    assert nothing.keys().isdisjoint({"value", "actual", "code"})
    assert (differs["value"], differs["actual"]) == ("3", "5")
    assert differs["document"]["text"] == "It is 3."
    code = differs["code"]
    assert (code["source"], code["path"], code["start_line"]) == (
        *("shop", "shop/till.py", 2),
    )


def test_conflicts_come_in_portions(ask: Ask) -> None:
    first = ask("list_conflicts", product="tea", limit=2)
    assert (len(first["conflicts"]), first["total"]) == (2, 3)
    assert first["next"] == "Continue with offset=2."
    rest = ask("list_conflicts", product="tea", limit=2, offset=2)
    assert subjects(rest) == ["NAME_3"]
    assert "next" not in rest


def test_conflicts_are_listed_by_kind_and_state(ask: Ask) -> None:
    assert subjects(ask("list_conflicts", product="tea", kind="path")) == ["NAME_1"]
    closed = ask("list_conflicts", product="tea", state="dismissed")
    assert subjects(closed) == ["NAME_4"]


def test_a_file_has_the_tickets_that_mention_it(ask: Ask) -> None:
    found = ask("list_mentions", source="shop", path="shop/till.py")
    (ticket,) = found["tickets"]
    assert (ticket["source"], ticket["path"]) == ("tracker", "issues/7.md")
    assert (ticket["title"], ticket["url"]) == (PAY.title, PAY.url)
    assert (ticket["text"], ticket["mentions_file"]) == ("shop/till.py", True)
    assert ticket["is_closed"] is False


def test_a_ticket_has_the_code_that_it_mentions(ask: Ask) -> None:
    found = ask("list_mentions", source="tracker", path="issues/7.md")
    (code,) = found["code"]
    assert (code["source"], code["path"]) == ("shop", "shop/till.py")
    assert code["mentions_file"] is False
    assert "title" not in code
