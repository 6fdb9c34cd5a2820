"""How commands end: in words and with the exit codes of the guide."""

from __future__ import annotations

import subprocess
import sys

import pytest

from devrag.core.errors import NotFound
from devrag.core.exit_codes import leaving_in_words


def test_a_failure_is_a_sentence_and_exit_code_1() -> None:
    with pytest.raises(SystemExit) as left, leaving_in_words():
        raise NotFound("There is no product 'tea'.")
    assert left.value.code == "devrag: There is no product 'tea'."


def test_an_interruption_is_exit_code_130(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left, leaving_in_words():
        raise KeyboardInterrupt
    assert left.value.code == 130
    assert "keep running" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_failure() -> None:
    script = (
        "from devrag.core.exit_codes import leaving_in_words\n"
        "with leaving_in_words():\n"
        "    for number in range(100_000):\n"
        "        print(number)\n"
    )
    writer = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with writer:
        assert writer.stdout is not None
        assert writer.stderr is not None
        assert writer.stdout.readline() == b"0\n"
        writer.stdout.close()
        assert writer.stderr.read() == b""
    assert writer.returncode == 0
