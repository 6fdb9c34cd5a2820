"""Keys of remote models that are not set where the server runs.

A key in a shell's environment helps no worker. Workers leave in the broker which keys
they lack, so that pages, /health and the doctor report the same, wherever they run.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import redis
import structlog
from django.utils.translation import gettext

from devrag.jobs.api import open_broker
from devrag.search.api import remote_endpoints, specs_in_use
from devrag.spending.language_model import (
    is_model_set,
    model_endpoint,
    model_name,
    model_provider,
)

log = structlog.get_logger("devrag.use_cases")
EMBEDDING, CHAT = "embedding", "chat"
_KEY = "devrag:missing-keys"
# Several reports may be late before they count as gone.
_KNOWN_SECONDS = 90


@dataclass(frozen=True, slots=True)
class MissingKey:
    """A model in use whose key is not set.

    purpose: embedding or chat. setting: empty where the key is entered in the browser.
    """

    purpose: str
    model: str
    setting: str

    @property
    def problem(self) -> str:
        if not self.setting:
            return gettext("%(model)s has no API key") % {"model": self.model}
        text = gettext("%(setting)s is not set in the server's environment")
        return text % {"setting": self.setting}

    @property
    def advice(self) -> str:
        if not self.setting:
            return gettext("Enter it under Settings → Models.")
        text = gettext(
            "%(model)s needs %(setting)s: set it in the server's environment and "
            "restart the server (`devrag server restart`)."
        )
        return text % {"model": self.model, "setting": self.setting}


def missing_here() -> list[MissingKey]:
    """Return the keys that this process lacks for the models in use. Queries: 1."""
    found = []
    endpoints = remote_endpoints()
    for spec in specs_in_use():
        endpoint = endpoints.get(spec.provider)
        if spec.is_external and endpoint is not None and endpoint.lacks_key:
            found.append(MissingKey(EMBEDDING, spec.name, endpoint.key_setting))
    if is_model_set() and (endpoint := model_endpoint()).lacks_key:
        name = f"{model_provider()}/{model_name()}"
        setting = "" if endpoint.is_stored else endpoint.key_setting
        found.append(MissingKey(CHAT, name, setting))
    return found


def report_missing() -> list[MissingKey]:
    """Leave in the broker which keys this worker lacks; log them, too."""
    found = missing_here()
    text = json.dumps([asdict(each) for each in found])
    with open_broker() as client:
        before = client.set(_KEY, text, ex=_KNOWN_SECONDS, get=True)
    if before is None or before.decode() != text:
        for each in found:
            log.warning("key missing", model=each.model, setting=each.setting)
    return found


def missing_on_server() -> list[MissingKey]:
    """Return the keys that workers lack; those of this process if none reported."""
    try:
        with open_broker() as client:
            text = client.get(_KEY)
    except redis.RedisError:
        text = None
    if text is None:
        return missing_here()
    return [MissingKey(**each) for each in json.loads(text)]


def missing_key(purpose: str) -> MissingKey | None:
    """Return the first key that the server lacks for a purpose, None without any."""
    return next((m for m in missing_on_server() if m.purpose == purpose), None)
