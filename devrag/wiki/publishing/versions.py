"""Which version readers see, and whether it is still about the present commits."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.db.models import F
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.hashing import sha256_hex
from devrag.products.models import Product
from devrag.products.wiki_settings import readable_languages
from devrag.wiki.analysis.selectors import current_versions
from devrag.wiki.checking.validators import Finding
from devrag.wiki.drafts.page import DraftedPage, Inputs
from devrag.wiki.drafts.record import Record
from devrag.wiki.evidence.citations import ClaimDraft
from devrag.wiki.models import Claim, Page, Version, Wiki
from devrag.wiki.writing.author import author_of


def shown_wiki(product: Product) -> Wiki | None:
    """Return the wiki readers see: in the product's language, English, or the newest.

    None before the first version. Queries: 1.
    """
    return next(iter(readable_wikis(product)), None)


def readable_wikis(product: Product) -> list[Wiki]:
    """Return the wiki readers see first, then those in the other languages asked for.

    Queries: 1.
    """
    wikis = Wiki.objects.filter(product=product, current__isnull=False)
    newest_first = wikis.select_related("current").order_by("-current_id")
    by_language = {wiki.language: wiki for wiki in newest_first}
    languages = readable_languages(product.wiki_settings, by_language)
    return [by_language[language] for language in languages]


def find_readable_wiki(product: Product, language: str) -> tuple[Wiki, list[Wiki]]:
    """Return a readable wiki by its language, the main one for '', and all of them.

    Raises NotFound without a wiki, or without one in the language. Queries: 1.
    """
    wikis = readable_wikis(product)
    if not wikis:
        raise NotFound(gettext("%(product)s has no wiki yet") % {"product": product})
    wanted = [each for each in wikis if language in ("", each.language)]
    if not wanted:
        raise NotFound(
            gettext("%(product)s has no wiki in this language.") % {"product": product}
        )
    return wanted[0], wikis


def prefix_of(wiki: Wiki, wikis: Sequence[Wiki]) -> str:
    """Return the folder of a wiki's pages: none for the one that readers see first."""
    return "" if wiki == wikis[0] else f"{wiki.language}/"


def current_version(product: Product, language: str = "en") -> Version | None:
    """Return the version that readers see, or None before the first."""
    return Version.objects.filter(
        wiki__product=product,
        wiki__language=language,
        pk=F("wiki__current_id"),
    ).first()


def carry_saved_answers(version: Version) -> None:
    """Move the answers that people saved to the version that readers see from now on.

    The caller holds the lock of the wiki.
    """
    pages = Page.objects.filter(version__wiki=version.wiki_id, kind=Page.NOTE)
    pages.update(version=version)


def settings_digest(product: Product) -> str:
    """Return a digest of what people set of a product that its pages may show."""
    told = [product.title, product.wiki_settings]
    return sha256_hex(json.dumps(told, sort_keys=True))


def is_up_to_date(product: Product) -> bool:
    """Return whether the present writer wrote about the present commits already.

    With the present settings, as far as a version tells which it was written with.
    """
    author, set_now = author_of(product), settings_digest(product)
    now = {v.source: v.commit for v in current_versions(product.pk)}
    for language in (author.language, *author.others):
        version = current_version(product, language)
        now_by = (author.name, author.version)
        if version is None or (version.writer, version.prompt_version) != now_by:
            return False
        if version.report.get("unfinished"):
            return False
        if (version.report.get("settings") or set_now) != set_now:
            return False
        if {name: at["commit"] for name, at in version.sources.items()} != now:
            return False
    return True


def published_page(
    product_id: int, path: str, language: str = "en"
) -> DraftedPage | None:
    """Return the page that readers see as a draft, None when there is none."""
    product = Product.objects.get(pk=product_id)
    version = current_version(product, language)
    page = version.pages.filter(path=path).first() if version else None
    if version is None or page is None:
        return None
    cut = version.report.get("cut", [])
    return DraftedPage(
        path=page.path,
        kind=page.kind,
        title=page.title,
        parent=page.parent_path,
        ordinal=page.ordinal,
        files=tuple(page.files),
        sections=tuple(page.sections),
        summary=page.summary,
        markdown=page.markdown,
        fingerprint=page.fingerprint,
        claims=tuple(map(claim_draft, page.claims.all())),
        findings=tuple(Finding(**f) for f in cut if f["page"] == path),
        inputs={
            path: (digest, decile) for path, (digest, decile) in page.inputs.items()
        },
        is_unfinished=path in version.report.get("unfinished", ()),
        record=Record.from_json(page.record) if page.record else None,
    )


def pages_before(wiki: Wiki) -> dict[str, Inputs]:
    """Return the pages that readers see, each with what it was made of."""
    pages = Page.objects.filter(version=wiki.current).written()
    rows = pages.values_list("path", "inputs")
    return dict(rows)


def known_files(version: Version | None) -> dict[str, str]:
    """Return the files that a version's pages were made of, with their content."""
    rows = Page.objects.filter(version=version).values_list("inputs", flat=True)
    return {path: digest for inputs in rows for path, (digest, _) in inputs.items()}


def claim_draft(claim: Claim) -> ClaimDraft:
    """Return a stored claim as the value that citations are made of."""
    return ClaimDraft(
        ordinal=claim.ordinal,
        sentence=claim.sentence,
        source=claim.source_name,
        path=claim.path,
        start_line=claim.start_line,
        end_line=claim.end_line,
        version_identifier=claim.version_identifier,
        content_hash=claim.content_hash,
        excerpt=claim.excerpt,
        context=claim.context,
    )


def claim_row(claim: ClaimDraft, page: Page | None = None) -> Claim:
    """Return the claim as a row, not stored yet. page: none for a draft's."""
    return Claim(
        page=page,
        ordinal=claim.ordinal,
        sentence=claim.sentence,
        source_name=claim.source,
        path=claim.path,
        start_line=claim.start_line,
        end_line=claim.end_line,
        version_identifier=claim.version_identifier,
        content_hash=claim.content_hash,
        excerpt=claim.excerpt,
        context=claim.context,
    )
