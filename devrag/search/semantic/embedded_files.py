"""Which files get vectors, and which of them late.

Files without vectors are found by words alone and never count as missing.
"""

from __future__ import annotations

from devrag.parsing.path_roles import ASIDE_PATHS, TEST_PATHS

# Translations repeat the texts of the code in other languages, up to half of the chunks
# of a repository. Pictures are coordinates.
_LANGUAGES_LEFT_OUT = ("po", "svg")

# An SQL condition on sources_file f.
IS_EMBEDDED = f"(NOT f.is_generated AND f.language NOT IN {_LANGUAGES_LEFT_OUT})"
# What waits for everything else. Files of unknown languages may be code.
IS_DATA = "(f.kind = 'data' AND f.language NOT IN ('', 'notebook'))"
# Tests, examples and other people's code, for `~`.
ASIDE_PATTERN = f"{TEST_PATHS.pattern}|{ASIDE_PATHS.pattern}"
