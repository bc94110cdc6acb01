"""What a statement is as a fact: its kind, its status, its subject, whom and what it names, and whether it is worth keeping."""
