"""`embeddings status`: how much of the index has vectors."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.products.services import get_visible_product
from devrag.search.semantic.coverage import VectorShare, vector_share


class Command(DevragCommand):
    """Show the share of a product that is searchable by meaning."""

    help = "Show how many chunks of a product have vectors."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", choices=["status"])
        parser.add_argument("--product", required=True)

    def handle(self, *_args: Any, **options: Any) -> None:
        product = get_visible_product(options["product"], SYSTEM)
        share = vector_share(product)
        if options["json"]:
            self.write_json({"embedded": share.embedded, "chunks": share.chunks})
        else:
            self.stdout.write(_sentence(share))


def _sentence(share: VectorShare) -> str:
    more = "; the rest follows in the background" if share.is_pending else ""
    return (
        f"{share.embedded} of {share.chunks} chunks have vectors "
        f"({share.percent}%){more}."
    )
