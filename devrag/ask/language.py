"""In which language an answer is given, whatever its reader's interface has."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.utils import translation

from devrag.ask.types import AskRequest
from devrag.search.api import is_japanese

P = ParamSpec("P")
T = TypeVar("T")
LANGUAGES = {"en": "English", "ja": "Japanese"}


def language_of(request: AskRequest) -> str:
    """Return the language of the answer: the one asked for, else the question's."""
    if request.language in LANGUAGES:
        return request.language
    return "ja" if is_japanese(request.question) else "en"


def in_language(request: AskRequest, function: Callable[P, T]) -> Callable[P, T]:
    """Return a function that takes its texts from the answer's language."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        with translation.override(language_of(request)):
            return function(*args, **kwargs)

    return call
