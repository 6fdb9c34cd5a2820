"""The words of names: which tell topics from each other, and what they stand for."""

from __future__ import annotations

import re

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_LONGEST_WORD = 16


def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Of any code base: they name no topic.
GENERAL_WORDS = _split(
    """
    src lib libs main app apps core common base util utils utility utilities helper
    helpers misc shared internal internals impl implementation pkg package packages
    module modules mod index init types type typing defs def definitions interface
    interfaces abstract default defaults generic simple get set is has new test
    tests object objects class classes function functions method methods value
    values item items data info list to from of and the a an in on by with for as at
    or be it if not no i id ids name names java com org net io js ts py go cpp hpp c
    h cs rb include inc source sources code project python node web server v1 v2 do
    can all any this that use run make create add build string int bool str char
    void const static non pre
    post public private protected self none null true false async sync error exception
    warning have contains aux next need dev
    """
)
# File names that say no more than that others use the file.
SHARED_STEMS = _split(
    """
    util utils utility helper helpers common shared misc types typing constants
    consts compat exceptions errors logging log logger version config settings
    """
)
# Of these, files that declare what others work with and do nothing themselves.
DECLARING_STEMS = _split("types typing constants consts compat")
ACRONYMS = _split(
    """
    api cli http https url uri json xml html css sql csv yaml toml tcp udp dns ssl
    tls jwt oauth sso acl rbac ui ux gui db orm crud rpc grpc rest graphql llm ai ml
    nlp rag gpu cpu io os id uuid pdf ast dsl sdk ide jit gc vm ci cd aws gcp s3 ssh
    sse ftp sftp smtp imap mcp tts ffi wasm utf ascii regex usb midi hid led oled rgb
    lcd mime gcs ssg cors csrf ip dom jsx mqtt amqp ldap saml smb nfs xlsx wav gif
    asgi wsgi
    """
)
# Of any English text.
STOP_WORDS = _split(
    """
    about all also and any are because been both but can could does each for from had
    has have how into its just may more most not now off one only other our out over
    same should some such than that the their them then there these they this those
    too two under until use used uses using very was were what when where which while
    who will with would you your
    """
)
# Of the layers that a feature is written in: they cut across the features.
LAYER_WORDS = _split(
    """
    model models view views controller controllers service services router routers
    route routes handler handlers manager managers repository repositories schema
    schemas admin url urls api form forms serializer serializers dto entity entities
    factory factories builder provider providers adapter adapters command commands
    error errors exception exceptions page pages component components store client
    file files
    """
)
# Of many subjects: alone they name none.
VAGUE_WORDS = _split(
    """
    memory path paths content core dev mock system network data text context resource
    resources state input output script scripts process other
    """
)
# General words that tell something beside another: `type converter`, `class map`.
_COMPANIONS = _split(
    """
    class code data default file info item list module method object package project
    server source string type value web
    """
)
# Directories of a layer, for what all others use, and with a telling general name.
LAYER_FOLDERS = _split(
    """
    models views viewmodels services controllers repositories serializers forms schemas
    handlers routes routers dto dtos entities urls admin pages
    """
)
SHARED_FOLDERS = _split("util utils utility utilities helper helpers common shared")
FOLDER_TITLES = {
    "web": "Web interface",
    "ui": "User interface",
    "api": "API",
    "server": "Server",
    "cli": "Command line",
}
_MEANINGS = {
    "alloc": "memory allocation",
    "arg": "argument",
    "args": "arguments",
    "attr": "attributes",
    "attrs": "attributes",
    "auth": "authentication",
    "buf": "buffers",
    "builtin": "built-ins",
    "builtins": "built-ins",
    "cert": "certificates",
    "certs": "certificates",
    "cmd": "commands",
    "codegen": "code generation",
    "conf": "configuration",
    "config": "configuration",
    "configs": "configuration",
    "conn": "connections",
    "ctx": "context",
    "decl": "declarations",
    "deps": "dependencies",
    "diag": "diagnostics",
    "dir": "directory",
    "dirs": "directories",
    "dtoa": "decimal number conversion",
    "etag": "ETag",
    "db": "database",
    "dict": "dictionary",
    "env": "environment",
    "eval": "evaluation",
    "exec": "execution",
    "expr": "expressions",
    "ext": "extensions",
    "fmt": "formatting",
    "fs": "file system",
    "gen": "generation",
    "i18n": "internationalization",
    "inst": "instructions",
    "ioutil": "I/O helpers",
    "iter": "iterators",
    "l10n": "localization",
    "lang": "language",
    "langs": "languages",
    "lex": "lexer",
    "libm": "math functions",
    "mem": "memory",
    "memmap": "memory map",
    "mgr": "manager",
    "msg": "messages",
    "nav": "navigation",
    "opt": "options",
    "opts": "options",
    "param": "parameters",
    "params": "parameters",
    "perf": "performance",
    "perm": "permissions",
    "perms": "permissions",
    "pkgs": "packages",
    "pref": "preferences",
    "prefs": "preferences",
    "proc": "processes",
    "props": "properties",
    "regexp": "regular expressions",
    "repo": "repository",
    "repos": "repositories",
    "req": "requests",
    "sched": "scheduling",
    "setting": "settings",
    "spec": "specification",
    "specs": "specifications",
    "stat": "statistics",
    "stats": "statistics",
    "stmt": "statements",
    "sym": "symbols",
    "sync": "synchronization",
    "sys": "system",
    "termui": "terminal user interface",
    "tok": "tokens",
    "utf8": "UTF-8",
    "vars": "variables",
    "venv": "virtual environments",
}
# What is done, for titles of one word: `Parsing` rather than `Parse`.
_ACTIONS = {
    "allocate": "allocation",
    "animate": "animation",
    "bind": "binding",
    "cache": "caching",
    "collect": "collection",
    "compile": "compilation",
    "compress": "compression",
    "configure": "configuration",
    "connect": "connections",
    "convert": "conversion",
    "copy": "copying",
    "decode": "decoding",
    "delete": "deletion",
    "deploy": "deployment",
    "download": "downloads",
    "encode": "encoding",
    "encrypt": "encryption",
    "evaluate": "evaluation",
    "execute": "execution",
    "export": "export",
    "extract": "extraction",
    "generate": "generation",
    "inject": "injection",
    "inspect": "inspection",
    "install": "installation",
    "link": "linking",
    "load": "loading",
    "match": "matching",
    "merge": "merging",
    "optimize": "optimization",
    "parse": "parsing",
    "print": "printing",
    "read": "reading",
    "render": "rendering",
    "replace": "replacement",
    "resolve": "resolution",
    "serialize": "serialization",
    "serve": "serving",
    "sort": "sorting",
    "stream": "streaming",
    "transform": "transformation",
    "uninstall": "removal",
    "update": "updates",
    "upgrade": "upgrades",
    "validate": "validation",
    "write": "writing",
}
SPELT_OUT = frozenset(
    word
    for words in (*_MEANINGS.values(), *_ACTIONS.values())
    for word in re.findall("[a-z0-9]+", words.lower())
)


def split_name(name: str) -> list[str]:
    """Return the words of an identifier as they are written: `HTTPServer` has two."""
    return [word for word in _HUMP.split(name) if word]


def words_in(name: str) -> list[str]:
    """Return the words of an identifier in lower case, `I` of an interface apart."""
    words = [word.lower() for word in split_name(name)]
    return words[1:] if words[:1] == ["i"] else words


def words_of_name(name: str) -> list[str]:
    """Return the words of an identifier that tell what it is about, in lower case."""
    return [word for word in map(str.lower, split_name(name)) if is_telling(word)]


def is_telling(word: str) -> bool:
    """Return whether a word in lower case is not one of any code base."""
    is_word = 1 < len(word) <= _LONGEST_WORD and not word.isdigit()
    return is_word and word not in GENERAL_WORDS


def is_pair(one: str, other: str) -> bool:
    """Return whether two words in lower case tell something as a pair."""
    telling = [is_telling(one), is_telling(other)]
    known = [one in _COMPANIONS, other in _COMPANIONS]
    return any(telling) and all(map(max, telling, known))


def meaning_of(word: str) -> str:
    """Return what a usual abbreviation stands for, else the word."""
    return _MEANINGS.get(word, word)


def action_of(word: str) -> str:
    """Return the noun for what a verb does, else the word: `parsing` of `parse`."""
    return _ACTIONS.get(word, word)


def is_abbreviation(word: str) -> bool:
    """Return whether a word in lower case is short for others."""
    return word in _MEANINGS
