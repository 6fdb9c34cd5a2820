from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import psycopg
import pytest
import redis

from devrag.core.errors import ServiceError
from devrag.runtime.endpoints import Endpoints
from devrag.runtime.temporary import temporary_services
from tests.waiting import wait_until

# Holds them until it is killed; left behind, it ends by itself.
HOLD = """
import json, sys, time
from dataclasses import asdict
from pathlib import Path
from devrag.runtime.temporary import temporary_services
with temporary_services(Path(sys.argv[1])) as endpoints:
    print(json.dumps(asdict(endpoints)), flush=True)
    time.sleep(600)
"""


def is_up(endpoints: Endpoints) -> bool:
    try:
        psycopg.connect(endpoints.database_url or "").close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.mark.slow
def test_two_at_a_time_do_not_collide_and_leave_nothing(tmp_path: Path) -> None:
    with (
        temporary_services(tmp_path / "one") as one,
        temporary_services(tmp_path / "two") as two,
    ):
        assert is_up(one)
        assert is_up(two)
        assert one != two
        with redis.Redis.from_url(one.redis_url or "") as client:
            assert client.ping()
    assert not is_up(one)
    assert not is_up(two)
    assert not (tmp_path / "one" / "run").exists()


@pytest.mark.slow
def test_they_end_when_their_owner_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "home")], stdout=subprocess.PIPE
    ) as owner:
        assert owner.stdout is not None
        endpoints = Endpoints(**json.loads(owner.stdout.readline()))
        assert set(asdict(endpoints)) == {"database_url", "redis_url"}
        assert is_up(endpoints)
        owner.send_signal(signal.SIGKILL)
    wait_until(lambda: not is_up(endpoints))
    wait_until(lambda: not (tmp_path / "home" / "run").exists())


def test_a_start_that_fails_raises(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(ServiceError, match="did not start"),
        temporary_services(tmp_path / "file" / "home"),
    ):
        pass
