"""The door for assistants: memory as MCP tools, over stdio and over HTTP."""
