"""`product list|show|add|update|remove`: what people see as one thing."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.db import transaction

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.products.services import create_product, get_visible_product
from devrag.products.wiki_settings import read_wiki_setting
from devrag.use_cases.arguments import PRODUCT_HELP, add_product_options
from devrag.use_cases.deletion.request import delete_product
from devrag.use_cases.deletion.size import measure_product
from devrag.use_cases.follow import Follower
from devrag.use_cases.product_settings import change_product


class Command(DevragCommand):
    """List, show, add, change and remove products."""

    help = PRODUCT_HELP
    is_remote = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_product_options(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["action"] != "list" and not options["name"]:
            raise InvalidInput(f"Give a name: devrag product {options['action']} NAME")
        options["wiki"] = dict(read_wiki_setting(pair) for pair in options["wiki"])
        getattr(self, f"_{options['action']}")(options)

    def _add(self, options: dict[str, Any]) -> None:
        with transaction.atomic():  # wrong settings leave no product behind
            product = create_product(
                name=options["name"], principal=SYSTEM, title=options["title"] or ""
            )
            _change(product, options)
        self._answer(options, _facts(product), f"Added {product.name}.")

    def _update(self, options: dict[str, Any]) -> None:
        product = get_visible_product(options["name"], SYSTEM)
        if not _change(product, options):
            raise InvalidInput(
                "Say what to set: --title TEXT, --description TEXT, --wiki KEY=VALUE, "
                "--external-models no."
            )
        self._answer(options, _facts(product), f"Changed {product.name}.")

    def _list(self, options: dict[str, Any]) -> None:
        facts = [_facts(product) for product in Product.objects.visible_to(SYSTEM)]
        if options["json"]:
            self.write_json(facts)
        for each in () if options["json"] else facts:
            self.stdout.write(f"{each['name']}  {', '.join(each['sources'])}")

    def _show(self, options: dict[str, Any]) -> None:
        product = get_visible_product(options["name"], SYSTEM)
        size = measure_product(product)
        facts = {
            **_facts(product),
            **asdict(size),
            "sources": _facts(product)["sources"],
        }
        described = [product.description] if product.description else []
        text = [product.name, *described, *facts["sources"]]
        text.append("; ".join(size.lines()) or "empty")
        self._answer(options, facts, "\n  ".join(text))

    def _remove(self, options: dict[str, Any]) -> None:
        product = get_visible_product(options["name"], SYSTEM)
        size = measure_product(product)
        self.confirm(options, f"the product '{product.name}'", size.lines())
        job = delete_product(principal=SYSTEM, product=product)
        if not options["no_wait"]:
            job = Follower().wait(job)
        facts = {"jobID": str(job.pk), **job.report}
        done = str(job.pk) if options["no_wait"] else f"Removed {options['name']}."
        self._answer(options, facts, done)

    def _answer(self, options: dict[str, Any], data: dict[str, Any], text: str) -> None:
        if options["json"]:
            self.write_json(data)
        else:
            self.stdout.write(text)


def _change(product: Product, options: dict[str, Any]) -> list[str]:
    """Set what was asked for; return the names of the fields."""
    texts = ("title", "description")
    wanted = {name: options[name] for name in texts if options[name] is not None}
    if options["external_models"]:
        wanted["is_external_models_allowed"] = options["external_models"] == "yes"
    if options["source_roots"] is not None:
        wanted["source_roots"] = options["source_roots"]
    if options["ssh_key"]:
        wanted["is_ssh_key_allowed"] = options["ssh_key"] == "yes"
    if options["wiki"]:
        wanted["wiki_settings"] = {**product.wiki_settings, **options["wiki"]}
    if wanted:
        change_product(principal=SYSTEM, product=product, changes=wanted)
    return list(wanted)


def _facts(product: Product) -> dict[str, Any]:
    return {
        "name": product.name,
        "title": product.title,
        "description": product.description,
        "visibility": product.visibility,
        "wiki": product.wiki_settings,
        "externalModels": product.is_external_models_allowed,
        "sourceRoots": product.source_roots,
        "sshKey": product.is_ssh_key_allowed,
        "sources": [source.name for source in product.sources.all()],
    }
