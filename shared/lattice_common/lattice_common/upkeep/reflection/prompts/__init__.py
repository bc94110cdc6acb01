"""What a language model is told when it looks over what is remembered; files with versions, as in `recall.prompts`."""
