"""A page opens with the sentences that are closest to its topic."""

from __future__ import annotations

from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.leads import home_of, lead_of
from tests.wiki.shop import SHOP, analyse, survey_of

BODY = "    def work(self):\n        return 1\n" + "    # filler\n" * 60
CLIENT = {
    "client/client.py": '"""Parts of the client."""\n\n\n'
    "class ClientError(Exception):\n"
    '    """Raised where the client of the shop fails to answer at all."""\n\n\n'
    "class Client:\n"
    '    """A client that sends requests to the shop. This closes sockets."""\n\n'
    + BODY
    + "\n\nclass Stream:\n"
    '    """Bytes of an answer that the client reads in small pieces."""\n',
}


def lead(analysis: Analysis, path: str) -> list[str]:
    file = next(f for f in analysis.survey.files if f.path == path)
    return [s.text for s in lead_of(analysis, analysis.topic_of[file.id])]


def test_the_namesake_comes_first() -> None:
    said = lead(analyse({**SHOP, **CLIENT}), "client/client.py")
    assert said[0] == "A client that sends requests to the shop."


def test_what_another_definition_says_of_itself_is_not_on_the_topic() -> None:
    said = lead(analyse({**SHOP, **CLIENT}), "client/client.py")
    assert "Bytes of an answer that the client reads in small pieces." not in said


def test_a_sentence_on_half_of_the_title_opens_no_page() -> None:
    said = "A client is what a person in the shop is called by those who sell."
    tree = {
        "docs/use.md": f"# Client groups\n\n{said}\n\n"
        + "`app/client_groups.py`. " * 8,
        "app/client_groups.py": "def join(one):\n    return one\n" + "# line\n" * 60,
        "app/other.py": "def sell(book):\n    return book\n" + "# filler\n" * 60,
    }
    assert lead(analyse(tree), "app/client_groups.py") == []


def test_a_document_says_what_the_product_has_of_its_topic() -> None:
    said = "Shop provides tab completion for the names of its books and clients."
    tree = {
        "docs/completion.md": f"# Completion\n\n{said}\n\n"
        + "See `app/completion.py`. " * 8,
        "app/completion.py": "def complete(one):\n    return one\n" + "# line\n" * 60,
        **CLIENT,
    }
    assert lead(analyse(tree), "app/completion.py") == [said]


def test_errors_and_dangling_sentences_open_no_page() -> None:
    said = " ".join(lead(analyse({**SHOP, **CLIENT}), "client/client.py"))
    assert "fails to answer" not in said
    assert "This closes" not in said


def test_a_package_speaks_through_its_marker() -> None:
    package = {
        **CLIENT,
        "client/__init__.py": '"""The web client talks to the server of the shop."""\n',
    }
    said = lead(analyse({**SHOP, **package}), "client/client.py")
    assert "The web client talks to the server of the shop." in said


def test_code_without_words_has_no_lead() -> None:
    bare = {"client/client.py": "class Client:\n" + BODY}
    assert lead(analyse({**SHOP, **bare}), "client/client.py") == []


def test_documents_on_other_products_open_no_page() -> None:
    compared = "The client of other shops allows hooks to change requests of a client."
    documents = {
        "docs/compatibility.md": f"# Compatibility\n\n## Client\n\n{compared} "
        + "It is like that in `client/client.py`. " * 8
    }
    said = lead(analyse({**SHOP, **CLIENT, **documents}), "client/client.py")
    assert compared not in said


def test_what_documents_say_of_the_product_opens_no_page() -> None:
    said = "Shop is a program that sells books to the people of a town."
    tree = {
        "docs/shop.md": f"# Shop\n\n{said}\n\n" + "See `app/shop.py`. " * 8,
        "app/shop.py": "def sell(book):\n    return book\n" + "# filler\n" * 60,
        **CLIENT,
    }
    survey, texts = survey_of(tree)
    other = replace(survey, product="mail")
    assert lead(Analysis(other, texts), "app/shop.py") == [said]
    assert lead(Analysis(survey, texts), "app/shop.py") == []
    product = replace(survey, product="app-shop")  # as the topic is called
    assert lead(Analysis(product, texts), "app/shop.py") == []


def test_a_condition_comes_not_first() -> None:
    documents = {
        "docs/client.md": "# Client\n\nWhen a client is used by two threads, a client "
        "of the shop locks it. " + "The `Client` is in `client/client.py`. " * 8
    }
    bare = CLIENT["client/client.py"].replace(
        "A client that sends requests to the shop.", "Client."
    )
    files = {**SHOP, "client/client.py": bare, **documents}
    assert not lead(analyse(files), "client/client.py")[0].startswith("When")


def test_a_docstring_that_is_a_sample_says_nothing() -> None:
    sample = CLIENT["client/client.py"].replace(
        "A client that sends requests to the shop.", "client = web.Client(shop)"
    )
    said = lead(analyse({**SHOP, "client/client.py": sample}), "client/client.py")
    assert not any("web.Client(" in text for text in said)


def test_a_directory_is_home_of_the_topic_that_has_most_of_it() -> None:
    analysis = analyse(SHOP)
    orders, settings = analysis.topics[:2]
    assert home_of(analysis, orders) == "shop/orders"
    assert home_of(analysis, settings) == ""  # `cli.py` beside it is of orders
