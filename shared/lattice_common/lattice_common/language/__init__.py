"""What knows a natural language: words as tables, each once (`tables`), and the rules over them (docs/architecture.md).

It knows the values of the domain, and nothing else of ours: no port, no store, no verb.
"""
