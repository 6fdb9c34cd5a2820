"""The parser process: limits, what a hostile file costs, and whom it leaves alone."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest
from structlog.testing import capture_logs

from devrag.core.environments import minimal_environment
from devrag.core.masking import mask_secrets
from devrag.parsing.api import parse_as_windows, parse_file
from devrag.parsing.isolated.messages import RequestKind
from devrag.parsing.isolated.process import ParserLimits, ParserProcess, UnreadableData
from devrag.parsing.located_values import NOTHING
from devrag.parsing.types import (
    PARSER_CRASH,
    PARSER_MEMORY,
    PARSER_TIMEOUT,
    REASONS,
    FileFacts,
)
from tests.parsing import hostile
from tests.parsing.processes import Children, watch_children
from tests.tiers import mostly_slow
from tests.waiting import wait_until

GOOD = [(f"good{number}.py", f"def f{number}():\n    pass\n") for number in range(6)]
SMALL = ParserLimits(memory_bytes=100_000_000, cpu_seconds=4.0)


@pytest.fixture
def parser() -> Iterator[ParserProcess]:
    made = ParserProcess(SMALL)
    yield made
    made.close()


def parse_between(
    parser: ParserProcess, path: str, text: str
) -> tuple[list[FileFacts], FileFacts]:
    """Parse a file in the midst of good ones; return theirs, and its own facts."""
    found = list(parser.parse_files([*GOOD[:3], (path, text), *GOOD[3:]]))
    bad = found.pop(3)
    return found, bad


def peak_bytes(logs: list[dict[str, object]]) -> int:
    """Return the most memory that a child had which ended."""
    peaks = [entry["memory_mb"] for entry in logs if "memory_mb" in entry]
    return max(int(str(peak)) for peak in peaks) * 1_000_000


@pytest.fixture
def children() -> Children:
    return watch_children()


def test_facts_are_those_of_the_parser_itself(parser: ParserProcess) -> None:
    files = [*GOOD, ("A.java", "class A { int f() { return g(1); } }\n"), ("", "x")]
    assert list(parser.parse_files(files)) == [parse_file(*file) for file in files]


def test_a_file_that_wants_too_much_memory_costs_only_its_own_facts(
    parser: ParserProcess,
) -> None:
    path, make = hostile.MEMORY
    with capture_logs() as logs:
        good, bad = parse_between(parser, path, make())
    assert good == [parse_file(*file) for file in GOOD]
    assert bad == parse_as_windows(path, make(), code=PARSER_MEMORY)
    assert bad.warnings == (
        f"{path} is indexed as plain text: parsing it exceeded the memory limit",
    )
    assert peak_bytes(logs) < SMALL.memory_bytes + 150_000_000


def test_a_file_that_takes_too_long_is_stopped_within_c_code() -> None:
    parser = ParserProcess(ParserLimits(cpu_seconds=0.3))
    path, make = hostile.SLOW
    good, bad = parse_between(parser, path, make())
    assert good == [parse_file(*file) for file in GOOD]
    assert bad == parse_as_windows(path, make(), code=PARSER_TIMEOUT)
    parser.close()


@pytest.mark.slow
def test_a_process_that_stands_still_is_replaced(children: Children) -> None:
    parser = ParserProcess(ParserLimits(wall_seconds=5.0))
    [first] = parser.parse_files(GOOD[:1])
    [child] = children()
    child.suspend()
    assert [facts.fallback for facts in parser.parse_files(GOOD[:1])] == [
        PARSER_TIMEOUT
    ]
    assert not child.is_running()
    assert list(parser.parse_files(GOOD[:1])) == [first]
    parser.close()


def test_a_crash_has_its_own_reason(children: Children) -> None:
    path, make = hostile.SLOW
    waits = 0

    def crash() -> None:
        nonlocal waits
        waits += 1
        if waits == 1:
            children()[0].send_signal(signal.SIGSEGV)

    # With little memory its parser would seem to have died of that.
    roomy = ParserProcess(ParserLimits(memory_bytes=8_000_000_000))
    [facts] = roomy.parse_files([(path, make())], on_wait=crash)
    roomy.close()
    assert facts.fallback == PARSER_CRASH
    assert facts.warnings == (f"{path} is indexed as plain text: its parser crashed",)


def test_a_file_is_tried_again_when_somebody_else_ended_the_process(
    children: Children, parser: ParserProcess
) -> None:
    found = parser.parse_files(GOOD)
    first = next(found)
    os.kill(children()[0].pid, signal.SIGKILL)
    assert [first, *found] == [parse_file(*file) for file in GOOD]


@pytest.mark.slow
def test_a_crash_after_other_files_is_looked_at_alone(children: Children) -> None:
    """They may have left too little memory, whatever the signal is."""
    waits = 0

    def crash() -> None:
        nonlocal waits
        waits += 1
        if waits == 1:
            children()[0].send_signal(signal.SIGSEGV)

    path, make = hostile.SLOW
    roomy = ParserProcess()
    [alone] = roomy.parse_files([(path, make())])
    found = list(roomy.parse_files([*GOOD, (path, make())], on_wait=crash))
    roomy.close()
    assert waits
    assert found == [*(parse_file(*file) for file in GOOD), alone]


@pytest.mark.slow
@pytest.mark.parametrize("other_bytes", [45_000_000, 100_000_000])
def test_what_else_a_request_holds_takes_no_memory_from_a_file(
    other_bytes: int,
) -> None:
    parser = ParserProcess(ParserLimits(memory_bytes=200_000_000, cpu_seconds=4.0))
    big = ("a.txt", "word\n" * 700_000)
    [alone] = parser.parse_files([big])
    assert alone.fallback == ""
    parser.close()
    found = parser.parse_files([big, ("b.txt", "x" * other_bytes)])
    assert next(found) == alone
    found.close()
    parser.close()


@pytest.mark.slow
def test_an_idle_process_that_went_away_is_not_missed(
    children: Children, parser: ParserProcess
) -> None:
    list(parser.parse_files(GOOD))
    [child] = children()
    os.kill(child.pid, signal.SIGKILL)
    wait_until(lambda: child.status() == psutil.STATUS_ZOMBIE, 10)
    assert list(parser.parse_files(GOOD)) == [parse_file(*file) for file in GOOD]


def test_what_a_waiting_caller_raises_ends_the_process(children: Children) -> None:
    class Cancelled(Exception):
        pass

    def cancel() -> None:
        raise Cancelled

    path, make = hostile.SLOW
    started = time.monotonic()
    roomy = ParserProcess()
    with pytest.raises(Cancelled):
        list(roomy.parse_files([(path, make()), *GOOD], on_wait=cancel))
    assert children() == []
    assert time.monotonic() - started < 30
    assert list(roomy.parse_files(GOOD)) == [parse_file(*file) for file in GOOD]
    roomy.close()


@pytest.mark.slow
def test_a_caller_that_stops_early_gets_right_answers_the_next_time(
    parser: ParserProcess,
) -> None:
    found = parser.parse_files(GOOD)
    next(found)
    found.close()
    assert list(parser.parse_files(GOOD[4:])) == [
        parse_file(*file) for file in GOOD[4:]
    ]


def test_the_process_knows_no_secrets(
    children: Children, parser: ParserProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "of the installation")
    list(parser.parse_files(GOOD[:1]))
    assert set(children()[0].environ()) <= {
        *minimal_environment(),
        *("DEVRAG_HOME", "PYTHONPATH", "LC_CTYPE"),
    }


def test_libraries_are_found_where_this_process_finds_them(
    children: Children, parser: ParserProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/python/lib")
    list(parser.parse_files(GOOD[:1]))
    assert children()[0].environ()["LD_LIBRARY_PATH"] == "/opt/python/lib"


_PARSE = """
from devrag.parsing.isolated.process import ParserProcess
[facts] = ParserProcess().parse_files([("a.py", "x = 1")])
print(facts.language)
"""


def test_a_limit_that_the_account_has_already_is_kept_to() -> None:
    most = 700_000_000
    done = subprocess.run(
        [sys.executable, "-c", _PARSE],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (most, most)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "python\n", done.stderr


@pytest.mark.slow
def test_facts_that_grow_with_the_square_of_the_depth_are_left_out() -> None:
    name = "a" * 2_000
    text = "".join(f"{' ' * depth}class {name}{depth}:\n" for depth in range(900))
    [facts] = ParserProcess().parse_files([("a.py", f"{text}{' ' * 900}pass\n")])
    assert facts.symbols == ()
    assert facts.fallback == PARSER_MEMORY
    assert facts.chunks


@pytest.mark.parametrize(
    ("kind", "text", "plain"),
    [
        (RequestKind.JSON, '{"a": [1, "b"]}', {"a": ["1", "b"]}),
        (RequestKind.TOML, "[a]\nb = 'c'\n", {"a": {"b": "c"}}),
        (RequestKind.YAML, "a: [b]\n", {"a": ["b"]}),
    ],
)
def test_data_is_read_in_the_process(
    parser: ParserProcess, kind: RequestKind, text: str, plain: object
) -> None:
    assert parser.load(kind, "a", text).plain() == plain


def test_an_empty_file_of_data_is_nothing(parser: ParserProcess) -> None:
    assert parser.load(RequestKind.YAML, "a.yaml", "") is NOTHING


@pytest.mark.parametrize("kind", [RequestKind.JSON, RequestKind.TOML, RequestKind.YAML])
@pytest.mark.parametrize(
    "text", mostly_slow(["{[" * 50_000, "= :\n\t-" * 50_000, ": &a *a " * 9_000])
)
def test_hostile_data_is_an_error_and_no_more(
    parser: ParserProcess, kind: RequestKind, text: str
) -> None:
    with pytest.raises(UnreadableData, match=r"\w"):
        parser.load(kind, "a", text)
    assert parser.load(RequestKind.JSON, "a", "[]").plain() == []


@pytest.mark.slow
def test_secrets_are_masked_in_the_process(parser: ParserProcess) -> None:
    secret = "password = 'k8Fq2-vT9x'\n"
    texts = [("a.py", secret), ("big.txt", "x" * 150_000_000), ("b.py", secret)]
    first, big, last = parser.mask_texts(texts)
    assert first.value == last.value
    assert first.value.text == mask_secrets(secret) != secret
    assert first.value.places == ((1, "password"),)
    assert big.value is None
    assert big.error == REASONS[PARSER_MEMORY]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in hostile.FEW else pytest.mark.slow)
        for name in hostile.CASES
    ],
)
def test_a_hostile_file_costs_seconds_and_only_its_own_facts(
    parser: ParserProcess, name: str
) -> None:
    path, make = hostile.CASES[name]
    text = make()
    used = time.process_time()
    good, bad = parse_between(parser, path, text)
    assert good == [parse_file(*file) for file in GOOD]
    assert bad.path == path
    assert bad.chunks
    assert bad.fallback in {"", *REASONS}
    # This process only waits; the child's own share is limited by its timer.
    assert time.process_time() - used < 5
