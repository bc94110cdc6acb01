"""What one wants to be reminded of, in languages other than English: it is told, also as a question ("Mi ricordi giovedì che devo
spegnere la pompa?"). What one wants to be told again ("rappelle-moi l'âge de la petite") is none: that is asked for."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

LONGEST = 200
"""Characters of an errand."""

_NOT_WHAT = (
    r"(?!(?:.{0,40}\b)?(?:wer|wann|wo|wie|welche\w*|was|wem|warum|qui|quand|où|comment|quel\w*|combien|ce que|ce qu'|quién|qué|cuándo|dónde|cómo|cuál|"
    r"chi|quando|dove|come|quale?|cosa|quem|onde|como|qual|o que|[adi]n? che|wie|wat|waar|wanneer|hoe|wat|kto|kiedy|gdzie|jak|co|ile)\b)"
)
_ERRAND = lazy_regex(
    rf"^(?:hey |ok |bitte |s'il te plaît |por favor |per favore )?(?:(?:(?:kannst|könntest|würdest|magst) du|erinnere?|erinnerst du) (?:mich|uns)\b{_NOT_WHAT}.*"
    r"(?:\berinner\w*.*\b(?:dass|zu)\b|\bdaran\b|\ban\b.*\berinnern|\b(?:am|um|morgen|heute|nächste\w*)\b.*\b(?:an|dass|zu)\b)|"
    rf"(?:(?:tu peux|peux-tu|pourrais-tu|tu pourrais) (?:me|nous) rappeler|rappelle[- ]?(?:moi|nous)|tu me rappelles)\b{_NOT_WHAT}.*\b(?:(?:de |d')(?:ne pas )?(?:l'|la |le |les |m'|me )?\w+(?:er|ir|re)\b|que |qu')|"
    rf"¿?(?:me recuerdas|puedes recordarme|podrías recordarme|recuérdame|avísame|me avisas)\b{_NOT_WHAT}.*\b(?:que|de)\b|"
    rf"(?:mi ricordi|puoi ricordarmi|potresti ricordarmi|ricordami|mi avvisi)\b{_NOT_WHAT}.*\b(?:che|di)\b|"
    rf"(?:(?:você |tu )?(?:me lembra|me avisa|lembras-me|avisas-me)|podes lembrar-me|pode me lembrar|lembra-me|me lembre)\b{_NOT_WHAT}.*\b(?:que|de|para)\b|"
    rf"(?:(?:wil|kun|kan|zou) je me|herinner me|help me)\b{_NOT_WHAT}.*\b(?:herinneren|denken|aan|eraan)\b.*\b(?:dat|te|om|aan)\b|"
    rf"(?:przypomnisz mi|przypomnij mi|możesz mi przypomnieć|dasz mi znać)\b{_NOT_WHAT}.*\b(?:żeby|że|o)\b)"
    r"|\b(?:olduğunu|gerektiğini|\w+m[ae]y[ıi]) (?:bana )?hatırlat(?:ır mısın|abilir misin|sana)?\W*$|(?:だって|ことを|ように)(?:知らせて|リマインドして|思い出させて)",
    re.IGNORECASE,
)


def is_errand(text: str) -> bool:
    """Return whether a line asks to be reminded of something to be done."""
    return len(text) <= LONGEST and "\n" not in text and _ERRAND.search(text) is not None
