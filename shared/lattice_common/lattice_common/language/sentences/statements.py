"""From sentences to statements: what is said, gathered so that each can stand alone.

Small talk goes; a sentence that stands on the one before it ("It was great.") joins it; a reply that stands on a question takes
the question along.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lattice_common.domain.atom import Span
from lattice_common.domain.unit import Unit
from lattice_common.language.notes.linked import only_linked
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.lexicon import (
    AFFIRMATIONS,
    BACKWARD,
    FUNCTION_WORDS,
    LINKS,
    SMALL_TALK,
    STRETCHES,
    words_of,
)
from lattice_common.language.sentences.news import announced
from lattice_common.language.sentences.split import LOG_ENTRY, sentences
from lattice_common.language.vocabulary import vocabulary

LONGEST_JOINED = 420
"""Characters of a statement that a further sentence may join: about four sentences."""

LONGEST_ASKED = 200
"""Characters of the words replied to that are taken along."""

LONGEST_WORD = 300
"""Characters without a space that nobody says: a key, a dump, base64."""

LONG_DENIAL = 5
"""Words from which on a "no" says something without a question: "Nope, never been to something like that."."""

FEW_WORDS = 3
"""A reply with no more content words than this says little without what it replies to."""


@dataclass(frozen=True, slots=True)
class Statement:
    """`[start, end)` of the capture's text. `asked` is what it replies to, verbatim from the turn before, where it is needed.
    `said` are its words with those whom it is about in names, `topic` what it stands below; `about` are the words of both, as
    they stand in the text before it."""

    start: int
    end: int
    question: bool = False
    asked: str | None = None
    sentences: int = 1
    weak: bool = False
    said: str | None = None
    topic: str | None = None
    about: tuple[str, ...] = ()


def statements(text: str, unit: Unit, names: Collection[str]) -> list[Statement]:
    """Return the statements of a unit, in order. `names` are the participants' (lower case words)."""
    found: list[Statement] = []
    replied = False
    adjacent = False
    asked_before: Span | None = None
    for span in sentences(text, unit.start, unit.end):
        sentence = text[span.start : span.end]
        if only_linked(sentence) or (len(sentence) > LONGEST_WORD and sentence.isascii() and " " not in sentence):
            continue
        words = words_of(sentence)
        content = content_words(words, names)
        question, asked_before = asked_before, None
        if question is not None and not unit.conversation and is_yes_or_no(sentence):
            found = [*(each for each in found if each.start != question.start), Statement(question.start, span.end)]
            continue
        if sentence.startswith("[") and adjacent and found and not LOG_ENTRY.match(sentence):
            found[-1] = _joined(found[-1], span.end)
            continue
        if sentence.rstrip("\"'”’»)*_ ").endswith(("?", "？")) and (unit.conversation or announced(sentence) is None):
            adjacent, asked_before = False, span
            if _worth_asking(words, content, unit):
                found.append(Statement(span.start, span.end, question=True))
            continue
        if not unit.conversation and adjacent and found and text.endswith(":", found[-1].start, found[-1].end):
            # A line that introduces what follows is no statement by itself.
            found[-1] = _joined(found[-1], span.end)
            continue
        if not unit.conversation and _says_nothing(words):
            continue
        leans = _leans_back(words)
        if leans and adjacent and found and not found[-1].question and _fits(found[-1], span.end):
            found[-1] = _joined(found[-1], span.end)
            continue
        if content or (words and not unit.conversation and not _greets(words)) or (not words and _unspaced(sentence)):
            asked = None if replied or found else _replied_to(words, content, unit, names, leans=leans)
            weak = asked is None and len(content) <= FEW_WORDS and _praises_only(words, unit, names)
            found.append(Statement(span.start, span.end, asked=asked, weak=weak))
            replied = adjacent = True
        elif not replied and not found and (asked := _answered_by(words, unit, names)):
            found.append(Statement(span.start, span.end, asked=asked))
            replied = adjacent = True
    telling = [statement for statement in found if not statement.weak]
    return telling or found[:1]


def parted(statement: Statement, apart: Sequence[Span]) -> list[Statement]:
    """Return a statement cut at the stretches `apart` that it spans."""
    found: list[Statement] = []
    for gap in apart:
        if statement.start < gap.start and gap.end < statement.end:
            found.append(replace(statement, end=gap.start))
            statement = replace(statement, start=gap.end, asked=None)
    return [*found, statement]


def is_yes_or_no(sentence: str) -> bool:
    """Return whether a note answers its own question with these words: "Would I go again? No way."."""
    words = words_of(sentence)
    return bool(words) and _YES_OR_NO.issuperset(words) and not sentence.rstrip().endswith("?")


def sentences_with_answers(text: str, statement: Statement) -> Iterator[Span]:
    """Yield the sentences of a statement, a question with the answer that the note gives itself."""
    asked: Span | None = None
    for span in sentences(text, statement.start, statement.end):
        if asked is not None and is_yes_or_no(text[span.start : span.end]):
            yield Span(asked.start, span.end)
            asked = None
            continue
        if asked is not None:
            yield asked
        asked = span if text[span.start : span.end].rstrip().endswith("?") else None
        if asked is None:
            yield span
    if asked is not None:
        yield asked


def _says_nothing(words: list[str]) -> bool:
    return bool(words) and (_TRIALS.issuperset(words) or _sighs(words) or _COURTESY.fullmatch(" ".join(words)) is not None)


_COURTESY = lazy_regex(
    r"no thank(?:s| you)(?: very much)?|(?:aye|yeah|oh) right|me|thank(?:s| you)(?: (?:so|very) much| again)?|"
    r"(?:hi|hello|hey|dear) [^\W\d]+(?: thank(?:s| you) (?:for|again)(?: [^\W\d]+){0,3})?|"
    r"(?:(?:well|but|so) )?(?:we['’]?ll (?:have to )?see|we shall see|time will tell|who knows|wait and see)(?: though)?|"
    r"(?:na )?(?:mal (?:sehen|schauen|gucken)|schau(?:en|n) wir mal|wer weiß)|glaub(?:e|s)? ich nicht|"
    r"(?:bon )?on verra(?: bien)?|à voir|va savoir|qui sait|(?:pues )?(?:ya )?veremos|a ver|quién sabe|vedremo|mah|"
    r"boh|chissà|(?:ik )?we zien wel|wie weet|vamos ver|quem sabe|zobaczymy|kto wie|bakalım|göreceğiz|kim bilir"
)
"""A greeting, a thank you, or what only shrugs something off, in nine languages."""


def _praises_only(words: list[str], unit: Unit, names: Collection[str]) -> bool:
    return unit.conversation and unit.speaker is not None and _praises(words, names)


def _answered_by(words: list[str], unit: Unit, names: Collection[str]) -> str | None:
    """Return what a sentence without content words ("Yes, I do.") replies to; None where it is no reply."""
    if not words or not (words[0] in AFFIRMATIONS or _answers(words)):
        return None
    asked = _question_before(unit, names)
    if asked is None and words[0] in _DENIALS and len(words) >= LONG_DENIAL:
        asked = _last_said(unit, names)
    return asked


def content_words(words: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the words that say something: neither function words nor small talk nor the participants' names."""
    return [
        word
        for word in words
        if word not in FUNCTION_WORDS and word not in SMALL_TALK and word not in names and word.removesuffix("'s") not in names
    ]


def _joined(statement: Statement, end: int) -> Statement:
    return Statement(statement.start, end, statement.question, statement.asked, statement.sentences + 1)


def _fits(statement: Statement, end: int) -> bool:
    return end - statement.start <= LONGEST_JOINED


def _leans_back(words: list[str]) -> bool:
    """Return whether the sentence begins with a pronoun for what was said before."""
    for at, word in enumerate(words[:3]):
        if word in BACKWARD:
            return STRETCHES.isdisjoint(words[at + 1 : at + 2])
        if word not in LINKS:
            return False
    return False


def _greets(words: list[str]) -> bool:
    """Return whether it only greets; in notes only plain courtesies do: "Thanks!", "Good morning"."""
    return len(words) <= 4 and words[0] in SMALL_TALK and all(word in SMALL_TALK or word in FUNCTION_WORDS for word in words)


def _answers(words: list[str]) -> bool:
    """Return whether somebody says of what was asked about what it is to them: "I love it!", "They hated them."."""
    return not _TAKES_UP.isdisjoint(words) and not _WHO.isdisjoint(words)


def _sighs(words: list[str]) -> bool:
    """Return whether a note only sighs or takes leave: "Oh dear.", "Anyway, more tomorrow."."""
    return " ".join(word for word in words if word not in _SIGHS) in _SAYINGS


_SIGHS = vocabulary(
    """phew wow ugh argh meh oh ooh ah aha ha haha hmm hm well anyway anyways ouch yay hooray yikes oops dear typical honestly
    seriously sigh blah whatever ok okay so god gosh"""
)
_SAYINGS = frozenset(
    """|me too|me neither|same here|same|same to you|same old|same old same old|there|there you go|there we go|there we are|
    could be worse|could be better|long story|to be continued|more tomorrow|more later|more soon|fingers crossed|never mind|
    nothing much|nothing much today|nothing new|nothing to report|can't complain|mustn't grumble|not great|not bad|not too bad|
    that's that|that's it|that's all|that's life|such is life|it is what it is|i guess|who knows|you know|what a day|
    what a week|what a year|and on|on and on""".replace("\n    ", "").split("|")
)
"""Sentences that say nothing by themselves."""
_TRIALS = vocabulary("test testing tests asdf hmm hm")
"""What is typed to see whether it works."""
_DENIALS = vocabulary("no nope nah never not neither")
_YES_OR_NO = _DENIALS | vocabulary(
    "yes yeah yep yup of course way chance absolutely definitely totally sure thanks thank you really so"
)
_TAKES_UP = vocabulary("it them one some both")
_WHO = vocabulary("i i'm i've i'd we we've they he she")


def _praises(words: list[str], names: Collection[str]) -> bool:
    """Return whether it speaks of the other, not of the speaker: "Your store looks great!", "Thanks for the advice, Gina!"."""
    for word in words[:5]:
        if word in _OF_THE_OTHER:
            return True
        if word not in _BEFORE_PRAISE and word not in names:
            return False
    return False


_OF_THE_OTHER = vocabulary(
    "you your you're you'd you've you'll thanks thank sounds that's congrats congratulations glad hope good great nice keep enjoy"
)
_BEFORE_PRAISE = vocabulary(
    "wow whoa hey oh yeah yep yes aww aw so well and but i i'm really totally sure cool awesome sounds absolutely definitely"
)


def _unspaced(sentence: str) -> bool:
    return any(char.isalnum() for char in sentence)


def _worth_asking(words: list[str], content: list[str], unit: Unit) -> bool:
    """Return a question of one's own notes; in a conversation only one to an assistant that says something about who asks."""
    if not unit.conversation:
        return len(content) >= 2
    if unit.speaker is not None or unit.role != "user":
        return False
    own = any(word in ("my", "i", "i'm", "i've", "we", "our", "i'd") for word in words)
    return own and len(content) >= 3


def _replied_to(words: list[str], content: list[str], unit: Unit, names: Collection[str], *, leans: bool) -> str | None:
    if not unit.before or (unit.before_speaker is not None and unit.before_speaker == unit.speaker):
        return None
    if (words and words[0] in AFFIRMATIONS) or len(content) <= FEW_WORDS:
        question = _question_before(unit, names)
        if question:
            return question
    return _last_said(unit, names) if leans else None


def _question_before(unit: Unit, names: Collection[str]) -> str | None:
    """Return the last question of the turn before that asks for something."""
    for sentence in reversed(_before(unit)):
        if sentence.endswith("?") and content_words(words_of(sentence), names):
            return sentence
    return None


def _last_said(unit: Unit, names: Collection[str]) -> str | None:
    for sentence in reversed(_before(unit)):
        if content_words(words_of(sentence), names):
            return sentence
    return None


def _before(unit: Unit) -> list[str]:
    said = [unit.before[span.start : span.end] for span in sentences(unit.before)]
    return [sentence for sentence in said if len(sentence) <= LONGEST_ASKED]
