"""Keeps files where the previous version had them, so that small changes move nothing.

A part that has grown by half is grouped anew, and so is everything once a third of the
files would stand elsewhere: then the product itself has changed shape.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from devrag.wiki.analysis.packages import Part
from devrag.wiki.analysis.survey import SurveyFile

_MOST_MOVED = 1 / 3
_MOST_NEW = 1 / 2


@dataclass(frozen=True, slots=True)
class PartMembership:
    """Which feature page held which file. steering: digest of what sources asked for.

    titles: `source/path` → the page's title. slugs: title → the page's path.
    """

    titles: Mapping[str, str] = field(default_factory=dict)
    slugs: Mapping[str, str] = field(default_factory=dict)
    steering: str = ""


def keep_parts(parts: Sequence[Part], before: PartMembership) -> list[Part]:
    """Return the parts with every known file in the part that it was in."""
    fresh = {file.id: part for part in parts for file in part.files}
    files = [file for part in parts for file in part.files]
    known = {
        file.id: title
        for file in files
        if (title := before.titles.get(f"{file.source}/{file.path}"))
    }
    moved = sum(1 for file, title in known.items() if fresh[file].name != title)
    if not moved or moved > _MOST_MOVED * len(known):
        return list(parts)
    titles = _titles(files, fresh, known)
    groups: dict[tuple[str, str], list[SurveyFile]] = defaultdict(list)
    for file in files:
        groups[file.source, titles[file.id]].append(file)
    paths = {(part.source, part.name): part.path for part in parts}
    return _unique(
        [
            Part(
                source,
                paths.get((source, title), _place(own, title)),
                title,
                tuple(own),
            )
            for (source, title), own in groups.items()
        ]
    )


def _titles(
    files: Sequence[SurveyFile], fresh: Mapping[int, Part], known: Mapping[int, str]
) -> dict[int, str]:
    """Return each file's title: its own before, else that of most files beside it."""
    beside: dict[str, Counter[str]] = defaultdict(Counter)
    for key, title in known.items():
        beside[fresh[key].name][title] += 1
    titles = {}
    for file in files:
        name = fresh[file.id].name
        usual = beside[name].most_common(1)
        titles[file.id] = known.get(file.id) or (usual[0][0] if usual else name)
    held = Counter(titles.values())
    of_before = Counter(known.values())
    grown = {t for t, n in of_before.items() if held[t] - n > _MOST_NEW * n}
    return {i: fresh[i].name if t in grown else t for i, t in titles.items()}


def _place(files: Sequence[SurveyFile], title: str) -> str:
    """Return the file that the title names, else the files' folder."""
    name = title.rpartition("/")[2]
    if len(files) == 1:
        return files[0].path
    folder = posixpath.commonpath([file.directory for file in files])
    return next((file.path for file in files if file.stem == name), folder)


def _unique(parts: Sequence[Part]) -> list[Part]:
    seen: set[str] = set()
    found = []
    for part in parts:
        name = f"{part.source}/{part.name}" if part.name in seen else part.name
        seen.add(name)
        found.append(replace(part, name=name))
    return found
