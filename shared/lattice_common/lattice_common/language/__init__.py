"""What a natural language has words for, each word once: `tables` has them per language, the modules beside it give them out.

Nothing here knows anything of ours: the domain and all around it read from here.
"""
