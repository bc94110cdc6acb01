"""Recall: understand -> seed -> expand -> score -> diversify (-> synthesize)."""
