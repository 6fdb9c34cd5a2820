"""Sentences that remember what they were made of, to be said in another language later.

`gettext` and `ngettext` here are Django's; what they return is a `str` in the language
of the moment that keeps its English original and what was filled in. The failure of a
job is stored with both (`as_stored`) and said to each reader in their own language
(`translate_stored`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from django.conf import settings
from django.utils import translation


class Text(str):
    """A sentence. msgid: its English original, with `plural` and `number` if it counts.

    params: what was filled in, empty before.
    """

    msgid: str
    plural: str
    number: int
    params: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        said: str,
        msgid: str,
        plural: str = "",
        number: int = 0,
        params: Mapping[str, Any] | None = None,
    ) -> Self:
        """Return a text that is said so now."""
        text = cls(said)
        text.msgid, text.plural, text.number = msgid, plural, number
        text.params = params or {}
        return text

    def __mod__(self, params: Any) -> Text:
        """Fill in names. params: a mapping."""
        said = str.__mod__(self, params)
        return Text.of(said, self.msgid, self.plural, self.number, params)

    def as_stored(self) -> dict[str, Any]:
        """Return it as JSON."""
        counted = {"plural": self.plural, "number": self.number} if self.plural else {}
        params = {name: _stored(value) for name, value in self.params.items()}
        return {"msgid": self.msgid, **counted, "params": params}


def gettext_noop(msgid: str) -> str:
    """Mark a sentence that `gettext` is given later; needs no settings."""
    return msgid


def gettext(msgid: str) -> Text:
    """Return a sentence in the language of the moment, as Django's gettext."""
    said = translation.gettext(msgid) if settings.configured else msgid
    return Text.of(said, msgid)


def ngettext(msgid: str, plural: str, number: int) -> Text:
    """Return a sentence that counts, as Django's ngettext."""
    said = translation.ngettext(msgid, plural, number)
    return Text.of(said, msgid, plural, number)


def as_stored(text: str) -> dict[str, Any]:
    """Return what a sentence is made of as JSON; empty where it is not known."""
    return text.as_stored() if isinstance(text, Text) else {}


def in_english(text: str) -> str:
    """Return a sentence as it is stored for programs, whatever language is active."""
    if not isinstance(text, Text):
        return text
    with translation.override("en"):
        return translate_stored(text.as_stored()) or text


def translate_stored(stored: Mapping[str, Any]) -> str:
    """Say a stored sentence in the language of the moment.

    Empty where there is none, or its text does not fit what was filled in any more.
    """
    if not stored:
        return ""
    try:
        params = {name: _told(value) for name, value in stored["params"].items()}
        if plural := stored.get("plural"):
            said = translation.ngettext(stored["msgid"], plural, stored["number"])
        else:
            said = translation.gettext(stored["msgid"])
        return said % params if params else said
    except (KeyError, TypeError, ValueError):
        return ""


def _stored(value: Any) -> Any:
    if isinstance(value, Text):
        return value.as_stored()
    return value if isinstance(value, int | float) else str(value)


def _told(value: Any) -> Any:
    return translate_stored(value) if isinstance(value, dict) else value
