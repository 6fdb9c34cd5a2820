"""Questions to begin with, made of what a product's own files declare."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext, gettext_noop

from devrag.core.principal import Principal
from devrag.parsing.path_roles import is_test
from devrag.products.models import Product
from devrag.sources.models import Fact, RefFile, Source

_MOST = 4
_LOOKED_AT = 50
_LONGEST_NAME = 60
_BY_KIND = (
    ("command", gettext_noop("What does the command %(name)s do, step by step?")),
    ("route", gettext_noop("What happens when %(name)s is requested?")),
    ("setting", gettext_noop("What does the setting %(name)s change?")),
    ("task", gettext_noop("When does the task %(name)s run, and what does it do?")),
    ("model", gettext_noop("Where is %(name)s created and changed?")),
)
_ALWAYS = (
    gettext_noop("What is this project for, and how is it organized?"),
    gettext_noop("Where does the program start?"),
    gettext_noop("How do I run the tests?"),
    gettext_noop("How are errors handled?"),
)


def example_questions(product: Product | None, principal: Principal) -> tuple[str, ...]:
    """Return four questions that the product can answer a reader. Queries: 5."""
    own = list(_of_facts(product, principal)) if product else []
    general = [gettext(each) for each in _ALWAYS]
    return (*own[: _MOST - 1], *general)[:_MOST]


def _of_facts(product: Product, principal: Principal) -> Iterator[str]:
    sources = Source.objects.within_limits(principal).filter(product=product)
    current = RefFile.objects.filter(
        ref__source__in=sources, ref__is_current=True, until=None
    )
    facts = Fact.objects.filter(file__in=current.values("file")).order_by("pk")
    for kind, question in _BY_KIND:
        rows = facts.filter(kind=kind).values_list("name", "file__path")[:_LOOKED_AT]
        names = [
            name
            for name, path in rows
            if not is_test(path) and 1 < len(name) <= _LONGEST_NAME
        ]
        if names:
            yield gettext(question) % {"name": names[0]}
