"""What makes two findings in two versions of a file the same one."""

from __future__ import annotations

from devrag.core.hashing import sha256_hex


def secret_key(path: str, rule: str, masked_line: str) -> str:
    """Return the key of a finding, made of the masked line and never of the secret.

    It stays while the file changes elsewhere, and if a secret becomes another one of
    the same length.
    """
    return sha256_hex("\x1f".join((path, rule, masked_line.strip())))
