"""The ports on servers: OpenSearch, Qdrant, Redis, and the graph service."""
