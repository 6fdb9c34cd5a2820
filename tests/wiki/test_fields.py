"""Fields and values are read with what stands beside them."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.fields import FieldText, fields_of, is_enumeration
from tests.wiki.shop import analyse

PYTHON = '''class Settings(BaseSettings):
    """What can be set.

    name = "no field"
    """

    host: str = Field(
        default="localhost",
        description="Where it "
        "listens.",
    )
    port: int = 80  # The port it opens.
    #: How long it waits.
    timeout: float
    retries: int = 3
    """How often it tries."""

    def run(self):
        inside: int = 1
'''
GO = (
    "package shop\n\ntype Options struct {\n\t// Where it listens.\n\tHost string\n"
    "\tPort int // The port it opens.\n\thidden int\n}\n"
)
TYPESCRIPT = (
    "export interface Options {\n  /** Where it listens. */\n  host?: string\n"
    "  port: number // The port it opens.\n}\n"
)
C = "struct options {\n  char *host; // Where it listens.\n  int port;\n};\n"


def fields(path: str, text: str) -> dict[str, FieldText]:
    analysis = analyse({path: text})
    kinds = {"class", "interface", "enum", "type"}
    symbol = next(s for s in analysis.survey.symbols if s.kind in kinds)
    return {f.name: f for f in fields_of(analysis, symbol, text.split("\n"))}


def test_python_says_it_in_four_places() -> None:
    found = fields("shop/settings.py", PYTHON)
    assert {name: field.text for name, field in found.items()} == {
        "host": "Where it listens.",
        "port": "The port it opens.",
        "timeout": "How long it waits.",
        "retries": "How often it tries.",
    }
    assert found["host"].default == '"localhost"'
    assert found["port"].default == "80"


@pytest.mark.parametrize(
    ("path", "text"), [("o.go", GO), ("o.ts", TYPESCRIPT)], ids=["go", "typescript"]
)
def test_comments_above_and_behind_are_read(path: str, text: str) -> None:
    said = {name.lower(): field.text for name, field in fields(path, text).items()}
    assert said == {"host": "Where it listens.", "port": "The port it opens."}


def test_attributes_and_words_to_tools_describe_nothing() -> None:
    rust = (
        "pub struct O {\n    /// Where.\n    #[serde(default)]\n    pub host: u8,\n}\n"
    )
    typescript = (
        "export interface O {\n  // eslint-disable-next-line\n  host: string\n"
        "  /**\n   * The port\n   * it opens.\n   */\n  port: number\n}\n"
    )
    assert fields("o.rs", rust)["host"].text == "Where."
    told = {n: f.text for n, f in fields("o.ts", typescript).items()}
    assert told == {"host": "", "port": "The port it opens."}


def test_fields_of_a_struct_in_c() -> None:
    assert fields("o.c", C)["host"].text == "Where it listens."


def test_functions_and_maps_are_fields_in_go() -> None:
    text = (
        "package shop\n\ntype Hooks struct {\n\t// Runs first.\n"
        "\tRun func(args []string, wait int) error\n"
        '\tNames map[string][]int `json:"names"`\n}\n'
    )
    assert list(fields("h.go", text)) == ["Run", "Names"]


def test_a_field_is_cited_with_its_words() -> None:
    field = fields("shop/settings.py", PYTHON)["timeout"]
    assert (field.start_line, field.end_line) == (13, 14)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("m.py", "class Mode(StrEnum):\n    OPEN = 'open'\n    CLOSED = 'closed'\n"),
        ("m.java", "enum Mode {\n  OPEN,\n  CLOSED\n}\n"),
    ],
)
def test_the_values_of_an_enumeration(path: str, text: str) -> None:
    analysis = analyse({path: text})
    symbol = next(s for s in analysis.survey.symbols if s.name == "Mode")
    assert is_enumeration(symbol)
    assert list(fields(path, text)) == ["OPEN", "CLOSED"]


def test_a_description_that_ends_with_f_keeps_it() -> None:
    text = 'class O:\n    log = Field(help="Turn it off" f" or on")\n'
    assert fields("o.py", text)["log"].text == "Turn it off or on"


def test_a_line_of_blanks_is_read_in_no_time() -> None:
    text = f"class O:\n    log{' ' * 5000}: str = 'x'{' ' * 5000}\n    host: str\n"
    assert list(fields("o.py", text)) == ["log", "host"]


def test_a_comment_on_another_field_or_for_tools_says_nothing() -> None:
    found = fields(
        "shop/part.py",
        "class Part:\n"
        "    # `Part.type` is annotated in the constructor.\n"
        "    required: bool\n"
        "    # Avoids confusing mypy here.\n"
        "    name: str\n"
        "    # `Part.size` is counted in pages.\n"
        "    size: int\n",
    )
    assert {name: field.text for name, field in found.items()} == {
        "required": "",
        "name": "",
        "size": "`Part.size` is counted in pages.",
    }
