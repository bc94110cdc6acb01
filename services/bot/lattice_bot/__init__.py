"""The Telegram door of Lattice: a thin client of its API, and of the Bot API."""
