"""What ties data models: how many of the one belong to how many of the other."""

from __future__ import annotations

import re

# As its framework writes it, without underscores → from the model that has the field.
_RELATIONS = {
    "foreignkey": "many-to-one",
    "parentalkey": "many-to-one",
    "manytoone": "many-to-one",
    "belongsto": "many-to-one",
    "onetoone": "one-to-one",
    "onetoonefield": "one-to-one",
    "hasone": "one-to-one",
    "onetomany": "one-to-many",
    "hasmany": "one-to-many",
    "manytomany": "many-to-many",
    "manytomanyfield": "many-to-many",
    "parentalmanytomanyfield": "many-to-many",
    "belongstomany": "many-to-many",
    "hasandbelongstomany": "many-to-many",
}
_MARK = re.compile(
    r"\b((?:One|Many)To(?:One|Many)|BelongsTo(?:Many)?|Has(?:One|Many))\b"
)
_PRIMARY = re.compile(
    r"@(?:Id|EmbeddedId|PrimaryKey|PrimaryColumn|PrimaryGeneratedColumn)\b"
    r"|\[Key\b|\bORM\\Id\b|#\[Id\b|\bprimaryKey:\s*true\b"
)
_REQUIRED = re.compile(
    r"\b(?:optional|nullable)\s*[=:]\s*false\b|@NotNull\b|\[Required\b"
)
_TARGET = re.compile(r"\btargetEntity\s*[=:]\s*(?:[\w\\]*\\)?(\w+)")
_CLASS = re.compile(r"[A-Z]\w*")
_MANY = re.compile(
    r"(?:I?Collection|I?List|IEnumerable|HashSet|I?Set)<(\w+)>|\[\]\*?(\w+)"
)


def relation_of(word: str) -> str:
    """Return the relation that a framework's word means, '' for other words."""
    return _RELATIONS.get(word.replace("_", "").lower(), "")


def told_by_marks(written: str, head: str) -> dict[str, str]:
    """Return what the marks above a field of this type say: key, target, relation."""
    found = {"key": "primary"} if _PRIMARY.search(head) else {}
    mark, named = _MARK.search(head), _TARGET.search(head)
    classes = [named[1]] if named else _CLASS.findall(written)
    if mark and classes:
        found |= {"to": classes[-1], "relation": relation_of(mark[1])}
        if _REQUIRED.search(head):
            found["required"] = "yes"
    return found


def told_by_keys(name: str, written: str, names: set[str]) -> dict[str, str]:
    """Return what a field of a model's type means by the names of the fields beside it.

    As gorm and Entity Framework read it: a list has many, `Owner` beside `OwnerID` one.
    """
    many = _MANY.fullmatch(written)
    if many and (to := many[1] or many[2])[:1].isupper():
        return {"to": to, "relation": "one-to-many"}
    bare = written.strip("*?")
    if bare.isidentifier() and not names.isdisjoint({f"{name}ID", f"{name}Id"}):
        return {"to": bare, "relation": "many-to-one"}
    return {}
