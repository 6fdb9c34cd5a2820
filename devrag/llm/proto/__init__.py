"""What embedding servers and clients say to each other; stubs by scripts/stubs.sh."""

from __future__ import annotations

# Metadata of EmbedBatch, `document` or `query`: not a field of the proto, which other
# embedding servers share.
PURPOSE_KEY = "devrag-purpose"
