"""A file that is encrypted piece by piece, with a passphrase.

    head    14 bytes  kind, 1 log2 of scrypt's cost, 16 salt, 7 prefix of nonces,
            16 bytes by which a wrong passphrase is detected
    pieces  65,536 bytes and a tag of 16 each; the last may be shorter

AES-256-GCM in the STREAM construction (Hoang, Reyhanitabar, Rogaway and Vizár, 2015):
a nonce is prefix, number of the piece, and whether it is the last, so that pieces
cannot be changed, swapped, repeated or cut off. Neither side holds more than a piece.
"""

from __future__ import annotations

import hmac
import io
import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from devrag.core.errors import InvalidInput

_KIND = b"devrag-sealed1"
_HEAD = struct.Struct(f">{len(_KIND)}sB16s7s16s")
_PIECE, _TAG = 65_536, 16
_SEALED = _PIECE + _TAG
# 2^17: 128 MB and a third of a second. What claims to need more than 2^20 (1 GB) is
# refused: anybody may have written the head.
_COST, _MOST_COST = 17, 20
_MOST_PIECES = 2**32


def is_encrypted(path: Path) -> bool:
    """Return whether a file begins like one of these."""
    try:
        with path.open("rb") as file:
            return file.read(len(_KIND)) == _KIND
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class _Key:
    """What seals and opens the pieces of one file; head: authenticated with each."""

    cipher: AESGCM
    prefix: bytes
    head: bytes

    def seal(self, number: int, data: bytes, *, is_last: bool) -> bytes:
        if number >= _MOST_PIECES:
            raise InvalidInput("The data is too large for one encrypted file.")
        return self.cipher.encrypt(self._nonce(number, is_last), data, self.head)

    def open(self, number: int, sealed: bytes, *, is_last: bool) -> bytes:
        return self.cipher.decrypt(self._nonce(number, is_last), sealed, self.head)

    def _nonce(self, number: int, is_last: bool) -> bytes:
        return self.prefix + struct.pack(">IB", number, is_last)


def _derive(passphrase: str, salt: bytes, cost: int) -> tuple[bytes, bytes]:
    """Return the key and what tells that it is the right one."""
    derived = Scrypt(salt=salt, length=48, n=2**cost, r=8, p=1).derive(
        passphrase.encode()
    )
    return derived[:32], derived[32:]


class EncryptedWriter(io.RawIOBase):
    """Writes to a file what can be read again with the passphrase alone.

    Whole only after close(): without it the last piece is missing, and a reader says
    so. The file stays open.
    """

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        salt, prefix = os.urandom(16), os.urandom(7)
        key, check = _derive(passphrase, salt, _COST)
        head = _HEAD.pack(_KIND, _COST, salt, prefix, check)
        self._key = _Key(AESGCM(key), prefix, head)
        self._file, self._number, self._rest = file, 0, bytearray()
        file.write(head)

    def writable(self) -> bool:
        return True

    def write(self, data: bytes | bytearray | memoryview, /) -> int:  # type: ignore[override]
        self._rest += data
        while len(self._rest) > _PIECE:  # the last one is for close()
            self._put(bytes(self._rest[:_PIECE]), is_last=False)
            del self._rest[:_PIECE]
        return len(data)

    def close(self) -> None:
        """Write the last piece."""
        if not self.closed:
            self._put(bytes(self._rest), is_last=True)
        super().close()

    def __exit__(self, *failure: object) -> None:
        """Write the last piece only of what is whole."""
        if failure[0] is None:
            self.close()
        else:
            super().close()

    def _put(self, data: bytes, *, is_last: bool) -> None:
        self._file.write(self._key.seal(self._number, data, is_last=is_last))
        self._number += 1


class EncryptedReader(io.RawIOBase):
    """Reads an encrypted file from any place of it.

    InvalidInput when the passphrase is wrong, when something was changed, and when the
    end is missing.
    """

    def __init__(self, path: Path, passphrase: str) -> None:
        self._path, self._place = path, 0
        self._file = path.open("rb")
        try:
            self._key = self._unlock(passphrase)
        except BaseException:
            self._file.close()
            raise
        sealed = max(0, path.stat().st_size - _HEAD.size)
        self._last = max(0, -(-sealed // _SEALED) - 1)
        self._size = max(0, sealed - (self._last + 1) * _TAG)
        self._piece: tuple[int, bytes] = (-1, b"")
        self._open(self._last)  # its end is there

    def _unlock(self, passphrase: str) -> _Key:
        head = self._file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            raise self._damaged()
        kind, cost, salt, prefix, check = _HEAD.unpack(head)
        if kind != _KIND or not 1 <= cost <= _MOST_COST:
            raise self._damaged()
        key, expected = _derive(passphrase, salt, cost)
        if not hmac.compare_digest(check, expected):
            raise InvalidInput(
                f"Wrong passphrase for {self._path}. The file cannot be read without "
                "the correct one."
            )
        return _Key(AESGCM(key), prefix, head)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._size}
        place = base[whence] + offset
        if place < 0:
            raise OSError("before the beginning of the file")
        self._place = place
        return place

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        if self._place >= self._size:
            return 0
        number, start = divmod(self._place, _PIECE)
        data = self._open(number)[start : start + len(buffer)]
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()

    def __enter__(self) -> Self:
        return self

    def _open(self, number: int) -> bytes:
        if self._piece[0] != number:
            self._file.seek(_HEAD.size + number * _SEALED)
            sealed = self._file.read(_SEALED)
            try:
                data = self._key.open(number, sealed, is_last=number == self._last)
            except InvalidTag as error:
                raise self._damaged() from error
            self._piece = (number, data)
        return self._piece[1]

    def _damaged(self) -> InvalidInput:
        return InvalidInput(f"{self._path} is damaged or incomplete. Use another copy.")
