"""A citation points at the smallest whole that bears its sentence."""

from __future__ import annotations

from devrag.wiki.evidence.page_evidence import MARKER, EvidenceBook, EvidenceItem
from devrag.wiki.writing.model.citation_spans import CitationSpans
from devrag.wiki.writing.model.validators import said_as
from devrag.wiki.writing.model.whole_places import WholePlaces
from tests.wiki.shop import analyse

FILLER = [f"        count_{n} = {n}" for n in range(110)]
TILL = [
    "class Till:",
    '    """Holds the money of one day."""',
    "",
    '    currency = "EUR"',
    "    # Nothing above it is taken in cash.",
    "    most_cash = 500",
    "",
    "    def charge(self, amount):",
    '        """Take the money, tax included.',
    "",
    "        An amount above the limit is refused.",
    '        """',
    "        if amount > self.most_cash:",
    '            raise ValueError("too much")',
    "        return amount + self.tax",
    "",
    "    def count(self):",
    '        """Return the coins by their size."""',
    *FILLER[:25],
    "",
    "        for coin in self.coins:",
    "            if coin.is_foreign:",
    "                continue",
    "",
    *FILLER[25:],
    "        return coins",
]
GUIDE = [
    *("# Guide", "", "## Paying", "", "Pay in cash.", "", "Cards are refused."),
    *("", "## Coins", "", "They are counted each evening."),
]
FILES = {"till.py": "\n".join(TILL), "docs/guide.md": "\n".join(GUIDE)}
LAST = len(TILL)


class Page:
    """The evidence of a page about the till."""

    def __init__(self) -> None:
        self.analysis = analyse(FILES)
        self.book = EvidenceBook(self.analysis.files, self.analysis.texts)
        self.spans = CitationSpans(self.book, WholePlaces(self.analysis).all_in)

    def held(self, start: int, end: int, path: str = "till.py") -> EvidenceItem:
        file = next(f.id for f in self.analysis.files.values() if f.path == path)
        return self.book.hold(file, start, end)

    def cited(self, sentence: str) -> list[tuple[int, int]]:
        """Return the lines that a sentence cites once it is published."""
        items = {item.id: item for item in self.book.items}
        text = self.spans.narrowed(f"{sentence}\n")
        items |= {item.id: item for item in self.book.items}
        ids = MARKER.findall(text)
        return [(items[key].start_line, items[key].end_line) for key in ids]


def test_a_method_is_cited_whole_with_its_docstring_and_its_branch() -> None:
    page = Page()
    page.held(1, LAST)

    assert page.cited("`charge()` takes the money with its tax [[E1]].") == [(8, 15)]


def test_a_head_alone_is_cited_with_its_short_body() -> None:
    page = Page()
    head = page.held(8, 9)

    assert page.cited("`charge()` refuses an amount [[E1]].") == [(8, 15)]
    assert "raise ValueError" in page.spans.whole(head).excerpt


def test_a_short_item_stays_where_no_part_shows_all_of_the_sentence() -> None:
    page = Page()
    page.held(1, 15)

    said = "`Till` refuses to `charge()` more than `most_cash` [[E1]]."
    assert page.cited(said) == [(1, 15)]


def test_a_short_type_is_cited_whole_for_what_one_method_shows() -> None:
    page = Page()
    page.held(1, 15)

    assert page.cited("`charge()` takes the money with its tax [[E1]].") == [(1, 15)]


def test_a_field_is_cited_with_its_comment_and_the_head_of_its_class() -> None:
    page = Page()
    page.held(1, LAST)

    said = "By `most_cash` nothing above it is taken in cash [[E1]]."
    assert page.cited(said) == [(1, 6)]


def test_a_branch_of_a_long_method_is_cited_with_its_loop_and_the_signature() -> None:
    page = Page()
    page.held(1, LAST)

    said = "For each of its `coins`, one that `is_foreign` is left out [[E1]]."
    assert page.cited(said) == [(17, 18), (45, 47)]


def test_a_function_of_some_length_is_cited_whole_in_pieces() -> None:
    page = Page()
    page.held(17, LAST)

    said = "For each of its `coins`, one that `is_foreign` is left out [[E1]]."
    assert page.cited(said) == [(17, 47), (49, 88), (89, 128), (129, 134)]


def test_what_words_do_not_find_is_cited_in_pieces() -> None:
    page = Page()
    page.held(17, LAST)

    said = "Someone walks through everything, one by one, until nobody waits [[E1]]."
    assert page.cited(said) == [(17, 47), (49, 88), (89, 128), (129, 134)]


def test_a_proof_that_is_spread_over_lines_is_cited_together() -> None:
    page = Page()
    page.held(1, LAST)

    names = [f"count_{n}" for n in (1, 9, 17, 24)]
    cited = page.cited(f"It sets {', '.join(f'`{name}`' for name in names)} [[E1]].")

    shown = "\n".join("\n".join(TILL[start - 1 : end]) for start, end in cited)
    assert all(name in shown for name in names)


def test_no_citation_has_more_than_40_lines() -> None:
    page = Page()
    page.held(1, LAST)

    for said in ("`count_3` and `count_40` [[E1]].", "Nothing of it [[E1]]."):
        assert all(end - start < 40 for start, end in page.cited(said))


def test_each_name_of_a_sentence_stays_in_its_lines() -> None:
    page = Page()
    page.held(1, LAST)

    cited = page.cited("`currency` is beside `count_3` and `is_foreign` [[E1]].")

    shown = "\n".join("\n".join(TILL[start - 1 : end]) for start, end in cited)
    assert all(name in shown for name in ("currency", "count_3", "is_foreign"))


def test_a_short_section_of_a_document_is_cited_whole() -> None:
    page = Page()
    page.held(1, len(GUIDE), "docs/guide.md")

    assert page.cited("Coins are counted each evening [[E1]].") == [(1, 11)]


def test_markers_of_the_same_lines_become_one() -> None:
    page = Page()
    page.held(8, 9)
    page.held(8, 14)

    assert page.cited("`charge()` takes money [[E1]] [[E2]].") == [(8, 15)]


def test_sentences_of_before_keep_their_lines() -> None:
    page = Page()
    page.held(13, 14)
    said = "`charge()` refuses too much [[E1]]."

    text = page.spans.narrowed(f"{said}\n", frozenset({said_as(said)}))

    assert text == f"{said}\n"


def test_what_was_set_once_stays_there() -> None:
    page = Page()
    page.held(1, LAST)
    said = "For each of its `coins`, one that `is_foreign` is left out [[E1]]."

    once = page.spans.narrowed(f"{said}\n")

    assert page.spans.narrowed(once) == once


def test_a_wide_sentence_cites_all_of_its_item_in_pieces() -> None:
    page = Page()
    item = page.held(17, LAST)
    said = f"`count` skips foreign coins [[{item.id}]]."

    text = page.spans.narrowed(f"{said}\n", wide=frozenset({said_as(said)}))

    items = {each.id: each for each in page.book.items}
    cited = [items[key] for key in MARKER.findall(text)]
    assert cited[0].start_line == 17
    assert cited[-1].end_line == LAST
    assert all(each.end_line - each.start_line < 40 for each in cited)
    shown = page.spans.excerpts(said, [item], is_wide=True)
    assert [lines for _, lines in shown] == [each.excerpt for each in cited]


def test_of_a_very_long_item_the_pieces_that_bear_the_sentence_are_cited() -> None:
    lines = [f"value_{n} = {n}" for n in range(300)]
    lines[270] = "is_foreign = reject(coin)"
    analysis = analyse({"long.py": "\n".join(lines)})
    book = EvidenceBook(analysis.files, analysis.texts)
    spans = CitationSpans(book, WholePlaces(analysis).all_in)
    item = book.hold(next(iter(analysis.files)), 1, 300)

    shown = spans.excerpts(f"`reject` it [[{item.id}]].", [item], is_wide=True)

    assert any("is_foreign" in text for _, text in shown)
    assert sum(text.count("\n") + 1 for _, text in shown) <= 120


OVERLOADS = """class Till {
  void Charge(int amount) {
    if (amount < 0) throw new NegativeAmount();
    Add(amount);
  }

  void Charge(Card card, int amount) {
    if (card.IsExpired) throw new ExpiredCard();
    Charge(amount);
  }

  void Charge(Voucher voucher) {
    Redeem(voucher);
  }
"""
OVERLOADS += "".join(f"\n  void Count{n}() {{}}\n" for n in range(20)) + "}\n"


def cited_of_overloads(sentence: str) -> str:
    analysis = analyse({"Till.cs": OVERLOADS})
    book = EvidenceBook(analysis.files, analysis.texts)
    spans = CitationSpans(book, WholePlaces(analysis).all_in)
    item = book.hold(next(iter(analysis.files)), 1, OVERLOADS.count("\n"))
    shown = spans.excerpts(f"{sentence} [[{item.id}]].", [item])
    return "\n".join(text for _, text in shown)


def test_of_overloads_the_one_that_shows_most_is_cited() -> None:
    cited = cited_of_overloads("`Charge` throws if the card is expired")

    assert "card.IsExpired" in cited
    assert "Redeem" not in cited


def test_overloads_that_add_to_each_other_are_all_cited() -> None:
    cited = cited_of_overloads("`Charge` redeems a voucher or takes a card")

    assert "IsExpired" in cited
    assert "Redeem" in cited


def test_of_a_long_section_the_paragraph_that_says_it_is_cited() -> None:
    others = [line for n in range(12) for line in (f"Thing {n} is sold.", "")]
    text = ["# Shop", "", *others, "Foreign coins are refused.", "", *others[:6]]
    analysis = analyse({"docs/shop.md": "\n".join(text)})
    book = EvidenceBook(analysis.files, analysis.texts)
    spans = CitationSpans(book, WholePlaces(analysis).all_in)
    item = book.hold(next(iter(analysis.files)), 1, len(text))

    def cited(sentence: str) -> list[str]:
        shown = spans.excerpts(f"{sentence} [[{item.id}]].", [item])
        return [lines for _, lines in shown]

    assert cited("Foreign coins are refused") == ["Foreign coins are refused."]
    assert cited("The till rejects what came from abroad")[0].startswith("# Shop")
