"""Letters and mails: what was written in them, without envelope, greeting, signature and furniture."""
