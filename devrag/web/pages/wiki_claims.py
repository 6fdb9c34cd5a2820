"""The places that a wiki page cites: its chips, their lines, what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext, pgettext

from devrag.core.citation_rows import RowLabel
from devrag.core.errors import NotFound
from devrag.core.highlight import highlight_lines
from devrag.core.markdown import Citation, CitationResolver
from devrag.core.page_urls import file_url
from devrag.products.models import Product
from devrag.sources.models import File
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.pages.code import Line, number_lines
from devrag.web.pages.wiki_kinds import KIND_LABELS
from devrag.wiki.api import (
    CHANGED,
    ClaimFreshness,
    ClaimState,
    claim_url,
    states_of_page,
)
from devrag.wiki.models import Claim

MAX_LINES = 24
_NO_KINDS: Mapping[int, str] = {}


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A cited place and what became of it.

    sentence: what leans on it. note: where it is now, or why it is gone. now_url: the
    same in what is indexed now, '' while nothing changed or when the file is gone.
    """

    ordinal: int
    label: str
    url: str
    sentence: str
    state: str = ClaimFreshness.FRESH
    note: str = ""
    now_url: str = ""


@dataclass(frozen=True, slots=True)
class ClaimPreview:
    """The very lines of a citation. more: how many are not shown."""

    source: SourceLine
    name: str
    commit: str
    lines: tuple[Line, ...]
    more: int


def cite(
    product: str,
    claims: Iterable[Claim],
    states: Iterable[ClaimState] = (),
    *,
    preview_url: Callable[[Claim], str] | None = None,
    kinds: Mapping[int, str] = _NO_KINDS,
) -> CitationResolver:
    """Resolve `cite:7` to the seventh claim of a page; a stale one says so.

    preview_url: of a claim's lines where it is not stored, as those of a draft. kinds:
    number of a citation → kind of its source, which the chip names.
    """
    by_ordinal = {str(claim.ordinal): claim for claim in claims}
    stale = {str(each.ordinal) for each in states if each.state == ClaimFreshness.STALE}

    def resolve(key: str) -> Citation | None:
        claim = by_ordinal.get(key)
        if claim is None:
            return None
        url, label = claim_url(product, claim), _label(claim)
        kind = kinds.get(claim.ordinal, "")
        label = f"{KIND_LABELS[kind]}: {label}" if kind else label
        preview = (
            preview_url(claim)
            if preview_url
            else reverse("web:wiki_claim", args=[product, claim.pk])
        )
        if key not in stale:
            return Citation(url, label, preview, kind=kind)
        # A browser keeps a preview for minutes: that of a fresh claim is not this one.
        said = pgettext("a citation", "outdated")
        language = get_language() or ""
        return Citation(url, label, f"{preview}?stale", said, language, kind)

    return resolve


def row_label() -> RowLabel:
    """Return what folded rows of citations are called in the reader's language."""
    return RowLabel(
        lambda n: ngettext("%(n)s citation", "%(n)s citations", n) % {"n": n},
        get_language() or "",
    )


def sources_of(
    product: str, claims: Iterable[Claim], states: Iterable[ClaimState]
) -> tuple[SourceLine, ...]:
    """Return what a page cites, in its order."""
    by_claim = {state.ordinal: state for state in states}
    return tuple(_to_source(product, each, by_claim[each.ordinal]) for each in claims)


def get_claim_preview(product: Product, claim_id: int) -> ClaimPreview:
    """Return the lines of a citation. Queries: 3, or those of a comparison."""
    claims = Claim.objects.filter(page__version__wiki__product=product, pk=claim_id)
    claim = claims.select_related("page").first()
    if claim is None:
        raise NotFound(gettext("This citation belongs to a version that was deleted."))
    states = states_of_page(claim.page, product.pk)
    state = next(each for each in states if each.ordinal == claim.ordinal)
    return show_claim(product, claim, state)


def show_claim(product: Product, claim: Claim, state: ClaimState) -> ClaimPreview:
    """Return the lines of a claim that is in this state. Queries: 1."""
    files = File.objects.filter(
        source__product=product,
        source__name=claim.source_name,
        path=claim.path,
        content_hash=claim.content_hash,
    )
    language = files.values_list("language", flat=True).first() or ""
    lines = number_lines(highlight_lines(claim.excerpt, language), claim.start_line)
    return ClaimPreview(
        source=_to_source(product.name, claim, state),
        name=claim.source_name,
        commit=claim.version_identifier,
        lines=lines[:MAX_LINES],
        more=max(0, len(lines) - MAX_LINES),
    )


def _label(claim: Claim) -> str:
    return _place(claim.path, claim.start_line, claim.end_line)


def _place(path: str, start_line: int, end_line: int) -> str:
    if end_line <= start_line:
        return f"{path}:{start_line}"
    return f"{path}:{start_line}–{end_line}"


def _to_source(product: str, claim: Claim, state: ClaimState) -> SourceLine:
    """Name a cited place; of one that is elsewhere now also where."""
    note, now = gettext(state.reason) if state.reason else "", ""
    path = state.file.removeprefix(f"{claim.source_name}/")
    there = (product, claim.source_name, CURRENT_VERSION, path)
    if state.state == ClaimFreshness.MOVED:
        place = _place(path, state.start_line, state.end_line)
        note = gettext("now %(place)s") % {"place": place}
        now = file_url(*there, state.start_line, state.end_line)
    elif state.reason == CHANGED:
        now = file_url(*there)
    return SourceLine(
        claim.ordinal,
        _label(claim),
        claim_url(product, claim),
        claim.sentence,
        state.state,
        note,
        now,
    )
