"""Flows lead from what users call to where the process is left."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

import pytest

from devrag.wiki.analysis.flows import flows_of
from tests.wiki.shop import analyse
from tests.wiki.written import write

LIB = {
    "README.md": "# Lib\n\nLib asks servers.\n\n"
    "```python\nimport lib\nlib.get('/')\n```\n",
    "lib/__init__.py": "from lib.api import get, Client\n"
    "from lib.transport import Wire\n\n"
    '__all__ = ["get", "Client", "Wire"]\n',
    "lib/api.py": '"""What users call."""\n\n'
    "from lib.transport import Base, Wire\n\n\n"
    "def get(path: str) -> str:\n"
    '    """Ask for a page."""\n'
    "    return Client().request(path)\n\n\n"
    "class Client:\n"
    '    """Asks servers for pages."""\n\n'
    "    def request(self, path: str) -> str:\n"
    '        """Ask by the transport."""\n'
    "        log_it(path)\n"
    "        return self.send(Wire(), path)\n\n"
    "    def send(self, transport: Base, path: str) -> str:\n"
    '        """Hand a request to the transport."""\n'
    "        return transport.handle(path)\n\n\n"
    "def log_it(path: str) -> None:\n"
    '    """Note what is asked for."""\n'
    "    open(path).read()\n",
    "lib/transport.py": '"""How requests leave."""\n\n'
    "import socket\n\n\n"
    "class Base:\n"
    '    """What every transport can do."""\n\n'
    "    def handle(self, path: str) -> str:\n"
    "        raise NotImplementedError\n\n\n"
    "class Wire(Base):\n"
    '    """Asks over the network."""\n\n'
    "    def handle(self, path: str) -> str:\n"
    '        """Send the request over a socket."""\n'
    "        return str(socket.create_connection((path, 80)))\n\n\n"
    "class MockTransport(Base):\n"
    "    def handle(self, path: str) -> str:\n"
    "        return str(socket.socket())\n",
}


def main_flows(files: Mapping[str, str]) -> list[list[str]]:
    analysis = analyse(files)
    return [
        [analysis.symbols[s].qualified_name for s in flow.symbols]
        for flow in flows_of(analysis).main(3)
    ]


def test_a_library_is_entered_by_its_exports_and_left_through_interfaces() -> None:
    (flow,) = main_flows(LIB)
    assert flow[-2:] == ["Client.send", "Wire.handle"]
    assert flow[0] in {"get", "Client.request"}


def test_a_step_to_an_implementation_is_marked_as_possible() -> None:
    analysis = analyse(LIB)
    (flow,) = flows_of(analysis).main(3)
    assert [call.is_possible for call in flow.calls][-1] is True
    assert flow.end is not None
    assert (flow.end.kind, flow.end.call) == ("network", "socket.create_connection")


def test_what_only_reports_is_no_step() -> None:
    assert all("log_it" not in flow for flow in main_flows(LIB))


def test_flows_are_the_same_each_time() -> None:
    assert main_flows(LIB) == main_flows(LIB)


@pytest.fixture(scope="module")
def text() -> str:
    """The one page that tells the library's flow step by step."""
    pages = write(LIB)
    (draft,) = (page for page in pages.values() if "this way:\n\n1. " in page.markdown)
    assert draft.findings == ()
    assert draft.kind == "feature"
    return draft.markdown


def test_the_architecture_draws_a_flow_and_leads_to_its_steps() -> None:
    text = write(LIB)["architecture.md"].markdown
    assert re.search(
        r"\nFrom `\w+\(\)` to `[\w.]+\(\)`, as \[[^]]+\]\(features/[\w-]+\.md\) tells "
        r"step by step:\n\n```mermaid\nsequenceDiagram",
        text,
    )


@pytest.mark.parametrize(
    "told",
    [
        "reaches the network this way:\n\n1. ",
        "`Wire.handle()` in `lib/transport.py` is a possible implementation",
        "There `socket.create_connection` hands it to the network",
        "actor p0 as Calling code",
        "as Network (socket)",
        ": handle()",
        "-->>p0: str",
    ],
)
def test_a_flow_is_told_in_steps_and_drawn(told: str, text: str) -> None:
    assert told in text


def test_a_flow_is_drawn_between_classes_not_functions(text: str) -> None:
    people = [line for line in text.split("\n") if line.startswith("  participant")]
    names = {line.rpartition(" as ")[2] for line in people}
    assert {"Client", "Wire", "Network (socket)"} <= names
    assert "send" not in names


def test_a_product_whose_calls_stay_inside_has_no_flow_of_helpers() -> None:
    files = {
        "lib/a.py": "from lib.b import two\n\n\ndef one():\n    return two()\n",
        "lib/b.py": "def two():\n    return 2\n",
    }
    assert main_flows(files) == []


def layer(number: int, count: int) -> str:
    """Return functions that each call all of the layer below."""
    below = [f"_f{number - 1}_{n}" for n in range(1 if number == 1 else count)]
    calls = "".join(f"    {name}()\n" for name in below)
    functions = [f"def _f{number}_{n}():\n{calls}" for n in range(count)]
    first = f"from app.layer{number - 1}.all import {', '.join(below)}\n\n\n"
    return first + "\n\n".join(functions)


def test_functions_that_all_call_each_other_are_gone_through_once() -> None:
    last = "def _f0_0():\n    return 1\n" + "# filler\n" * 200
    tree = {f"app/layer{n}/all.py": layer(n, 45) for n in range(1, 6)}
    steering = "pages: [{title: Last, path: app/layer0}]\n"
    analysis = analyse(
        {**tree, "app/layer0/all.py": last, ".devrag/wiki.yaml": steering}
    )
    flows = flows_of(analysis)
    started = time.process_time()
    assert not any(flows.of_topic(topic) for topic in range(len(analysis.topics)))
    assert time.process_time() - started < 2
