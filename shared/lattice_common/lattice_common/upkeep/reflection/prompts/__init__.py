"""The prompts for reflection; files with versions, as in `recall.prompts`."""
