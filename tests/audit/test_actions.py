"""Whatever changes something is recorded, or says here why it is not.

A new service fails these tests until it records an action or has a line in
`NOT_RECORDED`.
"""

from __future__ import annotations

from functools import cache

import pytest

from devrag.audit.actions import ACTIONS
from tests.audit.services import Function, list_functions

_READS = "it reads only"
_RUN = "a step of a job; who asked for the job is recorded"
_OWN = "what people keep for themselves: their questions, looks and drafts"
_BY_SIGNAL = "a change of an account is recorded wherever it is made"
_PARTS = "a part of a service that records"
# Services that record nothing, each with the reason.
NOT_RECORDED = {
    "accounts.new_accounts.make_account": "storing the account it returns is recorded",
    "access.preferences.change_preferences": _OWN,
    "access.preferences.check_preferences": _READS,
    "ask.conversations.services.add_turn": _OWN,
    "ask.limits.check_counts": _READS,
    "jobs.services.enqueue_job": _PARTS,
    "jobs.services.hand_over_flags": _RUN,
    "jobs.services.fail_job": _RUN,
    "accounts.passkeys.take_passkey": "the sign-in that follows is recorded",
    "accounts.people.change_person": _BY_SIGNAL,
    "jobs.services.expire_jobs": _RUN,
    "jobs.services.tidy_job": _RUN,
    "operations.doctor.diagnose": "its repairs bring back what should be there",
    "operations.repair.examine": "its repairs bring back what should be there",
    "operations.housekeeping.run_housekeeping": "it deletes what is over, by itself",
    "search.fusion.list_weights": _READS,
    "search.semantic.embedded_text.embedded_text": _READS,
    "search.semantic.embedded_text.embedded_hash": _READS,
    "search.semantic.live_vectors.recount_vectors": _RUN,
    "search.semantic.live_vectors.count_vectors": _READS,
    "sources.dirty.mark_dirty": _RUN,
    "sources.dirty.clear_dirty": _RUN,
    "sources.document_terms.document_terms": _READS,
    "sources.schedule.claim_schedule": _RUN,
    "sources.schedule.note_failure": _RUN,
    "sources.schedule.note_success": _RUN,
    "sources.services.find_source": _READS,
    "sources.symbol_names.get_search_order": _READS,
    "spending.budget.reserve_call": _RUN,
    "spending.budget.settle_call": _RUN,
    "spending.language_model.open_model": _RUN,
    "spending.language_model.open_stream": _RUN,
    "use_cases.connection.check_connection": _READS,
    "use_cases.connection.check_source": _READS,
    "use_cases.source_token.check_token": _READS,
    "use_cases.model_settings.try_model": _READS,
    "wiki.publishing.services.export_version": _RUN,
}


@cache
def _by_name() -> dict[str, list[Function]]:
    found: dict[str, list[Function]] = {}
    for each in list_functions():
        found.setdefault(each.name, []).append(each)
    return found


def _records(function: Function, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether it records an action, by itself or by what it calls."""
    if function.actions:
        return True
    seen |= {_full(function)}
    known = [
        each
        for name in function.calls
        for each in _by_name().get(name, [])
        if _full(each) not in seen
        and (each.is_service or each.module == function.module)
    ]
    return any(_records(each, seen) for each in known)


def _full(function: Function) -> str:
    return f"{function.module}.{function.name}"


def _silent() -> set[str]:
    return {
        _full(each)
        for each in list_functions()
        if each.is_service and not _records(each)
    }


def test_every_service_records_what_it_does() -> None:
    forgotten = _silent() - NOT_RECORDED.keys()
    assert not forgotten, (
        f"{sorted(forgotten)} record nothing. Call record_event() with an action of "
        "devrag/audit/actions.py in their transaction, or give the reason why not in "
        "NOT_RECORDED."
    )


def test_every_exception_is_a_service_that_records_nothing() -> None:
    assert NOT_RECORDED.keys() - _silent() == set()


def test_there_are_services_to_look_at() -> None:
    services = [each for each in list_functions() if each.is_service]
    assert len(services) > 80
    assert sum(map(_records, services)) > 40


def test_every_action_is_recorded_somewhere() -> None:
    recorded = {action for each in list_functions() for action in each.actions}
    # These three are chosen by the kind of an entry of the administration's log.
    by_flag = {"admin.added", "admin.changed", "admin.deleted"}
    assert ACTIONS.keys() - recorded - by_flag == set()


def test_events_are_recorded_within_a_transaction() -> None:
    """A helper that records is called by a service that has one."""
    outside = {
        f"{each.module}.{each.name}:{line}"
        for each in list_functions()
        if not each.name.startswith("_")
        for line in each.unprotected
    }
    assert outside == set()


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_says_thing_and_event(action: str) -> None:
    thing, _, event = action.partition(".")
    assert thing.isidentifier()
    assert event.isidentifier()
    assert len(action) <= 40
