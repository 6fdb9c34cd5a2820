"""Where settings come from, and where data lives."""

from __future__ import annotations

from pathlib import Path

from environs import Env, ValidationError, validate

from devrag.core.installation import default_home, env_file

env = Env()
ENV_FILE = env_file()
env.read_env(ENV_FILE, recurse=False)

not_negative = validate.Range(min=0)
at_least_one = validate.Range(min=1)


def empty_or_long(secret: str) -> None:
    """Refuse a secret that can be guessed."""
    if 0 < len(secret) < 16:
        raise ValidationError("Give it 16 characters or more.")


DEBUG = env.bool("DEVRAG_DEBUG", False)

# Empty means unset: Path("") would be whatever folder the process started in.
DEVRAG_HOME = Path(env.str("DEVRAG_HOME", "") or default_home()).expanduser().resolve()
GIT_CLONE_DIR = Path(env.str("GIT_CLONE_DIR", "") or DEVRAG_HOME / "repos")
WIKI_OUTPUT_DIR = Path(env.str("WIKI_OUTPUT_DIR", "") or DEVRAG_HOME / "wikis")
UPLOADS_DIR = DEVRAG_HOME / "uploads"
LEXICAL_DIR = DEVRAG_HOME / "lexical"
MODELS_DIR = DEVRAG_HOME / "models"
