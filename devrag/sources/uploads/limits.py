"""How much an upload may hold once it is unpacked, and the count of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput

# Small archives of uniform text may be packed as tightly as a bomb.
_RATIO_COUNTS_FROM_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """max_bytes: as sent; max_unpacked_bytes: as stored. max_ratio: of the two."""

    max_bytes: int = 200_000_000
    max_unpacked_bytes: int = 1_000_000_000
    max_files: int = 20_000
    max_ratio: int = 100

    @property
    def size_text(self) -> str:
        """Return how large an upload may be, as people are told."""
        return f"{self.max_bytes / 1e6:,.0f} MB"


class Budget:
    """Counts what is unpacked of an upload of so many bytes.

    Methods raise InvalidInput past a limit.
    """

    def __init__(self, limits: UploadLimits, packed_bytes: int) -> None:
        self.limits = limits
        self._packed = max(1, packed_bytes)
        self.bytes = 0
        self.files = 0

    def add_file(self) -> None:
        """Count a file or anything else that an archive lists."""
        self.files += 1
        if self.files > self.limits.max_files:
            raise InvalidInput(
                gettext(
                    "The upload contains more than %(most)s files. Upload fewer, or "
                    "ask an administrator to raise MAX_UPLOAD_FILES."
                )
                % {"most": f"{self.limits.max_files:,}"}
            )

    def add_bytes(self, count: int) -> None:
        """Count bytes that were unpacked."""
        self.bytes += count
        if self.bytes > self.limits.max_unpacked_bytes:
            raise InvalidInput(
                gettext(
                    "The upload is larger than %(most)s MB when unpacked. Upload "
                    "less, or ask an administrator to raise MAX_UPLOAD_UNPACKED_BYTES."
                )
                % {"most": f"{self.limits.max_unpacked_bytes / 1e6:,.0f}"}
            )
        is_counted = self.bytes > _RATIO_COUNTS_FROM_BYTES
        if is_counted and self.bytes > self.limits.max_ratio * self._packed:
            raise InvalidInput(
                gettext(
                    "The upload is more than %(most)s times larger when unpacked, "
                    "like archives made to fill disks. Upload the files uncompressed, "
                    "or ask an administrator to raise MAX_UPLOAD_RATIO."
                )
                % {"most": self.limits.max_ratio}
            )
