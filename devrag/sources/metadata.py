"""What may be set of a source: the keys of its metadata that people choose. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.sources.addresses import check_ref
from devrag.sources.chunking import CHUNK_LIMITS, check_chunk_size
from devrag.sources.ignore_limits import MAX_PATTERN_BYTES

_MAX_PATTERNS = 1_000


def checked_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings if each is known and of its form; empty ones take it away."""
    for key, value in settings.items():
        if key not in _CHECKS:
            known = ", ".join(_CHECKS)
            raise InvalidInput(
                gettext(
                    "Unknown source setting %(key)s. Available settings: %(known)s."
                )
                % {"key": repr(key), "known": known}
            )
        if value not in (None, "", []):
            _CHECKS[key](key, value)
    return dict(settings)


def _check_patterns(key: str, value: Any) -> None:
    if isinstance(value, list) and len(value) > _MAX_PATTERNS:
        raise InvalidInput(
            gettext("%(key)s has %(count)s patterns; the limit is %(most)s.")
            % {"key": key, "count": f"{len(value):,}", "most": f"{_MAX_PATTERNS:,}"}
        )
    if not isinstance(value, list) or not all(map(_is_pattern, value)):
        raise InvalidInput(
            gettext(
                "%(key)s must be one-line patterns such as 'src/**' or '*.md', of at "
                "most %(most)s bytes each."
            )
            % {"key": key, "most": f"{MAX_PATTERN_BYTES:,}"}
        )


def _is_pattern(text: object) -> bool:
    return (
        isinstance(text, str)
        and bool(text.strip())
        and text.isprintable()
        and len(text.encode()) <= MAX_PATTERN_BYTES
    )


def _check_size(key: str, value: Any) -> None:
    if type(value) is not int or value < 1:
        raise InvalidInput(
            gettext(
                "%(key)s is %(value)s; it must be a number of bytes greater than 0."
            )
            % {"key": key, "value": repr(value)}
        )


def _check_branch(_: str, value: Any) -> None:
    check_ref(str(value))


def _check_switch(key: str, value: Any) -> None:
    if type(value) is not bool:
        raise InvalidInput(
            gettext("%(key)s is %(value)s; it must be true or false.")
            % {"key": key, "value": repr(value)}
        )


# Of a wiki or tracker: what is read beside what everybody in it may see.
_SWITCHES = ("read_restricted", "read_comments", "read_attachments", "read_news")
_CHECKS: dict[str, Callable[[str, Any], None]] = {
    "include": _check_patterns,
    "exclude": _check_patterns,
    "exclude_exts": _check_patterns,
    "max_file_bytes": _check_size,
    "default_branch": _check_branch,
    **dict.fromkeys(CHUNK_LIMITS, check_chunk_size),
    **dict.fromkeys(_SWITCHES, _check_switch),
}
