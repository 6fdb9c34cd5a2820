"""Where programs are entered: mains, scripts, commands, tasks."""

from __future__ import annotations

import pytest

from .cases import facts_of

_JAVA = "class A { public static void main(String[] args) {} void main(int a) {} }\n"


_FRONT = "<?php\nrequire __DIR__.'/../app.php';\n$app->run();\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("cmd/shop/run.go", "package main\nfunc main() {}\n", {"shop": "main"}),
        ("src/bin/tool.rs", "fn main() {}\nmod a { fn main() {} }\n", {"tool": "main"}),
        ("A.java", _JAVA, {"A": "A.main"}),
        ("a.kt", "fun main() {}\nclass B { fun main() {} }\n", {"a": "main"}),
        ("A.cs", "class A { static void Main(string[] a) {} }\n", {"A": "A.Main"}),
        ("A.scala", "object A extends App { f() }\n", {"A": "A"}),
        (
            "B.scala",
            "object B { def main(a: Array[String]) = 1 }\nclass C { def main = 1 }\n",
            {"B": "B.main"},
        ),
        ("A.swift", "@main struct A { static func main() {} }\n", {"A": "A"}),
        ("tool.c", "int main(int c, char **v) { return 0; }\n", {"tool": "main"}),
        ("tool.cpp", "int main() { return 0; }\n", {"tool": "main"}),
        ("bin/go", "#!/usr/bin/env ruby\nputs 1\n", {"go": ""}),
        ("run.js", "#!/usr/bin/env node\nf()\n", {"run": ""}),
        ("run.sh", "#!/bin/sh\nls\n", {"run": ""}),
        ("public/index.php", _FRONT, {"public/index.php": ""}),
    ],
)
def test_entry_points(path: str, text: str, expected: dict[str, str]) -> None:
    assert facts_of("entry_point", path, text, "function") == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.go", "package a\nfunc main() {}\n"),
        ("build.rs", "fn main() {}\n"),
        ("a.rs", "#![no_std]\npub fn f() {}\n"),
        ("A.java", "class A { static void main(String[] args) {} }\n"),
        ("A.cs", "class A { void Main() {} }\n"),
        ("a.c", "#ifdef TEST\nint main(void) { return 0; }\n#endif\n"),
        ("a.c", "int main(void);\n"),
        ("a.sh", "ls\n"),
        (".ci/run", "#!/bin/sh\nls\n"),
        ("lib/index.php", _FRONT),
        ("index.php", "<?php // Silence is golden.\n"),
    ],
)
def test_what_only_looks_like_an_entry_point_is_none(path: str, text: str) -> None:
    assert facts_of("entry_point", path, text) == {}


_COBRA = """package c
import "github.com/spf13/cobra"
var serve = &cobra.Command{Use: "serve [flags]", Short: "Serve it.", RunE: run}
func f(x *cobra.Command) cobra.Command { return cobra.Command{Short: "x"} }
"""
_CLAP = """
use clap::{Command, Subcommand};
#[derive(Subcommand)]
enum Commands {
    /// Add it.
    AddThing { a: i32 },
    #[command(name = "rm")]
    Remove,
}
enum Other { A }
fn f() { Command::new("app").about("The app.").subcommand(Command::new("sub")); }
"""
_COMMANDER = """
const { program } = require("commander")
program.command("clone <src>").description("Clone it.").action(f)
  .command("pull", "Pull it.")
"""
_YARGS = """
import yargs from "yargs"
yargs(a).command("serve [p]", "Serve.").command("$0", "x")
"""
_CONSOLE = """<?php use Symfony\\Component\\Console\\Attribute\\AsCommand;
#[AsCommand(name: 'marked', description: 'By a mark.')]
class A extends Command { function execute($in, $out) {} }
class B extends Command { function configure() {
    $this->setName('called')->setDescription('By a call.'); } }
abstract class Base extends Command {}
class Other { function configure() { $this->setName('other'); } }
"""
_ARTISAN = """<?php use Illuminate\\Console\\Command;
class C extends Command {
    protected $signature = 'mail:send {user}'; protected $description = 'Send it.';
    function handle() {} }
"""
_CLICK = """
import click
@click.group()
def cli(): ...
@cli.command("x-y", help="Do it.")
def xy(): ...
@cli.command()
def do_it():
    "Doc."
"""
_ARGPARSE = 'import argparse\np.add_subparsers().add_parser("run", help="Run it.")\n'


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("c.go", _COBRA, {"serve": "Serve it."}),
        (
            "c.rs",
            _CLAP,
            {"add-thing": "Add it.", "rm": "", "app": "The app.", "sub": ""},
        ),
        ("c.js", _COMMANDER, {"clone": "Clone it.", "pull": "Pull it."}),
        ("c.ts", _YARGS, {"serve": "Serve."}),
        ("c.php", _CONSOLE, {"marked": "By a mark.", "called": "By a call."}),
        ("c.php", _ARTISAN, {"mail:send": "Send it."}),
        ("c.php", _CONSOLE.replace("Symfony", "Other"), {}),
        ("c.py", _CLICK, {"x-y": "Do it.", "do-it": "Doc."}),
        ("c.py", _ARGPARSE, {"run": "Run it."}),
        ("c.go", _COBRA.replace("spf13/cobra", "other/cobra"), {}),
        ("c.rs", 'use std::process::Command;\nfn f() { Command::new("git"); }\n', {}),
        ("c.rs", "#[derive(Subcommand)]\nenum Commands { Add }\n", {}),
        ("c.js", 'program.command("clone <src>")\n', {}),
    ],
)
def test_commands(path: str, text: str, expected: dict[str, str]) -> None:
    assert facts_of("command", path, text, "help") == expected


_SCHEDULED = """
import org.springframework.scheduling.annotation.Scheduled;
class S {
  @Scheduled(cron = "0 0 * * * *") void a() {}
  @Scheduled(fixedRate = 5) void b() {}
}
"""
_JOBS = """
class J < ApplicationJob
  def perform(x) = x
end
class W
  include Sidekiq::Job
  def perform; end
end
class Base < ApplicationJob
end
"""
_QUEUED = """<?php use Illuminate\\Contracts\\Queue\\ShouldQueue;
class P implements ShouldQueue { function handle() {} }
class M implements ShouldQueue {}
"""
_OBAN = "defmodule W do\n  use Oban.Worker, queue: :x\n  def perform(j), do: j\nend\n"
_CRON = """
const c = require("node-cron")
c.schedule("*/5 * * * *", run)
c.schedule("x", y)
"""
_ROBFIG = """package a
import "github.com/robfig/cron/v3"
func f() { c.AddFunc("@daily", clean) }
"""


@pytest.mark.parametrize(
    ("path", "text", "said", "expected"),
    [
        (
            "S.java",
            _SCHEDULED,
            "schedule",
            {"S.a": "0 0 * * * *", "S.b": "fixedRate 5"},
        ),
        ("j.rb", _JOBS, "function", {"J": "J.perform", "W": "W.perform"}),
        ("p.php", _QUEUED, "function", {"P": "P.handle"}),
        ("w.ex", _OBAN, "function", {"W": "W.perform"}),
        ("c.js", _CRON, "schedule", {"run": "*/5 * * * *"}),
        ("c.go", _ROBFIG, "schedule", {"clean": "@daily"}),
        ("S.java", 'class S { @Scheduled(cron = "0 * * * * *") void a() {} }', "", {}),
        ("j.rb", "class J < Job\n  def perform; end\nend\n", "", {}),
        ("c.js", 'c.schedule("*/5 * * * *", run)\n', "", {}),
    ],
)
def test_tasks(path: str, text: str, said: str, expected: dict[str, str]) -> None:
    assert facts_of("task", path, text, said) == expected
