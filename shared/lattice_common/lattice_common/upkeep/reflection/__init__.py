"""Reflection: what the product concludes itself from several memories, by rules or with a language model, in idle time.

`schedule` decides when; `consolidation` and `extractive` sum up a theme, `serendipity` connects two memories. `model_call` asks a
language model and checks its words, `wording` holds them to those of the memories, `atoms` makes an atom of the result, and `log`
remembers what was looked at. What an atom rests on says `domain.conclusion`.
"""
