"""The actions that the palette offers: only those that the caller may do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import (
    get_language,
    get_language_info,
    gettext,
    gettext_noop,
)

from devrag.access.models import Preferences
from devrag.core.highlight import mark_letters
from devrag.core.principal import Principal, Role
from devrag.products.models import Product
from devrag.web.pages.settings_sections import list_sections

_THEMES = {
    Preferences.Theme.SYSTEM: gettext_noop("Theme: system"),
    Preferences.Theme.LIGHT: gettext_noop("Theme: light"),
    Preferences.Theme.DARK: gettext_noop("Theme: dark"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose. url: where it leads; else run: what static/js/palette.js
    does; `post` sends the form of `url`. places: the letters of the title that fit what
    was typed, by their index.
    """

    title: str
    detail: str = ""
    url: str = ""
    run: str = ""
    icon: str = "chevron-right"
    places: tuple[int, ...] = ()

    @property
    def marked_title(self) -> SafeString:
        return mark_letters(self.title, self.places)


def fits(text: str, *said: str) -> bool:
    """Return whether each word of a query is part of one of the names."""
    whole = " ".join(said).lower()
    return all(word in whole for word in text.lower().split())


def list_actions(
    principal: Principal, product: Product | None, theme: str
) -> list[Choice]:
    """Return what the caller may do, here first.

    product: that of the page, if any. theme: the one that is shown. Queries: 1.
    """
    return [
        *_on_product(principal, product),
        Choice(
            gettext("Go to the dashboard"), url=reverse("web:dashboard"), icon="layers"
        ),
        Choice(gettext("Go to the jobs"), url=reverse("web:jobs"), icon="activity"),
        *_on_settings(principal),
        *_on_pages(theme),
    ]


def _on_product(principal: Principal, product: Product | None) -> Iterator[Choice]:
    maintained = set(
        Product.objects.maintained_by(principal).values_list("pk", flat=True)
    )
    detail = str(product) if product else ""
    ask = reverse("web:ask", args=[product.name]) if product else reverse("web:ask_all")
    yield Choice(gettext("Ask a question"), detail, ask, icon="ask")
    if maintained or principal.role >= Role.MAINTAINER:
        yield Choice(
            gettext("Add a source"), url=reverse("web:add_source"), icon="plus"
        )
    if product is not None and product.pk in maintained:
        yield Choice(
            gettext("Update the wiki"),
            detail,
            reverse("web:wiki_regenerate", args=[product.name]),
            run="post",
            icon="refresh",
        )
        options = reverse("web:product_settings", args=[product.name])
        yield Choice(gettext("Product settings"), detail, options, icon="settings")


def _on_settings(principal: Principal) -> Iterator[Choice]:
    if principal.user_id is not None:
        group = gettext("Settings")
        sessions = f"{reverse('web:settings_account')}#dr-sessions"
        for section in list_sections(principal):
            address = reverse(section.page)
            yield Choice(gettext(section.title), group, address, icon=section.icon)
        yield Choice(gettext("Sessions"), group, sessions, icon="device")


def _on_pages(theme: str) -> Iterator[Choice]:
    for each, title in _THEMES.items():
        if each != theme:
            yield Choice(gettext(title), run=f"theme-{each}", icon="theme")
    for code, _ in settings.LANGUAGES:
        if code != get_language():
            own = str(get_language_info(code)["name_local"])
            title = gettext("Language: %(name)s") % {"name": own}
            yield Choice(title, run=f"language-{code}", icon="globe")
    yield Choice(gettext("Show the keyboard shortcuts"), run="keys", icon="keyboard")
