"""The clauses of a sentence that each make a statement, as spans: "He's Anna's brother and just moved here from Leeds." has two.

A sentence is cut only where what follows has a verb of its own and what precedes can stand by itself, and never below a verb of
saying, thinking or wishing, a condition or a doubt: "I wish I lived in York and had a dog" says nothing about a dog. In doubt it
stays whole: a wrong cut is worse than none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lattice_common.domain.atom import Span
from lattice_common.language.glosses.lexicon import english_words
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.alone import ends_with_own_verb
from lattice_common.language.sentences.lexicon import THEIRS
from lattice_common.language.sentences.verbs import ADVERBS, AUXILIARIES, BASE, ENGLISH, FINITE, ORDERS, OTHERS, PAST, PRESENT
from lattice_common.language.tables.english_words import AROUND_CLAUSES, DAYS, NEGATED, QUESTION_WORDS
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, short_weekdays, weekdays

LONGEST_SUBJECT = 5
"""Words of a subject that is repeated for the clause after it."""

FEWEST = 3
"""Words of a note without its "I" that is a statement beside the one behind it: "Tidied up and went to bed" is one."""

_STOP, _WHO, _COMMA = r"(?P<stop>\s*;\s+|\s+[-–—]{1,2}\s+)", r"(?P<who>,\s+who\s+)", r"(?P<comma>,\s+)"
_JOINT = lazy_regex(
    rf"{_STOP}|(?P<conjunction>(?:,\s+so|,?\s+(?:and|but|und|aber|y|pero|et|mais|e|ma|en|maar|mas))\s+(?:then\s+)?)|{_WHO}|{_COMMA}",
    re.IGNORECASE,
)
_JOINTS_IN = {
    code: lazy_regex(rf"{_STOP}|(?P<conjunction>,?\s+(?:{words})\s+)|{_WHO}|{_COMMA}")
    for code, words in {"pl": "i|a|ale", "tr": "ve|ama"}.items()
}
"""In languages whose conjunctions are words of others: "i" is "I", "ve" is "sees"."""
_LABELLED = lazy_regex(r"[^\W\d_][\w'’ -]{0,24}:\s+\S")
"""One of several values, each with its label: "Wifi: tulip42; gate code: 4471"."""
ENCLOSED = lazy_regex(r"\([^()]*\)|\[[^\[\]]*\]|[\"“][^\"“”]*[\"”]|«[^«»]*»|`[^`]*`")
_OPAQUE = lazy_regex(
    r"\b(?:if|unless|whether|wish(?:es|ed)?|hop(?:e|es|ed|ing)|say|says|said|saying|tells?|told|telling|thinks?|thought|thinking|"
    r"believes?|believed|reckons?|claims?|claimed|guess|bet|suppose[ds]?|suspects?|dream(?:t|s|ed|ing)?|imagin\w+|pretend\w*|promis\w+|"
    r"hears?|heard|according|maybe|perhaps|probably|possibly|asks?|asked|wonders?|wondered|doubts?|swears?|swore|insists?|insisted|"
    r"mention\w*|explain\w*|warn\w*|joke[ds]?|joking|kidding|fear\w*|worr\w+|either|neither|nobody|no one|not only|"
    r"as if|as though)\b",
    re.IGNORECASE,
)
"""Words that a following clause may depend on: saying, thinking, wishing, doubting."""
_DENIED = lazy_regex(r"\b(?:not|never|no longer|without)\b|n['’]t\b", re.IGNORECASE)
"""Negations that may extend to a verb after "and" without a subject of its own."""
_NEARLY = lazy_regex(r"\b(?:nearly|almost)\b(?! \d)", re.IGNORECASE)
"""What did not quite happen, and perhaps what follows neither: "Nearly fell and broke my leg"."""
_SUBORDINATE = lazy_regex(
    r"^\s*(?:when|whenever|while|once|after|before|since|because|as|although|though|even|by the time|in case|so that|where|given|"
    r"despite|instead|what|how|why|who|which|that)\b",
    re.IGNORECASE,
)
_AT_TIMES = lazy_regex(
    r"^\s*(?:(?:ever )?since|during|in|on|by|until|till|from|for|next|last|every|tonight|"
    r"(?:this|that) (?:week|month|year|spring|summer|autumn|fall|winter|weekend|morning|afternoon|evening)|"
    rf"{any_of(DAYS)}|(?:{any_of(ENGLISH_WEEKDAYS)})s?(?=,| (?:i|he|she|it|we|they)\b| (?-i:[A-Z])))\b",
    re.IGNORECASE,
)
"""When or where something is so, said before it, and perhaps of what follows as well: "Since May Tom commutes, and Ada …"."""
_RELATIVE = lazy_regex(r"\b(?:who|which|that|whose|where)\b", re.IGNORECASE)

_FINITE, _AUX, _BASE = any_of(FINITE), any_of(AUXILIARIES), any_of(BASE)
_BEHIND_IS = (
    r"(?:an?|the|in|on|at|from|with|under|behind|over|off|out|back|up|down|near|next|not|now|still|just|already|got|gone|been|done|"
    r"\d[\d.,]*|\w+ing)"
)
"""What follows "is" or "has" where they are drawn to a noun, and seldom what follows a possessive."""
_WHERE_TO = r"(?:up|down|to|from|in|on|off|out|over|back|into|away|with|for)"
"""Behind a participle that follows "has" drawn to a name: "Dev's moved up"."""
_HELPING = NEGATED | {"will", "can"}
"""Forms that need a verb behind them, of any person: "and hasn't lost since"."""
_SAYS_WHO = lazy_regex(
    r"(?:says?|said|thinks?|thought|reckons?|reckoned|claims?|claimed|writes|wrote|adds|added|"
    r"sagte?|meinte?|glaubt|dit|a dit|dice|dijo|ha detto|diz|disse|zegt|zei|mówi|powiedział[a]?)\s+"
    r"(?:(?:the|my|our|his|her|their|an?|der|die|das|mein|meine|unser|unsere|le|la|mon|ma|el|mi|il|lo|o|a|de|het|mijn|onze)\s+[^,;.!?]{2,40}"
    r"|[lL]['’]\w+|(?-i:[A-ZÀ-Þ])[\w.'’-]+(?:\s(?-i:[A-ZÀ-Þ])[\w'’-]+){0,2}|he|she|they|(?<=mówi\s)\w+)\s*[.!?]?\s*$",
    re.IGNORECASE,
)
"""Who said what stands before: "Leo has an allergy, says the doctor"."""
_THIRD = rf"(?:{any_of(PRESENT | PAST | {'was', 'had'})}|(?:{any_of(_HELPING)})(?=\s+[a-z]))"
_ED = r"[a-z]{3,}ed"
_PRONOUN = lazy_regex(
    rf"(?:i|he|she|we|they|it|you|there|that|this)['’](?:s|re|ve|ll|d|m)\b|(?:i|we|they)\s+{ADVERBS}(?!and\b|or\b)[a-z]+['’a-z]*\b"
    rf"|(?:he|she|it|there)\s+{ADVERBS}(?:{_FINITE}|{_ED}|[a-z]{{3,}}s)\b",
    re.IGNORECASE,
)
_NAMED = lazy_regex(
    rf"[A-Z][\w-]+(?:\s+[A-Z][\w-]+){{0,2}}(?:['’]s\s+(?:{_BEHIND_IS}|[a-z]{{2,}}ed\s+{_WHERE_TO})\b|\s+{ADVERBS}(?:{_FINITE}|{_ED}|[a-z]{{3,}}s)\b)"
)
_OF_A_NOUN = lazy_regex(
    rf"(?:the|my|our|his|her|their|its|this|both|[A-Z][\w-]+['’]s)\s+(?:[\w'’-]+\s+){{1,4}}?(?:{_FINITE}|{_ED})\b"
    rf"|(?:(?:the|my|our|his|her|their|its)\s+)?(?:[\w-]+\s+)?[\w-]+['’]s\s+(?:a|an|the|in|on|at|from|not|now|\d|\w+ing)\b",
    re.IGNORECASE,
)
_WHOM = lazy_regex(
    r"(?<!\bof )(?<!\band )(?<!\bor )\b(?P<whom>(?:(?:[Mm]y|[Oo]ur|[Tt]he)\s+)[a-z-]+|[A-ZÀ-Þ][\w'’-]*(?:\s+[A-ZÀ-Þ][\w'’-]*)*)$"
)
"""Who stands before ", who": the last name, or "my neighbour"; unclear where it is one of two."""
_WHO_DOES = lazy_regex(rf"{ADVERBS}(?:{_FINITE}|{_ED}|[a-z]{{3,}}s)\b", re.IGNORECASE)
_BARE = lazy_regex(
    rf"(?!(?:{_FINITE}|which|who|that|as|what|where|how|when|if|also|still|now|just|it|not|and|but|never|always)\b)"
    rf"[a-z][\w-]+(?:\s[\w-]+)?(?:\s+(?:{_AUX})\b|['’]s\s+(?:(?:with|at|on|now|off|out|over|back|not|gone|still)\b|[$€£]?\d))"
)
_LEFT_OUT = lazy_regex(
    rf"{ADVERBS}(?!left\s+(?-i:[a-z]+)(?:[,.;]|$))(?P<verb>{_THIRD}|{_ED}|[a-z]{{3,}}s(?=\s+(?:a|an|the|my|his|her|our|their|half|every|me|us|it|him|them)\b))\b(?!\s+by\b)",
    re.IGNORECASE,
)
_THE_MONTH = "|".join(rf"(?<=\b{lead} )" for lead in ("in", "since", "of", "until", "till", "by", "from", "early", "mid", "late"))
"""Before the May that is no verb: "Due in May"."""
_HAS_VERB = lazy_regex(
    rf"\b(?!(?:{_THE_MONTH}|(?<=\d )|(?<=\d[a-z][a-z] ))may\b)(?:{_FINITE}|{_ED}|{_BASE})\b|"
    r"\b(?:i|he|she|it|we|they|you|there|that|here)['’](?:s|re|ve|ll|d|m)\b|"
    r"['’]s\s+(?:a|an|the|in|on|at|with|from|off|out|up|back|over|gone|moving|coming|getting|been|being|not|now|still|really|definitely)\b",
    re.IGNORECASE,
)
_PARTICIPLE = lazy_regex(
    rf"(?:\b(?:is|are|was|were|been|be|being|has|have|had|got|gets|get|having)|['’](?:s|re|ve|d|m))\s+{ADVERBS}(?:been\s+)?(?:{_ED}|\w+(?:en|wn|ne)|{'|'.join(PAST)})\b",
    re.IGNORECASE,
)
_DOING = lazy_regex(r"\b(?:went|goes|go|came|comes|started|began|kept|keeps)\s+\w+ing$", re.IGNORECASE)
"""Verbs that the rest elaborates: "I went running and ran 5 km"."""
_NO_PARTICIPLES = PRESENT | _HELPING
_IS = lazy_regex(
    r"\b(?:is|are|was|were|am|been|being|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|stay\w*|fe(?:el|els|lt|eling)|get|gets|getting|got|look\w*|"
    r"seem\w*)\b|['’](?:m|re)\b",
    re.IGNORECASE,
)
"""Verbs behind which a past form may be a participle: "was clear and filled with stars"."""
_SUBJECT = lazy_regex(
    rf"^(?P<subject>(?:[^\s,;:.!?()]+\s+){{0,{LONGEST_SUBJECT - 1}}}?[^\s,;:.!?()'’]+"
    rf"(?:['’]s(?=\s+[\w-]+\s+(?:{_FINITE}|{_ED})\b)\s+[\w-]+)?)"
    rf"(?:\s+{ADVERBS}(?:{_FINITE}|{_ED}|used to)\b|['’](?:re|ve|ll|d|m)\b"
    r"|['’]s\s+(?:a|an|the|in|on|at|from|not|now|just|been|still|called|\w+ing)\b)"
    r"|^(?:he|she|it|that|this|there)(?=['’]s\b)"
    r"|^(?-i:(?P<named>[A-Z][\w-]+(?:\s+[A-Z][\w-]+){0,2}))\s+[a-z]{3,}s\b",
    re.IGNORECASE,
)
_OPENING = lazy_regex(
    r"(?:(?:so|and|but|okay|ok|oh|well|btw|by the way|fyi|also|ps|note|anyway|right|hm+|um+)[,:]?\s+)+", re.IGNORECASE
)
_ADVERBIAL = lazy_regex(
    r"(?:(?:finally|eventually|recently|suddenly|sometimes|often|usually|mostly|already|actually|really|apparently|currently|luckily|honestly|"
    r"sadly|thankfully|unfortunately|just|nearly|almost|(?:it )?turns out(?: that)?),?\s+)+",
    re.IGNORECASE,
)
"""Words before a subject, or before a verb whose subject is left out: "Finally caved"."""
_SMALL_WORDS = (AROUND_CLAUSES | QUESTION_WORDS) - {"by", "or", "whom", "whose"}
_NO_SUBJECT = lazy_regex(
    rf"^(?:{_FINITE}|{_ED}|[a-z]+ing|{any_of(_SMALL_WORDS)}|then|also|just|not|no|"
    r"till|ever|neither|either|nobody|nothing|once|per|re|last|next|every|tonight|now|still|maybe|perhaps|both|all|some|any|only|new|"
    r"one|two)\b",
    re.IGNORECASE,
)
_OTHERS = {
    each.code: (
        lazy_regex(rf"(?:{each.pronouns})\s+(?:\w+\s+)?(?:{each.finite})\b", re.IGNORECASE),
        lazy_regex(
            rf"(?:{each.determiners})\s+(?:[\w-]+\s+){{1,3}}?(?:non?\s+|ne\s+|si\s+|se\s+|[ns]['’])?(?:{each.finite})\b"
            + (rf"|(?-i:[A-ZÀ-Þ][\w-]+)\s+(?:non?\s+|ne\s+)?(?:{each.finite})\b" if each.code not in ("de", "nl") else ""),
            re.IGNORECASE,
        ),
        lazy_regex(rf"(?:{each.finite})\b", re.IGNORECASE),
        lazy_regex(rf"\b(?:{each.finite})\b", re.IGNORECASE),
        lazy_regex(rf"\b(?:{each.opaque})\b", re.IGNORECASE),
        lazy_regex(
            rf"^(?!(?:{each.opaque}|{each.finite}|{each.openings})\b)(?P<subject>(?:[^\s,;:.!?()]+\s+){{0,3}}?[^\s,;:.!?()]+)\s+(?:non?\s+|ne\s+|si\s+|se\s+|[ns]['’])?(?:{each.finite})\b",
            re.IGNORECASE,
        ),
    )
    for each in OTHERS
}


_OWN = {
    each.code: lazy_regex(
        rf"(?:(?:{each.openings})\s+){{1,2}}(?:{each.own or '(?!)'})\b|(?:{each.own or '(?!)'})\b(?!\s+(?:ich|i|wir)\b)",
        re.IGNORECASE,
    )
    for each in OTHERS
}
"""Without a word before it a German verb that "ich" follows says something of what was named before: "…, hab ich abgehakt"."""
_ENDS_WITH_VERB = {each.code: lazy_regex(rf"\b(?:{each.finite})\W*\Z", re.IGNORECASE) for each in OTHERS if each.verb_last}
_PRONOUN_FIRST = {
    each.code: lazy_regex(rf"\W*(?:{each.pronouns})\s+\w{{3,}}" if each.code != "de" else r"(?!)", re.IGNORECASE)
    for each in OTHERS
}
"""A pronoun that begins a clause has a verb behind it, whatever that is: "Je bosse". German ones begin questions, too."""


@dataclass(frozen=True, slots=True)
class Clause:
    """`[start, end)` of the text; `subject` are the earlier words that are its subject where it has none of its own."""

    start: int
    end: int
    subject: str | None = None


def without_opening(sentence: str) -> str:
    """Return a sentence without what only ties it to the one before it: "And Ada's number is 12." is "Ada's number is 12."."""
    opening = _OPENING.match(sentence)
    rest = sentence[opening.end() :] if opening else ""
    return f"{rest[0].upper()}{rest[1:]}" if rest else sentence


def clauses(text: str, span: Span) -> list[Clause]:
    """Return the clauses of one sentence, in order; the sentence itself where it is not to be cut."""
    sentence = text[span.start : span.end]
    if not sentence.isascii() and len(sentence) > LONGEST:
        return [Clause(span.start, span.end)]
    found: list[Clause] = []
    enclosed = [match.span() for match in ENCLOSED.finditer(sentence)]
    begin, subject = 0, None
    joint_of = _JOINTS_IN.get(language_of(sentence) or "", _JOINT)
    joints = list(islice(joint_of.finditer(sentence), MOST_JOINTS + 1))
    if len(joints) > MOST_JOINTS:
        return [Clause(span.start, span.end)]
    for joint in joints:
        if joint.start() < begin or any(start <= joint.start() < end for start, end in enclosed):
            continue
        left = sentence[begin : joint.start()]
        cut, goes_on = _cuts(left, sentence, joint, subject)
        if not cut:
            continue
        found.append(Clause(span.start + begin, span.start + joint.start(), subject))
        begin, subject = joint.end(), goes_on
    return [*found, Clause(span.start + begin, span.end, subject)]


LONGEST = 600
"""Characters of a sentence that is split into clauses."""
MOST_JOINTS = 40
"""A sentence with more joints is a list. At each joint everything before it is examined: 40 KB of "a, a, a" took five seconds, in
which the writer did nothing else."""


def _cuts(left: str, sentence: str, joint: re.Match[str], inherited: str | None) -> tuple[bool, str | None]:
    """Return whether a sentence is cut at a joint, and the subject that the clause behind it goes on about."""
    at = joint.end()
    if language := language_of(sentence):
        return _cuts_in(language, left, sentence, at, inherited)
    if joint["comma"] and begins_with_day(left) and begins_with_day(sentence[at:]):
        return True, None
    if _reaches_over(left) or is_condition_of(left, sentence[at:]):
        return False, None
    if joint["who"]:
        whom = _WHOM.search(left)
        does = whom and _HAS_VERB.search(left) and _WHO_DOES.match(sentence, at) and "," not in sentence[at:]
        return bool(does), whom["whom"] if whom and does else None
    if _LABELLED.match(left) and _LABELLED.match(sentence, at):
        return True, None
    if not (_HAS_VERB.search(left) or _elliptic(left) or _somebody_does(left)):
        return False, None
    if _PRONOUN.match(sentence, at) or _NAMED.match(sentence, at) or _OF_A_NOUN.match(sentence, at) or _BARE.match(sentence, at):
        return _whole(sentence, at), None
    gone_on = None if _SAYS_WHO.match(sentence, at) else _LEFT_OUT.match(sentence, at)
    if not gone_on or gone_on["verb"][0].isupper():  # "runs a bike shop, Spoke & Co."
        return bool(joint["stop"]) and _whole(sentence, at) and not _SUBORDINATE.match(sentence[at:]), None
    if _RELATIVE.search(left) or _DENIED.search(left) or (joint["comma"] and not _chained(gone_on["verb"], sentence, at)):
        return False, None
    if _NEARLY.search(left) and "but" not in joint[0].lower():
        return False, None
    if _DOING.search(left) or ((_PARTICIPLE.search(left) or _IS.search(left)) and gone_on["verb"].lower() not in _NO_PARTICIPLES):
        return False, None
    return _goes_on(left, sentence, gone_on, inherited)


def _goes_on(left: str, sentence: str, gone_on: re.Match[str], inherited: str | None) -> tuple[bool, str | None]:
    """Return the same where what follows is a verb without a subject, and of whom or what it is."""
    subject = _spoken_of(left, subject_of_clause(left)) or inherited
    if subject is None:
        told = _elliptic(left) and len(left.split()) >= FEWEST
        return told and gone_on["verb"].lower() not in PRESENT, None
    if _A_THING.match(subject) and _BY_SOMEBODY.match(sentence, gone_on.start("verb")):
        return True, None
    done_to_it = _does_something_to(subject, left, sentence, gone_on.end())
    return not done_to_it, None if done_to_it else subject


def _spoken_of(left: str, subject: str | None) -> str | None:
    """Return whom the last clause of these words speaks of, where its subject is "he" or "she": of "Hamid's rent doubled so he's
    moved" it is Hamid, and not the rent."""
    whose = _WHOSE_IT_IS.match(subject) if subject else None
    return whose["whose"] if whose and _THEN_HE_OR_SHE.search(left) else subject


_WHOSE_IT_IS = lazy_regex(r"(?P<whose>[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*)?)['’]s ")
_THEN_HE_OR_SHE = lazy_regex(r"\b(?:so|because|since|and|but|when|which is why) (?:s?he)\b[^,;]*$", re.IGNORECASE)


def _does_something_to(subject: str, left: str, sentence: str, at: int) -> bool:
    """Return whether what follows a verb whose subject is left out is somebody who may be that `subject`, so that it is not: in
    "Window cleaner came, paid him" the writer paid. Where a clause speaks of more than its subject, the pronoun may be that."""
    if not _DONE_TO_SOMEBODY.match(sentence, at):
        return False
    return _MORE_THAN_SUBJECT.search(left.partition(subject)[2]) is None


_A_THING = lazy_regex(
    r"(?:the|this|that)\s(?!(?:\w+\s)?(?:kids?|boys?|girls?|children|neighbou?rs?|parents|landlord|landlady|builders?)\b)",
    re.IGNORECASE,
)
_BY_SOMEBODY = lazy_regex(
    r"(?:(?:got|had|borrowed|took)\s(?:an?|the|his|her|their|another|one)\b.{1,40}\b(?:off|from)\s(?:my|our|a|the|[A-Z])|"
    r"(?:bought|ordered|borrowed|rang|phoned|emailed|booked)\s(?!(?:by|in|up)\b))"
)
"""What somebody does, and no thing: "The Samsung went in the recycling, got a Pixel off my brother"."""
_DONE_TO_SOMEBODY = lazy_regex(r"\s+(?:him|her|them)\b(?! (?:own|\w+s)\b)", re.IGNORECASE)
_MORE_THAN_SUBJECT = lazy_regex(r"\b(?:the|an?|my|our|his|her|their|your|him|them|us|me|[A-Z]\w*)\b")


def same_attribute(before: str, words: str) -> str | None:
    """Return what a clause has a value for without naming it, named by the one before it: "shoe size" for "Leo's shoe size is 31
    now" and "Freya is still 26"; None where it stands by itself."""
    named = _VALUE_OF.match(before.strip())
    return named["attribute"] if named and _ONLY_VALUE.match(words) else None


_VALUE_OF = lazy_regex(
    r"(?:(?:my|our|his|her|their)|[A-ZÀ-Þ][\w-]*['’]s) (?P<attribute>[\w-]+(?: [\w-]+){0,2}?) "
    r"(?:is|was|are|were)(?: \w+){0,2} \S*\d",
    re.IGNORECASE,
)
_ONLY_VALUE = lazy_regex(
    r"[A-ZÀ-Þ][\w-]*(?:['’]s| is| was)(?: (?:still|now|only|just|already|on|at|about|nearly|almost|a))* [$€£]?\d\S*[.!]?\s*$"
)


def reaches_on(words: str) -> bool:
    """Return whether something in these words may be meant of what follows them, too: a denial, a doubt, a wish, somebody's
    word."""
    if language := language_of(words):
        return _OTHERS[language][4].search(words) is not None
    return _OPAQUE.search(words) is not None or _DENIED.search(words) is not None or _NONE.match(words) is not None


_NONE = lazy_regex(r"\s*(?:no|neither|without|kein\w*|sin|sans|senza|geen|bez)\b", re.IGNORECASE)


def _reaches_over(left: str) -> bool:
    """Return whether what follows these words may depend on them: on saying, a condition, or a time said before."""
    return bool(_OPAQUE.search(left) or _SUBORDINATE.match(left) or _AT_TIMES.match(left))


def is_condition_of(left: str, behind: str) -> bool:
    """Return whether these words say under what condition what follows would be so: "Had the transfer gone ahead, I would …"."""
    return _INVERTED.match(left) is not None and _WOULD.search(behind) is not None


_INVERTED = lazy_regex(r"\s*(?:had|were|should)\s+(?:i|we|he|she|it|they|you|the|my|our|his|her|[A-ZÀ-Þ][\w-]+)\s", re.IGNORECASE)
_WOULD = lazy_regex(r"\b(?:would|wouldn['’]t|could|might)\b|['’]d\b", re.IGNORECASE)


def begins_with_day(words: str) -> bool:
    """Return whether an entry of a list of appointments begins: "Tues dentist 3pm", "Fri Mum's"; not "Mon to Fri"."""
    return _DAY_FIRST.match(words) is not None


_DAY_FIRST = lazy_regex(
    rf"\s*(?:{any_of(ENGLISH_WEEKDAYS)}|{any_of(short_weekdays('en'))}|tues|weds|thurs)\.?,?\s+(?!(?:to|till|until|and|or|at|is|was|the)\b)"
    r"(?:\d[\w:.]*\s+)?[^\W\d_][\w'’]*",
    re.IGNORECASE,
)


def _chained(verb: str, sentence: str, at: int) -> bool:
    """Return whether a verb behind a comma is one of several successive actions, and no participle: "moved to Aarhus, opened a
    bakery and …"."""
    if verb.lower() in PRESENT or verb.lower() in PAST:
        return True
    later = re.search(r"\s+and\s+", sentence[at:])
    return later is not None and _LEFT_OUT.match(sentence, at + later.end()) is not None


def _cuts_in(language: str, left: str, sentence: str, at: int, inherited: str | None) -> tuple[bool, str | None]:
    """Return the same in another language, by its few surest forms."""
    pronoun, noun, left_out, verb, opaque, subject = _OTHERS[language]
    if _NO_LONGER.search(left) and _BUT_NOW.match(sentence, at):
        return _whole(sentence, at), None
    if opaque.search(left) or not (verb.search(left) or _PRONOUN_FIRST[language].match(left) or _OWN[language].match(left)):
        return False, None
    if ends := _ENDS_WITH_VERB.get(language):
        return _cuts_behind_verb(ends, opaque, left, sentence[at:])
    if _DROPPED_IT.match(sentence, at):
        return False, None
    if is_of_theirs(sentence[at:]) and not subject.match(left):
        return False, None  # nobody could say whose
    if _I_STILL.match(sentence, at):
        return True, None
    if pronoun.match(sentence, at) or noun.match(sentence, at) or _OWN[language].match(sentence, at):
        return _whole(sentence, at), None
    if not left_out.match(sentence, at) or _SAYS_WHO.match(sentence, at):
        return False, None
    found = subject.match(left)
    goes_on = found["subject"] if found and _is_somebody(found["subject"]) else inherited
    if language == "pl" and goes_on and not _agree_in_polish(goes_on, sentence[at:]):
        return False, None
    return goes_on is not None, goes_on


_I_STILL = lazy_regex(
    r"(?:ich (?:weiter(?:hin)?|immer noch|nach wie vor)|moi (?:toujours|encore)|yo (?:todavía|aún|siempre|sigo)|"
    r"io (?:sempre|ancora)|eu (?:ainda|sempre|continuo)|ik nog steeds|ja (?:nadal|wciąż|dalej)|ben h[âa]l[âa])\s(?:\S+\s+)?\S+",
    re.IGNORECASE,
)
"""What is so for the writer as before, beside what changed for somebody else: "io sempre la vecchia Punto"."""


def _agree_in_polish(subject: str, behind: str) -> bool:
    """Return whether what follows may be of this subject, a name or the writer's own people: the past form agrees in gender, and
    nobody else is named but behind a preposition."""
    if not (subject[0].isupper() or subject.lower().startswith(("mój ", "moja ", "nasz ", "nasza "))):
        return False
    verb = _POLISH_PAST.search(behind)
    is_hers = subject.endswith("a")
    return (verb is None or (verb["ending"] == "ła") == is_hers) and _POLISH_NAME.search(behind) is None


_POLISH_PAST = lazy_regex(r"\b\w{2,}(?P<ending>ł|ła)\b")
_POLISH_NAME = lazy_regex(
    r"(?<!\bw )(?<!\bwe )(?<!\bna )(?<!\bdo )(?<!\bz )(?<!\bze )(?<!\bu )(?<!\bod )(?<!\bdla )\b[A-ZŁŚŻŹĆ][a-ząęółśżźćń]+"
)


def _cuts_behind_verb(ends: re.Pattern[str], opaque: re.Pattern[str], left: str, behind: str) -> tuple[bool, str | None]:
    """Return the same where verbs stand last: both have to end with one, and the second one's form or first word has to say who
    does it, for who is left out may be somebody else than before."""
    if not ends.search(left) or not ends.search(behind) or opaque.search(behind) or len(behind.split()) < FEWEST:
        return False, None
    return ends_with_own_verb(behind) or behind[:1].isupper(), None


def is_of_theirs(words: str) -> bool:
    """Return whether a clause in another language than English begins with what is somebody's who is not named in it: "seine
    Nummer ist …", "jej numer to …", "o telefone dela é …"."""
    return _OF_THEIRS.match(words) is not None


_OF_THEIRS = lazy_regex(
    rf"\W*(?:{THEIRS}|(?:nişanlısı|eşi|numarası|adresi|annesi|babası|kızı|oğlu)(?:nın|nin|nun|nün)?\b)",
    re.IGNORECASE,
)


DROPPED = (
    r"(?:poi |alla fine )?(?:ho lasciato perdere|ci ho rinunciato|non l['’]ho fatto)"
    r"|dat heb ik (?:uit m['’]n hoofd gezet|niet gedaan|laten zitten)|(?:finalement )?(?:j['’]ai laissé tomber|j['’]y ai renoncé)"
    r"|(?:al final )?(?:lo (?:he )?dej(?:é|ado)|desistí|pasé)\s*[.!]?$|(?:depois |acabei por )?desisti\b"
    r"|(?:hab['’]?s?|hab es|ich habe?(?: es)?) (?:dann )?(?:gelassen|sein lassen|aufgegeben|abgelehnt|abgesagt)"
    r"|(?:potem |w końcu )?(?:da(?:łem|łam|liśmy) sobie spokój|wycofa(?:łem|łam|liśmy) się|zrezygnowa(?:łem|łam|liśmy)|"
    r"odpuści(?:łem|łam|liśmy)|przeszło mi)|(?:sonra )?(?:vazgeçtim|vazgeçtik|caydım|caydık|boş verdim)"
)
"""What only says that something was dropped, in other languages than English."""
_DROPPED_IT = lazy_regex(DROPPED, re.IGNORECASE)
_NO_LONGER = lazy_regex(
    r"\b(?:ya no|nicht mehr|kein\w* \w+ mehr|n(?:e |['’])[\w'’]+ plus|non \w+ più|já não|niet meer|geen \w+ meer|już nie)\b",
    re.IGNORECASE,
)
_BUT_NOW = lazy_regex(r"(?:ahora|jetzt|maintenant|adesso|agora|nu|teraz|sondern)\s\w", re.IGNORECASE)
"""What ended, and what is so since: "Ya no trabajo en la panadería, ahora estoy en el Mercadona"."""


@lru_cache(maxsize=64)
def language_of(sentence: str) -> str | None:
    """Return the language of a sentence, by its most frequent words, where it is a known one other than English."""
    lowered = sentence.lower()
    if marked := next((code for code, marks in _MARKS.items() if marks.search(lowered)), None):
        return marked
    said = _LETTERS.findall(lowered)
    counts = {each.code: sum(word in each.frequent for word in said) for each in OTHERS}
    best = max(counts, key=lambda code: counts[code])
    english = sum(word in ENGLISH for word in said)
    return best if counts[best] > english and counts[best] * 8 >= len(said) else None


_LETTERS = lazy_regex(r"[^\W\d_]+")
_MARKS = {each.code: lazy_regex(each.marks) for each in OTHERS if each.marks}


def has_verb(words: str) -> bool:
    """Return whether somebody does something in these words, or is told to: "Second floor, left" has none."""
    if language := language_of(words):
        return _OTHERS[language][3].search(words) is not None
    first = _LETTERS.match(words)
    return bool(first and first[0].lower() in BASE | ORDERS) or _HAS_VERB.search(words) is not None


def _whole(sentence: str, at: int) -> bool:
    """Return whether what follows can stand by itself: at least three words."""
    return len(sentence[at:].split()) >= 2


def _somebody_does(left: str) -> bool:
    """Return whether it begins with a name and what can only be its verb: "Yahya fasts half days", not "Friday nights"."""
    return _NAMED.match(left) is not None and _may_be_a_name(left)


def _may_be_a_name(words: str) -> bool:
    """Return whether a clause may begin with a name: not "Five years" nor "Friday nights"."""
    first = words.split(maxsplit=1)[0].lower()
    return first not in english_words() and first.rstrip("s") not in ENGLISH_WEEKDAYS


def _elliptic(left: str) -> bool:
    """Return whether it is a note without its "I": "Cancelled the gym", "Finally sold the boat"."""
    if adverbs := _ADVERBIAL.match(left):
        left = left[adverbs.end() :]
    first = left.split(maxsplit=1)[0].lower() if left.split() else ""
    return first in PAST or (first.endswith("ed") and len(first) > 4)


@lru_cache(maxsize=256)
def subject_of_clause(words: str) -> str | None:
    """Return the subject of a clause: the words before its verb; None where they are unclear."""
    if language := language_of(words):
        other = _OTHERS[language][5].match(words.strip())
        return other["subject"] if other and len(other["subject"]) > 2 and _is_somebody(other["subject"]) else None
    words = words.strip()
    for before in (_OPENING, _ADVERBIAL):
        if found := before.match(words):
            words = words[found.end() :]
    if _NO_SUBJECT.match(words):
        return None
    match = _SUBJECT.match(words)
    if match is None:
        return None
    if match["named"] and not _may_be_a_name(words):
        return None
    return match["subject"] or match["named"] or match[0]


def _is_somebody(subject: str) -> bool:
    """Return whether what stands where subjects do may be one: no day ("Lunedì ho visto Luca"), and no article before a noun that
    is a verb, too ("El cumple de Lena es en mayo")."""
    return subject.lower().rpartition(" ")[2] not in _NOBODY and _DONE_TO_IT.match(subject) is None


_DONE_TO_IT = lazy_regex(r"(?:den|dem|einen|einem|meinen|meinem|unseren|unserem|ihren|seinen)\s", re.IGNORECASE)
"""Articles of what something is done to: "Den Polo haben wir dort gelassen"."""


_NOBODY = frozenset(weekdays("de", "fr", "es", "it", "pt")) | vocabulary(
    """el la los las le les il lo gli i un una une mi su mon ma son sa
    früher woche monat jahr mal gestern heute damals jetzt inzwischen mittlerweile außerdem vorhin dann danach zuhause dort leider
    endlich eigentlich vielleicht abends morgens mittags wochenende neulich kürzlich seitdem trotzdem deshalb daher übrigens"""
)


def goes_on_about_another(words: str, before: str) -> bool:
    """Return whether a sentence begins with a verb of the third person whose subject is left out: "Hates phone calls", "Vive en
    el segundo"; in the language of what was said `before` where its own words do not show one. A note without its "I", and an
    order, have other forms."""
    third = _THIRD_OF.get(language_of(words) or language_of(before) or "en")
    return third is not None and third.match(words) is not None


_PLURALS = frozenset(("does", "has", "is", "plays", "plans", "turns", "calls"))
"""Of the third persons, those that begin notes as nouns or auxiliaries do."""
_THIRD_OF = {
    "en": lazy_regex(
        rf"{ADVERBS}(?:{'|'.join(sorted(PRESENT - _PLURALS))})\s+(?!(?:like|of|and|or|are|were)\b)\S",
        re.IGNORECASE,
    ),
    "es": lazy_regex(
        r"(?:ahora |ya |también |no )*(?:vive|trabaja|tiene|está|viene|quiere|sabe|prefiere|odia|cumple|vivía|nació)\b",
        re.IGNORECASE,
    ),
    "it": lazy_regex(
        r"(?:ora |adesso |anche |non )*(?:fa|ha|abita|vive|lavora|viene|vuole|odia|preferisce|compie)\b", re.IGNORECASE
    ),
}
"""Forms that are neither first persons nor orders, nor nouns at the beginning of a note."""
