"""Data models of SQL, protobuf and GraphQL, and the operations of the latter two."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file

_TYPES = """CREATE TABLE t (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, -- the key, a number
    `key` varchar(20) DEFAULT 'a, (b)' COMMENT 'x',
    [Total Sum] numeric(10, 2) CHECK (a > 0),
    at timestamp with time zone DEFAULT now(),
    tags text[],
    index int,
    other_id int REFERENCES "app"."other" (id) ON DELETE CASCADE,
    b_id int,
    PRIMARY KEY (id),
    KEY by_at (at),
    KEY `by_b` (b_id),
    CONSTRAINT fk FOREIGN KEY (b_id) REFERENCES b (id)
) ENGINE=InnoDB;
"""


def test_a_table_has_its_columns_with_types_and_keys() -> None:
    (fact,) = parse_file("db/schema.sql", _TYPES).facts
    assert (fact.kind, fact.name, fact.start_line) == ("model", "t", 1)
    assert [" ".join(field.values()) for field in fact.data["fields"]] == [
        "id BIGINT UNSIGNED yes primary",
        "key varchar(20)",
        "TotalSum numeric(10, 2)",
        "at timestamp with time zone",
        "tags text[]",
        "index int",
        "other_id int app.other",
        "b_id int b",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TEMPORARY TABLE t (id int);",
        "CREATE TABLE t AS SELECT 1;",
        "CREATE TABLE t PARTITION OF u FOR VALUES IN (1);",
        "CREATE TABLE t ();",
        "-- CREATE TABLE t (id int);",
        "CREATE VIEW v AS SELECT (1);",
        "INSERT INTO t VALUES ('CREATE TABLE u (id int)');",
    ],
)
def test_what_keeps_no_columns_is_no_model(text: str) -> None:
    assert parse_file("a.sql", text).facts == ()


def test_a_dump_adds_keys_below_its_tables() -> None:
    text = (
        "CREATE TABLE public.a (id int, b_id int);\n"
        "ALTER TABLE ONLY public.a ADD CONSTRAINT p PRIMARY KEY (id);\n"
        "ALTER TABLE ONLY public.a\n"
        "    ADD CONSTRAINT f FOREIGN KEY (b_id) REFERENCES public.b(id);\n"
        "ALTER TABLE public.unknown ADD PRIMARY KEY (id);\n"
    )
    (fact,) = parse_file("dump.sql", text).facts
    assert fact.data["fields"] == [
        {"name": "id", "type": "int", "key": "primary"},
        {"name": "b_id", "type": "int", "to": "public.b"},
    ]


_PROTO = """syntax = "proto3";
package tea.v1;
message Pot {
  repeated Leaf leaves = 1;
  map<string, Price> prices = 2;
  oneof sugar { int32 grams = 3; }
  enum Heat { HOT = 0; COLD = 1; }
}
service Brewer { rpc Brew(Pot) returns (stream Pot); }
"""
_GRAPHQL = """type Query {
  pots(first: Int): [Pot!]!
}
type Pot { id: ID!  heat(now: Boolean): Heat }
enum Heat { HOT COLD }
input Wish { id: ID }
query All { pots { id } }
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "tea.proto",
            _PROTO,
            [
                (
                    "3 model tea.v1.Pot leaves:repeated Leaf prices:map<string, Price>"
                    " grams:int32"
                ),
                "7 model tea.v1.Pot.Heat HOT COLD",
                "9 route /tea.v1.Brewer/Brew",
            ],
        ),
        (
            "tea.graphql",
            _GRAPHQL,
            [
                "2 route Query.pots",
                "4 model Pot id:ID! heat:Heat",
                "5 model Heat HOT COLD",
            ],
        ),
    ],
)
def test_types_are_models_and_operations_are_routes(
    path: str, text: str, expected: list[str]
) -> None:
    said = []
    for fact in parse_file(path, text).facts:
        fields = [f"{f['name']}:{f['type']}" for f in fact.data.get("fields", ())]
        words = [str(fact.start_line), fact.kind, fact.name, *fields]
        said.append(" ".join([*words, *fact.data.get("values", ())]))
    assert said == expected


@pytest.mark.parametrize(
    ("path", "text", "target"),
    [
        ("a.proto", "message A { repeated x.B b = 1; }", "x.B"),
        ("a.graphql", "type A { b: [B!]! }", "B"),
        ("a.sql", "CREATE TABLE a (b int references x.b)", "x.b"),
    ],
)
def test_a_field_says_which_model_it_refers_to(
    path: str, text: str, target: str
) -> None:
    (fact,) = parse_file(path, text).facts
    assert fact.data["fields"][0]["to"] == target
