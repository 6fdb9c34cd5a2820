"""What visitors see first: one sentence of a wiki they may read, with its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import get_language

from devrag.core.highlight import highlight_lines
from devrag.core.page_urls import wiki_url
from devrag.parsing.language import detect_language
from devrag.parsing.path_roles import is_aside, is_test
from devrag.products.models import Product
from devrag.web.pages.code import Line, number_lines
from devrag.wiki.api import claim_url, prefix_of, readable_wikis
from devrag.wiki.models import Claim, Wiki

_MOST_WIKIS, _LOOKED_AT, _MOST_LINES = 4, 300, 8
_SHORTEST, _LONGEST = 50, 200
_CODE_NAME = re.compile(r"`([\w.]+)(?:\(\))?`")
_CODE_SPAN = re.compile(r"`[^`]*`")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
# Cells of a table, entries of a list, and sentences about what the one before names.
_NEEDS_CONTEXT = re.compile(
    r"\||^(?:It|They|This|These|Its|Other|That|If|In|Be)\b|^(?:これ|それ)"
    r"|^(?!`[^`]+`: [^:]*$).*: |から呼び出されます。$"
)
_ENDS = (".", "。")
_FEWEST_LINES = 3  # of code that shows what it is in

_Worth = tuple[int, bool, int, int]


@dataclass(frozen=True, slots=True)
class HomeExample:
    """A cited sentence. page_url: the page of the wiki that has it."""

    product: str
    language: str
    sentence: str
    page_title: str
    page_url: str
    label: str
    url: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class _ShownWiki:
    """A wiki that is read. folder: of its pages, '' of the main one."""

    wiki: Wiki
    folder: str


def find_home_example(
    products: Iterable[Product], wikis: dict[int, Wiki]
) -> HomeExample | None:
    """Return the most telling sentence of the first wikis, None where they have none.

    One in the reader's language goes first. wikis: by product id. Queries: two for each
    of them.
    """
    with_wiki = (each for each in products if each.pk in wikis)
    found = [
        (product, shown, claim)
        for product in islice(with_wiki, _MOST_WIKIS)
        if (shown := _shown_wiki(product)) and (claim := _find_claim(shown.wiki))
    ]
    if not found:
        return None
    language = get_language()

    def worth(found: tuple[Product, _ShownWiki, Claim]) -> tuple[bool, _Worth]:
        _, shown, claim = found
        return shown.wiki.language == language, _worth(claim)

    return _to_example(*max(found, key=worth))


def _shown_wiki(product: Product) -> _ShownWiki | None:
    """Return the wiki in the reader's language, else the main one. Queries: 1."""
    wikis = readable_wikis(product)
    own = [each for each in wikis if each.language == get_language()] or wikis
    return _ShownWiki(own[0], prefix_of(own[0], wikis)) if own else None


def _find_claim(wiki: Wiki) -> Claim | None:
    claims = Claim.objects.filter(page__version=wiki.current_id).with_page()
    found = [
        claim
        for claim in claims.order_by("page__ordinal", "ordinal")[:_LOOKED_AT]
        if _is_telling(claim)
    ]
    return max(found, key=_worth, default=None)


def _is_telling(claim: Claim) -> bool:
    sentence = claim.sentence.strip()
    return (
        len(sentence) * (2 if _is_wide(sentence) else 1) >= _SHORTEST
        and len(sentence) <= _LONGEST
        and sentence.endswith(_ENDS)
        and not _NEEDS_CONTEXT.search(sentence)
        and claim.excerpt.strip().count("\n") < _MOST_LINES
        and not _is_quoted(claim)
        and not is_test(claim.path)
        and not is_aside(claim.path)
        and detect_language(claim.path).kind == "code"
    )


def _is_quoted(claim: Claim) -> bool:
    """Return whether a sentence repeats a comment: that shows no reading of code."""
    words = re.findall(r"[^\W\d_]{3,}", _CODE_SPAN.sub("", claim.sentence).lower())
    excerpt = claim.excerpt.lower()
    return 2 * sum(word in excerpt for word in words) > len(words)


def _is_wide(text: str) -> bool:
    return not text.isascii()


def _worth(claim: Claim) -> _Worth:
    """Return how plain it is to see that the lines say what the sentence does.

    Two of its names stand in them, they are more than a line or two, and few others of
    its names are missing there.
    """
    names = set(_CODE_NAME.findall(claim.sentence))
    shared = sum(name.rpartition(".")[2] in claim.excerpt for name in names)
    has_lines = claim.excerpt.strip().count("\n") + 1 >= _FEWEST_LINES
    length = -abs(len(claim.sentence) - 100)
    return min(shared, 2), has_lines, shared - len(names), length


def _to_example(product: Product, shown: _ShownWiki, claim: Claim) -> HomeExample:
    language = detect_language(claim.path).name
    lines = highlight_lines(claim.excerpt, language)
    last = claim.start_line + len(lines) - 1
    span = f"–{last}" if last > claim.start_line else ""
    return HomeExample(
        product=str(product),
        language=shown.wiki.language,
        sentence=_LINK.sub(r"\1", claim.sentence),
        page_title=claim.page.title,
        page_url=wiki_url(product.name, shown.folder + claim.page.path),
        label=f"{claim.path}:{claim.start_line}{span}",
        url=claim_url(product.name, claim),
        lines=number_lines(lines, claim.start_line),
    )
