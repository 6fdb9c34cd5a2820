"""In which language an answer is given, whatever its reader's interface has."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeVar

from django.utils import translation

from devrag.ask.types import AskRequest
from devrag.search.api import is_japanese

T = TypeVar("T")
LANGUAGES = {"en": "English", "ja": "Japanese"}


def language_of(request: AskRequest) -> str:
    """Return the language of the answer: the one asked for, else the question's."""
    if request.language in LANGUAGES:
        return request.language
    return "ja" if is_japanese(request.question) else "en"


async def in_answer_language(
    request: AskRequest, events: AsyncGenerator[T, None]
) -> AsyncGenerator[T, None]:
    """Yield events that are made in the language of the answer, failures as well.

    Whoever takes an event goes on in a language of their own.
    """
    async with aclosing(events):
        while True:
            with translation.override(language_of(request)):
                try:
                    event = await anext(events)
                except StopAsyncIteration:
                    return
            yield event
