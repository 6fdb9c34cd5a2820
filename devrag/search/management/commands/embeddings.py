"""`embeddings status | use | drop | pause | resume`: the vectors and their making."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.search.models import Embedding, EmbeddingSpec
from devrag.search.semantic.coverage import (
    SpecShare,
    VectorShare,
    count_orphans,
    spec_shares,
    vector_share,
)
from devrag.search.semantic.pauses import pause_embedding, resume_embedding
from devrag.search.semantic.spec_switch import (
    SwitchEstimate,
    check_droppable,
    drop_spec,
    estimate,
    find_spec,
    open_spec,
    use_spec,
)
from devrag.search.semantic.specs import ensure_active_spec, remote_endpoints

_ACTIONS = """\
status  show how many chunks have vectors, by product, source and model
use     prepare another model; search switches to it when all vectors are ready
drop    delete the vectors of a model that is no longer used
pause   start no further batches; running work is finished, search keeps working
resume  continue after a pause
"""


class Command(DevragCommand):
    """Show how much is searchable by meaning; change the model; pause and resume."""

    help = (
        "Show how many chunks have vectors; change the model; pause and resume. "
        "Example: devrag embeddings use openai/text-embedding-3-small"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "action",
            choices=["status", "use", "drop", "pause", "resume"],
            help=_ACTIONS,
        )
        parser.add_argument(
            "model",
            nargs="?",
            default="",
            help="For use and drop: local, openai/MODEL, gemini/MODEL or grpc/MODEL.",
        )
        parser.add_argument(
            "--dimensions",
            type=int,
            default=0,
            help="Dimensions to request; default: the model's own.",
        )
        parser.add_argument(
            "--yes", action="store_true", help="Do not ask for confirmation."
        )
        parser.add_argument("--product", help="Only this product; default: all.")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["action"] in ("use", "drop"):
            self._change(options)
            return
        name = options["product"]
        product = get_visible_product(name, SYSTEM) if name else None
        if options["action"] == "pause":
            self._pause(product)
        elif options["action"] == "resume":
            self._resume(product)
        else:
            self._tell(product, is_json=options["json"])

    def _change(self, options: dict[str, Any]) -> None:
        name, dimensions = options["model"], options["dimensions"]
        if not name:
            raise InvalidInput(
                f"Model missing. Usage: devrag embeddings {options['action']} "
                "PROVIDER/MODEL"
            )
        if options["action"] == "use":
            self._use(options, open_spec(name, dimensions=dimensions))
            return
        spec = find_spec(name, dimensions=dimensions)
        if spec is None:
            raise NotFound(f"There are no vectors of '{name}'.")
        self._drop(options, spec)

    def _use(self, options: dict[str, Any], spec: EmbeddingSpec) -> None:
        left = estimate(spec)
        if not spec.is_active and left.texts:
            said = f"{spec}: {_in_words(left)}."
            self.terminal(options).ask(
                said, "The model was not changed.", is_confirmed=options["yes"]
            )
        spec = use_spec(spec)
        what = "is the active model"
        if not spec.is_active:
            what = (
                f"is being prepared: {_in_words(left)}. Search switches to it when it "
                "is complete: `devrag embeddings status`"
            )
        if needed := _key_of_server(spec):
            what += f". The server also needs {needed} in its environment"
        self._answer(
            options,
            {
                "model": spec.name,
                "dimensions": spec.dimensions,
                "active": spec.is_active,
                "texts": left.texts,
                "tokens": left.tokens,
                "dollars": left.dollars,
            },
            f"{spec} {what}.",
        )

    def _drop(self, options: dict[str, Any], spec: EmbeddingSpec) -> None:
        check_droppable(spec)
        count = Embedding.objects.filter(spec=spec).count()
        self.terminal(options).confirm_deletion(
            f"the model {spec}", [f"{count:,} vectors"], is_confirmed=options["yes"]
        )
        drop_spec(spec)
        data = {"model": spec.name, "vectors": count}
        self._answer(options, data, f"Dropped {spec}.")

    def _answer(self, options: dict[str, Any], data: dict[str, Any], text: str) -> None:
        if options["json"]:
            self.write_json(data)
        else:
            self.stdout.write(text)

    def _pause(self, product: Product | None) -> None:
        is_new = pause_embedding(principal=SYSTEM, product=product)
        what = "is paused" if is_new else "is already paused"
        self.stdout.write(f"Embedding of {_name(product)} {what}.")

    def _resume(self, product: Product | None) -> None:
        had_any = resume_embedding(principal=SYSTEM, product=product)
        what = "is resumed" if had_any else "was not paused"
        self.stdout.write(f"Embedding of {_name(product)} {what}.")
        if product is not None and vector_share(product).is_paused:
            self.stdout.write(
                "The embedding of all products is paused: `devrag embeddings resume`."
            )

    def _tell(self, product: Product | None, *, is_json: bool) -> None:
        products = [product] if product else list(Product.objects.order_by("name"))
        shares = [(each.name, vector_share(each)) for each in products]
        spec, orphans = ensure_active_spec(), count_orphans()
        models = spec_shares()
        if is_json:
            data = [_as_json(name, share) for name, share in shares]
            self.write_json(
                {
                    "spec": str(spec),
                    "models": [_model_as_json(each) for each in models],
                    "orphans": orphans,
                    "products": data,
                }
            )
            return
        for name, share in shares:
            self.stdout.write(f"{name}: {_sentence(share)}")
            for source in share.sources:
                self.stdout.write(
                    f"  {source.source}: {source.embedded} of {source.chunks}"
                )
        for model in models:
            self.stdout.write(_model_sentence(model))
        self.stdout.write(f"{orphans} vectors of earlier versions are kept.")


def _key_of_server(spec: EmbeddingSpec) -> str:
    endpoint = remote_endpoints().get(spec.provider)
    return endpoint.key_setting if endpoint and endpoint.key else ""


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


def _model_as_json(share: SpecShare) -> dict[str, Any]:
    return {
        "model": share.spec.name,
        "dimensions": share.spec.dimensions,
        "state": share.state,
        "embedded": share.embedded,
        "chunks": share.chunks,
        "unready": list(share.unready),
    }


def _model_sentence(share: SpecShare) -> str:
    left = ""
    if share.unready and share.spec.is_next:
        left = f"; waits for {', '.join(share.unready)}"
    return (
        f"Model {share.spec}, {share.state}: "
        f"{share.embedded} of {share.chunks} chunks{left}."
    )


def _in_words(left: SwitchEstimate) -> str:
    price = "at an unknown price (set EMBEDDING_PRICE)"
    if left.dollars is not None:
        price = f"for about ${left.dollars:.2f}" if left.dollars else "at no cost"
    said = f"{left.texts:,} texts, about {left.tokens:,} tokens, to embed {price}"
    if left.kept_back:
        said += f"; {', '.join(left.kept_back)} will keep using the local model"
    return said


def _sentence(share: VectorShare) -> str:
    more = "; the rest follows in the background" if share.is_pending else ""
    if share.is_paused:
        more = "; paused"
    return (
        f"{share.embedded} of {share.chunks} chunks have vectors "
        f"({share.percent}%){more}."
    )
