"""`wiki generate|status`: write a product's wiki, or say how it stands."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.flows.follow import Follower
from devrag.flows.wiki import request_wiki
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.wiki.models import Version
from devrag.wiki.versions import current_version, is_up_to_date


class Command(DevragCommand):
    """Generate a wiki and wait for it, or show its state."""

    help = "Write a product's wiki. Example: devrag wiki generate --product shop"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", choices=["generate", "status"])
        parser.add_argument("--product", required=True)
        parser.add_argument("--no-wait", action="store_true", help="Print the job id.")
        parser.add_argument(
            "--force", action="store_true", help="Write even if nothing changed."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        product = get_visible_product(options["product"], SYSTEM)
        if options["action"] == "generate":
            self._generate(product, options)
        else:
            self._tell_version(product, options, "")

    def _generate(self, product: Product, options: dict[str, Any]) -> None:
        if not options["force"] and is_up_to_date(product):
            self._tell_version(product, options, "Nothing changed since ")
            return
        job = request_wiki(principal=SYSTEM, product=product)
        if options["no_wait"]:
            data = {"jobID": str(job.pk)}
            self._answer(options, data, str(job.pk))
            return
        done = Follower().wait(job)
        self._answer(options, {"jobID": str(done.pk), **done.report}, _sentence(done))

    def _tell_version(
        self, product: Product, options: dict[str, Any], lead: str
    ) -> None:
        version = current_version(product)
        if version is None:
            self._answer(options, {"version": None}, f"{product.name} has no wiki yet.")
            return
        self._answer(options, _as_json(version), lead + _describe(version))

    def _answer(self, options: dict[str, Any], data: dict[str, Any], text: str) -> None:
        if options["json"]:
            self.write_json(data)
        else:
            self.stdout.write(text)


def _as_json(version: Version) -> dict[str, Any]:
    return {
        "version": version.number,
        "createdAt": version.created_at,
        "writer": version.writer,
        "sources": version.sources,
        "pages": list(version.pages.values_list("path", flat=True)),
    }


def _describe(version: Version) -> str:
    when = f"{version.created_at:%Y-%m-%d %H:%M} UTC"
    return f"version {version.number} of {when}: {version.pages.count()} pages."


def _sentence(job: Job) -> str:
    report = job.report
    cut = len(report["cut"])
    tail = f" Gates cut {cut} passages; see the job's log." if cut else ""
    return (
        f"Version {report['version']}: {report['pages']} pages, {report['claims']} "
        f"claims with evidence, {report['diagrams']} diagrams.{tail}"
    )
