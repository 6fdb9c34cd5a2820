"""list_mentions: which tickets, documents and code a file has to do with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from devrag.mcp.arguments import SourceName
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_source
from devrag.mentions.api import MOST, Mentioned, find_mentions
from devrag.sources.api import get_current_file


class MentionOut(TypedDict):
    """A file, page or ticket. text: the mention as written at the line.

    mentions_file: the line is in this one, else in the file that was asked for. The
    last four are of pages and tickets only.
    """

    source: str
    path: str
    line: int
    text: str
    mentions_file: bool
    title: NotRequired[str]
    status: NotRequired[str]
    is_closed: NotRequired[bool]
    url: NotRequired[str]


class MentionsOut(TypedDict):
    """At most so many of each as the limit says; open tickets come first."""

    source: str
    path: str
    tickets: list[MentionOut]
    documents: list[MentionOut]
    code: list[MentionOut]


def list_mentions(
    ctx: Ctx,
    source: SourceName,
    path: Annotated[
        str, Field(min_length=1, max_length=4000, description="As named in results.")
    ],
    limit: Annotated[int, Field(ge=1, le=MOST, description="Limit per kind.")] = MOST,
) -> MentionsOut:
    """List the tickets, documents and code that mention a file, or that it mentions.

    Mentions are found by ticket number, URL, path or name. Use it before changing code
    that a page describes, and to find the reasons for a piece of code.
    """
    principal = caller(ctx, "read")
    held = find_source(principal, source)
    file = get_current_file(held, path)
    found = find_mentions(principal, held.product, file)
    return MentionsOut(
        source=held.name,
        path=file.path,
        tickets=_to_mentions(found.tickets[:limit]),
        documents=_to_mentions(found.pages[:limit]),
        code=_to_mentions(found.code[:limit]),
    )


def _to_mentions(rows: Iterable[Mentioned]) -> list[MentionOut]:
    return list(map(_to_mention, rows))


def _to_mention(each: Mentioned) -> MentionOut:
    found = MentionOut(
        source=each.file.source.name,
        path=each.file.path,
        line=each.line,
        text=each.written,
        mentions_file=each.is_by,
    )
    document = each.document
    if document is not None:
        found["title"] = each.file.title
        found["is_closed"] = document.is_closed
        if document.status:
            found["status"] = document.status
        if document.url:
            found["url"] = document.url
    return found
