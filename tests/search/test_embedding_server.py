"""`devrag embedding_server` as people run it: a process that ends by a signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
from django.conf import settings
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

from devrag.llm.proto.embedding_pb2 import EmbedRequest, HealthRequest
from tests.architecture.modules import ROOT
from tests.llm.embedding_servers import talking_to

CONFIG = """\
server:
  port: 0
models:
  - name: multilingual-e5-small-code
    dimension: 384
logging_file: {log}
"""
TEXTS = [f"text {n}: " + "tea and cake and milk and sugar " * 30 for n in range(64)]
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Run the command in a process that has no database and no broker."""
    with ExitStack() as stack:

        def start(*argv: str) -> subprocess.Popen[str]:
            away = {
                "DATABASE_URL": "postgres://devrag@127.0.0.1:9/devrag",
                "REDIS_URL": "redis://127.0.0.1:9/0",
                "DEVRAG_HOME": str(settings.MODELS_DIR.parent),
            }
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, str(ROOT / "manage.py"), *argv],
                    env={**os.environ, **away},
                    cwd=tmp_path,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            stack.callback(process.kill)
            return process

        yield start


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("Serving embeddings on "), line
    return line.split()[3]


def said(start: Start, *argv: str) -> tuple[int, str]:
    process = start("embedding_server", *argv)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_a_signal_ends_it_after_the_calls_at_work(
    start: Start, tmp_path: Path, number: int
) -> None:
    (tmp_path / "a.yaml").write_text(CONFIG.format(log=tmp_path / "a.log"))
    process = start("embedding_server", "a.yaml")
    with talking_to(address_of(process)) as stub:
        assert stub.Health(HealthRequest(), wait_for_ready=True, timeout=120).healthy
        call = stub.EmbedBatch.future(EmbedRequest(texts=TEXTS), timeout=120)
        # Streams of a connection begin in their order: the first call is at work.
        assert stub.Health(HealthRequest(), timeout=60).healthy
        process.send_signal(number)
        assert len(call.result().embeddings) == len(TEXTS)
    assert process.wait(60) == 0
    log = (tmp_path / "a.log").read_text()
    (line,) = [each for each in log.splitlines() if "embedding request" in each]
    for item in (
        "received_at",
        "multilingual-e5-small-code",
        f"{len(TEXTS)}",
        "seconds",
    ):
        assert item in line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ("device: cuda\n", "CUDA is not available"),
                ("devices: cpu\n", "`devices` is no key. Remove it"),
                (
                    "server:\n  port: many\n",
                    "`server.port` is “many”, which is no whole",
                ),
                (
                    "logging_file: /nowhere/a.log\n",
                    "Cannot write the `logging_file` /nowhere/a.log",
                ),
            )
        ),
    ],
)
def test_a_configuration_that_cannot_be_used_is_one_sentence(
    start: Start, tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "a.yaml").write_text(text)
    code, errors = said(start, "a.yaml")
    assert code == 1
    assert errors.startswith("devrag: ")
    assert words in errors
    assert len(errors.splitlines()) == 1


@pytest.mark.slow
def test_options_stand_over_the_file_and_a_taken_port_is_named(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").write_text(CONFIG.format(log="''"))
    port = address_of(start("embedding_server", "a.yaml")).rpartition(":")[2]
    code, errors = said(start, "a.yaml", "--port", port)
    assert code == 1
    assert f"cannot listen on 127.0.0.1:{port}" in errors


def test_it_lists_its_models_by_reflection_alone(start: Start) -> None:
    process = start("embedding_server", "--port", "0")
    with grpc.insecure_channel(address_of(process)) as channel:
        grpc.channel_ready_future(channel).result(60)
        found: Any = ProtoReflectionDescriptorDatabase(channel).get_services()
        assert "embedding.EmbeddingService" in set(found)
