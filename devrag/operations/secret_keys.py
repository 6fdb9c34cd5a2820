"""SECRET_KEY and CREDENTIALS_KEYS: which are in use, a new one, the end of old ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from devrag.audit.api import record_event
from devrag.core.encryption import known_keys
from devrag.core.errors import Conflict, InvalidInput
from devrag.core.hashing import sha256_hex
from devrag.core.key_files import (
    OldKey,
    forget_old_keys,
    new_key,
    read_keys,
    read_old_keys,
    replace_key,
)
from devrag.core.locks import lock_until_commit
from devrag.core.reencryption import KeyUses, count_uses, reencrypt_all
from devrag.operations.findings import DoctorFinding

log = structlog.get_logger("devrag.operations")
CREDENTIALS, SECRET = "credentials", "secret"
SETTINGS = {CREDENTIALS: "CREDENTIALS_KEYS", SECRET: "SECRET_KEY"}
# A worker that encrypts just now, with a key that it read before, is done by then.
_GRACE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class KeyState:
    """The keys of a setting. name: see SETTINGS. fingerprints: the one in use first.

    file: where they are kept, None when the environment has them. old: those of the
    file, with the moment they were replaced.
    """

    name: str
    file: Path | None
    fingerprints: tuple[str, ...]
    old: tuple[OldKey, ...]

    @property
    def setting(self) -> str:
        return SETTINGS[self.name]


def describe_keys() -> tuple[KeyState, KeyState]:
    """Return the keys of both settings; nothing here tells a key."""
    path: Path | None = settings.SECRET_KEY_FILE
    secret = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return (
        _state(CREDENTIALS, settings.CREDENTIALS_KEYS_FILE, known_keys()),
        _state(SECRET, path, secret if path is None else read_keys(path)),
    )


def rotate_credentials_key() -> KeyUses:
    """Put a new key in use where a file has it; encrypt everything with the first.

    With keys of the environment the new one has to be in front already. Safe to repeat
    after it was cut off. Raises Conflict where nothing was put in front.
    """
    path = settings.CREDENTIALS_KEYS_FILE
    with transaction.atomic():
        lock_until_commit("rotate keys")
        uses = count_uses()
        # Else it was cut off, or the environment has a new key in front.
        if uses.old == 0:
            if path is None:
                raise Conflict(_how_to_rotate("CREDENTIALS_KEYS", len(known_keys())))
            replace_key(path)
    count = reencrypt_all()
    log.info("credentials encrypted again", values=count)
    _record("CREDENTIALS_KEYS")
    return count_uses()


@transaction.atomic
def _record(setting: str) -> None:
    record_event("credentials.rotated", details={"setting": setting})


@transaction.atomic
def _record_retired(setting: str, count: int) -> None:
    found = {"setting": setting, "keys": count}
    record_event("credentials.retired", details=found)


def rotate_secret_key() -> None:
    """Put a new SECRET_KEY in its file; what the old one signed stays valid.

    Processes that run use the old one until they are restarted.
    """
    path = settings.SECRET_KEY_FILE
    if path is None:
        raise Conflict(
            _how_to_rotate("SECRET_KEY", 1 + len(settings.SECRET_KEY_FALLBACKS))
        )
    replace_key(path)
    log.info("secret key replaced")
    _record("SECRET_KEY")


def retire_credentials_keys(*, is_at_once: bool = False) -> int:
    """Forget the old keys when nothing needs them; return how many there were.

    Raises Conflict while something is encrypted with them.
    """
    reencrypt_all()
    uses = count_uses()
    if uses.old:
        raise Conflict(f"{uses.old} values are encrypted with an old key. Try again.")
    before = timezone.now() - (timedelta(0) if is_at_once else _GRACE)
    return _retire(settings.CREDENTIALS_KEYS_FILE, "CREDENTIALS_KEYS", before)


def retire_secret_keys(*, is_at_once: bool = False) -> int:
    """Forget old keys that nothing valid was signed with; return how many.

    Sessions live for SESSION_COOKIE_AGE. is_at_once: do not wait for them to end; who
    is signed in since before the rotation signs in again.
    """
    age = timedelta(seconds=0 if is_at_once else settings.SESSION_COOKIE_AGE)
    return _retire(
        settings.SECRET_KEY_FILE, "SECRET_KEY_FALLBACKS", timezone.now() - age
    )


def _retire(path: Path | None, setting: str, before: datetime) -> int:
    if path is None:
        raise InvalidInput(
            f"The keys are in the environment. Remove the old ones from {setting} and "
            "restart all processes."
        )
    count = forget_old_keys(path, before=before)
    log.info("old keys retired", setting=setting, keys=count)
    if count:
        _record_retired(setting, count)
    return count


def _how_to_rotate(setting: str, count: int) -> str:
    """Return what to do where keys are in the environment, with a new key."""
    if setting == "SECRET_KEY":
        return (
            "SECRET_KEY is in the environment. Set SECRET_KEY to a new key and "
            "SECRET_KEY_FALLBACKS to the old one, and restart all processes. A new "
            f"key: {new_key()}"
        )
    done = "All values are encrypted with its first key. " if count > 1 else ""
    return (
        f"CREDENTIALS_KEYS is in the environment. {done}To rotate, put a new key at "
        "its end and restart all processes; then move it to the front, restart them "
        f"again, and run this command again. A new key: {new_key()}"
    )


def fingerprint(key: str) -> str:
    """Return what tells keys apart and says nothing about them."""
    return sha256_hex(f"devrag key fingerprint {key}")[:8]


def _state(name: str, path: Path | None, keys: Sequence[str]) -> KeyState:
    old = tuple(read_old_keys(path)) if path is not None else ()
    return KeyState(name, path, tuple(map(fingerprint, keys)), old)


def count_old_keys() -> dict[str, int]:
    """Return how many old keys are still accepted, by setting."""
    return {
        "CREDENTIALS_KEYS": max(0, len(known_keys()) - 1),
        "SECRET_KEY": len(settings.SECRET_KEY_FALLBACKS),
    }


def describe_old_keys() -> Iterator[DoctorFinding]:
    """Yield what the doctor says of keys: values that no key opens, and old keys."""
    uses = count_uses()
    if uses.unknown:
        named = ", ".join(uses.unknown[:3])
        yield DoctorFinding(
            "keys",
            "broken",
            f"{len(uses.unknown)} stored secrets cannot be decrypted: {named}",
            "Add the key that they were encrypted with at the end of CREDENTIALS_KEYS, "
            "or enter them again.",
        )
    if uses.old:
        yield DoctorFinding(
            "keys",
            "note",
            f"{uses.old} stored secrets are encrypted with an old key",
            "Run `devrag keys rotate credentials`.",
        )
    elif accepted := {k: n for k, n in count_old_keys().items() if n}:
        said = ", ".join(f"{count} of {name}" for name, count in accepted.items())
        advice = "When the rotation is over: `devrag keys retire`."
        yield DoctorFinding("keys", "note", f"old keys still accepted: {said}", advice)
    elif not uses.unknown:
        yield DoctorFinding("keys", "ok", f"{uses.first} secrets, no old keys")
