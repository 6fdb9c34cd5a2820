"""What pages of topics and the reference pages tell of code in several languages."""

from __future__ import annotations

import re

import pytest

from devrag.wiki.analysis.survey import SurveyFact
from devrag.wiki.drafts.page import DraftedPage
from tests.wiki.shop import analyse
from tests.wiki.written import write

# A service in Go: routes registered in one function, answered in other files.
GO = {
    "go.mod": "module example.org/shop\n",
    "main.go": 'package main\n\nimport "example.org/shop/api"\n\n'
    "func main() {\n\tapi.Serve()\n}\n",
    "api/api.go": 'package api\n\nimport "net/http"\n\n'
    "// Serve answers until it is stopped.\nfunc Serve() {\n"
    "\tmux := http.NewServeMux()\n\thandler := &handler{}\n"
    '\tmux.HandleFunc("GET /orders", handler.listOrders)\n'
    '\tmux.HandleFunc("POST /orders", handler.addOrder)\n'
    '\tmux.HandleFunc("GET /wrapped", wrap(handler))\n}\n',
    "api/handler.go": "package api\n\n// handler keeps what all answers need.\n"
    "type handler struct{}\n" + "// filler\n" * 60,
    "api/orders.go": 'package api\n\nimport "net/http"\n\n'
    "// listOrders shows all orders.\n"
    "func (h *handler) listOrders(w http.ResponseWriter, r *http.Request) {\n"
    "\th.say(w)\n}\n\n"
    "func (h *handler) addOrder(w http.ResponseWriter, r *http.Request) {\n"
    "\th.say(w)\n}\n\n"
    "func (h *handler) say(w http.ResponseWriter) {}\n",
    "api/orders_test.go": "package api\n\nfunc TestOrders(t *testing.T) { Serve() }\n",
}
# Ruby loads classes by their names; nothing is imported.
RUBY = {
    "app/models/story.rb": "# typed: false\n\nclass Story\n  def up\n  end\nend\n"
    + "# filler\n" * 60,
    "app/models/vote.rb": "class Vote\n  def self.cast(story)\n    story\n  end\nend\n",
    "app/controllers/votes_controller.rb": "# typed: false\n\n"
    "class VotesController\n  def create\n    Vote.cast(Story.new)\n  end\nend\n"
    + "# filler\n"
    * 60,
    "app/controllers/home_controller.rb": "class HomeController\n  def show\n"
    "    Story.new\n  end\nend\n",
}
RUST = {
    "src/lib.rs": "//! Counts lines of files.\n\npub mod count;\n",
    "src/count.rs": "/// Counts the lines\n/// of one file.\n#[derive(Debug)]\n"
    "pub struct Counter {\n    lines: u64,\n}\n\n"
    "#[cfg(test)]\nmod tests {\n    fn helper() {}\n}\n" + "// filler\n" * 130,
}


@pytest.fixture(scope="module")
def go() -> dict[str, DraftedPage]:
    return write(GO)


def page_of(pages: dict[str, DraftedPage], path: str) -> DraftedPage:
    """Return the page of the topic that a file belongs to."""
    own = (p for p in pages.values() if p.kind == "feature")
    return next(p for p in own if f"shop/{path}" in p.files)


def handler_of(route: str) -> str:
    analysis = analyse(GO)
    facts: list[SurveyFact] = analysis.facts("route")
    symbol = analysis.symbol_at(next(f for f in facts if f.name == route))
    return symbol.qualified_name if symbol else ""


@pytest.mark.parametrize(
    ("route", "handler"),
    [
        ("GET /orders", "handler.listOrders"),
        ("GET /wrapped", ""),  # who registers it does not answer it
    ],
)
def test_a_route_is_answered_by_its_handler(route: str, handler: str) -> None:
    assert handler_of(route) == handler


def test_routes_stand_in_a_table_with_words_or_by_who_answers(
    go: dict[str, DraftedPage],
) -> None:
    text = go["interfaces.md"].markdown
    assert re.search(r"^\| `GET /orders` \| Shows all orders", text, re.M)
    assert re.search(r"^\| `api/orders.go` .*\| `POST /orders`", text, re.M)
    assert "Serve answers until it is stopped" not in text


def test_a_program_is_entered_through_main(go: dict[str, DraftedPage]) -> None:
    analysis = analyse(GO)
    started = {
        s.qualified_name for s in map(analysis.symbol_at, analysis.entry_points) if s
    }
    assert "main" in started


def test_a_claim_of_a_row_is_what_the_row_says(go: dict[str, DraftedPage]) -> None:
    said = [c.sentence for c in go["interfaces.md"].claims]
    assert any(s.startswith("`GET /orders`: Shows all orders.") for s in said)


def test_tests_of_the_same_package_exercise_it(go: dict[str, DraftedPage]) -> None:
    told = "used by the tests in `api/orders_test.go`"
    assert told in page_of(go, "api/api.go").markdown


def test_parts_that_import_nothing_are_tied_by_their_uses() -> None:
    pages = write(RUBY)
    votes = page_of(pages, "app/controllers/votes_controller.rb")
    story = page_of(pages, "app/models/story.rb")
    assert re.search(r"n\d --> n\d", pages["architecture.md"].markdown)
    used = next(c for c in votes.claims if f"{story.title}: " in c.sentence)
    assert "Vote" in used.excerpt or "Story" in used.excerpt


def test_remarks_to_tools_are_no_purpose() -> None:
    assert not [p for p, d in write(RUBY).items() if "typed: false" in d.markdown]


def test_a_comment_above_a_definition_is_cited_with_it() -> None:
    pages = [d for path, d in write(RUST).items() if path.startswith("features/")]
    claims = [claim for draft in pages for claim in draft.claims]
    told = [c.excerpt for c in claims if "Counts the lines of one file" in c.sentence]
    assert told
    assert all(excerpt.startswith("/// Counts the lines") for excerpt in told)


def test_the_order_of_a_diagram_does_not_depend_on_versions() -> None:
    def drawn(files: dict[str, str]) -> str:
        text = write(files)["architecture.md"].markdown
        return "".join(re.findall(r"```mermaid.*?```", text, re.S))

    last_first = dict(reversed(GO.items()))
    assert drawn(GO) == drawn(last_first)
    assert drawn(GO)
