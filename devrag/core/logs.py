"""structlog and the standard library's logging, joined: JSON in production."""

from __future__ import annotations

import logging.config
import logging.handlers
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
# One list for the whole process: loggers that are in use keep it when logging is set
# up again, as by a management command within a test, and follow what changes in it.
_PROCESSORS = [*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter]


def configure_logging(options: Mapping[str, Any]) -> None:
    """Set up logging; `options` has `level` and `is_json` (Django's LOGGING)."""
    renderer: Any = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if options["is_json"]
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=_PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(_dict_config(options["level"], renderer))


def _dict_config(level: str, renderer: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structlog": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    renderer,
                ],
            }
        },
        # stderr: stdout belongs to a command's answer and to MCP's protocol.
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "structlog"}
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "devrag": {"level": level},
            # A line per message would bury what matters: the tick comes every 5 s.
            "celery": {"level": "WARNING"},
        },
    }


def add_log_file(path: Path) -> None:
    """Write a file beside standard error; OSError when it cannot be opened."""
    root = logging.getLogger()
    handler = logging.handlers.WatchedFileHandler(path, encoding="utf-8")
    handler.setFormatter(root.handlers[0].formatter)
    root.addHandler(handler)
