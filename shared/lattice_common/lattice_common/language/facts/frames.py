"""What a heading or a label says of what stands below it or behind it: a wish list, a dream, what was cancelled ("Wish list: …").

The words below are as plain as facts ("a pond by the shed", "The piano gets sold."), and only the label says how they are meant.
One table, with an example each; `bench.status` counts what each is worth.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lattice_common.domain.judgement import Status
from lattice_common.language.patterns import lazy_regex

LONGEST = 70
"""Characters of a label."""
LINES = 30
"""Lines above that are looked at for the heading of a list."""
LABEL = lazy_regex(rf"\W*(?P<label>[^\n:.!?]{{2,{LONGEST}}}) ?:\s")
TURNS = lazy_regex(
    r"\b(?:but|however|now|already|instead|meanwhile|for real|aber|jetzt|mais|pero|ma|maar|mas|ale|ama)\b", re.IGNORECASE
)
"""Words behind a label from which on it no longer says how something is meant."""
_ITEM = lazy_regex(r"\s*(?:[-*•–+]|\d{1,2}[.)]|\[[ x]?\])\s+\S")


@dataclass(frozen=True, slots=True)
class Frame:
    """A label that says how the sentence behind it is meant, and the list below it."""

    status: Status
    pattern: re.Pattern[str]
    example: str


def _frame(status: Status, pattern: str, example: str) -> Frame:
    return Frame(status, lazy_regex(pattern, re.IGNORECASE), example)


_WHOSE = r"(?:(?:my|our|his|her|their|the|a|this|tonight's|today's|[\w.-]+'s?|[\w.]+s') (?:[\w-]+(?:'s)? ){0,3}?)?"
_END = r"(?=$|[,(]| [-–—])"
_HEAD = (
    rf"(?:{_END}|(?= (?:for|of|about|from|on|if|by|with|to|in|at|this|last|next|tonight|as|the|when|we|i|my|our|any|per|via)\b))"
)
"""What a label's own word is followed by: in "draft excluder" it is none."""
_VALUE = lazy_regex(
    r"\b(?:number|code|pin|password|key|fee|price|cost|deposit|address|phone|e-?mail|size|id|no|ref|reference|date|card)$",
    re.IGNORECASE,
)
"""Ends of labels that name a value, which is as it is written."""

FRAMES: tuple[Frame, ...] = (
    _frame(
        "joked",
        rf"^{_WHOSE}(?:dreams?|nightmares?) (?:last|the other|from last) night|^last night's (?:dream|nightmare)|^(?:i )?(?:dreamt|dreamed)\b|^(?:weird|strange|odd|bad|mad) dreams?\b|"
        r"^(?:traum|traum (?:von )?heute nacht|rêve de (?:cette|la) nuit|sueño de anoche|sogno di (?:stanotte|ieri notte)|droom van vannacht|sen z (?:dzisiejszej )?nocy|rüya)\b",
        "Dream last night",
    ),
    _frame(
        "joked",
        rf"^{_WHOSE}(?:(?:bedtime )?(?:story|fairy tale) (?:for|of the night|tonight)|bedtime stor(?:y|ies)|joke(?:s)? (?:of the (?:day|week)|for)|pretend(?:ing)?(?: game)?|role ?play|make-believe|"
        r"april fools?|murder mystery)|\bgame (?:this|today|all)\b|^in (?:the|my) (?:film|novel|book|play|game|story|version for the grandchildren)\b|"
        r"^(?:gute-?nacht-?geschichte|witz des tages|rollenspiel|jeu de rôle|histoire du soir|cuento (?:de anoche|para)|favola|gioco di ruolo|rollenspel|bajka)",
        "Bedtime story for Nia",
    ),
    _frame(
        "wished",
        rf"^{_WHOSE}(?:wish ?-?list|bucket ?list|wishes|dream (?:house|home|job|flat|kitchen|garden|holiday|list|life|car)|pipe dreams?|hopes|christmas list|birthday list|letter to santa|santa list){_HEAD}|"
        r"\bwish ?-?lists?\b|^(?:some ?day|one (?:fine )?day|in an ideal world|in my dreams|if only|if i could|when i'm (?:rich|retired|old and rich)|when we're rich|if (?:money|time) (?:was|were) no object)\b|"
        r"^(?:things|places|what|stuff|books|films|something|anything|one thing) (?:i|we|he|she|they)(?:'d| would) (?:(?:really |dearly |so )?(?:love|like|do|buy|grow|wish|have|change|see|want))|\bhopes? for\b|"
        r"^(?:mein |meine |unsere? |\w+s )?(?:wunsch(?:liste|zettel)|traumhaus|eines tages)|^(?:ma |notre )?(?:liste (?:d['’]envies|de souhaits)|un jour|mon rêve)\b|"
        r"^(?:mi |nuestra )?(?:lista de deseos|algún día|cosas que quiere)|^(?:lista dei desideri|sogni nel cassetto|un giorno)\b|^(?:lista de desejos|um dia|sonhos)\b|"
        r"^(?:verlanglijst(?:je)?|ooit|wensenlijst(?:je)?)\b|^(?:lista (?:życzeń|marzeń)|kiedyś|marzenia)\b|^(?:dilek listesi|bir gün|hayallerim)\b",
        "Wish list for the kitchen",
    ),
    _frame(
        "rejected",
        rf"^(?:not true|untrue|false rumours?|fake news|lies|not so|myths?)\b|^(?:{_WHOSE}(?:plans? |ideas? |names? |options? )?)?(?:cancelled|canceled|called off|scrapped|dropped|rejected|turned down|"
        r"ruled out|abandoned|shelved|vetoed|crossed (?:off|out)|binned|discarded|withdrawn)\b|^(?:decided|voted) against|^(?:we |i )?(?:decided not to|gave up on|won't be)|^not (?:happening|doing|going ahead|buying|taking)\b|"
        r"^(?:nearly|almost) (?:bought|sold|booked|took|got|signed)|^no longer (?:happening|on)\b|^(?:ideas?|names?|things) (?:we|i) (?:threw out|rejected|dropped|binned|considered and)|"
        r"^things i used to (?:believe|think)|^would-have-beens\b|^(?:abgesagt|abgelehnt|gestrichen|verworfen|nicht wahr|fällt aus|stimmt nicht)\b|^(?:annulée?s?|refusée?s?|abandonnée?s?|pas vrai|faux)\b|"
        r"^(?:cancelad[oa]s?|rechazad[oa]s?|descartad[oa]s?|no es verdad|mentira)\b|^(?:annullat[oaie]|scartat[oaie]|rifiutat[oaie]|non è vero)\b|^(?:recusad[oa]s?|não é verdade)\b|"
        r"^(?:geannuleerd|afgewezen|afgeblazen|niet waar|gaat niet door)\b|^(?:odwołan[eya]|odrzucon[eya]|nieprawda)\b|^(?:iptal(?: edildi)?|vazgeçtik)\b",
        "Cancelled",
    ),
    _frame(
        "supposed",
        rf"^(?:{_WHOSE}(?:first |rough |early |old |unsent )?)?draft(?:,| -)? ?(?:not (?:yet )?sent|unsent|never sent){_END}|^{_WHOSE}(?:first |rough |early |old |unsent )?draft{_HEAD}(?!.*\b(?:done|finished|due|sent|submitted)\b)|^(?:not sent|unsent|never sent)\b|"
        rf"^{_WHOSE}(?:ideas?|brainstorm(?:ing)?|options?|possibilities|shortlist|short list|suggestions|maybes?|what-ifs?){_HEAD}|^(?:things|places) (?:to consider|we could|i could|i might)|"
        r"^(?:case|option|scenario|variant|plan) (?:[b-f]|one|two|three|[1-9])\b|^(?:pencilled in|in case of)\b|"
        r"^(?:ideen|optionen|möglichkeiten|entwurf|vorschläge)\b|^(?:idées|options|brouillon|pistes)\b|^(?:ideas|opciones|borrador|propuestas)\b|^(?:idee|opzioni|bozza|proposte)\b|^(?:ideias|opções|rascunho)\b|"
        r"^(?:ideeën|opties|concept)\b|^(?:pomysły|opcje|szkic)\b|^(?:fikirler|seçenekler|taslak)\b",
        "Ideas for the garden",
    ),
    _frame(
        "supposed",
        r"^(?:and |but |so |plan \w,? |what )?(?:if|suppose|supposing|imagine|assuming|provided|say) (?:(?:i|we|he|she|they|it|(?-i:[A-Z][a-z]+)|my \w+|the \w+(?= (?:comes through|come through|goes|wins?|gets?|passes|fails|sells?|agrees?|says|stays|pays|falls through)\b))(?:'d|'ve|'s)?) "
        r"(?!(?:ask|asks|ring|rings|comes? (?:while|by|round)|can't|cannot|forget|surprise|my surprise|is a|needs?)\b)(?!.*\b(?:again|you|late|lost|locked)\b)|^(?:in case i don't)\b|"
        r"^(?:falls|wenn|angenommen|gesetzt den fall) (?:ich|wir|er|sie|es|(?-i:[A-ZÄÖÜ]\w+))\b(?!.*\b(?:fragt|klingelt|ausfällt)\b)|^si (?:on|nous|je|j'|jamais|me|nos|sale|gano|ganamos)\b|^se (?:mi|ci|eu|me|nos|a gente|sair|vinciamo|vinco)\b|"
        r"^als (?:we|ik|hij|ze|zij|het)\b|^gdyby(?:śmy|m)?\b(?!.*\bpytał)|^(?:diyelim|supposons|supongamos)\b",
        "If we move",
    ),
    _frame(
        "quoted",
        rf"^{_WHOSE}(?:quotes? of the (?:day|week)|rumou?rs?|gossip|hearsay|claims?|horoscope|word on the street)\b|^(?:over)?heard\b(?! back)|"
        rf"\b(?:\w+'s|\w+s'|his|her|their) (?:\w+ )?(?:version|theory|opinion|view|verdict|wisdom|prophecy|boast|side of it|side of the story|claims?|hunch|prediction|forecast|warning|words|pitch|patter){_HEAD}|"
        r"^(?:things|what|stuff) (?!(?:i|we) )(?:my |our |the |his |her )?(?:[\w'-]+ ){1,3}(?:says?|said|claims?|claimed|thinks?|reckons?|promised|knows for certain|believes?|(?:has|have) (?:heard|been telling))\b|"
        r"^(?:(?:the|an?) )?(?:leaflet|advert|ad|poster|brochure|headline|fortune cookie|tabloid|sermon)\b|^according to\b|^from the (?:leaflet|brochure|advert|papers?)|"
        r"^(?:zitat des tages|gerüchte?|horoskop|gehört)\b|^(?:citation du jour|rumeurs?|bruits? de couloir|horoscope|entendu)\b|^(?:frase del día|rumor(?:es)?|horóscopo)\b|^(?:frase del giorno|voci|oroscopo)\b|"
        r"^(?:boatos?|horóscopo)\b|^(?:roddels?|horoscoop|citaat van de dag)\b|^(?:plotki|plotka|horoskop|cytat dnia)\b|^(?:söylenti|dedikodu)\b",
        "Quote of the day",
    ),
    _frame(
        "uncertain",
        r"^(?:not (?:yet )?sure|unsure|unconfirmed|to be confirmed|tbc|maybe|perhaps|possibly|don't know yet|still unclear)$|^(?:nog niet zeker|noch unklar|noch nicht sicher|pas sûr|no seguro|non sicuro|"
        r"não confirmado|niepewne)$",
        "Not yet sure",
    ),
)


def framed(label: str) -> Status | None:
    """Return how what follows a label is meant; None where it doesn't say."""
    words = " ".join(label.replace("’", "'").strip(" #*_-–•\t").split())
    if not 1 < len(words) <= LONGEST or _VALUE.search(words):
        return None
    return next((each.status for each in FRAMES if each.pattern.search(words)), None)


_WRITTEN = lazy_regex(
    r"\b(?:draft|unsent|not (?:yet )?sent|never sent|entwurf|nicht abgeschickt|brouillon|borrador|bozza|rascunho|szkic|taslak)\b",
    re.IGNORECASE,
)


def spreads(label: str) -> bool:
    """Return whether a label stands for all of its paragraph, as that of a letter's draft does: a list ends with its sentence."""
    return framed(label) is not None and _WRITTEN.search(label) is not None


def heading_above(text: str, start: int) -> str | None:
    """Return the heading of the list or the lines that the line with this place is one of; None where there is none."""
    begin = text.rfind("\n", 0, start) + 1
    listed = _ITEM.match(text, begin) is not None
    apart = False
    for line in reversed(text[max(begin - LINES * LONGEST, 0) : begin].splitlines()[-LINES:]):
        if not line.strip():
            if apart or not listed:
                return None
            apart = True
        elif _ITEM.match(line):
            if not listed or apart:
                return None
        elif line.rstrip().endswith(":") or line.startswith("#"):
            return line.rstrip(": ")
        elif listed:
            return line if line.strip()[-1].isalnum() or line.rstrip().endswith(")") else None
    return None
