"""Why a hit is there: one plain reason, and behind it what else counted."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

from devrag.search.api import (
    DEFINES,
    FILE_NAME,
    NAMED,
    TITLED,
    USES,
    explain,
    terms_said,
)
from devrag.search.types import Hit

_SHOWN_TERMS = 4
_SAID = {
    TITLED: gettext_noop("The heading matches"),
    NAMED: gettext_noop("The name matches"),
}


def reason_of(hit: Hit) -> str:
    """Return the reason that tells most; '' of lines that were looked for."""
    if hit.matched_lines:
        return ""
    rule = _main_rule(hit)
    terms = terms_said(hit, _SHOWN_TERMS)
    if rule == DEFINES:
        return gettext("Defines %(name)s") % {"name": hit.symbol_name}
    if rule == USES and terms:
        return gettext("Uses %(name)s") % {"name": terms}
    if rule in _SAID and not (rule == NAMED and hit.translated):
        return gettext(_SAID[rule])
    if terms:
        said = (
            gettext("Contains parts of the name: %(terms)s")
            if hit.is_partial
            else gettext("Contains %(terms)s")
        )
        return said % {"terms": terms}
    if rule == FILE_NAME:
        return gettext("The file name matches")
    return gettext("Similar in meaning") if hit.semantic_rank is not None else ""


def details_of(hit: Hit) -> tuple[str, ...]:
    """Return what else moved it, without what the reason says already."""
    main = _main_rule(hit)
    said = explain(hit)
    is_by_terms = hit.matched_terms and main in {"", FILE_NAME}
    if is_by_terms and len(hit.matched_terms) <= _SHOWN_TERMS:
        said = said[:-1]
    return tuple(each for each in said if each != main or main == FILE_NAME)


def _main_rule(hit: Hit) -> str:
    """Return the first rule that is a reason by itself, '' without one."""
    names = () if hit.is_partial else (NAMED, FILE_NAME)
    return next((r for r in (DEFINES, USES, TITLED, *names) if r in hit.why), "")
