"""What GitHub tells, as pieces of tickets, and tickets made of these. Pure.

An issue, its comments, and of a pull request its branches and the comments on its
lines: each is listed apart. Of each is kept what a document is written from, no more:
what else changes, such as counts of reactions, writes no document anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from devrag.sources.connectors.github.address import RepositoryAddress
from devrag.sources.connectors.pages.json_data import (
    Json,
    id_of,
    list_of,
    part_of,
    text_of,
)
from devrag.sources.connectors.pages.types import Record
from devrag.sources.connectors.tickets.document import Comment, Ticket, in_line
from devrag.sources.connectors.tickets.text import named_commits
from devrag.sources.documents import DocumentFacts

# Where an issue or pull request is told of, and by which key.
_OF_TICKET = (("issue_url", "issue"), ("pull_request_url", "pull"))
_TEXTS = (
    *("title", "body", "state", "state_reason", "created_at", "updated_at"),
    *("merged_at", "merge_commit_sha"),
)


def owner_of(number: int) -> str:
    """Return the id of a ticket's item."""
    return f"ticket:{number}"


def number_of(item_id: str) -> int:
    """Return the number of an item's ticket, 0 for another one."""
    kind, _, number = item_id.partition(":")
    return int(number) if kind == "ticket" and number.isdecimal() else 0


def ticket_record(data: Json, kind: str) -> Record | None:
    """Return an issue (kind `issue`) or pull request (`pull`); None without number."""
    number = data.get("number")
    if not isinstance(number, int) or number <= 0:
        return None
    kept = {
        **{key: text_of(data, key) for key in _TEXTS},
        "kind": kind,
        "number": number,
        "author": text_of(part_of(data, "user"), "login"),
        "labels": [text_of(each, "name") for each in list_of(data, "labels")],
        "assignees": [text_of(each, "login") for each in list_of(data, "assignees")],
        "reviewers": [
            text_of(each, "login") for each in list_of(data, "requested_reviewers")
        ],
        "milestone": text_of(part_of(data, "milestone"), "title"),
        "is_pull": kind == "pull" or "pull_request" in data,
        "is_draft": data.get("draft") is True,
        "base": text_of(part_of(data, "base"), "label"),
        "head": text_of(part_of(data, "head"), "label"),
        "sha": text_of(part_of(data, "head"), "sha"),
    }
    merged = text_of(part_of(data, "pull_request"), "merged_at")
    kept["merged_at"] = kept["merged_at"] or merged
    return Record(
        f"{kind}:{number}", owner_of(number), json.dumps(kept, ensure_ascii=False)
    )


def comment_record(data: Json, kind: str) -> Record | None:
    """Return a comment (kind `comments`, or `reviews` for one on lines of a change)."""
    address = "".join(text_of(data, key) for key, _ in _OF_TICKET)
    number = address.rpartition("/")[2]
    if not id_of(data) or not number.isdecimal():
        return None
    line = text_of(data, "line") or text_of(data, "original_line")
    kept = {
        "kind": "comment",
        "author": text_of(part_of(data, "user"), "login"),
        "created": text_of(data, "created_at"),
        "text": text_of(data, "body"),
        "about": ":".join(filter(None, (text_of(data, "path"), line))),
    }
    record_id = f"{kind}:{id_of(data)}"
    return Record(
        record_id, owner_of(int(number)), json.dumps(kept, ensure_ascii=False)
    )


def make_ticket(pieces: Iterable[str], address: RepositoryAddress) -> Ticket | None:
    """Return a ticket from the data of its records; None without the ticket itself."""
    told: dict[str, Json] = {}
    comments = []
    for piece in pieces:
        found = json.loads(piece)
        if found["kind"] == "comment":
            rest = {key: value for key, value in found.items() if key != "kind"}
            comments.append(Comment(**rest))
        else:
            told[found["kind"]] = found
    if not told:
        return None
    pull = told.get("pull", {})
    issue = told.get("issue", pull)
    merged = issue["merged_at"] or pull.get("merged_at")
    return _ticket({**issue, "merged_at": merged}, pull, tuple(comments), address)


def path_of(pieces: Iterable[str], number: int) -> str:
    """Return where a ticket lies, by the data of its records."""
    is_pull = any(json.loads(each).get("is_pull") for each in pieces)
    return f"{'pulls' if is_pull else 'issues'}/{number}.md"


def _ticket(
    issue: Json, pull: Json, comments: tuple[Comment, ...], address: RepositoryAddress
) -> Ticket:
    """Return a ticket. pull: {} of an issue, or where it is not known yet."""
    number, is_pull = issue["number"], issue["is_pull"] or bool(pull)
    name = "Pull request" if is_pull else "Issue"
    facts = DocumentFacts(
        in_line(f"{name} #{number}: {issue['title']}"),
        kind="ticket",
        place=(address.full_name,),
        status=_status(issue),
        is_closed=issue["state"] == "closed",
        author=issue["author"],
        labels=tuple(filter(None, issue["labels"])),
        created=issue["created_at"],
        changed=issue["updated_at"],
        url=address.ticket(number, is_pull=is_pull),
        version=issue["updated_at"],
    )
    texts = (issue["body"], *(each.text for each in comments))
    commits = dict.fromkeys(
        (*_merge_commit(issue, pull), *named_commits(texts, address.url, "/commit/"))
    )
    return Ticket(
        facts,
        issue["body"],
        tuple(_known(issue, pull)),
        tuple((each, f"{address.url}/commit/{each}") for each in commits),
        comments,
    )


def _status(issue: Json) -> str:
    return "merged" if issue["merged_at"] else str(issue["state"])


def _merge_commit(issue: Json, pull: Json) -> tuple[str, ...]:
    """Return the commit that merged it; before that, GitHub names one of a trial."""
    commit = str(pull.get("merge_commit_sha") or "")
    return (commit,) if commit and issue["merged_at"] else ()


def _known(issue: Json, pull: Json) -> Iterator[tuple[str, str]]:
    status, reason = _status(issue), str(issue["state_reason"]).replace("_", " ")
    is_told = issue["state"] == "closed" and reason not in {"", "completed"}
    yield "Status", f"{status} ({reason})" if is_told else status
    yield "Draft", "yes" if issue["is_draft"] else ""
    for name, many in (
        ("Labels", issue["labels"]),
        ("Assignees", issue["assignees"]),
        ("Reviewers", pull.get("reviewers", [])),
    ):
        yield name, ", ".join(filter(None, many))
    yield "Milestone", str(issue["milestone"])
    if pull.get("base"):
        yield "Branches", f"{pull['head']} into {pull['base']}"
    yield "Head commit", str(pull.get("sha", ""))
    yield "Merge commit", "".join(_merge_commit(issue, pull))
