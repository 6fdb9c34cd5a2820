"""Who holds a batch: an identity of which only the same machine can say "it is dead".

`host/where:pid:start`. Containers may share a host name and every kernel gives pids
again, so `where` names boot and pid namespace, and `start` when the process began.
Whoever lives elsewhere waits for the lease.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import psutil
from django.conf import settings

from devrag.core.hashing import sha256_hex

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_PID_NAMESPACE = Path("/proc/self/ns/pid")


def worker_name() -> str:
    """Return the identity of this process."""
    return f"{settings.HOST_NAME}/{_where()}:{os.getpid()}:{_started(os.getpid())}"


def is_gone(worker: str) -> bool:
    """Return whether the worker is dead for certain; False when it cannot be seen."""
    host, _, process = worker.rpartition("/")
    where, _, rest = process.partition(":")
    pid, _, started = rest.partition(":")
    if host != settings.HOST_NAME or where != _where() or not pid.isdecimal():
        return False
    try:
        return _started(int(pid)) != started
    except PermissionError:
        return False


@lru_cache(maxsize=1)
def _where() -> str:
    """Return a name of the machine's boot and of the set of pids seen from here."""
    if _BOOT_ID.exists():
        seen = _BOOT_ID.read_text() + str(_PID_NAMESPACE.readlink())
    else:
        seen = str(psutil.boot_time())
    return sha256_hex(seen)[:12]


def _started(pid: int) -> str:
    """Return when a living process began, in the kernel's ticks; '' when it is dead.

    Not psutil's time of day: that moves when somebody sets the clock.
    """
    try:
        stat = Path(f"/proc/{pid}/stat")
        if stat.parent.parent.joinpath("self").exists():
            # The name before the last bracket may hold anything, spaces too.
            fields = stat.read_text().rpartition(")")[2].split()
            return "" if fields[0] in "ZX" else fields[19]
        process = psutil.Process(pid)
        is_dead = process.status() == psutil.STATUS_ZOMBIE
        return "" if is_dead else str(int(process.create_time()))
    except (FileNotFoundError, ProcessLookupError, psutil.NoSuchProcess):
        return ""
