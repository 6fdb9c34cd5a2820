"""Office documents to Markdown: a program of its own, started by `office_text.py`.

It needs nothing but the standard library: a zip archive (archive.py) of XML parts
(markup.py, package.py), and a module for each kind of document, which yields Markdown
block by block.
"""
