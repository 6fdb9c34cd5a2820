"""`wiki generate|export|status|diff|estimate|show|pin|unpin`: a product's wiki."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.options import add_json_option
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.products.wiki_settings import LANGUAGES
from devrag.use_cases.arguments import (
    WIKI_HELP,
    add_diff_options,
    add_export_options,
    add_generate_options,
    add_version_number,
)
from devrag.use_cases.follow import Follower
from devrag.use_cases.sentences import (
    difference_lines,
    estimate_sentence,
    exported_sentence,
    pinned_sentence,
    shown_sentence,
    status_lines,
    version_sentence,
    wiki_sentence,
)
from devrag.use_cases.wiki import request_wiki, roll_back
from devrag.use_cases.wiki_facts import (
    details_of,
    difference_of,
    estimate_of,
    status_of,
)
from devrag.wiki.api import (
    archive_of,
    diff_versions,
    estimate_wiki,
    export_version,
    files_of,
    find_version,
    is_up_to_date,
    pin_version,
    shown_wiki,
    version_before,
    versions_of,
    wiki_languages,
)
from devrag.wiki.models import Version, Wiki
from devrag.wiki.publishing.folder import write_file, write_folder


class Command(DevragCommand):
    """Write a wiki, take it away, and look after its versions."""

    help = WIKI_HELP
    is_remote = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        actions = parser.add_subparsers(dest="action", required=True)
        for name, text in _ACTIONS.items():
            action = actions.add_parser(name, help=text, description=text)
            add_json_option(action)
            action.add_argument("--product", required=True, help="Product name.")
            action.add_argument(
                "--language",
                choices=list(LANGUAGES),
                help="Language of the wiki; default: the main one.",
            )
            if name in _ARGUMENTS:
                _ARGUMENTS[name](action)

    def handle(self, *_args: Any, **options: Any) -> None:
        actions = {
            "generate": self._generate,
            "export": self._export,
            "status": self._status,
            "diff": self._diff,
            "estimate": self._estimate,
            "show": self._show,
            "pin": self._pin,
            "unpin": self._pin,
        }
        product = get_visible_product(options["product"], SYSTEM)
        _refuse_other_language(product, options)
        actions[options["action"]](product, options)

    def _generate(self, product: Product, options: dict[str, Any]) -> None:
        version = _shown_version(product, options)
        if version and not options["force"] and is_up_to_date(product):
            found = details_of(version, version.wiki)
            text = f"Nothing changed since {version_sentence(found)}"
            self._answer(options, found, text)
            return
        job = request_wiki(
            principal=SYSTEM, product=product, is_forced=options["force"]
        )
        if options["no_wait"]:
            self._answer(options, {"jobID": str(job.pk)}, str(job.pk))
            return
        done = Follower().wait(job)
        data = {"jobID": str(done.pk), **done.report}
        self._answer(options, data, wiki_sentence(done.report))

    def _status(self, product: Product, options: dict[str, Any]) -> None:
        version = _version(product, None, options)
        status = status_of(version, version.wiki)
        self._answer(options, status, "\n".join(status_lines(status)))

    def _diff(self, product: Product, options: dict[str, Any]) -> None:
        after = _version(product, options["after"], options)
        before = (
            version_before(after)
            if options["before"] is None
            else find_version(product, options["before"], _language(product, options))
        )
        if before is None:
            raise NotFound(
                f"There is no version before {after.number} to compare with."
            )
        pages = list(map(difference_of, diff_versions(before, after)))
        lines = difference_lines(pages, is_full=options["full"])
        self._answer(options, pages, "\n".join(lines))

    def _export(self, product: Product, options: dict[str, Any]) -> None:
        version = _version(product, options["version"], options)
        target = _write(version, options["format"], options["output"])
        data = {"version": version.number, "output": str(target)}
        self._answer(options, data, exported_sentence(data))

    def _estimate(self, product: Product, options: dict[str, Any]) -> None:
        found = estimate_of(estimate_wiki(product))
        self._answer(options, found, estimate_sentence(found))

    def _show(self, product: Product, options: dict[str, Any]) -> None:
        language = _language(product, options)
        version = roll_back(
            principal=SYSTEM,
            product=product,
            number=options["number"],
            language=language,
        )
        newest = versions_of(product, language)[0].number
        found = details_of(version, Wiki.objects.get(pk=version.wiki_id))
        self._answer(options, found, shown_sentence(found, newest))

    def _pin(self, product: Product, options: dict[str, Any]) -> None:
        version = pin_version(
            principal=SYSTEM,
            product=product,
            number=options["number"],
            is_pinned=options["action"] == "pin",
            language=_language(product, options),
        )
        found = details_of(version, version.wiki)
        self._answer(options, found, pinned_sentence(found))

    def _answer(
        self,
        options: dict[str, Any],
        data: Mapping[str, Any] | Sequence[Any],
        text: str,
    ) -> None:
        if options["json"]:
            self.write_json(data)
        else:
            self.stdout.write(text)


def _wiki(product: Product, options: Mapping[str, Any]) -> Wiki | None:
    """Return the wiki that was asked for, else the one that readers see first."""
    wikis = Wiki.objects.filter(product=product, language=options["language"])
    return wikis.first() if options["language"] else shown_wiki(product)


def _refuse_other_language(product: Product, options: Mapping[str, Any]) -> None:
    """Raise InvalidInput for a language in which there is and will be no wiki."""
    language = options["language"]
    wanted = wiki_languages(product.wiki_settings)
    writes = options["action"] in {"generate", "estimate"}
    if language in {None, *wanted} or (not writes and _wiki(product, options)):
        return
    raise InvalidInput(
        f"The wiki of '{product.name}' is not written in {LANGUAGES[language]} but in "
        f"{' and '.join(LANGUAGES[each] for each in wanted)}. To have both: devrag "
        f"product update {product.name} --wiki language={','.join((*wanted, language))}"
    )


def _language(product: Product, options: Mapping[str, Any]) -> str:
    wiki = _wiki(product, options)
    return wiki.language if wiki else options["language"] or "en"


def _shown_version(product: Product, options: Mapping[str, Any]) -> Version | None:
    wiki = _wiki(product, options)
    return wiki.current if wiki else None


def _version(
    product: Product, number: int | None, options: Mapping[str, Any]
) -> Version:
    if number is not None:
        return find_version(product, number, _language(product, options))
    version = _shown_version(product, options)
    if version is None:
        raise NotFound(f"{product.name} has no wiki yet. `wiki generate` writes one.")
    return version


def _write(version: Version, kind: str, output: Path | None) -> Path:
    name = version.wiki.product.name
    if kind == "zip":
        target = output or Path(f"{name}-wiki-{version.number}.zip")
        write_file(target, archive_of(version, kind))
        return target
    if output is not None:
        write_folder(output, files_of(version, kind))
        return output
    if kind == "md" and version.pk == version.wiki.current_id:
        return export_version(version=version, root=settings.WIKI_OUTPUT_DIR)
    raise InvalidInput(
        "Only the Markdown of the version that readers see has a place of its own "
        f"({settings.WIKI_OUTPUT_DIR / name}). Say where this goes: --output FOLDER."
    )


_ACTIONS = {
    "generate": "Write the wiki and wait for it.",
    "export": "Write a version to a folder or a zip file.",
    "status": "Show the version readers see, its claims and the kept versions.",
    "diff": "List the pages that differ between two versions.",
    "estimate": "Say how many pages, tokens and how much money a run would take.",
    "show": "Let readers see another kept version: roll back or forward.",
    "pin": "Keep a version for good.",
    "unpin": "Let a version go when newer ones take its place.",
}
_ARGUMENTS = {
    "generate": add_generate_options,
    "export": add_export_options,
    "diff": add_diff_options,
    "show": add_version_number,
    "pin": add_version_number,
    "unpin": add_version_number,
}
