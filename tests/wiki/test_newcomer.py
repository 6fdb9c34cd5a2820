"""What a new team member asks first has its answer where it is looked for."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.documents import read_sections
from devrag.wiki.analysis.prose import only_names
from devrag.wiki.analysis.purposes import comment_above
from devrag.wiki.generation.page import DraftedPage
from devrag.wiki.writing.structural.shell import commands_in, runs_tests
from tests.wiki.written import write

_FILLER = "// filler\n" * 60
_AGENTS = """# For agents

## Commands

```bash
go run ./cmd/notes   # Start it
go test ./...        # All tests
```

## Code map

| Path | Purpose |
| --- | --- |
| `store/` | Keeps all notes in one database |
"""
_PROTO = """package notes.v1;
// Looks after notes.
service Notes {
  // Adds a note.
  rpc AddNote(AddNoteRequest) returns (AddNoteRequest);
}
message AddNoteRequest { string text = 1; }
"""
_API = """package api

func (h *Wrapped) AddNote(r *Request[v1.AddNoteRequest]) error {
\treturn nil
}

func (s *Service) AddNote(request *v1.AddNoteRequest) error {
\ttext := request.Text
\tsave(text)
\treturn nil
}

// Service answers.
type Service struct{}

type Wrapped struct{ *Service }
"""
_CONFIG = 'package config\n\nimport "os"\n\n' + "".join(
    f'// Names place {n}.\nvar v{n} = os.Getenv("PLACE_{n}")\n' for n in range(14)
)
NOTES = {
    "README.md": "> Sponsored by nobody.\n\n# Notes\n\nNotes keeps what you write.\n",
    "AGENTS.md": _AGENTS,
    "Makefile": "check-it:\n\t@ go vet ./... && \\\n\tgo test -race ./...\n",
    "go.mod": "module example.org/notes\n\ngo 1.22\n",
    "proto/notes.proto": _PROTO,
    "api/service.go": _API + _FILLER,
    "api/service_test.go": "package api\n\nfunc TestA(t *testing.T) {}\n",
    "auth/keys.go": "package auth\n\nfunc key() {}\n" + _FILLER,
    "auth/token.go": "// Package auth checks who somebody is.\npackage auth\n",
    "config/config.go": _CONFIG + _FILLER,
    "store/store.go": "package store\n\n// Store store.\ntype Store struct{}\n"
    + _FILLER,
    "store/sql/one.sql": "CREATE TABLE note (id int);\n"
    "CREATE TABLE tag (id int, note_id int REFERENCES note (id));\n",
    "store/sql/other.sql": "CREATE TABLE public.note (id int);\n",
}


@pytest.fixture(scope="module")
def notes() -> dict[str, DraftedPage]:
    return write(NOTES)


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("index.md", "\n\nNotes keeps what you write"),
        ("build-and-run.md", "Requires Go 1.22 or later (`go.mod`"),
        ("build-and-run.md", "go run ./cmd/notes   # Start it"),
        ("testing.md", "```bash\ngo test ./...        # All tests\n```"),
        ("testing.md", "**`make check-it`**"),
        ("interfaces.md", "| `/notes.v1.Notes/AddNote` | Adds a note"),
        ("interfaces.md", "| `Service.AddNote()` "),
        ("features/authentication.md", "Package auth checks who somebody is"),
        ("features/store.md", "describes it as: Keeps all notes in one database"),
        ("configuration.md", "| `config/config.go` |"),
        ("configuration.md", "| `PLACE_13` "),
        ("configuration.md", "| Names place 13. |"),
        ("data-model.md", "same names are declared in `store/sql/other.sql`"),
    ],
)
def test_a_question_has_its_answer(
    notes: dict[str, DraftedPage], page: str, told: str
) -> None:
    assert told in notes[page].markdown


@pytest.mark.parametrize(
    ("page", "word"),
    [
        ("index.md", "Sponsored"),
        ("data-model.md", "`public.note`"),
        ("features/store.md", "Store store"),
    ],
)
def test_what_tells_nothing_is_left_out(
    notes: dict[str, DraftedPage], page: str, word: str
) -> None:
    assert word not in notes[page].markdown


def test_a_quote_speaks_where_nothing_else_does() -> None:
    only = {**NOTES, "README.md": "# Notes\n\n> Keeps whatever you want to write.\n"}
    assert "\n\nKeeps whatever you want to write" in write(only)["index.md"].markdown


def test_a_script_is_read_as_commands() -> None:
    script = "set -e\ncase $1 in\n a)\n  go test \\\n    ./a\n  ;;\nesac\nx=$(date)\n"
    assert list(commands_in(script)) == ["set -e", "go test ./a"]


@pytest.mark.parametrize(
    ("command", "is_test"),
    [
        ("./vendor/bin/phpunit -c tests/units.xml", True),
        ("cargo test --all", True),
        ("cd web && pnpm run test:unit", True),
        ("./gradlew check", True),
        ("go build ./...  # not: go test", False),
        ("docker build -t test .", False),
    ],
)
def test_what_runs_tests_is_known(command: str, is_test: bool) -> None:
    assert runs_tests(command) == is_test


@pytest.mark.parametrize(
    ("sentence", "name", "is_empty"),
    [
        ("Task model.", "TaskModel", True),
        ("Class HTTPClient.", "HTTPClient", True),
        ("Base class for all tasks.", "Base", False),
        ("Class OtherTask.", "Task", True),
        ("Keeps tasks.", "Task", False),
    ],
)
def test_a_name_told_again_says_nothing(
    sentence: str, name: str, is_empty: bool
) -> None:
    assert only_names(sentence, name) == is_empty


def test_only_a_comment_at_the_edge_is_about_what_is_named() -> None:
    lines = ["// First", "// and second.", "const a = 1;", "  // Inside.", "  b();"]
    found = comment_above(lines, 3)
    assert found is not None
    assert (found.text, found.start_line, found.end_line) == (
        "First\nand second.",
        1,
        2,
    )
    assert comment_above(lines, 5) is None


def test_quotes_and_rows_are_blocks_of_their_own() -> None:
    text = "> [!NOTE]\n> Said\n> so.\n\n| a | b |\n|---|---|\n| c | d\\|e |\nplain\n"
    (section,) = read_sections(text)
    assert [(block.kind, block.text) for block in section.blocks] == [
        ("quote", "Said so."),
        ("row", "a\tb"),
        ("row", "c\td\\|e"),
        ("text", "plain"),
    ]
