"""Personal data: finders for each kind, what is replaced by tags, and what no log may contain."""
