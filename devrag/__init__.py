"""devrag: one searchable index and one trustworthy wiki for a product's sources."""

from __future__ import annotations

import os

# gRPC reads this when it is imported. With its fork support on, a program that is
# started beside an open connection may crash before it runs.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

__version__ = "0.1.0"
