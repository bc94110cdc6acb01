"""How the judge is made: data written by hand, one encoder with three heads, the held-out tables, the file that is shipped.

Not part of the product: `make train` needs the dependency group `train` (PyTorch); the product runs what comes of it.
"""
