"""A ticket with its comments as a Markdown document. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devrag.sources.connectors.pages.markdown import inline_code, link
from devrag.sources.connectors.tickets.text import clean_markdown
from devrag.sources.documents import DocumentFacts, read_time, write_document


@dataclass(frozen=True, slots=True)
class Comment:
    """What was said of a ticket. created: ISO 8601 or ''. about: file and line."""

    author: str
    created: str
    text: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Ticket:
    """An issue, a pull request or a merge request.

    facts: status, dates and others that filters find it by. known: what is told of it
    in words, by name. commits: (commit, address) of those it has to do with.
    """

    facts: DocumentFacts
    body: str
    known: tuple[tuple[str, str], ...] = ()
    commits: tuple[tuple[str, str], ...] = ()
    comments: tuple[Comment, ...] = ()

    @property
    def size(self) -> int:
        """Return how many characters were written in it."""
        return len(self.body) + sum(len(each.text) for each in self.comments)


def write_ticket(ticket: Ticket) -> str:
    """Return a ticket's Markdown."""
    parts = (
        f"# {in_line(ticket.facts.title)}",
        "\n".join(
            f"- {name}: {in_line(value)}" for name, value in ticket.known if value
        ),
        clean_markdown(ticket.body),
        "\n".join(_commits(ticket.commits)),
        "\n\n".join(_comments(ticket.comments)),
    )
    return write_document(ticket.facts, "\n\n".join(filter(None, parts)))


def in_line(words: str) -> str:
    """Return words in one line."""
    return " ".join(words.split())


def _commits(commits: Iterable[tuple[str, str]]) -> Iterator[str]:
    lines = [f"- Commit {link(commit, address)}" for commit, address in commits]
    if lines:
        yield "## Commits\n"
        yield from lines


def _comments(comments: Iterable[Comment]) -> Iterator[str]:
    written = [
        f"### {_said_by(each)}\n\n{clean_markdown(each.text)}"
        for each in sorted(comments, key=_order)
        if each.text.strip()
    ]
    if written:
        yield "## Comments"
        yield from written


def _order(comment: Comment) -> tuple[str, str]:
    when = read_time(comment.created)
    return (when.isoformat() if when else "9999", comment.author)


def _said_by(comment: Comment) -> str:
    when = read_time(comment.created)
    day = f"{when:%Y-%m-%d}" if when else ""
    about = f"on {inline_code(comment.about)}" if comment.about else ""
    who = in_line(comment.author) or "Unknown"
    return ", ".join(filter(None, (who, day, about)))
