"""Texts in other languages, glossed word by word into English: for an embedding model that knows English only.

`lexicon` reads the words of one language, `recognition` says which language a short text is in, `gloss` puts the English words in
the place of the others.
"""
