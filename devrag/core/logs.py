"""structlog and the standard library's logging, joined: JSON in production."""

from __future__ import annotations

import logging.config
import logging.handlers
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import structlog


def configure_logging(options: Mapping[str, Any]) -> None:
    """Set up logging; `options` has `level` and `is_json` (Django's LOGGING)."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if options["is_json"]
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(_dict_config(options["level"], shared, renderer))


def _dict_config(level: str, shared: list[Any], renderer: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structlog": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
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
