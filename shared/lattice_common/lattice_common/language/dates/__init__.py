"""Dates and times in words, and the stretches of the calendar that they name."""
