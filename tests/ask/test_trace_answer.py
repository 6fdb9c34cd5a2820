"""How A reaches B, asked of small versions in the database."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from pytest_django import DjangoAssertNumQueries

from devrag.ask.conversations.selectors import history_before
from devrag.ask.models import Conversation, Turn
from devrag.ask.trace import answer as answer_module
from devrag.ask.trace.answer import trace_answer
from devrag.ask.types import (
    MAX_FILES,
    MAX_LINES,
    Answer,
    AskMode,
    AskRequest,
    Exchange,
    Scope,
)
from devrag.core.errors import NotFound
from devrag.core.principal import ANONYMOUS, SYSTEM
from devrag.products.models import Product
from devrag.sources.models import Fact, File, GitRef, Snapshot, Source
from devrag.wiki.checking.mermaid import shared_parser
from tests.ask.test_reading import cite
from tests.stored import store_files, symbol_named

pytestmark = pytest.mark.django_db

SHOP = {
    "shop/server.py": (
        "from shop.orders import Orders\n\n"
        "def serve(request):\n"
        '    """Answer a request."""\n'
        "    orders = Orders()\n"
        "    return orders.place(request)\n\n"
        "def idle():\n"
        "    return None\n"
    ),
    "shop/orders.py": (
        "from shop.stores import Store\n\n"
        "class Orders:\n"
        "    def __init__(self, store: Store):\n"
        "        self.store: Store = store\n\n"
        "    def place(self, order):\n"
        "        self.check(order)\n"
        "        self.store.save(order)\n\n"
        "    def check(self, order):\n"
        "        return self.check(order) or walk(order)\n\n"
        "def walk(order):\n"
        "    return stroll(order)\n\n"
        "def stroll(order):\n"
        "    return walk(order)\n"
    ),
    "shop/stores.py": (
        "class Store:\n"
        "    def save(self, order):\n"
        "        raise NotImplementedError\n\n"
        "class DiskStore(Store):\n"
        "    def save(self, order):\n"
        "        write(order)\n\n"
        "class MemoryStore(Store):\n"
        "    def save(self, order):\n"
        "        pass\n\n"
        "def write(order):\n"
        "    return order\n"
    ),
    "shop/a/close.py": "def close():\n    pass\n",
    "shop/b/close.py": "def close():\n    pass\n",
    "tests/test_orders.py": (
        "from shop.stores import write\n\ndef walk():\n    write(1)\n"
    ),
}


def store(name: str, files: Mapping[str, str]) -> GitRef:
    product = Product.objects.create(name=name)
    source = Source.objects.create(product=product, name=name, source_type="git")
    snapshot = Snapshot.objects.create(source=source, version_identifier="c0ffee")
    ref = GitRef.objects.create(
        source=source,
        name="main",
        kind="branch",
        sequence=1,
        is_current=True,
        snapshot=snapshot,
    )
    store_files(ref, files)
    return ref


@pytest.fixture
def shop() -> GitRef:
    return store("shop", SHOP)


def ask(question: str, mode: AskMode = "trace", scope: Scope = Scope()) -> Answer:  # noqa: B008
    answer = trace_answer(AskRequest(question, SYSTEM, scope, mode))
    assert answer is not None
    return answer


def diagram_error(answer: Answer) -> str | None:
    return shared_parser(settings.MERMAID_PATH).error_in(answer.diagram)


def cited(answer: Answer) -> list[str]:
    """Return what the numbers in the text cite, in their order."""
    numbers = re.findall(r"\[(\d+)\]\(cite:(\d+)\)", answer.markdown)
    assert all(shown == cited for shown, cited in numbers)
    passages = [answer.citations[int(number) - 1] for number, _ in numbers]
    return [f"{p.kind} {p.path}:{p.start_line}-{p.end_line}" for p in passages]


def test_a_path_is_told_step_by_step_with_the_lines_of_each_call(shop: GitRef) -> None:
    answer = ask("How does `serve` reach `Orders.check`?")
    assert answer.outcome == "answered"
    assert answer.markdown.startswith(
        "`serve` reaches `Orders.check` in 2 calls:\n\n"
        "1. In `shop/server.py`, line 6, `serve` calls `Orders.place`. [1](cite:1)"
    )
    assert cited(answer)[:5] == [
        "definition shop/server.py:3-6",
        "caller shop/server.py:6-6",
        "callee shop/orders.py:7-9",
        "caller shop/orders.py:8-9",
        "definition shop/orders.py:11-12",
    ]


def test_a_passage_has_its_lines_version_and_hash(shop: GitRef) -> None:
    passage = ask("How does `serve` reach `Orders.check`?").citations[0]
    file = File.objects.get(path="shop/server.py")
    assert passage.text == "\n".join(SHOP["shop/server.py"].split("\n")[2:6])
    assert passage.content_hash == file.content_hash
    assert passage.version_identifier == "c0ffee"
    assert passage.symbol_uuid == symbol_named(shop, "serve").uuid
    assert (passage.product, passage.source, passage.id) == ("shop", "shop", "E1")


def test_a_source_that_is_deleted_meanwhile_is_a_clear_failure(
    shop: GitRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, found = answer_module.find_endpoint, []

    def find_and_delete(*args: Any) -> Any:
        found.append(find(*args))
        if len(found) == 2:
            GitRef.objects.all().delete()
        return found[-1]

    monkeypatch.setattr(answer_module, "find_endpoint", find_and_delete)
    with pytest.raises(NotFound, match="was deleted while"):
        ask("How does `serve` reach `Orders.check`?")


def test_a_step_through_a_base_class_is_possible_and_says_why(shop: GitRef) -> None:
    answer = ask("How does `serve` reach `write`?")
    assert (
        "`Orders.place` calls `Store.save`. `DiskStore.save` is one of 3 definitions "
        "that may run, depending on the object." in answer.markdown
    )
    assert "Step 2 is possible, not certain." in answer.markdown


def test_the_diagram_has_classes_and_calls_and_parses(shop: GitRef) -> None:
    answer = ask("How does `serve` reach `write`?")
    assert answer.diagram.splitlines() == [
        "sequenceDiagram",
        "  participant p0 as server.py",
        "  participant p1 as Orders",
        "  participant p2 as DiskStore",
        "  participant p3 as stores.py",
        "  p0->>p1: place()",
        "  p1-->>p2: save(), possible",
        "  p2->>p3: write()",
    ]
    assert diagram_error(answer) is None


def test_the_other_direction_is_told_as_such(shop: GitRef) -> None:
    answer = ask("How does `write` reach `serve`?")
    assert answer.outcome == "answered"
    assert answer.markdown.startswith(
        "`serve` reaches `write`, not the other way round.\n\n"
        "`serve` reaches `write` in 3 calls:"
    )


def test_where_nothing_leads_it_says_what_was_searched(shop: GitRef) -> None:
    answer = ask("How does `idle` reach `write`?")
    assert answer.outcome == "not_found"
    assert answer.diagram == ""
    assert "Not found: there is no call path from `idle` to `write`." in answer.markdown
    assert "all 0 definitions that `idle` reaches" in answer.markdown


def test_the_nearest_and_the_callers_of_both_are_named(shop: GitRef) -> None:
    answer = ask("How does `Orders.check` reach `write`?")
    assert answer.outcome == "not_found"
    assert "called, directly or indirectly, by `Orders.place`" in answer.markdown
    near = ask("How does `Orders.place` reach `MemoryStore`?")
    assert near.outcome == "answered"


def test_recursion_and_circles_end(shop: GitRef) -> None:
    answer = ask("How does `stroll` reach `serve`?")
    assert "`serve` reaches `stroll` in 4 calls" in answer.markdown
    assert ask("How does `walk` reach `idle`?").outcome == "not_found"


def test_a_name_of_several_definitions_is_asked_back(shop: GitRef) -> None:
    answer = ask("How does `serve` reach `close`?")
    assert answer.outcome == "ambiguous"
    assert answer.markdown == (
        "`close` is ambiguous: 2 definitions have this name. Which one do you mean?\n\n"
        "- `close` in `shop/a/close.py`, line 1 [1](cite:1)\n"
        "- `close` in `shop/b/close.py`, line 1 [2](cite:2)\n"
    )
    assert [p.path for p in answer.citations] == ["shop/a/close.py", "shop/b/close.py"]


def test_a_folder_before_the_name_or_the_scope_says_which(shop: GitRef) -> None:
    assert "ambiguous" not in ask("How does `serve` reach `a.close.close`?").markdown
    scope = Scope(path="shop/a/")
    assert (
        "ambiguous" not in ask("How does `serve` reach `close`?", scope=scope).markdown
    )


def test_a_file_before_the_name_says_which(shop: GitRef) -> None:
    for path in ("shop/a/close.py", "a/close.py", "shop/shop/a/close.py"):
        answer = ask(f"How does `{path}:close` reach `write`?")
        assert answer.outcome == "not_found"
        assert "there is no call path from `close` to `write`" in answer.markdown
    unknown = ask("How does `c/close.py:close` reach `write`?")
    assert "There is no definition `c/close.py:close`" in unknown.markdown


@pytest.mark.parametrize("mode", ["trace", "quick"])
@pytest.mark.parametrize("reply", ["`DiskStore.save`", "DiskStoreのほうです"])
def test_a_reply_chooses_what_was_ambiguous(
    shop: GitRef, reply: str, mode: AskMode
) -> None:
    question = "How does `save` reach `write`?"
    asked = ask(question)
    assert asked.outcome == "ambiguous"
    history = (Exchange(question, asked.markdown),)
    request = AskRequest(reply, SYSTEM, mode=mode, history=history)
    answer = trace_answer(request)
    assert answer is not None
    assert "`DiskStore.save`" in answer.markdown
    assert answer.outcome == "answered"


def test_a_reply_chooses_where_external_models_are_off(shop: GitRef) -> None:
    Product.objects.update(is_external_models_allowed=False)
    question = "How does `save` reach `write`?"
    told, back = Conversation.objects.create(), ask(question)
    asked = {"question": question, "markdown": back.markdown, "outcome": back.outcome}
    first = Turn.objects.create(conversation=told, ordinal=1, **asked)
    for number, each in enumerate(back.citations, 1):
        cite(first, number, shop.source.product, each.path)
    reply = Turn.objects.create(conversation=told, ordinal=2, question="DiskStore")
    history = history_before(reply, SYSTEM)
    assert [each.sent_answer for each in history] == [""]
    answer = trace_answer(AskRequest(reply.question, SYSTEM, history=history))
    assert answer is not None
    assert answer.outcome == "answered"


def test_replies_choose_one_end_after_the_other(shop: GitRef) -> None:
    question = "How does `save` reach `close`?"
    first = ask(question)
    before = (Exchange(question, first.markdown),)
    second = trace_answer(AskRequest("DiskStore", SYSTEM, history=before))
    assert second is not None
    assert second.outcome == "ambiguous"
    assert "DiskStore" not in second.markdown
    after = (*before, Exchange("DiskStore", second.markdown))
    last = trace_answer(AskRequest("the one in shop/a/close.py", SYSTEM, history=after))
    assert last is not None
    assert "from `DiskStore.save` to `close`" in last.markdown


def test_a_question_after_an_ambiguous_one_is_no_reply(shop: GitRef) -> None:
    question = "How does `serve` reach `close`?"
    history = (Exchange(question, ask(question).markdown),)
    for other in ("Where is an order saved?", "What does close do?"):
        assert trace_answer(AskRequest(other, SYSTEM, history=history)) is None


def test_a_test_of_the_same_name_is_not_meant(shop: GitRef) -> None:
    answer = ask("How does `Orders.check` reach `walk`?")
    assert "`shop/orders.py`, line 12, `Orders.check` calls `walk`" in answer.markdown


def test_an_unknown_name_has_similar_ones(shop: GitRef) -> None:
    answer = ask("How does `serv` reach `write`?")
    assert answer.outcome == "not_found"
    assert "There is no definition `serv` in the current version." in answer.markdown
    assert "`serve` in `shop/server.py`, line 3 [1](cite:1)" in answer.markdown
    bare = ask("How does `qqzzxx` reach `write`?")
    assert bare.outcome == "not_found"
    assert bare.markdown == (
        "There is no definition `qqzzxx` in the current version.\n"
    )


def test_a_class_or_a_file_is_what_it_defines(shop: GitRef) -> None:
    assert "`Orders.place` reaches `DiskStore.save`" in (
        ask("How does `Orders` reach `DiskStore`?").markdown
    )
    assert "`serve` reaches `write`" in ask("path from server.py to `write`").markdown


def test_a_route_and_a_command_start_their_handlers(shop: GitRef) -> None:
    file = File.objects.get(path="shop/server.py")
    place = {"file": file, "start_line": 3, "end_line": 3}
    route = {"path": "/orders/{id}", "method": "POST", "handler": "serve"}
    Fact.objects.create(kind="route", name="POST /orders/{id}", data=route, **place)
    Fact.objects.create(kind="command", name="serve-shop", **place)
    for start in ("POST /orders/<int:pk>", "shop serve-shop"):
        answer = ask(f"How does `{start}` reach `write`?")
        assert f"“{start}” is interpreted as `serve`." in answer.markdown
        assert answer.outcome == "answered"
    assert ask("How does `GET /orders/1` reach `write`?").outcome == "not_found"


def test_the_same_definition_twice_is_no_path(shop: GitRef) -> None:
    answer = ask("How does `serve` reach `server.serve`?")
    assert answer.markdown == "Both names refer to the same definition.\n"


def test_what_is_no_trace_is_told_how_to_ask(shop: GitRef) -> None:
    answer = ask("What is sold?")
    assert answer.markdown.startswith("A trace needs two definitions:")
    assert answer.outcome == "ambiguous"
    assert "`serve`" in answer.markdown


def test_an_example_is_of_the_only_product_in_scope(shop: GitRef) -> None:
    store("other", {"far.py": "def far():\n    near()\n\ndef near():\n    pass\n"})
    assert "for example" not in ask("What is sold?").markdown
    scope = Scope(products=("shop",))
    request = AskRequest("What is sold?", SYSTEM, mode="trace", scope=scope)
    answer = trace_answer(request)
    assert answer is not None
    assert "for example" in answer.markdown
    assert "far" not in answer.markdown


def test_few_functions_are_tried_for_an_example(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    functions = (f"def lone_{each}():\n    return {each}\n\n" for each in range(12))
    store("shop", {"lone.py": "".join(functions)})
    with django_assert_max_num_queries(24):
        assert "for example" not in ask("What is sold?").markdown


@pytest.mark.parametrize(
    "question",
    [
        "Where is an order saved?",
        "How does the server reach the store?",
        "How does `idle` reach `write`?",
        "How does `write` reach `serve`?",
        "How does `serve` reach `close`?",
        "How does `serve` reach `nothing_of_the_kind`?",
    ],
)
def test_other_modes_trace_only_what_surely_is_a_path(
    shop: GitRef, question: str
) -> None:
    assert trace_answer(AskRequest(question, SYSTEM)) is None
    found = trace_answer(AskRequest("How does `serve` reach `write`?", SYSTEM))
    assert found is not None


def test_sources_that_the_asker_cannot_see_do_not_exist(shop: GitRef) -> None:
    request = AskRequest("How does `serve` reach `write`?", ANONYMOUS, mode="trace")
    answer = trace_answer(request)
    assert answer is not None
    assert not answer.citations
    assert "There is no definition `serve`" in answer.markdown
    for scope in (Scope(products=("shop",)), Scope(source="shop")):
        with pytest.raises(NotFound):
            trace_answer(replace(request, scope=scope))


def test_calls_are_followed_within_one_source(shop: GitRef) -> None:
    store("other", {"far.py": "def far():\n    pass\n\ndef serve():\n    far()\n"})
    answer = ask("How does `Orders.place` reach `far`?")
    assert answer.outcome == "not_found"
    assert "source shop" in answer.markdown
    # Of two that are called `serve` the one beside the other end is meant.
    assert "reaches `far` in 1 call:" in ask("How does `serve` reach `far`?").markdown
    assert "reaches `write`" in ask("How does `serve` reach `write`?").markdown


def test_a_long_path_stays_within_the_budget() -> None:
    files = {
        f"m{n}.py": f"from m{n + 1} import f{n + 1}\n\ndef f{n}():\n    f{n + 1}()\n"
        + "    pass\n" * 80
        for n in range(14)
    }
    store("chain", files)
    answer = ask("How does `f0` reach `f10`?")
    assert "in 10 calls" in answer.markdown
    assert len({p.path for p in answer.citations}) <= MAX_FILES
    assert sum(p.line_count for p in answer.citations) <= MAX_LINES
    assert answer.diagram.count("->>") <= 12
    assert ask("How does `f0` reach `f13`?").outcome == "not_found"


def test_japanese_questions_have_japanese_answers(shop: GitRef) -> None:
    answer = ask("`serve` から `write` まではどのように呼ばれますか？")
    assert answer.markdown.startswith(
        "`serve` は 3 回の呼び出しで `write` に到達します"
    )
    assert "`shop/server.py` の 6 行目" in answer.markdown
    assert diagram_error(answer) is None
    request = AskRequest(
        "How does `serve` reach `close`?", SYSTEM, mode="trace", language="ja"
    )
    other = trace_answer(request)
    assert other is not None
    assert "定義" in other.markdown


def test_japanese_names_are_traced() -> None:
    store("店", {"注文.py": "def 保存():\n    pass\n\ndef 注文する():\n    保存()\n"})
    answer = ask("「注文する」から「保存」まで")
    assert "`注文する`" in answer.markdown
    assert answer.outcome == "answered"
    assert diagram_error(answer) is None


HOSTILE = [
    "end",
    "a;b",
    "%%{init",
    "#quot;",
    "<script>alert(1)</script>",
    "x]--y",
    "a: b",
    'say"hi"',
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_cannot_break_out_of_text_or_diagram(name: str) -> None:
    text = (
        f'class A {{ "{name}"() {{ this.b(); }} b() {{ c(); }} }}\nfunction c() {{}}\n'
    )
    text = text.replace('say"hi"', "say`hi`")
    store("hostile", {f"{name.replace('/', '_')}.js": text})
    answer = ask("How does `A.b` reach `c`?")
    assert answer.outcome == "answered"
    assert diagram_error(answer) is None
    assert "<script>" not in answer.diagram
    outside = re.sub(r"`[^`\n]*`", "", answer.markdown)
    assert "<" not in outside
    assert "`" not in outside


def test_a_guess_by_name_is_the_last_resort_and_says_so() -> None:
    text = (
        "class A:\n    def render(self): ...\n\n"
        "class B:\n    def render(self):\n        paint()\n\n"
        "def show(view):\n    view.render()\n\n"
        "def paint(): ...\n"
    )
    store("views", {"a.py": text})
    answer = ask("How does `show` reach `paint`?")
    assert (
        "`show` calls `render` on an object of unknown type. `B.render` is one of 2 "
        "methods with this name." in answer.markdown
    )
    assert "Step 1 is possible, not certain." in answer.markdown


def test_an_inherited_member_is_the_one_that_it_inherits(shop: GitRef) -> None:
    files = {
        "base.py": "class Base:\n    def open(self):\n        connect()\n\n"
        "def connect(): ...\n",
        "made.py": "from base import Base\n\nclass Made(Base):\n    pass\n",
    }
    store("inherited", files)
    answer = ask("How does `Made.open` reach `connect`?")
    assert answer.markdown.startswith("`Base.open` reaches `connect` in 1 call:")
    assert ask("How does `Made.shut` reach `connect`?").outcome == "not_found"
