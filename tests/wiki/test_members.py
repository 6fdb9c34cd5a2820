"""A list of fields or methods names those that it does not describe."""

from __future__ import annotations

import re

from tests.wiki.written import write

FIELDS = "".join(
    f"\t// Option{n:02} says how often the part {n} is tried.\n\tOption{n:02} int\n"
    for n in range(16)
)
METHODS = "".join(
    f"// Start{n:02} begins the part {n} and waits for its end.\n"
    f"func (s *Shop) Start{n:02}() int {{\n\treturn {n}\n}}\n\n"
    for n in range(10)
)
SHOP = (
    "package shop\n\n// Shop sells tea, and keeps what its parts need.\n"
    f"type Shop struct {{\n{FIELDS}\tOnSale func(name string, price int) error\n}}\n\n"
    f"{METHODS}"
)
TREE = {
    "README.md": "# Shop\n\nSells tea.\n",
    "go.mod": "module example.org/shop\n",
    "shop/shop.go": SHOP,
    "cmd/main.go": 'package main\n\nimport "example.org/shop/shop"\n\n'
    "func main() {\n\ts := shop.Shop{}\n\ts.Start00()\n}\n",
}


def test_what_a_list_does_not_describe_is_named_below_it() -> None:
    drafts = write(TREE).values()
    assert [draft.findings for draft in drafts if draft.findings] == []
    text = re.sub(r" \[\d+\]\(cite:\d+\)", "", "\n".join(d.markdown for d in drafts))
    assert "- `Option13`: " in text
    others = "Other fields of `Shop` are `Option14`, `Option15` and `OnSale`."
    assert others in text
    named = re.search(r"Other members of `Shop` are (.*)\.", text)
    assert named is not None
    told = set(re.findall(r"- `(Start\d\d)\(\)`: ", text))
    assert told.isdisjoint(re.findall(r"`(Start\d\d)\(\)`", named[1]))
