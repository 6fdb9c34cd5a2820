"""What is logged, and as what."""

from __future__ import annotations

from environs import validate

from devrag.settings.environment import DEBUG, env
from devrag.settings.services import IS_EMBEDDED_DATABASE

LOG_LEVEL = env.str(
    "LOG_LEVEL",
    "INFO",
    validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"]),
)
LOGGING_CONFIG = "devrag.core.logs.configure_logging"
LOGGING = {"level": LOG_LEVEL, "is_json": not (DEBUG or IS_EMBEDDED_DATABASE)}
