"""Which files of a source its owner wants: the choice in `Source.metadata`. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.parsing.text import is_document


@dataclass(frozen=True, slots=True)
class Selection:
    """Patterns as in .gitignore; exclude_exts: `log`, `.log` or `tar.gz`, any case.

    include: empty means everything. Sizes in bytes; None is no limit.
    max_document_bytes: of PDFs and Office files, whose text is a fraction of them.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    exclude_exts: tuple[str, ...] = ()
    max_bytes: int | None = None
    max_document_bytes: int | None = None

    def size_limit(self, name: str) -> int | None:
        """Return how many bytes a file of this name or path may have."""
        return self.max_document_bytes if is_document(name) else self.max_bytes


def read_selection(
    metadata: Mapping[str, Any], *, max_bytes: int, max_document_bytes: int
) -> Selection:
    """Read `include`, `exclude`, `exclude_exts`, `max_file_bytes`.

    max_bytes, max_document_bytes: the installation's, for sources without their own.
    """
    own = metadata.get("max_file_bytes")
    if own is not None and (type(own) is not int or own < 1):
        raise InvalidInput(
            gettext(
                "max_file_bytes is %(own)s; it must be a whole number of bytes, 1"
                " or more."
            )
            % {"own": repr(own)}
        )
    return Selection(
        include=_lines(metadata, "include"),
        exclude=_lines(metadata, "exclude"),
        exclude_exts=_lines(metadata, "exclude_exts"),
        max_bytes=own or max_bytes,
        max_document_bytes=own or max_document_bytes,
    )


def _lines(metadata: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = metadata.get(key) or []
    if not isinstance(value, list) or not all(
        isinstance(line, str) and "\n" not in line for line in value
    ):
        raise InvalidInput(
            gettext(
                '%(key)s is %(value)s; it must be a list of strings such as ["*.md", '
                '"docs/"].'
            )
            % {"key": key, "value": repr(value)}
        )
    return tuple(value)
