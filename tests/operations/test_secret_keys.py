"""Keys are rotated by command, while others read and write, and retired at the end."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from devrag.audit.models import AuditEvent
from devrag.core import key_files
from devrag.core.encryption import decrypt_secrets, encrypt_secrets
from devrag.core.errors import Conflict, InvalidInput, ServiceError
from devrag.core.key_files import OldKey, read_keys, replace_key
from devrag.operations import secret_keys
from devrag.operations.secret_keys import describe_old_keys
from devrag.products.models import Product
from devrag.sources.models import Source

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Source:
    product = Product.objects.create(name="shop")
    return Source.objects.create(product=product, name="shop", source_type="git")


@pytest.fixture
def key_file(settings: Any, tmp_path: Path, source: Source) -> Path:
    """The keys of an embedded installation, and a token that they encrypt."""
    path = tmp_path / "credentials_key"
    path.write_text("k" * 40, encoding="ascii")
    settings.CREDENTIALS_KEYS_FILE = path
    store(source, "t")
    return path


@pytest.fixture
def secret_file(settings: Any, tmp_path: Path) -> Path:
    path = tmp_path / "secret_key"
    path.write_text(settings.SECRET_KEY, encoding="ascii")
    settings.SECRET_KEY_FILE = path
    return path


def store(source: Source, token: str) -> None:
    stored = encrypt_secrets({"token": token})
    Source.objects.filter(pk=source.pk).update(credentials=stored)


def token_of(source: Source) -> str:
    source.refresh_from_db()
    return decrypt_secrets(source.credentials or b"")["token"]


def findings() -> list[tuple[str, str]]:
    return [(each.state, each.detail) for each in describe_old_keys()]


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> Any:
    call_command("keys", *words, "--json")
    return json.loads(capsys.readouterr().out)


def test_a_rotation_needs_no_restart_and_no_old_key(
    key_file: Path, source: Source, capsys: pytest.CaptureFixture[str]
) -> None:
    said = run("rotate", "credentials", capsys=capsys)
    assert said["storedSecrets"] == {"first": 1, "old": 0, "unknown": []}
    assert token_of(source) == "t"
    run("retire", "credentials", "--now", capsys=capsys)
    assert len(read_keys(key_file)) == 1
    assert "k" * 40 not in read_keys(key_file)
    assert token_of(source) == "t"


def test_no_output_tells_a_key(
    key_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("keys", "rotate", "credentials")
    call_command("keys", "status")
    said = capsys.readouterr()
    for key in read_keys(key_file):
        assert key not in said.out + said.err
    assert "1 with the first key" in said.err


def test_what_a_cut_off_rotation_left_is_done_by_the_next(
    key_file: Path, source: Source
) -> None:
    replace_key(key_file)  # and then it was killed
    assert findings() == [("note", "1 stored secrets are encrypted with an old key")]
    uses = secret_keys.rotate_credentials_key()
    assert (uses.first, uses.old) == (1, 0)
    assert len(read_keys(key_file)) == 2  # no third one
    assert token_of(source) == "t"


def test_an_old_key_stays_until_nothing_needs_it(
    key_file: Path, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret_keys.rotate_credentials_key()
    assert findings() == [("note", "old keys still accepted: 1 of CREDENTIALS_KEYS")]
    # Just replaced: another process may be about to store something.
    assert secret_keys.retire_credentials_keys() == 0
    old = "k" * 40
    with monkeypatch.context() as late:
        late.setattr("devrag.core.encryption.known_keys", lambda: [old])
        store(source, "late")
    assert secret_keys.retire_credentials_keys(is_at_once=True) == 1
    retired = AuditEvent.objects.get(action="credentials.retired")
    assert retired.details == {"setting": "CREDENTIALS_KEYS", "keys": 1}
    assert token_of(source) == "late"
    assert findings() == [("ok", "1 secrets, no old keys")]


def test_a_lost_key_is_told(
    key_file: Path, source: Source, capsys: pytest.CaptureFixture[str]
) -> None:
    key_file.write_text("another" * 6, encoding="ascii")
    assert findings() == [
        (
            "broken",
            f"1 stored secrets cannot be decrypted: source {source.pk} (credentials)",
        )
    ]
    with pytest.raises(ServiceError, match="cannot be decrypted"):
        call_command("keys", "status")


def test_keys_of_the_environment_are_rotated_in_steps(
    source: Source, settings: Any
) -> None:
    settings.CREDENTIALS_KEYS = ["a" * 40]
    store(source, "t")
    with pytest.raises(Conflict, match="put a new key at its end"):
        secret_keys.rotate_credentials_key()
    settings.CREDENTIALS_KEYS = ["b" * 40, "a" * 40]
    assert secret_keys.rotate_credentials_key().first == 1
    with pytest.raises(InvalidInput, match="Remove the old ones"):
        secret_keys.retire_credentials_keys()
    settings.CREDENTIALS_KEYS = ["b" * 40]
    assert token_of(source) == "t"


def test_a_new_secret_key_is_proposed_where_the_environment_has_it() -> None:
    with pytest.raises(Conflict, match="SECRET_KEY_FALLBACKS"):
        secret_keys.rotate_secret_key()


def test_people_stay_signed_in(
    secret_file: Path, settings: Any, client: Client
) -> None:
    client.force_login(User.objects.create_user("alice"))
    assert client.get(reverse("web:settings_account")).status_code == 200
    secret_keys.rotate_secret_key()
    settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS = read_keys(secret_file)
    assert client.get(reverse("web:settings_account")).status_code == 200
    # What was signed anew needs the former key no more.
    settings.SECRET_KEY_FALLBACKS = []
    assert client.get(reverse("web:settings_account")).status_code == 200


def test_an_old_secret_key_lives_as_long_as_sessions(
    secret_file: Path, settings: Any
) -> None:
    secret_keys.rotate_secret_key()
    assert secret_keys.retire_secret_keys() == 0
    age = timedelta(seconds=settings.SESSION_COOKIE_AGE + 1)
    old = [OldKey("s" * 40, datetime.now(UTC) - age)]
    key_files._write(key_files.old_path(secret_file), old)
    assert secret_keys.retire_secret_keys() == 1
    secret_keys.rotate_secret_key()
    assert secret_keys.retire_secret_keys(is_at_once=True) == 1
