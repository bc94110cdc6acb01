"""What words are meant for: to be remembered, answered or carried out."""
