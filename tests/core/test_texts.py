"""Sentences that are stored with what they were made of, and said in any language."""

from __future__ import annotations

import json
import pickle

import pytest
from django.utils import translation

from devrag.core.texts import as_stored, gettext, ngettext, translate_stored


def test_a_stored_sentence_is_said_in_the_readers_language() -> None:
    text = gettext("%(seconds)s s") % {"seconds": 8}
    stored = json.loads(json.dumps(as_stored(text)))
    assert (text, translate_stored(stored)) == ("8 s", "8 s")
    with translation.override("ja"):
        assert translate_stored(stored) == "8 秒"


def test_what_is_filled_in_is_translated_too() -> None:
    inner = gettext("%(minutes)s min") % {"minutes": 3}
    stored = as_stored(gettext("%(time)s left") % {"time": inner})
    with translation.override("ja"):
        expected = translation.gettext("%(time)s left") % {
            "time": translation.gettext("%(minutes)s min") % {"minutes": 3}
        }
        assert translate_stored(stored) == expected
        assert expected != "3 min left"


def test_a_sentence_that_counts_keeps_its_number() -> None:
    one = "Waiting for a free worker; %(number)s job is ahead."
    many = "Waiting for a free worker; %(number)s jobs are ahead."
    stored = as_stored(ngettext(one, many, 2) % {"number": 2})
    assert translate_stored(stored) == many % {"number": 2}


@pytest.mark.parametrize(
    "stored",
    [{}, {"msgid": "%(gone)s", "params": {"other": 1}}, {"msgid": "x"}],
)
def test_what_does_not_fit_is_empty(stored: dict[str, object]) -> None:
    assert translate_stored(stored) == ""


def test_other_texts_have_no_parts() -> None:
    assert as_stored("written by hand") == {}
    assert as_stored(f"{gettext('Done')}.") == {}


def test_a_sentence_goes_through_pickle() -> None:
    text = gettext("%(time)s left") % {"time": "3 min"}
    assert as_stored(pickle.loads(pickle.dumps(text))) == as_stored(text)
