"""What a model's fields say of their targets, and of how many belong to how many."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file

_DJANGO = """
from django.db import models
class A(models.Model):
    key = models.UUIDField(primary_key=True)
    b = models.ForeignKey("shop.B", models.CASCADE)
    up = models.ForeignKey("self", null=True, on_delete=models.CASCADE)
    one = models.OneToOneField(to=C, on_delete=models.CASCADE)
    tags = models.ManyToManyField(Tag, through="Tagging")
    page = ParentalKey("Page")
    thing = GenericForeignKey("kind", "number")
"""
_SQLALCHEMY = """
from sqlalchemy.orm import Mapped, mapped_column, relationship
class Line(Base):
    __tablename__ = "lines"
    id = Column(Integer, primary_key=True)
    order_id = Column("o", Integer, ForeignKey("shop.orders.id"), nullable=False)
    book_id = Column(ForeignKey(Book.id))
    by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    on: Mapped[int] = mapped_column(ForeignKey("days.id"))
    order = relationship("Order")
    tags = relationship("Tag", secondary=line_tags)
"""
_SQLMODEL = """
from sqlmodel import Field, Relationship, SQLModel
class Hero(SQLModel, table=True):
    id: int | None = Field(default=None, primary_key=True)
    team_id: int | None = Field(default=None, foreign_key="team.id")
    team: Team | None = Relationship(back_populates="heroes")
    powers: list["Power"] = Relationship(link_model=Link)
"""
_GORM = """package a
type Order struct {
	ID uint `gorm:"primaryKey"`
	UserID uint
	User User
	Lines []Line
	Tags []*Tag `gorm:"many2many:order_tags;"`
	State State
}
"""
_ELOQUENT = """<?php
use Illuminate\\Database\\Eloquent\\Model;
class Order extends Model {
  public function user(): BelongsTo { return $this->belongsTo(User::class); }
  public function lines() { return $this->hasMany(\\App\\Line::class, "o"); }
  public function tags() { return $this->belongsToMany(Tag::class); }
  public function total() { return 1; }
}
"""
_RECORD = """
class A < ApplicationRecord
  has_many :lines, class_name: "Shop::Line"
  has_one :bill
  has_and_belongs_to_many :tags
  has_many :books, through: :lines
end
"""
_DIESEL = """
use diesel::prelude::*;
#[derive(Queryable, Associations)]
#[diesel(belongs_to(BookShelf))]
#[diesel(belongs_to(User, foreign_key = owner))]
pub struct Book { pub id: i32, pub book_shelf_id: i32, owner: i32 }
"""
_EF = """
using System.ComponentModel.DataAnnotations.Schema;
[Table("x")]
class Post { public int BlogId { get; set; } public Blog Blog { get; set; }
  public ICollection<Tag> Tags { get; } }
"""
_DOCTRINE = """<?php use Doctrine\\ORM\\Mapping as ORM;
#[ORM\\Entity]
class B { #[ORM\\Id] private int $id;
  #[ORM\\OneToMany(targetEntity: Line::class)] private Collection $lines; }
"""
_JPA = """
import jakarta.persistence.*;
@Entity public class A {
  @ManyToOne(optional = false) private Owner owner;
  @OneToOne private Bill bill;
}
"""
_SQL = """
CREATE TABLE a (
    id int PRIMARY KEY,
    b_id int NOT NULL REFERENCES b (id),
    c_id int UNIQUE REFERENCES c (id),
    d_id int,
    FOREIGN KEY (d_id) REFERENCES d (id),
    UNIQUE (d_id),
    UNIQUE (b_id, c_id)
);
"""


@pytest.mark.parametrize(
    ("path", "text", "ties"),
    [
        (
            "m.py",
            _DJANGO,
            [
                "key primary",
                "b shop.B many-to-one yes",
                "up A many-to-one",
                "one C one-to-one yes",
                "tags Tag many-to-many Tagging",
                "page Page many-to-one yes",
            ],
        ),
        (
            "m.py",
            _SQLALCHEMY,
            [
                "id primary",
                "order_id shop.orders many-to-one yes",
                "book_id Book many-to-one",
                "by users many-to-one",
                "on days many-to-one yes",
                "order Order",
                "tags Tag many-to-many",
            ],
        ),
        (
            "m.py",
            _SQLMODEL,
            [
                "id primary",
                "team_id team many-to-one",
                "team Team",
                "powers Power many-to-many",
            ],
        ),
        (
            "a.go",
            _GORM,
            [
                "ID primary",
                "User User many-to-one",
                "Lines Line one-to-many",
                "Tags Tag many-to-many",
            ],
        ),
        (
            "A.php",
            _ELOQUENT,
            [
                "user User many-to-one",
                "lines Line one-to-many",
                "tags Tag many-to-many",
            ],
        ),
        (
            "a.rb",
            _RECORD,
            [
                "lines Shop.Line one-to-many",
                "bill Bill one-to-one",
                "tags many-to-many",
            ],
        ),
        (
            "a.rs",
            _DIESEL,
            ["book_shelf_id BookShelf many-to-one", "owner User many-to-one"],
        ),
        ("A.cs", _EF, ["Blog Blog many-to-one", "Tags Tag one-to-many"]),
        ("B.php", _DOCTRINE, ["id primary", "lines Line one-to-many"]),
        ("A.java", _JPA, ["owner Owner many-to-one yes", "bill Bill one-to-one"]),
        (
            "a.sql",
            _SQL,
            ["id primary", "b_id yes b", "c_id yes c", "d_id d yes"],
        ),
    ],
)
def test_a_field_says_what_it_is_tied_to(path: str, text: str, ties: list[str]) -> None:
    (fact,) = (f for f in parse_file(path, text).facts if f.kind == "model")
    told = [
        " ".join(v for k, v in field.items() if k != "type")
        for field in fact.data["fields"]
        if len(field) > 2
    ]
    assert told == ties


@pytest.mark.parametrize(
    ("text", "table"), [(_SQLALCHEMY, "lines"), (_SQLMODEL, "hero"), (_DJANGO, None)]
)
def test_a_model_says_its_table(text: str, table: str | None) -> None:
    (fact,) = (f for f in parse_file("m.py", text).facts if f.kind == "model")
    assert fact.data.get("table") == table
