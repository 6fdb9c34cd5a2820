"""Manifests of many package managers, with what must not be read in them."""

from __future__ import annotations

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
