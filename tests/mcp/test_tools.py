"""Every tool as an agent uses it, through the SDK's client in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import Tool

from devrag.mcp.server import DevragServer, build_server
from devrag.mcp.tools.registry import TOOLS
from devrag.mcp.tools.symbols import function_info
from devrag.sources.models import File, Symbol
from tests.mcp.teahouse import CHUNKS, VECTORS

Ask = Callable[..., Any]
EXPECTED = {
    *("search_code", "get_function_details", "list_collections", "search", "reindex"),
    *("get_document_count", "query_memos", "list_tags", "get_recent_memos"),
}


@pytest.fixture(scope="module")
def tools() -> dict[str, Tool]:
    async def read() -> list[Tool]:
        async with Client(build_server()) as client:
            return (await client.list_tools()).tools

    return {tool.name: tool for tool in anyio.run(read)}


def test_all_tools_are_listed(tools: dict[str, Tool]) -> None:
    assert set(tools) == set(TOOLS)
    assert EXPECTED | {"rag-search"} <= set(tools)


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_says_what_it_takes_and_returns(
    tools: dict[str, Tool], name: str
) -> None:
    tool = tools[name]
    assert tool.description
    assert len(tool.description) > 40
    assert tool.output_schema
    assert tool.output_schema["type"] == "object"
    assert tool.annotations
    assert tool.annotations.read_only_hint is (name not in {"reindex", "add_folder"})
    assert tool.annotations.destructive_hint is False


def test_search_finds_code_with_its_lines(ask: Ask) -> None:
    found = ask("search", query="charge the customer", collection="shop")
    best = {piece["path"]: piece for piece in found["results"]}["shop/till.py"]
    assert best["symbol"] == "charge"
    assert (best["start_line"], best["end_line"]) == (6, 9)
    assert "def charge(amount: int)" in best["content"]


def test_a_chunk_key_is_read_as_its_lines(ask: Ask) -> None:
    found = ask("search", query="charge the customer", collection="shop")
    best = {piece["path"]: piece for piece in found["results"]}["shop/till.py"]
    assert best["chunk_key"].startswith("shop/till.py::chunk_")
    read = ask("read_file", source="shop", path=best["chunk_key"])
    assert (read["path"], read["start_line"]) == ("shop/till.py", best["start_line"])
    assert read["text"] == best["content"]
    place = f"shop:{best['chunk_key']}"
    assert ask("find_related", place=place)["results"]


def test_a_section_of_a_wiki_is_found_when_asked_for_and_read(ask: Ask) -> None:
    found = ask("search", query="shop", kind="wiki")
    piece = found["results"][0]
    assert "chunk_key" not in piece
    assert "read_wiki" in found["next"]
    names = {"product": piece["product"], "page": piece["path"]}
    assert ask("read_wiki", **names, section=piece["heading"])["text"]
    plain = ask("search", query="shop", top_k=20)
    assert all("chunk_key" in each for each in plain["results"])


def test_a_section_whose_heading_is_code_is_read_by_either_spelling(ask: Ask) -> None:
    names = {"product": "tea", "page": "features/cart-and-till.md"}
    spellings = ("Cart", "### `Cart`")
    plain, as_code = (ask("read_wiki", **names, section=each) for each in spellings)
    assert plain == as_code
    assert plain["text"].startswith("### `Cart`")
    assert "Files" not in plain["text"]


def test_search_returns_five_unless_asked_for_more(ask: Ask) -> None:
    assert len(ask("search", query="step")["results"]) == 5
    assert len(ask("search", query="step", top_k=8)["results"]) == 8
    assert ask("rag-search", query="step") == ask("search", query="step")


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "bm25"])
def test_scores_lie_between_zero_and_one(ask: Ask, mode: str) -> None:
    found = ask("search", query="money", mode=mode, top_k=10)
    scores = [piece["score"] for piece in found["results"]]
    assert scores
    assert 0 <= min(scores) <= max(scores) <= 1


def test_neighbours_come_along_unless_refused(ask: Ask) -> None:
    asked = {"query": "checkout total", "path": "shop/cart", "mode": "keyword"}
    first = ask("search", **asked)["results"][0]
    assert len(first.get("before", [])) + len(first.get("after", [])) > 0
    assert max(len(first.get(side, [])) for side in ("before", "after")) == 1
    bare = ask("search", **asked, context=0)["results"]
    assert not any("before" in piece or "after" in piece for piece in bare)


def test_a_budget_cuts_texts_and_says_how_to_read_on(ask: Ask) -> None:
    whole = ask("search", query="step", collection="tea", budget=5000)
    small = ask("search", query="step", collection="tea", budget=200)
    length = [sum(len(p["content"]) for p in f["results"]) for f in (whole, small)]
    assert length[1] < length[0] / 2
    assert "next" not in whole
    assert "read_file" in small["next"]


def test_a_piece_names_other_places_of_its_file(ask: Ask) -> None:
    (best,) = ask("search", query="cart items price", mode="keyword", top_k=1)[
        "results"
    ]
    assert best["path"] == "shop/cart.py"
    assert best["more"]
    names = {place.partition(" ")[2] for place in best["more"]}
    assert names & {"__init__", "add", "checkout"}
    for place in best["more"]:
        first, last = map(int, place.partition(" ")[0].split("-"))
        assert (first, last) != (best["start_line"], best["end_line"])
        assert first <= last


def test_nothing_found_says_what_to_try(ask: Ask) -> None:
    found = ask("search", query="zymurgy", mode="keyword")
    assert found["results"] == []
    assert "No results" in found["next"]


@pytest.mark.parametrize("tool", ["search", "search_code"])
def test_an_absent_name_is_said_to_be_absent(ask: Ask, tool: str) -> None:
    found = ask(tool, query="charge_backwards", collection="shop")
    assert found["results"]
    assert found["notes"][0].startswith("No exact matches")
    sure = ask(tool, query="charge", collection="shop")
    assert not any("No exact" in note for note in sure.get("notes", []))


def test_lines_that_were_asked_for_come_numbered(ask: Ask) -> None:
    found = ask("search", query='exact:"TAX_RATE"')
    assert "8: " in found["results"][0]["content"]


def test_search_code_returns_definitions(ask: Ask) -> None:
    found = ask("search_code", query="take the money", collection="shop", limit=1)
    (result,) = found["results"]
    assert result["function_name"] == "charge"
    assert (result["file_path"], result["start_line"]) == ("shop/till.py", 6)
    assert result["signature"] == "def charge(amount: int) -> int"
    assert result["docstring"].startswith("Take the money")
    assert (result["language"], result["complexity"]) == ("python", 1)


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"file_pattern": "tests/*.py"}, {"tests/test_cart.py"}),
        ({"file_pattern": "**/till.py"}, {"shop/till.py"}),
        ({"min_complexity": 40}, set()),
        ({"language": "go"}, set()),
    ],
)
def test_filters_narrow_search_code_down(
    ask: Ask, filters: dict[str, Any], paths: set[str]
) -> None:
    asked = {"query": "checkout tax charge", "collection": "tea", "filters": filters}
    found = ask("search_code", **asked)
    assert {result["file_path"] for result in found["results"]} == paths


def test_details_of_a_function_name_callers_and_body(ask: Ask) -> None:
    (symbol,) = ask("find_symbol", name="charge")["symbols"]
    details = ask(
        "get_function_details", function_id=symbol["symbol_id"], collection="shop"
    )
    assert details["called_by"] == ["Cart.checkout"]
    assert details["parameters"] == [{"name": "amount", "type": "int"}]
    assert details["body"].startswith("def charge")
    assert not {"annotations", "attributes", "class_name"} & set(details)


EXAMPLE = {
    "name": "authenticate_user",
    "signature": (
        "def authenticate_user(username: str, password: str) -> Optional[User]"
    ),
    "parameters": [
        {"name": "username", "type": "str"},
        {"name": "password", "type": "str"},
    ],
    "return_type": "Optional[User]",
    "language": "python",
    "docstring": "ユーザーを認証する",
    "comments": ["# パスワードを検証"],
    "file_path": "/src/auth/handlers.py",
    "start_line": 45,
    "end_line": 78,
    "start_column": 0,
    "end_column": 4,
    "class_name": "AuthHandler",
    "class_hierarchy": ["BaseHandler", "AuthHandler"],
    "imports": ["typing.Optional", "models.User", "bcrypt"],
    "called_functions": ["hash_password", "db.query"],
    "called_by": ["login_endpoint"],
    "scope": "class",
    "modifiers": ["public", "async"],
    "used_types": ["str", "Optional", "User"],
    "complexity": 5,
    "loc": 78 - 45 + 1,
    "comment_lines": 8,
    "decorators": ["@require_auth"],
}


def test_an_example_comes_out_exactly() -> None:
    columns = {field.name for field in Symbol._meta.fields}
    text = "\n" * 44 + "\n".join(f"line {n}" for n in range(45, 79)) + "\n\n"
    file = File(path=EXAMPLE["file_path"], language="python", text=text)
    symbol = Symbol(file=file, **{k: v for k, v in EXAMPLE.items() if k in columns})
    body = "\n".join(f"line {n}" for n in range(45, 79))
    assert function_info(symbol, ["login_endpoint"]) == EXAMPLE | {"body": body}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Cart.add", ["Cart.add"]),
        ("Basket.add", ["Cart.add"]),  # what is inherited stands elsewhere
        ("heckou", ["Cart.checkout", "test_checkout_adds_tax"]),
        ("nowhere", []),
    ],
)
def test_find_symbol_goes_from_exact_to_contained(
    ask: Ask, name: str, found: list[str]
) -> None:
    answer = ask("find_symbol", name=name)
    assert [symbol["name"] for symbol in answer["symbols"]] == found
    assert ("next" in answer) is (not found)


def test_references_come_with_their_lines_code_before_tests(ask: Ask) -> None:
    found = ask("get_references", symbol="Cart")
    assert found["symbol"]["path"] == "shop/cart.py"
    paths = [use["path"] for use in found["uses"]]
    assert paths.index("shop/__main__.py") < paths.index("tests/test_cart.py")
    assert "Cart().checkout()" in {use["text"] for use in found["uses"]}
    assert found["total"] == len(paths)


def test_related_pieces_say_why_they_are_there(ask: Ask) -> None:
    found = ask("find_related", place="shop:shop/till.py:6")
    why = {piece["symbol"]: piece["why"] for piece in found["results"][:1]}
    assert why == {"Cart.checkout": ["calls it"]}


def test_a_file_is_read_in_ranges(ask: Ask) -> None:
    part = ask(
        "read_file", source="shop", path="shop/till.py", start_line=6, end_line=7
    )
    assert part["text"].split("\n")[0] == "def charge(amount: int) -> int:"
    assert (part["start_line"], part["end_line"], part["total_lines"]) == (6, 7, 9)
    assert len(part["commit"]) == 40
    assert "outline" not in part


def test_a_long_file_comes_with_an_outline_and_the_next_line(ask: Ask) -> None:
    part = ask("read_file", source="shop", path="./shop//long.py", budget=200)
    assert part["end_line"] < part["total_lines"] == 150
    assert "6 function step_1" in part["outline"]
    assert part["next"] == f"Continue with start_line={part['end_line'] + 1}."


def test_a_folder_is_listed_with_sums(ask: Ask) -> None:
    top = ask("list_tree", source="tea")["entries"]
    assert "shop/ 5 files" in " ".join(top)
    assert "README.md 7 lines" in top
    deep = ask("list_tree", source="shop", path="/docs/", depth=3)["entries"]
    assert deep == ["docs/日本語.md 3 lines"]


def test_wiki_pages_are_listed_and_read_with_their_sources(ask: Ask) -> None:
    listed = ask("list_wiki_pages", product="tea")
    assert listed["pages"][0]["page"] == "index.md"
    page = ask("read_wiki", product="tea", page="architecture")
    assert page["text"].startswith("# Architecture")
    assert "(cite:" not in page["text"]
    assert page["sources"][0].startswith("1 shop:")


def test_a_section_of_a_page_is_read_alone(ask: Ask) -> None:
    pages = [page["page"] for page in ask("list_wiki_pages", product="tea")["pages"]]
    cut = (ask("read_wiki", product="tea", page=page, budget=100) for page in pages)
    small = next(page for page in cut if "next" in page)
    assert "section" in small["next"]
    asked = {"page": small["page"], "section": small["headings"][-1]}
    alone = ask("read_wiki", product="shop", **asked)
    assert alone["text"].lstrip("# ").startswith(asked["section"])


def test_a_question_is_answered_with_numbered_places(ask: Ask) -> None:
    found = ask("ask", question="What does the cart charge?", collection="tea")
    assert (found["outcome"], found["is_extractive"]) == ("answered", True)
    assert "[1]" in found["answer"]
    assert "cite:" not in found["answer"]
    assert found["sources"][0].startswith("1 shop:shop/")


def test_gathered_context_is_text_with_the_lines_of_each_passage(ask: Ask) -> None:
    found = ask("gather_context", question="What does charge take from the customer?")
    assert found["is_found"]
    passages = found["context"].split("\n\n")
    (charge,) = (each for each in passages if each.startswith("shop/till.py:6-"))
    header, _, text = charge.partition("\n")
    start, end = (int(n) for n in header.split(" ")[0].partition(":")[2].split("-"))
    place = {"source": "shop", "path": "shop/till.py"}
    read = ask("read_file", **place, start_line=start, end_line=end)
    assert read["text"].startswith(text)


def test_a_small_budget_names_what_was_left_out(ask: Ask) -> None:
    asked = {"question": "What does the cart charge?", "collection": "shop"}
    small = ask("gather_context", token_budget=100, **asked)
    whole = ask("gather_context", **asked)
    assert len(small["context"]) < 400 < len(whole["context"])
    assert small["left_out"]
    assert "read_file" in small["next"]


def test_memos_have_these_keys(ask: Ask) -> None:
    found = ask("query_memos", query="budget", mode="bm25")
    assert set(found) == {"results", "total"}
    assert found["total"] == len(found["results"]) == 2
    keys = {"id", "title", "date", "tags", "snippet", "score"}
    assert all(set(memo) == keys for memo in found["results"])
    memo = next(m for m in found["results"] if m["title"] == "Meeting Notes")
    assert (memo["date"], memo["tags"]) == ("2024-01-15", ["meeting", "january"])
    assert memo["snippet"].startswith("Topics discussed:")


def test_memos_that_are_only_near_are_said_to_be(ask: Ask) -> None:
    found = ask("query_memos", query="budget_backwards")
    assert found["results"]
    assert found["notes"][0].startswith("No exact matches")


def test_memos_can_be_narrowed_and_summarized(ask: Ask) -> None:
    found = ask("query_memos", query="budget", tags=["january"], summarize=True)
    assert [memo["title"] for memo in found["results"]] == ["Meeting Notes"]
    assert found["summary"]


def test_tags_and_newest_memos(ask: Ask) -> None:
    assert ask("list_tags")["tags"][0] == {"tag": "meeting", "count": 2}
    newest = ask("get_recent_memos", limit=2)
    assert [m["date"] for m in newest["results"]] == ["2024-02-01", "2024-01-15"]
    found = ask("query_memos", query="抹茶", top_k=1)
    assert found["results"][0]["id"] == newest["results"][0]["id"]


def test_collections_have_these_keys(ask: Ask) -> None:
    found = ask("list_collections")
    (source,) = found["collections"]
    keys = {"name", "chunks_count", "vectors_count", "indexed_at", "vector_size"}
    assert set(source) == keys
    assert source["name"] == "shop"
    assert (source["vectors_count"], source["vector_size"]) == (VECTORS, 384)
    assert source["indexed_at"].startswith("20")
    tea = next(each for each in found["products"] if each["name"] == "tea")
    assert tea["sources"] == ["shop"]
    assert tea["wiki_pages"] > 3


def test_collections_come_with_totals(ask: Ask) -> None:
    found = ask("list_collections")
    assert (found["total_chunks"], found["total_vectors"]) == (CHUNKS, VECTORS)
    assert found["collections"][0]["chunks_count"] == CHUNKS


@pytest.mark.parametrize("tool", ["search", "query_memos"])
def test_answers_say_how_many_vectors_are_missing(ask: Ask, tool: str) -> None:
    found = ask(tool, query="budget", mode="semantic")
    assert f"{100 * VECTORS // CHUNKS}% ready" in found["notes"][-1]


def test_documents_are_counted(ask: Ask) -> None:
    found = ask("get_document_count", collection="tea")
    assert found["count"] == 9
    assert found["sources"] == [{"name": "shop", "documents": 9}]
    assert found["chunks"] > 30


def test_resources_are_wiki_pages_and_files(server: DevragServer) -> None:
    async def read() -> tuple[list[str], list[str]]:
        async with Client(server) as client:
            listed = [
                str(each.uri) for each in (await client.list_resources()).resources
            ]
            uris = (*listed, "devrag://file/shop/shop/till.py")
            texts = [(await client.read_resource(uri)).contents[0] for uri in uris]
            return listed, [text.text for text in texts]

    listed, texts = anyio.run(read)
    assert listed == ["devrag://wiki/tea/index.md"]
    assert texts[0].startswith("<!-- untrusted: ")
    assert "\n\n# " in texts[0]
    assert "def charge" in texts[1]


def test_prompts_name_the_tools_to_use(server: DevragServer) -> None:
    async def read() -> list[str]:
        async with Client(server) as client:
            names = [prompt.name for prompt in (await client.list_prompts()).prompts]
            arguments = {"collection": "tea", "module": "shop/", "change": "- a\n+ b"}
            asked = [("explain_module", "module"), ("review_change", "change")]
            said = []
            for name, key in asked:
                given = {k: arguments[k] for k in ("collection", key)}
                answer = await client.get_prompt(name, given)
                said.append(answer.messages[0].content.text)
            return [*names, *said]

    first, second, explain, review = anyio.run(read)
    assert {first, second} == {"explain_module", "review_change"}
    assert "get_references" in explain
    assert "+ b" in review
