"""A form with files (RFC 7578), read from disk while it is sent."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from devrag.core.errors import InvalidInput

_BLOCK = 1 << 20


class MultipartForm:
    """headers: what says how long it is, and what."""

    def __init__(
        self, fields: Iterable[tuple[str, str]], files: Sequence[Path]
    ) -> None:
        self._mark = secrets.token_hex(16)
        texts = [self._head(name) + value.encode() for name, value in fields]
        self._texts = b"".join(text + b"\r\n" for text in texts)
        self._files = [
            (path, self._head("file", path.name), path.stat().st_size) for path in files
        ]
        self._end = f"--{self._mark}--\r\n".encode()
        sizes = (len(head) + size + 2 for _, head, size in self._files)
        self.headers = {
            "Content-Type": f"multipart/form-data; boundary={self._mark}",
            "Content-Length": str(len(self._texts) + sum(sizes) + len(self._end)),
        }

    def parts(self) -> Iterator[bytes]:
        """Yield the form; raises InvalidInput for a file that changes meanwhile."""
        yield self._texts
        for path, head, size in self._files:
            yield head
            left = size
            with path.open("rb") as file:
                while left and (block := file.read(min(_BLOCK, left))):
                    left -= len(block)
                    yield block
            if left:
                raise InvalidInput(
                    f"{path} changed while it was being sent. Try again."
                )
            yield b"\r\n"
        yield self._end

    def _head(self, name: str, file: str = "") -> bytes:
        named = file.replace("\\", "\\\\").replace('"', '\\"')
        extra = f'; filename="{named}"\r\nContent-Type: application/octet-stream'
        return (
            f'--{self._mark}\r\nContent-Disposition: form-data; name="{name}"'
            f"{extra if file else ''}\r\n\r\n"
        ).encode("utf-8", "surrogateescape")
