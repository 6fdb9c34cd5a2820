"""Dependencies, commands and licences, each on its own line."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file

from .cases import short

GO_MOD = """module example.org/shop

go 1.22

require example.org/single v1.0.0
require (
\tgithub.com/gin-gonic/gin v1.9.1
\tgolang.org/x/sys v0.1.0 // indirect
)
replace github.com/gin-gonic/gin => ../gin
replace (
\texample.org/old v1.0.0 => example.org/new v1.0.0
)
"""
CARGO = """[package]
name = "shop"
license = "MIT OR Apache-2.0"
[[bin]]
name = "shopd"
path = "src/daemon.rs"
[dependencies]
serde = { version = "1", features = ["derive"] }
rand = "0.8"
json = { package = "serde_json", version = "1", optional = true }
local = { path = "../local" }
[dev-dependencies]
rand = "0.9"
[dependencies.tokio]
version = "1"
features = ["full"]
[target.'cfg(unix)'.dependencies]
libc = "0.2"
[build-dependencies]
cc = "1"
"""
POM = """<?xml version="1.0" encoding="ISO-8859-1"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.acme</groupId><artifactId>base</artifactId>
    <version>7</version></parent>
  <properties><junit.version>5.1</junit.version></properties>
  <dependencies>
    <dependency>
      <groupId>${project.groupId}</groupId>
      <artifactId>core</artifactId>
      <version>${project.version}</version>
    </dependency>
    <dependency>
      <groupId>org.junit</groupId><artifactId>junit</artifactId>
      <version>${junit.version}</version><scope>test</scope>
      <exclusions><exclusion><groupId>no</groupId></exclusion></exclusions>
    </dependency>
    <dependency><groupId>${elsewhere}</groupId><artifactId>x</artifactId></dependency>
  </dependencies>
  <build><plugins><plugin><groupId>p</groupId><artifactId>p</artifactId>
    <dependencies><dependency><groupId>q</groupId><artifactId>q</artifactId>
    </dependency></dependencies></plugin></plugins></build>
</project>
"""
GRADLE = """buildscript { dependencies { classpath 'a.b:plugin:1' } }
// implementation 'no:comment:1'
dependencies {
    implementation 'g:a:1.0'
    api("g:b")
    testImplementation("g:c:2") { exclude group: 'no', module: 'no' }
    implementation group: 'g', name: 'd', version: '3'
    implementation(platform("g:bom:4"))
    implementation project(':core')
    implementation libs.foo
    runtimeOnly "g:e:$version"
    /* api 'no:block:1' */
    implementation(
        "g:f:5"
    )
}
tasks.register("x") { implementation("no:task:1") }
"""
CATALOGUE = """[versions]
okio = "3.1"
[libraries]
okio = { module = "com.squareup:okio", version.ref = "okio" }
junit = "junit:junit:4.13"
ktor = { group = "io.ktor", name = "ktor", version = "2" }
[plugins]
kotlin = { id = "no", version = "1" }
"""
GEMFILE = """source "https://rubygems.org"
gem "rails", "~> 7.0", ">= 7.0.1"
# gem "no"
group :development, :test do
  gem "rspec", require: false
  if RUBY_VERSION > "3"
    gem "debug"
  end
end
gem "puma", group: :production
gem name
gem "x-#{y}"
"""
GEMSPEC = """Gem::Specification.new do |spec|
  spec.name = "shop"
  spec.license = "MIT"
  spec.executables = %w[shop shopd]
  spec.add_dependency "rack", ">= 2"
  spec.add_development_dependency("minitest")
end
"""
COMPOSER = """{
  "license": ["MIT", "proprietary"],
  "require": {"php": ">=8", "ext-json": "*", "monolog/monolog": "^3"},
  "require-dev": {
    "phpunit/phpunit": "^10"
  },
  "bin": ["bin/shop"],
  "scripts": {"test": ["@lint", "phpunit"]}
}
"""
PACKAGE = """{
  "name": "@acme/shop",
  "license": "SEE LICENSE IN LICENSE.txt",
  "bin": "./cli.js",
  "main": "lib/index.js", "engines": {"node": ">=20"},
  "peerDependencies": {
    "react": ">=17"
  },
  "devDependencies": {
    "react": "18"
  }
}
"""
PYPROJECT = """[project]
license = {text = "MIT"}
dependencies = ["a>=1", "b @ https://me:secret@host/b.zip ; python_version > '3'"]
[project.optional-dependencies]
dev = ["c[x]~=2"]
[dependency-groups]
dev = ["d", {include-group = "lint"}]
[tool.poetry.dependencies]
python = "^3.11"
e = "^1"
f = {version = "2", optional = true}
[tool.poetry.group.docs.dependencies]
g = {git = "https://host/g.git"}
[tool.poetry.scripts]
shop = "shop.cli:main"
"""
REQUIREMENTS = """-r base.txt
-e git+https://host/x.git#egg=x
--hash=sha256:no
https://host/wheel.whl
./local
local.whl
a==1 --hash=sha256:0 \\
    --hash=sha256:1
b[x] >= 2 ; python_version < "3"  # note
c @ git+https://me:secret@host/c.git
"""
SETUP_CFG = """[metadata]
license = BSD-3-Clause
[options]
install_requires =
    a>=1
    # b
    c; python_version > "3"
[options.extras_require]
docs = sphinx
[options.entry_points]
console_scripts =
    shop = shop.cli:main
"""
CSPROJ = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><PackageLicenseExpression>MIT</PackageLicenseExpression>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Dapper" Version="2.1" />
    <PackageReference Include="Analyzer"><Version>1</Version>
      <PrivateAssets>all</PrivateAssets></PackageReference>
    <PackageReference Update="No" Version="1" />
    <ProjectReference Include="../Core/Core.csproj" />
  </ItemGroup>
</Project>
"""
MIX = """defmodule Shop.MixProject do
  def project, do: [app: :shop, deps: deps()]
  def application, do: [mod: {Shop, []}]
  defp deps do
    [
      {:plug, "~> 1.14"},
      # {:no, "1"},
      {:ex_doc, "~> 0.2", only: [:dev, :test], runtime: false},
      {:local, path: "../local"}
    ]
  end
  defp other, do: [{:no, "1"}]
end
"""
SWIFT = """import PackageDescription
let package = Package(name: "Shop", dependencies: [
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.0.0"),
    // .package(url: "https://no/no.git", from: "1.0.0"),
    .package(path: "../Local"),
])
"""
SBT = """libraryDependencies += "org.typelevel" %% "cats-core" % "2.9"
// "no" % "no" % "1"
libraryDependencies += "org.scalatest" %% "scalatest" % "3" % Test
addSbtPlugin("org.x" % "sbt-x" % "1")
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "go.mod",
            GO_MOD,
            [
                "3 dependency go 1.22 platform",
                "5 dependency example.org/single go v1.0.0",
                "7 dependency github.com/gin-gonic/gin go v1.9.1",
                "8 dependency golang.org/x/sys go v0.1.0 indirect",
            ],
        ),
        (
            "Cargo.toml",
            CARGO,
            [
                "3 licence MIT OR Apache-2.0",
                "4 entry_point shopd console_script src/daemon.rs",
                "8 dependency serde cargo 1",
                "9 dependency rand cargo 0.8",
                "10 dependency serde_json cargo 1 optional",
                "11 dependency local cargo",
                "13 dependency rand cargo 0.9 dev",
                "14 dependency tokio cargo 1",
                "18 dependency libc cargo 0.2",
                "20 dependency cc cargo 1 build",
            ],
        ),
        (
            "pom.xml",
            POM,
            [
                "3 dependency org.acme:base maven 7 parent",
                "7 dependency org.acme:core maven 7",
                "12 dependency org.junit:junit maven 5.1 test",
            ],
        ),
        (
            "app/build.gradle",
            GRADLE,
            [
                "1 dependency a.b:plugin gradle 1 build",
                "4 dependency g:a gradle 1.0",
                "5 dependency g:b gradle",
                "6 dependency g:c gradle 2 test",
                "7 dependency g:d gradle 3",
                "8 dependency g:bom gradle 4",
                "11 dependency g:e gradle $version runtime",
                "13 dependency g:f gradle 5",
            ],
        ),
        (
            "gradle/libs.versions.toml",
            CATALOGUE,
            [
                "4 dependency com.squareup:okio gradle 3.1 catalogue",
                "5 dependency junit:junit gradle 4.13 catalogue",
                "6 dependency io.ktor:ktor gradle 2 catalogue",
            ],
        ),
        (
            "Gemfile",
            GEMFILE,
            [
                "2 dependency rails bundler ~> 7.0, >= 7.0.1",
                "5 dependency rspec bundler dev, test",
                "7 dependency debug bundler dev, test",
                "10 dependency puma bundler production",
            ],
        ),
        (
            "shop.gemspec",
            GEMSPEC,
            [
                "3 licence MIT",
                "4 entry_point shop console_script",
                "4 entry_point shopd console_script",
                "5 dependency rack bundler >= 2",
                "6 dependency minitest bundler dev",
            ],
        ),
        (
            "composer.json",
            COMPOSER,
            [
                "2 licence MIT",
                "3 dependency php >=8 platform",
                "3 dependency ext-json * platform",
                "3 dependency monolog/monolog composer ^3",
                "5 dependency phpunit/phpunit composer ^10 dev",
                "7 entry_point shop console_script bin/shop",
                "8 command test composer @lint && phpunit",
            ],
        ),
        (
            "package.json",
            PACKAGE,
            [
                "4 entry_point shop console_script ./cli.js",
                "5 dependency node >=20 platform",
                "5 entry_point lib/index.js library lib/index.js",
                "7 dependency react npm >=17 peer",
                "10 dependency react npm 18 dev",
            ],
        ),
        (
            "pyproject.toml",
            PYPROJECT,
            [
                "2 licence MIT",
                "3 dependency a pip >=1",
                "3 dependency b pip @ https://host/b.zip",
                "5 dependency c pip ~=2 dev",
                "7 dependency d pip dev",
                "10 dependency e pip ^1",
                "11 dependency f pip 2 optional",
                "13 dependency g pip docs",
                "15 entry_point shop console_script shop.cli:main",
            ],
        ),
        (
            "requirements.txt",
            REQUIREMENTS,
            [
                "7 dependency a pip ==1 requirements",
                "9 dependency b pip >= 2 requirements",
                "10 dependency c pip @ git+https://host/c.git requirements",
            ],
        ),
        (
            "setup.cfg",
            SETUP_CFG,
            [
                "2 licence BSD-3-Clause",
                "5 dependency a pip >=1",
                "7 dependency c pip",
                "9 dependency sphinx pip docs",
                "12 entry_point shop console_script shop.cli:main",
            ],
        ),
        (
            "src/Shop.csproj",
            CSPROJ,
            [
                "2 licence MIT",
                "5 dependency Dapper nuget 2.1",
                "6 dependency Analyzer nuget 1 dev",
            ],
        ),
        (
            "mix.exs",
            MIX,
            [
                "6 dependency plug hex ~> 1.14",
                "8 dependency ex_doc hex ~> 0.2 dev, test",
                "9 dependency local hex",
            ],
        ),
        (
            "Package.swift",
            SWIFT,
            ['3 dependency swift-nio swift from: "2.0.0"'],
        ),
        (
            "build.sbt",
            SBT,
            [
                "1 dependency org.typelevel:cats-core sbt 2.9",
                "3 dependency org.scalatest:scalatest sbt 3 test",
                "4 dependency org.x:sbt-x sbt 1 build",
            ],
        ),
        (
            "pyproject.toml",
            '[project]\nrequires-python = ">=3.11"\n',
            ["2 dependency python >=3.11 platform"],
        ),
        (
            "Cargo.toml",
            '[package]\nrust-version = "1.80"\n',
            ["2 dependency rust 1.80 platform"],
        ),
    ],
)
def test_a_manifest_gives_what_it_asks_for(
    path: str, text: str, expected: list[str]
) -> None:
    found = parse_file(path, text)
    assert [short(fact) for fact in found.facts] == expected
    assert found.warnings == ()
