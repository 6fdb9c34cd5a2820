"""The language model that administrators choose: change it, test it, describe it.

Only who may administer the whole installation passes; every change is logged with who
made it. A key is stored encrypted and returned by nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.encryption import encrypt_secrets
from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.locks import lock_until_commit
from devrag.core.principal import Principal
from devrag.jobs.api import check_pace
from devrag.spending.chat_providers import ChatAnswer, ask_model
from devrag.spending.model_settings import (
    CAPS,
    NO_MODEL,
    TEXTS,
    ModelSettings,
    current_settings,
    forget_settings,
    is_connection_fixed,
    is_set_by_environment,
)
from devrag.spending.models import LanguageModelSettings
from devrag.use_cases.model_checks import check_address, check_choice

log = structlog.get_logger(__name__)
_LOCK = "language-model-settings"
_PAUSE_SECONDS = 5
_SHORTEST_KEY = 12  # of which the last characters may be shown
# Column → the setting that goes first; provider and address are one.
SETTINGS = {
    "provider": "LLM_PROVIDER",
    "base_url": "LLM_BASE_URL",
    **TEXTS,
    "window": "LLM_WINDOW",
    **CAPS,
}


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What an administrator chooses; empty and None: as the server's settings say.

    secret: a new key, empty keeps the stored one, which goes with its provider and
    address. price: `input/cached input/output`, dollars for a million tokens.
    """

    provider: str = ""
    base_url: str = ""
    model: str = ""
    check_model: str = ""
    ask_model: str = ""
    window: int | None = None
    price: str = ""
    cap_per_run: float | None = None
    cap_per_month: float | None = None
    ask_cap_per_day: float | None = None
    conflicts_cap_per_month: float | None = None
    secret: str = field(default="", repr=False)
    is_key_removed: bool = False


@dataclass(frozen=True, slots=True)
class ModelState:
    """What is in force, for administrators. choice: without the key.

    fixed: columns that the environment sets, with the variable. key_source: `stored`,
    the variable that holds it, or empty. key_ending: of a stored key.
    """

    choice: ModelChoice
    provider: str
    model: str
    base_url: str
    fixed: dict[str, str]
    key_source: str
    key_ending: str
    key_set_at: datetime | None
    needs_key: bool
    changed_by: str
    changed_at: datetime | None


def get_model_state(principal: Principal) -> ModelState:
    """Return what is in force; PermissionDenied unless an administrator asks."""
    check_may_choose(principal)
    row = LanguageModelSettings.objects.first()
    chosen = ModelSettings(row)
    endpoint = chosen.endpoint
    is_stored = row is not None and chosen.is_key_used
    return ModelState(
        choice=choice_of(row),
        provider=chosen.provider,
        model=chosen.model,
        base_url=chosen.base_url,
        fixed=_fixed(),
        key_source=_key_source(chosen),
        key_ending=row.key_ending if row and is_stored else "",
        key_set_at=row.key_set_at if row and is_stored else None,
        needs_key=chosen.provider != NO_MODEL and endpoint.lacks_key,
        changed_by=row.changed_by if row else "",
        changed_at=row.changed_at if row else None,
    )


def choice_of(row: LanguageModelSettings | None) -> ModelChoice:
    """Return what is stored, without the key; what the environment sets as it is."""
    chosen = ModelSettings(row)
    found = {name: getattr(row, name) for name in _columns()} if row else {}
    if is_connection_fixed():
        found |= {"provider": chosen.provider, "base_url": chosen.base_url}
    for column, name in TEXTS.items():
        if is_set_by_environment(name):
            found[column] = chosen.text(column)
    for column, name in CAPS.items():
        if is_set_by_environment(name):
            found[column] = chosen.cap(name)
    if is_set_by_environment("LLM_WINDOW"):
        found["window"] = chosen.window
    return ModelChoice(**found)


def change_model(*, principal: Principal, choice: ModelChoice) -> ModelState:
    """Store another choice; InvalidInput where it cannot be used."""
    check_may_choose(principal)
    check_choice(choice)
    with transaction.atomic():
        lock_until_commit(_LOCK)
        before = LanguageModelSettings.objects.first()
        row = _row_of(choice, before)
        check_address(row.base_url)
        row.changed_by = principal.name
        row.save(force_insert=before is None, force_update=before is not None)
        record_event(
            "model.changed",
            principal=principal,
            target=row.model or row.provider,
            details={"changed": _changed(before, row), "provider": row.provider},
        )
        transaction.on_commit(forget_settings)
    log.info(
        "language_model_changed",
        by=principal.name,
        user=principal.user_id,
        changed=_changed(before, row),
        provider=row.provider,
        model=row.model,
    )
    return get_model_state(principal)


def try_model(*, principal: Principal, choice: ModelChoice | None = None) -> ChatAnswer:
    """Ask a model for one word; store nothing. choice: None for what is in force.

    Raises InvalidInput, ProviderError, and Conflict a moment after another test.
    """
    check_may_choose(principal)
    chosen = current_settings()
    if choice is not None:
        check_choice(choice)
        chosen = ModelSettings(_row_of(choice, LanguageModelSettings.objects.first()))
    if chosen.provider == NO_MODEL:
        raise InvalidInput(gettext("Choose a provider to test."))
    if not is_connection_fixed():
        check_address(chosen.base_url)
    who = principal.user_id or principal.name
    check_pace(f"model-test:{who}", seconds=_PAUSE_SECONDS)
    return ask_model(chosen)


def check_may_choose(principal: Principal) -> None:
    """Raise PermissionDenied unless the caller administers the installation."""
    is_whole = principal.product_ids is None
    if not (principal.is_admin and principal.may("admin") and is_whole):
        raise PermissionDenied(
            gettext("Only administrators can view or change the language model.")
        )


def _row_of(
    choice: ModelChoice, before: LanguageModelSettings | None
) -> LanguageModelSettings:
    """Return the row as it would be stored; what the environment sets stays out."""
    _check_fixed(choice, before)
    fixed, row = _fixed(), LanguageModelSettings()
    for name in _columns():
        given = before if name in fixed else choice
        if given is not None:
            setattr(row, name, getattr(given, name))
    if is_connection_fixed():
        chosen = ModelSettings(None)
        row.provider, row.base_url = chosen.provider, chosen.base_url
    _set_key(row, choice, before)
    return row


def _set_key(
    row: LanguageModelSettings,
    choice: ModelChoice,
    before: LanguageModelSettings | None,
) -> None:
    """Set the new key, or keep the one of the same provider and address."""
    if choice.secret:
        if name := _key_source(ModelSettings(row)):
            raise InvalidInput(
                gettext(
                    "%(setting)s is set in the environment, which takes precedence."
                )
                % {"setting": name}
            )
        row.key = encrypt_secrets({"key": choice.secret})
        is_long = len(choice.secret) >= _SHORTEST_KEY
        row.key_ending = choice.secret[-4:] if is_long else ""
        row.key_set_at = timezone.now()
        return
    is_same = before is not None and (
        (before.provider, before.base_url) == (row.provider, row.base_url)
    )
    if before is not None and is_same and not choice.is_key_removed:
        row.key, row.key_ending = before.key, before.key_ending
        row.key_set_at = before.key_set_at


def _key_source(chosen: ModelSettings) -> str:
    """Return `stored`, the variable of the environment that holds the key, or ''."""
    endpoint = chosen.environment_endpoint
    if endpoint.key:
        return endpoint.key_setting
    return "stored" if chosen.is_key_used else ""


def _fixed() -> dict[str, str]:
    """Return the columns that the environment sets, with the variable of each."""
    found = {
        column: name for column, name in SETTINGS.items() if is_set_by_environment(name)
    }
    if is_connection_fixed():
        name = found.get("provider") or found["base_url"]
        found |= {"provider": name, "base_url": found.get("base_url", name)}
    return found


def _check_fixed(choice: ModelChoice, before: LanguageModelSettings | None) -> None:
    """Refuse another value of what the environment sets."""
    in_force = choice_of(before)
    for column, name in _fixed().items():
        given = getattr(choice, column)
        if given not in ("", None, getattr(in_force, column)):
            raise InvalidInput(
                gettext(
                    "%(setting)s is set in the environment, which takes precedence."
                )
                % {"setting": name}
            )


def _changed(
    before: LanguageModelSettings | None, row: LanguageModelSettings
) -> list[str]:
    """Return the names of what is other than it was."""
    former = before or LanguageModelSettings()
    return [
        name
        for name in (*_columns(), "key")
        if _plain(getattr(former, name)) != _plain(getattr(row, name))
    ]


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value


def _columns() -> tuple[str, ...]:
    return (*SETTINGS, "price")
