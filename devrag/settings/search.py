"""How long a search may take, and whether it is logged."""

from __future__ import annotations

from environs import validate

from devrag.settings.environment import env

# Seconds; then a search leaves out what took too long, or refuses.
SEARCH_TIMEOUT = env.float("SEARCH_TIMEOUT", 3.0, validate=validate.Range(0.5, 60))
IS_SEARCH_LOGGED = env.bool("SEARCH_LOG", True)
