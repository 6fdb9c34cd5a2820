"""A change sets beside each other what two editions say in the same place."""

from __future__ import annotations

from devrag.wiki.analysis.documents import read_sections
from devrag.wiki.analysis.edition_changes import Change
from devrag.wiki.analysis.edition_differences import Comparison, compare_editions

TEXT = """\
# Style

## Lists

Build a list that nobody changes by {rule}.

```java
{code}
```

Never return null for a list.
"""
OLD = TEXT.format(rule="Arrays.asList", code="fooList.stream();\nreturn asList(s);")


def _compared(**places: str) -> Comparison:
    return compare_editions(read_sections(OLD), read_sections(TEXT.format(**places)))


def _texts(change: Change) -> tuple[list[str], list[str]]:
    return [u.text for u in change.one], [u.text for u in change.other]


def test_a_sentence_stands_beside_the_one_that_replaced_it() -> None:
    code = "fooList.stream();\nreturn asList(s);"
    (chapter,) = _compared(rule="List.of", code=code).like("different")
    (change,) = chapter.changes
    assert _texts(change) == (
        ["Build a list that nobody changes by Arrays.asList."],
        ["Build a list that nobody changes by List.of."],
    )


def test_a_sample_stands_beside_its_successor_below_what_it_shows() -> None:
    code = "fooList.stream();\nreturn List.of(s);"
    (chapter,) = _compared(rule="Arrays.asList", code=code).like("different")
    (change,) = chapter.changes
    assert _texts(change) == (["return asList(s);"], ["return List.of(s);"])
    assert change.about is not None
    assert change.about.text.startswith("Build a list")


def test_a_sample_with_another_variable_is_the_same() -> None:
    code = "hogeList.stream();\nreturn asList(s);"
    compared = _compared(rule="Arrays.asList", code=code)
    assert len(compared.like("same")) == 1
    assert not compared.like("different")


def test_a_key_of_a_data_format_is_no_variable() -> None:
    one, other = (
        read_sections(f"# A\n\n## B\n\n```yaml\n{key}: query\n```\n")
        for key in ("bodyParam", "queryParam")
    )
    assert len(compare_editions(one, other).like("different")) == 1


def test_a_chapter_named_by_a_path_is_the_one_of_its_last_name() -> None:
    one, other = (
        read_sections(f"# A\n\n## {name}\n\nThe name of the whole interface.\n")
        for name in ("title", "info > title")
    )
    compared = compare_editions(one, other)
    assert [c.likeness for c in compared.chapters] == ["same"]


def test_lines_of_a_bad_example_are_no_change_of_the_good_one() -> None:
    text = "# A\n\n## B\n\n- Compare by type, never by name of the class.\n\n"
    text += "Good example:\n\n```java\n{0}\n```\n\nBad example:\n\n```java\n{1}\n```\n"
    one = read_sections(text.format("if (o is Foo) {", "if (name == x) {"))
    other = read_sections(text.format("if (o is Foo f) {", "Foo f = (Foo) o;"))
    (chapter,) = compare_editions(one, other).like("different")
    found = [(change.sample[1], *_texts(change)) for change in chapter.changes]
    assert found == [
        ("Good example", ["if (o is Foo) {"], ["if (o is Foo f) {"]),
        ("Bad example", ["if (name == x) {"], ["Foo f = (Foo) o;"]),
    ]
