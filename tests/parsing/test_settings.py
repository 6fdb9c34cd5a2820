from __future__ import annotations

import pytest

from .cases import facts_of

_JS = """
const a = process.env.A ?? "d"
process.env["B"] || 1
process.env.SET = 1
delete process.env.GONE
const { C, D = "x", E: e, ...rest } = process.env
use(import.meta.env.VITE_F, env.G, process.env[name])
"""
_RUST = """
use std::env;
fn f() {
    env::var("A").unwrap_or("x".into());
    std::env::var("B").unwrap_or_else(|_| "c:d".to_string());
    env!("C"); env!("CARGO_PKG_NAME"); var("N"); config.var("M");
}
"""
_RUBY = """
ENV["A"] || "http://x"
ENV.fetch("B", 1)
ENV.fetch("C") { 3 }
ENV["S"] = 2
ENV["E"] || ""
"""
_PHP = """<?php
getenv("A") ?: "d"; env("B_C", 1); env("no"); $_ENV["E"] ?? 2; $_ENV["S"] = 1;
getenv("T") ? 1 : true;
"""
_FLAGS = """package a
import ("flag"; "github.com/spf13/pflag"; "github.com/spf13/viper")
func f() {
  flag.String("name", "x", "The name.")
  pflag.StringVarP(&dir, "data-dir", "d", "", "The folder.")
  cmd.Flags().IntVar(&port, "port", 8081, "The port.")
  cmd.PersistentFlags().BoolP("quiet", "q", false, "Say less.")
  viper.SetEnvPrefix("shop"); viper.AutomaticEnv()
  viper.GetInt("port"); viper.GetString("data-dir"); viper.GetInt("a.b")
  log.String("none", "x", "y"); flag.String(name, "x", "y")
}
"""
_BASH = """#!/bin/bash
: "${A:=1}"
B=${B:-http://b}
SET=3
echo ${SET:-4} ${D:-"x"} ${lower:-1} ${E:?needed} ${BASH_SOURCE:-} $PLAIN
for F in 1; do echo ${F:-1}; done
read G
echo ${G:-1}
"""
_JAVA = """
import org.springframework.beans.factory.annotation.Value;
class A {
  @Value("${a.b:c}") String x;
  void f() { System.getenv("X"); System.getenv().getOrDefault("Y", "z"); env.get("N"); }
}
"""
_KOTLIN = """
import org.springframework.beans.factory.annotation.Value
class A(@Value("\\${x.y:z}") val a: String) { val b = System.getenv("B") ?: "c" }
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a.ts",
            _JS,
            {"A": "d", "B": "1", "C": "", "D": "x", "E": "", "VITE_F": ""},
        ),
        (
            "a.py",
            'import os\nos.getenv("A", "x")\nos.environ.get("B", f"{C}")\n',
            {"A": "x", "B": 'f"{C}"'},
        ),
        (
            "a.go",
            'package a\nimport "os"\nfunc f() { os.Getenv("A"); os.LookupEnv(`B`) }\n',
            {"A": "", "B": ""},
        ),
        (
            "a.go",
            _FLAGS,
            {
                "--name": "x",
                "--data-dir": "",
                "--port": "8081",
                "--quiet": "false",
                "SHOP_PORT": "8081",
            },
        ),
        ("a.rs", _RUST, {"A": '"x".into()', "B": '"c:d".to_string()', "C": ""}),
        (
            "a.rb",
            _RUBY,
            {"A": "http://x", "B": "1", "C": "3", "E": '""'},
        ),
        (
            "a.php",
            _PHP,
            {"A": "d", "B_C": "1", "E": "2", "T": "true"},
        ),
        ("A.java", _JAVA, {"X": "", "Y": "z", "a.b": "c"}),
        ("A.kt", _KOTLIN, {"B": "c", "x.y": "z"}),
        (
            "A.cs",
            'class A { void F() { Environment.GetEnvironmentVariable("X") ?? "y"; } }',
            {"X": "y"},
        ),
        (
            "A.scala",
            'object A { sys.env("X"); sys.env.getOrElse("Y", "d"); sys.env.get("Z") }',
            {"X": "", "Y": "d", "Z": ""},
        ),
        (
            "A.swift",
            'ProcessInfo.processInfo.environment["X"] ?? "d"\nlet y = other["Y"]\n',
            {"X": "d"},
        ),
        (
            "a.ex",
            'def a, do: System.get_env("X", "d")\ndef b, do: System.fetch_env!("Y")\n',
            {"X": "d", "Y": ""},
        ),
        ("a.lua", 'local x = os.getenv("X") or "d"\n', {"X": "d"}),
        ("a.c", 'void f(void) { char *x = getenv("X"); getenv(name); }\n', {"X": ""}),
        ("a.cpp", 'void f() { auto x = std::getenv("X"); }\n', {"X": ""}),
        ("a.sh", _BASH, {"A": "1", "B": "http://b", "D": "x", "E": ""}),
    ],
)
def test_settings(path: str, text: str, expected: dict[str, str]) -> None:
    assert facts_of("setting", path, text, "default") == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.js", 'process.on("exit", f)\nenv.X\nconfig.env.Y\n'),
        ("a.go", 'package a\nfunc f() { os.Setenv("A", "b"); conf.Getenv("B") }\n'),
        ("a.rb", 'CONFIG["A"]\nENV.key?("B")\n'),
        (
            "A.java",
            'class A { @Value("${a.b}") String x; void f() { getenv("X"); } }\n',
        ),
        ("a.lua", 'local x = io.getenv("X")\n'),
    ],
)
def test_what_only_looks_like_a_setting_is_none(path: str, text: str) -> None:
    assert facts_of("setting", path, text) == {}
