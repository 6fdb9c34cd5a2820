"""Where code leaves the process: network, database, files, other processes, queues.

Told by what is called: the modules of standard libraries and of the clients that are
widely used, and methods whose receiver has a telling name. A method of an object that
its class made by such a client counts, too: `self._pool.request()`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.file_lines import FileLines
from devrag.wiki.analysis.survey import SurveyReference, SurveySymbol, Texts

NETWORK, DATABASE, FILE = "network", "database", "file"
PROCESS, QUEUE = "process", "queue"
STREAM = "stream"  # that the caller gave: it may be any of them
KINDS = (NETWORK, DATABASE, QUEUE, PROCESS, FILE, STREAM)


@dataclass(frozen=True, slots=True)
class Boundary:
    """A call that leaves the process. system: what is called, as people name it."""

    kind: str
    system: str
    call: str
    line: int


def _modules(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Beginnings of a called name with dots for every separator, by language and kind.
_PYTHON = {
    NETWORK: _modules(
        "socket ssl http.client urllib.request urllib3 requests httpx httpcore "
        "aiohttp websockets websocket smtplib imaplib ftplib poplib telnetlib "
        "xmlrpc grpc paramiko boto3 botocore openai anthropic uvicorn "
        "asyncio.open_connection asyncio.start_server anyio.connect_tcp"
    ),
    DATABASE: _modules(
        "sqlite3 psycopg psycopg2 psycopg_pool asyncpg pymysql MySQLdb mysql "
        "sqlalchemy pymongo motor redis valkey duckdb peewee neo4j cassandra "
        "elasticsearch chromadb lancedb qdrant_client aiosqlite"
    ),
    QUEUE: _modules("pika kafka confluent_kafka aiokafka kombu nats rq dramatiq"),
    PROCESS: _modules(
        "subprocess os.system os.popen os.execv os.execve os.execvp os.execvpe "
        "os.execl os.fork os.spawnv os.posix_spawn multiprocessing.Process "
        "asyncio.create_subprocess_exec asyncio.create_subprocess_shell pty.spawn"
    ),
    FILE: _modules(
        "open io.open shutil tempfile zipfile.ZipFile tarfile.open gzip.open "
        "os.open os.remove os.unlink os.rename os.replace os.makedirs os.mkdir "
        "os.rmdir os.walk os.listdir os.scandir os.symlink os.link "
        "pathlib.Path.open pathlib.Path.read_text pathlib.Path.read_bytes "
        "pathlib.Path.write_text pathlib.Path.write_bytes pathlib.Path.unlink "
        "pathlib.Path.mkdir pathlib.Path.rename pathlib.Path.replace "
        "pathlib.Path.symlink_to pathlib.Path.rmdir pathlib.Path.iterdir "
        "pathlib.Path.glob pathlib.Path.rglob aiofiles soundfile pandas.read_csv "
        "pandas.read_parquet"
    ),
}
_GO = {
    NETWORK: _modules(
        "net.Dial net.DialTimeout net.Listen net.http http.Get http.Post http.Do "
        "http.ListenAndServe http.NewRequest http.DefaultClient grpc.Dial "
        "grpc.NewServer websocket.Dial smtp.SendMail tls.Dial"
    ),
    DATABASE: _modules("sql.Open database.sql gorm.Open redis.NewClient bolt.Open"),
    QUEUE: _modules("amqp.Dial nats.Connect kafka.NewReader kafka.NewWriter sarama"),
    PROCESS: _modules("exec.Command exec.CommandContext os.StartProcess syscall.Exec"),
    FILE: _modules(
        "os.Open os.OpenFile os.Create os.ReadFile os.WriteFile os.Remove "
        "os.RemoveAll os.Rename os.Mkdir os.MkdirAll os.ReadDir os.Stat os.Lstat "
        "os.Symlink os.CreateTemp ioutil.ReadFile ioutil.WriteFile ioutil.ReadDir "
        "os.Chmod"
    ),
}
_SCRIPT = {
    NETWORK: _modules(
        "fetch axios got undici http.request https.request http.createServer "
        "https.createServer http2.createServer net.connect net.createServer "
        "node:http node:https node:net ws.WebSocket WebSocket XMLHttpRequest "
        "navigator.sendBeacon Deno.serve Deno.connect Bun.serve createServer"
    ),
    DATABASE: _modules("pg mysql mysql2 mongoose mongodb redis ioredis better-sqlite3"),
    QUEUE: _modules("amqplib kafkajs bullmq nats"),
    PROCESS: _modules("child_process node:child_process execa Deno.Command Bun.spawn"),
    FILE: _modules(
        "fs node:fs fs/promises node:fs/promises fs.promises fs-extra Deno.open "
        "Deno.readFile Deno.writeFile Deno.readTextFile Deno.lstat Bun.file "
        "Bun.write localStorage"
    ),
}
_JAVA = {
    NETWORK: _modules(
        "java.net.Socket java.net.ServerSocket java.net.URL java.net.http "
        "HttpClient okhttp3 RestTemplate WebClient Socket ServerSocket"
    ),
    DATABASE: _modules(
        "java.sql.DriverManager java.sql.Connection java.sql.Statement javax.sql "
        "java.sql.PreparedStatement DriverManager javax.persistence.EntityManager "
        "jakarta.persistence.EntityManager"
    ),
    QUEUE: _modules("org.apache.kafka com.rabbitmq javax.jms KafkaTemplate"),
    PROCESS: _modules("ProcessBuilder java.lang.ProcessBuilder Runtime.getRuntime"),
    FILE: _modules(
        "java.nio.file.Files Files java.io.FileReader java.io.FileWriter FileReader "
        "FileWriter FileInputStream FileOutputStream java.io.FileInputStream "
        "java.io.FileOutputStream"
    ),
    STREAM: _modules(
        "java.io.Reader.read java.io.Writer.write java.io.InputStream.read "
        "java.io.OutputStream.write Reader.read Writer.write Writer.append"
    ),
}
_CSHARP = {
    NETWORK: _modules("HttpClient System.Net TcpClient Socket WebRequest"),
    DATABASE: _modules("SqlConnection NpgsqlConnection SqliteConnection DbContext"),
    QUEUE: _modules("ServiceBusClient ConnectionFactory ProducerBuilder"),
    PROCESS: _modules("Process.Start System.Diagnostics.Process"),
    FILE: _modules("File System.IO.File Directory System.IO.Directory FileStream"),
    STREAM: _modules(
        "TextReader.Read TextWriter.Write System.IO.TextReader System.IO.TextWriter "
        "StreamReader StreamWriter System.IO.StreamReader System.IO.StreamWriter"
    ),
}
_RUST = {
    NETWORK: _modules(
        "std.net tokio.net reqwest hyper TcpStream.connect TcpListener.bind"
    ),
    DATABASE: _modules("sqlx diesel rusqlite redis mongodb"),
    QUEUE: _modules("lapin rdkafka async_nats"),
    PROCESS: _modules("std.process.Command Command.new tokio.process.Command"),
    FILE: _modules(
        "std.fs fs.read fs.write fs.read_to_string fs.create_dir_all fs.remove_file "
        "File.open File.create tokio.fs OpenOptions.new"
    ),
}
_C = {
    NETWORK: _modules(
        "socket connect bind listen accept send recv sendto recvfrom sendmsg "
        "recvmsg getaddrinfo curl_easy_perform SSL_read SSL_write"
    ),
    DATABASE: _modules("sqlite3_open sqlite3_exec sqlite3_step PQexec mysql_query"),
    QUEUE: _modules("mq_send mq_receive"),
    PROCESS: _modules("fork execv execve execvp execlp posix_spawn popen system"),
    FILE: _modules(
        "fopen freopen fread fwrite fgets fgetc getc getline open read write pread "
        "pwrite openat unlink rename mkdir opendir readdir mmap"
    ),
}
_OTHER = {
    NETWORK: _modules("Net.HTTP curl_exec Faraday fsockopen URLSession.shared"),
    DATABASE: _modules("PDO mysqli ActiveRecord.Base"),
    PROCESS: _modules("Open3 proc_open shell_exec exec system Process.spawn"),
    FILE: _modules("File FileUtils Dir IO file_get_contents file_put_contents fopen"),
}
_BY_LANGUAGE: Mapping[str, Mapping[str, frozenset[str]]] = {
    "python": _PYTHON,
    "go": _GO,
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "java": _JAVA,
    "kotlin": _JAVA,
    "csharp": _CSHARP,
    "rust": _RUST,
    "c": _C,
    "cpp": _C,
}
# What a receiver is called and what is called on it, where its type is unknown.
_METHODS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        DATABASE,
        re.compile(
            r"(^|\.|_)(cursor|conn|connection|session|db|database|engine|tx|stmt|pool"
            r"|entity_?manager|jdbc_?template|repository|collection)(\(\))?"
            r"\.(execute(many|_sql)?|query(row|context|_row)?|exec(context)?|commit"
            r"|fetch(one|all|val|row)?|scalars?|find_one|insert_one|insert_many|persist"
            r"|savechanges|aggregate)$",
            re.IGNORECASE,
        ),
    ),
    (
        DATABASE,
        re.compile(
            r"\.objects\.(get|filter|create|all|update_or_create|get_or_create"
            r"|bulk_create|exclude|values_list|aggregate)$"
        ),
    ),
    (QUEUE, re.compile(r"\.(apply_async|send_task|basic_publish|sendToQueue)$")),
    (
        NETWORK,
        re.compile(
            r"(^|\.|_)(http_?client|http|sock(et)?|websocket|ws|requests_session)(\(\))?"
            r"\.(get|post|put|patch|delete|request|send|sendall|recv|connect|stream"
            r"|send_json|receive_json|send_text|do)$",
            re.IGNORECASE,
        ),
    ),
    (FILE, re.compile(r"(read_text|write_text|read_bytes|write_bytes)$")),
)
_STREAM = re.compile(
    r"(^|\.)_?(in|out|reader|writer|input|output|stream|text_?reader|text_?writer"
    r"|(in|out)put_?stream)\.(read|write|read_?line|append|flush_?buffer|read_?async"
    r"|write_?async|read_?block)$",
    re.IGNORECASE,
)
_STREAMED = {"java", "kotlin", "csharp"}
_SEPARATORS = re.compile(r"(?<!node)(?:::?|->|/)")
# What such modules have besides: values, names of errors, questions about the machine.
_PURE = re.compile(
    r"\.(ssl\.|Timeout|Limits|URL|Request|Response|Headers|join|quote|unquote|urlencode"
    r"|status_codes|exceptions?|errors?|\w*(Error|Exception|Config|Options)|which"
    r"|get_terminal_size|gettempdir|getproxies|parse_http_list|Subprotocol|isatty"
    r"|items|keys|values|copy_with)\b"
)
_IN_MEMORY = re.compile(
    r"\s*(?:new )?(?:[\w.]+\.)?(?:BytesIO|StringIO|StringReader|StringWriter"
    r"|MemoryStream|ByteArray(?:Input|Output)Stream|Buffer)\("
    r"|\s*(?:strings\.NewReader|bytes\.New(?:Reader|Buffer|BufferString))\("
    r"|\s*(?:[\w.]+\.)?(?i:\w*(?:buffer|buf|bytes_io|string_io))\s*[,)]"
)
# There the first argument is where to read to: `fgets(buf, size, file)`.
_FILLING_BUFFERS = {"c", "cpp"}
_GIVEN = re.compile(r"\s*(\w+)\s*[,)]")
_LINES_ABOVE = 12
_ATTRIBUTE = re.compile(r"^(?:self|this|cls)\.(\w+)\.\w+$")


def called_kind(name: str, language: str) -> str:
    """Return the kind of boundary that a call of this full name crosses, or ''."""
    plain = _SEPARATORS.sub(".", name)
    if _PURE.search(f".{plain}"):
        return ""
    known = _BY_LANGUAGE.get(language, _OTHER)
    pieces = plain.split(".")
    heads = {".".join(pieces[:n]) for n in range(1, len(pieces) + 1)}
    for kind in KINDS:
        if heads & known.get(kind, frozenset()):
            return kind
    if language in _STREAMED and _STREAM.search(plain):
        return STREAM
    return next((kind for kind, form in _METHODS if form.search(plain)), "")


def is_in_memory(arguments: str) -> bool:
    """Return whether the first of the arguments is a buffer: `BytesIO(data))`.

    What wraps a reader, such as `bufio.NewReader(file)`, is as much a file as that is.
    """
    return _IN_MEMORY.match(arguments) is not None


class Boundaries:
    """Finds the calls that leave the process, by the symbol that they stand in."""

    def __init__(
        self,
        symbols: Mapping[int, SurveySymbol],
        languages: Mapping[int, str],
        texts: Texts,
        own_modules: frozenset[str] = frozenset(),
    ) -> None:
        """languages: file → language. own_modules: the product's, not called out of."""
        self._symbols = symbols
        self._own = own_modules
        self._languages = languages
        self._lines = FileLines(texts)

    def of(
        self, references: Iterable[SurveyReference], inside: frozenset[tuple[int, int]]
    ) -> dict[int, Boundary]:
        """Return symbol → the most telling call by which it leaves the process.

        inside: (symbol, line) of calls that are known to stay inside the product.
        """
        open_calls = [
            r
            for r in references
            if r.kind == "call" and r.symbol and (r.symbol, r.line) not in inside
        ]
        held = self._attributes(open_calls)
        found: dict[int, list[Boundary]] = defaultdict(list)
        for reference in open_calls:
            boundary = self._direct(reference) or self._held(reference, held)
            if boundary is not None and reference.symbol is not None:
                found[reference.symbol].append(boundary)
        return {symbol: _most_telling(each) for symbol, each in found.items()}

    def _direct(self, reference: SurveyReference) -> Boundary | None:
        name = reference.target or reference.name
        kind = called_kind(name, self._languages[reference.file])
        is_own = reference.via in {"file", "member", "super"}
        if not kind or is_own or _system(name) in self._own:
            return None
        fills_buffers = self._languages[reference.file] in _FILLING_BUFFERS
        if kind == FILE and not fills_buffers and self._is_in_memory(reference):
            return None
        return Boundary(kind, _system(name), reference.name, reference.line)

    def _is_in_memory(self, reference: SurveyReference) -> bool:
        """Return whether a buffer is read or written: `read_csv(BytesIO(x))`."""
        lines = self._lines.of(reference.file)
        called = reference.name.rpartition(".")[2]
        text = " ".join(lines[reference.line - 1 : reference.line + 1])
        _, _, arguments = text.partition(f"{called}(")
        if given := _GIVEN.match(arguments):
            made = re.compile(rf"\b{given.group(1)}\b[^=]*=(?!=)\s*(.*)")
            above = lines[max(0, reference.line - _LINES_ABOVE) : reference.line - 1]
            found = filter(None, map(made.search, reversed(above)))
            arguments = next((match.group(1) for match in found), arguments)
        return is_in_memory(arguments)

    def _held(
        self,
        reference: SurveyReference,
        held: Mapping[tuple[int, str], tuple[str, str]],
    ) -> Boundary | None:
        match = _ATTRIBUTE.match(reference.name)
        owner = self._symbols[reference.symbol or 0].parent
        if match is None or owner is None:
            return None
        known = held.get((owner, match.group(1)))
        if known is None or match.group(0).rpartition(".")[2].startswith("__"):
            return None
        return Boundary(known[0], known[1], reference.name, reference.line)

    def _attributes(
        self, references: Sequence[SurveyReference]
    ) -> dict[tuple[int, str], tuple[str, str]]:
        """Return (class, attribute) → kind and system of the client that it holds."""
        found: dict[tuple[int, str], tuple[str, str]] = {}
        for reference in references:
            symbol = self._symbols[reference.symbol or 0]
            boundary = self._direct(reference)
            if (
                boundary is None
                or boundary.kind in {FILE, STREAM}
                or symbol.parent is None
            ):
                continue
            lines = self._lines.of(reference.file)
            line = lines[reference.line - 1] if reference.line <= len(lines) else ""
            if match := re.search(r"(?:self|this)\.(\w+)\s*(?::[^=]+)?=[^=]", line):
                key = symbol.parent, match.group(1)
                found.setdefault(key, (boundary.kind, boundary.system))
        return found


def _system(name: str) -> str:
    """Return the package or module of a called name."""
    pieces = [p for p in _SEPARATORS.sub(".", name).split(".") if p]
    return pieces[0] if pieces else name


def _most_telling(found: Sequence[Boundary]) -> Boundary:
    return min(found, key=lambda b: (KINDS.index(b.kind), b.line))
