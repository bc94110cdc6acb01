"""The routes, one file a tag."""
