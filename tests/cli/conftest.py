"""Commands that ask a devrag elsewhere."""

from __future__ import annotations

import pytest
from pytest_django.live_server_helper import LiveServer

from devrag.access.services import create_token
from devrag.cli.remote.destination import read_command_line
from devrag.cli.remote.run import run_remote
from tests.people import People

from .here import Ask


@pytest.fixture
def ask(
    people: People, live_server: LiveServer, capsys: pytest.CaptureFixture[str]
) -> Ask:
    secret = create_token(name="laptop", scopes=["read", "index", "wiki", "admin"])[1]

    def ask(*words: str) -> str:
        there = ("--server", live_server.url, "--token", secret)
        assert run_remote(read_command_line(["devrag", *there, *words]))
        return capsys.readouterr().out

    return ask
