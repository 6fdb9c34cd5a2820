"""Who reads a conversation, and what of it: hidden products stay hidden."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from devrag.ask.api import (
    Owner,
    as_markdown,
    get_conversation,
    get_own_conversation,
    own_conversations,
    owner_of,
    readable_turn,
    share_conversation,
    unshare_conversation,
)
from devrag.ask.conversations.records import Ended, end_turn
from devrag.ask.models import Citation, Conversation, Turn
from devrag.ask.types import Passage
from devrag.core.errors import NotFound
from devrag.core.principal import ANONYMOUS
from devrag.products.models import Product
from tests.people import People, principal

pytestmark = pytest.mark.django_db


def add_conversation(owner: User, product: Product | None = None) -> Conversation:
    """Return a conversation of one answered question."""
    made = Conversation.objects.create(
        owner=owner, title="Where is tea?", product=product
    )
    made.turns.create(
        ordinal=1,
        question="Where is tea?",
        mode="quick",
        state=Turn.State.DONE,
        markdown=(
            "Tea is brewed. [1](cite:1)\n\nFish is sold. [2](cite:2)\n\nBoth exist.\n"
        ),
        diagram="sequenceDiagram\n  a->>b: c",
    )
    return made


def cite(turn: Turn, number: int, product: Product, path: str) -> Citation:
    """Let a turn cite the first lines of a file."""
    return turn.citations.create(
        ordinal=number,
        number=number,
        product=product,
        source_name=f"{product.name}-code",
        path=path,
        start_line=1,
        end_line=2,
        version_identifier="c" * 40,
        content_hash="d" * 64,
        kind="definition",
        excerpt="one\ntwo",
    )


def of(user: User) -> Owner:
    return owner_of(principal(user))


def test_a_shared_answer_hides_what_its_reader_may_not_see(people: People) -> None:
    turn = add_conversation(people.alice).turns.get()
    cite(turn, 1, people.teahouse, "tea.py")
    cite(turn, 2, people.market, "fish.py")
    whole = readable_turn(turn, principal(people.bob))
    part = readable_turn(turn, principal(people.charlie))
    assert (whole.hidden, len(whole.evidence)) == (0, 2)
    assert whole.diagram
    assert (part.hidden, [each.path for each in part.evidence]) == (1, ["fish.py"])
    assert "Tea is brewed" not in part.markdown
    assert "Fish is sold" in part.markdown
    assert not part.diagram
    copied = as_markdown(part, "https://devrag.example")
    assert "tea.py" not in copied
    assert "](<https://devrag.example/p/market/" in copied


def test_what_cites_nothing_is_hidden_with_what_it_may_show(people: People) -> None:
    turn = add_conversation(people.alice).turns.get()
    turn.markdown = (
        "### Brewing\n\n`tea.py` [1](cite:1):\n\n```python\nKEY = 'leaf'\n```\n\n"
        "Fish is sold [2](cite:2).\n"
    )
    turn.notes = ["Passages of teahouse were not sent."]
    turn.removed = [{"sentence": "Tea needs a leaf.", "reason": "no citation"}]
    turn.save()
    cite(turn, 1, people.teahouse, "tea.py")
    cite(turn, 2, people.market, "fish.py")
    part = readable_turn(turn, principal(people.charlie))
    assert "Fish is sold" in part.markdown
    assert not any(word in part.markdown for word in ("leaf", "Brewing", "tea.py"))
    assert (part.notes, part.removed) == ((), ())


def test_lines_that_are_left_end_without_a_break(people: People) -> None:
    turn = add_conversation(people.alice).turns.get()
    turn.markdown = (
        "1. `tea.py` [1](cite:1)\\\n   leaf\n2. `fish.py` [2](cite:2)\\\n   fin\n"
    )
    turn.save()
    cite(turn, 1, people.teahouse, "tea.py")
    cite(turn, 2, people.market, "fish.py")
    part = readable_turn(turn, principal(people.charlie))
    assert part.markdown.endswith("2. `fish.py` [2](cite:2)")


def test_links_of_a_copied_answer_lead_to_its_server(people: People) -> None:
    turn = add_conversation(people.alice).turns.get()
    turn.markdown = "See [Tea](/p/teahouse/wiki/tea).\n"
    turn.save()
    copied = as_markdown(
        readable_turn(turn, principal(people.alice)), "https://devrag.example"
    )
    assert "See [Tea](https://devrag.example/p/teahouse/wiki/tea)." in copied


def test_notes_may_name_products_that_only_the_owner_sees(people: People) -> None:
    turn = add_conversation(people.alice).turns.get()
    turn.markdown = "Fish is sold [1](cite:1).\n"
    turn.notes = ["Passages of teahouse were not sent."]
    turn.save()
    cite(turn, 1, people.market, "fish.py")
    assert readable_turn(turn, principal(people.alice)).notes == turn.notes
    assert not readable_turn(turn, principal(people.charlie)).notes


def test_a_deleted_product_takes_along_what_was_said_of_it(people: People) -> None:
    turn = add_conversation(people.alice).turns.get()
    cite(turn, 1, people.teahouse, "tea.py")
    cite(turn, 2, people.market, "fish.py")
    people.teahouse.delete()
    left = readable_turn(Turn.objects.get(), principal(people.charlie))
    assert left.hidden == 1
    assert "Tea is brewed" not in left.markdown
    assert not left.diagram


def test_an_owner_who_lost_the_product_loses_the_conversation(people: People) -> None:
    mine = add_conversation(people.bob, people.teahouse)
    owner = of(people.bob)
    assert list(own_conversations(owner, principal(people.bob))) == [mine]
    people.teahouse.memberships.all().delete()
    assert not own_conversations(owner, principal(people.bob))
    with pytest.raises(NotFound):
        get_conversation(mine.uuid, owner=owner, principal=principal(people.bob))


def test_a_link_opens_it_until_sharing_ends(people: People) -> None:
    mine = add_conversation(people.alice, people.teahouse)
    key = share_conversation(mine)
    assert share_conversation(mine) == key

    def read(user: User, with_key: str) -> Conversation:
        return get_conversation(
            mine.uuid, owner=of(user), principal=principal(user), share_key=with_key
        )

    assert read(people.bob, key) == mine
    for user, given in ((people.charlie, key), (people.bob, ""), (people.bob, "x")):
        with pytest.raises(NotFound):
            read(user, given)
    unshare_conversation(mine)
    with pytest.raises(NotFound):
        read(people.bob, key)


def test_a_reader_of_a_link_changes_nothing(people: People) -> None:
    mine = add_conversation(people.alice, people.teahouse)
    share_conversation(mine)
    with pytest.raises(NotFound):
        get_own_conversation(
            mine.uuid, owner=of(people.bob), principal=principal(people.bob)
        )


def test_sessions_and_tokens_own_by_their_secret(people: People) -> None:
    one, other = (owner_of(ANONYMOUS, secret) for secret in ("one", "other"))
    mine = Conversation.objects.create(owner_key=one.key, title="t")
    assert "one" not in one.key
    assert one.owns(mine)
    assert not other.owns(mine)
    assert not owner_of(ANONYMOUS).owns(mine)
    assert not owner_of(ANONYMOUS).owns(Conversation(title="nobody's"))
    assert not of(people.alice).owns(mine)


def test_nothing_is_found_under_an_unknown_id(people: People) -> None:
    with pytest.raises(NotFound):
        get_conversation(
            uuid4(), owner=of(people.alice), principal=principal(people.alice)
        )


def test_a_passage_that_is_cited_twice_keeps_both_numbers(people: People) -> None:
    turn = add_conversation(people.alice).turns.get()
    Turn.objects.update(state=Turn.State.RUNNING)
    same = Passage(
        id="E1",
        product="teahouse",
        source="teahouse-code",
        path="tea.py",
        start_line=1,
        end_line=2,
        text="one\ntwo",
        version_identifier="1" * 40,
        content_hash="2" * 64,
        kind="definition",
    )
    said = "This [1](cite:1).\n\nThat [2](cite:2).\n"
    end_turn(turn.pk, Ended(Turn.State.DONE, said, [same, same], [same]))
    kept = readable_turn(Turn.objects.get(), principal(people.alice))
    assert (sorted(kept.citations), kept.hidden) == ([1, 2], 0)
    assert kept.markdown == said
