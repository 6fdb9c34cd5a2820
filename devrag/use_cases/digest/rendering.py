"""A digest as text, as plain HTML for e-mail, and as JSON for a webhook."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

from devrag.use_cases.digest.contents import Digest

TYPE = "devrag.weekly_digest"


def subject_of(digest: Digest) -> str:
    """Return a line for the subject of an e-mail."""
    with translation.override(digest.language):
        said = gettext("%(product)s: the week from %(since)s to %(until)s") % {
            "product": digest.title,
            "since": digest.since,
            "until": digest.until,
        }
    return " ".join(said.split())


def as_text(digest: Digest) -> str:
    """Return a digest as plain text."""
    with translation.override(digest.language):
        return "\n".join(_lines(digest)) + "\n"


def _lines(digest: Digest) -> Iterator[str]:
    yield subject_of(digest)
    if digest.is_empty:
        yield ""
        yield gettext("No activity this week.")
    for section in digest.sections:
        yield ""
        yield f"{section.title} ({section.count})"
        for entry in section.entries:
            yield f"- {entry.text}"
            if entry.url:
                yield f"  {entry.url}"
        if section.hidden:
            yield "- " + gettext("and %(count)s more") % {"count": section.hidden}
        if section.url:
            yield section.url
    yield ""
    yield digest.url


def as_html(digest: Digest) -> str:
    """Return a digest as a page for readers of e-mail: no styles, scripts or images."""
    with translation.override(digest.language):
        return render_to_string(
            "digest/email.html", {"digest": digest, "subject": subject_of(digest)}
        )


def as_message(digest: Digest, *, is_test: bool = False) -> bytes:
    """Return a digest as a webhook gets it. text: for chats that show only that."""
    message = {
        "type": TYPE,
        "isTest": is_test,
        "text": as_text(digest),
        **digest.as_json(),
    }
    return json.dumps(message, ensure_ascii=False).encode()
