"""Questions to begin with, made of what a product's own files define and explain."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import Left
from django.utils.translation import gettext, gettext_noop

from devrag.ask.api import MOST_HEADING_CHARACTERS, telling_headings
from devrag.core.principal import Principal
from devrag.parsing.path_roles import is_aside, is_test
from devrag.parsing.types import MENTION
from devrag.products.models import Product
from devrag.sources.models import Fact, File, Reference, RefFile, Source, Symbol

_MOST = 4
_LOOKED_AT = 50
_LONGEST_NAME, _TELLING = 60, r"^\w{4}"
# A name that more definitions have tells nobody which one is meant.
_MOST_OF_NAME = 2
# What the people call who use the product, the first of them that it has.
_BY_KIND = (
    ("route", gettext_noop("What happens when %(name)s is requested?")),
    ("command", gettext_noop("What does the command %(name)s do, step by step?")),
    ("task", gettext_noop("When does the task %(name)s run, and what does it do?")),
)
_OF_CODE = (
    gettext_noop("How do I run the tests?"),
    gettext_noop("How are errors handled?"),
    gettext_noop("What is this project for, and how is it organized?"),
)
_HOW = gettext_noop("How does %(name)s work?")
_WHERE = gettext_noop("Where is %(name)s used?")
_DOCUMENT = gettext_noop("What does “%(title)s” say?")
_SECTIONS = {
    "rules": gettext_noop("What are the rules for “%(heading)s”?"),
    "values": gettext_noop("Which values are listed for “%(heading)s”?"),
}
_KINDS = ("function", "method", "class", "interface")
# Every repository has them, and nobody begins with them.
_USUAL = re.compile(
    r"(^|/)(readme|licen[cs]e|copying|change(s|log)|history|news|release|contribut"
    r"|code[-_]of|security|maintainers|conduct|authors|index|notice)[^/]*$",
    re.IGNORECASE,
)
_NEWS = r"(^|/)(change(s|log)|history|news|release)[^/]*$"
# Titles that say nothing of what stands below them.
_NO_TITLE = re.compile(
    r"introduction|overview|(table of )?contents|home|(un)?titled?|template"
    r"|disclaimer|はじめに|概要|目次|序文|まえがき|タイトル|無題|免責事項",
    re.IGNORECASE,
)


def example_questions(product: Product | None, principal: Principal) -> tuple[str, ...]:
    """Return four questions that the product, or all of them, can answer a reader.

    Queries: 6 at most, of all products 1 and as many for each of the first four.
    """
    if product is not None:
        return _of_product(product, principal)
    products = Product.objects.visible_to(principal).order_by("name")[:_MOST]
    found = [_of_product(each, principal) for each in products]
    in_turn = chain.from_iterable(zip(*filter(None, found), strict=False))
    return tuple(islice(dict.fromkeys(in_turn), _MOST))


def example_words(product: Product | None, principal: Principal) -> str:
    """Return a name or title to search for, of the product or of the first of all.

    Queries: 5 at most, of all products 1 more.
    """
    found = product or Product.objects.visible_to(principal).order_by("name").first()
    files = _current_files(found, principal) if found else File.objects.none()
    own = (name.rpartition(".")[2] for name in _definitions(files))
    name = next(own, "") if _is_code(files) else ""
    return name or next(_titles(files), "")


def _of_product(product: Product, principal: Principal) -> tuple[str, ...]:
    files = _current_files(product, principal)
    is_code = _is_code(files)
    asked = chain(
        _of_facts(files), _of_definitions(files), _of_documents(files, is_only=False)
    )
    of_code = (gettext(each) for each in _OF_CODE)
    found = chain(asked, of_code) if is_code else _of_documents(files, is_only=True)
    return tuple(islice(dict.fromkeys(found), _MOST))


def _is_code(files: QuerySet[File]) -> bool:
    """Return whether there is more code than documents."""
    rows = files.values_list("kind").annotate(Sum("lines")).order_by()
    lines: dict[str, int] = dict(rows)
    return lines.get(File.Kind.CODE, 0) > lines.get(File.Kind.DOC, 0)


def _current_files(product: Product, principal: Principal) -> QuerySet[File]:
    sources = Source.objects.within_limits(principal).filter(product=product)
    current = RefFile.objects.filter(
        ref__source__in=sources, ref__is_current=True, until=None
    )
    return File.objects.filter(pk__in=current.values("file"))


def _of_facts(files: QuerySet[File]) -> Iterator[str]:
    """Yield a question about what the code offers; scripts of a manifest are none."""
    in_code = files.filter(kind=File.Kind.CODE)
    for kind, question in _BY_KIND:
        facts = Fact.objects.filter(kind=kind, file__in=in_code).order_by("pk")
        for name, path in facts.values_list("name", "file__path")[:_LOOKED_AT]:
            if _is_own(path) and 1 < len(name) <= _LONGEST_NAME:
                yield gettext(question) % {"name": name}
                return


def _of_definitions(files: QuerySet[File]) -> Iterator[str]:
    names = list(islice(_definitions(files), 2))
    for question, name in zip((_HOW, _WHERE), names, strict=False):
        yield gettext(question) % {"name": name}


def _definitions(files: QuerySet[File]) -> Iterator[str]:
    """Yield the definitions that documents name most, then those used most."""
    rows = (
        Symbol.objects.filter(file__in=files.filter(kind=File.Kind.CODE))
        .filter(kind__in=_KINDS, search_order__lte=2, name__regex=_TELLING)
        .exclude(docstring="")
        .order_by("search_order", "-loc", "pk")
        .values_list("name", "qualified_name", "file__path")
    )
    documents = files.filter(kind=File.Kind.DOC).exclude(path__iregex=_NEWS)
    places = Reference.objects.filter(file__in=documents, kind=MENTION)
    named = list(_most(places)[:_LOOKED_AT].values_list("last_name", flat=True))
    yield from _in_order(rows.filter(name__in=named), named)
    found = list(rows[: 4 * _LOOKED_AT])
    uses = Reference.objects.filter(
        source__in=files.values("source"), last_name__in={name for name, *_ in found}
    ).exclude(kind=MENTION)
    yield from _in_order(found, list(_most(uses).values_list("last_name", flat=True)))


def _most(places: QuerySet[Reference]) -> QuerySet[Reference, dict[str, Any]]:
    """Return the last parts of names, those in most files first."""
    counted = places.values("last_name").annotate(count=Count("file", distinct=True))
    return counted.order_by("-count", "last_name")


def _in_order(rows: Iterable[tuple[str, str, str]], names: list[str]) -> Iterator[str]:
    """Yield the definitions of names, of a name that only few have."""
    own: dict[str, list[str]] = defaultdict(list)
    for name, qualified, path in rows:
        if _is_own(path) and len(qualified) <= _LONGEST_NAME:
            own[name].append(qualified)
    for name in names:
        if 0 < len(own[name]) <= _MOST_OF_NAME:
            yield own[name][0]


def _of_documents(files: QuerySet[File], *, is_only: bool) -> Iterator[str]:
    """Yield questions about the longest documents; beside code about one.

    is_only: the product is mostly documents. Then sections with rules or tables are
    asked about first, one of each document.
    """
    if is_only:
        yield from _of_sections(list(_longest(files)))
    for title in islice(_titles(files), _MOST if is_only else 1):
        yield gettext(_DOCUMENT) % {"title": title}


def _of_sections(rows: Sequence[tuple[int, str, str]]) -> Iterator[str]:
    """Yield a question about a section of each document. Queries: 1.

    The longest of each folder come first, so that editions do not fill the list.
    """
    places: Counter[str] = Counter()
    turns: list[tuple[int, int]] = []
    for key, _, path in rows:
        folder = path.rpartition("/")[0]
        places[folder] += 1
        turns.append((places[folder], key))
    keys = [key for _, key in sorted(turns, key=lambda turn: turn[0])[:_MOST]]
    begin = Left("text", MOST_HEADING_CHARACTERS)
    texts = dict(File.objects.filter(pk__in=keys).values_list("pk", begin))
    seen: set[str] = set()
    for key in keys:
        for heading, shown in _headings_of(key, texts[key]):
            if heading not in seen:
                seen.add(heading)
                yield gettext(_SECTIONS[shown]) % {"heading": heading}
                break


@lru_cache(maxsize=64)  # it keeps the texts
def _headings_of(_file: int, text: str) -> tuple[tuple[str, str], ...]:
    return tuple(telling_headings(text)[:_MOST])


def _longest(files: QuerySet[File]) -> Iterator[tuple[int, str, str]]:
    """Yield key, title and path of the longest documents that are worth reading."""
    documents = files.filter(kind=File.Kind.DOC).exclude(path__iregex=_USUAL.pattern)
    rows = documents.order_by("-lines", "pk").values_list("pk", "title", "path")
    yield from (row for row in rows[:_LOOKED_AT] if _is_own(row[2]))


def _titles(files: QuerySet[File]) -> Iterator[str]:
    """Yield what the longest documents are called, each once."""
    called = (_called(title, path) for _, title, path in _longest(files))
    short = (each for each in called if 0 < len(each) <= _LONGEST_NAME)
    yield from dict.fromkeys(short)


def _called(title: str, path: str) -> str:
    """Return a document's title; the name of its file where that says nothing."""
    if title and not _NO_TITLE.fullmatch(title):
        return title
    name = path.rpartition("/")[2].rpartition(".")[0]
    return "" if _NO_TITLE.fullmatch(name) else name


def _is_own(path: str) -> bool:
    return not is_test(path) and not is_aside(path)
