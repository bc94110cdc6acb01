"""Claims: the names, numbers and denials by which one statement is checked against another."""
