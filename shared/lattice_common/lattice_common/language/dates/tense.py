"""Whether the words around a date are about the past or the future, and whether the date recurs.

"On Friday" alone may be either. The clause around the date decides, then its sentence: by a verb in the past, or one of what will
be, what is due, what is (people do not say "is on Friday" about a Friday that is over).
"""

# ruff: noqa: E501 - lists of words stand on as few lines as they fit, as in `date_phrases`

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from lattice_common.language.dates.romance import is_beside_another
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.words import any_of, past, weekdays

Tense: TypeAlias = Literal["past", "future", ""]

REACH = 120
"""Characters on either side of a date in which its verb is looked for: a long clause."""

_SENTENCE_EDGE = lazy_regex(r"[.!?;\n。！？](?=\s|$)|\n|\|")
_CLAUSE_EDGE = lazy_regex(r"[.!?;\n。！？](?=\s|$)|\n|\||, |: | – | - |\b(?:and|but|so|because|und|aber)\b")
_FUTURE = lazy_regex(
    r"\b(?:plan(?:s|ning|ned)?|upcoming|needs to|thinking|ideally|hopefully|provisional(?:ly)?|tentative(?:ly)?|"
    r"(?:book|schedul|postpon|reschedul)(?:ed)?(?: \w+)? (?:for|to|until)|(?:moved|pushed|changed|delayed|shifted|switched|swapped)(?: \w+){0,3} (?:to|until)|"
    r"invited|reserved|booked|scheduled|tickets?|coming|arriving|want|wants|can|let's|should|see you|"
    r"is|are|am|starts?|begins?|ends?|leaves?|departs?|arrives?|lands?|closes?|opens?|expires?|renews?|comes?|takes place|visits|flies|"
    r"(?:goes?|going) (?:up|down)|goes (?:in|on|off|away|back|live)|gets (?:in|here|home|back)|moves|finishes|returns|delivers|installs|"
    r"joins|restarts?|runs? out|completes?|lapses?|reopens?|launch(?:es)?|premieres?|airs|retires?|graduates?|marr(?:y|ies)|breaks? up|resumes?|stops?|"
    r"changes?|performs?|ships|turns \d+|next (?:[\w-]+ ){0,2}?(?:appointments?|appt|check-?ups?|check|visit|scan|review|session|lesson|meeting|service|dose|jab|"
    r"payment|delivery|bill|one|date|round|exam|test|booster|clean|haircut|instal+ment|deadline)|rises|increases|takes effect|kicks in|"
    r"fly|have|has|wird|werden|muss|müssen|ist|sind|soll|kommt|kommen|fährt|fahren|fliegt|fliegen|haben wir|habe ich|treffen|läuft|endet|beginnt|startet|schließt|öffnet|"
    r"nächste[rsnm]? \w*(?:termin|treffen|sitzung|prüfung|impfung|kontrolle|stunde|untersuchung|besuch|lieferung|rate|zahlung|klausur))\b"
    r"|(?:'m|’m|'re|’re|'s|’s)\b",
    re.IGNORECASE,
)
_PLAIN_FUTURE = lazy_regex(
    r"\b(?:will|won't|going to|gonna|shall|(?<!was )(?<!were )due|have to|need to|must|deadline|remind|pencil+ed in|wird|werden|werde)\b|(?:'ll|’ll)\b|"
    r"(?:^|(?<!had )(?<!needed )(?<!supposed )(?<!meant ))\bto be [\w-]+(?:ed|en|wn|lt|nt|de|ld|ut|id)\b",
    re.IGNORECASE,
)
"""Words for the future that count even beside a verb in the past: "he said he'll come on Friday"."""
_MOVED = (
    "moved|pushed|changed|delayed|shifted|switched|swapped|postponed|rescheduled|deferred|adjourned|prolonged|brought forward|put off|put back|slipped|bumped|"
    "verlegt|verschoben"
)
_WAS_MOVED = lazy_regex(rf"\b(?:{_MOVED})\b[^.!?;,]{{0,40}}$|\b(?:went|gone) from $", re.IGNORECASE)
_SHIFT = rf"\b(?:{_MOVED}|booked|planned|scheduled|invited|extended|verlängert)\b"
_SHIFT_TO_DAY = rf"\b(?:{_MOVED}|moves?|moving|changes?|switches|shifts?|wechselt|gewechselt)\b"
_SHIFTED_BEFORE = lazy_regex(
    rf"{_SHIFT}[^.!?;]{{0,40}}?\b(?:(?:to|until|till|for)\s(?:the )?|(?:auf|bis)\s(?:den )?)$|{_SHIFT}[^.!?;]{{0,40}}?\b(?:now|jetzt|nun)\s(?:on |am )?$",
    re.IGNORECASE,
)
_SHIFTED_ON = lazy_regex(r"\bauf\s(?:den |die )?$", re.IGNORECASE)
_SHIFTED_BEHIND = lazy_regex(r"[^.!?;,]{0,20}\b(?:verlegt|verschoben|vorgezogen)\b", re.IGNORECASE)
_SHIFTED_FROM = lazy_regex(rf"{_SHIFT}[^.!?;]{{0,40}}$", re.IGNORECASE)
_SHIFTED_TO = lazy_regex(rf"{_SHIFT}[^.!?;]{{0,40}}?\b(?:to|until|till|for)\b", re.IGNORECASE)
_SHIFTED_FROM_ONE = lazy_regex(rf"{_SHIFT}[^.!?;]{{0,40}}?\b(?:from|von)\b", re.IGNORECASE)
_TO = lazy_regex(r"\s+(?:to|until)\b", re.IGNORECASE)
"""A postponed event is still to come, though the verb is in the past: "they moved it from Monday to Wednesday"."""
_TO_DO = lazy_regex(
    r"\b(?:decided|arranged|promised|asked|told|offered|invited|hoped|reminded|expected|advised|persuaded|signed up|set)\b"
    r"(?: (?!to\b)\w+){0,3} to \w+(?: [^\s.!?;,]+){0,5} (?:on )?$",
    re.IGNORECASE,
)
"""What somebody decided, promised or was asked to do comes after that: "Mum asked me to come on Sunday"."""
_RAISED = lazy_regex(
    r"\b(?:raised|increased|upped|hiked|lowered|reduced|put (?:[^\s.!?;]+ ){0,4}up|put up|(?:went|gone) (?:up|down))\b(?:[^.!?;]|\.\d){0,60}$",
    re.IGNORECASE,
)
"""A price that was raised "from July" is the new one from the nearest July on, told before it or after."""
_STOPPED = lazy_regex(
    r"\b(?:cancell?ed|stopped|suspended|paused|discontinued|terminated|ended|closed|withdrawn|scrapped|dropped|resigned)\b"
    r"(?:[^.!?;]|\.\d){0,60}$",
    re.IGNORECASE,
)
"""What was cancelled "from 15 August" ends on the nearest one."""
_AGREED = lazy_regex(
    r"\b(?:offered|promised|granted|accepted|agreed|signed|hired|confirmed|approved|allowed|booked|ordered|taken on|commissioned)\b"
    r"[^.!?;]{0,60}$",
    re.IGNORECASE,
)
"""What was offered or agreed "from January" begins after that."""
_WRITTEN_ON = lazy_regex(
    r"\b(?:letters?|e-?mails?|mails?|messages?|texts?|posts?|photos?|pictures?|pics?|invoices?|bills?|receipts?|statements?|reports?|"
    r"notes?|minutes|results?|articles?|entr(?:y|ies)|drafts?|versions?|orders?|prescriptions?|recordings?|scans?|data|figures|"
    r"numbers|leftovers|bread|milk|one|ones|those|that)\s$",
    re.IGNORECASE,
)
"""What is "from 3 May" for it was made then."""
_WRITTEN_ON_GERMAN = lazy_regex(
    r"\b(?:brief|mail|e-mail|rechnung|schreiben|bescheid|stand|foto|bild|nachricht|quittung|protokoll|artikel|zeugnis|befund)s? vom $",
    re.IGNORECASE,
)
_BOOKED = lazy_regex(
    r"\b(?:booked|reserved|arranged|gebucht|reserviert|vereinbart|ausgemacht|angemeldet)(?: [^\s:]+){0,2}: $"
    r"|(?:^|[,;(] )(?:booked|reserved|penciled in|pencilled in)(?: in)?(?: for)?(?: the)? $"
    r"|[,;] (?:back |should be |will be )?(?:home|discharged|out of hospital)(?: on| by)? $",
    re.IGNORECASE,
)
"""And what is booked, or when somebody is to come home: "two fillings, booked 22 April", "the operation went fine, home on Sunday"."""
_ENDS_ON = ("zum ", "Zum ", "per ")
_GIVES_NOTICE = lazy_regex(r"kündig", re.IGNORECASE)
"""Of a contract that ends on a day: "hab zum 31. März gekündigt"."""
_MADE_FOR = lazy_regex(
    r"\b(?:got|made|gave|given|offered|found|fixed|arranged)\b(?: \w+){0,3} (?:appointment|slot|booking|reservation|interview|viewing)\b"
    r"(?: (?!after\b|before\b)[^\s.!?;,]+){0,5} $",
    re.IGNORECASE,
)
"""So does what was made or given an appointment for."""
_SIGNED_UP = lazy_regex(
    r"\b(?:(?:signed (?:\w+ ){0,2}up|registered|enrolled(?: \w+){0,2}|rsvp['’]?d|put (?:\w+ ){1,3}down|tickets?|a place) "
    r"(?:for|in|on|to)|entered (?:(?!on\b)[\w'’]+ ){1,4}(?:race|run|half|marathon|triathlon|\d+k|competition|contest|tournament|draw|show)),? (?!(?:me|us|him|her|them) on )[^.!?;]{0,60}$",
    re.IGNORECASE,
)
"""Of the days of a month beside what somebody is to take part in the nearest is meant: "Signed up for the Bath half, 14 March"."""
_HOLDS = lazy_regex(
    r"(?:\b(?:have|has)|['’](?:ve|s))(?: got)? (?:\w+ ){0,2}(?:tickets?|places?|seats?) (?:for|in|on|to)\b[^.!?;]*$",
    re.IGNORECASE,
)
"""Who has tickets has not been there: "we've got tickets for the ballet on 3 May"."""
_REPORTED = lazy_regex(
    r"\b(?:said|says|told \w+|wrote|texted|confirmed|heard|thinks|thought|promised|mentioned)(?: that)? (?=(?:[\w'’]+ ){1,3}\w)",
    re.IGNORECASE,
)
"""Behind it somebody's words have a verb of their own: "Tom said he arrives on Wednesday"."""
_WOULD = lazy_regex(
    rf"(?:\bwould|['’]d)\s(?!(?:have|been|gone|done|seen|come|never|already|just|{any_of(past('en'))})\b|\w+ed\b)\w",
    re.IGNORECASE,
)
"""In somebody's words: "I said I'd bring the salad on Saturday", not "he'd seen her on Saturday"."""
_NOT_PAST = frozenset(("bent", "bit", "cost", "cut", "quit", "read", "rose", "stuck"))
"""Pasts that beside a date are as often something else."""
_SAME_FORM = lazy_regex(
    r"\b(?:(?:i|we|they|you) (?:cut|hit|hurt|let|put|quit|read|split)|(?:he|she|it) (?:cut|hit|hurt|let|put|quit|read|set|shut|split))\b"
    r"(?!['’])|^\W*(?:(?:so|well|finally|just)\W+)*(?:quit|hurt (?:my|his|her|our|their)|split up)\b"
    r"|(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bam )(?<!getting )(?<!\bget )(?<!\bgets )\bmarried (?=(?:(?!to\b|for\b|with\b)[\w'’]+ )?(?:on|in)\b)",
    re.IGNORECASE,
)
"""Verbs whose past looks like the present, of somebody and one day: "I quit on Friday". Those with which nobody reminds
themselves of something to do begin a note as well: "Quit on Friday.", but not "Put the bins out on Friday."."""
_PAST = lazy_regex(
    r"\b(?:(?!booked|scheduled|invited|reserved|planned|supposed|closed|married|allowed|hundred|ofsted|united|sacred|naked)\w{2,}(?:[^e\W]ed|eeded)|was|were|"
    rf"{any_of(past('en') - _NOT_PAST)}|lay|didn't|wasn't|weren't|been|died|since|"
    rf"{any_of(past('de'))}|gewesen|"
    r"(?!eingeladen|angemeldet|vorgesehen|eingeplant|ausgemacht)(?:ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|statt|um|vor|weg|"
    r"weiter|zu|zurück)?ge\w{2,}(?:t|en)(?=\W*$))\b"
    r"|\b(?:habe|hab|hat|haben) [^.!?;]{0,80}\b(?!vereinbart|verabredet|bestellt|reserviert)(?:be|ent|er|ver|zer)\w{2,}(?:t|en)(?=\W*$)",
    re.IGNORECASE,
)
_DONE_TO = lazy_regex(
    rf"(\b(?:is|are|am|gets?)|['’](?:s|re|m)(?=(?: \w+){{0,2}} (?:being|getting) ))((?: (?:not|then|also|only|first|all|both|usually|now))*) "
    rf"(?:(?:being|getting) )?(?:\w{{2,}}ed|{any_of(past('en') - _NOT_PAST)})\b",
    re.IGNORECASE,
)
"""What is done to something is no past, though its verb looks like one: "fees are collected on 1 December", "they're being moved"."""
_HAS_GOT = lazy_regex(
    r"(?:\b(?:have|has)|['’](?:s|ve)) got (?=(?:an?|the|my|his|her|our|their|two|three|another|some|tickets|places|seats|guests|friends|people|[$€£]?\d[\w.,]*|[\w'’]+ (?:on|at|in)\b)(?:\s|[,.;!?]|\Z))",
    re.IGNORECASE,
)
"""What somebody has: "Sara's got an Ofsted week from the 13th of April", not "Sara's got married"."""
_HAPPENED = lazy_regex(r"\b(?:was|were|stayed|had|lasted|worked)\b", re.IGNORECASE)

_EVERY_BEFORE = lazy_regex(
    r"\b(?:every|each|any|jeden|jede|jedes|alle|most)(?: (?:other|single|second|2nd|third|3rd|first|last|zweiten|year on|month on))? "
    r"(?:on )?$",
    re.IGNORECASE,
)
_GIVEN_UP = lazy_regex(
    r"\b(?:instead of|rather than|in place of|statt|anstatt|anstelle von)(?: (?:on|am|des|the|dem))? $",
    re.IGNORECASE,
)
"""Before the day that is left for another one: "ab jetzt mittwochs statt am Dienstag"."""
_WHICHEVER = lazy_regex(r"\ban? $", re.IGNORECASE)
"""Of "a Tuesday" it is not said which; "a 3 May deadline" says it."""
_OF_THE_MONTH = lazy_regex(
    r" (?:of|in) (?:the|each|every|a) (?:month|year|quarter)\b| (?:mornings?|evenings?)? ?every\b|"
    r" (?:mornings|afternoons|evenings|nights)\b",
    re.IGNORECASE,
)
_USUALLY = lazy_regex(r"\b(?:usually|always|normally|typically|regularly|generally|meistens|immer)\b", re.IGNORECASE)
_OF_MANY_YEARS = lazy_regex(
    r"\b(?:used to|would|every|each|often|never|always|traditionally|years|as an? (?:kid|child|boy|girl|student)|"
    r"when (?:i|we|he|she|they) (?:was|were))\b",
    re.IGNORECASE,
)
"""Beside a feast: what was done on more than one."""
_EACH_WEEK = (
    "bins?|trash|garbage|rubbish|recycling|book club|choir|rehearsals?|stand-?ups?|yoga|laundry|swimming|training|practi[cs]e|"
    "football|class(?:es)?|lessons?"
)
_GROUPS = (
    r"book club|choir|rehearsals?|yoga|swimming|training|practi[cs]e|football|class(?:es)?|lessons|pilates|quiz|playgroup|(?:\w+ )?club|"
    "orchestra|gymnastics|ballet|judo|karate|futsal|netball|rugby|cricket|hockey|badminton|tennis|chess|cubs|scouts|brownies|guides|"
    r"beavers|zumba|bootcamp|tutoring|\w*(?:training|probe|chor|kurs|unterricht|turnen|schwimmen|verein)|fußball|handball|tanzen|ballett|"
    "jungschar"
)
"""Classes, clubs and the like: of these a new day is that of each week."""
"""What mostly is each week."""
_ROUTINE = lazy_regex(
    rf"\b(?:{_EACH_WEEK}|cleaner|market|müllabfuhr|chor)\b[^.!?]{{0,40}}?"
    r"\b(?:is|are|goes?|go out|meets?|gets?|comes?|happens|runs|takes place|kommt|ist)\b(?![^.!?]*\b(?:cancell?ed|moved|this|next)\b)",
    re.IGNORECASE,
)
_BINS = lazy_regex(
    r"\W*(?:the )?(?:bins?|rubbish|trash|garbage|recycling|garden waste|food waste|biomüll|restmüll|gelbe tonne)"
    r"(?: (?:day|collection|out|go out|goes out))?(?: is| are)?:?\W*",
    re.IGNORECASE,
)
"""All that is said beside a day: "Bins Thursday" is each week."""
_ROUTINES = "lessons|classes|sessions|rehearsals|trainings|visits|days|shifts|unterricht|stunden"
_GROUP_BEFORE = lazy_regex(rf"\b(?:{_GROUPS})\b[^.!?;]{{0,40}}$", re.IGNORECASE)
_GROUP_SHIFTED = lazy_regex(
    rf"\b(?:{_GROUPS})\b[^.!?;]{{0,30}}?{_SHIFT_TO_DAY}[^.!?;]{{0,40}}?\b(?:to|on|auf)\s(?:den )?$"
    rf"|{_SHIFT_TO_DAY}[^.!?;]{{0,24}}?\b(?:{_GROUPS})\b[^.!?;]{{0,30}}?\b(?:to|auf)\s(?:den )?$",
    re.IGNORECASE,
)
"""And so is the day to which it was moved: "choir moved to Tuesday"."""
_ROUTINES_SHIFTED = lazy_regex(
    rf"(?:\b(?:{_ROUTINES})\b[^.!?;]{{0,40}}?|{_SHIFT}[^.!?;]{{0,20}}?\b(?:{_ROUTINES})\b[^.!?;]{{0,20}}?)\b(?:to|on|auf)\s$",
    re.IGNORECASE,
)
_ANY_WEEKDAY = rf"(?:{any_of(weekdays('en', 'de'))})"
_BESIDE_ANOTHER = (
    lazy_regex(rf"\b{_ANY_WEEKDAY}\s?(?:,|and|or|\+|&|/|und|oder|[-–]|, and)\s?$", re.IGNORECASE),
    lazy_regex(rf"\s?(?:,|and|or|\+|&|/|und|oder|[-–]|to|through|till|bis)\s?{_ANY_WEEKDAY}\b", re.IGNORECASE),
    lazy_regex(rf"\b{_ANY_WEEKDAY}\s(?:to|through|till|bis)\s$", re.IGNORECASE),
)
"""A weekday before, a weekday behind, and the end of a span: several together are when something is every week."""
_BY_FOR = (
    lazy_regex(rf"\bby {_ANY_WEEKDAY} for $", re.IGNORECASE),
    lazy_regex(rf" for {_ANY_WEEKDAY}\b", re.IGNORECASE),
)
"""By when something is ordered for another day, each week: "order by Tuesday for Thursday"."""
_ROUTINE_FROM = lazy_regex(
    rf"\b(?:{_EACH_WEEK}|pilates|quiz|playgroup)\b[^.!?;]{{0,30}}?(?P<to>\bfrom {_ANY_WEEKDAY} to )?$",
    re.IGNORECASE,
)
"""From one day to another each week: "moved choir from Monday to Thursday"."""
_OF_ONE_WEEK = lazy_regex(
    r"\b(?:this|next|last|past|coming|diese|nächste|letzte)\b(?! (?:month|year|term|semester|season|spring|summer|autumn|winter)\b)",
    re.IGNORECASE,
)
_IN_ONE_WEEK = lazy_regex(
    r"\b(?:this|next|last|coming|following|diese|nächste|letzte|kommende)[rn]? (?:week|woche)\b", re.IGNORECASE
)
_SLOT = (
    r" (?:collections?|pick-?ups?|deliver(?:y|ies)|rounds?|class(?:es)?|lessons?|sessions?|rehearsals?|practice|training|shifts?|club|choir)\b"
    r"[^.!?;,]*?\b(?:now|these days|from now on)\b"
)
_EACH_WEEK_NOW = lazy_regex(
    rf"\bon (?:{any_of(f'{day}s' for day in weekdays('en'))})\b[^.!?]*?\b(?:now|these days|from now on|any ?more)\b"
    rf"|\b(?:now|these days|any ?more)\b[^.!?,;]*?\bon (?:{any_of(f'{day}s' for day in weekdays('en'))})\b"
    rf"|\b{_ANY_WEEKDAY}{_SLOT}",
    re.IGNORECASE,
)
_SLOT_NOW = lazy_regex(_SLOT, re.IGNORECASE)
"""What is so every week now has what follows from it every week: "Ben naps on Saturdays now, so the call is on Sunday"."""
_IN_A_NAME = (
    lazy_regex(
        r"\b(?:black|good|ash|shrove|fat|easter|whit|cyber|palm|super|sheffield|mardi|maundy|holy|giving|casual)\s$",
        re.IGNORECASE,
    ),
    lazy_regex(
        r"\s(?:school|roasts?|best|times|papers?|prayers?|league|driver|blues|girl|boy|lad|staff|job|club|market|crowd|shifts?)\b",
        re.IGNORECASE,
    ),
)
"""Weekdays that are part of a name: "Good Friday", "Sunday school"."""
_OWN_BEFORE = lazy_regex(r"\b(?:its|their|our|my|his|her|your)\s$", re.IGNORECASE)
_OWN_SLOT = lazy_regex(
    r"\s(?!(?:appointment|meeting|flight|interview|party|dinner|lunch|trip|date|exam|test|surgery|visit|call|train|game|match|show|"
    r"at|from|in|on|before|after|and|or|until|to|morning|afternoon|evening|night|is|was|will)\b)[a-z]{3,}",
    re.IGNORECASE,
)
"""What somebody has on a day every week: "the club lost its Thursday ice", and not "my Thursday appointment". Not after "'s", which
is as often a verb: "Dinner's Friday with Tom"."""
_CLOSED_BEFORE = lazy_regex(r"\b(?:is|are|ist|hat) (?:closed|shut|geschlossen|zu) $", re.IGNORECASE)
_YEARLY = lazy_regex(r"\b(?:birthday|b-?day|anniversary|name day|geburtstag|hochzeitstag)\b|誕生日|生日|記念日", re.IGNORECASE)
_MONTHLY = lazy_regex(
    r"\b(?:rent|salary|wages?|pay ?(?:day|check|slip)s?|paid|mortgage|bills?|instal+ments?|direct debits?|standing orders?|loan|"
    r"subscriptions?|fees?|allowance|pocket money|(?:re)?payments?|premiums?|council tax|readings?|broadband|comes? out|goes? out|monthly|every|each|usually|always)\b",
    re.IGNORECASE,
)
"""Beside "on the 1st", unless it is told as past: what comes every month."""
_A_MONTH = lazy_regex(r"\b(?:(?:a|per|each|every) month|monthly|p\.?c\.?m|p/m)\b", re.IGNORECASE)
"""In the sentence: "Rent is 1,650 a month, due on the 1st"."""
_OCCASION = lazy_regex(
    r"\b(?:party|dinner|lunch|brunch|celebrat\w+|trip|present|gift|feier|invited|went|had|was)\b", re.IGNORECASE
)

_COUNTED_BACK = (
    lazy_regex(r"\b(?:first|only|last|second|third) (?:time|one)(?: \w+){0,2} \Z", re.IGNORECASE),
    lazy_regex(r"(?:n['’]t|\b(?:not|never|hardly|barely))\b(?: \w+){0,2}? (?:\w{2,}(?:ed|en|wn|ne)|"
        rf"{any_of(past('en'))})\b[^.!?;,]*\Z", re.IGNORECASE),
)  # fmt: skip
_COUNTED_BACK_IN_YEARS = lazy_regex(
    r"\b(?:first|only|best|worst|(?:bigg|long|hott|cold|high|low|fast|slow|wett|dri|hard|loud|great|small|heavi|warm|happi|nic)est)"
    r"(?: \w+){0,2} \Z",
    re.IGNORECASE,
)

_FIRST_TIME = lazy_regex(r"\b(?:first|second|third|last|only) (?:time|one) $", re.IGNORECASE)
"""Of this year: it counts, and is not when."""
_DONE_WITHIN = lazy_regex(
    r"(?<!\bam )(?<!\bis )(?<!\bare )(?<!\bbe )(?<!['’]m )(?<!['’]s )(?<!['’]re )(?<!\bto )"
    r"\b(?:read|finished|did|built|painted|wrote|written|made|learn(?:ed|t)|drove|driven|walked|ran|cycled|rode|hiked|climbed|"
    r"crossed|covered|swam|knitted|sewed|sewn|baked|cooked|ate|drank|lost|gained|saved|earned|sold|grew|grown|completed|solved|cleaned|"
    r"cleared|renovated|assembled|packed|emptied|recovered|filled|watched|translated|dug)\b(?![^.!?;]*\b(?:to|that|will|would)\b)"
    r"[^.!?;]*\Z",
    re.IGNORECASE,
)
"""What was done within a time: "read it in two days" says how long it took, and nothing of what is to come."""


_WORDS_OF_AN_ITEM = 2
"""Words beside the date of an item in a list of what is to come: "The plan: roof in April, insulation in May"."""


def counts_back(text: str, match: re.Match[str]) -> bool:
    """Return whether "in three years" counts the years that were: "the first time in three years", "I haven't seen her in years",
    "built it in three years"."""
    start = match.start()
    low = max(0, start - 60)
    if match["which"] and uncased(match["which"]) == "this" and _FIRST_TIME.search(text, low, start):
        return True
    if not match["in"] or match[0].endswith("time"):
        return False
    if uncased(match["in_n"]) in ("a", "an") and uncased(match["in_u"]) in ("night", "weekend"):
        return True  # "take part in a night hike"
    if any(each.search(text, low, match.start()) for each in (*_COUNTED_BACK, _DONE_WITHIN)):
        return True
    return match["in_u"].lower() in ("year", "decade") and bool(_COUNTED_BACK_IN_YEARS.search(text, low, match.start()))


def is_how_long(text: str, match: re.Match[str]) -> bool:
    """Return whether "last" is a verb before a time: "the boiler will last ten years"."""
    return (
        match[0].lower().startswith("last")
        and match["span"] is not None
        and bool(_HELPS.search(text, max(0, match.start() - 30), match.start()))
    )


def is_part_of_a_stretch(text: str, match: re.Match[str]) -> bool:
    """Return whether "last" or "next" counts in something else than the calendar, or in what is planned: "in the last week of
    term", "for the last two nights I would stay in Sintra"."""
    if uncased(match["dayword"] or "") == "last night":
        return _OF_SOMETHING.match(text, match.end()) is not None
    if match["which"]:
        return uncased(match["which_u"]) in _UNITS_OF_STRETCHES and _OF_SOMETHING.match(text, match.end()) is not None
    if not match["span"]:
        return False
    if _OF_SOMETHING.match(text, match.end()):
        return True
    is_nights = uncased(match["span_u"]) == "night" and uncased(match["span"]) == "last"
    if not is_nights or tense(text, match.start(), match.end(), "", wide=True) == "past":
        return False
    return _COULD_NOT.search(_around(text, match.start(), match.end(), _SENTENCE_EDGE)) is None


_COULD_NOT = lazy_regex(
    r"\b(?:could(?:n['’]t| not| barely| hardly)|hadn['’]t|slept|sleeps?|sleeping|have|has)\b|['’]ve\b", re.IGNORECASE
)
_UNITS_OF_STRETCHES = frozenset(("day", "night", "weekend", "week", "month"))
_OF_SOMETHING = lazy_regex(
    r"\sof\s(?!course\b|all\b)(?:the|this|that|my|our|your|his|her|their|its|an?|every|each|term|school|work|summer|lent|"
    r"advent|uni|university|college|holidays?|lessons|class(?:es)?)\b",
    re.IGNORECASE,
)
_HELPS = lazy_regex(
    r"(?:\b(?:will|would|should|could|can|cannot|might|may|must|to|do|does|did)|n['’]t|['’]ll|['’]d)(?: (?:only|not|easily|still|at least))? \Z",
    re.IGNORECASE,
)


def tense(text: str, start: int, end: int, bound: str, *, wide: bool) -> Tense:
    """Return the tense of the words around `text[start:end]`; `bound` is its "until", "by" or "since" (lower case). `wide` checks
    the sentence where the clause does not say."""
    if bound == "by":
        return "future"
    if bound in ("since", "seit"):
        return "past"
    clause = _around(text, start, end, _CLAUSE_EDGE)
    if bound in ("until", "till", "til", "bis"):
        return "past" if _HAPPENED.search(clause) else "future"
    before = text[max(0, start - REACH) : start]
    if _COMPARED.search(before):
        return "past"
    if _is_shifted(text, start, end, bound, before) or _is_arranged(before, clause):
        return "future"
    if bound in ("from", "starting", "ab"):
        if _RAISED.search(before) or _STOPPED.search(before):
            return ""
        if _AGREED.search(before) or _begins_then(text, start, end, clause, wide=wide):
            return "future"
        if _WRITTEN_ON.search(before):
            return "past"
    if _WRITTEN_ON_GERMAN.search(before):
        return "past"
    if any(map(str.isdigit, text[start:end])) and _SIGNED_UP.search(before):
        return "future" if _HOLDS.search(before) else ""
    return _told_in_words(before) or _told(clause) or _told_around(text, start, end, clause, wide=wide)


_COMPARED = lazy_regex(
    r"\b(?:(?:more|less|better|worse|(?!earlier|later|sooner|rather|other)\w{3,}er) than|"
    r"(?:mehr|weniger|besser|schlechter|(?!früher|später|lieber|eher)\w{3,}er) als|(?:plus|moins) (?:\w+ )?(?:que |qu['’])|"
    r"(?:más|menos|mejor|peor) (?:\w+ )?que|(?:più|meno) (?:\w+ )?che|(?:mais|menos) (?:\w+ )?(?:do )?que)\s?\Z",
    re.IGNORECASE,
)
"""Words that compare with a time: "three kilos more than in March" tells of the last one."""


def _is_shifted(text: str, start: int, end: int, bound: str, before: str) -> bool:
    """Return whether something was put off to a day, or is for it, so that it is to come whatever the tense."""
    if before.endswith((" for ", " für ", " für den ")) or _SHIFTED_BEFORE.search(before):
        return True
    if text.startswith(("for ", "For "), start) and _SHIFTED_FROM.search(before):
        return True
    if _SHIFTED_ON.search(before) and _SHIFTED_BEHIND.match(text, end):
        return True
    return bound == "from" and bool(_TO.match(text, end) and _SHIFTED_FROM.search(before))


def _is_arranged(before: str, clause: str) -> bool:
    """Return whether somebody was asked, booked or gave notice for a day."""
    if _TO_DO.search(before) or _MADE_FOR.search(before) or _BOOKED.search(before):
        return True
    return before.endswith(_ENDS_ON) and _GIVES_NOTICE.search(clause) is not None


def _begins_then(text: str, start: int, end: int, clause: str, *, wide: bool) -> bool:
    """Return whether "from" a day says when something begins: "new job from 1 August", not "a letter from 1 August" nor "I worked
    there from 1 August"."""
    if _TO.match(text, end) or _HAPPENED.search(clause):
        return False
    return wide or not (_told(clause) == "past" or _WRITTEN_ON.search(text, max(0, start - REACH), start))


def _told_in_words(before: str) -> Tense:
    """Return the tense of what somebody said before a date, in words that are reported."""
    reported = _in_reported_words(before)
    if _WOULD.search(reported):
        return "future"
    return _told(reported) if reported else ""


def _told_around(text: str, start: int, end: int, clause: str, *, wide: bool) -> Tense:
    """Return the tense of the sentence of a date, where its `clause` tells none; "" where it is of no account."""
    alone = not clause.strip()  # "Ines had a baby girl, Marit, on the 9th"
    if not (wide or alone or _PLAIN_FUTURE.search(text, max(0, start - REACH), start)):
        is_item = len(clause.split()) <= _WORDS_OF_AN_ITEM
        return "future" if is_item and _told(_around(text, start, end, _SENTENCE_EDGE)) == "future" else ""
    return _told(_around(text, start, end, _SENTENCE_EDGE))


def _in_reported_words(before: str) -> str:
    """Return what stands between a verb of saying and a date, in the same sentence; empty where there is none."""
    found = [match.end() for match in _REPORTED.finditer(before)]
    return before[found[-1] :] if found and not _SENTENCE_EDGE.search(before, found[-1]) else ""


def _told(words: str) -> Tense:
    words = _AS_SAID.sub("", words)
    if _PLAIN_FUTURE.search(words):
        return "future"
    verbs = _HAS_GOT.sub(" has ", _DONE_TO.sub(r"\1\2", words))
    if any(not _is_a_name(verbs, each.start()) for each in _PAST.finditer(verbs)) or _SAME_FORM.search(words):
        return "past"
    return "future" if _FUTURE.search(words) else ""


_AS_SAID = lazy_regex(
    r"\bas (?:discussed|agreed|planned|promised|arranged|mentioned|requested|told|said|expected|advertised)\b", re.IGNORECASE
)
"""It says nothing of when: "starting 7 September as discussed"."""


def _is_a_name(words: str, at: int) -> bool:
    """Return whether what looks like a verb has a capital within a sentence: "Year 4 residential to Holt Fell, 20 to 22 May"."""
    return words[at].isupper() and words[at + 1 : at + 2].islower() and words[max(at - 2, 0) : at].rstrip()[-1:].isalnum()


def recurs(text: str, match: re.Match[str]) -> bool:
    """Return whether a day named in `text` recurs: "every Tuesday", "the first Monday of the month", a birthday."""
    before, after = text[max(0, match.start() - 30) : match.start()], text[match.end() : match.end() + 20]
    if _GIVEN_UP.search(before):
        return True
    if match["r_day"]:
        return is_beside_another(text, match)
    if match["weekday"] or match["which"]:
        return _weekday_recurs(text, match, before, after)
    if match["nth"]:
        clause = _around(text, match.start(), match.end(), _CLAUSE_EDGE)
        monthly = _MONTHLY.search(clause) or _A_MONTH.search(_around(text, match.start(), match.end(), _SENTENCE_EDGE))
        return bool(monthly or _EVERY_BEFORE.search(before)) and (_told(clause) != "past" or "every" in clause)
    dated = (
        (match["dmy"] and not match["dmy_y"])
        or (match["mdy"] and not match["mdy_y"])
        or (match["cjk_m"] and not match["cjk_y"])
        or match["dm"]
    )
    if not dated or match["named"]:
        return False
    if _EVERY_BEFORE.search(before):
        return True
    sentence = _around(text, match.start(), match.end(), _SENTENCE_EDGE)
    return bool(_YEARLY.search(sentence)) and not _OCCASION.search(sentence)


def is_of_a_birth(text: str, match: re.Match[str]) -> bool:
    """Return whether a day without its year is that of a birth, of which nobody says in which year: "Tom was born on 14 March"."""
    if match["month"]:
        return is_born(text, match.start(), match.end())
    if match["dmy_y"] if match["dmy"] else match["mdy_y"] if match["mdy"] else True:
        return False
    return is_born(text, match.start(), match.end())


def is_born(text: str, start: int, end: int) -> bool:
    """Return whether somebody is told to be born at the time that is named in `text[start:end]`."""
    return bool(_BORN.search(text, max(0, start - REACH), start) or _BORN_BEHIND.match(text, end))


_BORN_BEHIND = lazy_regex(r"(?: [^\s.!?;,]+){0,3} geboren\b")
_BORN = lazy_regex(r"\b(?:(?:was|were|i['’]m|is) born|geboren|born)\b(?: [^\s.!?;,]+){0,3} ?$", re.IGNORECASE)


def is_day_of_birth(text: str, start: int) -> bool:
    """Return whether the day at `start` is told to be that of somebody's birth: "née le 4 mai 1974", "Date of birth: 4 May 1974"."""
    return _BIRTH_BEFORE.search(text, max(0, start - 60), start) is not None


_BIRTH_BEFORE = lazy_regex(
    r"(?<!\w)(?:born|geboren|geb\.|née?s?|nacid[oa]s?|nascid[oa]s?|nat[oa]|ur\.|urodzon\w*|doğumlu|d\.?o\.?b\.?|date of birth|birth ?date|"
    r"geburtsdatum|geburtstag|date de naissance|fecha de nacimiento|data de nascimento|data di nascita|geboortedatum|data urodzenia|"
    r"doğum tarihi|родил\w+|дата рождения)(?:\(e\))?\s*:?\s*(?:(?:in|à|a|en|em|te|w)\s[A-ZÀ-Þ][\w-]+,?\s)?"
    r"(?:(?:on|am|le|el|il|em|op|dnia|dia|the|den)\s)?\Z",
    re.IGNORECASE,
)
_ROUTINE_WORDS = lazy_regex(
    rf"\b(?:{_EACH_WEEK}|pilates|footies?|matches|quiz|playgroup|gym|collections?|usually|always|normally|every|each|weekly)\b",
    re.IGNORECASE,
)


def is_routine(text: str, start: int, end: int) -> bool:
    """Return whether the sentence around a weekday is of what is each week, and names no week or time of its own."""
    sentence = _around(text, start, end, _SENTENCE_EDGE)
    return (
        _ROUTINE_WORDS.search(sentence) is not None and not _OF_ONE_WEEK.search(sentence) and not _PLAIN_FUTURE.search(sentence)
    )


def was_moved(text: str, start: int) -> bool:
    """Return whether something was moved from one day to another by the words before `start`: "moved choir from "."""
    return _WAS_MOVED.search(text, max(0, start - REACH), start) is not None


def is_in_one_week(text: str, match: re.Match[str]) -> bool:
    """Return whether the sentence of a phrase names one week: "In Leeds Monday to Wednesday next week"."""
    return _OF_ONE_WEEK.search(_around(text, match.start(), match.end(), _SENTENCE_EDGE)) is not None


def comes_back(text: str, match: re.Match[str]) -> bool:
    """Return whether a feast named in `text` is that of every year, or of years gone by."""
    sentence = _around(text, match.start(), match.end(), _SENTENCE_EDGE)
    return bool(_OF_MANY_YEARS.search(sentence) or _USUALLY.search(sentence) or _YEARLY.search(sentence))


def _weekday_recurs(text: str, match: re.Match[str], before: str, after: str) -> bool:
    if _EVERY_BEFORE.search(before) or _OF_THE_MONTH.match(after) or _CLOSED_BEFORE.search(before):
        return True
    if not match["weekday"] or match[0].lower().startswith("this"):
        return False
    if any(each.search(text, max(0, match.start() - 80), match.start()) for each in (_IN_A_NAME[0], _ROUTINES_SHIFTED)):
        return True
    if _WHICHEVER.search(before) or (_OWN_BEFORE.search(before) and _OWN_SLOT.match(text, match.end())):
        return True
    if _IN_A_NAME[1].match(text, match.end()) or _is_one_of_several(text, match):
        return True
    sentence = _around(text, match.start(), match.end(), _SENTENCE_EDGE)
    if _BINS.fullmatch(sentence):
        return True
    if _USUALLY.search(sentence):
        return True
    if _IN_ONE_WEEK.search(sentence):
        return False
    if _is_of_a_group(text, match) and not _OF_ONE_WEEK.search(sentence):
        return True
    if _IS_NOT.match(text, match.end()) or (_WEEKLY.search(sentence) and _told(sentence) != "past"):
        return not _OF_ONE_WEEK.search(sentence)
    named = _EACH_WEEK_NOW.search(sentence) or _SLOT_NOW.match(text, match.end())
    is_each_week = _ROUTINE.search(sentence) or (named and not _OF_ONE_WEEK.search(sentence))
    return bool(is_each_week and not _PLAIN_FUTURE.search(sentence))


def _is_of_a_group(text: str, match: re.Match[str]) -> bool:
    """Return whether a weekday is the one to which a class, a club or the like was moved, or the one from which it was."""
    low, start, end = max(0, match.start() - 80), match.start(), match.end()
    if _GROUP_SHIFTED.search(text, low, start):
        return True
    is_to = _SHIFTED_ON.search(text, low, start) is not None and _SHIFTED_BEHIND.match(text, end) is not None
    is_from = _TO_ANOTHER.match(text, end) is not None and (
        uncased(match["bound"] or "") == "from" or _FROM_GERMAN.search(text, low, start) is not None
    )
    return (is_to or is_from) and _GROUP_BEFORE.search(text, low, start) is not None


_TO_ANOTHER = lazy_regex(rf"\s(?:to|auf)\s(?:den\s)?{_ANY_WEEKDAY}\b", re.IGNORECASE)
_FROM_GERMAN = lazy_regex(r"\bvon\s$", re.IGNORECASE)
_WEEKLY = lazy_regex(r"\b(?:weekly|fortnightly|biweekly|wöchentlich\w*)\b", re.IGNORECASE)
_IS_NOT = lazy_regex(r"\s(?:isn['’]t|is not|ain['’]t)\b", re.IGNORECASE)
"""Of a day that is free, open or worked on each week, or is not: "Monday isn't"."""


def _is_one_of_several(text: str, match: re.Match[str]) -> bool:
    """Return whether a weekday is named beside others, and not as days of one week or of what has happened: "changed gym days to
    Tuesday and Friday". "Moved from Monday to Tuesday" names two days."""
    before, after, span = _BESIDE_ANOTHER
    low = max(0, match.start() - 80)
    if _BY_FOR[0].search(text, low, match.start()) or (match["bound"] and _BY_FOR[1].match(text, match.end())):
        return True
    if not (before.search(text, low, match.start()) or after.match(text, match.end()) or span.search(text, low, match.start())):
        return False
    sentence = _around(text, match.start(), match.start(), _SENTENCE_EDGE)
    routine = _ROUTINE_FROM.search(text, low, match.start())
    if routine and (routine["to"] or (uncased(match["bound"] or "") == "from" and _TO.match(text, match.end()))):
        return _OF_ONE_WEEK.search(sentence) is None
    if _SHIFTED_FROM_ONE.search(sentence) or _OF_ONE_WEEK.search(sentence):
        return False
    return not _PAST.search(sentence) or bool(_SHIFTED_TO.search(sentence))


def _around(text: str, start: int, end: int, edge: re.Pattern[str]) -> str:
    """Return the words between the edges before and after `text[start:end]`, at most `REACH` on either side."""
    low, high = max(0, start - REACH), min(len(text), end + REACH)
    for found in edge.finditer(text, low, start):
        low = found.end()
    following = edge.search(text, end, high)
    return f"{text[low:start]} {text[end : following.start() if following else high]}"
