"""What asks beyond doubt without a question mark, by grammar: one table, with a pattern, an example and a counter-example each.

People leave the mark out ("is Thursday's rehearsal in the crypt or the hall"), and notes begin like questions ("May is my cousin",
"did the laundry", "Where the hose is: in the shed"). A pattern stands here only where word order or a particle leaves no other
reading; all else is for the judge. One sentence without a comma or a colon is read: behind these a note says its answer.
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.vocabulary import vocabulary

LONGEST = 160
"""Characters of a question; who types more tells something as well."""

_OPENING = r"(?:(?:and|but|so|ok|okay|hey|hi|oh|well|und|aber|et|mais|y|pero|ma|en|maar|mas)[, ]+)?"
_NOT_WHOM = r"(?!(?:heck|hell|ever|not|never|and|or|is|was|are|were)\b)"
_I = rf"(?:i|we|he|she|they) {_NOT_WHOM}"
_ADVERB = r"(?:(?:ever|still|already|really|actually|also|even|usually|just|never|end up) )?"
_A_NAME = r"(?-i:(?:[A-Z][\w'-]+ ){1,3})"
_A_THING = r"(?:(?:the|my|our|his|her|their|that|(?-i:[A-Z][\w-]+'s)) (?:[\w'-]+ ){1,4}?|(?:any of|anybody|anyone|somebody|someone)(?: \w+){0,3}? )"
# Verbs that are no nouns: "did the school run" is a note, "did the boiler survive" is not.
_DOES = (
    r"(?:ever|get|go|come|say|agree|survive|arrive|happen|mention|decide|send|give|take|tell|eat|have|be|know|like|want|need|find|lose|keep|bring|buy|"
    r"see|hear|sell|become|begin|leave|accept|receive|explain|include|belong|live|die|grow|forget|remember|write|pay|ask|owe|drink|speak|prefer|allow)\b"
)
_DONE = (
    r"(?:been|had|got|gotten|come|gone|ever|yet|already|arrived|said|paid|sent|given|taken|told|eaten|seen|heard|sold|become|begun|left|written|asked|"
    r"run out|agreed|decided|replied|moved|called|expired|changed|started|finished|returned|fixed|booked)\b"
)
_WONDERED_AT = (
    r"(?:so|glad|happy|pleased|relieved|tired|proud|lucky|cross|angry|surprised|shocked|annoyed|delighted|excited|sad|sorry|ready for|stuffed|knackered|"
    r"in for|good|bad|bored|cold|hot|wrong)\b"
)
_OR = r"\bor (?!so\b|at least\b|rather\b|something\b|whatever\b|thereabouts\b|two\b|more\b|less\b|later\b|other\b|nothing\b|what\b|was\b|is\b)"
_WH = (
    r"(?:what(?: (?:time|size|day|date|colour|color|year|month|number|kind of \w+|sort of \w+|type of \w+))?|when|where|who|whom|which(?: \w+){1,3}?|"
    r"whose(?: (?!(?:it|he|she|they|i|we)\b)\w+){1,2}?|how (?:many|much|old|long|often|far|tall|big|heavy)(?: \w+){0,2}?)"
)
_NO_MARVEL = r"(?!what (?:is|was|are) (?:wrong|it with|the (?:point|matter|world|use)|not to|a|an)\b)(?!.*\b(?:do|did) i (?:have|need) to\b)"

RULES: tuple[tuple[str, str, str], ...] = (
    (rf"(?:did|does|do) (?!(?:i|we) (?:mention|tell|look|ever tell|miss|care)\b){_I}.+", "did I pay the electrician", "Did I mention we have a new dog"),
    (rf"(?:did|does|do) (?:{_A_NAME}|{_A_THING}){_ADVERB}(?<!to ){_DOES}.*", "did the rosemary survive last winter", "did the school run this morning"),
    (r"do you (?:still )?(?:remember|have|know) (?:my|the|where|when|what|who|which|how|whether|if)\b.+", "Do you still know my old postcode in Leeds",
     "Do you know we swam in that river daily"),
    (r"have (?!i (?:told|mentioned|said|got news|ever told|ever mentioned)\b)(?:i|we|they) (?:(?:ever|already|actually|still) )?"
     r"(?!to\b|a\b|an\b|the\b|my\b|our\b)\w+.*", "have i had my flu jab this autumn", "Have I told you how I dislike cinnamon"),
    (rf"has (?:(?:he|she|it|{_A_NAME.strip()}) ?|{_A_THING}){_ADVERB}{_DONE}.*", "has Solomon's cast come off yet", "Has the kids on Mondays"),
    (rf"have {_A_THING}{_ADVERB}{_DONE}.*", "have the gutters been done this autumn", "have the car washed on Friday"),
    (rf"am i (?!{_WONDERED_AT}).+", "am I free on the 17th", "am I glad that is over"),
    (rf"(?:is|was) (?:it|he|she|that|this) (?!{_WONDERED_AT}|what\b|how\b|why\b|all\b|not\b|just me\b|any wonder\b|too much\b|.*\bor (?:is|was)\b)[\w'-]+ .+",
     "was it raining when Grandad's ashes were scattered", "Is it just me and the dog again"),
    (rf"(?:are|were) (?:we|they) (?!to\b|{_WONDERED_AT}).+", "are we free on the 14th", "Were we to leave, the cat would stay"),
    (rf"(?:is|was|are|were) (?!the (?:best|worst|first|only|last|most)\b)(?:{_A_THING}|{_A_NAME})[^,]*?{_OR}.+",
     "is Thursday's rehearsal in the crypt or the hall", "Was the best or second best cake there"),
    (rf"(?:is|are) (?:{_A_THING}|{_A_NAME})(?:still|already|due|valid|open|free on|the one who|the one that)\b.+",
     "is my passport still valid in december", "is my cousin from Cebu"),
    (rf"(?:will|would|can|could) (?:{_A_NAME}|he |she |they )(?:ever |still |also )?(?:be|have|get|come|eat|need|know|want|go|take|bring|drink) (?:.+\byet|.+ {_OR}.+)",
     "Will Thandeka be there on Monday or only Gita", "Will Smith be here at ten"),
    (rf"{_NO_MARVEL}{_WH} (?:did|does|do|is|are|was|were|has|have|will|should|am) (?!this app\b|.*\bif not\b)(?:i|we|he|she|it|they|my|our|the|his|her|their|this|that|"
     r"(?-i:[A-Z][\w'-]+))(?!')\b.*", "where did I put the passport", "When it snows the 31 stops at the cemetery"),
    (r"(?:wo|wann|wohin|woher) (?!steht,? das|steht geschrieben)(?:hab|habe|hat|haben|hatte|hatten|ist|sind|war|waren|liegt|lag|steht|stand|wohnt|arbeitet|kommt|fährt|beginnt|endet|muss|"
     r"müssen|kann|soll|fliegen|fahren|treffen|läuft) (?!endlich\b).+", "wann kommt der Schornsteinfeger", "Wo früher die Garage stand ist der Hühnerstall"),
    (r"(?:wie (?:heißt|heisst|hieß|hiess|alt (?:ist|war|wird|sind)|viele? \w+ (?:hat|haben|hab|habe|sind|brauch\w+))|wem gehört|was (?:kostete?|wiegt|schulde)) .+",
     "wie hieß die Frau vom Elternabend", "Wie mein Chor heißt weiß jeder"),
    (r"(?:wer|was|wie|wo|wann|wem|wen|welche\w*) (?!.*\b(?:gelacht|geliebt)\b).*\bnoch ?mal\b.*", "wer war das nochmal mit dem Boot", "Was für ein Abend"),
    (r"(?:(?:où|quand|comment|pourquoi|combien|qui) )?est-ce qu(?:e |['’](?!on\b)).+", "est-ce que j'ai rendu le papier de la cantine",
     "quand j'étais à Rennes je jouais au hand"),
    (r"(?:ai-je|as-tu|a-t-(?:il|elle|on)|avons-nous|ont-(?:ils|elles)|est-(?:il|elle)|dois-je|faut-il|étai[ts]-(?:il|elle|ce)|avait-(?:il|elle|on)) .+",
     "as-tu l'adresse de Solange", "suis-je bête"),
    (r"(?:quel(?:le)?s? (?:est|était|sont|étaient) (?:le|la|les|l['’]|mon|ma|mes|son|sa|ses|notre|nos)|où (?:est|sont|était|étaient|habite|travaille)) ?.+",
     "quelle était la raison de ma brouille avec Geoffroy", "Quelle rigolade hier au karaoké"),
    (r"¿.+", "¿Cuándo viene Saúl", "Cuando llueve me duele el tobillo"),
    (r"(?:dónde (?:está|están|vive|trabaja|aparcamos|puse|dejé|guardé|compré|hay)|cuándo (?:es|fue|era|viene|vence|empieza|acaba)|cuál (?:es|era|fue) (?:el|la|mi|su)|"
     r"cómo se llama(?:ba)?|quién (?:me|nos) \w+(?:ó|io|ado|ido)\b) ?(?!.*\b(?:sé|sabe)\b).*", "dónde aparcamos la última vez en Bilbao", "Donde está el horno hay un armario"),
    (r"(?:dov['’](?:è|era)|quand['’](?:è|era)|qual (?:è|era)|quali sono|come si chiama(?:va)?|quanti anni (?:ha|aveva))(?! ?scritto\b) ?(?!.*\blo\b).+",
     "come si chiama la moglie di Gennaro", "Come piace a me il caffè"),
    (r"(?:waar (?!staat dat\b)(?:is|zijn|ligt|liggen|staat|had ik|heb ik|woont|werkt)|wanneer (?:is|was|komt|begint|loopt|moet(?:en)?)|hoe (?:heet|heette) (?:de|het|die|dat|mijn|onze)|"
     r"hoe (?:oud|laat|lang|ver|groot|zwaar) (?:is|was|moet(?:en)?)) (?!.*\b(?:weet|is nu|staat nu)\b).+", "hoe oud is die schildpad van Lonneke", "Waar vroeger de schuur stond is nu de moestuin"),
    (r"(?:wie|wat|waar|wanneer|hoe|welke|waarom) .*\book (?:al)?weer\b.*", "wat had Sietske ook weer tegen Tenerife", "wat zou ik graag vier dagen werken"),
    (r"(?:(?:o que|quando|onde|quanto|qual) (?:é|foi|era) que|qual (?:é|era|foi) (?:o|a)|como se chama(?:va)?|onde (?:está|estão|fica)) (?!escrito\b)(?!.*\b(?:aguenta|é|são)\b).+",
     "qual é o número do sapato do Caio", "Onde ficava o forno agora é a despensa"),
    (r"czy (?!.*\b(?:nie|czy|to)\b)\w+ .+", "czy ja komuś obiecałam sernik na sobotę", "Czy-tam to nazwa klubu książki"),
    (r"(?:gdzie (?:jest|są|mam|leży|leżą)|jak się nazywał?a?|kiedy mam|ile (?:kosztował?[ao]?|zapłacił[ae]m)) (?!.*\bto\b).+", "jak się nazywała ta knajpa w Toruniu",
     "Kiedy pada cieknie nad oknem"),
    (r"(?!.*[dt][ae]n \w+[ıi] var m[ıi]|.*\bnormal mi|.*bil[ıiuü]r m[ıiuü]).+ m[ıiuü](?:y[ıiuü]m|y[ıiuü]z|yd[ıiuü]\w*)?(?<!değil mi)", "aidatı ödedim mi", "Ne gündü ama"),
    (r".*(?:ですか|ますか|でしたか|ましたか|っけ)", "自転車の鍵、何番にしたっけ", "何時でもいいよ"),
)  # fmt: skip
_ASKS = tuple(lazy_regex(rf"{_OPENING}(?:{pattern})", re.IGNORECASE) for pattern, _, _ in RULES)

EXAMPLES = tuple((example, counter) for _, example, counter in RULES)

_SAYS_ITS_ANSWER = lazy_regex(r"[,:;!…]|\.\.|[?？].|\.\s|\s[–—-]\s")
_JAPANESE = lazy_regex(r"[\u3040-\u30ff]")


def asks_unmarked(text: str) -> bool:
    """Return whether one sentence without its question mark asks beyond doubt."""
    words = " ".join(text.replace("’", "'").split()).rstrip(".?？。 ")
    if not words or len(words) > LONGEST or "\n" in text.strip():
        return False
    if _SAYS_ITS_ANSWER.search(words) or (text.rstrip().endswith(".") and not _JAPANESE.search(words)):
        return False
    if _names_something(words):
        return False
    return any(pattern.fullmatch(words) for pattern in _ASKS)


def _names_something(words: str) -> bool:
    """Return whether what begins like a question is the subject of a second verb: "Are you there is what the toddler says", "Who
    is coming on Monday is Thandeka"."""
    said = words.lower().split()
    first = next((at for at, word in enumerate(said[:6]) if word in _AUXILIARIES), None)
    if first is None:
        return False
    for at in range(first + 2, len(said)):
        if said[at] in _BE and _OPEN_CLAUSE.isdisjoint(said[first + 2 : at]) and said[at - 1] not in _PRONOUNS:
            return True
    return False


_BE = vocabulary("is are was were")
_AUXILIARIES = _BE | vocabulary("am do does did has have will can could would should")
_OPEN_CLAUSE = vocabulary("who which that what where when how if whether because or and while since")
_PRONOUNS = vocabulary("i you he she it we they there this")

_RHETORICAL = lazy_regex(
    r"¿?(?:who'd have (?:thought|guessed)|who (?:would have|could have|knew|needs|wants|cares)|how could any|why (?:would|should) any|what's the (?:point|use)|"
    r"is(?:n't| there (?:a|any|anything|anyone)) .*\b(?:than|obvious|wonderful|lovely|great|marvellous|brilliant)\b|since when|what could be|"
    r"(?:can|would|could) you (?:believe|imagine)|do you know what|guess (?:who|what)|"
    r"(?:is|ist|c'è|esiste|hay|existe|há|czy jest|gibt es|y a-t-il|bestaat) .*\b(?:than|als|dan|niż|que|di|d') ?.*|.*[dt][ae]n \w+[ıi] var m[ıi]|"
    r"(?:is|ist|ti pare|te parece|acha|czy to|trouves-tu|c'est|.*) ?(?:\w+ )?(?:normaal|normale?|normalne) (?:mi|to|pagare|pagar|de|dass)\b|is dat normaal|czy to normalne|"
    r"who .*, (?:an? \w+)\W*$|wer .*, (?:eine?n? \w+)\W*$|(?:e io|e eu|to ja)\b|(?:moet ik nou|muss ich jetzt)\b|"
    r"(?:can i|is it possible to|si può|se puede|dá (?:pra|para)|kan ik|da się|peut-on|on peut|kann (?:ich|man)) .*(?:delete|erase|wipe|remove|export|löschen|"
    r"exportieren|borrar|exportar|cancellare|togliere|esportare|apagar|verwijderen|vergeten|exporteren|usunąć|supprimer|effacer|exporter)|"
    r"(?:non è|não é|hab ich nicht|habe ich nicht) (?:forse|o|a|il|la|die|der|das)\b|quem (?:é que )?não\b|(?:komu|po co) .*\b(?:potrzebn|jak)|wie heeft er nou|"
    r"ist (?:das|es|er|sie) .*\bnicht\b|wer (?:braucht|will) (?:schon|denn)|seit wann|"
    r"qui (?:l')?(?:aurait|a besoin)|peut-on vraiment|depuis quand|y a-t-il (?:plus|mieux)|"
    r"¿?(?:para qué|acaso|os podéis creer|te puedes creer|quién (?:necesita|quiere)|desde cuándo|hay algo (?:mejor|más))|"
    r"(?:chi (?:l')?avrebbe|esiste forse|mi pare|da quando|a che serve)|"
    r"(?:wie had dat gedacht|bestaat er iets|sinds wanneer|waarom een|wie houdt)|drie keer raden|"
    r"(?:pra que|para que|desde quando|há lá coisa|e não é que|adivinhem?|quem é que aguenta|quem (?:diria|precisa))|"
    r"(?:po co mi|czyż|od kiedy to|kto by)|.*(?:\bne yapayım\b|\bkim (?:dayanır|inanır)\b|\bne zamandan beri\b|\bne var şu\b)).*",
    re.IGNORECASE,
)
"""Questions that tell, with their mark ("Who needs a holiday in Spain?"), in their usual words, and those about what the product can do: these are for the judge to say."""


def may_tell(question: str) -> bool:
    """Return whether a question with its mark may be one that tells something."""
    return len(question) <= LONGEST and _RHETORICAL.match(question.replace("’", "'")) is not None
