"""Calls that leave the process are told from those that stay inside."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.boundaries import (
    DATABASE,
    FILE,
    NETWORK,
    PROCESS,
    QUEUE,
    STREAM,
    called_kind,
    is_in_memory,
)
from devrag.wiki.analysis.flows import flows_of
from tests.wiki.shop import analyse


@pytest.mark.parametrize(
    ("name", "language", "kind"),
    [
        ("socket.create_connection", "python", NETWORK),
        ("httpx.Client", "python", NETWORK),
        ("httpx.Timeout", "python", ""),
        ("open", "python", FILE),
        ("self.open", "python", ""),
        ("shutil.which", "python", ""),
        ("subprocess.run", "python", PROCESS),
        ("self.session.execute", "python", DATABASE),
        ("Order.objects.filter", "python", DATABASE),
        ("send_bill.apply_async", "python", QUEUE),
        ("os.Create", "go", FILE),
        ("os.Getenv", "go", ""),
        ("exec.Command", "go", PROCESS),
        ("fetch", "typescript", NETWORK),
        ("fetch", "python", ""),
        ("node:fs.readFile", "javascript", FILE),
        ("in.read", "java", STREAM),
        ("in.read", "python", ""),
        ("std::fs::read", "rust", FILE),
        ("fopen", "c", FILE),
        ("fprintf", "c", ""),
    ],
)
def test_a_call_is_known_by_its_full_name(name: str, language: str, kind: str) -> None:
    assert called_kind(name, language) == kind


CLIENT = """import httpcore


class Transport:
    def __init__(self):
        self._pool = httpcore.ConnectionPool()
        self._name = "x"

    def handle(self, request):
        return self._pool.handle_request(request)

    def name(self):
        return self._name.upper()
"""


def boundaries(*sources: dict[str, str]) -> dict[str, tuple[str, str, int]]:
    analysis = analyse(*sources)
    return {
        analysis.symbols[symbol].name: (found.kind, found.system, found.line)
        for symbol, found in flows_of(analysis).boundaries.items()
    }


def test_an_attribute_leads_out_if_its_class_made_it_by_a_client() -> None:
    found = boundaries({"shop/transport.py": CLIENT})
    assert found == {"handle": (NETWORK, "httpcore", 10)}


BUFFERS = """import pandas
from io import BytesIO


def direct(data):
    return pandas.read_parquet(BytesIO(data))


def named(data):
    held = BytesIO(data)
    return pandas.read_csv(held)


def stored(path):
    return pandas.read_csv(path)
"""


def test_a_buffer_in_memory_is_no_file() -> None:
    found = boundaries({"lib/tables.py": BUFFERS})
    assert {name: found[name][0] for name in found} == {"stored": FILE}


@pytest.mark.parametrize(
    ("arguments", "is_held"),
    [
        ("strings.NewReader(text))", True),
        ("bytes.NewReader(data), 10)", True),
        ("bytes.NewBuffer(nil))", True),
        ('bytes.NewBufferString("a"))', True),
        ("new ByteArrayInputStream(data), path)", True),
        ("new Buffer())", True),
        ("readBuffer, path)", True),
        ("bufio.NewReader(file))", False),
        ("csv.NewReader(file))", False),
        ("gzip.NewReader(file))", False),
        ("xstrings.NewReader(file))", False),
        ("Files.newReader(file, UTF_8))", False),
        ("Okio.buffer(Okio.source(file)))", False),
    ],
)
def test_what_wraps_a_file_is_no_buffer(arguments: str, *, is_held: bool) -> None:
    assert is_in_memory(arguments) is is_held


GUAVA = """class Tables {
    void copied(File file, Path to) {
        Reader reader = Files.newReader(file, UTF_8);
        Files.copy(reader, to);
    }

    void held(byte[] data, Path to) {
        InputStream stream = new ByteArrayInputStream(data);
        Files.copy(stream, to);
    }
}
"""


def test_a_file_read_by_a_reader_is_a_file() -> None:
    found = boundaries({"src/Tables.java": GUAVA})
    assert found["copied"][0] == FILE
    assert "held" not in found


def test_a_buffer_that_is_filled_from_a_file_is_a_file() -> None:
    code = "int load(FILE *in) {\n    return fgets(buf, 80, in) != 0;\n}\n"
    assert boundaries({"src/load.c": code})["load"][0] == FILE


def test_modules_of_the_product_itself_do_not_lead_out() -> None:
    found = boundaries(
        {
            "httpx/__init__.py": "",
            "httpx/client.py": "class Client: ...\n",
            "httpx/api.py": "from httpx import client\n\n\n"
            "def get():\n    return client.Client()\n",
        }
    )
    assert found == {}
