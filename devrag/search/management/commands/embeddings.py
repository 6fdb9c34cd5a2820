"""`embeddings status | pause | resume`: the vectors of the index and their making."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.search.semantic.coverage import VectorShare, count_orphans, vector_share
from devrag.search.semantic.pace import pause_embedding, resume_embedding
from devrag.search.semantic.specs import ensure_active_spec

_ACTIONS = """\
status  how many chunks have vectors, by product and source
pause   start no further batch; work at hand is finished, search goes on
resume  go on where it was
"""


class Command(DevragCommand):
    """Show how much is searchable by meaning; pause and resume the work on it."""

    help = "Show how many chunks have vectors; pause and resume embedding."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "action", choices=["status", "pause", "resume"], help=_ACTIONS
        )
        parser.add_argument("--product", help="Only this product; else all of them.")

    def handle(self, *_args: Any, **options: Any) -> None:
        name = options["product"]
        product = get_visible_product(name, SYSTEM) if name else None
        if options["action"] == "pause":
            self._pause(product)
        elif options["action"] == "resume":
            self._resume(product)
        else:
            self._tell(product, is_json=options["json"])

    def _pause(self, product: Product | None) -> None:
        is_new = pause_embedding(principal=SYSTEM, product=product)
        what = "is paused" if is_new else "was paused already"
        self.stdout.write(f"Embedding of {_name(product)} {what}.")

    def _resume(self, product: Product | None) -> None:
        had_any = resume_embedding(principal=SYSTEM, product=product)
        what = "goes on" if had_any else "was not paused"
        self.stdout.write(f"Embedding of {_name(product)} {what}.")
        if product is not None and vector_share(product).is_paused:
            self.stdout.write("It rests with all others: `devrag embeddings resume`.")

    def _tell(self, product: Product | None, *, is_json: bool) -> None:
        products = [product] if product else list(Product.objects.order_by("name"))
        shares = [(each.name, vector_share(each)) for each in products]
        spec, orphans = ensure_active_spec(), count_orphans()
        if is_json:
            data = [_as_json(name, share) for name, share in shares]
            self.write_json({"spec": str(spec), "orphans": orphans, "products": data})
            return
        for name, share in shares:
            self.stdout.write(f"{name}: {_sentence(share)}")
            for source in share.sources:
                self.stdout.write(
                    f"  {source.source}: {source.embedded} of {source.chunks}"
                )
        self.stdout.write(f"Model {spec}; {orphans} vectors kept of earlier versions.")


def _name(product: Product | None) -> str:
    return product.name if product else "everything"


def _as_json(name: str, share: VectorShare) -> dict[str, Any]:
    return {
        "product": name,
        "embedded": share.embedded,
        "chunks": share.chunks,
        "missing": share.missing,
        "pending": share.is_pending,
        "paused": share.is_paused,
        "sources": [
            {"source": s.source, "embedded": s.embedded, "chunks": s.chunks}
            for s in share.sources
        ],
    }


def _sentence(share: VectorShare) -> str:
    more = "; the rest follows in the background" if share.is_pending else ""
    if share.is_paused:
        more = "; paused"
    return (
        f"{share.embedded} of {share.chunks} chunks have vectors "
        f"({share.percent}%){more}."
    )
