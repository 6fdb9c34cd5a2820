"""Words that tell topics little from each other, and how acronyms are spelt."""

from __future__ import annotations


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
    void const static public private protected self none null true false async sync
    """
)
# File names that say no more than that others use the file.
SHARED_STEMS = _split(
    """
    util utils utility helper helpers common shared misc types typing constants
    consts compat exceptions errors logging log logger version config settings
    """
)
ACRONYMS = _split(
    """
    api cli http https url uri json xml html css sql csv yaml toml tcp udp dns ssl
    tls jwt oauth sso acl rbac ui ux gui db orm crud rpc grpc rest graphql llm ai ml
    nlp rag gpu cpu io os id uuid pdf ast dsl sdk ide jit gc vm ci cd aws gcp s3 ssh
    ftp smtp imap mcp tts ffi wasm utf ascii regex usb midi hid led oled rgb lcd
    """
)
