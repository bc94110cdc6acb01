"""What the API answers, once: the client, MCP and the OpenAPI document have their shapes from here.

Typed dictionaries, for that is what JSON is to whoever reads it; docstrings are the descriptions of the document, and of
`docs/api.md`. Nothing here is needed to run a client: it imports these modules for its types only.
"""
