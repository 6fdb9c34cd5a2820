"""Decide whether the code contradicts a statement; None for whatever is not certain.

Pure. A name counts as gone only where no code of the product has it in any spelling,
tests and examples included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from devrag.core.conflict_names import (
    COMMAND,
    DEFAULT,
    ENVIRONMENT,
    OPTION,
    PATH,
    PORT,
    ROUTE,
    SYMBOL,
    VERSION,
)
from devrag.parsing.path_roles import is_aside, is_test
from devrag.wiki.conflicts.routes import contradicts_routes
from devrag.wiki.conflicts.types import (
    CodeFact,
    CodeIndex,
    CodeLines,
    Contradiction,
    NamePlace,
    StatementFacts,
)
from devrag.wiki.conflicts.values import is_literal, literals_in, normalised

_FEWEST_COMMANDS = 3
_FEWEST_VARIABLES = 2
_FEWEST_OPTIONS = 5
_FEWEST_SYMBOLS = 3
_LEAST_PORT = 9
_MOST_LONGER = 4
_ALIKE, _VERY_ALIKE = 0.75, 0.85
_CAMEL = re.compile(r"[a-z][A-Z]|_")
_LEAST = re.compile(r"^\s*(?:>=|\^|~>|~=)?\s*v?(\d+(?:\.\d+){0,2})")
_BESIDE = re.compile(
    r"(^|/)(t|benchmarks?|bench|docs?|contrib|extras?|tools|scripts|integration"
    r"|\.[\w-]+)/|\.(sample|example|in|j2)$"
)
_PORT = re.compile(r"(^|[_-])port$", re.IGNORECASE)
_GLOBAL = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
_GENERIC_FOLDERS = {
    *("src", "app", "lib", "config", "docs", "doc", "templates", "static", "public"),
    *("tests", "test", "examples", "scripts", "bin", "data", "assets", "views"),
    *("models", "plugins", "pages", "components", "packages", "dist", "build", "logs"),
}
# Endings of what a language counts as one of its dependencies.
_MEANT = {"python", "node", "go", "ruby", "rust", "php", "java"}


def contradicts(
    path: str, said: StatementFacts, code: CodeIndex
) -> Contradiction | None:
    """Return what the code has instead of what a document says."""
    if said.own is not None:
        place = CodeLines(path, said.own.line, said.own.line)
        return Contradiction(said, path, said.own.value, place)
    found = _DETECTORS[said.kind](said, code)
    if found is None:
        return None
    return Contradiction(said, path, *found)


Found = tuple[str, CodeLines | None]


def _of_code(places: Iterable[tuple[str, NamePlace]]) -> list[tuple[str, NamePlace]]:
    return [each for each in places if _is_of_product(each[0])]


def _is_of_product(path: str) -> bool:
    return not (is_test(path) or is_aside(path) or _BESIDE.search(path))


def _at(path: str, place: NamePlace) -> CodeLines:
    return CodeLines(path, place.line, place.line)


def _of_fact(fact: CodeFact) -> CodeLines:
    return CodeLines(fact.path, fact.start_line, fact.end_line)


def _is_known(said: StatementFacts, code: CodeIndex) -> bool:
    return any(name in code.by_name for name in said.names)


def default(said: StatementFacts, code: CodeIndex) -> Found | None:
    """A default differs where all of the code that sets a name sets it to one value."""
    name = said.subject
    values = [
        (str(fact.data.get("default") or ""), _of_fact(fact))
        for fact in code.settings_by_name.get(name, ())
        if not fact.data.get("set_in") and _is_of_product(fact.path)
    ]
    if not any(value for value, _ in values):
        places = _of_code(code.by_name[name])
        if any(p.is_computed or normalised(p.value) == "none" for _, p in places):
            return None
        values = [(p.value, _at(path, p)) for path, p in places if p.value]
    elif not all(is_literal(value) or _is_word(value) for value, _ in values if value):
        return None
    told = {normalised(value) for value, _ in values if value}
    # A name in capitals means the same wherever it is set.
    most = 2 if _GLOBAL.fullmatch(name) else 1
    if not 1 <= len(told) <= most or normalised(said.value) in told:
        return None
    actual, place = next(each for each in values if each[0])
    if _is_same_switch(actual, said.value) or told & literals_in(said.text):
        return None
    return actual, place


def _is_same_switch(one: str, other: str) -> bool:
    """Return whether both are words for "on", or for "off" or "not set"."""
    both = {normalised(one), normalised(other)}
    return both <= {"false", "none", "", "0"} or both <= {"true", "1"}


def _is_word(value: str) -> bool:
    return re.fullmatch(r"[\w./:-]+", value) is not None


def environment(said: StatementFacts, code: CodeIndex) -> Found | None:
    """A variable is gone where others with its prefix are read, and it is not."""
    name = said.subject
    if _is_known(said, code):
        return None
    prefix = name.partition("_")[0] + "_"
    if len(code.variables.get(prefix, ())) < _FEWEST_VARIABLES:
        return None
    is_built = _is_built(prefix, code)
    nearest = code.nearest_variable(name, 0.8 if is_built else _ALIKE)
    if not nearest:
        return None if is_built else ("", None)
    return nearest, _of_fact(code.settings_by_name[nearest][0])


def _is_built(prefix: str, code: CodeIndex) -> bool:
    """Return whether code joins names of variables: it has their prefix alone."""
    return bool({prefix, prefix.rstrip("_")} & code.by_name.keys())


def route(said: StatementFacts, code: CodeIndex) -> Found | None:
    """A route is gone where its neighbours are declared, and it is not."""
    routes = [
        fact
        for fact in code.by_kind["route"]
        if not (is_test(fact.path) or is_aside(fact.path))
    ]
    found = contradicts_routes(said.subject, routes)
    if found is None:
        return None
    actual, fact = found
    return actual, _of_fact(fact)


def _programs(code: CodeIndex) -> set[str]:
    """Return names of the programs that the product installs."""
    kinds = {"console_script", "binary", "bin", "module"}
    return {
        fact.name
        for fact in code.by_kind["entry_point"]
        if fact.data.get("type") in kinds and not is_aside(fact.path)
    }


def command(said: StatementFacts, code: CodeIndex) -> Found | None:
    """A subcommand or make target that its program does not have."""
    program, _, name = said.subject.rpartition(" ")
    if program == "make":
        return _target(name, code)
    facts = {f.name.rpartition(" ")[2]: f for f in code.by_kind["command"]}
    is_there = name in facts or not code.symbols.isdisjoint(said.names)
    if program not in _programs(code) or len(facts) < _FEWEST_COMMANDS or is_there:
        return None
    # People add commands of their own to programs, so that a name alone is no error.
    floor = 0.7 if _is_known(said, code) else 0.6
    nearest = get_close_matches(name, facts, 1, floor)
    return (nearest[0], _of_fact(facts[nearest[0]])) if nearest else None


def _target(name: str, code: CodeIndex) -> Found | None:
    names = {fact.name: fact for fact in code.by_kind["make_target"]}
    makefiles = (p for p, _ in code.by_name[name] if re.search(r"[Mm]akefile|\.mk", p))
    is_there = name in names or any(makefiles)
    if len(names) < _FEWEST_COMMANDS or is_there or any("%" in each for each in names):
        return None
    nearest = get_close_matches(name, names, 1, 0.6)
    return (nearest[0], _of_fact(names[nearest[0]])) if nearest else ("", None)


def option(said: StatementFacts, code: CodeIndex) -> Found | None:
    """An option is gone where its program is the product's, or one is named alike.

    An option of one word is looked for with its dashes, if code writes options so.
    """
    program, _, name = said.subject.rpartition(" ")
    declared = code.options
    is_word = "-" not in name[2:] and len(declared) >= _FEWEST_OPTIONS
    dashed = {each for each in said.names if each.startswith("--")}
    if dashed & code.by_name.keys() or (_is_known(said, code) and not is_word):
        return None
    is_own = program in _programs(code)
    if program and not is_own:
        return None
    nearest = code.option_spellings.nearest(name, _ALIKE)
    if nearest:
        return nearest, declared[nearest]
    return ("", None) if is_own else None


def path(said: StatementFacts, code: CodeIndex) -> Found | None:
    """A file is gone where its folder is there and nothing has its name."""
    folder, _, name = said.subject.rpartition("/")
    if code.file_names.get(name) or name in code.by_name:
        return _moved(said.subject, code)
    siblings = code.folders.get(folder)
    if not siblings:
        return None
    ending = name.rpartition(".")[2]
    alike = [each for each in siblings if each.endswith(f".{ending}")]
    nearest = get_close_matches(name, alike, 1, 0.6)
    if nearest:
        found = f"{folder}/{nearest[0]}"
        return found, CodeLines(found, 1, 1)
    is_generic = folder in _GENERIC_FOLDERS or "test" in folder
    return None if is_generic or not alike else ("", None)


def _moved(path: str, code: CodeIndex) -> Found | None:
    """Return the only place of a file that is somewhere else than said."""
    folder, _, name = path.rpartition("/")
    there = code.file_names.get(name, [])
    if len(there) != 1 or there[0].endswith(path) or path.endswith(there[0]):
        return None
    top = path.partition("/")[0]
    is_of_product = top in code.tops or folder in code.folders
    if not is_of_product or top == "tests" or name in {"__init__.py", "index.js"}:
        return None
    return there[0], CodeLines(there[0], 1, 1)


def symbol(said: StatementFacts, code: CodeIndex) -> Found | None:
    """A name is gone where it is the product's, and no code has its last part."""
    first, _, rest = said.subject.partition(".")
    last = said.subject.rpartition(".")[2]
    if last in code.by_name or len(last) < _FEWEST_SYMBOLS:
        return None
    is_class = first[:1].isupper() and first in code.symbols
    is_sure = first in code.tops and bool(rest)
    floor = _ALIKE if is_sure else _VERY_ALIKE
    nearest = code.symbol_spellings.nearest(last, floor, _MOST_LONGER)
    if not rest:
        is_distinct = bool(nearest) and _CAMEL.search(last) is not None
        return (nearest, _place_of(nearest, code)) if is_distinct else None
    if not is_sure and not is_class:
        return None
    # A class may inherit what it has from a library.
    if nearest or is_class:
        return (nearest, _place_of(nearest, code)) if nearest else None
    return "", None


def _place_of(name: str, code: CodeIndex) -> CodeLines | None:
    places = code.by_name.get(name)
    return _at(*places[0]) if places else None


def version(said: StatementFacts, code: CodeIndex) -> Found | None:
    """A least version that differs from the one that the product's manifest has."""
    name = "node" if said.subject == "node" else said.subject
    facts = [
        fact
        for fact in code.by_kind["dependency"]
        if fact.data.get("group") == "platform" and fact.name == name
        if name in _MEANT and "/" not in fact.path
    ]
    told = {
        match[1]: fact
        for fact in facts
        if (match := _LEAST.match(str(fact.data.get("spec") or "")))
    }
    found = {number: _of_fact(fact) for number, fact in told.items()}
    if not found and name == "python":
        found = _of_setup(code)
    if len(found) != 1:
        return None
    ((number, place),) = found.items()
    if _parts(number, said.value) == _parts(said.value, number):
        return None
    return number, place


def _of_setup(code: CodeIndex) -> dict[str, CodeLines]:
    places = [each for each in code.by_name[REQUIRES] if each[0] == "setup.py"]
    return {
        match[1]: _at(path, place)
        for path, place in places
        if (match := _LEAST.match(normalised(place.value)))
    }


REQUIRES = "python_requires"


def _parts(number: str, other: str) -> list[int]:
    """Return the parts of a version that both versions have."""
    count = min(number.count("."), other.count(".")) + 1
    return [int(part) for part in number.split(".")[:count]]


def port(said: StatementFacts, code: CodeIndex) -> Found | None:
    """A port differs where the code has only one and never the one that is said."""
    if _of_code(code.by_name[said.value]):
        return None
    found: dict[str, CodeLines] = {}
    for value, place in _ports(code):
        if value.isdigit() and int(value) > _LEAST_PORT:
            found.setdefault(value, place)
    return next(iter(found.items())) if len(found) == 1 else None


def _ports(code: CodeIndex) -> Iterable[tuple[str, CodeLines]]:
    for fact in code.by_kind["setting"]:
        if _PORT.search(fact.name) and _is_of_product(fact.path):
            yield normalised(str(fact.data.get("default") or "")), _of_fact(fact)
    options = [each for each in code.by_name if each.endswith("-port")]
    for name in (*PORT_NAMES, *options):
        for path, place in _of_code(code.by_name[name]):
            yield normalised(place.value), _at(path, place)


# Names that ports have; they are looked for beside those of the statements.
PORT_NAMES = (
    *("port", "PORT", "Port", "DEFAULT_PORT", "default_port", "DefaultPort"),
    *("defaultPort", "http_port", "HTTP_PORT", "SERVER_PORT", "listen_port"),
)

_DETECTORS: dict[str, Callable[[StatementFacts, CodeIndex], Found | None]] = {
    DEFAULT: default,
    ENVIRONMENT: environment,
    ROUTE: route,
    COMMAND: command,
    OPTION: option,
    PATH: path,
    SYMBOL: symbol,
    VERSION: version,
    PORT: port,
}
