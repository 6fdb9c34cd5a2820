"""How models relate: entities with keys where they are stored, classes elsewhere."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from devrag.wiki.analysis.model_relations import ties_of
from devrag.wiki.analysis.survey import SurveyFact
from devrag.wiki.checking.mermaid import shared_parser
from tests.wiki.shop import SHOP
from tests.wiki.written import write

_MODELS = """from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models


class Person(AbstractUser):
    born = models.DateField()


class Order(models.Model):
    number = models.CharField(primary_key=True)
    buyer = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    checked_by = models.ForeignKey(Person, models.SET_NULL, null=True)
    books = models.ManyToManyField("Book", through="Line")
    tags = models.ManyToManyField("Tag")


class Book(models.Model):
    part_of = models.ForeignKey("self", models.SET_NULL, null=True)


class Tag(models.Model):
    word = models.CharField()


class Line(models.Model):
    order = models.ForeignKey(Order, models.CASCADE)
    book = models.ForeignKey(Book, models.CASCADE)


class Bill(models.Model):
    of = models.OneToOneField(Order, models.CASCADE)
"""
_RECORDS = """
class Owner < ApplicationRecord
  has_many :pets
  has_one :address
  has_and_belongs_to_many :clubs
  has_many :visits, through: :pets
end
class Pet < ApplicationRecord
  belongs_to :owner
end
class Address < ApplicationRecord
  belongs_to :owner
end
class Club < ApplicationRecord
  has_and_belongs_to_many :owners
end
class Visit < ApplicationRecord
end
"""
_TABLES = """
CREATE TABLE "注文" ("番号" int PRIMARY KEY, "FK" numeric(10, 2), "2nd" text);
CREATE TABLE order_lines (
    order_id int NOT NULL REFERENCES "注文" ("番号"),
    note character varying(20)
);
CREATE TABLE bills (
    id int PRIMARY KEY REFERENCES "注文" ("番号"), line int REFERENCES order_lines (id)
);
"""
_ALCHEMY = """
from sqlalchemy.orm import Mapped, mapped_column, relationship


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    lines: Mapped[list["OrderLine"]] = relationship()
    house: Mapped["Depot"] = relationship()


class OrderLine(Base):
    id: Mapped[int] = mapped_column(primary_key=True)
    order_id: Mapped[int] = mapped_column(ForeignKey("orders.id"))
    depot_id: Mapped[int | None] = mapped_column(ForeignKey("depot.id"))
    order: Mapped[Order] = relationship()


class Depot(Base):
    name: Mapped[str | None] = mapped_column(unique=True)
"""
_SCHEMAS = """from pydantic import BaseModel


class Note(BaseModel):
    text: str


class Shelf(BaseModel):
    label: str
"""
_PROTO = """syntax = "proto3";
message Leaf { string name = 1; }
message Cup { Leaf leaf = 1; Table table = 2; }
message Table { repeated Cup cups = 1; }
"""


def drawn(path: str, text: str, language: str = "en") -> tuple[list[str], str]:
    """Return the diagrams of the page on data, and its text."""
    tree = {**SHOP, "shop/orders/models.py": "", path: text}
    page = write(tree, language=language)["data-model.md"]
    assert page.findings == ()
    found = re.findall(r"```mermaid\n(.*?)\n```", page.markdown, re.DOTALL)
    parser = shared_parser(settings.MERMAID_PATH)
    assert [parser.error_in(diagram) for diagram in found] == [None] * len(found)
    return found, page.markdown


def lines_of(path: str, text: str) -> list[str]:
    """Return the lines between entities."""
    ((diagram, *_), _) = drawn(path, text)
    assert diagram.startswith("erDiagram")
    return [line.strip() for line in diagram.split("\n") if "--" in line]


@pytest.mark.parametrize(
    ("path", "text", "ties"),
    [
        (
            "shop/data.py",
            _MODELS,
            [
                '"Bill" |o--|| "Order" : "of"',
                '"Book" }o--o| "Book" : "part_of"',
                '"Line" }o--|| "Book" : ""',
                '"Line" }o--|| "Order" : ""',
                '"Order" }o--o| "Person" : "buyer, checked_by"',
                '"Order" }o--o{ "Tag" : "tags"',
            ],
        ),
        (
            "app/models/all.rb",
            _RECORDS,
            [
                '"Address" |o--o| "Owner" : ""',
                '"Club" }o--o{ "Owner" : "owners"',
                '"Pet" }o--o| "Owner" : ""',
            ],
        ),
        (
            "db/schema.sql",
            _TABLES,
            [
                '"bills" }o--o| "order_lines" : "line"',
                '"bills" |o--o| "注文" : "id"',
                '"order_lines" }o--|| "注文" : "order_id"',
            ],
        ),
        (
            "shop/data.py",
            _ALCHEMY,
            [
                '"OrderLine" }o--o| "Depot" : ""',
                '"OrderLine" }o--|| "Order" : ""',
            ],
        ),
    ],
)
def test_stored_models_are_drawn_with_keys_and_numbers(
    path: str, text: str, ties: list[str]
) -> None:
    assert lines_of(path, text) == ties


def test_keys_stand_before_other_columns() -> None:
    ((diagram,), _) = drawn("shop/data.py", _MODELS)
    wanted = "  CharField number PK\n    ForeignKey buyer FK\n    ForeignKey checked_by"
    assert f'"Order" {{\n  {wanted} FK\n  }}' in diagram


def test_odd_names_and_types_become_words_of_mermaid() -> None:
    ((diagram,), _) = drawn("db/schema.sql", _TABLES)
    assert "    int 番号 PK\n    numeric _FK\n    text _2nd\n" in diagram
    assert "    character_varying note" in diagram


def test_what_is_only_exchanged_stays_a_class_diagram() -> None:
    (found, text) = drawn("tea.proto", _PROTO)
    assert [diagram.split("\n")[0] for diagram in found] == ["classDiagram"]
    assert "An arrow points from the model that refers" in text


def test_stored_and_exchanged_models_are_drawn_apart() -> None:
    tree = {**SHOP, "shop/data.py": _MODELS, "tea.proto": _PROTO}
    text = write(tree)["data-model.md"].markdown
    assert text.index("erDiagram") < text.index("classDiagram")
    assert text.count("## How they relate") == 1


def test_models_without_ties_are_not_drawn() -> None:
    assert drawn("shop/data.py", _SCHEMAS)[0] == []


def test_twelve_models_are_drawn_and_the_rest_counted() -> None:
    listed = [
        f"CREATE TABLE t{n} (id int, up int REFERENCES t{n // 2} (id));"
        for n in range(40)
    ]
    (diagram,), text = drawn("db/schema.sql", "\n".join(listed), "ja")
    assert diagram.count("{\n") == 12
    assert "関連の少ない 28 個のモデルは図に含めていません。" in text


def test_the_other_sides_word_counts_where_no_key_is_known() -> None:
    fields = [{"name": "lines", "to": "Line", "relation": "one-to-many"}]
    order = SurveyFact(1, "model", "Order", 1, 2, {"fields": fields})
    line = SurveyFact(1, "model", "Line", 3, 4, {"fields": []})
    (tie,) = ties_of({"Order": order, "Line": line})
    assert (tie.owner, tie.target, tie.kind) == ("Line", "Order", "many-to-one")
