"""Issues and merge requests as tickets. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from devrag.sources.connectors.gitlab.address import ProjectAddress
from devrag.sources.connectors.gitlab.api import MERGES, number_of
from devrag.sources.connectors.pages.json_data import (
    Json,
    list_of,
    mark_of,
    name_of,
    part_of,
    text_of,
)
from devrag.sources.connectors.tickets.document import Comment, Ticket, in_line
from devrag.sources.connectors.tickets.text import named_commits
from devrag.sources.documents import DocumentFacts

# What a document is written from; what else changes writes none anew.
_TEXTS = (
    *("title", "description", "state", "updated_at", "due_date", "issue_type"),
    *("confidential", "user_notes_count", "draft", "source_branch", "target_branch"),
    *("sha", "merge_commit_sha", "squash_commit_sha", "weight"),
)
_COMMITS = ("merge_commit_sha", "squash_commit_sha")


def stamp_of(data: Json) -> str:
    """Return another mark whenever anything changed that a document has."""
    people = [
        name_of(each, "user")
        for key in ("assignees", "reviewers")
        for each in ({"user": one} for one in list_of(data, key))
    ]
    texts = [text_of(data, key) for key in _TEXTS]
    author, milestone = name_of(data, "author"), part_of(data, "milestone")
    return mark_of((texts, people, author, text_of(milestone, "title"), _labels(data)))


def make_ticket(
    data: Json, kind: str, notes: Iterable[Json], address: ProjectAddress
) -> Ticket:
    """Return an issue or a merge request with what was said of it."""
    number, is_merge = number_of(data), kind == MERGES
    name, sign = ("Merge request", "!") if is_merge else (_kind_name(data), "#")
    status = _status(data)
    facts = DocumentFacts(
        in_line(f"{name} {sign}{number}: {text_of(data, 'title')}"),
        kind="ticket",
        place=(address.path,),
        status=status,
        is_closed=status in {"closed", "merged"},
        author=name_of(data, "author"),
        labels=_labels(data),
        created=text_of(data, "created_at"),
        changed=text_of(data, "updated_at"),
        url=f"{address.url}/-/{kind}/{number}",
        version=text_of(data, "updated_at"),
    )
    comments = tuple(_comment(each) for each in notes)
    texts = [text_of(data, "description"), *(each.text for each in comments)]
    own = [text_of(data, key) for key in _COMMITS]
    named = named_commits(texts, address.url, "/-/commit/")
    commits = dict.fromkeys(filter(None, (*own, *named)))
    return Ticket(
        facts,
        text_of(data, "description"),
        tuple(_known(data, status)),
        tuple((each, f"{address.url}/-/commit/{each}") for each in commits),
        comments,
    )


def _comment(note: Json) -> Comment:
    place = part_of(note, "position")
    path = text_of(place, "new_path") or text_of(place, "old_path")
    line = text_of(place, "new_line") or text_of(place, "old_line")
    return Comment(
        name_of(note, "author"),
        text_of(note, "created_at"),
        text_of(note, "body"),
        ":".join(filter(None, (path, line))),
    )


def _kind_name(data: Json) -> str:
    return text_of(data, "issue_type").replace("_", " ").capitalize() or "Issue"


def _status(data: Json) -> str:
    """Return its status as the pages show it; the API writes `opened`."""
    state = text_of(data, "state")
    return "open" if state == "opened" else state


def _labels(data: Json) -> tuple[str, ...]:
    found = data.get("labels")
    labels = found if isinstance(found, list) else []
    return tuple(each for each in labels if isinstance(each, str) and each)


def _known(data: Json, status: str) -> Iterator[tuple[str, str]]:
    yield "Status", status
    yield "Draft", "yes" if data.get("draft") is True else ""
    yield "Confidential", "yes" if data.get("confidential") is True else ""
    yield "Labels", ", ".join(_labels(data))
    for key, words in (("assignees", "Assignees"), ("reviewers", "Reviewers")):
        yield words, ", ".join(text_of(each, "name") for each in list_of(data, key))
    yield "Milestone", text_of(part_of(data, "milestone"), "title")
    yield "Due date", text_of(data, "due_date")
    yield "Weight", text_of(data, "weight")
    if text_of(data, "target_branch"):
        source, target = text_of(data, "source_branch"), text_of(data, "target_branch")
        yield "Branches", f"{source} into {target}"
    yield "Head commit", text_of(data, "sha")
    for key, words in zip(_COMMITS, ("Merge commit", "Squash commit"), strict=True):
        yield words, text_of(data, key)
