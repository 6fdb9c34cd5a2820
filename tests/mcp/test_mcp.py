"""`manage.py mcp` as a client starts it, where no server runs: all in one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from psycopg.conninfo import make_conninfo

from tests.mcp.teahouse import Teahouse
from tests.mcp.test_bridge import CLIENT, call, request

ROOT = Path(__file__).parents[2]


def _environment(home: Path) -> dict[str, str]:
    """Return that of a process which sees the test's database and files."""
    config = connection.settings_dict
    url = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format_map(config)
    assert make_conninfo(url)
    return {**os.environ, "DATABASE_URL": url, "DEVRAG_HOME": str(home)}


@pytest.mark.slow
def test_a_process_of_its_own_speaks_nothing_but_json_rpc(
    teahouse: Teahouse, tmp_path: Path
) -> None:
    lines = [
        request(1, "initialize", **CLIENT),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
        b"this is no message\n",
        call(2, "read_file", source="shop", path="shop/long.py", budget=50_000),
        call(3, "search", query="charge", mode="keyword"),
    ]
    log = tmp_path / "mcp.log"
    answers = {}
    with subprocess.Popen(
        [sys.executable, "manage.py", "mcp", "--verbose", "--log-file", str(log)],
        cwd=ROOT,
        env=_environment(tmp_path / "home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"".join(lines))
        process.stdin.flush()
        for line in process.stdout:
            answer = json.loads(line)
            assert answer["jsonrpc"] == "2.0"
            answers[answer.get("id")] = answer
            if {1, 2, 3} <= set(answers):
                break
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.stderr.read() == b""
    said = log.read_text()
    assert process.returncode == 0, said
    whole = answers[2]["result"]["structuredContent"]["text"]
    assert len(whole) > 8_000
    paths = answers[3]["result"]["structuredContent"]["results"]
    assert "shop/till.py" in {piece["path"] for piece in paths}
    assert "query: 'charge'" in said
    assert "total: " in said
    assert settings.SECRET_KEY not in said
