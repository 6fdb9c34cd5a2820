"""Every setting that code and documents name: what it means, its default, its place.

`environment` reads variables of the environment, `options` what command lines take,
`fields` the classes that hold settings, `documented` what documents say of any of them.
"""

from __future__ import annotations

from functools import lru_cache

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.settings.documented import described_names, in_documents
from devrag.wiki.analysis.settings.environment import environment_of
from devrag.wiki.analysis.settings.fields import classes_of
from devrag.wiki.analysis.settings.options import options_of
from devrag.wiki.analysis.settings.types import Setting, SettingGroup

ENVIRONMENT, OPTION, FIELD, DOCUMENTED = "environment", "option", "field", "documented"


@lru_cache(maxsize=2)
def settings_of(analysis: Analysis) -> tuple[SettingGroup, ...]:
    """Return the settings in groups, each name once within its kind."""
    said = described_names(analysis)
    environment = [each.described(said) for each in environment_of(analysis)]
    options = [
        SettingGroup(
            OPTION, group.title, tuple(each.described(said) for each in group.settings)
        )
        for group in options_of(analysis)
    ]
    classes = classes_of(analysis, FIELD)
    groups = [*options, *classes]
    known = {each.name for each in environment}
    known |= {each.name for group in groups for each in group.settings}
    alone = [
        SettingGroup(DOCUMENTED, group.title, own)
        for group in in_documents(analysis)
        if (own := tuple(each for each in group.settings if each.name not in known))
    ]
    first = SettingGroup(ENVIRONMENT, "", tuple(environment))
    return tuple(group for group in (first, *groups, *alone) if group.settings)


__all__ = [
    "DOCUMENTED",
    "ENVIRONMENT",
    "FIELD",
    "OPTION",
    "Setting",
    "SettingGroup",
    "settings_of",
]
