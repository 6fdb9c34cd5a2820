"""True claims about real code and documents, and subtle falsehoods made of them.

Deterministic: files in order, a fixed seed. Claims about code are said in words of
their own and cite the definition; those about documents repeat one of its sentences.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_MOST_LINES, _LEAST_WORDS, _MOST_WORDS = 22, 8, 40
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_SKIPPED = {"tests", "test", "vendor", "node_modules", ".git", "testdata"}


@dataclass(frozen=True, slots=True)
class Planted:
    """A claim, what it cites, and whether it is true. kind: of the falsehood."""

    kind: str
    sentence: str
    excerpt: str
    is_true: bool


def planted_claims(folders: Iterable[Path], per_kind: int) -> list[Planted]:
    """Return claims of each kind in a fixed order, of each pair only one of the two."""
    chance = random.Random(11)
    found: dict[str, list[tuple[Planted, Planted]]] = {}
    for true, false in _all_pairs(folders, chance):
        found.setdefault(false.kind, []).append((true, false))
    taken: list[Planted] = []
    for _, pairs in sorted(found.items()):
        chance.shuffle(pairs)
        false_ones = pairs[: min(per_kind, (len(pairs) + 1) * 3 // 5)]
        rest = pairs[len(false_ones) :][: per_kind * 2 // 3]
        taken += [false for _, false in false_ones] + [true for true, _ in rest]
    chance.shuffle(taken)
    return taken


def _all_pairs(
    folders: Iterable[Path], chance: random.Random
) -> Iterator[tuple[Planted, Planted]]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            is_skipped = any(p in _SKIPPED or p.startswith("test_") for p in parts)
            if is_skipped or not path.is_file():
                continue
            shown = f"{folder.name}/{'/'.join(parts)}"
            if path.suffix == ".py":
                yield from _of_code(path, shown, chance)
            elif path.suffix in {".md", ".rst"}:
                yield from _of_document(path, shown, chance)


def _of_code(
    path: Path, shown: str, chance: random.Random
) -> Iterator[tuple[Planted, Planted]]:
    text = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    lines = text.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        end = node.end_lineno or node.lineno
        if not 3 <= end - node.lineno < _MOST_LINES:
            continue
        excerpt = f"{shown}\n" + "\n".join(lines[node.lineno - 1 : end])
        for make in _OF_CLASSES if isinstance(node, ast.ClassDef) else _OF_FUNCTIONS:
            pair = make(node, chance)  # type: ignore[operator]
            if pair is not None:
                yield _planted(*pair, excerpt)


def _planted(kind: str, true: str, false: str, excerpt: str) -> tuple[Planted, Planted]:
    return (
        Planted(kind, true, excerpt, is_true=True),
        Planted(kind, false, excerpt, is_true=False),
    )


Pair = tuple[str, str, str]  # kind, truth, falsehood
Function = ast.FunctionDef | ast.AsyncFunctionDef


def _default(node: Function, chance: random.Random) -> Pair | None:
    """Another default."""
    arguments = node.args
    pairs = list(zip(arguments.args[::-1], arguments.defaults[::-1], strict=False))
    pairs += [
        (name, value)
        for name, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if value is not None
    ]
    known = [(n.arg, v.value) for n, v in pairs if isinstance(v, ast.Constant)]
    if not known:
        return None
    name, value = chance.choice(known)
    others: dict[object, list[object]] = {True: [False], False: [True], None: [True, 0]}
    if isinstance(value, int | float) and not isinstance(value, bool):
        other: object = value * 2 or 1
    elif isinstance(value, str):
        other = "auto" if value else "default"
    else:
        other = chance.choice(others.get(value, [None]))
    say = f"Unless it is given, `{name}` of `{node.name}()` is `{{!r}}`."
    return "default", say.format(value), say.format(other)


def _direction(node: Function, _chance: random.Random) -> Pair | None:
    """A call turned round."""
    called = [c for c in _calls(node) if c != node.name and not c.startswith("_")]
    if not called or not called[-1][0].islower():
        return None
    name = called[-1]
    return (
        "direction",
        f"`{node.name}()` relies on `{name}()`, which it calls.",
        f"`{name}()` relies on `{node.name}()`, which it calls.",
    )


def _order(node: Function, _chance: random.Random) -> Pair | None:
    """Two steps that changed places."""
    body = [s for s in node.body if isinstance(s, ast.Expr | ast.Assign | ast.Return)]
    if len(body) != len(node.body) or len(body) < 2:
        return None
    steps = [list(_calls(step)) for step in body]
    steps = [step for step in steps if len(step) == 1]
    if len(steps) < 2 or steps[0] == steps[-1]:
        return None
    first, last = steps[0][0], steps[-1][0]
    say = f"`{node.name}()` first calls `{{}}()` and after that `{{}}()`."
    return "order", say.format(first, last), say.format(last, first)


def _condition(node: Function, _chance: random.Random) -> Pair | None:
    """“Always” where there is a condition."""
    within = {
        c for s in node.body if isinstance(s, ast.If) for b in s.body for c in _calls(b)
    }
    outside = {c for s in node.body if not isinstance(s, ast.If) for c in _calls(s)}
    only = sorted(within - outside)
    if not only:
        return None
    return (
        "always",
        f"Under a condition that it tests, `{node.name}()` calls `{only[0]}()`.",
        f"`{node.name}()` always calls `{only[0]}()`, whatever it is given.",
    )


def _raises(node: Function, _chance: random.Random) -> Pair | None:
    """Not the case that is in the code."""
    raised = [
        s.exc.func.id
        for s in ast.walk(node)
        if isinstance(s, ast.Raise)
        and isinstance(s.exc, ast.Call)
        and isinstance(s.exc.func, ast.Name)
    ]
    if not raised:
        return None
    return (
        "negation",
        f"`{node.name}()` may end with a `{raised[0]}`.",
        f"`{node.name}()` does not raise `{raised[0]}` itself.",
    )


def _count(node: Function, _chance: random.Random) -> Pair | None:
    """Another number of parameters."""
    arguments = node.args
    if arguments.vararg or arguments.kwarg or arguments.posonlyargs:
        return None
    names = [a.arg for a in arguments.args + arguments.kwonlyargs]
    count = len([name for name in names if name not in {"self", "cls"}])
    if not 1 < count < len(_WORDS) - 1:
        return None
    say = f"Besides its receiver, `{node.name}()` takes {{}} parameters."
    return "number", say.format(_WORDS[count]), say.format(_WORDS[count + 1])


def _swap(node: Function, chance: random.Random) -> Pair | None:
    """Two parameters whose annotations changed places."""
    typed = [
        (a.arg, ast.unparse(a.annotation))
        for a in node.args.args + node.args.kwonlyargs
        if a.annotation
    ]
    if len(typed) < 2:
        return None
    (one, of_one), (two, of_two) = chance.sample(typed, 2)
    if of_one == of_two or len(of_one + of_two) > 60:
        return None
    say = f"In `{node.name}()`, `{{}}` is a `{{}}` and `{{}}` a `{{}}`."
    return (
        "swap",
        say.format(one, of_one, two, of_two),
        say.format(one, of_two, two, of_one),
    )


def _only(node: Function, _chance: random.Random) -> Pair | None:
    """“Only” one of several."""
    called = sorted(set(_calls(node)))
    if len(called) < 3:
        return None
    return (
        "only",
        f"Among what `{node.name}()` calls is `{called[0]}()`.",
        f"The only function that `{node.name}()` calls is `{called[0]}()`.",
    )


def _base(node: ast.ClassDef, _chance: random.Random) -> Pair | None:
    """An inheritance turned round."""
    bases = [ast.unparse(base) for base in node.bases]
    if len(bases) != 1 or "[" in bases[0]:
        return None
    say = "`{}` is a special kind of `{}`, from which it inherits."
    return "direction", say.format(node.name, bases[0]), say.format(bases[0], node.name)


def _calls(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            if isinstance(each.func, ast.Name):
                yield each.func.id
            elif isinstance(each.func, ast.Attribute):
                yield each.func.attr


_OF_FUNCTIONS = (
    *(_default, _direction, _order, _condition, _raises, _count, _swap, _only),
)
_OF_CLASSES = (_base,)


def _other_number(found: re.Match[str]) -> str:
    return str(int(found[1]) * 2 + 1)


def _swapped(sentence: str) -> str:
    spans = re.findall(r"`+[^`]+`+", sentence)
    if (
        len(spans) != 2
        or spans[0] == spans[1]
        or re.search(r"\b(?:and|or)\b", sentence)
    ):
        return sentence
    one, two = spans
    return sentence.replace(one, "\0").replace(two, one).replace("\0", two)


# What is said of a document's subject, and how a falsehood says more or other.
_CHANGES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("most", lambda s: re.sub(r"\b(?:some|several|a few)\b", "most", s, count=1)),
    ("must", lambda s: re.sub(r"\b(?:can|may|could)\b(?! not)", "must", s, count=1)),
    ("only", lambda s: re.sub(r"\b(is|are) used\b", r"\1 only used", s, count=1)),
    (
        "always",
        lambda s: re.sub(r"\b(?:usually|often|sometimes)\b", "always", s, count=1),
    ),
    (
        "negation",
        lambda s: re.sub(
            r"\b(does|do|is|are|will|can|should) not ", r"\1 ", s, count=1
        ),
    ),
    ("negation", lambda s: re.sub(r"\b(will|should) (?!not)", r"\1 not ", s, count=1)),
    (
        "number",
        lambda s: re.sub(r"(?<![\w.])(\d{1,4})(?![\w.%])", _other_number, s, count=1),
    ),
    ("swap", _swapped),
    ("time", lambda s: re.sub(r"\bbefore\b", "after", s, count=1)),
    ("time", lambda s: re.sub(r"\bafter\b", "before", s, count=1)),
)


def _of_document(
    path: Path, shown: str, chance: random.Random
) -> Iterator[tuple[Planted, Planted]]:
    text = re.sub(r"(?ms)^(```|~~~).*?^\1", "", path.read_text(encoding="utf-8"))
    if re.search(r"(?i)change|history|news|licen[cs]e|code_of_conduct", shown):
        return
    for paragraph in re.split(r"\n\s*\n", text):
        flat = " ".join(paragraph.split())
        if not flat[:1].isupper() or re.search(r"[|<>]|\]\(|::|https?:", flat):
            continue
        told = [s for s in re.split(r"(?<=[.!?]) (?=[A-Z])", flat) if _is_sentence(s)]
        if not told or len(flat) > 900:
            continue
        for sentence in told:
            changed = [(k, c(sentence)) for k, c in _CHANGES]
            usable = [(k, s) for k, s in changed if s != sentence]
            if usable:
                kind, false = chance.choice(usable)
                excerpt = f"{shown}\n{paragraph.strip()}"
                yield _planted(kind, sentence, false, excerpt)


def _is_sentence(text: str) -> bool:
    count = len(text.split())
    return text.endswith(".") and _LEAST_WORDS <= count <= _MOST_WORDS
