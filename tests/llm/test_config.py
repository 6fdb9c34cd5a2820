"""`embedding-server.yaml`: what it says, and what is said of mistakes in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import ConfigurationError
from devrag.llm.embedding_server.config import (
    ModelConfig,
    ServerConfig,
    parse_server_config,
    read_server_config,
)
from tests.architecture.modules import ROOT

EXAMPLE = """\
server:
  host: "0.0.0.0"
  port: 50051
  max_workers: 10
default_model: jinaai/jina-embeddings-v2-base-code
models:
  - name: jinaai/jina-embeddings-v2-base-code
    dimension: 768
    max_length: 8192
    trust_remote_code: true
    preload: true
device: "auto"
logging_level: INFO
logging_file: /var/log/embedding-server.log
"""


def test_a_whole_configuration_is_read() -> None:
    name = "jinaai/jina-embeddings-v2-base-code"
    assert parse_server_config(EXAMPLE, "a.yaml") == ServerConfig(
        host="0.0.0.0",
        port=50051,
        max_workers=10,
        default_model=name,
        models=(ModelConfig(name, 768, 8192, trust_remote_code=True, preload=True),),
        device="auto",
        logging_level="INFO",
        logging_file="/var/log/embedding-server.log",
    )


def test_the_example_has_the_defaults() -> None:
    example = read_server_config(ROOT / "embedding-server.example.yaml")
    assert example == ServerConfig()


@pytest.mark.parametrize("text", ["", "# nothing\n", "server:\n  port: 50051\n"])
def test_what_is_not_said_has_its_default(text: str) -> None:
    assert parse_server_config(text, "a.yaml") == ServerConfig()


MODEL = "models:\n  - name: m\n    dimension: 8\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("devise: cpu\n", 1, "`devise` is no key. Remove it, or use one of: server,"),
        ("server:\n  prot: 1\n", 2, "`server.prot` is no key"),
        (MODEL + "    size: 8\n", 4, "`models[0].size` is no key"),
        ("server:\n  port: abc\n", 2, "`server.port` is “abc”, which is no whole"),
        ("server:\n  port: 70000\n", 2, "from 0 to 65535. Correct it."),
        ("server:\n  port: [1]\n", 2, "`server.port` takes one value"),
        ("server: here\n", 1, "`server` takes `key: value` lines"),
        ("server:\ndevice: cpu\n", 1, "`server` takes `key: value` lines"),
        ("- a\n", 1, "The file takes `key: value` lines"),
        ("server:\n  max_workers: 0\n", 2, "from 1 to 1000"),
        ("models: m\n", 1, "`models` takes a list"),
        ("models:\n  - m\n", 2, "`models[0]` takes `key: value` lines"),
        ("models:\n  - name: m\n", 2, "`models[0].dimension` is missing. Add it."),
        (MODEL + "    preload: yes\n", 4, "Use one of: false, true."),
        (MODEL + "default_model: n\n", 4, "not among `models`. Use one of: m."),
        (
            MODEL,
            1,
            "`default_model` is “multilingual-e5-small-code”, which is not among",
        ),
        (MODEL + "  - name: m\n    dimension: 8\n", 1, "has “m” twice"),
        ("device: ''\n", 1, "`device` is empty"),
        ("logging_level: LOUD\n", 1, "Use one of: DEBUG, INFO, WARNING, ERROR."),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_server_config(text, "a.yaml")
    assert caught.value.message.startswith(f"a.yaml, line {line}: ")
    assert said in caught.value.message


def test_what_is_no_yaml_is_said() -> None:
    with pytest.raises(ConfigurationError, match=r"a\.yaml is not readable as YAML"):
        parse_server_config("server: [a\n", "a.yaml")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"b\.yaml cannot be read \(No such"):
        read_server_config(tmp_path / "b.yaml")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match=r"b\.yaml cannot be read"):
        read_server_config(tmp_path / "b.yaml")
