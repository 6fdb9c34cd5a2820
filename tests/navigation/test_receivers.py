"""A member is found through attributes, results and variables of other files."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from .versions import Version

CLIENT_PY = """
from pool import Pool

class Client:
    pool: Pool

    def __init__(self, pool: Pool | None = None) -> None:
        self.spare = pool or Pool()

    def choose(self) -> Pool: ...
"""
POOL_PY = """
class Pool:
    def send(self): ...

    def itself(self) -> "Self": ...

    @property
    def other(self) -> "Pool": ...

class SlowPool(Pool):
    def hurry(self): ...
"""
# What is written in a function that has `client: Client`, and what it means.
PATHS = {
    "an attribute": ("client.pool.send()", "pool.Pool.send"),
    "an attribute of one type in two ways": ("client.spare.send()", "pool.Pool.send"),
    "a result": ("client.choose().send()", "pool.Pool.send"),
    "a result that a variable holds": ("x = client.choose(); x.send()", "Pool.send"),
    "an awaited result": ("x = await client.choose(); x.send()", "Pool.send"),
    "a context manager": ("with Pool() as x: x.send()", "Pool.send"),
    "a property": ("client.pool.other.send()", "pool.Pool.send"),
    "the object itself": ("SlowPool().itself().hurry()", "pool.SlowPool.hurry"),
    "a variable of a module": ("shared.send()", "pool.Pool.send"),
    "what a function plainly returns": ("make().send()", "pool.Pool.send"),
    "an attribute that nobody declares": ("client.queue.send()", ""),
    "a variable that goes round in circles": ("x = x.next; x.send()", ""),
}


@pytest.mark.parametrize(("written", "meant"), PATHS.values(), ids=PATHS)
def test_the_member_of_what_a_path_gives(written: str, meant: str) -> None:
    body = written.replace("; ", "\n    ")
    user = (
        "from client import Client\nfrom pool import Pool, SlowPool, make, shared\n\n"
    )
    files = {
        "client.py": CLIENT_PY,
        "pool.py": f"{POOL_PY}\nshared = Pool()\n\ndef make():\n    return Pool()\n",
        "use.py": f"{user}async def use(client: Client):\n    {body}\n",
    }
    name = body.rpartition("\n")[2].rpartition(": ")[2].strip().removesuffix("()")
    found = Version(files).resolve("use.py", f"call {name}").symbol
    assert (found.full_name if found else "").endswith(meant)
    assert bool(found) == bool(meant)


JAVA = {
    "c/Pool.java": "package c;\nclass Pool { void send() {} Pool other() {} }\n",
    "c/Base.java": "package c;\nclass Base { Pool pool; }\n",
}
GO = {
    "pool.go": "package c\n\ntype Pool struct{}\n\nfunc (p *Pool) Send() {}\n\n"
    "func NewPool() (*Pool, error) {}\n",
    "client.go": "package c\n\ntype Client struct { pool *Pool }\n",
}
# In each language's own way of writing what things hold.
LANGUAGES = {
    "a field of Java that is inherited": (
        JAVA,
        (
            "c/Use.java",
            "package c;\nclass Use extends Base { void f() { pool.send(); } }",
        ),
        ("call pool.send", "c.Pool.send"),
    ),
    "a variable of Java without a type": (
        JAVA,
        (
            "c/Use.java",
            "package c;\nclass Use { void f() { var p = new Pool(); p.send(); } }",
        ),
        ("call p.send", "c.Pool.send"),
    ),
    "a parameter of an anonymous class of Java": (
        JAVA,
        (
            "c/Use.java",
            (
                "package c;\nclass Use { Object o = new Object() "
                "{ void f(Pool p) { p.send(); } }; }"
            ),
        ),
        ("call p.send", "c.Pool.send"),
    ),
    "a field of Go": (
        GO,
        ("use.go", "package c\n\nfunc (c *Client) f() { c.pool.Send() }\n"),
        ("call c.pool.Send", "Pool.Send"),
    ),
    "the first of Go's results": (
        GO,
        ("use.go", "package c\n\nfunc f() { p, err := NewPool(); p.Send() }\n"),
        ("call p.Send", "Pool.Send"),
    ),
    "a literal of Go": (
        GO,
        ("use.go", "package c\n\nfunc f() { p := &Pool{}; p.Send() }\n"),
        ("call p.Send", "Pool.Send"),
    ),
    "a field that a constructor of TypeScript declares": (
        {"pool.ts": "export class Pool { send() {} }\n"},
        (
            "use.ts",
            (
                "import { Pool } from './pool';\n"
                "class Use { constructor(private pool: Pool) {} "
                "f() { this.pool.send(); } }"
            ),
        ),
        ("call this.pool.send", "pool.Pool.send"),
    ),
    "what a promise of TypeScript gives": (
        {"pool.ts": "export class Pool { send() {} }\n"},
        (
            "use.ts",
            (
                "import { Pool } from './pool';\n"
                "async function take(): Promise<Pool> {}\n"
                "async function f() { const p = await take(); p.send(); }"
            ),
        ),
        ("call p.send", "pool.Pool.send"),
    ),
    "what a task of C# gives": (
        {"Pool.cs": "namespace A;\nclass Pool { public void Send() {} }\n"},
        (
            "Use.cs",
            (
                "namespace A;\nclass Use { async Task<Pool> Take() {}\n"
                "async void F() { var p = await Take(); p.Send(); } }"
            ),
        ),
        ("call p.Send", "A.Pool.Send"),
    ),
    "a boxed field of Rust": (
        {"src/pool.rs": "pub struct Pool {}\nimpl Pool { pub fn send(&self) {} }\n"},
        (
            "src/use.rs",
            (
                "use crate::pool::Pool;\nstruct Use { pool: Box<Pool> }\n"
                "impl Use { fn f(&self) { self.pool.send() } }\n"
            ),
        ),
        ("call self.pool.send", "crate.pool.Pool.send"),
    ),
    "a constructor of Rust that may fail": (
        {
            "src/pool.rs": "pub struct Pool {}\nimpl Pool { "
            "pub fn new() -> Result<Self, E> {} pub fn send(&self) {} }\n"
        },
        (
            "src/use.rs",
            "use crate::pool::Pool;\nfn f() { let p = Pool::new()?; p.send() }\n",
        ),
        ("call p.send", "crate.pool.Pool.send"),
    ),
}


@pytest.mark.parametrize(("files", "user", "found"), LANGUAGES.values(), ids=LANGUAGES)
def test_each_language_says_what_things_hold(
    files: Mapping[str, str], user: tuple[str, str], found: tuple[str, str]
) -> None:
    use, meant = found
    symbol = Version({**files, user[0]: user[1]}).resolve(user[0], use).symbol
    assert symbol is not None
    assert symbol.full_name == meant


def test_of_several_values_each_is_possible() -> None:
    text = (
        "class A:\n    def go(self): ...\n\nclass B:\n    def go(self): ...\n\n"
        "class C:\n    def __init__(self, x):\n"
        "        self.it = A() if x else B()\n\n"
        "    def run(self):\n        self.it.go()\n"
    )
    version = Version({"a.py": text})
    assert version("a.py", "call self.it.go") == ""
    assert version.possible("a.py", "call self.it.go") == ["a.A.go", "a.B.go"]
