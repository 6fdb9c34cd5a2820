"""Parts of addresses: a path inside a source, and a version of one."""

from __future__ import annotations

from django.urls.converters import StringConverter

# Names of branches and tags have slashes, but never a tilde.
_SLASH = "~"


class FilePathConverter(StringConverter):
    """A path inside a source; Django's own `path` knows no line breaks in names."""

    regex = r"[\s\S]+"


class VersionConverter(StringConverter):
    """`current`, a commit, or the name of a branch or tag, its slashes as tildes."""

    def to_python(self, value: str) -> str:
        """Return the name: `release~2.0` is `release/2.0`."""
        return value.replace(_SLASH, "/")

    def to_url(self, value: str) -> str:
        """Return the part of an address that stands for a name."""
        return str(value).replace("/", _SLASH)
