"""Every setting that code and documents name: what it means, its default, its place.

`environment` reads variables of the environment, `options` what command lines take,
`fields` the classes that hold settings, `named` what code keeps by name, `documented`
what documents say of any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.settings.documented import (
    described_names,
    in_documents,
    with_placeholder,
)
from devrag.wiki.analysis.settings.environment import environment_of
from devrag.wiki.analysis.settings.fields import classes_of
from devrag.wiki.analysis.settings.meanings import with_meanings
from devrag.wiki.analysis.settings.named import named_settings, setting_functions
from devrag.wiki.analysis.settings.options import options_of
from devrag.wiki.analysis.settings.switches import switches_of
from devrag.wiki.analysis.settings.types import Setting, SettingGroup

ENVIRONMENT, OPTION, FIELD, DOCUMENTED = "environment", "option", "field", "documented"
NAMED, SWITCH = "named", "switch"

_REPEATED_SHARE = 0.7


@cached_by_analysis
def settings_of(analysis: Analysis) -> tuple[SettingGroup, ...]:
    """Return the settings in groups: variables, options, those
    by name, classes, then documents."""
    said = described_names(analysis)
    options = [
        replace(group, kind=OPTION, settings=_described(group.settings, said))
        for group in options_of(analysis)
    ]
    told = [setting for group in options for setting in group.settings]
    environment = [
        _by_option(setting.described(said), told)
        for setting in (*environment_of(analysis), *with_placeholder(analysis))
    ]
    first = SettingGroup(ENVIRONMENT, "", tuple(environment))
    named = [setting.described(said) for setting in named_settings(analysis)]
    named = with_meanings(analysis, named)
    switches = SettingGroup(SWITCH, "", tuple(switches_of(analysis)))
    groups = [first, *options, SettingGroup(NAMED, "", tuple(named)), switches]
    groups += _each_once(classes_of(analysis, FIELD))
    known = {setting.name for group in groups for setting in group.settings}
    for group in in_documents(analysis):
        own = tuple(each for each in group.settings if each.name not in known)
        groups.append(replace(group, kind=DOCUMENTED, settings=own))
        known.update(each.name for each in own)
    return tuple(group for group in groups if group.settings)


def _described(
    settings: Iterable[Setting], said: Mapping[str, Setting]
) -> tuple[Setting, ...]:
    return tuple(setting.described(said) for setting in settings)


def _by_option(variable: Setting, options: Iterable[Setting]) -> Setting:
    """Return a variable with the words of the option that names it, if it has none."""
    named = (o for o in options if variable.name in o.meaning)
    option = None if variable.meaning else next(named, None)
    if option is None:
        return variable
    at = option.meaning_at or option.place
    return replace(variable, meaning=option.meaning, meaning_at=at)


def _each_once(groups: Iterable[SettingGroup]) -> list[SettingGroup]:
    """Return the classes without those that repeat the fields of one before."""
    kept: list[SettingGroup] = []
    seen: set[str] = set()
    for group in groups:
        names = {setting.name for setting in group.settings}
        if len(names & seen) < _REPEATED_SHARE * len(names):
            kept.append(group)
            seen |= names
    return kept


__all__ = [
    "DOCUMENTED",
    "ENVIRONMENT",
    "FIELD",
    "NAMED",
    "OPTION",
    "Setting",
    "SettingGroup",
    "setting_functions",
    "settings_of",
]
