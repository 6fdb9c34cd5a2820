"""Settings are found in code and documents, with meaning, default and place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.settings import Setting, settings_of
from devrag.wiki.analysis.settings.documented import options_in_help
from tests.wiki.shop import DictTexts, analyse, survey_of


def found(files: Mapping[str, str]) -> dict[str, dict[str, Setting]]:
    """Return kind → name → setting."""
    grouped: dict[str, dict[str, Setting]] = {}
    for group in settings_of(analyse(files)):
        own = {setting.name: setting for setting in group.settings}
        grouped.setdefault(group.kind, {}).update(own)
    return grouped


ENVIRONMENT = {
    "shop/run.py": "import os\n\nfrom shop.read import from_env\n\n"
    'HOST = os.environ.get("SHOP_HOST", "localhost")\n'
    'PORT = from_env("SHOP_PORT")\n'
    "# The currency of all prices.\n"
    'MONEY = os.environ["SHOP_CURRENCY"]\n',
    ".env.example": "# Which host is bound.\nSHOP_HOST=0.0.0.0\nSHOP_MODE=dev\n",
    "docs/guide.md": "# Guide\n\nSet `SHOP_PORT` to the port of the web server.\n",
    "tools/make.py": 'import os\n\nX = os.environ["TOOL_ONLY"]\n',
}


def test_a_variable_is_told_where_it_is_read_with_its_default() -> None:
    host = found(ENVIRONMENT)["environment"]["SHOP_HOST"]
    assert (host.place.start, host.is_set, host.default) == (5, False, "localhost")


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("SHOP_CURRENCY", "The currency of all prices."),
        ("SHOP_PORT", "Set `SHOP_PORT` to the port of the web server."),
    ],
    ids=["comment", "document"],
)
def test_a_variable_has_the_words_beside_it_or_of_a_document(
    name: str, meaning: str
) -> None:
    assert found(ENVIRONMENT)["environment"][name].meaning == meaning


def test_what_only_configuration_sets_is_marked_so() -> None:
    assert found(ENVIRONMENT)["environment"]["SHOP_MODE"].is_set


def test_scripts_for_development_have_no_settings_of_the_product() -> None:
    assert "TOOL_ONLY" not in found(ENVIRONMENT)["environment"]


ARGPARSE = """import argparse
import os

HOST = os.environ.get("SHOP_HOST")


def parse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-p",
        "--port",
        default=8000,
        help="Port that is "
        "bound.",
    )
    parser.add_argument("--host", help="Host, else SHOP_HOST is taken.")
"""
CLICK = """import click


@click.command()
@click.option("--quiet", is_flag=True, help="Print nothing.")
def serve(quiet):
    \"\"\"Serve pages.\"\"\"
"""


def test_options_have_their_help_and_default() -> None:
    port = found({"shop/cli.py": ARGPARSE})["option"]["--port"]
    assert (port.meaning, port.default) == ("Port that is bound.", "8000")


def test_a_default_given_by_name_has_the_value_of_the_constant() -> None:
    text = ARGPARSE.replace("default=8000", "default=_PORT") + "\n\n_PORT = 50021\n"
    port = found({"shop/cli.py": text})["option"]["--port"]
    assert port.default == "50021"
    assert port.default_at is not None
    assert port.default_at.start == text.count("\n")


def test_a_default_that_is_computed_stays_as_written() -> None:
    text = ARGPARSE.replace("default=8000", "default=_PORT") + "\n\n_PORT = read()\n"
    port = found({"shop/cli.py": text})["option"]["--port"]
    assert (port.default, port.default_at) == ("_PORT", None)


def test_a_variable_without_words_has_those_of_the_option_that_names_it() -> None:
    host = found({"shop/cli.py": ARGPARSE})["environment"]["SHOP_HOST"]
    assert host.meaning == "Host, else SHOP_HOST is taken."


def test_options_are_grouped_by_their_command() -> None:
    groups = settings_of(analyse({"shop/cli.py": CLICK}))
    assert [(g.title, [s.name for s in g.settings]) for g in groups] == [
        ("serve", ["--quiet"])
    ]


HELP = [
    '      "  -n, --null-input          use null as the single\\n"',
    '      "                            input value;\\n"',
    '      "      --tab                 use tabs for indentation;\\n"',
    '      "      --x\\n"',
]


def test_a_help_text_explains_options_over_several_lines() -> None:
    options = list(options_in_help(1, HELP, 10))
    assert [(o.name, o.meaning, o.place.start, o.place.end) for o in options] == [
        ("--null-input", "use null as the single input value", 10, 11),
        ("--tab", "use tabs for indentation", 12, 12),
    ]


def test_a_default_in_the_words_of_help_is_the_default() -> None:
    shown = [
        "  --exit-code int   exit code when leaks are found (default 1)",
        '  --path string     path of the file with them (default ".")',
        '  --depth int       how deep it looks (default "0", no limit is set)',
    ]
    options = list(options_in_help(1, shown, 10))
    assert [(o.name, o.default, o.meaning) for o in options] == [
        ("--exit-code", "1", "exit code when leaks are found"),
        ("--path", ".", "path of the file with them"),
        ("--depth", "", 'how deep it looks (default "0", no limit is set)'),
    ]


PYTHON = '''from pydantic import BaseModel, Field


class CacheConfig(BaseModel):
    """How pages are kept.

    Attributes:
        size: how many pages are kept
    """

    size: int = 10
    path: str = Field(default="cache", description="Where pages are kept.")
    days: int = 3
    """After how many days a page goes."""
    _own: int = 1
'''
TYPESCRIPT = """export interface CacheOptions {
  /** How many pages are kept. */
  size?: number
  // eslint-disable-next-line
  path: string
  /** Where pages go. */
  target: string
}
"""
GO = """package cache

// Config says how pages are kept.
type Config struct {
\t// Size is how many pages are kept.
\tSize int
\tDays int // after how many days a page goes
}
"""


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (
            "shop/config.py",
            PYTHON,
            {
                "size": ("how many pages are kept", "10"),
                "path": ("Where pages are kept.", "'cache'"),
                "days": ("After how many days a page goes.", "3"),
            },
        ),
        (
            "src/cache.ts",
            TYPESCRIPT,
            {
                "size": ("How many pages are kept.", ""),
                "path": ("", ""),
                "target": ("Where pages go.", ""),
            },
        ),
        (
            "cache.go",
            GO,
            {
                "Size": ("Size is how many pages are kept.", ""),
                "Days": ("after how many days a page goes", ""),
            },
        ),
    ],
    ids=["python", "typescript", "go"],
)
def test_a_class_of_settings_has_fields_with_words_and_defaults(
    path: str, text: str, told: dict[str, tuple[str, str]]
) -> None:
    fields = found({path: text})["field"]
    assert {n: (s.meaning, s.default) for n, s in fields.items()} == told


DOCUMENT = """# Guide

## Configuration

| Key | Default | What it does |
| --- | --- | --- |
| `cache.size` | `10` | How many pages are kept |

- `cache.days`: after how many days a page goes
- `x`: no
"""


def test_documents_tell_of_settings_that_code_does_not_name() -> None:
    documented = found({"docs/guide.md": DOCUMENT})["documented"]
    assert {n: (s.meaning, s.default) for n, s in documented.items()} == {
        "cache.size": ("How many pages are kept", "10"),
        "cache.days": ("after how many days a page goes", ""),
    }


def test_the_head_of_a_table_tells_which_column_describes() -> None:
    text = (
        "# Settings\n\n| Variable | For which | Description | Default |\n"
        "|---|---|---|---|\n"
        "| `SHOP_VERSION` | For servers of a cloud | "
        "The version of its interface. | `None` |\n"
    )
    documented = found({**ENVIRONMENT, "docs/settings.md": text})["documented"]
    assert documented["SHOP_VERSION"].meaning == "The version of its interface."


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ('f.option("max-page-size", 3)', True),
        ('f.option("--max-page-size", 3)', True),
        ("max_page_size = 3", True),
        ("x = f(maxPageSize=3)", True),
        ("x = options.max_page_size", True),
        ("x = f(no=['--no-max-page-size'])", True),
        ("x = max_page_sizes + the_max_page_size + 1", False),
        ('x = "the max-page-size of it"', False),
        ('x = 1  # "max]page]size" is none', False),
    ],
)
def test_an_option_of_a_document_counts_where_code_names_it(
    code: str, is_told: bool
) -> None:
    text = "# Options\n\n- `--max-page-size`: how many lines a page has\n"
    documented = found({"shop/run.py": f"{code}\n", "docs/options.md": text})
    assert ("--max-page-size" in documented.get("documented", {})) is is_told


class CountedTexts(DictTexts):
    """Counts how often each file is read."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        super().__init__()
        self.texts.update(texts)
        self.reads = 0

    def text(self, file_id: int) -> str:
        self.reads += 1
        return super().text(file_id)


def test_code_is_read_as_often_for_many_options_as_for_one() -> None:
    counts = []
    for size in (1, 40):
        items = [f"- `--depth-{n}`: how deep level {n} goes\n" for n in range(size)]
        text = "# Options\n\n" + "".join(items)
        survey, texts = survey_of({"run.py": "x = 1\n", "docs/options.md": text})
        counted = CountedTexts(texts.texts)
        settings_of(Analysis(survey, counted))
        counts.append(counted.reads)
    assert counts[0] == counts[1]
