from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.parsing.types import SymbolFacts


def _symbols(text: str, path: str = "src/a.ts") -> list[SymbolFacts]:
    return [s for s in parse_file(path, text).symbols if s.kind != "module"]


def _names(text: str, path: str = "src/a.ts") -> list[str]:
    return [f"{s.kind} {s.qualified_name}" for s in _symbols(text, path)]


def _references(text: str, kind: str, path: str = "src/orders/a.ts") -> list[str]:
    return [r.name for r in parse_file(path, text).references if r.kind == kind]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1", 1),
        ("if (a) {} else if (b) {} else {}", 3),
        ("for (;;) { while (c) {} } do {} while (d)", 4),
        ("for (const a of b) {} for (const c in d) {}", 3),
        ("switch (a) { case 1: case 2: break; default: }", 3),
        ("try {} catch (e) {} finally {}", 2),
        ("return a && b || c ?? d", 4),
        ("return a ? b : c?.d", 2),
        ("xs.map((x) => x && 1)", 2),
        ("const inner = () => a && b", 1),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _symbols(f"function f() {{ {body} }}")[0].complexity == complexity


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("const f = () => 1", ["function f"]),
        ("let f = async function g() {}", ["function f"]),
        ("export default function () {}", ["function default"]),
        ("export default () => {}", ["function default"]),
        ("exports.f = () => 1", ["function f"]),
        ("module.exports = function f() {}", ["function f"]),
        ("module.exports.f = function () {}", ["function f"]),
        ("A.prototype.f = function () {}", ["method A.f"]),
        ("A.f = function () {}", ["method A.f"]),
        ("window.f = function () {}", ["function f"]),
        (
            "const a = { f() {}, 'g': () => 1 }",
            ["variable a", "method a.f", "method a.g"],
        ),
        ("export default { methods: { f() {} } }", ["method methods.f"]),
        ("const f = memo(() => 1)", ["function f"]),
        ("const a = xs.map(() => 1)", ["variable a"]),
        ("const A = class {}", ["class A"]),
        ("const { a, b } = c", []),
        ("const a = require('a')", []),
        ("const a = require('a')()", ["variable a"]),
        ("call({ f() {} })", []),
        ("xs[i] = () => 1", []),
        ("function f() { el.onclick = () => 1 }", ["function f"]),
        ("function f() { this.g = () => 1 }", ["function f", "function f.g"]),
        ("(function () { function f() {} })()", ["function f"]),
    ],
)
def test_functions_are_named_by_what_they_are_assigned_to(
    text: str, names: list[str]
) -> None:
    assert _names(text, "a.js") == names


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("import a from './b'", ["src.orders.b.a"]),
        ("import a from 'b'", ["b"]),
        ("import { a as c } from '../b/index.js'", ["src.b.a"]),
        ("import * as a from '.'", ["src.orders"]),
        ("import type { A } from './user.service'", ["src.orders.user.service.A"]),
        ("import './b.css'", ["src.orders.b.css"]),
        ("import a from '@/b'", ["src.b.a"]),
        ("import { a } from '@scope/b/c'", ["@scope.b.c.a"]),
        ("import { a } from 'highlight.js'", ["highlight.js.a"]),
        ("import fs = require('node:fs')", ["fs"]),
        ("export { a as b } from './c'", ["src.orders.c.a"]),
        ("export * from './c'", ["src.orders.c.*"]),
        ("const { a, b: c } = require('./d')", ["src.orders.d.a", "src.orders.d.b"]),
        ("const a = require('./d').a", ["src.orders.d.a"]),
        ("const a = await import('./d')", ["src.orders.d"]),
        ("import('./d').then((d) => d)", ["src.orders.d"]),
        ("require(name)", []),
    ],
)
def test_imports_are_full_paths(statement: str, names: list[str]) -> None:
    assert _references(statement + "\n", "import") == names


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("src/db/index.ts", "src.db"),
        ("src/db.d.ts", "src.db"),
        ("src/user.service.ts", "src.user.service"),
        ("index.js", "index"),
        ("lib/a.mjs", "lib.a"),
    ],
)
def test_a_file_is_the_module_that_others_import(path: str, module: str) -> None:
    assert parse_file(path, "export const a = 1\n").module == module


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("f(1)", ["f"]),
        ("a.b.c(1)", ["a.b.c"]),
        ("a?.b!.c(1)", ["a.b.c"]),
        ("a.b(1).c()", ["a.b().c", "a.b"]),
        ("a.b(() => { " + "x; " * 200 + "}).c()", ["a.b().c", "a.b"]),
        ("x[0].go()", ["x[].go"]),
        ("new a.B<C>()", ["a.B"]),
        ("(a || b).go()", []),
        ("`${g(1)}`", ["g"]),
        ("super.f()", ["super.f"]),
    ],
)
def test_calls_are_named_as_written(expression: str, names: list[str]) -> None:
    assert _references(expression + "\n", "call") == names


def test_a_used_component_is_a_call() -> None:
    text = "const a = <div><A.B c={1}/><D>x</D></div>\n"
    assert _references(text, "call", "a.tsx") == ["A.B", "D"]
    assert _references(text, "call", "a.jsx") == ["A.B", "D"]


def test_types_are_taken_apart() -> None:
    text = "function f(a: Map<string, m.Foo> | null, b: { c: 'x' }): (d: Bar) => T {}\n"
    assert _references(text, "type") == ["m.Foo", "Bar"]
    assert _symbols(text)[0].used_types == ("Map", "m.Foo", "Bar")


def test_of_overloads_the_last_is_the_symbol() -> None:
    text = "/** a */\nfunction f(a: string): void;\n// b\nfunction f(a: any) {}\n"
    assert [s.signature for s in _symbols(text)] == ["function f(a: any)"]
    declared = (
        "declare function f(a: string): void;\ndeclare function f(a: number): void;\n"
    )
    assert [s.start_line for s in _symbols(declared, "a.d.ts")] == [2]


def test_decorators_before_a_method_are_its_own() -> None:
    text = "class A {\n  /** Doc. */\n  @Get('x')\n  @Auth()\n  m() {}\n}\n"
    facts = parse_file("a.ts", text)
    method = facts.symbols[-1]
    assert method.decorators == ("@Get('x')", "@Auth()")
    assert (method.start_line, method.docstring) == (3, "Doc.")
    assert [r.symbol for r in facts.references] == [method.ordinal] * 2


def test_a_jsdoc_block_may_stand_apart_from_its_function() -> None:
    text = "/**\n * Adds it.\n */\n\napp.use = function use(f) {}\n"
    assert _symbols(text)[0].docstring == "Adds it."
    far = text.replace("*/\n\n", "*/\n\n\n")
    assert _symbols(far)[0].docstring == ""
    line = "// Helpers\n\nfunction f() {}\n"
    assert _symbols(line)[0].docstring == ""
    heading = "/**\n * Module variables.\n */\n\nvar slice = [].slice;\n"
    assert _symbols(heading)[0].docstring == ""


def test_a_comment_to_a_tool_is_no_documentation() -> None:
    text = "// eslint-disable-next-line no-x\nfunction f() {}\n"
    assert _symbols(text)[0].docstring == ""


def test_members_are_public_unless_they_say_otherwise() -> None:
    text = "abstract class A { a() {} #b() {} protected static async c() {} }\n"
    assert [s.modifiers for s in _symbols(text)] == [
        ("abstract",),
        ("public",),
        ("private",),
        ("protected", "static", "async"),
    ]


def test_types_of_another_module_are_exported() -> None:
    text = 'export type * from "./b"\nconst c = styled.div<{ d?: string }>`e`\n'
    assert _references(text, "import") == ["src.orders.b.*"]
    assert parse_file("src/a.ts", text).warnings == ()


def test_a_function_with_a_prototype_is_a_constructor() -> None:
    text = (
        "function View(name) {}\n"
        "View.prototype.find = function () {};\n"
        "function plain() {}\n"
        "plain.helper = function () {};\n"
    )
    modifiers = {s.name: s.modifiers for s in _symbols(text, "view.js")}
    assert modifiers["View"] == ("constructor",)
    assert modifiers["plain"] == ()
    assert _names(text, "view.js")[0] == "function View"


@pytest.mark.parametrize(
    ("use", "lines"),
    [
        ("module.exports = log", [1]),
        ("exports = module.exports = log", [1]),
        ("export { log }", [1]),
        ("export default log", [1]),
        ("on('error', log.bind(this))", [1]),
        ("const handlers = { log, end: log }", [1, 1]),
        ("const all = [log]", [1]),
        ("run(log)", [1]),
        ("xs.map((log) => use(log))", []),
        ("xs.map(function ({ log }) { return log })", []),
        ("function f(log) { return log }", []),
        ("a.log(b.log)", []),
        ("log()", []),
    ],
)
def test_a_definition_that_is_passed_on_is_used(use: str, lines: list[int]) -> None:
    text = f"{use}\nfunction log(error) {{}}\n"
    found = parse_file("src/a.js", text).references
    values = [r for r in found if r.kind == "value" and r.name == "log"]
    assert [r.line for r in values] == lines
    assert {(r.target, r.via) for r in values} <= {("log", "file")}


def test_values_that_a_module_exports_are_definitions_and_their_reads_uses() -> None:
    text = (
        "exports.methods = ALL.map(lower)\n"
        "module.exports.LIMIT = 10\n"
        "exports.json = parser.json\n"
        "exports.Router = require('./router')\n"
        "exports.default = void 0\n"
        "exports.read = function () { return exports.methods }\n"
        "exports.write = function () { exports.read(exports.LIMIT) }\n"
    )
    assert _names(text, "lib/utils.js") == [
        "variable methods",
        "constant LIMIT",
        "function read",
        "function write",
    ]
    facts = parse_file("lib/utils.js", text)
    found = [(r.kind, r.target) for r in facts.references if r.via == "file"]
    assert sorted(found) == [
        ("call", "read"),
        ("value", "LIMIT"),
        ("value", "methods"),
    ]
