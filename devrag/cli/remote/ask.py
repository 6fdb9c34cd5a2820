"""Ask another devrag."""

from __future__ import annotations

from devrag.cli.interfaces import Document, Question, ShowEvent
from devrag.cli.remote.connection import Connection
from devrag.core.errors import ServiceError


def ask(server: Connection, question: Question, show: ShowEvent | None) -> Document:
    """Return the answer to a question; show: told what happens until then."""
    body = {
        "question": question.text,
        "productNames": list(question.products),
        "sourceName": question.source,
        "path": question.path,
        "mode": question.mode,
    }
    if show is None:
        answer: Document = server.post("/ask", body)
        return answer
    for name, document in server.stream("/ask", body):
        if name == "done":
            return dict(document)
        show(name, document)
    raise ServiceError(
        f"{server.url} closed the connection before the answer was complete. Ask again."
    )
