"""What /health and the doctor say with everything there, and with parts missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import redis
from django.core.management import call_command
from django.test import Client

from devrag.core.errors import ServiceError
from devrag.jobs.heartbeat import _KEY, leave_heartbeat
from devrag.operations.doctor import diagnose
from devrag.operations.findings import DoctorFinding
from devrag.operations.health import describe_health
from devrag.search.consistency import drop_partition, orphan_partitions
from devrag.search.semantic.specs import ensure_active_spec

pytestmark = pytest.mark.django_db
DEAD_BROKER = "redis://:hidden-word@127.0.0.1:9/0"


@pytest.fixture
def worker() -> None:
    leave_heartbeat()


@pytest.fixture
def no_worker(settings: Any) -> None:
    # A database of the broker's own: other tests may leave a sign of life.
    settings.BROKER_URL = f"{settings.BROKER_URL.rpartition('/')[0]}/7"
    with redis.Redis.from_url(settings.BROKER_URL) as client:
        client.delete(_KEY)


@pytest.fixture
def no_broker(settings: Any) -> None:
    settings.BROKER_URL = DEAD_BROKER


@pytest.fixture
def prepared(worker: None) -> None:
    for name in orphan_partitions():  # earlier tests' specs are gone, their tables not
        drop_partition(name)
    ensure_active_spec()


def findings() -> dict[str, DoctorFinding]:
    return {finding.name: finding for finding in diagnose()}


def test_all_is_ok(worker: None) -> None:
    health = describe_health()
    assert {health[name] for name in ("status", "database", "broker", "worker")} == {
        "ok"
    }


def test_without_a_worker_it_is_degraded(no_worker: None) -> None:
    health = describe_health()
    assert (health["status"], health["broker"]) == ("degraded", "ok")
    assert "no worker" in health["worker"]


def test_without_a_broker_it_is_degraded(no_broker: None) -> None:
    health = describe_health()
    assert health["status"] == "degraded"
    assert health["broker"] == "unreachable (ConnectionError)"


@pytest.mark.parametrize("path", ["/health"])
def test_health_answers_200_when_all_is_ok(worker: None, path: str) -> None:
    answer = Client(HTTP_HOST="localhost").get(path)
    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"


def test_health_answers_503_when_something_is_missing(no_broker: None) -> None:
    assert Client(HTTP_HOST="localhost").get("/health").status_code == 503


def test_health_tells_strangers_no_address_and_no_password(no_broker: None) -> None:
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR="192.0.2.7")
    text = client.get("/health").content.decode()
    assert "hidden-word" not in text
    assert "127.0.0.1" not in text
    assert "://" not in text


def test_the_doctor_has_nothing_to_say_when_all_is_there(prepared: None) -> None:
    states = {finding.state for finding in findings().values()}
    assert states <= {"ok", "note"}


@pytest.mark.parametrize("name", ["broker", "worker"])
def test_the_doctor_advises_when_the_broker_is_down(no_broker: None, name: str) -> None:
    found = findings()[name]
    assert found.state == "broken"
    assert found.advice


def test_the_doctor_shows_no_password(no_broker: None) -> None:
    assert "hidden-word" not in repr(findings())


def test_the_doctor_misses_the_first_start() -> None:
    found = findings()["embeddings"]
    assert (found.state, found.advice) == ("broken", "Run `devrag prepare`.")


def test_the_doctor_misses_a_key(settings: Any) -> None:
    settings.LLM_PROVIDER = "openai"
    settings.OPENAI_API_KEY = ""
    found = findings()["wiki writer"]
    assert (found.state, found.advice) == ("broken", "Set OPENAI_API_KEY.")


def test_the_doctor_knows_servers_that_want_no_key(settings: Any) -> None:
    settings.LLM_PROVIDER, settings.LLM_MODEL = "openai", "qwen3:8b"
    settings.LLM_BASE_URL = "http://localhost:11434/v1"
    found = findings()["wiki writer"]
    assert found.state == "ok"
    assert "The price of qwen3:8b is unknown" in found.advice


def test_the_doctor_shows_no_key(settings: Any) -> None:
    settings.LLM_PROVIDER = "openai"
    settings.OPENAI_API_KEY = "hidden-word"
    assert findings()["wiki writer"].state == "ok"
    assert "hidden-word" not in repr(findings())


def test_the_doctor_looks_for_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert findings()["git"].state == "broken"


def test_the_doctor_finds_the_disk_of_a_home_to_be(
    settings: Any, tmp_path: Path
) -> None:
    settings.DEVRAG_HOME = tmp_path / "not" / "yet"
    assert str(tmp_path) in findings()["disk"].detail


def test_the_command_fails_with_the_names_of_what_is_broken(no_broker: None) -> None:
    with pytest.raises(ServiceError, match="broker, worker"):
        call_command("doctor", "--json")
