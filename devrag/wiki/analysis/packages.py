"""Groups the code into parts a reader would name: packages, or big modules of one.

A part is a directory (with what is too small below it) or, where everything lies in one
flat package, one of its substantial modules, or files of a crowded directory that
belong together. Names are paths, so that a commit elsewhere renames nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from devrag.wiki.analysis.survey import SurveyFile

_SPLIT_ABOVE = 40
_SMALLEST_FILES = 2
_SMALLEST_LINES = 60
_SMALLEST_SHARE = 400
_FLAT_SHARE = 0.4
_FLAT_MODULES = 4
_SIBLINGS_AT_MOST = 12  # more small packages side by side are one family
_FAMILY_FILES = 10
_MODULE_LINES = 120
_MODULES_AT_MOST = 16


TOP_LEVEL = "top level"


@dataclass(frozen=True, slots=True)
class Part:
    """A package or module. path: its directory, or the file that gives its name.

    is_titled: the name is a title that people gave it, not a path.
    """

    source: str
    path: str
    name: str
    files: tuple[SurveyFile, ...]
    is_titled: bool = False

    @property
    def lines(self) -> int:
        return sum(file.lines for file in self.files)


Crowds = Callable[[Sequence[SurveyFile]], list[list[SurveyFile]]]


def group_parts(
    files: Iterable[SurveyFile],
    is_wanted: Callable[[Part], bool],
    groups_in: Crowds = lambda _files: [],
) -> list[Part]:
    """Return the parts of a product's code files, each file in at most one part.

    is_wanted: says whether there is anything to tell of a part. groups_in: finds what
    belongs together among files that lie beside each other.
    """
    by_source: dict[str, list[SurveyFile]] = defaultdict(list)
    for file in files:
        by_source[file.source].append(file)
    parts = [
        part
        for _, own in sorted(by_source.items())
        for part in _parts_of_source(own, groups_in)
    ]
    return _named([part for part in parts if is_wanted(part)])


def without(parts: Iterable[Part], taken: Collection[int]) -> list[Part]:
    """Return the parts without files that others have; names stay as they are."""
    left = (
        replace(part, files=tuple(f for f in part.files if f.id not in taken))
        for part in parts
    )
    return [part for part in left if part.files]


def attach(parts: Iterable[Part], files: Iterable[SurveyFile]) -> list[Part]:
    """Give files that follow other code (templates, migrations) to the part they serve.

    That is the nearest part above them, else the one part of their source whose name
    is a directory on their path (`templates/search/` serves `search`).
    """
    known = list(parts)
    added: dict[int, list[SurveyFile]] = defaultdict(list)
    for file in files:
        index = _above(known, file)
        if index is None:
            index = _namesake(known, file)
        if index is not None:
            added[index].append(file)
    return [
        replace(part, files=(*part.files, *added[index]))
        for index, part in enumerate(known)
    ]


def _above(parts: list[Part], file: SurveyFile) -> int | None:
    holders = [
        (len(part.path), index)
        for index, part in enumerate(parts)
        if part.path and part.source == file.source
        if file.path.startswith(f"{part.path}/")
    ]
    return max(holders)[1] if holders else None


def _namesake(parts: list[Part], file: SurveyFile) -> int | None:
    pieces = set(file.directory.split("/"))
    same = [
        index
        for index, part in enumerate(parts)
        if part.source == file.source and part.path.rpartition("/")[2] in pieces
    ]
    return same[0] if len(same) == 1 else None


def _parts_of_source(files: list[SurveyFile], groups_in: Crowds) -> list[Part]:
    trunk = _trunk(files)
    ordered = sorted(files, key=lambda f: f.path)
    inside = [f for f in ordered if not trunk or f.path.startswith(f"{trunk}/")]
    aside = [f for f in ordered if trunk and not f.path.startswith(f"{trunk}/")]
    smallest = max(_SMALLEST_LINES, sum(f.lines for f in files) // _SMALLEST_SHARE)
    parts = _split(trunk, inside, smallest, is_root=True)
    parts += _split("", aside, smallest, is_root=True)
    split = _split_flat(parts, groups_in)
    return [replace(part, name=_name(part, trunk)) for part in split]


def _trunk(files: Sequence[SurveyFile]) -> str:
    """Return the directory below which the code branches out."""
    trunk = ""
    while True:
        children = _children(trunk, files)
        direct = [f for f in files if f.directory == trunk]
        heavy = [c for c, own in children.items() if 5 * len(own) >= 4 * len(files)]
        if not heavy or len(direct) > len(files) // 5:
            return trunk
        trunk = heavy[0]


def _children(
    directory: str, files: Iterable[SurveyFile]
) -> dict[str, list[SurveyFile]]:
    prefix = f"{directory}/" if directory else ""
    children: dict[str, list[SurveyFile]] = defaultdict(list)
    for file in files:
        if file.path.startswith(prefix) and "/" in file.path[len(prefix) :]:
            head = file.path[len(prefix) :].split("/", 1)[0]
            children[prefix + head].append(file)
    return dict(children)


def _split(
    directory: str, files: list[SurveyFile], smallest: int, *, is_root: bool = False
) -> list[Part]:
    if not files:
        return []
    children = _children(directory, files)
    big = {path: own for path, own in children.items() if not _is_tiny(own, smallest)}
    keeps_together = len(files) <= _SPLIT_ABOVE or _is_family(big.values())
    if not big or (not is_root and keeps_together):
        return [_part(directory, files)]
    taken = {file.id for own in big.values() for file in own}
    rest = [file for file in files if file.id not in taken]
    parts = [_part(directory, rest)] if rest else []
    for path in sorted(big):
        parts.extend(_split(path, big[path], smallest))
    return parts


def _is_family(siblings: Collection[Sequence[SurveyFile]]) -> bool:
    """Return whether many packages side by side are small.

    One page then describes them all.
    """
    sizes = sorted(map(len, siblings))
    many = len(sizes) > _SIBLINGS_AT_MOST
    return many and sizes[len(sizes) // 2] <= _FAMILY_FILES


def _is_tiny(files: list[SurveyFile], smallest: int) -> bool:
    lines = sum(file.lines for file in files)
    return len(files) < _SMALLEST_FILES or lines < smallest


def _part(path: str, files: Sequence[SurveyFile]) -> Part:
    return Part(files[0].source, path, "", tuple(files))


def _split_flat(parts: list[Part], groups_in: Crowds) -> list[Part]:
    """Part crowds by what belongs together, else most of the code by its modules."""
    total = sum(part.lines for part in parts)
    split: list[Part] = []
    for part in parts:
        direct = [file for file in part.files if file.directory == part.path]
        if groups := groups_in(direct):
            split.extend(_communities(part, groups))
        else:
            is_most = part.lines >= _FLAT_SHARE * total
            split.extend(_modules(part) if is_most else [part])
    return split


def _communities(part: Part, groups: Sequence[Sequence[SurveyFile]]) -> list[Part]:
    taken = {file.id for group in groups for file in group}
    rest = [file for file in part.files if file.id not in taken]
    parts = [_part(group[0].path, group) for group in groups]
    return ([_part(part.path, rest)] if rest else []) + parts


def _modules(part: Part) -> list[Part]:
    direct = [
        f
        for f in part.files
        if f.lines >= _MODULE_LINES
        and f.directory == part.path
        and f.stem != "__init__"
    ]
    if len(direct) < _FLAT_MODULES:
        return [part]
    direct.sort(key=lambda f: (-f.lines, f.path))
    chosen = {file.id for file in direct[:_MODULES_AT_MOST]}
    rest = [file for file in part.files if file.id not in chosen]
    modules = [_part(f.path, [f]) for f in part.files if f.id in chosen]
    return ([_part(part.path, rest)] if rest else []) + modules


def _named(parts: list[Part]) -> list[Part]:
    """Make names unique: by their source where several have one, else by their path."""
    parts = _renamed(parts, {id(p): f"{p.source}/{p.name}" for p in parts})
    return _renamed(parts, {id(p): f"{p.source}/{p.path}" for p in parts})


def _renamed(parts: list[Part], longer: Mapping[int, str]) -> list[Part]:
    known = Counter(part.name for part in parts)
    return [replace(p, name=longer[id(p)]) if known[p.name] > 1 else p for p in parts]


def _name(part: Part, trunk: str) -> str:
    """Return the part's path below the trunk, without a module's ending."""
    if not part.path:
        return TOP_LEVEL
    if part.path == trunk:
        return trunk.rpartition("/")[2]
    inside = part.path.removeprefix(f"{trunk}/") if trunk else part.path
    folder, _, last = inside.rpartition("/")
    last = next((f.stem for f in part.files if f.path == part.path), last)
    return f"{folder}/{last}" if folder else last
