"""Issues, wiki pages, versions and news as Markdown documents. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devrag.sources.connectors.pages.values import Json, list_of, part_of, text_of
from devrag.sources.connectors.redmine.address import ProjectAddress
from devrag.sources.connectors.redmine.data import custom_values, id_of, name_of
from devrag.sources.connectors.redmine.links import TextLinks
from devrag.sources.connectors.redmine.markup import Format, to_markdown
from devrag.sources.documents import DocumentFacts, read_time, write_document

# What the list of an issue's facts has, in this order.
_NAMED = (
    ("status", "Status"),
    ("tracker", "Tracker"),
    ("priority", "Priority"),
    ("assigned_to", "Assignee"),
    ("category", "Category"),
    ("fixed_version", "Target version"),
)
_DATED = (
    ("start_date", "Start date"),
    ("due_date", "Due date"),
    ("done_ratio", "% done"),
    ("estimated_hours", "Estimated hours"),
)
_MAX_COMMITS = 200


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the documents of one project. name: of the project. usual: its format."""

    address: ProjectAddress
    name: str
    usual: Format

    def issue(self, issue: Json, links: TextLinks, notes: Iterable[Json]) -> str:
        """Return an issue. notes: those of its journals that are read."""
        number = id_of(issue)
        title = f"{name_of(issue, 'tracker')} #{number}: {text_of(issue, 'subject')}"
        facts = DocumentFacts(
            _in_line(title),
            kind="ticket",
            place=(self.name,),
            status=name_of(issue, "status"),
            is_closed=part_of(issue, "status").get("is_closed") is True,
            author=name_of(issue, "author"),
            labels=tuple(
                filter(None, (name_of(issue, each) for each in ("tracker", "category")))
            ),
            created=text_of(issue, "created_on"),
            changed=text_of(issue, "updated_on"),
            url=self.address.issue(number),
            version=text_of(issue, "updated_on"),
        )
        return self._written(
            facts,
            _bulleted(_issue_facts(issue)),
            self._text(issue, "description", links),
            _bulleted(_relations(issue, self.address)),
            _section("Commits", _bulleted(_commits(issue))),
            *self._notes(notes, links),
        )

    def wiki_page(
        self, page: Json, above: tuple[str, ...], links: TextLinks, version: str
    ) -> str:
        """Return a page of the wiki. above: the titles of the pages above it."""
        title = text_of(page, "title")
        facts = DocumentFacts(
            shown_title(title),
            place=(self.name, "Wiki", *map(shown_title, above)),
            author=name_of(page, "author"),
            created=text_of(page, "created_on"),
            changed=text_of(page, "updated_on"),
            url=f"{self.address.wiki_page(title)}?version={version}",
            version=version,
        )
        body = self._text(page, "text", links)
        head = "" if body.startswith("# ") else f"# {_in_line(facts.title)}"
        return write_document(facts, "\n\n".join(filter(None, (head, body))))

    def version(self, version: Json, links: TextLinks) -> str:
        """Return a version: what it is for and when it is due."""
        facts = DocumentFacts(
            _in_line(text_of(version, "name")) or "Untitled",
            place=(self.name, "Versions"),
            status=text_of(version, "status"),
            is_closed=text_of(version, "status") == "closed",
            created=text_of(version, "created_on"),
            changed=text_of(version, "updated_on"),
            url=f"{self.address.base_url}/versions/{id_of(version)}",
            version=text_of(version, "updated_on"),
        )
        found = [("Status", facts.status), ("Due date", text_of(version, "due_date"))]
        page = text_of(version, "wiki_page_title")
        if page:
            address = links.page(page, "", "")
            found.append(("Wiki page", f"[{shown_title(page)}]({address})"))
        known = _bulleted([*found, *custom_values(version)])
        return self._written(facts, known, self._text(version, "description", links))

    def news(self, news: Json, links: TextLinks) -> str:
        """Return one of the news."""
        facts = DocumentFacts(
            _in_line(text_of(news, "title")) or "Untitled",
            place=(self.name, "News"),
            author=name_of(news, "author"),
            created=text_of(news, "created_on"),
            changed=text_of(news, "created_on"),
            url=f"{self.address.base_url}/news/{id_of(news)}",
        )
        summary, words = (
            text_of(news, "summary"),
            self._text(news, "description", links),
        )
        return self._written(facts, summary if summary not in words else "", words)

    def project(self, project: Json, links: TextLinks) -> str:
        """Return what a project says of itself."""
        facts = DocumentFacts(
            _in_line(self.name) or self.address.key,
            place=(self.name,),
            created=text_of(project, "created_on"),
            changed=text_of(project, "updated_on"),
            url=self.address.url,
        )
        known = [("Homepage", text_of(project, "homepage")), *custom_values(project)]
        words = self._text(project, "description", links)
        return self._written(facts, words, _bulleted(known))

    # -- pieces -------------------------------------------------------------------

    def _written(self, facts: DocumentFacts, *parts: str) -> str:
        body = "\n\n".join(filter(None, (f"# {facts.title}", *parts)))
        return write_document(facts, body)

    def _text(self, data: Json, key: str, links: TextLinks) -> str:
        return to_markdown(text_of(data, key), links, self.usual)

    def _notes(self, notes: Iterable[Json], links: TextLinks) -> Iterator[str]:
        written = [
            f"### {_said_by(each)}\n\n{self._text(each, 'notes', links)}"
            for each in notes
        ]
        if written:
            yield "## Comments"
            yield from written


def shown_title(title: str) -> str:
    """Return a wiki page's title as people see it."""
    return title.replace("_", " ")


def _issue_facts(issue: Json) -> Iterator[tuple[str, str]]:
    for key, words in _NAMED:
        yield words, name_of(issue, key)
    for key, words in _DATED:
        found = text_of(issue, key)
        yield words, "" if found == "0" else found
    yield from custom_values(issue)


def _relations(issue: Json, address: ProjectAddress) -> Iterator[tuple[str, str]]:
    """Yield issues that this one has to do with, by their numbers alone."""
    parent = id_of(part_of(issue, "parent"))
    if parent:
        yield "Parent", f"[#{parent}]({address.issue(parent)})"
    for each in list_of(issue, "relations"):
        is_from = each.get("issue_id") == id_of(issue)
        other = text_of(each, "issue_to_id" if is_from else "issue_id")
        kind = text_of(each, "relation_type") or "relates"
        words = _FROM.get(kind, kind) if is_from else _TO.get(kind, kind)
        if other.isdecimal():
            yield words.capitalize(), f"[#{other}]({address.issue(other)})"


_FROM = {"relates": "related to", "duplicates": "duplicates", "copied_to": "copied to"}
_TO = {
    "relates": "related to",
    "duplicates": "duplicated by",
    "blocks": "blocked by",
    "precedes": "follows",
    "copied_to": "copied from",
}


def _commits(issue: Json) -> Iterator[tuple[str, str]]:
    for each in list_of(issue, "changesets")[:_MAX_COMMITS]:
        lines = text_of(each, "comments").strip().split("\n")
        yield f"Commit {text_of(each, 'revision')}", _in_line(lines[0])[:200]


def _said_by(note: Json) -> str:
    when = read_time(text_of(note, "created_on"))
    day = f"{when:%Y-%m-%d}" if when else ""
    who = _in_line(name_of(note, "user")) or "Unknown"
    return ", ".join(filter(None, (who, day)))


def _bulleted(found: Iterable[tuple[str, str]]) -> str:
    return "\n".join(
        f"- {_in_line(key)}: {_in_line(value)}" for key, value in found if value
    )


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}" if body else ""


def _in_line(words: str) -> str:
    return " ".join(words.split())
