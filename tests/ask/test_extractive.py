"""The answer without a model."""

from __future__ import annotations

from dataclasses import replace

from devrag.ask.extractive import extractive_answer
from devrag.ask.types import Evidence, Passage, PassageKind
from devrag.sources.api import DocumentFacts


def passage(number: int, kind: PassageKind, title: str, why: str = "") -> Passage:
    return Passage(
        id=f"E{number}",
        product="shop",
        source="shop",
        path=f"shop/{title}.py",
        start_line=1,
        end_line=9,
        text="…",
        version_identifier="1" * 40,
        content_hash="2" * 64,
        kind=kind,
        title=title,
        why=why,
    )


def test_it_leads_from_definitions_to_tests_with_numbers_in_that_order() -> None:
    evidence = Evidence(
        (
            passage(1, "test", "test_checkout"),
            passage(2, "callee", "charge", "Used by checkout"),
            passage(3, "definition", "checkout", "Charges the customer"),
        ),
        is_found=True,
    )
    answer = extractive_answer(evidence)
    assert [p.title for p in answer.citations] == [
        "checkout",
        "charge",
        "test_checkout",
    ]
    assert answer.markdown.index("Start here") < answer.markdown.index("What it uses")
    charge = "2. `charge` in `shop/charge.py` [2](cite:2)\\\n   Used by checkout\n"
    assert charge in answer.markdown
    assert answer.is_extractive
    assert answer.outcome == "answered"


def test_nothing_found_says_so_and_shows_the_nearest() -> None:
    evidence = Evidence((passage(1, "definition", "checkout"),), is_found=False)
    answer = extractive_answer(evidence)
    assert answer.outcome == "not_found"
    assert answer.markdown.startswith("The sources do not answer this question.")
    assert "[1](cite:1)" in answer.markdown


def test_it_claims_no_more_than_that_the_passages_are_near() -> None:
    answer = extractive_answer(Evidence((passage(1, "test", "t"),), is_found=True))
    assert answer.markdown.startswith(
        "These are the passages that match your question best."
    )


def test_what_is_hardly_of_use_is_listed_where_nothing_else_is() -> None:
    only = replace(passage(1, "callee", "pour"), path="tests/pour.py")
    answer = extractive_answer(Evidence((only,), is_found=True))
    assert "`pour`" in answer.markdown
    assert "[1](cite:1)" in answer.markdown


def test_a_definition_is_listed_once() -> None:
    evidence = Evidence(
        (passage(1, "definition", "checkout"), passage(2, "callee", "checkout")),
        is_found=True,
    )
    assert extractive_answer(evidence).markdown.count("`checkout`") == 1


def test_what_was_shown_before_follows_what_is_new() -> None:
    evidence = Evidence(
        (passage(1, "definition", "open_pool"), passage(2, "callee", "close_pool")),
        is_found=True,
        repeated=("E1",),
    )
    answer = extractive_answer(evidence)
    assert [p.title for p in answer.citations] == ["close_pool", "open_pool"]
    before, after = answer.markdown.split("**Shown before**")
    assert "close_pool" in before
    assert "open_pool" in after


def test_it_says_when_nothing_is_new() -> None:
    evidence = Evidence(
        (passage(1, "definition", "open_pool"),), is_found=True, repeated=("E1",)
    )
    assert extractive_answer(evidence).markdown.startswith("No new passages found.")


def test_tests_that_were_asked_for_come_first() -> None:
    evidence = Evidence(
        (passage(1, "definition", "checkout"), passage(2, "test", "test_checkout")),
        is_found=True,
        is_about_tests=True,
    )
    titles = [p.title for p in extractive_answer(evidence).citations]
    assert titles == ["test_checkout", "checkout"]


def section(number: int, title: str, text: str) -> Passage:
    return replace(passage(number, "documentation", title), text=text)


def test_every_place_says_why_it_is_there() -> None:
    evidence = Evidence(
        (
            passage(1, "definition", "unrelated"),
            replace(passage(2, "definition", ""), text="def pay(order): charge(order)"),
            section(3, "Payment", "# Payment\n\nThe order: see [the bank](b.md).<br>"),
        ),
        is_found=True,
        searched=("How is an order charged?",),
    )
    markdown = extractive_answer(evidence).markdown
    code = "```\n   def pay(order): charge(order)\n   ```"
    assert f"`shop/.py`, lines 1–9 [1](cite:1)\n\n   {code}\n" in markdown
    assert "`shop/unrelated.py` [2](cite:2)\\\n   Similar in meaning" in markdown
    assert (
        "in `shop/Payment.py` [3](cite:3)\\\n   The order: see the bank.\n" in markdown
    )


def test_the_line_that_answers_is_quoted() -> None:
    text = "app.init = function () {\n  var env = process.env.NODE_ENV\n}"
    init = replace(passage(1, "definition", "app.init", "Sets it up."), text=text)
    asked = ("Which environment variable sets the env?",)
    evidence = Evidence((init,), is_found=True, searched=asked)
    markdown = extractive_answer(evidence).markdown
    said = "\n   Sets it up. · line 2: `var env = process.env.NODE_ENV`\n"
    assert said in markdown


def test_documentation_is_quoted_where_it_answers() -> None:
    text = "Nothing of note. " * 20 + "A refund takes 14 days. Ask us."
    evidence = Evidence(
        (section(1, "Orders", text),),
        is_found=True,
        searched=("How long does a refund take?",),
    )
    said = "in `shop/Orders.py` [1](cite:1)\\\n   …A refund takes 14 days. Ask us.\n"
    assert said in extractive_answer(evidence).markdown


def test_places_of_several_products_name_them() -> None:
    other = replace(passage(2, "definition", "b"), product="tea")
    evidence = Evidence((passage(1, "definition", "a"), other), is_found=True)
    markdown = extractive_answer(evidence).markdown
    assert "`a` in `shop/a.py` (shop) [1]" in markdown
    assert "`b` in `shop/b.py` (tea) [2]" in markdown


def test_what_has_words_of_the_question_precedes_what_is_only_near() -> None:
    evidence = Evidence(
        (passage(1, "definition", "near"), passage(2, "definition", "close_pool")),
        is_found=True,
        searched=("Who closes a pool?",),
    )
    titles = [p.title for p in extractive_answer(evidence).citations]
    assert titles == ["close_pool", "near"]


def test_a_section_about_the_question_is_where_to_start() -> None:
    evidence = Evidence(
        (
            passage(1, "test", "test_tests"),
            passage(2, "definition", "near"),
            section(3, "Running tests", "Run `make test`."),
        ),
        is_found=True,
        is_about_tests=True,
        searched=("How do I run the tests?",),
    )
    answer = extractive_answer(evidence)
    assert [p.title for p in answer.citations] == ["Running tests", "test_tests"]
    assert answer.markdown.index("**Start here**") < answer.markdown.index("make test")
    assert "**Tests**" in answer.markdown


def test_japanese_words_are_found_in_english_code() -> None:
    evidence = Evidence(
        (replace(passage(1, "definition", "f"), text="token = 1"),),
        is_found=True,
        searched=("トークンの検証はどこ？",),
    )
    assert "   ```\n   token = 1\n" in extractive_answer(evidence).markdown


def test_headings_are_no_code_and_names_keep_their_underscores() -> None:
    heading = passage(1, "documentation", "Set up the shop")
    markdown = extractive_answer(Evidence((heading,), is_found=True)).markdown
    assert "1. “Set up the shop” in `shop/Set up the shop.py`" in markdown
    used = passage(1, "callee", "f", "Used by make_it of _x_")
    markdown = extractive_answer(Evidence((used,), is_found=True)).markdown
    assert "Used by `make_it` of `_x_`\n" in markdown


def test_text_of_repositories_is_shown_as_text() -> None:
    odd = passage(1, "definition", "a`b", "<b>*bold*</b> [x](http://evil.example)")
    markdown = extractive_answer(Evidence((odd,), is_found=True)).markdown
    assert "<b>" not in markdown.replace("\\<", "")
    assert "](http" not in markdown.replace("\\](", "")


def ticket(number: int) -> Passage:
    facts = DocumentFacts(title="Bug #7: Charged twice", kind="ticket")
    found = passage(number, "documentation", "Rin, 2026-03-01")
    text = "### Rin, 2026-03-01\n\nSeen with `retry`: [log](log.txt) says so."
    return replace(found, path="issues/7.md", text=text, document=facts)


def test_a_ticket_is_called_by_its_title_and_quoted() -> None:
    answer = extractive_answer(Evidence((ticket(1),), is_found=True))
    assert (
        "1. **Bug 7: Charged twice** › Rin, 2026-03-01 [1](cite:1)\\\n"
        "   Seen with retry: log says so.\n"
    ) in answer.markdown.replace("\\#", "")
    assert "issues/7.md" not in answer.markdown


def test_tickets_come_first_where_they_are_nearest() -> None:
    code = passage(2, "definition", "checkout")
    nearest = extractive_answer(Evidence((ticket(1), code), is_found=True))
    assert nearest.citations[0].path == "issues/7.md"
    later = extractive_answer(Evidence((code, ticket(1)), is_found=True))
    assert later.citations[1].path == "issues/7.md"


def test_the_head_of_a_ticket_that_is_quoted_is_not_listed() -> None:
    head = replace(ticket(2), title="Bug #7: Charged twice", text="---\n---\n")
    both = extractive_answer(Evidence((ticket(1), head), is_found=True))
    assert len(both.citations) == 1
    alone = extractive_answer(Evidence((head,), is_found=True))
    assert len(alone.citations) == 1


def test_a_definition_without_words_is_told_by_the_line_that_names_it() -> None:
    text = "@app.route('/')\ndef home(request):\n    return render()"
    found = replace(passage(1, "definition", "home"), text=text)
    evidence = Evidence((found,), is_found=True, searched=("Who is there?",))
    assert "line 2: `def home(request):`" in extractive_answer(evidence).markdown


def test_comments_are_quoted_where_nothing_else_says_why() -> None:
    text = "x = 1\n// Pays the order at once.\nrun(x, 'quickly')"
    found = replace(passage(1, "test", "run"), text=text)
    asked = ("How is an order paid?",)
    evidence = Evidence((found,), is_found=True, searched=asked)
    assert "line 2: Pays the order at once." in extractive_answer(evidence).markdown
    known = Evidence((replace(found, why="Runs."),), is_found=True, searched=asked)
    assert "at once" not in extractive_answer(known).markdown


def test_front_matter_is_not_quoted() -> None:
    text = "---\nlayout: home\nauthor: A\n---\n# Orders\n\nPay at once.\n"
    evidence = Evidence((section(1, "Orders", text),), is_found=True)
    markdown = extractive_answer(evidence).markdown
    assert "Pay at once." in markdown
    assert "layout" not in markdown


def test_a_named_definition_is_shown_with_its_lines_before_all_else() -> None:
    text = "def pay(order):\n    # ```\n    return order"
    pay = replace(
        passage(2, "definition", "pay", "Pays."), text=text, language="python"
    )
    payment = replace(passage(1, "definition", "payment"), text="pay(order)")
    unrelated = passage(3, "definition", "unrelated")
    evidence = Evidence((payment, pay, unrelated), is_found=True, named=("E2",))
    answer = extractive_answer(evidence)
    assert answer.markdown.startswith(
        "1. `pay` in `shop/pay.py`, line 1 [1](cite:1)\\\n   Pays.\n\n"
        "   ````python\n   def pay(order):\n       # ```\n"
        "       return order\n   ````\n"
    )
    assert "**Code**\n\n2. `payment`" in answer.markdown
    assert "unrelated" not in answer.markdown


FLAGS = "前提条件として次が必須です。\n\n- 認証の情報\n- 接続の情報\n- 設定の内容\n"


def test_of_two_editions_the_second_is_named_in_one_line() -> None:
    text = FLAGS + "- フラグの値\n"
    sections = (
        replace(section(1, "前提条件", text), path="docs/2.0.md"),
        replace(section(2, "前提条件", f"版 3。{text}"), path="docs/3.0.3.md"),
    )
    asked = ("フラグを必須にする方法",)
    evidence = Evidence(sections, is_found=True, searched=asked)
    markdown = extractive_answer(evidence).markdown
    assert markdown.count("接続の情報") == 1
    second = markdown[markdown.index("docs/3.0.3.md") :]
    assert "Nearly the same text as number 1." in second
    assert "Not found" not in markdown


def test_a_section_without_the_words_that_matter_is_not_quoted_in_full() -> None:
    evidence = Evidence(
        (section(1, "前提条件", FLAGS),),
        is_found=True,
        searched=("フラグを必須にする方法",),
    )
    markdown = extractive_answer(evidence).markdown
    assert "Not found in these passages: “フラグ”." in markdown
    assert "- 認証の情報" not in markdown


def asking(question: str, *passages: Passage) -> str:
    evidence = Evidence(passages, is_found=True, searched=(question,))
    return extractive_answer(evidence).markdown


def test_who_asks_where_reads_code_before_documents() -> None:
    code = replace(
        passage(1, "definition", "HelpFormatter"), text="formats the help page"
    )
    text = section(2, "Help page", "# Help page\n\nThe help page is formatted.\n")
    where = asking("Where is the help page formatted?", code, text)
    assert where.index("HelpFormatter") < where.index("“Help page”")
    how = asking("How is the help page formatted?", code, text)
    assert how.index("“Help page”") < how.index("HelpFormatter")


def test_a_test_with_the_very_words_comes_before_code_that_shares_one() -> None:
    literal = replace(
        passage(1, "test", "test/app.js"), text="returns a rejected promise"
    )
    code = replace(passage(2, "definition", "redirect"), text="returns the address")
    said = asking("What if a handler returns a rejected promise?", code, literal)
    assert said.index("test/app.js") < said.index("redirect")


def test_definitions_that_share_a_word_by_chance_are_left_out() -> None:
    best = replace(
        passage(1, "definition", "etag"), text="generates the weak etag of a body"
    )
    chance = replace(passage(2, "definition", "walk"), text="the body")
    used = passage(3, "callee", "stat", "Used by walk")
    said = asking("Where is the weak etag of a body generated?", best, chance, used)
    assert "`etag`" in said
    assert "walk" not in said


def test_where_it_is_defined_is_the_whole_answer() -> None:
    runner = passage(1, "definition", "CliRunner")
    evidence = Evidence(
        (runner, passage(2, "definition", "ComplexCLI")),
        is_found=True,
        searched=("Where is CliRunner defined?",),
        named=("E1",),
    )
    assert [each.title for each in extractive_answer(evidence).citations] == [
        "CliRunner"
    ]


def test_a_passage_about_both_sides_is_listed_once_under_both() -> None:
    both = passage(1, "documentation", "Hooks")
    evidence = Evidence(
        (both,), True, ("before or after?",), sides=(("before", "E1"), ("after", "E1"))
    )
    answer = extractive_answer(evidence)
    assert answer.citations == (both,)
    assert "**before, after**" in answer.markdown


def test_words_that_are_missing_are_written_as_they_were_asked() -> None:
    found = section(1, "Files", "Send a file as a download.")
    assert "“Kafka”" in asking("How does Kafka send a file?", found)
