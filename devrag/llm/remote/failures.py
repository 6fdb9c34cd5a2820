"""What an API answers when it fails, as errors that say who, why and the way out."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from openai import APIConnectionError, APIStatusError, APITimeoutError

from devrag.core.errors import ProviderError
from devrag.core.text import one_line, shorten
from devrag.llm.errors import (
    EmbeddingInternal,
    EmbeddingInvalidArgument,
    EmbeddingModelNotFound,
    EmbeddingResourceExhausted,
    EmbeddingUnavailable,
)
from devrag.llm.remote.endpoint import Endpoint

_REASON_LENGTH = 200
_LONGEST_WAIT_SECONDS = 3600.0
# Codes and words of a 429 that no waiting for some minutes ends.
_OUT_OF_QUOTA = re.compile(r"insufficient_quota|per ?day|billing|credit", re.I)
_KEY_SHAPED = re.compile(r"\b(?:sk|pk|gsk|hf|AIza)[-_A-Za-z0-9*]{8,}")
_RETRY_DELAY = re.compile(r"(\d+(?:\.\d+)?)s")


def of_connection(
    error: APIConnectionError, who: str, endpoint: Endpoint, seconds: float
) -> ProviderError:
    """Return what to say of an API that cannot be reached or is too slow."""
    if isinstance(error, APITimeoutError):
        return EmbeddingUnavailable(f"{who} did not answer within {seconds:g} s.")
    reason = redact(str(error.__cause__ or error), endpoint.key)
    return EmbeddingUnavailable(
        f"{who} cannot be reached ({reason}). Check that it runs, the network, and "
        f"{endpoint.url_setting}."
    )


def of_status(
    error: APIStatusError, who: str, endpoint: Endpoint, model: str
) -> ProviderError:
    """Return what to say of a refusal, by its status."""
    status = error.status_code
    said = f"{status}: {redact(_reason(error), endpoint.key)}"
    if status in (401, 403) or _is_about_the_key(error):
        key = "no key" if not endpoint.key else "the key"
        return EmbeddingUnavailable(
            f"{who} refuses {key} ({said}). Check {endpoint.key_setting}.",
            permanent=True,
        )
    if status == 404:
        return EmbeddingModelNotFound(
            f"{who} has no model “{model}” ({said}). Check its name, and the path of "
            f"{endpoint.url_setting}."
        )
    if status == 429 or (status == 503 and _wait(error)):
        return _too_much(error, who, said)
    if status >= 500 or status in (408, 409, 425):
        return EmbeddingInternal(f"{who} failed ({said}). It may work again later.")
    if status < 400:
        return EmbeddingUnavailable(
            f"{who} leads elsewhere ({said}). Give the final address in "
            f"{endpoint.url_setting}.",
            permanent=True,
        )
    return EmbeddingInvalidArgument(
        f"{who} refuses the texts for “{model}” ({said}). If they are too long for it, "
        "set EMBEDDING_MAX_TOKENS to what it takes."
    )


def _too_much(error: APIStatusError, who: str, said: str) -> ProviderError:
    if _OUT_OF_QUOTA.search(f"{error.code} {error.type} {said}"):
        return EmbeddingResourceExhausted(
            f"The quota at {who} is used up ({said}). Raise it there, or use another "
            "model: devrag embeddings use MODEL.",
            permanent=True,
        )
    wait = _wait(error)
    when = f" in {wait:g} s" if wait else ""
    return EmbeddingResourceExhausted(
        f"{who} asks to slow down ({said}). It is asked again{when}; "
        "EMBEDDING_TEXTS_PER_MINUTE keeps within its limits.",
        retry_after_seconds=wait,
    )


def _is_about_the_key(error: APIStatusError) -> bool:
    """Say whether a 400 is Google's way of refusing a key."""
    return error.status_code == 400 and "API_KEY_INVALID" in str(error.body)


def _reason(error: APIStatusError) -> str:
    body = error.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        text = inner.get("message") if isinstance(inner, Mapping) else inner
        return str(text or error.response.reason_phrase)
    return str(body or error.response.reason_phrase)


def _wait(error: APIStatusError) -> float:
    """Return the seconds an API wants to be left alone, by header or Google's body."""
    header = error.response.headers.get("retry-after", "")
    # A date instead of seconds is rare; the usual pause does for it.
    seconds = float(header) if re.fullmatch(r"\d+(?:\.\d+)?", header) else 0.0
    return min(_LONGEST_WAIT_SECONDS, seconds or _retry_delay(error.body))


def _retry_delay(body: Any) -> float:
    inner = body.get("error", body) if isinstance(body, Mapping) else {}
    details = inner.get("details") if isinstance(inner, Mapping) else None
    for detail in details if isinstance(details, list) else []:
        delay = detail.get("retryDelay") if isinstance(detail, Mapping) else None
        found = _RETRY_DELAY.fullmatch(str(delay))
        if found:
            return math.ceil(float(found[1]))
    return 0.0


def redact(text: str, key: str) -> str:
    """Return a provider's words on one line, without the key or what looks like one."""
    without = text.replace(key, "…") if key else text
    return shorten(one_line(_KEY_SHAPED.sub("…", without)), _REASON_LENGTH)
