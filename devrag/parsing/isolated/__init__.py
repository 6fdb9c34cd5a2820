"""Parse files that strangers wrote, in a process of its own with limits.

A parser written in C cannot be interrupted and ends its process when memory runs out.
So parsing happens in a child process. When a file exceeds a limit or crashes the child,
only that file is affected: it is indexed as plain windows, with the reason.

`process` is what callers use. It is not imported here: each child would load it, which
takes a third of its start.
"""
