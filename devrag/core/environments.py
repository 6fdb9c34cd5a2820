"""What programs that devrag starts inherit: no key, no password, no address."""

from __future__ import annotations

import os

# Where programs, libraries and temporary files are.
_INHERITED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR")


def minimal_environment(*names: str) -> dict[str, str]:
    """Return the environment of a program that is not devrag itself.

    names: variables to pass on as well, where they are set.
    """
    found = {
        name: os.environ[name] for name in (*_INHERITED, *names) if name in os.environ
    }
    return {"PATH": os.defpath, **found, "LANGUAGE": "C", "LC_ALL": "C"}
