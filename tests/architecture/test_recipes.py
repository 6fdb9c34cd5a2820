"""The recipes of CONTRIBUTING: what they name exists, and their registries agree.

Each test follows a recipe: it fails when one of its files is forgotten. What another
test compares already (MCP tools, settings, columns, benchmarks) has none here.
"""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from typing import get_args

import django
import pytest
from django.conf import settings
from django.utils.translation import to_locale

from devrag.api.products import WikiSettings
from devrag.api.sources import NewSource
from devrag.api.versions import InLanguage
from devrag.core.languages import spell_language
from devrag.llm.chat_registry import CHAT_ADAPTERS, DEFAULT_MODELS
from devrag.llm.embedding_registry import EMBEDDERS
from devrag.parsing.api import detect_language
from devrag.parsing.documents.office_text import OFFICE_LANGUAGES
from devrag.parsing.facts.registry import CODE_DETECTORS, code_facts
from devrag.parsing.languages.outlines import OUTLINES
from devrag.parsing.languages.registry import PARSERS
from devrag.products import wiki_settings
from devrag.search.models import LOCAL_PROVIDER
from devrag.search.semantic.specs import remote_endpoints
from devrag.sources.connectors.registry import CONNECTORS, open_connector
from devrag.sources.models import Source
from devrag.spending.model_settings import endpoint_of
from devrag.use_cases.workflows import WORKFLOWS
from devrag.web.model_forms import PROVIDERS
from devrag.web.pages import jobs, language_model, models
from devrag.web.settings_forms import ProductForm
from devrag.wiki.planning.page_kind import PageKind
from devrag.wiki.wording import WORDINGS
from devrag.wiki.writing.page_kinds import PAGE_KINDS
from devrag.wiki.writing.structural.context import PageContext
from tests.architecture.modules import ROOT
from tests.operations.test_model_keys import CHAT_KEYS, EMBEDDING_KEYS
from tests.parsing.cases import PATHS
from tests.parsing.test_outlines import SNIPPETS
from tests.parsing.test_properties import CODE_LANGUAGES

PAGE = (ROOT / "CONTRIBUTING.md").read_text()
# Code in one line, without blanks: a path or a name.
_SPANS = set(re.findall(r"`([^`\s]+)`", re.sub(r"```.*?```", "", PAGE, flags=re.S)))
_TOP_FILES = {path.name for path in ROOT.iterdir() if path.is_file()}
_FOLDERS = ("benchmarks", "devrag", "docs", "requirements", "scripts", "templates")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")


@cache
def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def assigned(path: str, name: str) -> ast.expr:
    """Return what a module assigns to a name, without running it."""
    for node in ast.parse(text_of(path)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return node.value
    raise AssertionError(f"{path} has no {name}")


def strings_in(node: ast.AST) -> set[str]:
    constants = (n for n in ast.walk(node) if isinstance(n, ast.Constant))
    return {n.value for n in constants if isinstance(n.value, str)}


def is_path(span: str) -> bool:
    first = span.partition("/")[0]
    is_inside = "/" in span and first in {*_FOLDERS, "tests"}
    return is_inside or span in _TOP_FILES or bool(re.fullmatch(r"[\w/-]+\.\w+", span))


PATHS_NAMED = sorted(span for span in _SPANS if is_path(span) and not span[0].isupper())


# -- what the page names ---------------------------------------------------------------


def test_every_recipe_names_paths() -> None:
    recipes = re.split(r"^\*\*", PAGE.partition("## Recipes")[2], flags=re.MULTILINE)
    assert len(recipes) > 15
    assert [r[:40] for r in recipes if not any(p in r for p in PATHS_NAMED)] == []


def test_the_paths_in_the_recipes_exist() -> None:
    patterns = [re.sub(r"<[\w-]+>", "*", path).rstrip("/") for path in PATHS_NAMED]
    assert [pattern for pattern in patterns if not any(ROOT.glob(pattern))] == []


@cache
def words_of_the_code() -> frozenset[str]:
    folders = ("devrag", "tests", "scripts", "benchmarks", "templates")
    paths = [p for folder in folders for p in (ROOT / folder).rglob("*.*")]
    read = (".py", ".html", ".toml", ".proto")
    texts = [p.read_text() for p in paths if p.suffix in read and p != Path(__file__)]
    texts += [text_of(name) for name in ("docker-compose.yml", "pyproject.toml")]
    return frozenset(re.findall(r"\w+", "\n".join([*texts, text_of("Makefile")])))


def is_name_known(span: str) -> bool:
    return set(re.findall(r"\w+", span)) <= words_of_the_code()


def test_a_name_in_the_recipes_exists() -> None:
    names = [span for span in _SPANS if _NAME.fullmatch(span) and not is_path(span)]
    assert "understand_location" in names
    assert [name for name in names if not is_name_known(name)] == []


@pytest.mark.parametrize(
    ("name", "path"), sorted(set(re.findall(r"`([\w.]+)` (?:in|of) `([\w./]+)`", PAGE)))
)
def test_a_name_stands_where_the_recipe_says(name: str, path: str) -> None:
    words = set(re.findall(r"\w+", text_of(path)))
    assert set(name.split(".")) <= words


# -- a connector -----------------------------------------------------------------------

# Files that are uploaded have no location, and nobody chooses their kind.
LOCATED = sorted(set(CONNECTORS) - {"upload"})


def test_source_types_are_the_connectors() -> None:
    assert set(Source.Type.values) == set(CONNECTORS)


@pytest.mark.parametrize("kind", LOCATED)
def test_a_connector_is_tested_and_told_where_people_choose_it(kind: str) -> None:
    folder = ROOT / "tests" / "sources"
    assert (folder / f"test_{kind}.py").exists() or (folder / kind).is_dir()
    places = {
        "open_connector": open_connector.__doc__ or "",
        "--type": _help_of_type(),
        "sourceType": NewSource.model_fields["source_type"].description or "",
        "commands.md": _row_of("docs/guide/commands.md", "`add` | `--product`"),
    }
    missing = [p for p, said in places.items() if not re.search(rf"\b{kind}\b", said)]
    assert missing == []


def _help_of_type() -> str:
    found = re.search(
        r'"--type",\s+help=((?:\s*"[^"]+")+)', text_of("devrag/cli/commands/source.py")
    )
    return found[1] if found else ""


def _row_of(path: str, start: str) -> str:
    (row,) = [line for line in text_of(path).splitlines() if start in line]
    return row


def test_a_location_without_a_type_can_be_of_every_connector() -> None:
    # The form in the browser has no choice: what is typed says what it is.
    text = text_of("devrag/use_cases/locations.py")
    chosen = set(re.findall(r"Source\.Type\.([A-Z]+)", text))
    assert {Source.Type[name].value for name in chosen} == set(LOCATED)


# -- a language ------------------------------------------------------------------------

# Their text is extracted; `pdfs.py`, `office_files.py` in `tests/parsing` make them.
_MADE_BY_TESTS = {"pdf", *OFFICE_LANGUAGES}


def _detected() -> set[str]:
    return {detect_language(path).name for path in [*PATHS.values(), *SNIPPETS]}


def test_every_parsed_language_has_a_fixture_or_a_snippet() -> None:
    assert set(PARSERS) - _detected() - _MADE_BY_TESTS == set()


def _in_full() -> dict[str, str]:
    """Return the languages whose facts are told, each with the name of its spec."""
    found = {}
    for name, parse in PARSERS.items():
        if getattr(parse, "keywords", {}).get("detect") is code_facts:
            found[name] = parse.args[0].name  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize(("name", "spec"), _in_full().items())
def test_a_language_in_full_has_detectors_and_a_line_in_the_guide(
    name: str, spec: str
) -> None:
    assert spec in CODE_DETECTORS
    assert name in {*CODE_LANGUAGES, *(detect_language(p).name for p in SNIPPETS)}
    row = _row_of("docs/guide/code.md", "definitions with every field")
    assert re.search(rf"(?<!\w){re.escape(spell_language(name))}(?!\w)", row)
    assert name not in OUTLINES


# -- a page kind of the wiki -----------------------------------------------------------

TOPICS = [kind for kind in PAGE_KINDS if kind.name not in {"index", "feature"}]


def test_page_kinds_have_names_and_paths_of_their_own() -> None:
    assert len({kind.name for kind in PAGE_KINDS}) == len(PAGE_KINDS)
    assert len({kind.path for kind in PAGE_KINDS}) == len(PAGE_KINDS)
    assert [kind.name for kind in PAGE_KINDS if kind.files is None] == ["feature"]


@pytest.mark.parametrize("kind", TOPICS, ids=lambda kind: kind.name)
def test_a_page_kind_has_a_title_and_a_summary_in_every_language(
    kind: PageKind[PageContext],
) -> None:
    assert kind.title
    assert [other.name for other in TOPICS if other.summary == kind.summary] == [
        kind.name
    ]
    for language in set(WORDINGS) - {"en"}:
        assert {kind.title, kind.summary} <= set(kind.wording[language])


# -- an embedding API, a language model's API ------------------------------------------


def choices_of(setting: str) -> set[str]:
    """Return the values that a setting takes."""
    value = assigned("devrag/settings/models.py", setting)
    (listed,) = [node for node in ast.walk(value) if isinstance(node, ast.List)]
    return strings_in(listed) - {""}


def comment_above(setting: str) -> str:
    """Return what `.env.example` says of a setting."""
    before = text_of(".env.example").partition(f"\n#{setting}=")[0].splitlines()
    said = [before.pop()] if before else []
    while said[0].startswith("# ") and before[-1].startswith("# "):
        said.insert(0, before.pop())
    return "\n".join(said)


def assert_key_is_kept_from_tests(key: str) -> None:
    """A key is described, handed to containers, and empty wherever tests run."""
    assert re.search(rf"^#{key}=", text_of(".env.example"), re.MULTILINE)
    assert f"{key}= " in f"{_row_of('Makefile', 'KEYLESS := ')} "
    assert key in strings_in(assigned("tests/services.py", "KEYS"))


def test_the_setting_takes_every_embedding_provider() -> None:
    assert choices_of("EMBEDDING_PROVIDER") == set(EMBEDDERS)


@pytest.mark.parametrize("provider", EMBEDDERS)
def test_an_embedding_provider_is_told_everywhere(provider: str) -> None:
    word = re.compile(rf"\b{provider}\b")
    assert word.search(comment_above("EMBEDDING_PROVIDER"))
    assert word.search(text_of("docs/guide/embeddings.md"))
    assert word.search(_row_of("scripts/schema.toml", "Who embeds"))
    command = text_of("devrag/search/management/commands/embeddings.py")
    assert re.search(rf'help="For use and drop:[^"]*\b{provider}\b', command)


_KEYS = re.findall(r"^#(\w+_API_KEY)=", text_of(".env.example"), re.MULTILINE)


@pytest.mark.parametrize("key", _KEYS)
def test_no_key_reaches_tests_or_the_demo(key: str) -> None:
    assert_key_is_kept_from_tests(key)


@pytest.mark.parametrize("provider", sorted({*EMBEDDERS} - {LOCAL_PROVIDER}))
def test_a_remote_embedding_provider_has_an_address_and_a_title(provider: str) -> None:
    endpoint = remote_endpoints()[provider]
    assert provider in models._TITLES
    assert re.search(rf"^#{endpoint.url_setting}=", text_of(".env.example"), re.M)
    if endpoint.key_setting:
        assert EMBEDDING_KEYS[provider] == endpoint.key_setting
        assert_key_is_kept_from_tests(endpoint.key_setting)


def test_the_setting_takes_every_language_model_provider() -> None:
    assert choices_of("LLM_PROVIDER") == {"structural", *CHAT_ADAPTERS}
    assert set(DEFAULT_MODELS) == set(CHAT_ADAPTERS)


@pytest.mark.parametrize("provider", CHAT_ADAPTERS)
def test_a_language_model_provider_is_told_everywhere(provider: str) -> None:
    assert provider in language_model.TITLES
    assert provider in dict(PROVIDERS)
    assert provider in comment_above("LLM_PROVIDER")
    assert DEFAULT_MODELS[provider] in comment_above("LLM_MODEL")
    guide = text_of("docs/guide/language-models.md")
    assert provider in guide
    assert DEFAULT_MODELS[provider] in guide
    assert re.search(rf"LLM_PROVIDER to [^.]*\b{provider}\b", _messages())
    assert CHAT_KEYS[provider] == endpoint_of(provider).key_setting
    assert_key_is_kept_from_tests(CHAT_KEYS[provider])


def _messages() -> str:
    return text_of("devrag/spending/language_model.py")


# -- a kind of job ---------------------------------------------------------------------


def test_every_kind_of_job_has_a_title() -> None:
    assert set(jobs._KINDS) == set(WORKFLOWS)


def test_every_queue_of_a_phase_has_a_worker() -> None:
    served = re.findall(r'"-Q", f?"([^"]+)"', text_of("devrag/settings/processes.py"))
    queues = {phase.queue for each in WORKFLOWS.values() for phase in each.phases}
    assert queues - set(",".join(served).split(",")) == set()


# -- an MCP tool -----------------------------------------------------------------------


def test_every_tool_is_asked_about_hidden_products() -> None:
    from devrag.mcp.tools.registry import TOOLS
    from tests.mcp.test_hidden import NAMED, UNNAMED

    assert {*NAMED, *UNNAMED} == set(TOOLS)


# -- a language of the interface, a language of the wiki -------------------------------

LANGUAGES = [code for code, _ in settings.LANGUAGES]
TRANSLATED = [code for code in LANGUAGES if code != "en"]


def test_every_language_of_the_interface_has_a_catalogue() -> None:
    folders = (ROOT / "devrag" / "locale").glob("*/LC_MESSAGES/django.mo")
    assert {p.parents[1].name for p in folders} == set(map(to_locale, TRANSLATED))


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_catalogue_has_the_plural_rule_of_djangos_own(code: str) -> None:
    place = Path(to_locale(code)) / "LC_MESSAGES" / "django.mo"
    theirs = Path(django.__file__).parent / "conf" / "locale" / place
    rules = [
        _header(path)["plural-forms"].replace(" ", "")
        for path in (ROOT / "devrag" / "locale" / place, theirs)
    ]
    assert rules[0] == rules[1]
    assert _header(ROOT / "devrag" / "locale" / place)["language"] == to_locale(code)


def _header(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        return GNUTranslations(file).info()


def test_every_language_of_the_interface_is_pictured() -> None:
    locales = assigned("scripts/screenshots.py", "LOCALES")
    assert isinstance(locales, ast.Dict)
    keys = [key.value for key in locales.keys if isinstance(key, ast.Constant)]
    assert keys == LANGUAGES


def test_the_wiki_is_offered_in_every_language_of_the_interface() -> None:
    assert set(wiki_settings.LANGUAGES) == set(LANGUAGES)
    in_form = {code for code, _ in ProductForm.base_fields["language"].choices}
    api = WikiSettings.model_fields["language"].annotation
    pairs = {f"{one},{other}" for one in LANGUAGES for other in LANGUAGES}
    offered = {*LANGUAGES, *(p for p in pairs if len(set(p.split(","))) == 2)}
    assert in_form == offered
    assert {code for part in get_args(api) for code in get_args(part)} == offered
    sides = InLanguage.model_fields["language"].annotation
    assert set(get_args(sides)) == {"", *LANGUAGES}


# -- a dependency ----------------------------------------------------------------------


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    reasons = text_of("docs/decisions/0001-dependencies.md")
    names = [re.split(r"[\[<>~=]", line)[0] for line in project["dependencies"]]
    assert [
        n for n in names if not re.search(rf"(?<![\w-]){n}(?![\w-])", reasons)
    ] == []
