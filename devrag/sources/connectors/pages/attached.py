"""What is known of a file that is attached to a page or ticket. Pure."""

from __future__ import annotations

from devrag.sources.documents import DocumentFacts, write_document


def attachment_head(
    name: str,
    owner: DocumentFacts | None,
    *,
    url: str = "",
    author: str = "",
    created: str = "",
) -> str:
    """Return the text of an attachment's item: nothing but what is known of it.

    owner: what it is attached to. url: where people see the file itself; without one
    citations lead to the owner.
    """
    facts = DocumentFacts(
        name,
        kind="attachment",
        place=(*owner.place, owner.title) if owner else (),
        author=author,
        created=created,
        changed=created,
        url=url or (owner.url if owner else ""),
    )
    return write_document(facts, "")
