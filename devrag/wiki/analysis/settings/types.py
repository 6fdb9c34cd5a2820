"""One setting, and settings that belong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from devrag.wiki.analysis.survey import SurveySymbol


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a file, 1-based and inclusive."""

    file: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PassedTo:
    """What gets the value of a setting: the function, and the name it has there."""

    called: str
    key: str
    at: Lines


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. place: where it is declared or read. meaning: what is said of it.

    meaning_at, default_at: the lines that say so, None where they are `place`. is_set:
    a file of configuration sets it there; no code reads it in that place. read_at:
    where code asks for one that is kept by its name; compared_at: where what keeps them
    treats it in a way of its own. values: those with a meaning of their own. is_switch:
    code only asks whether it is on. passed: what gets the value. kept_as: the name
    under which the value derived from it is stored.
    """

    name: str
    place: Lines
    default: str = ""
    meaning: str = ""
    meaning_at: Lines | None = None
    default_at: Lines | None = None
    is_set: bool = False
    read_at: tuple[Lines, ...] = ()
    compared_at: tuple[Lines, ...] = ()
    values: tuple[str, ...] = ()
    values_at: Lines | None = None
    is_switch: bool = False
    passed: PassedTo | None = None
    kept_as: str = ""
    kept_at: Lines | None = None

    def described(self, said: Mapping[str, Setting]) -> Setting:
        """Return the setting with what documents say, where code says nothing."""
        known = said.get(self.name)
        if known is None or self.meaning:
            return self
        default = self.default or known.default
        return replace(
            self, meaning=known.meaning, meaning_at=known.place, default=default
        )


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings of one command, class or section of a document. owner: the class."""

    kind: str
    title: str
    settings: tuple[Setting, ...]
    owner: SurveySymbol | None = None
