"""What an API answers when it fails, as errors that say who, why and the way out."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.utils.translation import gettext_noop

from devrag.core.errors import ProviderError
from devrag.core.text import one_line, shorten
from devrag.core.texts import gettext
from devrag.llm.errors import (
    ChatInternal,
    ChatInvalidArgument,
    ChatModelNotFound,
    ChatResourceExhausted,
    ChatUnavailable,
    EmbeddingInternal,
    EmbeddingInvalidArgument,
    EmbeddingModelNotFound,
    EmbeddingResourceExhausted,
    EmbeddingUnavailable,
    RerankerError,
)
from devrag.llm.remote.endpoint import Endpoint

_REASON_LENGTH = 200
_LONGEST_WAIT_SECONDS = 3600.0
# Codes and words of a 429 that no waiting for some minutes ends.
_OUT_OF_QUOTA = re.compile(r"insufficient_quota|per ?day|billing|credit", re.I)
_KEY_SHAPED = re.compile(r"\b(?:sk|pk|gsk|hf|AIza)[-_A-Za-z0-9*]{8,}")
_RETRY_DELAY = re.compile(r"(\d+(?:\.\d+)?)s")


@dataclass(frozen=True, slots=True)
class Terms:
    """What the failures of one kind of model are, and the ways out in its words.

    The words are English, and translated where they are said.
    """

    unavailable: type[ProviderError]
    invalid: type[ProviderError]
    exhausted: type[ProviderError]
    not_found: type[ProviderError]
    internal: type[ProviderError]
    sent: str
    too_long: str
    other_model: str
    slower: str


EMBEDDING = Terms(
    EmbeddingUnavailable,
    EmbeddingInvalidArgument,
    EmbeddingResourceExhausted,
    EmbeddingModelNotFound,
    EmbeddingInternal,
    sent=gettext_noop("the texts"),
    too_long=gettext_noop(
        "If they are too long for it, set EMBEDDING_MAX_TOKENS to what it takes."
    ),
    other_model=gettext_noop("use another model: devrag embeddings use MODEL"),
    slower=gettext_noop("EMBEDDING_TEXTS_PER_MINUTE keeps within its limits"),
)
CHAT = Terms(
    ChatUnavailable,
    ChatInvalidArgument,
    ChatResourceExhausted,
    ChatModelNotFound,
    ChatInternal,
    sent=gettext_noop("the prompt"),
    too_long=gettext_noop(
        "If it is too long for it, give its server a larger context, or set LLM_MODEL "
        "to one that reads more."
    ),
    other_model=gettext_noop("choose another LLM_PROVIDER or LLM_MODEL"),
    slower=gettext_noop("fewer INDEX_WORKERS ask less at a time"),
)
RERANK = Terms(
    RerankerError,
    RerankerError,
    RerankerError,
    RerankerError,
    RerankerError,
    sent=gettext_noop("the texts"),
    too_long=gettext_noop("Check what it takes in one request."),
    other_model=gettext_noop("set another RERANK_BASE_URL or RERANK_MODEL"),
    slower=gettext_noop("its own settings limit how much it takes"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which model was asked where. who: the API's name in messages."""

    who: str
    model: str
    endpoint: Endpoint
    terms: Terms

    @property
    def who_inside(self) -> str:
        """Return the API's name within a sentence: "the reranker at …"."""
        return re.sub(r"^The\b", "the", self.who)


class _Response(Protocol):
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def reason_phrase(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Nothing:
    headers: Mapping[str, str] = field(default_factory=dict)
    reason_phrase: str = "no reason given"


@dataclass(frozen=True, slots=True)
class BrokenStream:
    """A refusal in the middle of an answer, with the status that it would have had."""

    status_code: int
    body: object | None
    response: _Response = _Nothing()


class StatusError(Protocol):
    """An API's refusal, as the official clients raise it."""

    @property
    def status_code(self) -> int: ...
    @property
    def body(self) -> object | None: ...
    @property
    def response(self) -> _Response: ...


def describe(title: str, endpoint: Endpoint) -> str:
    """Return an API's name in messages, with its address where that was set."""
    address = endpoint.base_url.rstrip("/")
    return f"{title} at {address}" if address else title


def check_key(asked: Asked) -> None:
    """Raise unless there is a key, or an address that may want none."""
    if asked.endpoint.lacks_key:
        raise asked.terms.unavailable(
            gettext("%(who)s requires an API key. %(advice)s")
            % {"who": asked.who, "advice": _way_to_a_key(asked.endpoint)},
            permanent=True,
            reason="key",
        )


def _way_to_a_key(endpoint: Endpoint) -> str:
    if endpoint.is_stored:
        return gettext("Enter one under Settings → Models.")
    text = gettext(
        "Set %(setting)s; for what the server does, in the server's environment, then "
        "restart it: devrag server restart"
    )
    return text % {"setting": endpoint.key_setting}


def of_timeout(asked: Asked, seconds: float) -> ProviderError:
    """Return what to say of an API that is too slow."""
    return asked.terms.unavailable(
        gettext("%(who)s did not respond within %(seconds)s s.")
        % {"who": asked.who, "seconds": f"{seconds:g}"},
        reason="timeout",
    )


def of_connection(asked: Asked, error: Exception) -> ProviderError:
    """Return what to say of an API that cannot be reached."""
    reason = redact(str(error.__cause__ or error), asked.endpoint.key)
    return asked.terms.unavailable(
        gettext(
            "Cannot reach %(who)s: %(reason)s. Check that it is running, the network, "
            "and %(setting)s."
        )
        % {
            "who": asked.who_inside,
            "reason": reason,
            "setting": asked.endpoint.url_name,
        },
        reason="connection",
    )


def of_status(asked: Asked, error: StatusError) -> ProviderError:
    """Return what to say of a refusal."""
    status = error.status_code
    said = f"{status}: {redact(reason_of(error), asked.endpoint.key)}"
    names = {"who": asked.who, "reason": said}
    if status in (401, 403) or _is_about_the_key(error):
        key = gettext("the key") if asked.endpoint.key else gettext("no key")
        return asked.terms.unavailable(
            gettext("%(who)s rejected %(key)s: %(reason)s. Check %(setting)s.")
            % {**names, "key": key, "setting": asked.endpoint.key_name},
            permanent=True,
            reason="key",
        )
    if status == 404:
        return asked.terms.not_found(
            gettext(
                "%(who)s has no model “%(model)s” (%(reason)s). Check its name, and "
                "the path of %(setting)s."
            )
            % {**names, "model": asked.model, "setting": asked.endpoint.url_name},
            reason="model",
        )
    if _is_out_of_quota(status, error, said):
        return asked.terms.exhausted(
            gettext(
                "The quota at %(who)s is used up (%(reason)s). Raise it there, or "
                "%(other)s."
            )
            % {
                **names,
                "who": asked.who_inside,
                "other": gettext(asked.terms.other_model),
            },
            permanent=True,
            reason="quota",
        )
    if status == 429 or (status == 503 and _wait(error)):
        return _too_much(asked, error, said)
    return _of_other_status(asked, status, said)


def _of_other_status(asked: Asked, status: int, said: str) -> ProviderError:
    if status >= 500 or status in (408, 409, 425):
        return asked.terms.internal(
            gettext("%(who)s failed: %(reason)s. Try again later.")
            % {"who": asked.who, "reason": said},
            reason="server",
        )
    if status < 400:
        return asked.terms.unavailable(
            gettext("%(who)s redirects (%(reason)s). Set the final URL in %(setting)s.")
            % {"who": asked.who, "reason": said, "setting": asked.endpoint.url_name},
            permanent=True,
            reason="redirect",
        )
    return asked.terms.invalid(rejected(asked, said), reason="prompt")


def rejected(asked: Asked, said: str) -> str:
    """Return what to say of what was sent and will never be taken."""
    words = {
        "who": asked.who,
        "sent": gettext(asked.terms.sent),
        "model": asked.model,
        "reason": said,
        "advice": gettext(asked.terms.too_long),
    }
    text = gettext("%(who)s rejected %(sent)s for “%(model)s” (%(reason)s). %(advice)s")
    return text % words


def _is_out_of_quota(status: int, error: StatusError, said: str) -> bool:
    if status == 402:
        return True
    if status == 400:  # Anthropic's way
        return "credit balance" in said
    inner = _inner(error.body)
    words = f"{inner.get('code')} {inner.get('type')} {said}"
    return status == 429 and bool(_OUT_OF_QUOTA.search(words))


def _too_much(asked: Asked, error: StatusError, said: str) -> ProviderError:
    wait = _wait(error)
    words = {
        "who": asked.who,
        "reason": said,
        "seconds": f"{wait:g}",
        "advice": gettext(asked.terms.slower),
    }
    text = (
        gettext(
            "%(who)s asks to slow down (%(reason)s). Trying again in %(seconds)s s; "
            "%(advice)s."
        )
        if wait
        else gettext(
            "%(who)s asks to slow down (%(reason)s). Trying again; %(advice)s."
        )
    )
    return asked.terms.exhausted(
        text % words,
        retry_after_seconds=wait,
        reason="rate",
    )


def _is_about_the_key(error: StatusError) -> bool:
    """Return whether a 400 is Google's way of refusing a key."""
    return error.status_code == 400 and "API_KEY_INVALID" in str(error.body)


def reason_of(error: StatusError) -> str:
    """Return the API's own words for its refusal."""
    body = error.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        text = inner.get("message") if isinstance(inner, Mapping) else inner
        return str(text or error.response.reason_phrase)
    return str(body or error.response.reason_phrase)


def _inner(body: Any) -> Mapping[str, Any]:
    """Return what a body says of its error; clients and APIs wrap it or not."""
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _wait(error: StatusError) -> float:
    """Return the seconds an API wants to be left alone, by header or Google's body."""
    header = error.response.headers.get("retry-after", "")
    # A date instead of seconds is rare; the usual pause does for it.
    seconds = float(header) if re.fullmatch(r"\d+(?:\.\d+)?", header) else 0.0
    return min(_LONGEST_WAIT_SECONDS, seconds or _retry_delay(error.body))


def _retry_delay(body: Any) -> float:
    details = _inner(body).get("details")
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
