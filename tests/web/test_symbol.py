"""The page of a definition, and its short beside a file."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.stored import store_files, symbol_named

from .conftest import COMMIT, Harbour
from .markup import squeeze

CUPS = '''"""Cups."""

from enum import Enum


class Vessel:
    """What holds tea."""


class Cup(Vessel):
    def fill(self, tea: str, <more>) -> bool:
        """Fill it to the brim.

        Nothing is spilled.
        """
        if tea:
            print(tea)
        return bool(tea)
'''.replace("<more>", "much=1")
TEA = "from cups import Cup\n\n\ndef serve(it: Cup):\n    it.fill('<b>green</b>')\n"
BASE = "/p/harbour/s/harbour-code"


@pytest.fixture(autouse=True)
def _tea(harbour: Harbour) -> None:
    test = TEA.replace("def serve", "def test_serving")
    store_files(
        harbour.ref, {"cups.py": CUPS, "tea.py": TEA, "tests/test_tea.py": test}
    )


def url(harbour: Harbour, name: str, version: str = "current") -> str:
    return f"{BASE}/symbol/{version}/{symbol_named(harbour.ref, name).uuid}/"


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_a_function_shows_what_it_is(bob: Client, harbour: Harbour) -> None:
    shown = page(bob, url(harbour, "Cup.fill"))
    assert "Nothing is spilled." in shown
    assert "complexity 2, low" in shown
    assert f'href="{BASE}/-/current/cups.py#L11-L18"' in shown
    assert "<code>much</code></th>" in shown
    assert "<code>str</code>" in shown


def test_modifiers_stay_keywords_of_the_language(bob: Client, harbour: Harbour) -> None:
    store_files(harbour.ref, {"Pot.kt": "open class Pot\n\nprivate class Lid\n"})
    for name, modifier in (("Pot", "open"), ("Lid", "private")):
        address = url(harbour, name)
        shown = bob.get(address, headers={"Accept-Language": "ja"}).content.decode()
        assert '<html lang="ja"' in shown
        assert f'<code class="tag">{modifier}</code>' in shown


def test_uses_stand_with_their_lines_and_where_they_are(
    bob: Client, harbour: Harbour
) -> None:
    shown = page(bob, url(harbour, "Cup.fill"))
    used_by = shown.partition('id="dr-used-by"')[2].partition('id="dr-uses"')[0]
    assert f'href="{BASE}/-/current/tea.py#L5"' in used_by
    assert "&lt;b&gt;green" in used_by
    assert ">serve</span>" in used_by
    assert "tests/test_tea.py" not in used_by


def test_tests_that_touch_it_stand_apart(bob: Client, harbour: Harbour) -> None:
    shown = page(bob, url(harbour, "Cup.fill"))
    tests = shown.partition('id="dr-tests"')[2]
    assert f'href="{url(harbour, "test_serving")}"' in tests


def test_what_it_uses_is_linked_and_other_names_are_listed(
    bob: Client, harbour: Harbour
) -> None:
    assert f'href="{url(harbour, "Cup.fill")}"' in page(bob, url(harbour, "serve"))
    assert ">print" in page(bob, url(harbour, "Cup.fill"))


def test_a_class_shows_members_and_its_place_among_classes(
    bob: Client, harbour: Harbour
) -> None:
    assert f'href="{url(harbour, "Vessel")}"' in page(bob, url(harbour, "Cup"))
    below = page(bob, url(harbour, "Vessel"))
    assert f'href="{url(harbour, "Cup")}"' in below.partition("Inherited by")[2]
    members = page(bob, url(harbour, "Cup")).partition('id="dr-members"')[2]
    assert f'href="{url(harbour, "Cup.fill")}"' in members


@pytest.mark.slow
def test_a_class_of_very_many_members_shows_the_first(
    bob: Client, harbour: Harbour
) -> None:
    methods = "".join(f"    def m{n}(self): ...\n" for n in range(1_203))
    store_files(harbour.ref, {"big.py": f"class Big:\n{methods}"})
    assert "1,003 more in the file" in page(bob, url(harbour, "Big"))
    assert "Show 1,105 more definitions" in page(bob, f"{BASE}/-/current/big.py")
    whole = page(bob, f"{BASE}/-/current/big.py?outline=all")
    assert "205 more definitions further down" in whole


def test_nothing_is_said_in_words(bob: Client, harbour: Harbour) -> None:
    shown = page(bob, url(harbour, "serve"))
    assert "No references found in this source." in shown
    assert "No test refers to it directly." in shown
    assert "No members." in page(bob, url(harbour, "Vessel"))


def test_what_stays_open_is_counted(bob: Client, harbour: Harbour) -> None:
    pond = "class Pond:\n    def fill(self): ...\n\n"
    store_files(harbour.ref, {"more.py": f"{pond}def pour(it):\n    it.fill()\n"})
    shown = page(bob, url(harbour, "Cup.fill"))
    assert "1 more use of this name could not be resolved" in shown


def test_what_may_run_is_marked_as_possible(bob: Client, harbour: Harbour) -> None:
    mug = "class Mug(Cup):\n    def fill(self, tea): ...\n"
    store_files(harbour.ref, {"mug.py": f"from cups import Cup\n\n{mug}"})
    assert "possible implementation" in page(bob, url(harbour, "serve"))
    assert "serve · possible" in page(bob, url(harbour, "Mug.fill"))


def test_a_long_definition_is_cut_with_a_way_on(bob: Client, harbour: Harbour) -> None:
    body = "".join(f"    x{n} = {n}\n" for n in range(100))
    store_files(harbour.ref, {"lines.py": f"def long():\n{body}"})
    assert "41 more lines in the file" in page(bob, url(harbour, "long"))


def test_a_definition_opens_at_its_commit(bob: Client, harbour: Harbour) -> None:
    assert bob.get(url(harbour, "Cup", COMMIT)).status_code == 200


@pytest.mark.parametrize("version", ["current", "b" * 40])
def test_an_unknown_definition_says_so(bob: Client, version: str) -> None:
    response = bob.get(f"{BASE}/symbol/{version}/{uuid4()}/")
    assert response.status_code == 404
    assert "definition" in response.content.decode()


def test_who_may_not_see_the_product_sees_no_definition(
    charlie: Client, harbour: Harbour
) -> None:
    response = charlie.get(url(harbour, "Cup"))
    assert response.status_code == 404
    assert "Vessel" not in response.content.decode()


def test_a_file_asks_for_the_short_of_a_definition(
    bob: Client, harbour: Harbour
) -> None:
    answer = bob.get(url(harbour, "Cup.fill"), headers={"HX-Request": "true"})
    shown = answer.content.decode()
    assert shown.strip().startswith('<section class="summary"')
    assert f'href="{url(harbour, "serve")}"' in shown
    places = re.findall(r'<bdi class="summary-place">(.*?)</bdi>', shown)
    assert places
    assert all(re.fullmatch(r"[\w/]+\.py:\d+", place) for place in places)
    assert "HX-Request" in answer["Vary"]


def test_the_outline_nests_and_leads_to_definitions(
    bob: Client, harbour: Harbour
) -> None:
    shown = squeeze(page(bob, f"{BASE}/-/current/cups.py"))
    fill = shown.partition('title="method Cup.fill, 8 lines"')
    assert fill[0].rpartition("<li")[2].startswith(' class="depth-1"')
    assert f'href="{url(harbour, "Cup.fill")}" hx-get=' in fill[2]


def test_queries_do_not_grow_with_uses(
    bob: Client,
    harbour: Harbour,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    store_files(harbour.ref, {f"many/tea{n}.py": TEA for n in range(30)})
    address = url(harbour, "Cup.fill")
    with django_assert_max_num_queries(26):
        shown = page(bob, address)
    assert "11 more files use it." in shown


def test_types_of_a_comment_are_those_of_the_parameters(
    bob: Client, harbour: Harbour
) -> None:
    text = (
        "/**\n * Compile it.\n *\n * @param {Boolean|String} val\n"
        " * @return {Function}\n * @private\n */\n"
        "function compileETag(val) {\n  return val\n}\n"
    )
    store_files(harbour.ref, {"utils.js": text})
    shown = squeeze(bob.get(url(harbour, "compileETag")))
    assert "@param" not in shown
    assert shown.count("<code>Boolean|String</code>") == 2
    assert "no type" not in shown
    assert "<code>Function</code></td>" in shown
