"""How a sentence hangs on the one beside it: goes on with its condition, takes it back, or turns to something else."""

from __future__ import annotations

from lattice_common.language.patterns import lazy_regex

LEANS = lazy_regex(r"^(?:and |so |then |but )?(?:(?:i|we|he|she|they|it)(?:'d| would)|then|so that|otherwise)\b")
"""What goes on where the sentence before left off."""
CONDITION = lazy_regex(r"^(?:and |but |so )?(?:if|suppose|supposing|imagine|say|what if|wenn|falls|si|se|als|gdyby)\b")
"""A sentence that says under what condition."""
TAKES_BACK = lazy_regex(
    r"\b(?:kidding|joking|jk|april fools?|didn't|did not|not really|no idea|who knows|almost|as if|unsure|not sure)\b"
)
"""A short sentence after which the one before it is not so."""
DISCLOSES = lazy_regex(
    r"^(?:an? )?(?:april fools?|(?:only|just) (?:kidding|joking)|(?:aye|yeah),? right|nice try|pull the other one)\b"
)
"""What begins so says that of the sentence before, however it goes on: "April fool courtesy of Nasreen"."""
TAKES_ALL_BACK = lazy_regex(
    r"(?:,|\s[-–]|\.\.\.|…)\s*(?:(?:es|era) (?:coña|broma)|c'est une blague|je (?:plaisante|rigole|déconne)|scherzo|"
    r"sto scherzando|grapje|geintje|nur (?:ein )?(?:spaß|scherz|witz)|(?:just|only) (?:kidding|joking)|jk|"
    r"(?:é|era) brincadeira)\b\W*(?:(?:ja|ha)+h?|lol|mdr|xd)?\W*$"
)
"""At the end of a sentence: all of it was a joke, however many clauses it has."""
GOES_ON_IMAGINING = lazy_regex(r"^(?:oh )?(?:just )?(?:imagine|picture|fancy|if only|wouldn't it be)\b")
"""A sentence without a verb behind it goes on with what is only imagined."""
TURN = lazy_regex(r"[;:]|\b(?:but|however|now|instead|so|poi|adesso|jetzt|aber|mais|pero|ma|maar|ale|ama)\b")
"""Words at which a sentence turns to something else."""
TURNS_AWAY = lazy_regex(r"^(?:anyway|anyhow|meanwhile|for now|in reality|in (?:actual )?fact|as it is|back to reality)\b")
"""Words that begin something else: "Anyway, the lease runs till July"."""
HEDGED = lazy_regex(r",\s+(?:[\w'-]+\s+){1,3}(?:apparently|supposedly|allegedly)\W*$")
"""Words at the end of which it is said that only they are hearsay: ", till March apparently"."""
