from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.parsing.languages.c_macros import without_macros
from devrag.parsing.types import FileFacts, SymbolFacts


def _symbol(text: str, name: str, path: str = "a.c") -> SymbolFacts:
    found = [s for s in parse_file(path, text).symbols if s.name == name]
    assert len(found) == 1
    return found[0]


def _names(facts: FileFacts, kind: str) -> list[str]:
    return [r.name for r in facts.references if r.kind == kind]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        (";", 1),
        ("if (a) ; else if (b) ; else ;", 3),
        ("for (;;) ; while (a) ; do ; while (b);", 4),
        ("switch (a) { case 1: case 2: break; default: ; }", 3),
        ("x = a && b || c;", 3),
        ("x = a ? b : c;", 2),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _symbol(f"void f(void) {{ {body} }}\n", "f").complexity == complexity


@pytest.mark.parametrize(
    ("parameter", "name", "declared"),
    [
        ("const char *const s", "s", "const char *const"),
        ("int v[10]", "v", "int [10]"),
        ("int (*call)(int, char)", "call", "int (*)(int, char)"),
        ("struct node *", "", "struct node *"),
        ("...", "", "..."),
    ],
)
def test_parameters_have_their_whole_type(
    parameter: str, name: str, declared: str
) -> None:
    found = _symbol(f"void f(int a, {parameter}) {{}}\n", "f").parameters[1]
    assert (found.name, found.type) == (name, declared)


@pytest.mark.parametrize(
    ("head", "returned"),
    [
        ("static inline unsigned int **f(void)", "unsigned int **"),
        ("const char *f(void)", "const char *"),
        ("struct node f(void)", "struct node"),
        ("int (*f(void))(int)", ""),
    ],
)
def test_the_return_type_has_its_pointers(head: str, returned: str) -> None:
    assert _symbol(head + " { }\n", "f").return_type == returned


def test_a_prototype_is_no_definition() -> None:
    assert parse_file("a.h", "int f(int a);\nextern int b;\n").symbols == ()


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("typedef struct { int a; } node;", "class", "node"),
        ("typedef enum { A } level;", "enum", "level"),
        ("typedef unsigned long count;", "type", "count"),
        ("typedef int (*visit)(int a);", "type", "visit"),
        ("union value { int a; };", "class", "value"),
        ("#define MAX 3", "constant", "MAX"),
        ("#define SQUARE(x) ((x) * (x))", "function", "SQUARE"),
        ("static const int limit = 3;", "constant", "limit"),
        ("static char *names[] = {0};", "variable", "names"),
    ],
)
def test_kinds_of_definitions(text: str, kind: str, name: str) -> None:
    assert _symbol(text + "\n", name).kind == kind


def test_a_typedef_of_its_own_name_is_one_symbol() -> None:
    text = "typedef struct node { struct node *next; } node;\n"
    assert _symbol(text, "node").kind == "class"


def test_includes_are_paths_as_written() -> None:
    text = '#include <sys/types.h>\n#include "a/b.h"\n#include MACRO\n'
    assert _names(parse_file("a.c", text), "import") == ["sys/types.h", "a/b.h"]


def test_calls_are_named_as_written() -> None:
    text = "void f(void) { a(); b->c(1); d.e->f(2); (*g)(3); h[0].i(); SQUARE(4); }\n"
    names = _names(parse_file("a.c", text), "call")
    assert names == ["a", "b.c", "d.e.f", "h[].i", "SQUARE"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SHOP_API int f(void) { }\n", "f"),
        ("int WINAPI f(void) { }\n", "f"),
        ('NO_SANITIZE("x")\nint f(void) { }\n', "f"),
        ("FOO_FUNC void f(void) { }\n", "f"),
        ("__BEGIN_DECLS\nstruct f { int a; };\n__END_DECLS\n", "f"),
        ("FOO_BEGIN\n\nint f(void) { }\nFOO_END\n", "f"),
        ("bool f(void) LOCKS_EXCLUDED(m) { }\n", "f"),
        ("static void CALLBACK f(int a) { }\n", "f"),
        ("void f(void) { a = va_arg(b, long long); of(a, struct c, d); }\n", "f"),
        ("#if HAS(<x>) && \\\n  1\nint f(void) { }\n#endif\n", "f"),
    ],
)
def test_decorating_macros_are_read_over(text: str, name: str) -> None:
    facts = parse_file("a.c", text)
    assert ([s.name for s in facts.symbols], facts.warnings) == ([name], ())


def test_a_guarded_brace_breaks_nothing() -> None:
    guard = "#ifdef __cplusplus\n{}\n#endif\n"
    text = guard.format('extern "C" {') + "struct a { int b; };\n" + guard.format("}")
    facts = parse_file("a.h", f"#ifndef A_H\n#define A_H\n{text}#endif\n")
    assert ([s.name for s in facts.symbols], facts.warnings) == (["a"], ())


@pytest.mark.parametrize(
    "body",
    [
        "#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\nc();\n}\n",
        "if (a\n#ifdef A\n|| b\n#endif\n) c();\n",
        "do\n#ifdef A\nb = c();\n#else\nb = d();\n#endif\nwhile (b);\n",
        "#if 0\nif (a) {\n#else\nif (b) { // {\n#endif\nc();\n}\n",
        "int v[] = {\n#ifdef A\n1,\n#else\n2,\n#endif\n3 };\n",
    ],
)
def test_a_condition_may_cut_a_statement(body: str) -> None:
    facts = parse_file("a.c", f"void f(void) {{\n{body}}}\nvoid g(void) {{ }}\n")
    assert ([s.name for s in facts.symbols], facts.warnings) == (["f", "g"], ())


def test_both_branches_with_whole_declarations_are_read() -> None:
    text = "#ifdef A\nint f(void) { }\n#else\nint g(void) { }\n#endif\n"
    assert [s.name for s in parse_file("a.c", text).symbols] == ["f", "g"]


@pytest.mark.parametrize(
    "text",
    [
        "EFI_STATUS\nf (int a) { }\n",
        "enum { A,\n  B_C\n};\n",
        "#define SHOP_API int\n",
        "return MAX_API;\n",
        "enum { A,\n  MY_END_MARK\n};\n",
        "struct FOO_S x;\n",
        "TEST(A, B)\n{\n}\n",
        "if (a) BAR(b);\n",
    ],
)
def test_other_capitals_stay(text: str) -> None:
    assert without_macros(text.encode()) == text.encode()


def test_every_byte_keeps_its_place() -> None:
    text = "é();\nSHOP_API int f(void);\n#if A(<b>)\nX_BEGIN_Y\nclass A_API B {\n"
    prepared = without_macros(text.encode())
    assert len(prepared) == len(text.encode())
    assert prepared.count(b"\n") == text.count("\n")


def test_a_header_with_classes_is_cpp() -> None:
    facts = parse_file("a.h", "namespace a {\nclass B { void f() {} };\n}\n")
    assert facts.language == "cpp"
    assert [s.qualified_name for s in facts.symbols] == ["a", "a.B", "a.B.f"]


def _slots(text: str) -> list[str]:
    found = parse_file("a.c", text).references
    return [f"{r.name} {r.target}" for r in found if r.kind == "slot"]


def test_a_table_says_which_functions_are_in_which_fields() -> None:
    entries = '{"add", add, NULL}, {.run = &rm, .name = NAME}'
    text = f"static struct cmd all[] = {{ {entries} }};\n"
    assert _slots(text) == ["add cmd.1", "rm cmd.run"]


def test_the_preprocessor_may_speak_within_a_table() -> None:
    text = (
        "static const struct fn all[] = {\n"
        '#include "more.h"\n  ENTRY(f_add, 1),\n'
        "#define TWO(a) a, a\n  ENTRY(f_rm, 2),\n};\n"
    )
    assert _slots(text) == ["f_add fn.*", "f_rm fn.*"]


def test_a_local_struct_is_no_table() -> None:
    assert _slots("void f(int x) { struct point p = { x, x }; }\n") == []
