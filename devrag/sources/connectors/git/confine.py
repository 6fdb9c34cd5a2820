"""Runs a command that can read nothing but what it is given, where Linux has Landlock.

A repository is looked at before git starts, but its owner may swap a folder for a
symlink right after. Within these limits the kernel refuses what lies elsewhere. It is
run by its file name, so it imports nothing of this project; elsewhere than on Linux, or
where the kernel has no Landlock (5.13), the command runs without the limits. Its memory
is limited as well: a file that git reads as a whole may grow after the look.

Usage: confine.py PATH… -- COMMAND ARGUMENT…
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import stat
import sys
from collections.abc import Iterable

# What git, its shell and the C library open by themselves.
_SYSTEM = (
    *("/bin", "/lib", "/lib32", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib32"),
    *("/usr/lib64", "/usr/libexec", "/usr/share/git-core", "/usr/share/locale"),
    *("/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/nsswitch.conf"),
    *("/etc/passwd", "/etc/group", "/nix/store", "/gnu/store"),
    *("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"),
)
# git takes about 2 GB to serve ten million objects. Mapped packs do not count.
_MAX_MEMORY_BYTES = 4 << 30
# Where a program that was installed elsewhere keeps what it needs.
_OF_PROGRAMS = ("bin", "lib", "lib64", "libexec", "share")
# source: linux/landlock.h, linux/prctl.h; the numbers are those of all architectures.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_SET_NO_NEW_PRIVILEGES = 38


class _Ruleset(ctypes.Structure):
    _fields_ = [("handled_access_fs", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [
        ("allowed_access", ctypes.c_uint64),
        ("parent_fd", ctypes.c_int32),
    ]


def confinement(paths: Iterable[os.PathLike[str] | str]) -> list[str]:
    """Return what to put before a command so that it reads only these and the system's.

    paths: real ones; what has become a symlink meanwhile is not read. Empty where there
    is no such thing as confining it.
    """
    if not sys.platform.startswith("linux"):
        return []
    readable = [os.fspath(path) for path in paths]
    return [sys.executable, "-I", "-S", __file__, *readable, "--"]


def _confine(system: Iterable[str], paths: Iterable[str]) -> bool:
    """Limit this process and its children; False where the kernel cannot."""
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = _Ruleset(_READ_FILE | _READ_DIR)
    size = ctypes.sizeof(attributes)
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.byref(attributes), size, 0)
    if ruleset < 0:
        return False
    for path in system:
        _allow(libc, ruleset, os.path.realpath(path))
    for path in paths:
        _allow(libc, ruleset, path)
    if libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return False
    is_done = bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    os.close(ruleset)
    return is_done


def _allow(libc: ctypes.CDLL, ruleset: int, path: str) -> None:
    """Let what is at a real path be read, unless a symlink leads elsewhere by now."""
    try:
        descriptor = os.open(path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    except OSError:
        return
    if os.readlink(f"/proc/self/fd/{descriptor}") != path:
        os.close(descriptor)
        return
    is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
    access = _READ_FILE | (_READ_DIR if is_folder else 0)
    rule = _PathBeneath(access, descriptor)
    libc.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    os.close(descriptor)


def _installed(program: str) -> list[str]:
    """Return the folders that a program was installed into, not what is beside them."""
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    if prefix in {"", "/", "/usr"}:
        return []
    return [os.path.join(prefix, name) for name in _OF_PROGRAMS]


def main() -> None:
    """Confine this process, then become the command."""
    end = sys.argv.index("--")
    paths, command = sys.argv[1:end], sys.argv[end + 1 :]
    # Before: nothing can be imported after it.
    program = shutil.which(command[0]) or command[0]
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or hard > _MAX_MEMORY_BYTES:
        resource.setrlimit(resource.RLIMIT_DATA, (_MAX_MEMORY_BYTES, hard))
    _confine([*_SYSTEM, *_installed(program)], paths)
    os.execv(program, command)  # noqa: S606 - there is no shell


if __name__ == "__main__":
    main()
