"""Runs a command that can read nothing but what it is given, where Linux has Landlock.

A repository is looked at before git starts, but its owner may swap a folder for a
symlink right after. Within these limits the kernel refuses what lies elsewhere. It is
run by its file name, so it imports nothing of this project; elsewhere than on Linux, or
where the kernel has no Landlock (5.13), the command runs without the limits.

Usage: confine.py PATH… -- COMMAND ARGUMENT…
"""

from __future__ import annotations

import ctypes
import os
import shutil
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

    Empty where there is no such thing as confining it.
    """
    if not sys.platform.startswith("linux"):
        return []
    readable = [os.fspath(path) for path in paths]
    return [sys.executable, "-I", "-S", __file__, *readable, "--"]


def _confine(paths: Iterable[str]) -> bool:
    """Limit this process and its children; False where the kernel cannot."""
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = _Ruleset(_READ_FILE | _READ_DIR)
    size = ctypes.sizeof(attributes)
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.byref(attributes), size, 0)
    if ruleset < 0:
        return False
    for path in paths:
        _allow(libc, ruleset, path)
    if libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return False
    is_done = bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    os.close(ruleset)
    return is_done


def _allow(libc: ctypes.CDLL, ruleset: int, path: str) -> None:
    try:
        descriptor = os.open(path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    except OSError:
        return
    access = _READ_FILE | (_READ_DIR if os.path.isdir(path) else 0)
    rule = _PathBeneath(access, descriptor)
    libc.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    os.close(descriptor)


def _prefix(program: str) -> str:
    """Return the folder that a program was installed into, with its `lib` and `bin`."""
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    return prefix if prefix not in {"", "/", "/usr"} else "/usr/bin"


def main() -> None:
    """Confine this process, then become the command."""
    end = sys.argv.index("--")
    paths, command = sys.argv[1:end], sys.argv[end + 1 :]
    # Before: nothing can be imported after it.
    program = shutil.which(command[0]) or command[0]
    _confine([*_SYSTEM, _prefix(program), *paths])
    os.execv(program, command)  # noqa: S606 - there is no shell


if __name__ == "__main__":
    main()
