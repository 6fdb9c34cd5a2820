"""In which language an answer is given, whatever its reader's interface has."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeVar

from django.utils import translation

from devrag.ask.types import AskRequest
from devrag.search.api import is_foreign_script, is_japanese

T = TypeVar("T")
LANGUAGES = {"en": "English", "ja": "Japanese"}
_ENOUGH = 2
_ENGLISH = frozenset(
    re.findall(
        r"\w+",
        "the a an is are was were be does do did how what where when which why who of "
        "to in on for with and or not it its this that from by at can",
    )
)
# German, French, Spanish, Portuguese, Italian, Dutch, Polish.
_SMALL_WORDS = tuple(
    frozenset(line.split())
    for line in """
der die das den dem ein eine wie wo wer was wann warum welche ist sind wird werden mit
le la les un une des du est sont comment où quand pourquoi quel quelle que dans pour
el los las un una del es son está cómo como dónde donde cuándo qué quién se para con
o os as um uma do da é são como onde quando qual quais que quem em no na para com não
il lo la gli un una di della è sono come dove quando quale perché che chi si per con
de het een is zijn hoe waar wanneer waarom welke wat wie wordt worden en van niet met
jest są jak gdzie kiedy dlaczego który która które co kto się z do nie dla przez
""".strip().splitlines()
)


def language_of(request: AskRequest) -> str:
    """Return the language of the answer: the one asked for, else the question's."""
    if request.language in LANGUAGES:
        return request.language
    return "ja" if is_japanese(request.question) else "en"


def is_foreign(text: str) -> bool:
    """Return whether a question is neither in English nor in Japanese, as it seems.

    Its script tells, or else the small words that a language has in every sentence.
    """
    if is_foreign_script(text):
        return True
    words = re.findall(r"[^\W\d_]+", text.lower())
    english = sum(word in _ENGLISH for word in words)
    most = max(sum(word in own for word in words) for own in _SMALL_WORDS)
    has_accents = any(not word.isascii() for word in words)
    return most > english and (most >= _ENOUGH or has_accents)


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
