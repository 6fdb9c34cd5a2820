"""Wikis of this machine; exports go to its disk."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from devrag.cli.interfaces import Document, WikiExport, WikiName
from devrag.cli.sentences import refused_language_sentence
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.use_cases.api import (
    describe_conflict,
    describe_outdated,
    details_of,
    difference_of,
    estimate_of,
    request_wiki,
    roll_back,
    status_of,
)
from devrag.wiki.api import (
    archive_of,
    conflicts_of,
    diff_versions,
    estimate_wiki,
    export_version,
    files_of,
    find_version,
    is_up_to_date,
    outdated_of,
    pin_version,
    shown_wiki,
    version_before,
    versions_of,
    wiki_languages,
)
from devrag.wiki.models import Version, Wiki
from devrag.wiki.publishing.folder import write_file, write_folder


class LocalWikis:
    """Wikis in the database. See `devrag.cli.interfaces.Wikis`."""

    def check_language(self, wiki: WikiName) -> None:
        _check_language(_product(wiki), wiki.language)

    def generate(self, wiki: WikiName, *, is_forced: bool, is_redesigned: bool) -> str:
        job = request_wiki(
            principal=SYSTEM,
            product=_product(wiki),
            is_forced=is_forced,
            is_redesigned=is_redesigned,
        )
        return str(job.pk)

    def unchanged_version(self, wiki: WikiName) -> Document | None:
        product = _product(wiki)
        found = _find_wiki(product, wiki.language)
        if found is None or found.current is None or not is_up_to_date(product):
            return None
        return details_of(found.current, found)

    def status(self, wiki: WikiName) -> Document:
        version = _find_version(wiki, None)
        return status_of(version, version.wiki)

    def estimate(self, wiki: WikiName) -> Document:
        return estimate_of(estimate_wiki(_product(wiki)))

    def conflicts(self, product: str, *, kind: str, state: str) -> list[Document]:
        found = get_visible_product(product, SYSTEM)
        rows = conflicts_of(found, SYSTEM, kind=kind, state=state)
        return list(map(describe_conflict, rows))

    def outdated(self, product: str, *, state: str) -> list[Document]:
        found = get_visible_product(product, SYSTEM)
        return list(map(describe_outdated, outdated_of(found, SYSTEM, state=state)))

    def diff(
        self, wiki: WikiName, before: int | None, after: int | None
    ) -> list[Document]:
        newer = _find_version(wiki, after)
        older = version_before(newer) if before is None else _find_version(wiki, before)
        if older is None:
            raise NotFound(
                f"Version {newer.number} is the oldest; there is nothing to compare "
                "it with."
            )
        return list(map(difference_of, diff_versions(older, newer)))

    def export(self, wiki: WikiName, wanted: WikiExport) -> Document:
        version = _find_version(wiki, wanted.version)
        target = _write(version, wanted.format, wanted.output)
        return {"version": version.number, "output": str(target)}

    def publish(self, wiki: WikiName, number: int) -> tuple[Document, int]:
        product, language = _find_existing(wiki)
        version = roll_back(
            principal=SYSTEM, product=product, number=number, language=language
        )
        newest = versions_of(product, language)[0].number
        return details_of(version, Wiki.objects.get(pk=version.wiki_id)), newest

    def pin(self, wiki: WikiName, number: int, *, is_pinned: bool) -> Document:
        product, language = _find_existing(wiki)
        version = pin_version(
            principal=SYSTEM,
            product=product,
            number=number,
            is_pinned=is_pinned,
            language=language,
        )
        return details_of(version, version.wiki)


def _product(wiki: WikiName) -> Product:
    return get_visible_product(wiki.product, SYSTEM)


def _find_wiki(product: Product, language: str | None) -> Wiki | None:
    """Return the wiki in that language; None: the one that readers see first."""
    if not language:
        return shown_wiki(product)
    return Wiki.objects.filter(product=product, language=language).first()


def _check_language(product: Product, language: str | None) -> None:
    """Raise InvalidInput for a language that the wiki will not be written in."""
    wanted = wiki_languages(product.wiki_settings)
    if language and language not in wanted:
        raise InvalidInput(refused_language_sentence(product.name, language, wanted))


def _find_existing(wiki: WikiName) -> tuple[Product, str]:
    """Return the product, and the language of its wiki that was asked for."""
    product = _product(wiki)
    found = _find_wiki(product, wiki.language)
    if found is None:
        _check_language(product, wiki.language)
    return product, found.language if found else wiki.language or "en"


def _find_version(wiki: WikiName, number: int | None) -> Version:
    """Return a version by its number; None: the one that readers see."""
    product, language = _find_existing(wiki)
    if number is not None:
        return find_version(product, number, language)
    found = _find_wiki(product, wiki.language)
    if found is None or found.current is None:
        raise NotFound(
            f"{product.name} has no wiki yet. Run `devrag wiki generate --product "
            f"{product.name}`."
        )
    return found.current


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
        f"{settings.WIKI_OUTPUT_DIR / name} is only for the Markdown of the published "
        "version. Choose another folder with --output FOLDER."
    )
