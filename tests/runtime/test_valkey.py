from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from devrag.core.errors import ServiceError
from devrag.runtime.layout import Home
from devrag.runtime.ports import LOOPBACK
from devrag.runtime.valkey import EmbeddedValkey


@pytest.fixture
def plain_home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "a home").ensure()
    yield home
    EmbeddedValkey(home).stop()


def get(url: str, key: str) -> bytes | None:
    with redis.Redis.from_url(url) as client:
        return client.get(key)


def put(url: str, key: str, value: str) -> None:
    with redis.Redis.from_url(url) as client:
        client.set(key, value)
        client.waitaof(1, 0, 2000)


def test_it_keeps_data_port_and_password(plain_home: Home) -> None:
    url = EmbeddedValkey(plain_home).start(print)
    put(url, "kept", "yes")
    EmbeddedValkey(plain_home).stop()
    assert EmbeddedValkey(plain_home).pid is None
    assert EmbeddedValkey(plain_home).start(print) == url
    assert get(url, "kept") == b"yes"


def test_it_asks_for_the_password(plain_home: Home) -> None:
    url = urlsplit(EmbeddedValkey(plain_home).start(print))
    with (
        redis.Redis(port=url.port or 0, retry=Retry(NoBackoff(), 0)) as client,
        pytest.raises(redis.AuthenticationError),
    ):
        client.ping()


def test_the_password_is_in_private_files_only(plain_home: Home) -> None:
    valkey = EmbeddedValkey(plain_home)
    password = urlsplit(valkey.start(print)).password
    process = psutil.Process(valkey.pid)
    assert password
    assert password not in " ".join(process.cmdline())
    modes = [path.stat().st_mode & 0o777 for path in plain_home.run.iterdir()]
    assert set(modes) == {0o600}


def test_kill_loses_nothing(plain_home: Home) -> None:
    valkey = EmbeddedValkey(plain_home)
    url = valkey.start(print)
    put(url, "kept", "yes")
    process = psutil.Process(valkey.pid)
    process.kill()
    psutil.wait_procs([process], timeout=10)
    assert valkey.pid is None
    assert valkey.start(print) == url
    assert get(url, "kept") == b"yes"


def test_an_append_only_file_cut_off_by_a_crash_is_loaded(plain_home: Home) -> None:
    valkey = EmbeddedValkey(plain_home)
    url = valkey.start(print)
    put(url, "kept", "yes")
    os.kill(valkey.pid or 0, signal.SIGKILL)
    (log,) = (plain_home.valkey / "appendonlydir").glob("*.incr.aof")
    with log.open("ab") as file:
        file.write(b"*3\r\n$3\r\nSET\r\n$4\r\nha")
    assert get(EmbeddedValkey(plain_home).start(print), "kept") == b"yes"


def test_a_running_server_is_adopted(plain_home: Home, said: list[str]) -> None:
    url = (first := EmbeddedValkey(plain_home)).start(print)
    assert EmbeddedValkey(plain_home).start(said.append) == url
    assert said == [f"Valkey is already running (pid {first.pid})"]


def test_a_server_whose_password_is_lost_is_replaced(plain_home: Home) -> None:
    first = EmbeddedValkey(plain_home)
    put(first.start(print), "kept", "yes")
    old = psutil.Process(first.pid)
    (plain_home.run / "valkey.json").unlink()
    assert get(EmbeddedValkey(plain_home).start(print), "kept") == b"yes"
    assert not old.is_running() or old.status() == psutil.STATUS_ZOMBIE


def test_a_port_taken_by_somebody_else_is_left_to_them(plain_home: Home) -> None:
    url = (valkey := EmbeddedValkey(plain_home)).start(print)
    valkey.stop()
    port = int(url.rpartition(":")[2].partition("/")[0])
    with socket.create_server((LOOPBACK, port)):
        assert EmbeddedValkey(plain_home).start(print) != url


def test_a_start_that_fails_shows_the_log(plain_home: Home) -> None:
    (plain_home.valkey / "appendonlydir").write_text("in the way")
    with pytest.raises(ServiceError, match=r"Valkey did not start(.|\n)*\|"):
        EmbeddedValkey(plain_home).start(print)
