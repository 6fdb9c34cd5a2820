"""The plan covers every file, the same way every time."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.topics.outline import outline_of
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.planning.page_kind import ARCHITECTURE, INDEX
from devrag.wiki.planning.plan import host_page
from devrag.wiki.planning.topic_files import documents
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import SHOP, analyse


@settings(max_examples=20, deadline=None)
@given(st.sets(st.sampled_from(sorted(SHOP)), max_size=len(SHOP)))
def test_every_file_is_on_a_page_or_left_out_with_a_reason(chosen: set[str]) -> None:
    analysis = analyse({path: SHOP[path] for path in sorted(chosen)})
    plan = plan_wiki(analysis)
    covered = {analysis.files[f].path for page in plan.pages for f in page.files}
    left = {p.partition("/")[2] for group in plan.left_out for p in group.paths}
    assert covered | left == chosen
    assert not covered & left


def test_the_shop_has_the_pages_a_reader_expects() -> None:
    plan = plan_wiki(analyse(SHOP))
    assert [page.path for page in plan.pages] == [
        INDEX,
        ARCHITECTURE,
        "features/orders.md",
        "features/settings.md",
        "features/stock.md",
        "interfaces.md",
        "data-model.md",
        "configuration.md",
        "build-and-run.md",
        "testing.md",
        "documentation.md",
    ]


def test_a_topic_keeps_the_page_of_the_version_before() -> None:
    analysis = analyse(SHOP)
    kept = [
        replace(topic, page=f"features/old-{n}.md")
        for n, topic in enumerate(analysis.topics)
    ]
    outline = outline_of(kept, analysis.files, "")
    plan = plan_wiki(Analysis(analysis.survey, analysis.texts, outline))
    found = [page.path for page in plan.pages if page.kind == "feature"]
    assert found == [f"features/old-{n}.md" for n in range(len(kept))]


def test_a_title_of_two_terms_is_joined_in_the_language_of_the_wiki() -> None:
    body = "x = 1\n" * 30
    analysis = analyse({f"src/{name}.py": body for name in ("lexer", "scanner")})
    (given,) = [replace(t, title="Lexer and scanner") for t in analysis.topics[:1]]
    analysis.topics = [given]
    titles = {page.title for page in plan_wiki(analysis, "ja").pages}
    assert "字句解析器と scanner" in titles


def test_a_part_stands_below_its_topic() -> None:
    module = "def f():\n    return 1\n" * 30
    tree = {f"app/{p}/{m}.py": module for p in ("cart", "till") for m in "ab"}
    pages = "pages:\n- {title: Trade, path: app/cart}\n"
    pages += "- {title: Tills, path: app/till, parent: Trade}\n"
    plan = plan_wiki(analyse({**tree, ".devrag/wiki.yaml": pages}))
    parents = {page.path: page.parent for page in plan.pages}
    assert parents["features/tills.md"] == "features/trade.md"
    assert parents["features/trade.md"] == INDEX


def test_slugs_are_ascii_and_unique() -> None:
    files = {
        f"app/{name}/{m}.py": "def f(): ...\n" * 40
        for name in ("検索", "索引", "a b")
        for m in ("x", "y")
    }
    plan = plan_wiki(analyse(files))
    found = [page.path for page in plan.pages]
    assert len(found) == len(set(found))
    assert all(path.isascii() for path in found)


def test_vendored_files_are_left_out_by_name() -> None:
    left = plan_wiki(analyse(SHOP)).left_out
    assert any("vendor" in group.reason for group in left)


def test_licences_forms_and_signatures_are_no_documents_to_read() -> None:
    texts = {
        ".github/ISSUE_TEMPLATE/bug.md": "# Bug\n\nWhat happened here?\n\nTell us.\n",
        "licenses/other.md": "# Other\n\nTerms of the other one.\n\nMore.\n",
        "sig/v1.asc": "-----BEGIN PGP SIGNATURE-----\n\nabc\n\n-----END\n",
        "docs/guide.asc": "= Guide\n\nHow orders are taken.\n\nAnd paid.\n",
    }
    analysis = analyse({**SHOP, **texts})
    paths = {file.path for file in documents(analysis)}
    assert paths & set(texts) == {"docs/guide.asc"}


def test_a_page_is_told_on_the_page_of_its_host() -> None:
    plan = plan_wiki(analyse(SHOP))
    home, guest = plan.page_of_kind("build"), plan.page_of_kind("configuration")
    assert home is not None
    assert guest is not None
    joined = host_page(plan, "configuration", "build")
    found = joined.page_of_kind("configuration")
    assert found is not None
    assert found.path == home.path
    assert set(found.files) == {*home.files, *guest.files}
    assert [page.ordinal for page in joined.pages] == list(range(len(plan.pages) - 1))
    assert host_page(joined, "configuration", "build") == joined


def test_documents_that_introduce_the_product_come_first() -> None:
    analysis = analyse(SHOP)
    code = list(analysis.topics)
    analysis.topics = [*code, Topic("Anatomy", ()), Topic("Quickstart", ())]
    titles = [p.title for p in plan_wiki(analysis).pages if p.topic is not None]
    assert titles == ["Quickstart", "Anatomy", *(topic.title for topic in code)]


def test_a_title_that_ends_a_longer_one_names_its_main_file() -> None:
    analysis = analyse(SHOP)
    first, second = [t for t in analysis.topics if t.files and t.parent is None][:2]
    first = replace(first, title="Completions")
    second = replace(second, title="Bash and other completions")
    analysis.topics = [first, second]
    titles = {p.title for p in plan_wiki(analysis).pages if p.topic is not None}
    main = max(first.files, key=lambda file: file.lines)
    assert titles == {f"Completions ({main.name})", "Bash and other completions"}
