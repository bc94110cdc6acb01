"""What the marks of a note say: its links and tags, and the properties above it."""
