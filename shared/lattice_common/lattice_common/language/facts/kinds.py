"""What kind of memory a statement is: rules over its words, the first that fits."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lattice_common.domain.atom import Category, MemoryType, Persistence
from lattice_common.domain.capture import Trust
from lattice_common.domain.unit import UnitKind
from lattice_common.language.cued import Cued, cues_in
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.lexicon import elliptic
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, number_words

_ADVERBS = (
    r"really|always|absolutely|also|just|truly|still|definitely|totally|particularly|especially|generally|usually|'ve|have|do|"
    r"would|'d|much|quite|so|never|don't|didn't|do not"
)
"""No two of them make a third: a run of them is read in one way only, however long it is."""
_ADVERB = rf"(?:(?:{_ADVERBS}) )*"
_I = r"\b(?:i|we)\b ?"
_WEEKDAYS = any_of(ENGLISH_WEEKDAYS)
_UNIT = rf"(?:day|morning|evening|night|week|weekend|month|year|{_WEEKDAYS})"

RULES: tuple[tuple[str, Cued], ...] = (
    (
        "reminder",
        Cued(
            lazy_regex(
                r"\bremind me\b|\b(?:don't|do not|must not|mustn't) forget\b|^remember to\b|\bi (?:need|have|"
                r"must) to? ?remember\b|^(?:to-?do|reminder)\b:?"
            ),
            vocabulary("remind forget remember toremember tremember do todo reminder"),
        ),
    ),
    ("reminder", Cued(lazy_regex(r"^[-*+] \[ \]"), None)),
    (
        "instruction",
        Cued(
            lazy_regex(
                r"^(?:please )?(?:always|never|from now on|in (?:the )?future)\b|^(?:please )?(?:call me|address me|"
                r"(?:answer|reply|write|respond)(?: to)?(?: me)? (?:in|with|briefly|only)|use|avoid|do not|"
                r"don't|make sure|keep in mind)\b|\bi(?:'d| would)? (?:want|like|need) you to\b|^to \w+ .{3,80}?, (?:run|"
                r"use|press|open|call|type|go|click|first)\b"
            ),
            vocabulary(
                """always never now future call address answer reply write respond use avoid do don make keep want like
                need run press open type go click first"""
            ),
        ),
    ),
    (
        "decision",
        Cued(
            lazy_regex(
                rf"{_I}(?:(?:{_ADVERBS}|finally|already) )*(?:decided|chose|opted|settled on|made up my mind|"
                r"agreed (?:to|on|that)|picked|went with)\b|\bwe(?:'re| are) going with\b|\b(?:decision|decided)\b ?:|"
                r"\bthe decision (?:is|was)\b|\bit (?:is|was) decided\b|\bi'll go with\b|"
                r"^(?:[\w'’.-]+ ){1,4}?(?:decided|chose|opted) (?:to|on|against|not to|that|for|in favou?r of)\b"
            ),
            vocabulary("decided chose opted settled mind agreed picked went going decision go"),
        ),
    ),
    (
        "preference",
        Cued(
            lazy_regex(
                rf"{_I}{_ADVERB}(?:love|like|prefer|enjoy|hate|dislike|adore|loathe|detest|favou?r|can't stand|"
                r"cannot stand|loved|enjoyed|'m into|am into|can't resist)\b(?! to (?:know|hear|see you))|"
                r"\bmy (?:\w+ )?favou?rites?\b|"
                r"\bfavou?rite \w+(?: \w+)? (?:is|are|was)\b|\b(?:i'm|i am|we're) (?:a |not a )?(?:big |huge |"
                r"real )?(?:fan|fond|keen|crazy about|obsessed|into|hooked|partial)\b|\bnot a fan of\b|\bi'd rather\b|"
                r"\b(?:prefer|favou?rite)\b"
            ),
            vocabulary(
                """love like prefer enjoy hate dislike adore loathe detest favor favour stand loved enjoyed into resist
                favorite favorites favourite favourites fan fond keen crazy obsessed hooked partial rather"""
            ),
        ),
    ),
    (
        "recommendation",
        Cued(
            lazy_regex(
                r"\b(?:i|i'd|we|would) (?:(?:would|highly|really|strongly|totally|definitely) )*(?:recommend|"
                r"suggest|advise)\b|\byou (?:should|could|might want to|might like|gotta|have to|must) (?:definitely |"
                r"really |totally )?(?:try|check|read|watch|visit|see|go|listen|consider|look|get|use|start|"
                r"talk|join)\b|\b(?:highly|strongly) recommend|^(?:try|consider|check out) (?!my|our|this|these|"
                r"it)\w|\bworth (?:a try|trying|reading|watching|visiting)\b"
            ),
            vocabulary(
                """recommend suggest advise highly strongly worth try check read watch visit see go listen consider look
                get use start talk join"""
            ),
        ),
    ),
    (
        "goal",
        Cued(
            lazy_regex(
                r"\b(?:my|our) (?:main |big |next |new |ultimate )?(?:goal|aim|dream|plan|ambition|resolution)s?\b|"
                rf"{_I}(?:(?:{_ADVERBS}|am|are|'m|'re) )*(?:want|wanna|wish|hope|hoping|plan|planning|aim|aiming|"
                r"intend|intending|thinking (?:of|about)|considering|looking to|dream of|dreaming|would like|"
                r"'d like|'d love|aspire|need)\b(?: to\b| on\b| of\b| about\b| \w+ing\b)|\b(?:i'm|i am|we're|"
                r"we are|gonna|'m) (?:gonna|going to (?!the|a|an|my|our|some|this|see the)\w+)|^gonna\b|\bi'll\b|"
                r"\bwe'll\b|\bgoal ?:|\bplanning (?:to|on|a)\b|\bhoping to\b"
            ),
            vocabulary(
                """goal goals aim aims dream dreams plan plans ambition ambitions resolution resolutions want wanna wish
                hope hoping planning aiming intend intending thinking considering looking dreaming like love aspire need
                gonna going ll m am re are"""
            ),
        ),
    ),
    (
        "habit",
        Cued(
            lazy_regex(
                rf"\b(?:every|each) (?:other |single |second )?{_UNIT}s?\b|\b(?:usually|regularly|typically|"
                rf"routinely|daily|weekly)\b|\bon (?:{_WEEKDAYS})s\b|\bon weekends\b|"
                rf"\b(?:once|twice|(?:{any_of(number_words(2, 5))}|\d+) times) (?:a|per|each) {_UNIT}\b|\bin the (?:mornings|"
                rf"evenings)\b|{_I}(?:always|often|tend to)\b|\bhabit\b|\broutine\b"
            ),
            vocabulary(
                """every each usually regularly typically routinely daily weekly weekends once twice times mornings
                evenings always often tend habit routine"""
            ).union(f"{day}s" for day in ENGLISH_WEEKDAYS),
        ),
    ),
    (
        "belief",
        Cued(
            lazy_regex(
                rf"{_I}{_ADVERB}(?:think|believe|feel (?:that|like)|guess|suppose|reckon|doubt|suspect)\b|\bin my (?:opinion|"
                r"view)\b|\bi'm (?:convinced|sure|certain) (?:that)?\b"
            ),
            vocabulary("think believe feel guess suppose reckon doubt suspect opinion view convinced sure certain"),
        ),
    ),
    (
        "count",
        Cued(
            lazy_regex(
                r"\b(?:have|has|had|'ve|own|owns|got|read|finished|visited|ran|wrote|won|collected|completed|"
                rf"there are)\b(?: \w+){{0,2}} (?:\d+|{any_of(number_words(2, 12))}|"
                r"a dozen) (?:\w+ )?\w+s\b(?! ago)"
            ),
            vocabulary("have has had ve own owns got read finished visited ran wrote won collected completed are"),
        ),
    ),
    ("fact", Cued(lazy_regex(r"\bbirthday (?:is|was)\b|\b(?:was|were) born\b"), vocabulary("birthday born"))),
    (
        "event",
        Cued(
            lazy_regex(
                r"\b(?:went|visited|met|attended|bought|moved|started|finished|joined|won|lost|got|took|made|"
                r"had|saw|ran|gave|came|found|signed up|graduated|celebrated|adopted|married|performed|"
                r"watched|tried|hosted|broke|fell|received|passed|launched|opened|quit|hiked|painted|ate|flew|"
                r"drove|happened|died|born|hired|fired|promoted|appointment|meeting|flight|trip|party|"
                r"wedding|sold|lent|borrowed|returned|relocated|switched|renewed|repaired|turned \d+)\b"
            ),
            vocabulary(
                """went visited met attended bought moved started finished joined won lost got took made had saw ran gave
                came found signed graduated celebrated adopted married performed watched tried hosted broke fell
                received passed launched opened quit hiked painted ate flew drove happened died born hired fired
                promoted appointment meeting flight trip party wedding sold lent borrowed returned relocated switched
                renewed repaired turned"""
            ),
        ),
    ),
    ("event", Cued(lazy_regex(r"\btravel+ed\b"), None)),
)

OWNERS_OWN = frozenset(("preference", "decision", "goal", "instruction", "reminder"))
"""Kinds that only the owner's own words can make (docs/security-checks.md, S37)."""

_STANDING = lazy_regex(
    r"\b(?:my name|i'm called|i live|we live|i work|i was born|birthday|allergic|married|engaged|"
    r"divorced|diagnosed|my (?:wife|husband|partner|"
    r"son|daughter|mother|father|mom|mum|dad|sister|brother|dog|cat|doctor|boss|address|phone|e-?mail)|"
    r"vegetarian|vegan|moved to|i speak)\b"
)
_HEDGED = lazy_regex(r"\b(?:maybe|might|perhaps|probably|possibly|i guess|not sure|i think|kinda|sort of|could be)\b")
_PASSING = lazy_regex(
    r"\b(?:right now|at the moment|currently|today|tonight|this (?:morning|afternoon|evening)|for now|these days)\b"
)
_TO_YOU = lazy_regex(r"^(?:\w+, )?(?:you|your|you're|you've|you'll|you'd|that's|it's (?:great|good|nice|awesome))\b")


@dataclass(frozen=True, slots=True)
class Class:
    """How a statement is filed. `importance` and `confidence` are in 0…1."""

    kind: str
    category: Category
    memory_type: MemoryType
    persistence: Persistence
    importance: float
    confidence: float


def classify(
    words: str, *, question: bool, trust: Trust, dated: bool, entities: int, reply: bool, conversation: bool, unit: UnitKind
) -> Class:
    """Return the class of a statement: `words` are its own, without speaker and headings."""
    lowered = words.lower().replace("’", "'")
    told = lowered if conversation or unit == "task" else elliptic(lowered)
    kind = "question" if question else _of_unit(unit, lowered) or _kind(told, dated=dated, conversation=conversation)
    return file_as(kind, words, trust=trust, dated=dated, entities=entities, reply=reply)


def file_as(kind: str, words: str, *, trust: Trust, dated: bool, entities: int, reply: bool) -> Class:
    """Return the class of a statement whose kind is known."""
    lowered = words.lower().replace("’", "'")
    if trust != "user" and kind in OWNERS_OWN:
        kind = "fact"
    return Class(
        kind=kind,
        category=_category(kind),
        memory_type="procedural"
        if kind == "instruction"
        else "episodic"
        if kind in ("event", "decision", "reminder")
        else "semantic",
        persistence=_persistence(kind, lowered, dated=dated),
        importance=_importance(kind, lowered, dated=dated, entities=entities),
        confidence=_confidence(lowered, trust, reply=reply),
    )


_TO_DO = lazy_regex(r"^(?:to-?do|to do|reminders?|errands)\b")


def _of_unit(unit: UnitKind, lowered: str) -> str | None:
    """Return the kind that a form of writing has by itself: an open task is a reminder, code and tables are facts."""
    match unit:
        case "list" if _TO_DO.match(lowered):
            return "reminder"
        case "task":
            return "reminder"
        case "done" | "row" | "list" | "fence" | "field" | "comment" | "remark" | "definition":
            return "fact"
        case _:
            return None


def _kind(lowered: str, *, dated: bool, conversation: bool) -> str:
    words = cues_in(lowered)
    if dated and _TO_BE_DONE.search(lowered):
        return "reminder"
    for kind, rule in RULES:
        if rule.found(lowered, words):
            if (
                kind == "instruction"
                and conversation
                and lowered.startswith(("don't", "do not", "never", "always"))
                and "you" in lowered
            ):
                continue
            if kind == "goal" and dated and not re.search(r"\b(?:goal|dream|hope|want|aim)\b", lowered):
                return "event"
            return kind
    return "event" if dated else "fact"


_TO_BE_DONE = lazy_regex(
    r"\b(?:i|we|i've|we've) (?:(?:really|still|also|just) )*"
    r"(?:(?:need|ought) to\b|(?:have to|got to|must)\b.*\b(?:by|before|until|till|due|no later than)\b)"
)
"""With a date: "I need to finish it by Friday". "I have to present it on Friday" happens then."""


def _category(kind: str) -> Category:
    match kind:
        case "preference":
            return "preference"
        case "instruction" | "reminder":
            return "instruction"
        case "question" | "belief":
            return "context"
        case _:
            return "fact"


def _persistence(kind: str, lowered: str, *, dated: bool) -> Persistence:
    if kind == "question" or (kind == "reminder" and dated):
        return "short_term"
    if kind in ("fact", "belief") and _PASSING.search(lowered):
        return "short_term"
    return "long_term"


def _importance(kind: str, lowered: str, *, dated: bool, entities: int) -> float:
    weight = 0.45 + min(entities, 3) * 0.05 + (0.1 if dated else 0.0)
    if kind in OWNERS_OWN:
        weight += 0.15
    if _STANDING.search(lowered):
        weight += 0.2
    if _TO_YOU.search(lowered):
        weight -= 0.2
    return round(min(max(weight, 0.1), 0.95), 2)


def _confidence(lowered: str, trust: Trust, *, reply: bool) -> float:
    sure = 0.8 if trust == "user" else 0.7
    if _HEDGED.search(lowered):
        sure -= 0.2
    return round(sure - (0.1 if reply else 0.0), 2)
