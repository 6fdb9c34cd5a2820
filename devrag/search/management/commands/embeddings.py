"""`embeddings status|wait`: how much of the index has vectors."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.products.services import get_visible_product
from devrag.search.semantic.coverage import VectorShare, vector_share

_POLL_SECONDS = 1.0


class Command(DevragCommand):
    """Show or await the vectors of a product."""

    help = "Show how many chunks have vectors, or wait until all have."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", choices=["status", "wait"])
        parser.add_argument("--product", required=True)

    def handle(self, *_args: Any, **options: Any) -> None:
        product = get_visible_product(options["product"], SYSTEM)
        share = vector_share(product)
        while options["action"] == "wait" and share.is_pending:
            sys.stderr.write(f"  vectors {share.embedded}/{share.chunks}\n")
            time.sleep(_POLL_SECONDS)
            share = vector_share(product)
        if options["json"]:
            self.write_json({"embedded": share.embedded, "chunks": share.chunks})
        else:
            self.stdout.write(_sentence(share))


def _sentence(share: VectorShare) -> str:
    return f"{share.embedded} of {share.chunks} chunks have vectors ({share.percent}%)."
