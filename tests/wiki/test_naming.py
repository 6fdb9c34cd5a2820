"""Each topic has a title of its own, from its documents, its package or its names."""

from __future__ import annotations

from devrag.wiki.analysis.topics.naming import name_topics
from devrag.wiki.analysis.topics.titles import stems_of
from devrag.wiki.analysis.topics.types import Topic
from tests.wiki.topic_inputs import topic_input

BODY = "x = 1\n" * 30


def titles(tree: dict[str, str], *groups: tuple[str, ...]) -> list[str]:
    """Return the titles of topics, each given by what its paths begin with."""
    found = topic_input(tree)
    topics = [
        Topic("", tuple(f for f in found.files if f.path.startswith(starts)))
        for starts in groups
    ]
    return [topic.title for topic in name_topics(found, topics)]


def test_a_package_gives_its_name() -> None:
    tree = {f"lib/{p}/{m}.py": BODY for p in ("routing", "vector_stores") for m in "ab"}
    assert titles(tree, ("lib/routing",), ("lib/vector",)) == [
        "Routing",
        "Vector stores",
    ]


def test_a_package_that_says_its_name_is_called_so() -> None:
    tree = {
        "lib/odr/__init__.py": '"""Orders: from the basket to the bill."""\n' + BODY,
        "lib/odr/a.py": BODY,
        "lib/mail/a.py": BODY,
    }
    assert titles(tree, ("lib/odr",), ("lib/mail",)) == ["Orders", "Mail"]


def test_terms_name_what_no_package_is() -> None:
    tree = {f"src/{name}.py": BODY for name in ("lexer", "lexer_rules", "mailbox")}
    assert titles(tree, ("src/lexer",), ("src/mail",)) == ["Lexer", "Mailbox"]


def test_two_terms_name_what_one_does_not() -> None:
    tree = {f"src/{name}.py": BODY for name in ("lexer", "scanner", "mailbox")}
    first, _ = titles(tree, ("src/lexer", "src/scanner"), ("src/mail",))
    assert first == "Lexer and scanner"


def test_a_japanese_heading_names_english_code() -> None:
    tree = {
        f"src/{name}.py": f"class {name.title()}:\n{BODY}" for name in ("dict", "till")
    }
    said = "`Dict` は `src/dict.py` にあり、`Dict` の単語を追加します。" * 20
    others = {
        f"docs/{n}.md": f"# Other {n}\n\n{'Other words. ' * 20}" for n in range(9)
    }
    tree |= others
    tree["docs/dict.md"] = f"# ユーザー辞書機能について\n\n{said}\n"
    found = titles(tree, ("src/dict",), ("src/till",))
    assert found == ["ユーザー辞書機能", "Till"]


def test_a_title_of_a_page_on_the_whole_product_is_not_taken() -> None:
    tree = {f"lib/{p}/{m}.py": BODY for p in ("config", "mail") for m in ("limit", "b")}
    assert "Configuration" not in titles(tree, ("lib/config",), ("lib/mail",))


def test_what_has_no_name_is_called_by_what_it_offers() -> None:
    tree = {
        "main.py": "import argparse\n\np = argparse.ArgumentParser()\n"
        's = p.add_subparsers()\ns.add_parser("buy")\n' + BODY,
        "mail.py": BODY,
    }
    assert titles(tree, ("main",), ("mail",)) == ["Command line", "Mail"]


def test_shared_helpers_are_utilities() -> None:
    tree = {f"src/utils/{name}.py": BODY for name in ("mime", "color", "buffer", "zip")}
    tree |= {f"src/mail/{name}.py": BODY for name in "ab"}
    assert titles(tree, ("src/utils",), ("src/mail",)) == ["Utilities", "Mail"]


def test_a_given_title_stays_and_is_no_one_elses() -> None:
    found = topic_input({f"lib/mail/{name}.py": BODY for name in "ab"})
    given = Topic("Mail", tuple(found.files[:1]), is_given=True)
    named = name_topics(found, [given, Topic("", tuple(found.files[1:]))])
    assert named[0] == given
    assert named[1].title.casefold() != "mail"


def test_a_part_is_not_compared_with_what_it_is_part_of() -> None:
    tree = {f"lib/wiki/{p}/{m}.py": BODY for p in ("plan", "write") for m in "ab"}
    tree |= {f"lib/{p}/{m}.py": BODY for p in ("mail", "till", "auth") for m in "ab"}
    found = topic_input(tree)
    of = {
        p: tuple(f for f in found.files if p in f.path)
        for p in ("plan", "write", "mail")
    }
    topics = [
        Topic("", of["plan"]),
        Topic("", of["write"], parent=0),
        Topic("", of["mail"]),
    ]
    assert [t.title for t in name_topics(found, topics)] == ["Wiki", "Writing", "Mail"]


def test_errors_name_no_topic_that_is_more() -> None:
    found = topic_input({"lib/parser.py": BODY, "lib/ParserError.py": BODY})
    files = tuple(found.files)
    (topic,) = name_topics(found, [Topic("", files)])
    assert topic.title == "Parser"


def test_the_type_that_a_file_is_named_after_names_its_topic() -> None:
    tree = {
        "src/copyOnWrite.py": f"class CopyOnWrite:\n    a = 1\n{BODY}",
        "src/till.py": f"class Till:\n    a = 1\n{BODY}",
    }
    assert titles(tree, ("src/copy",), ("src/till",)) == ["Copy on write", "Till"]


def test_words_that_names_have_as_a_pair_are_one() -> None:
    tree = {f"src/secure_headers/{m}.py": BODY for m in ("headers", "policy")}
    tree |= {f"src/mail/{m}.py": BODY for m in "ab"}
    assert titles(tree, ("src/secure",), ("src/mail",)) == ["Secure headers", "Mail"]


def test_functions_name_a_file_whose_own_name_is_an_abbreviation() -> None:
    body = "".join(
        f"def {verb}_{word}():\n    return 1\n"
        for word in ("receipt", "basket")
        for verb in ("print", "send", "sign")
    )
    said = "The shop has a receipt for each basket, and takes an order by mail. "
    words = " ".join(
        f"term{a}{b}" for a in "abcdefghijklmnop" for b in "abcdefghijklmnop"
    )
    tree = {
        "src/xq.py": body,
        "src/mail.py": BODY,
        "docs/guide.md": f"# Selling\n\n{said * 3}{words}.\n",
    }
    first, _ = titles(tree, ("src/xq",), ("src/mail",))
    assert stems_of(first) == stems_of("Receipt and basket")


def test_what_starts_the_product_is_no_subject_of_its_neighbour() -> None:
    tree = {
        "src/main.c": "int x;\n" * 90,
        "src/inject_errors.c": "int y;\n" * 9,
        "src/lexer.c": "int z;\n" * 90,
    }
    first, second = titles(tree, ("src/main", "src/inject"), ("src/lexer",))
    assert (first, second) == ("Main program", "Lexer")


JAPANESE_CODE = {
    "src/lexer.py": f'"""テキスト解析"""\n{BODY}{BODY}',
    "src/scanner.py": BODY,
    "src/mailbox.py": BODY,
}


def test_a_japanese_product_has_a_noun_of_its_code_before_a_list_of_words() -> None:
    document = {
        "docs/mail.md": "# 手紙の送り方\n\n" + "この店は本を売り、在庫を数えます。" * 20
    }
    tree = {**JAPANESE_CODE, **document}
    groups = ("src/lexer", "src/scanner"), ("src/mail",)
    assert titles(tree, *groups) == ["テキスト解析", "Mailbox"]


def test_an_english_product_has_no_title_in_japanese() -> None:
    document = {
        "docs/mail.md": "# Letters to send\n\n" + "This shop sells books it has. " * 20
    }
    tree = {**JAPANESE_CODE, **document}
    groups = ("src/lexer", "src/scanner"), ("src/mail",)
    assert titles(tree, *groups) == ["Lexer and scanner", "Mailbox"]


COMMANDS = "".join(
    f'class {name}:\n    """Part of a command line."""\n\n'
    + "".join(f"    def {verb}_it(self): ...\n" for verb in ("parse", "show", "check"))
    for name in ("Command", "Context", "Group")
)


def test_a_heading_that_the_code_does_not_bear_names_no_topic() -> None:
    guide = "# Guide\n\n## Overriding Value Completion\n\n"
    guide += "A `Command` holds a `Context`, and a `Group` holds commands.\n"
    tree = {"src/core.py": COMMANDS, "src/mail.py": BODY, "docs/guide.md": guide}
    first, _ = titles(tree, ("src/core",), ("src/mail",))
    assert first == "Command, context and group"


def test_files_name_what_no_single_term_does() -> None:
    tree = {f"src/{n}.py": BODY for n in ("testing", "formatting")}
    tree |= {"src/utils.py": BODY * 9, "src/mail.py": BODY * 40}
    own = ("src/utils", "src/testing", "src/formatting")
    first, _ = titles(tree, own, ("src/mail",))
    assert stems_of(first) == stems_of("Utilities, formatting and testing")


def test_private_modules_name_no_topic() -> None:
    tree = {"src/_windows.py": BODY * 3, "src/paging.py": BODY, "src/mail.py": BODY}
    first, _ = titles(tree, ("src/_windows", "src/paging"), ("src/mail",))
    assert first.startswith("Paging")
