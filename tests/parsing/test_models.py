from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file

from .cases import facts_of

_JPA = """
import jakarta.persistence.*;
@Entity @Table(name = "x")
public class A extends Base {
  @Id private Long id;
  @OneToMany(mappedBy = "a") private Set<Pet> pets = new HashSet<>();
  private static int count;
  @Transient int z;
}
"""
_KOTLIN = """
import jakarta.persistence.*

@Entity
class A(@Id val id: Long, var name: String?, size: Int) {
  @ManyToOne
  var owner: Owner? = null
  val w by lazy { 1 }
}
"""
_TYPEORM = """
import { Entity } from "typeorm"
@Entity() export class A { @Column() a: string; @ManyToOne(() => B) b: B; c = 1 }
"""
_GORM = """package a
type User struct {
	gorm.Model
	Name, Mail string `json:"name"`
	Skipped int `gorm:"-"`
	hidden int
}
"""
_DIESEL = """
use diesel::prelude::*;
#[derive(Debug, Queryable)]
pub struct A { pub id: i32, name: Option<String> }
"""
_EF = """
using System.ComponentModel.DataAnnotations.Schema;
[Table("x")]
class A { [Key] public int Id { get; set; } [NotMapped] public int N { get; } }
"""
_DOCTRINE = """<?php use Doctrine\\ORM\\Mapping as ORM;
#[ORM\\Entity]
class B { #[ORM\\Column(type: "string")] private ?string $x = null; private $y; }
"""
_RECORD = """
class A < ApplicationRecord
  belongs_to :sales_order
  belongs_to :item, polymorphic: true
  has_many :xs, class_name: "X"
  attribute :y, :string
  validates :y
end
"""
_ECTO = """
defmodule Shop.Order do
  use Ecto.Schema
  schema "orders" do
    field :name, :string
    belongs_to :user, Shop.User
    timestamps()
  end
end
"""
_COLUMNS = """
from sqlalchemy import Column, Integer, String
from .db import Base
class U(Base):
    __tablename__ = "u"
    id = Column(Integer, primary_key=True)
    name = Column("n", String(50))
    orders = relationship("Order", back_populates="u")
"""
_MAPPED = """
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
class Base(DeclarativeBase): ...
class U(Base):
    id: Mapped[int] = mapped_column(primary_key=True)
    orders: Mapped[list["Order"]] = relationship()
"""
_FLASK = "class U(db.Model):\n    id = db.Column(db.Integer)\n"
_PYDANTIC = """
from pydantic import BaseModel
class U(BaseModel):
    model_config = {}
    id: int = 1
"""
_DATACLASS = """
from dataclasses import dataclass, field
@dataclass(frozen=True)
class U:
    id: int
    tags: list[str] = field(default_factory=list)
    LIMIT: ClassVar[int] = 1
@dataclass
class _Private:
    id: int
"""


@pytest.mark.parametrize(
    ("path", "text", "framework", "fields"),
    [
        ("A.java", _JPA, "jpa", ["id Long primary", "pets Set<Pet> Pet one-to-many"]),
        (
            "A.kt",
            _KOTLIN,
            "jpa",
            ["id Long primary", "name String", "owner Owner Owner many-to-one"],
        ),
        ("a.ts", _TYPEORM, "typeorm", ["a string", "b B B many-to-one"]),
        ("a.go", _GORM, "gorm", ["Name string", "Mail string"]),
        ("a.rs", _DIESEL, "diesel", ["id i32", "name Option<String>"]),
        ("A.cs", _EF, "ef", ["Id int primary"]),
        ("B.php", _DOCTRINE, "doctrine", ["x string"]),
        (
            "a.rb",
            _RECORD,
            "activerecord",
            [
                "sales_order belongs_to SalesOrder many-to-one",
                "item belongs_to",
                "xs has_many X one-to-many",
                "y string",
            ],
        ),
        ("o.ex", _ECTO, "ecto", ["name string", "user belongs_to User many-to-one"]),
        (
            "m.py",
            _COLUMNS,
            "sqlalchemy",
            ["id Integer primary", "name String(50)", "orders relationship Order"],
        ),
        (
            "m.py",
            _MAPPED,
            "sqlalchemy",
            ["id int primary", 'orders list["Order"] Order one-to-many'],
        ),
        ("m.py", _FLASK, "sqlalchemy", ["id db.Integer"]),
        ("m.py", _PYDANTIC, "pydantic", ["id int"]),
        ("m.py", _DATACLASS, "dataclass", ["id int", "tags list[str]"]),
    ],
)
def test_a_model_has_its_fields(
    path: str, text: str, framework: str, fields: list[str]
) -> None:
    (fact,) = (f for f in parse_file(path, text).facts if f.kind == "model")
    assert fact.data["framework"] == framework
    assert [" ".join(field.values()) for field in fact.data["fields"]] == fields


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.java", "@Entity class A { Long id; }\n"),
        ("a.ts", "@Entity() class A { @Column() a: string }\n"),
        (
            "a.go",
            'package a\ntype A struct { B int }\ntype c struct { D int `json:"d"` }\n',
        ),
        ("a.rs", "#[derive(Queryable)] struct A { id: i32 }\n"),
        ("A.php", "<?php class A extends Model {}\n"),
        ("a.rb", "class A < Record\n  belongs_to :b\nend\n"),
        (
            "a.ex",
            'defmodule A do\n  schema "a" do\n    field :b, :string\n  end\nend\n',
        ),
        ("a.py", "class A(BaseModel):\n    x: int = 1\n"),
        ("a.py", "class A(Base):\n    x = Column(Integer)\n"),
        ("a.py", "@dataclass\nclass A:\n    x: int\n"),
    ],
)
def test_a_model_needs_its_framework(path: str, text: str) -> None:
    assert facts_of("model", path, text) == {}
