"""Tools, resources and prompts for agents, thin over the same selectors and services.

`server` puts them together; `door` serves them over HTTP; `quick` and `bridge` over
standard input and output.
"""
