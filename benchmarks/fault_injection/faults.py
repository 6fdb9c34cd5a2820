"""The faults, by name: each begins, is held for a while, and ends."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil
import psycopg
import redis
from psycopg import sql

from benchmarks.fault_injection.ground import PROCESSES, Ground

End = Callable[[], object]
Begin = Callable[[Ground, random.Random], End]
# Where each kind of work writes, or reads what it does next.
TABLES = (
    *("jobs_job", "jobs_batch", "sources", "git_refs", "sources_file"),
    *("sources_chunk", "sources_reffile", "search_embedding", "wiki_page"),
)
_MOST_CONNECTIONS = 120


@dataclass(frozen=True, slots=True)
class Fault:
    """begin: returns what ends it. seconds: how long it is held, at least and at most.

    is_networked: which ground it needs; None: either.
    """

    begin: Begin
    seconds: tuple[float, float] = (0.0, 0.0)
    is_networked: bool | None = None
    needs_disk: bool = False


def _nothing() -> None:
    """End what has ended."""


def _send(number: int, name: str, ground: Ground, _chosen: random.Random) -> End:
    """Send a signal to a process; a stopped one is continued."""
    pid = ground.pids().get(name)
    if pid is None:
        return _nothing
    return _signal((pid,), number)


def _signal(pids: tuple[int, ...], number: int) -> End:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
    if number != signal.SIGSTOP:
        return _nothing
    return lambda: _signal(pids, signal.SIGCONT)


def _kill_tree(name: str, ground: Ground, _chosen: random.Random) -> End:
    ground.kill_tree(name)
    return _nothing


def _kill_child(name: str, ground: Ground, chosen: random.Random) -> End:
    pid = ground.pids().get(name)
    children = psutil.Process(pid).children() if pid else []
    return _signal((chosen.choice(children).pid,) if children else (), signal.SIGKILL)


def _kill_supervisor(ground: Ground, _chosen: random.Random) -> End:
    """Kill the main process; the system starts it again, as systemd would."""
    pid = ground.supervisor()
    if pid is not None:
        os.kill(pid, signal.SIGKILL)
    ground.begin("server", "start")
    return _nothing


def _stop_supervisor(ground: Ground, _chosen: random.Random) -> End:
    pid = ground.supervisor()
    return _signal((pid,) if pid else (), signal.SIGSTOP)


def _end_service(number: int, name: str, ground: Ground, _chosen: random.Random) -> End:
    """End a service; where devrag does not watch over it, it is started again."""
    pid = ground.service(name)
    process = psutil.Process(pid)
    os.kill(pid, number)

    def start() -> None:
        process.wait(60)
        ground.services.start(lambda _said: None)

    return start if ground.is_networked else _nothing


def _freeze_service(name: str, ground: Ground, _chosen: random.Random) -> End:
    """Stop a service with all its processes, so that it answers nothing."""
    process = psutil.Process(ground.service(name))
    pids = (process.pid, *(child.pid for child in process.children(recursive=True)))
    return _signal(pids, signal.SIGSTOP)


def _kill_backend(ground: Ground, chosen: random.Random) -> End:
    """Kill the server's side of a connection: PostgreSQL then restarts them all."""
    children = psutil.Process(ground.service("PostgreSQL")).children()
    backends = [each for each in children if " devrag " in " ".join(each.cmdline())]
    return _signal((chosen.choice(backends).pid,) if backends else (), signal.SIGKILL)


def _flush_broker(ground: Ground, _chosen: random.Random) -> End:
    with redis.Redis.from_url(str(ground.endpoints().redis_url)) as client:
        client.flushall()
    return _nothing


def _lock(table: str, ground: Ground, _chosen: random.Random) -> End:
    """Keep everybody out of a table, readers too."""
    connection = psycopg.connect(str(ground.endpoints().database_url))
    statement = sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE")
    connection.execute("SET lock_timeout = '30s'")
    connection.execute(statement.format(sql.Identifier(table)))
    return connection.close


def _take_connections(ground: Ground, _chosen: random.Random) -> End:
    """Open connections until the database refuses more."""
    held = ExitStack()
    url = str(ground.endpoints().database_url)
    with suppress(psycopg.OperationalError):
        for _ in range(_MOST_CONNECTIONS):
            held.enter_context(psycopg.connect(url, connect_timeout=5))
    return held.close


def _index_files(ground: Ground) -> list[Path]:
    files = [path for path in ground.home.lexical.iterdir() if path.is_file()]
    return sorted(path for path in files if path.stat().st_size > 64)


def _corrupt_index(ground: Ground, chosen: random.Random) -> End:
    """Overwrite bytes in the middle of a file of the keyword index."""
    with suppress(FileNotFoundError, IndexError):
        path = chosen.choice(_index_files(ground))
        with path.open("r+b") as file:
            file.seek(path.stat().st_size // 2)
            file.write(chosen.randbytes(32))
    return _nothing


def _truncate_index(ground: Ground, chosen: random.Random) -> End:
    with suppress(FileNotFoundError, IndexError):
        path = chosen.choice(_index_files(ground))
        os.truncate(path, path.stat().st_size // 2)
    return _nothing


def _delete_index(ground: Ground, _chosen: random.Random) -> End:
    for path in ground.home.lexical.iterdir():
        path.unlink(missing_ok=True)
    return _nothing


def _fill_disk(ground: Ground, _chosen: random.Random) -> End:
    """Write a file until nothing more fits."""
    path = ground.root / "filler"
    with path.open("wb") as file:
        size = 256 * 2**20
        while size >= 4096:
            try:
                os.posix_fallocate(file.fileno(), file.seek(0, 2), size)
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
                size //= 2
    return path.unlink


def _make_read_only(name: str, ground: Ground, _chosen: random.Random) -> End:
    """Lay the folder over itself so that nothing can be written in it."""
    folder = str(ground.home.root / name)
    subprocess.run(["mount", "--bind", folder, folder], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
    return lambda: subprocess.run(["umount", "-l", folder], check=True)


def _break_network(
    what: str, variable: str, ground: Ground, chosen: random.Random
) -> End:
    proxy = ground.proxies[variable]
    if what == "slow":
        proxy.delay(chosen.uniform(0.02, 0.15))
    else:
        {"cut": proxy.drop, "stalled": proxy.stall}[what]()
    return proxy.restore


_HELD, _BRIEF = (3.0, 8.0), (2.0, 5.0)


def _of_processes() -> Iterator[tuple[str, Fault]]:
    for name in PROCESSES:
        stop = partial(_send, signal.SIGSTOP, name)
        yield f"kill -9 {name}", Fault(partial(_kill_tree, name))
        yield f"SIGTERM {name}", Fault(partial(_send, signal.SIGTERM, name))
        yield f"SIGSTOP {name}", Fault(stop, _HELD)
    for name in ("worker", "writer", "reader"):
        yield f"kill -9 child of {name}", Fault(partial(_kill_child, name))
    yield "kill -9 supervisor", Fault(_kill_supervisor)
    yield "SIGSTOP supervisor", Fault(_stop_supervisor, _HELD)


def _of_services() -> Iterator[tuple[str, Fault]]:
    for service, word, number in (
        ("PostgreSQL", "kill -9", signal.SIGKILL),
        ("PostgreSQL", "fast shutdown of", signal.SIGINT),
        ("PostgreSQL", "immediate shutdown of", signal.SIGQUIT),
        ("Valkey", "kill -9", signal.SIGKILL),
        ("Valkey", "SIGTERM", signal.SIGTERM),
    ):
        yield f"{word} {service}", Fault(partial(_end_service, number, service))
    for service in ("PostgreSQL", "Valkey"):
        yield f"SIGSTOP {service}", Fault(partial(_freeze_service, service), _HELD)
    yield "kill -9 database backend", Fault(_kill_backend)
    yield "empty the broker", Fault(_flush_broker)
    yield "take all database connections", Fault(_take_connections, _HELD)
    for table in TABLES:
        yield f"lock table {table}", Fault(partial(_lock, table), _HELD)


def _of_files() -> Iterator[tuple[str, Fault]]:
    yield "corrupt keyword index", Fault(_corrupt_index)
    yield "truncate keyword index", Fault(_truncate_index)
    yield "delete keyword index", Fault(_delete_index)
    yield "disk full", Fault(_fill_disk, _BRIEF, needs_disk=True)
    for name in ("lexical", "repos", "wikis"):
        begin = partial(_make_read_only, name)
        yield f"read-only {name}", Fault(begin, _HELD, needs_disk=True)


def _of_networks() -> Iterator[tuple[str, Fault]]:
    for service, variable in (("database", "DATABASE_URL"), ("broker", "REDIS_URL")):
        for what in ("cut", "stalled", "slow"):
            begin = partial(_break_network, what, variable)
            yield f"{service} {what}", Fault(begin, _HELD, is_networked=True)


FAULTS: Mapping[str, Fault] = dict(
    (*_of_processes(), *_of_services(), *_of_files(), *_of_networks())
)
