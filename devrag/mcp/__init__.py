"""Tools, resources and prompts for agents, thin over the same selectors and services.

`server` puts them together; `http_app` serves them over HTTP; `quick` and `bridge` over
standard input and output.
"""
