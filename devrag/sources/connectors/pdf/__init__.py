"""PDF documents on this machine."""

from __future__ import annotations

from devrag.sources.connectors.pdf.connector import PdfConnector

__all__ = ["PdfConnector"]
