"""Decisions are found by their form, in records, minutes, pages and tickets."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from devrag.sources.documents import DocumentFacts, write_document
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.decisions import Decision, decisions_of, decisions_of_topic
from tests.wiki.shop import SHOP, survey_of
from tests.wiki.written import write

NYGARD = """# 2. Use PostgreSQL

Date: 2024-03-05

## Status

{status}

## Context

Orders must not be lost.

## Decision

Orders are kept in PostgreSQL, one row for each.

## Consequences

We run a database.
"""
OLD = NYGARD.format(status="Superseded by [3. Use queues](0003-use-queues.md)")
NEW = """# 3. Use queues

* Status: accepted
* Date: 2025-01-20

## Context and Problem Statement

Too many orders at once.

## Decision Outcome

Chosen option: "queues", because they keep what comes too fast.
"""
RECORDS = {
    "docs/adr/0002-use-postgresql.md": OLD,
    "docs/adr/0003-use-queues.md": NEW,
    "docs/adr/template.md": NYGARD.format(status="Proposed"),
    "docs/adr/README.md": "# Records\n\n## Decision\n\nEach file here is a decision.\n",
}


def decisions(
    *trees: dict[str, str], kinds: dict[str, str] | None = None
) -> list[Decision]:
    return list(decisions_of(analysed(*trees, kinds=kinds)))


def analysed(*trees: dict[str, str], kinds: dict[str, str] | None = None) -> Analysis:
    """Return the analysis of one source; kinds: path → page or ticket."""
    tree = {path: text for each in trees for path, text in each.items()}
    survey, texts = survey_of(tree)
    known = kinds or {}
    files = (replace(f, document_kind=known.get(f.path, "")) for f in survey.files)
    return Analysis(replace(survey, files=tuple(files)), texts)


def test_records_of_both_forms_are_read() -> None:
    new, old = decisions(SHOP, RECORDS)[:2]
    assert (new.title, new.date, new.status) == (
        "Use queues",
        date(2025, 1, 20),
        "accepted",
    )
    assert new.sentence.startswith('Chosen option: "queues"')
    assert (old.title, old.date, old.status) == (
        "Use PostgreSQL",
        date(2024, 3, 5),
        "Superseded",
    )
    assert old.sentence == "Orders are kept in PostgreSQL, one row for each."
    assert (old.start_line, old.date_line, old.status_line) == (15, 3, 7)


def test_a_superseded_record_knows_what_holds_instead() -> None:
    found = analysed(SHOP, RECORDS)
    new, old = decisions_of(found)[:2]
    assert (old.is_superseded, old.superseded_by) == (True, new.file)
    assert not new.is_superseded


def test_what_supersedes_may_be_a_number() -> None:
    old = {
        "docs/adr/0002-use-postgresql.md": NYGARD.format(status="Superseded by ADR-3")
    }
    new, old_one = decisions(SHOP, RECORDS, old)[:2]
    assert old_one.superseded_by == new.file


def test_the_newer_record_may_name_the_older_one() -> None:
    old = {"docs/adr/0002-use-postgresql.md": NYGARD.format(status="Accepted")}
    text = NYGARD.format(status="Accepted\n\nSupersedes ADR-0002")
    newer = {"docs/adr/0003-use-queues.md": text.replace("2024-03", "2024-04")}
    new, old_one = decisions(SHOP, RECORDS, old, newer)[:2]
    assert (old_one.is_superseded, old_one.superseded_by) == (True, new.file)


MINUTES = """# Weekly meeting

## 2024-05-01

### Decisions

- We keep the old prices until June.
- The shop is closed on Sundays.

### 決定事項

- 価格は六月まで変更しない。
"""


def test_minutes_give_each_item_with_the_day_above() -> None:
    found = decisions(SHOP, {"docs/minutes.md": MINUTES})
    assert [(d.sentence, d.date) for d in found] == [
        ("We keep the old prices until June.", date(2024, 5, 1)),
        ("The shop is closed on Sundays.", date(2024, 5, 1)),
        ("価格は六月まで変更しない。", date(2024, 5, 1)),
    ]


def test_a_labelled_page_is_a_decision() -> None:
    facts = DocumentFacts(
        title="One basket for all shops",
        labels=("Decision",),
        changed="2024-02-03T00:00:00Z",
    )
    text = write_document(facts, "Customers have one basket in all of our shops.")
    (found,) = decisions(
        {"p.md": text, "q.md": "# Q\n\nText.\n"}, kinds={"p.md": "page"}
    )
    assert (found.title, found.date) == ("One basket for all shops", date(2024, 2, 3))
    assert found.sentence == "Customers have one basket in all of our shops."


def ticket(last: str, *, is_closed: bool = True) -> list[Decision]:
    facts = DocumentFacts(
        title="Which currency?", kind="ticket", status="Done", is_closed=is_closed
    )
    body = "Prices differ.\n\n### Jane, 2024-04-01\n\nSome think so.\n\n"
    body += f"### Ken, 2024-04-09\n\n{last}"
    return decisions(
        {"issues/7.md": write_document(facts, body)}, kinds={"issues/7.md": "ticket"}
    )


def test_the_last_words_of_a_closed_ticket_decide() -> None:
    (found,) = ticket("We decided to show euros only.")
    assert (found.sentence, found.date) == (
        "We decided to show euros only.",
        date(2024, 4, 9),
    )
    (found,) = ticket("ユーロだけを表示することに決定しました。")
    assert found.status == "Done"


def test_other_tickets_decide_nothing() -> None:
    assert ticket("Works for me now, thanks.") == []
    assert ticket("We decided to show euros only.", is_closed=False) == []


def test_a_text_that_only_mentions_a_decision_is_none() -> None:
    text = "# Guide\n\nThe decision is up to you.\n\n## Deciding\n\nTake your time.\n"
    assert decisions(SHOP, {"docs/guide2.md": text}) == []


def test_the_page_is_a_timeline_with_evidence() -> None:
    page = write({**SHOP, **RECORDS})["decisions.md"]
    assert page.findings == ()
    text = page.markdown
    assert text.index("## 2025") < text.index("## 2024")
    assert "superseded by [Use queues](#use-queues)" in text
    cited = {(c.path, c.start_line) for c in page.claims}
    assert {("docs/adr/0002-use-postgresql.md", n) for n in (3, 7, 15)} <= cited


def test_without_dates_no_order_is_claimed() -> None:
    undated = NEW.replace("* Date: 2025-01-20\n", "")
    records = {"docs/adr/1.md": undated, "docs/adr/2.md": undated.replace("3.", "4.")}
    page = write({**SHOP, **records})["decisions.md"].markdown
    assert "The sources record 2 decisions; none has a date." in page
    assert "newest first" not in page


def test_no_decisions_make_no_page() -> None:
    assert "decisions.md" not in write(SHOP)


def test_a_topic_has_the_decisions_of_its_documents() -> None:
    tree = {f"adr/{path.rpartition('/')[2]}": text for path, text in RECORDS.items()}
    tree |= {f"garden/n{n}.md": f"# Garden {n}\n\nRoses grow here.\n" for n in range(4)}
    found = analysed(tree)
    of = {t.title: decisions_of_topic(found, n) for n, t in enumerate(found.topics)}
    assert of["Garden"] == ()
    assert sum(map(len, of.values())) == 2
