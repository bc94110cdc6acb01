"""What tells for certain how a sentence is meant: one table, a pattern and an example each, the first that fits decides.

Every pattern is read over a sentence in lower case with straight apostrophes. What is not certain is not here: that is for the
judge to say. `tests/unit/test_status.py` reads each example, and `python -m bench.status` counts what each is worth.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lattice_common.domain.judgement import Status
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.words import UNMISTAKABLE_MONTHS, any_of, number_words, past, weekdays


@dataclass(frozen=True, slots=True)
class Rule:
    """`example` is a sentence that the pattern is for."""

    status: Status
    pattern: re.Pattern[str]
    example: str


def _rule(status: Status, pattern: str, example: str) -> Rule:
    return Rule(status, lazy_regex(pattern), example)


_SAYS = (
    r"(?:says?|said|claims?|claimed|reckons?|reckoned|swears?(?: blind)?|swore(?: blind)?|insists?|insisted|maintains?|maintained|tells? (?:me|us)|"
    r"told (?:me|us|everyone|everybody)(?! off\b)|recommends?|recommended|promises|warns?|warned|predicts?|raves? about)"
)
_NOT_ME = r"(?<!\bi )(?<!\bwe )(?<!\bi've )(?<!\bi always )(?<!\bi never )(?<!\bi just )(?<!\bi also )(?<!\bto )"
_THINKS = (
    r"(?:thinks?|thought|(?:is|are|was|were) (?:still |now )?(?:under the impression|of the opinion)|believes?|believed|suspects?|suspected|fears?|feared|assumes?|assumed|(?:is|are|was) (?:quite |pretty |absolutely )?"
    r"(?:sure|certain|convinced|positive|adamant)|(?:has|have) heard|advises?|advised|suggests?|suggested|tells? (?:everyone|everybody|people))"
)
_CLAUSE = r"(?!(?:about|of|so|in|it over|twice|ahead|hard|back)\b)[\w'-]"
"""What follows is thought or said: nobody "thinks of" a claim, or "believes in" one."""
_TELLS = (
    r"(?:(?:keeps?|kept|is|are|was|were|been|started|goes|went)(?: always| still)? (?:on )?(?:saying|telling|claiming|insisting|(?:a?round )(?:saying|telling))\b|"
    r"(?:(?:tried|wanted|loves?|likes?) to (?:tell|convince|persuade)|told|tells) (?:me|us|him|them|everyone|everybody|people|the whole \w+|(?:my|our|her|his|their|the) [\w-]+|(?!to\b|it\b)[\w-]+) "
    r"(?:that )?(?:i|we|he|she|they|it)\b(?:'\w+)? )"
)
"""What somebody gives out to be so: "Mum keeps saying I'm allergic", "Ruby told her teacher we live on a farm"."""
_CHOSE = (
    r"(?:bought|went (?:with|for|to)|signed|took|joined|booked|ordered|named|called|adopted|chose|picked|rang|applied|agreed|"
    r"let|moved|married|quit|sold|rented|hired|accepted|got)"
)
_DROPPED = (
    r"(?:but (?:didn't|did not|no|then|in the end|decided|thought better|left it|never|we didn't|i didn't)|didn't|decided (?:against|not)|"
    r"dropped|shelved|scrapped|thought better|changed my mind|so no\b|it isn't for|isn't for us|not for (?:us|me)|it's a no|"
    r"instead|lost interest|pulled out|backed out|gave up the idea|more trouble|deleted it)"
)

_REFUSED = (
    r"(?:start|stop|turn|open|close|shut|let|work|budge|go|come|fit|connect|load|switch|eat|sleep|settle|listen|answer|leave|light|charge|flush|boil|print|"
    r"boot|wake|accept|lock|unlock|move|take|give|tell|say|talk)"
)
"""What somebody, or a thing, refused to do: "the key wouldn't turn"."""
_LONG_AGO = (
    r"\b(?:as (?:a |an )?(?:[\w-]+ )?(?:kids?|child(?:ren)?|boys?|girls?|students?|teenagers?|toddlers?)|back then|in those days|in the (?:old|early) days|growing up|"
    r"in (?:my|our|his|her) (?:youth|teens|twenties|student days|childhood)|"
    r"when (?:i|we|he|she|they|dad|mum|mom|\w+) (?:was|were) (?:still )?(?:little|small|young\w*|a |an |kids|children|alive|at (?:school|uni)|in |\d|"
    rf"{any_of(number_words(4, 10))}))"
)
_EVERY = (
    r"every (?:single )?(?:morning|evening|night|day|week|weekend|month|year|spring|summer|autumn|winter|christmas|easter|\w+day)"
)
_DID = r"(?!(?:like|love|be|have|rather|prefer|need|want|recommend|choose|say|advise|suggest|pick|cost|take it|mean|help|make it|say)\b)\w+"

RULES: tuple[Rule, ...] = (
    _rule("joked", r"\b(?:just |only )?(?:kidding|joking)\b(?! (?:around|aside))|\bapril fools?\b|\bjk\b|\(not\)\W*$|\bsaid no ?(?:one|body) ever\b",
          "I've stopped believing in alarm clocks. Kidding."),
    _rule("joked", r"\band (?:i'm the (?:pope|queen|king)|the pope's a|pigs (?:can |might )?fly)\b|\b(?:yeah|aye),? right\b",
          "Yes, and I'm the queen of Sheba."),
    _rule("joked", r"^(?:last night |then |and )?(?:i )?(?:dreamt|dreamed) (?:that |about )?(?:i|we|my|the|she|he|they|it)\b|\bin my dream\b",
          "Dreamt I was the captain of a ferry made of bread."),
    _rule("joked", r"\b(?:had|have|having) (?:a|an|the|this|that|another|such a|one of those) (?:[\w-]+ ){0,3}dreams?\b(?! (?:of|to|home|house|job|team|holiday|trip|come)\b)|"
          r"\b(?:dreamt|dreamed) (?:that )?(?:i|we|he|she|they|my|the)\b|\blast night\b.*\b(?:dreamt|dreamed)\b|\b(?:dreamt|dreamed)\b.*\blast night\b",
          "Had the weirdest dream, the dentist was a bear."),
    _rule("rejected", rf"\b(?:nearly|almost|all but) {_CHOSE}\b.*\b{_DROPPED}", "I nearly bought the blue one but didn't."),
    _rule("rejected", r"\b(?:came|was|were) (?:very |so |this |that |too )?close to \w+ing\b|\bwithin (?:an inch|a whisker|a hair's breadth) of \w+ing\b|"
          r"^(?:over my dead body|no chance|not a chance|fat chance|no way am i \w+ing .*)\W*$", "The surveyor came within an inch of condemning it."),
    _rule("uncertain", r"\bi could(?: have|'ve)? (?:swear|sworn)\b.*\bmaybe\b|^don't quote me\b|(?:^|[.!] )(?:(?:i|we|but|still|really|just) )*(?:haven'?t|have not|not)(?: really| yet)? decided(?: yet| on it)?\W*$|(?:^|[.!] )(?:still )?undecided\W*$", "I could swear I ordered forty, but maybe it was fourteen."),
    _rule("rejected", rf"^(?:(?:i|we|so|very) ){{0,2}}(?:nearly|almost) {_CHOSE}\b", "Nearly went with the blue one."),
    _rule("rejected", r"\bdecided against\b|\bdropped the idea\b|\bthought better of\b|\bon the verge of\b|\btoyed with\b|"
          r"\bcame to nothing\b|\b(?:idea|plan|option)[,:]? (?:rejected|dropped|buried|scrapped)\b",
          "We toyed with getting hens and decided they're more trouble than eggs."),
    _rule("rejected", rf"\b(?:thought (?:about|of)|considered|was going to|were going to|looked (?:at|into)|wanted)\b.*\b{_DROPPED}",
          "I considered a stairlift but decided against it."),
    _rule("rejected", r"^(?:(?:i|we|so|and) ){0,2}(?:turned down|said no to|declined)\b|\bturned (?:it|them|him|her) down\b|\bcould have sworn\b|"
          r"\b(?:was|were) (?:supposed|meant|going) to\b.*\b(?:but|didn't|never|cancelled|called off|instead)\b",
          "Turned down the offer of Nan's old caravan."),
    _rule("rejected", r"\bnot \w+ing\b.*\bafter all\b", "Not taking the fellowship after all."),
    _rule("asserted", r"^(?:ahora|jetzt|maintenant|adesso|agora|teraz|nu) (?:estoy|soy|trabajo|vivo|voy|tengo|vamos|vivimos|estamos|bin|habe|arbeite|"
          r"wohne|gehe|je suis|je travaille|j'habite|sono|lavoro|abito|sto|estou|trabalho|moro|ben|werk|woon|jestem|pracuję|mieszkam)\b",
          "ahora estoy en el Mercadona de la calle Real."),
    _rule("asserted", r"^(?:(?:yo )?(?:ya )?(?:dejé|he dejado|dejamos|hemos dejado)|(?:j'ai|on a|nous avons) (?:arrêté|abandonné|quitté)|"
          r"(?:ho|abbiamo) (?:smesso|lasciato|mollato)|(?:eu )?(?:deixei|deixámos|larguei|parei)|(?:ich hab|hab|habe|ich habe|wir haben) .*\b(?:aufgehört|aufgegeben|"
          r"hingeschmissen|abgemeldet)|(?:ik ben|ben|we zijn) (?:gestopt|opgehouden)|(?:rzuciłam|rzuciłem|przestałam|przestałem))\b(?! (?:de pensar|caer|claro|a idea|la idea|l'idée|l'idea))",
          "Dejé la cerámica, no me da la vida."),
    _rule("asserted", r"^(?:(?:je suis|on est|nous sommes) passée?s? (?:chez|à|au)\b|(?:je me suis|on s'est|nous nous sommes) (?:inscrit|mis|installé)e?s?\b|"
          r"(?:me he|nos hemos) (?:cambiado|pasado|mudado) a\b|(?:me|nos) (?:cambi[ée]|pas[ée]|mud[ée]|cambiamos|pasamos|mudamos) a\b|(?:sono|siamo) passat[oaie] a\b|"
          r"(?:mudei(?:-me)?|mudámos(?:-nos)?|passei|passámos) para\b|(?:ich )?bin (?:jetzt )?(?:zu|zur|zum|nach) .*\b(?:gewechselt|umgezogen)\b|"
          r"(?:ich )?hab(?:e)? (?:zu|zur|zum) .*\bgewechselt\b|(?:ik ben|ben|we zijn) overgestapt\b|(?:przeszedłem|przeszłam|przeszliśmy) (?:do|na)\b)",
          "Je suis passé chez Sosh, 15,99 par mois."),
    _rule("asserted", r"^(?:(?:ich|wir|also|aber|und|so) )*(?:bleib(?:e|en)?|behalt(?:e|en))\b(?!.*\b(?:wenn|falls|würde|bis|noch|vielleicht)\b)",
          "Bleibe aber bei Rieter"),
    _rule("joked", r"\b(?:es|era) (?:coña|broma)\b|\bestoy de (?:coña|broma)\b|\bje (?:plaisante|rigole|déconne)\b|\bc'est une blague\b|"
          r"\bsto scherzando\b|\bscherzo[,!. ]*$|\bgrapje\b|\bhaha\b.{0,6}\b1 april\b|\b(?:é|era) brincadeira\b|\best(?:ou|ava) a brincar\b",
          "mañana me hago monje, es coña jajaja"),
    _rule("joked", r"\b(?:april)?scherz\b|\bnur spa(?:ß|ss)\b|\bwar (?:nur |natürlich )*(?:ein |n )?witz\b", "war natürlich n aprilscherz"),
    _rule("uncertain", r"\b(?:entschieden ist noch nichts|noch nichts entschieden|noch nicht (?:entschieden|sicher|klar|fix)|nichts offizielles|steht noch nicht fest)\b|"
          r"^gerücht\b", "Entschieden ist noch nichts."),
    _rule("quoted", r"^(?!(?:ich|wir|du)\b)[\w.-]+(?: [\w.-]+){0,2} (?:hat|haben) (?:allen |mir |uns |ihm |ihr |\w+ )?(?:erzählt|behauptet|gemeint|gesagt|geschrieben),? "
          r"(?:dass|ich|wir|er|sie|es|die|der|das)\b", "Paula hat allen erzählt, ich wär schwanger."),
    _rule("quoted", r"^(?!(?:ich|wir|du|man)\b)[\w.-]+(?: [\w.-]+)? (?:sagt|sagte|meint|meinte|erzählt|erzählte), (?!(?:ich|wir)\b)\w", "Bänziger sagt, Rieter streiche 200 Stellen."),
    _rule("rejected", r"\b(?:beinahe|fast) hätte\b|\bvom tisch\b|\bdagegen entschieden\b|\bcasi (?:me|compro|compramos)\b|\bhemos descartado\b|"
          r"\bpresque (?:signé|acheté|pris)\b|\bj'ai renoncé\b|\bho rinunciato\b|\blasciato perdere\b|\bquase (?:fechei|comprei)\b|\bdesisti\b|"
          r"\btoch maar niet\b", "Beinahe hätte ich das Boot gekauft."),
    _rule("supposed", r"\b(?:would|wouldn't|could|might)(?: not)? ?(?:'ve|have) (?:been|\w+ed|\w+en|gone|become|had|bought|lived|left)\b.*\bif\b|"
          r"\bif (?:i|we|she|he|they|you|it)(?:'d| had)\b|\b(?:wouldve|would've)\b.*\bif\b",
          "If I'd known, I would have bought a second ham."),
    _rule("asserted", r"^(?:(?:so|ok|finally|we're|we are|i'm|i am)[,: ]+)*going with (?!(?:him|her|them|me|us|it|my|the|a|you)\b)(?!.*\b(?:if|maybe|perhaps|might|to|on|at)\b)\w",
          "Going with electrolysis and Caswell epoxy."),
    _rule("asserted", r"(?<!nearly )(?<!almost )(?<!'d )\b(?:went (?:with|for)|settled (?:on|for)|opted for|decided on|chose|picked|ended up \w+)\b"
          r"(?!.*\b(?:but|if|would|wish)\b).*\b(?:in the end|after all|instead)\b", "Went with Hog & Hearth in the end."),
    _rule("asserted", r"^(?:did|do|does|is|are|was|were|have|has|had|will|would|can|could)(?:n't)? [^?]{3,80}\? (?:no|nope|yes|yep|yeah|of course)\b",
          "Did the vet ring? No."),
    _rule("asserted", rf"(?<!\bi )(?<!\bwe )\b(?:wouldn't|would not) {_REFUSED}\b(?!.*\b(?:if|unless|even)\b)",
          "Took the bus because the Fiat wouldn't start."),
    _rule("asserted", r"^(?!.*\b(?:if|unless|wish|have)\b)(?:.*[,;.] |and |but )?(?:(?:i|we)(?: would|'d)|would)(?:n't| not)? (?:(?:definitely|certainly|probably|"
          r"happily|never|not|only|also) )*(?:buy|use|order|book|stay|eat|shop|hire|return|go|come|visit|watch|trust|recommend)\b"
          r"(?:.*\bagain\b|(?<=recommend)| back\b)", "Bit thin, wouldn't buy it again."),
    _rule("past", rf"^(?!.*\b(?:if|unless|would have)\b)(?=.*{_LONG_AGO}).*(?:\b(?:would|wouldn't|could|couldn't)\b|\w'd\b)(?! (?:like|love|rather|prefer|be nice|be lovely)\b)",
          "As a child I would spend the summers in Cork."),
    _rule("past", rf"^(?!.*\b(?:if|unless)\b)(?:{_EVERY},? .*\bwould (?:always )?{_DID}|.*(?<!\bit )(?<!\bthat )(?<!\bthis )\bwould (?:always |often |usually )?{_DID}.*\b{_EVERY}|"
          rf".*\bwould (?:always|often) {_DID})", "Every Sunday Grandad would take us fishing."),
    _rule("past", r"\bcould \w+ before (?:i|we|he|she|they|it) could\b|\bcould (?:already )?(?:read|write|swim|walk|talk|speak|ride|count|play)\b.*\b(?:at|by|before) "
          rf"(?:\d+|{any_of(number_words(1, 10))})\b(?!.*\bif\b)", "She could read at four."),
    _rule("asserted", r"(?:\b(?:am|is|are|get|gets|got|gotten|getting|grown)|'(?:m|re|s))(?: (?:not|still|now|quite|well|just|never|all|finally|already))? used to\b",
          "I'm not used to the noise yet."),
    _rule("supposed", r"^(?:had (?:i|we|he|she|they|it|(?:the|my|our) [\w-]+(?: (?:to|of|in|at|for|from|with) [\w-]+)?|(?!to\b|an?\b|some\b|no\b|the\b|my\b)[\w-]+) (?:not |never |only |just )?"
          r"(?:been|had|known|gone|come|seen|made|got|left|told|said|done|\w+e[dn])\b|(?:were|should) (?:i|we|he|she|they|it|the \w+|my \w+|\w+)\b).*(?:\bwould|'d\b|\bwouldn't|\bmight|\bcould)",
          "Had the nurse not looked twice, I wouldn't be here."),
    _rule("wished", r"\bif only\b|\b(?:i|we|she|he|they|so) (?:so |really |just |do )?wish(?:es)?\b(?! (?:you|him|her|them|us)\b)|^wish (?:i|we)\b|"
          r"\bbucket list\b|\bone (?:true )?wish\b", "I wish I'd kept Dad's letters."),
    _rule("asserted", r"^(?:if|when|whenever|in case) [^,;]{3,80}, ?(?:just |then |please |always |first |simply |you just |you )?(?:hold|press|push|pull|turn|"
          r"call|ring|phone|use|take|give|switch|unplug|plug|check|ask|try|put|open|close|shut|reset|restart|jiggle|kick|hit|wait|keep|leave|tap|pump|"
          r"lift|slide|bleed|add|shake|text|don't|do not|never)\b(?!.*(?:\bwould\b|'d\b))",
          "If the furnace won't start, hold the red button for ten seconds."),
    _rule("supposed", r"^(?:and |but |so |well,? )?(?:if|supposing|suppose|say|provided|assuming|in case|imagine)\b.*"
          r"(?:\bwould\b|\bwouldn't\b|'d\b|\bcould\b|\bmight\b|\bmay\b|'ll\b|\bwill\b|\bwon't\b)",
          "If we get the flat, I'll buy the piano."),
    _rule("supposed", r"^(?:and |but |so )?unless (?:i|we|he|she|they|it|you|the|my|our|\w+)\b[^,]*,", "Unless the bank agrees by Friday, the refit is off."),
    _rule("supposed", r"^in case (?:i|we|he|she|they|it|you|the|my|our|anyone|anybody|something|there)\b", "In case I don't wake up, the dog goes to Marlene."),
    _rule("supposed", r"(?:\bwould|'d\b|\bmight|\bcould)\b.*\b(?:if|unless|provided)\b (?:i|we|he|she|they|it|the|my|our)\b|\bwhat if\b|"
          r"\bin a world where\b|\bif (?:money|time) (?:was|were) no object\b", "I'd buy a boat if I won the lottery."),
    _rule("planned", r"\b(?:i|we)(?:'d| would) like to (?:go ahead|proceed|reserve|confirm|accept|place an order|cancel|"
          r"make an appointment)\b(?!.*\b(?:if|some ?day|one day|but|ideally)\b)", "We'd like to go ahead with the oak one."),
    _rule("wished", r"(?:\bi|\bwe|\bhe|\bshe|\bthey)(?:'d| would)(?: so| really| just| absolutely)? (?:like|love|adore|give (?:anything|my))\b(?! you to\b)|"
          r"\bwould (?:love|like) to\b|\bhow (?:nice|lovely|wonderful) (?:it )?would\b|\bwould be (?:heaven|a dream|lovely|nice)\b|"
          r"\b(?:my|our|his|her) (?:big |secret |number one )?dream (?:is|was|would)\b|\bi(?:'m| am)? ?(?:dream|dreaming|long|longing) (?:of|for)\b|"
          r"^longing for\b|^someday\b|\bmy heart's desire\b", "I would like to see the aurora."),
    _rule("wished", r"\b(?:hätte|wäre|würde) (?:ich )?(?:so |sehr )?gern\b|\bhätte ich doch\b|\bwenn (?:ich|wir) (?:doch )?nur\b|\bich wünschte\b|"
          r"\bj'aimerais\b|\bsi seulement\b|\bsi au moins\b|\bojalá\b|\bme (?:encantaría|gustaría)\b|\bvorrei\b|\bmi piacerebbe\b|"
          r"\bmagari\b.*sse\b|\bsonho em\b|\bquem me dera\b|\bhad ik maar\b|\bik zou graag\b|\bgdybym tylko\b|\bchciał[ab]ym\b|\bkeşke\b|したいなあ|してみたい",
          "Ich hätte gern einen Hund."),
    _rule("supposed", r"\bgesetzt den fall\b|\bhätte\b.*\bwär(?:e|en)?\b|\bwenn\b.*\bwürden?\b|\bsi me hubieran\b|\bsi tuviera\b|\bse eu tivesse\b|"
          r"\bse non ci fosse\b|\bstel dat\b|\bgdyby(?:m|ś|śmy|ście)?\b(?! tylko)|^仮に|\bsi j'avais\b", "Gesetzt den Fall, Svenja zieht aus."),
    _rule("quoted", r"\baccording to\b(?! (?:plan|schedule|me)\b)|\bapparently\b|\bsupposedly\b|\ballegedly\b|\brumou?r has it\b|"
          r"\bword (?:is|has it)\b|\bthey say\b|\bpeople say\b|\bi(?:'ve)? (?:heard|read somewhere) (?:that|from)\b|\bin (?:her|his|their) words\b|"
          r"\b(?:her|his) words\b|\bthe (?:advert|ad|label|sign|box|leaflet|website|brochure) says\b",
          "According to Femke, renewal is online only."),
    _rule("quoted", rf"\b(?:he|she|they|\w+'s \w+|(?:the|my|our|his|her) \w+(?: \w+)?|nan|mum|mom|dad|gran|grandma|grandpa) "
          rf"(?:also |always |still |once )?{_SAYS}(?! (?:yes|no|hello|hi|goodbye|thanks|sorry)\b)", "My hairdresser reckons coconut oil ruins fine hair."),
    _rule("quoted", rf"^(?:\w+ ){{1,3}}{_NOT_ME}{_SAYS}(?: that\b|,| (?:the|she|he|they|it|we|i|a|my|our|there|next|\w+ (?:is|are|was|will|has))\b)",
          "Kasia says that the bakery has closed."),
    _rule("quoted", rf"\b(?:he|she|they|everyone|everybody|\w+'s \w+|(?:the|my|our|his|her) (?:[\w-]+ ){{0,2}}[\w-]+|nan|mum|mom|dad|gran|grandma|grandpa) "
          rf"(?:also |always |now |already |really )?{_THINKS} {_CLAUSE}", "My brother-in-law is certain I've got Lyme."),
    _rule("quoted", rf"^(?:and |but )?(?!(?:i|we|you|who|what|can|would|never|please|didn't|don't|to)\b)[\w'-]+(?: \w+)?(?<!\bi)(?<!\bwe)(?<!\bstill) "
          rf"{_THINKS} {_CLAUSE}", "Maeve is sure the grey one has gone blind."),
    _rule("quoted", rf"^(?:so |and |but |then )?(?!(?:i|we|you|who|what|please|didn't|don't|to)\b)[\w'-]+(?: [\w'-]+){{0,3}}?(?<!\bi)(?<!\bwe)(?<!\bi've)(?<!\bi'm) {_TELLS}",
          "Ruby told her teacher we live on a farm."),
    _rule("quoted", rf"^(?:\w+ ){{1,3}}{_NOT_ME}(?:shout(?:s|ed)|yell(?:s|ed)|makes out|made out) (?:that )?(?:i|we|he|she|they|it|my|our|the)(?:'\w+)? \w",
          "Ian shouted we'd won forty thousand."),
    _rule("quoted", r"\bthe narrator(?:'s| is| has| was)\b", "In it the narrator's mother has run off to Norway."),
    _rule("joked", r"\btold \w+(?: \w+)? (?:that )?(?:i|we)\b.*\b(?:so (?:that )?(?:i|we) (?:didn't|don't|wouldn't|won't) have to|"
          r"to get out of (?:it|\w+ing)|white lie|which is a lie|fibbed|complete lie)\b", "Told Moira I had an appointment so I didn't have to sing."),
    _rule("quoted", rf"^(?:\w+ ){{1,3}}{_NOT_ME}{_SAYS} [\w-]+'(?:s|re|ll|d) ", "Kit says Joel's switching to Bristol."),
    _rule("quoted", r"^in (?:the|this|that|a|my) (?:novel|film|movie|book|series|show|play|story|audiobook|podcast)(?: [\w']+){0,5}? (?:i|we|he|she)(?:'m|'re|'ve|'s| am| are| was| were| have)? "
          r"(?:just |been |once )*(?:read|reading|saw|seen|watch\w*|listen\w*|heard)\b", "In the novel I'm reading the heroine gives blood."),
    _rule("quoted", r", (?:says|said|according to) (?!i\b|we\b|(?:he|she|they|it)(?:'\w| \w))\w+", "The maple has to come down, says the tree surgeon."),
    _rule("quoted", r", (?:sagt|meint|dit|dice|diz|zegt|mówi) (?!ich\b|man\b|wir\b|on\b|ik\b)[\w'’]+(?: \w+)?\W*$", "Jonas hat Laktoseintoleranz, sagt der Arzt."),
    _rule("quoted", r"^(?:laut|gemäß)\b|\bangeblich\b|^d'après\b|^selon\b|^según\b|\bdizem que\b|\bpare che\b|\bdicono che\b|^volgens (?!mij)\w|"
          r"\bpodobno\b|söylenene göre|によると|だそうです?|\b(?:sagt|meint|behauptet|schwört), (?:dass|er|sie|das|der|die)\b|"
          r"\bdice que\b|\bdice che\b|\bdit qu(?:e\b|')|\bdiz que\b|\bzegt dat\b|\bmówi,? że\b", "Laut Beipackzettel dunkel lagern."),
    _rule("quoted", r"\b(?:behauptet|schwört|vermutet|(?:meint|glaubt|denkt|findet|ist (?:sicher|überzeugt)),)|"
          r"\b(?:prétend|affirme|jure|soutient|croit|raconte|est (?:sûre?|persuadée?|convaincue?|certaine?)) qu(?:e\b|')|"
          r"\b(?:jura|asegura|cree|piensa|sostiene|afirma|cuenta|opina|está (?:segur[ao]|convencid[ao])(?: de)?) que\b|"
          r"\b(?:giura|sostiene|crede|pensa|racconta|afferma|assicura|è (?:sicur[ao]|convint[ao])) (?:che|di)\b|"
          r"\b(?:jura|acha|garante|afirma|conta|acredita|está convencid[ao] de|tem a certeza de) que\b|"
          r"\b(?:beweert|zweert|denkt|vindt|gelooft|houdt vol),? dat\b|"
          r"\b(?:twierdzi|uważa|myśli|przysięga|zapewnia|sądzi|upiera się),? że\b|"
          r"\b(?:diyor|söylüyor|iddia ediyor|sanıyor)\b|\b\w+[ıiuüaeyn]a göre\b", "Der Förster behauptet, am Joch sei ein Wolf durch."),
    _rule("uncertain", r"\bnot (?:(?:a )?(?:hundred|100) ?(?:percent|per cent|%)|(?:at all |so |too |entirely |quite |really )?(?:sure|certain|positive))\b"
          r"(?! (?:why|how|what)\b)|\bunsure\b|\bif i remember (?:rightly|right|correctly)\b|\biirc\b|\bas far as i (?:recall|remember|know)\b|"
          r"\bi'd have to guess\b|\bdon'?t quote me\b|\bhalf remember\b|\bmy hunch\b|\bno promises\b|\bor i'm imagining\b",
          "The code is 4417, I'm not sure."),
    _rule("uncertain", r"^(?:maybe|perhaps|possibly|probably)\b|\bmaybe (?:it|she|he|the|they)\b|^(?:vielleicht|wahrscheinlich|peut-être|quizás?|tal vez|a lo mejor|puede que|"
          r"forse|talvez|misschien|chyba|być może|belki|sanırım|たぶん|おそらく)\b|\bohne gewähr\b|\bsauf erreur\b|\bje n'en suis pas sûre?\b|"
          r"\bnon ne sono sicur[oa]\b|\bse non me engano\b|\bnicht sicher\b|\bemin değilim\b", "Perhaps the vase was from Aunt Zenobia."),
    _rule("supposed", r"^(?:and |but |so )?(?:(?:i|we|he|she|they|my \w+|dad|mum|mom)(?:'m|'re|'s| am| are| is| keep|(?:'ve|'s| have| has) been) |)(?:(?:still|now|seriously|also|half|just|vaguely|idly|again|been) )*"
          r"(?:looking (?:at|into) \w+ing\b|thinking (?:that )?(?:i|we) (?:might|may|could)\b|wondering about \w+ing\b|eyeing up\b|leaning towards?\b|"
          r"on the fence\b|shopping around for\b|thinking (?:of|about) (?:(?:maybe|perhaps|possibly) )?(?:\w+ing\b|a\b|an\b|another\b|switching)|considering (?!how\b|that\b|it\b|the (?:cost|price|weather)\b)\w|toying with|wondering (?:whether|if) (?:to|i should|we should)\b|"
          r"weighing up|mulling (?:over )?\w|debating whether|in two minds (?:about|whether)|tempted (?:by|to)\b|torn between)(?!.*\b(?:but|didn't|decided|then|instead|no longer|you)\b)|"
          r"^(?:ich überlege|wir überlegen|je pense à (?:acheter|prendre|changer|vendre)|on pense à|j'hésite|estoy pensando en|estamos pensando en|sto pensando di|stiamo pensando di|"
          r"estou a pensar em|estou pensando em|ik denk erover|we denken erover|ik overweeg|zastanawiam się)\b", "I'm thinking of getting a Pixel."),
    _rule("past", r"(?<!be )(?<!get )(?<!got )(?<!am )(?<!'m )(?<!is )(?<!are )(?<!was )\bused to (?!it\b|that\b|the\b|this\b|being\b|having\b)\w+|"
          r"\bno longer\b|\b(?:not|n't|never)\b.{1,60}\bany ?more\b|\bback when i\b|^früher\b|\bnicht mehr\b|\bne\b.{1,40}\bplus\b(?= (?:à|de|au|chez|dans)\b)|"
          r"\bya no\b|^avant (?:je|on|nous)\b|^prima (?:andavo|ero|vivevo|facevo)\b", "I used to swim every morning."),
    _rule("planned", r"^(?:(?:so|and|ok|well)[,:]? )?(?:i|we) (?:(?:said|agreed|offered)|(?:told|promised)(?: \w+){0,2}?)(?: that)? "
          r"(?:i|we)(?:'d| would|'ll| will) (?!(?:love|like|rather|prefer|never|not|always|already|just|been|had|"
          rf"{any_of(past('en'))})\b|\w+ed\b)\w+(?!.*\b(?:if|unless|but|although|though)\b)",
          "I said I'd write the brief."),
    _rule("planned", r"^(?:(?:so|ok|right|and)[,:]? )?(?:gonna|going to) (?!(?:the|a|an|my|our|be|miss|need)\b)[a-z]+(?!.*\b(?:if|but|unless|maybe|might|was|were)\b)",
          "gonna start running on monday."),
    _rule("planned", r"\b(?:i|we|he|she|they)(?:'m| am|'re| are|'s| is) (?:going to|gonna|about to) (?!the\b|a\b|an\b|my\b|our\b|see the\b)[a-z]+|"
          r"\bplanning (?:to|on)\b|\b(?:i|we)(?:'ll| will)\b(?! (?:always|never|not)\b)|\bis (?:booked|scheduled) for\b",
          "We're going to repaint the hall in May."),
    _rule("asserted", r"^(?:so |and |but )?(?:i(?:'m| am)|we(?:'re| are)|i was)(?: so| very| really| just)? (?:glad|relieved|thankful|pleased|happy)(?: that)? (?:i|we|he|she|they|it)\b"
          r"(?:(?!\b(?:if|would|will|'ll|'d)\b).)*$", "I am glad I kept it."),
    _rule("asserted", r"^(?:so |and |but )?(?:i|we)(?:'m|'re| am| are) (?:staying|keeping|sticking)\b(?! (?:if|unless|until|till|for|over|the night)\b)(?!.*\b(?:if|unless|might|may|maybe|until|till|next|tomorrow|tonight|weekend|week|nights?)\b)",
          "So we're staying at 14 Market Row."),
    # A plain report of a change: the judge has read some of these as considered and dropped.
    _rule("asserted", r"^(?:(?:ok|so|well|finally|and|yes)[,:]? )?(?:i|we|he|she|they)(?:'ve|'s| have| has)?(?: just| finally| now| also)? "
          r"(?:switched|moved|changed|swapped|transferred|upgraded|downgraded|replaced|sold|quit|started|stopped|left|joined|retired)\b"
          r"(?!.*\b(?:if|would|nearly|almost|but|not|dream\w*|wish\w*|says?|said)\b|.*n't\b)",
          "I switched to the day shift."),
)  # fmt: skip


def status_by_rules(words: str) -> Status | None:
    """Return how words are meant by themselves; None where no rule is certain."""
    said = " ".join(words.lower().replace("’", "'").split())
    return next((rule.status for rule in RULES if rule.pattern.search(said)), None)


REPORTED = lazy_regex(
    r"\b(?:said|says?|saying|told|tells?|according|hear[ds]?|claim\w*|apparently|reckon\w*|th(?:ink|inks|ought)|supposed\w*|alleged\w*|"
    r"rumou?r\w*|swear\w*|swore|insist\w*|promis\w*|mention\w*|writes?|wrote|quot\w*|read|believ\w*|announc\w*|argu\w*|word is|goes)\b|[“\"„«]",
    re.IGNORECASE,
)
"""In English nothing is what somebody said without any of these: the judge takes a plain statement about others for that at times
("My brother Ilya lives in Lisbon.")."""

_ENGLISH = lazy_regex(
    r"\b(?:the|my|our|his|her|their|i|we|he|she|they|is|are|at|of|with|and|for|every|on|here|till|until|this|it's|there)\b",
    re.IGNORECASE,
)
_CONDITIONAL = lazy_regex(
    r"\b(?:if|would\w*|could\w*|might|may|suppos\w*|unless|imagine|should|were|had|provided|assuming|in case|case|say|else|otherwise|then|"
    r"either|or|option|plan [a-d])\b|'d\b(?! (?:run out|just|already|never|been|had|always|forgotten|gone|left|lost)\b)",
    re.IGNORECASE,
)
_SPEAKS_OF_THE_PAST = lazy_regex(
    r"\b(?:was|were|wasn't|weren't|had|hadn't|did|didn't|been|used to|once|former\w*|previous\w*|earlier|late|until|till|up to|ago|since|back|then|"
    r"longer|any ?more|over|last|when|those|gone|not now|before (?:that|then|the|my|our|his|her|their|i|we|he|she|they)|before$|ex|(?:19|20)\d\d|"
    r"\w{2,}ed|'d)\b|\bex-",
    re.IGNORECASE,
)
_WORD = lazy_regex(r"[a-z']+")


def is_present(text: str) -> bool:
    """Return whether a plain English text has no word of the past, so that it is not over what it says: the judge takes habits for
    that at times ("I swim at Leisureland before work.")."""
    words = text.lower().replace("’", "'")
    if not words.isascii() or not _ENGLISH.search(words) or _SPEAKS_OF_THE_PAST.search(words):
        return False
    return past().isdisjoint(_WORD.findall(words))


ASIDE = lazy_regex(r"\s*\([^()]{1,60}\)")
"""What is put in beside who says something: "Die Chefin (Frau Brandl) meint, …"."""


def has_no_condition(text: str) -> bool:
    """Return whether an English text has no word of a condition, so that it supposes nothing: beside a sentence that does, the
    judge takes plain ones for supposed at times ("Kids are at Mum's till Sunday."). Of 624 parts of notes that are supposed 30
    have none in their sentence."""
    words = text.replace("’", "'")
    return words.isascii() and _ENGLISH.search(words) is not None and _CONDITIONAL.search(words) is None


_TO_COME = lazy_regex(
    r"\b(?:will|won't|shall|going|gonna|plan\w*|next|tomorrow|tonight|soon|later|booked|due|until|till|from|starting|starts?|begins?|this|once|when|after|"
    r"before|today|must|need\w*|should|moving|to)\b|'ll\b",
    re.IGNORECASE,
)
_REPEATED = lazy_regex(
    rf"\b(?:every|always|usually|normally|mostly|{any_of(f'{day}s' for day in weekdays('en'))}|weekly|daily|weekends)\b",
    re.IGNORECASE,
)
_DOES = lazy_regex(
    r"^(?:i|we) (?:(?:only|also|both|all|just|still) )?(?:get|have|buy|take|eat|drink|use|keep|pay|order|shop|share|grow|bake|cook|rent|own|do)\b"
    r"(?!.*\d)",
    re.IGNORECASE,
)
_DATED = lazy_regex(
    rf"\b(?:will|going to|gonna|next|tomorrow|tonight|soon|later|today|this|until|till|after|before|when|have to|got to|{any_of(weekdays('en'))}|"
    rf"{any_of(UNMISTAKABLE_MONTHS)}|in may|at (?:noon|{any_of(number_words(1, 12))}))\b|'ll\b",
    re.IGNORECASE,
)


def is_usual(text: str) -> bool:
    """Return whether a plain English text says what is done again and again, or is so, and has no word of what is to come: the
    judge takes it for planned at times ("We get our veg box from Riverford.")."""
    words = text.lower().replace("’", "'")
    if not words.isascii() or not _ENGLISH.search(words):
        return False
    if _DOES.match(words):
        return not _DATED.search(words)
    return _REPEATED.search(words) is not None and not _TO_COME.search(words)


CUES = lazy_regex(
    r"\b(?:if|unless|would\w*|could\w*|might|may|maybe|perhaps|probably|possibly|wish\w*|hop(?:e|es|ing)|dream\w*|want\w*|like to|love to|"
    r"long(?:ing)? for|someday|said|says?|saying|told|tells?|claim\w*|reckon\w*|swear\w*|swore|insist\w*|according|apparently|"
    r"alleged\w*|rumou?r\w*|heard|think|thinks|thought|guess|believe\w*|suppos\w*|sure|certain|nearly|almost|consider\w*|decid\w*|against|drop\w*|"
    r"instead|toy\w*|not|no|never|but|used to|anymore|longer|until|were|had|should|imagine|kidding|joking|lol|haha|jk|oh|wow|great|brilliant|"
    r"yeah|will|going|gonna|plan\w*|tomorrow|recommend\w*|advice|seems?|about)\b|[’'](?:d|ll|ve)\b|[?!…\"“”~]|\bn't\b",
    re.IGNORECASE,
)
"""A sentence of English without any of these is taken for asserted where thousands are read at once: of those with one the
judge is asked."""
