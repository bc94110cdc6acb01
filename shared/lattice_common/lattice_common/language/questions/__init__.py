"""What a question asks for: a time, a value, a slot, a status, several statements, or the rest of the question before."""
