"""What embedding servers and clients say to each other; stubs by scripts/stubs.sh."""

from __future__ import annotations

# Metadata of EmbedBatch: `document` or `query`; other servers speak the same proto.
PURPOSE_KEY = "devrag-purpose"
