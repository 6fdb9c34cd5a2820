"""The embedding server: its configuration, models and listener."""

from __future__ import annotations

from devrag.llm.embedding_server.config import ServerConfig, read_server_config
from devrag.llm.embedding_server.listener import Listener
from devrag.llm.embedding_server.models import ModelCache

__all__ = [
    "Listener",
    "ModelCache",
    "ServerConfig",
    "read_server_config",
]
