"""The application behind a real web server, for streams and clients that hang up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from django.core.asgi import get_asgi_application

from devrag.core.threads import with_closing_threads
from tests.waiting import wait_until


@contextmanager
def asgi_server(
    wrap: Callable[[Any], Any] = lambda application: application,
) -> Iterator[str]:
    """Serve pages and REST from committed rows; yield the server's address.

    wrap: returns what is served from Django's application.
    """
    config = uvicorn.Config(
        with_closing_threads(wrap(get_asgi_application())),
        host="localhost",
        port=0,
        lifespan="off",
        log_config=None,
        access_log=False,
    )
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, name="web")
    thread.start()
    try:
        wait_until(lambda: web.started, what="the web server's start")
        port = web.servers[0].sockets[0].getsockname()[1]
        yield f"http://localhost:{port}"
    finally:
        web.should_exit = True
        thread.join()
