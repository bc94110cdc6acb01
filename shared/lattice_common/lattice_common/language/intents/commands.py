"""Requests in words: one table, with a pattern and an example each.

A request must match from its first word to its last: "forget about dinner" tells something, "forget everything about dinner" is a
request. What destroys is previewed before it is carried out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lattice_common.domain.intent import Explain, Export, Forget, Order, Report, TakeBack
from lattice_common.language.intents.of_product import sign_of
from lattice_common.language.patterns import lazy_regex

LONGEST = 200
"""Characters of a request; a longer text tells something."""

_POLITE = (
    r"¿?(?:(?:please|hey|ok|okay|bitte|por favor|per favore|s'il te plaît|alsjeblieft|proszę|lütfen|can you|could you|would you|can we|could we|kindly|just|"
    r"i(?:'d| would) like you to|i(?:'d| would) like to|i want you to|kannst du|könntest du|können sie|könnten sie|peux-tu|tu peux|pourrais-tu|pouvez-vous|puedes|podrías|puoi|"
    r"potresti|kun je|kan je|wil je|podes|você pode|podias|możesz|mógłbyś|mogłabyś)[, ]+)*"
)
_AFTER = r"(?:[, ]*(?:please|bitte|por favor|per favore|s'il te plaît|alsjeblieft|proszę|lütfen|ください|thanks|thank you|danke|now))?[.!?？。\s]*"
_TOLD = r"(?:said|told you|told|wrote|added|saved|typed|entered|noted|put|mentioned)"
_LAST = (
    r"(?:that|it|this|(?:the|my|your|that) (?:last|latest|previous)(?: (?:one|thing|bit|part|note|change|entry|memory|message|statement|command|edit))?"
    rf"(?: (?:i|we) {_TOLD})?|(?:what|the (?:thing|bit)) i(?: just| have just|'ve just)? {_TOLD}"
    r"(?: (?:just now|before|a (?:second|moment|minute) ago))?)(?: from (?:the|my|your) (?:record|notes|memory))?"
)
_SAID = rf"(?:i|we)(?:'ve| have)? (?:ever )?{_TOLD}"
_ALL = rf"(?:everything|all|anything|whatever|what(?:ever)?|all that|everything that|the things|the stuff)(?: {_SAID}| you (?:know|remember|have|saved|stored))?"
_THINGS = r"(?:all )?(?:the |my |your |those |these )?(?:notes?|memor(?:y|ies)|entr(?:y|ies)|facts?|things?|records?)(?: (?:you have|i made|i wrote))?"
_NOTES = (
    r"(?:all )?(?:the|my|your|those|that|every|any) (?:last |latest )?(?:notes?|memor(?:y|ies)|entr(?:y|ies)|remarks?|records?|facts?|(?:things?|bits?|stuff)(?= (?:about|regarding|on) )|"
    r"duplicates?(?= about))"
)
_AWAY = (
    r"(?:forget|delete|remove|erase|wipe|scrap|strike|scratch|bin|trash|discard|cancel|retract|undo|take back|get rid of|throw (?:away|out)|never ?mind|"
    r"ignore|disregard|lose|ditch|chuck(?: out)?)"
)
"""Verbs that want what was told gone, where it is named as such: a note, or what somebody said."""
_MINE = r"(?:(?:all|all of) )?(?:(?:my|the|your|of my) )?(?:notes|memor(?:y|ies)|data|everything|entries|all)"


def _forget(match: re.Match[str]) -> Order:
    return Forget(_ARTICLE.sub("", _NOTE_ON.sub("", match["about"].strip(" .!?\"'“”"))))


_NOTE_ON = lazy_regex(
    r"^(?:everything|all|(?:the|that|those|my|all|any) (?:\w+ )?(?:notes?|entr(?:y|ies)|bits?|things?|stuff|facts?|pages?|records?|thing))(?: you(?:'ve got| have))? "
    r"(?:about|on|regarding|concerning) (?=\S)",
    re.IGNORECASE,
)
"""What is to go is the note; what it is about is looked for."""


_ARTICLE = lazy_regex(r"^(?:der|die|das|den|dem|le|la|les|el|los|las|il|lo|gli|os?|as|het)\s(?=\S)|^l'(?=\S)", re.IGNORECASE)
"""A memory is about "banque", whichever article its sentence has."""


_TABLE: tuple[tuple[Callable[[re.Match[str]], Order], str, str], ...] = (
    (lambda _: TakeBack(), rf"(?:undo|revert|take back|roll back|scratch|unsave)(?: {_LAST})?|(?:scrap|strike|cancel|bin|discard|trash|ignore|disregard) {_LAST}|"
     rf"never ?mind (?!(?:that|it|this)\b){_LAST}|never ?mind (?=that (?:last|latest|previous)\b){_LAST}|(?:never ?mind|no|oops|sorry|wait),? (?:delete|remove|scrap|undo|forget) (?:that|it)|take (?:that|it) back|(?:undo ?)+|"
     r"undo (?:whatever|what) i (?:just )?(?:did|said|wrote)(?: (?:just now|a (?:second|moment|minute) ago))?", "Undo that."),
    (lambda _: TakeBack(), rf"(?:forget|delete|remove|erase|discard) {_LAST}", "Forget the last thing I said."),
    (lambda _: TakeBack(), r"(?:mach(?:e)? (?:das|es|das letzte|den letzten schritt|die letzte änderung) (?:wieder )?)?rückgängig(?: machen)?|vergiss das(?: wieder)?|"
     r"(?:lösche?|vergiss|entferne?),? (?:das letzte|(?:die|meine) letzte (?:notiz|änderung)|den letzten eintrag|was ich (?:gerade|eben) gesagt hab(?:e)?)",
     "Mach das rückgängig."),
    (lambda _: TakeBack(), r"annule(?:r)?(?: (?:ça|cela|tout ça))?|oublie ça|(?:annule|supprime|efface|oublie) (?:la dernière (?:chose|note|modification|entrée)|"
     r"ce que je viens (?:de dire|d'écrire))", "Supprime la dernière note."),
    (lambda _: TakeBack(), r"desha(?:z|cer)(?:lo)?|olvida eso|(?:deshaz|borra|elimina|olvida) (?:eso|lo último|el último cambio|la última (?:nota|cosa)|"
     r"lo que acabo de (?:decir|escribir))", "Deshaz lo último."),
    (lambda _: TakeBack(), r"annulla(?: tutto)?|dimenticalo|(?:annulla|cancella|elimina|dimentica|togli) (?:l'ultima (?:cosa|nota|modifica)|"
     r"quello che ho (?:appena )?(?:detto|scritto)(?: (?:adesso|ora))?)", "Annulla l'ultima cosa."),
    (lambda _: TakeBack(), r"maak (?:(?:dat|het|het laatste|de laatste wijziging) )?ongedaan|(?:verwijder|wis|vergeet) (?:de laatste notitie|het laatste|"
     r"wat ik (?:net|zojuist) (?:zei|heb gezegd|schreef))", "Maak dat ongedaan."),
    (lambda _: TakeBack(), r"desfa(?:z|zer)(?: isso)?|(?:desfaz|apaga|elimina|esquece)r? (?:isso|a última (?:coisa|nota|alteração|anotação)|"
     r"o que (?:eu )?acabei de (?:dizer|escrever))", "Desfaz isso."),
    (lambda _: TakeBack(), r"cofnij(?: to)?|(?:cofnij|usuń|skasuj|zapomnij) (?:to|ostatni(?:ą|e)? (?:zmianę|rzecz|notatkę|wpis|zdanie)|co przed chwilą "
     r"(?:powiedziałem|powiedziałam|napisałem|napisałam))", "Cofnij ostatnią zmianę."),
    (lambda _: TakeBack(), r"geri al|(?:bunu|son (?:notu|değişikliği|yaptığımı|yaptığını|söylediğimi)) (?:geri al|sil|unut)(?:ır mısın)?", "Son değişikliği geri al."),
    (lambda _: TakeBack(), r"(?:(?:さっきの|今の|最後の)(?:メモ)?(?:を)?|それを)?(?:取り消して|元に戻して)|(?:さっきの|今の|最後の)(?:メモ)?を?(?:消して|忘れて)", "さっきのを取り消して。"),
    (_forget, rf"(?:forget|delete|remove|erase|wipe|clear|drop) (?:{_ALL}|{_THINGS}) (?:about|on|regarding|concerning|that mentions?|of|with) (?P<about>.+?)",
     "Forget what I said about Tom."),
    (_forget, rf"{_AWAY} (?:(?:everything|all(?: that)?|what(?:ever)?|the (?:things?|bits?|parts?)) {_SAID}|{_NOTES}) (?:about|on|regarding|concerning|mentioning|of|from) "
     r"(?P<about>[^,]+?)(?: from (?:the|my|your) (?:record|notes|memory))?", "Take back what I said about Tom."),
    (_forget, rf"{_AWAY} (?:everything|all|whatever) (?:you(?:'ve got|'ve| have| know| remember) )?(?:about|regarding|concerning|(?<=got )on|(?<=have )on) (?P<about>[^,]+?)",
     "Get rid of everything about the old landlord."),
    (_forget, r"(?:(?:den|die|alle|meine) (?:eintrag|einträge|notiz|notizen)|alles|was ich) (?:zu[rm]?|über|von) (?P<about>[^,]+?) (?:(?:gesagt|geschrieben|erzählt) habe )?(?:löschen|entfernen|vergessen)",
     "Kannst du den Eintrag zur Zahnspange löschen?"),
    (_forget, r"(?:oublie|supprime|efface)r? (?:(?:tout )?ce que (?:je t'ai|j'ai) (?:dit|écrit|noté|raconté)|(?:la|les|ma|mes|toutes les) (?:notes?|entrées?)|l'entrée) (?:sur|à propos de|de) (?P<about>.+?)",
     "Tu peux effacer ce que j'ai écrit sur Tom ?"),
    (_forget, r"(?:olvida|borra|elimina)r? (?:la|las|mi|mis|todas las) (?:notas?|entradas?) (?:sobre|acerca de|de) (?P<about>.+?)", "¿Puedes borrar la nota sobre Tom?"),
    (_forget, r"(?:dimentica|cancella|elimina)(?:re)? (?:l'appunto|gli appunti|la nota|le note|tutto) (?:su(?:l|llo|lla|i|gli|lle)?|d(?:i|el|ella)) (?P<about>.+?)",
     "Puoi cancellare l'appunto sulla caldaia?"),
    (_forget, r"(?:esquece|apaga|elimina|remove)r? (?:a|as|essa|aquela|todas as) (?:notas?|anotaç(?:ão|ões)) (?:sobre|do|da|de) (?P<about>.+?)", "Podes apagar a nota sobre a oficina?"),
    (_forget, r"(?:de|die|alle|mijn) (?:notities?|aantekeningen?) over (?P<about>.+?) (?:weggooien|verwijderen|wissen)", "Kun je de notitie over de kapper weggooien?"),
    (_forget, r"(?:zapomnij|usuń|skasuj|usunąć|skasować) (?:proszę )?(?:tę |moją |wszystkie )?(?:notatk[ęi]|wpisy?) o (?P<about>[^,]+?)", "Usuń proszę notatkę o remoncie."),
    (_forget, r"(?:forget|delete|remove|erase) (?:the fact )?that (?P<about>(?!i (?:asked|said anything)).+?)", "Forget that I live in Leeds."),
    (lambda _: TakeBack(), r"отмени(?:ть)?(?: (?:это|последнее|последнюю запись))?|(?:удали|сотри|забудь) (?:это|последнее|последнюю (?:запись|заметку)|то,? что я (?:только что|сейчас) "
     r"(?:сказала?|написала?))", "Удали последнюю запись."),
    (_forget, r"(?:забудь|удали|сотри) (?:(?:вс[её]|то)(?:,? что я (?:тебе )?(?:говорила?|сказала?|писала?|рассказывала?))?|вс[её],? что ты знаешь|что я (?:тебе )?"
     r"(?:говорила?|сказала?|писала?|рассказывала?)|(?:все )?заметки) (?:про|об?|обо) (?P<about>[^,]+?)", "Забудь всё, что я говорил про Тома."),
    (_forget, r"(?:vergiss|lösche?|entferne?|vergessen),? (?:alles,? )?was (?:ich|du|wir) (?:dir |vorhin |je )*(?:über|von|zu) (?P<about>.+?) "
     r"(?:gesagt|erzählt|geschrieben|weißt|gespeichert)(?: hab(?:e|en)?| hast)?", "Vergiss, was ich über Tom gesagt habe."),
    (_forget, r"(?:vergiss|lösche?|entferne?|vergessen),? (?:alles|was ich|alle (?:notizen|einträge))(?: (?:gesagt habe|weißt|erzählt habe))? (?:über|zu|von) (?P<about>.+?)",
     "Vergiss alles über Tom."),
    (_forget, r"(?:oublie|supprime|efface) (?:tout )?(?:(?:ce que (?:je t'ai|j'ai) (?:dit|écrit|noté|raconté)|ce que tu sais|les notes) )?(?:sur|à propos de) (?P<about>.+?)",
     "Oublie tout sur Tom."),
    (_forget, r"(?:oublie|supprime|efface) tout ce (?:qui concerne|que j'ai dit de) (?P<about>.+?)", "Supprime tout ce qui concerne la banque."),
    (_forget, r"(?:olvida|borra|elimina) (?:todo )?(?:(?:lo que (?:te )?(?:dije|conté|he dicho|escribí|sabes)|las notas) )?(?:sobre|acerca de) (?P<about>.+?)",
     "Borra todo sobre Tom."),
    (_forget, r"(?:olvida|borra|elimina) (?:todo lo (?:relacionado con|de)|(?:todo )?lo que (?:te )?(?:dije|conté) de) (?P<about>.+?)", "Olvida lo que te conté de Tom."),
    (_forget, r"(?:dimentica|cancella|elimina) (?:tutto|tutte le note|(?:tutto )?(?:quello|ciò) che (?:ti )?ho (?:detto|scritto|raccontato)) (?:su(?:l|llo|lla|i|gli|lle)?|d(?:i|el|ello|ella|ei|egli|elle)|a proposito di) (?P<about>.+?)",
     "Cancella tutto su Tom."),
    (_forget, r"(?:dimentica|cancella|elimina) (?:tutto )?(?:quello|ciò) che riguarda (?P<about>.+?)", "Cancella tutto quello che riguarda la palestra."),
    (_forget, r"(?:vergeet|verwijder|wis) (?:(?:alles|alle notities)(?: wat ik)?|wat ik(?: je)?) over (?P<about>.+?)(?: (?:zei|schreef|vertelde|gezegd heb|verteld heb|heb (?:gezegd|verteld)))?",
     "Vergeet wat ik over Tom zei."),
    (_forget, r"(?:esquece|apaga|elimina|remove) (?:tudo|todas as notas|(?:tudo )?o que (?:eu )?(?:te )?(?:disse|falei|contei|escrevi)) (?:sobre|do|da|de) (?P<about>.+?)",
     "Esquece o que eu disse sobre o Paulo."),
    (_forget, r"(?:zapomnij|usuń|skasuj) (?:(?:wszystko|wszystkie notatki)(?:,? co (?:ci )?(?:mówił[ae]m|powiedział[ae]m|napisał[ae]m))?|"
     r"co (?:ci )?(?:mówił[ae]m|powiedział[ae]m|napisał[ae]m)) o (?P<about>[^,]+?)",
     "Zapomnij wszystko o banku."),
    (_forget, r"(?P<about>.+?) hakkında (?:söylediklerimi|yazdıklarımı|her şeyi|söylediğim her şeyi|bildiğin her şeyi) (?:unut|sil)", "Kemal hakkında söylediklerimi unut."),
    (_forget, r"(?P<about>.+?)'?y?l[ae] ilgili (?:her şeyi|söylediklerimi|tüm notları) (?:unut|sil)", "Bankayla ilgili her şeyi sil."),
    (_forget, r"(?P<about>.+?)(?:について|に関する)(?:言ったこと|話したこと|の?メモ|こと)?(?:を|は)?(?:全部|すべて)?(?:忘れて|消して)", "銀行についてのメモを全部消して。"),
    (_forget, r"(?P<about>.+?)のこと(?:を|は)?(?:全部|すべて)(?:忘れて|消して)", "健太のこと全部忘れて。"),
    (lambda _: Export(), rf"(?:how (?:do|can) i )?(?:export|download|back ?up|give me (?:a copy of|an export of)|(?:send|get) me (?:a copy|an export) of) {_MINE}"
     r"(?: (?:as|to|in|into) [\w .]{1,20})?|export(?: it)?(?: all)?|download everything you know about me|give me all my notes as a file", "Export my notes."),
    (lambda _: Export(), r"(?:exportier(?:e|en)?|sichere?) (?:alles|(?:alle )?meine (?:notizen|daten|erinnerungen))(?: (?:als|in) [\w .]{1,20})?|(?:alles )?exportieren|"
     r"exporte(?:r)? (?:tout|(?:toutes )?(?:mes|les) (?:notes|souvenirs|données))(?: en [\w .]{1,20})?|"
     r"exporta(?:r)? (?:todo|(?:tod[oa]s )?mis (?:notas|recuerdos|datos))(?: (?:a|en|como) [\w .]{1,20})?|"
     r"esporta(?:re)? (?:tutto|(?:tutt[ei] )?(?:gli|i miei|le mie) (?:appunti|note|ricordi|dati))|"
     r"exporteer (?:alles|(?:al )?mijn (?:notities|gegevens|herinneringen))(?: (?:als|naar) [\w .]{1,20})?|"
     r"exporta(?:r)? (?:tudo|(?:todas )?(?:as )?minhas (?:notas|anotações)|(?:todos )?(?:os )?meus (?:dados|apontamentos))|"
     r"(?:wy)?eksportuj (?:wszystko|(?:wszystkie )?moje (?:notatki|dane|wspomnienia))|(?:notlarımı|her şeyi|verilerimi|anılarımı) dışa aktar|"
     r"(?:メモ|ノート|データ|記憶)を(?:全部|すべて)?(?:書き出して|エクスポート(?:して)?)", "Exportiere meine Notizen."),
    (lambda _: Explain(), r"help(?: me)?|what (?:can (?:you|i) (?:do|say|ask|tell you)|are you (?:able to do|good for))(?: (?:here|for me))?|how does (?:this|it) work|"
     r"how do i use (?:you|this)(?: thing)?|what (?:sort|kind)s? of things can i (?:say|ask|tell)(?: to)? you|what (?:commands|can i do)(?: (?:are there|here|do you know))?",
     "What can you do?"),
    (lambda _: Explain(), r"hilfe|was kannst du(?: (?:eigentlich|hier))?(?: (?:alles|tun|machen))?|welche befehle gibt es|aide|(?:que (?:sais|peux)-tu|qu'est-ce que tu (?:sais|peux)|"
     r"tu (?:sais|peux) faire quoi)(?: faire)?|ayuda|qué (?:puedes|sabes) hacer|aiuto|(?:che )?cosa (?:(?:sai|puoi)|sei capace di) fare|che funzioni hai|"
     r"wat (?:kun|kan) je(?: allemaal)?(?: voor me)?(?: doen)?|waar ben je goed voor|(?:o )?que (?:você )?(?:sabes?|pode[s]?|consegue[s]?) fazer(?: por mim)?|"
     r"pomoc|co (?:potrafisz|umiesz)(?: zrobić)?|do czego służysz|yardım|neler yap(?:abilirsin|abiliyorsun)|(?:sen )?ne işe yararsın|"
     r"何ができ(?:る|ます)(?:の|か)?|ヘルプ", "Was kannst du?"),
    (lambda _: Report(), r"status|how much do you (?:know|remember)|how many (?:things|memories|notes|facts) (?:do you (?:have|know|remember)|are there)|"
     r"how (?:big|full) is (?:my|the|your) memory|show (?:me )?(?:the )?status|wie viel weißt du", "How much do you remember?"),
)  # fmt: skip
_ORDERS = tuple((made, lazy_regex(rf"{_POLITE}(?:{pattern}){_AFTER}", re.IGNORECASE)) for made, pattern, _ in _TABLE)

EXAMPLES: tuple[str, ...] = tuple(example for _, _, example in _TABLE)

_LOOSE = lazy_regex(
    rf"{_POLITE}(?:forget|delete|remove|erase|wipe|scrap|strike|bin|trash|discard|get rid of|take back|lose|ditch) (?:about )?"
    rf"(?!(?:that|it|this)\b)(?P<about>[^.!?,\n]{{2,80}}?){_AFTER}",
    re.IGNORECASE,
)
"""What may be a request or not ("Delete the old gym", "Forget about dinner"): read as one only where it is known to be."""
_REASON = lazy_regex(r",\s(?![^,]*\b(?:after all|says?|said)\b)[^,.!?\n]+[.!]?$")
"""Why something is to be done, behind it: "Scrap that, no newts"."""


def order_in(text: str, *, meant: bool = False) -> Order | None:
    """Return the request in words; None where they are none. `meant`: the words are known to be a request, so ambiguous ones are
    read as such, and a question about the product asks what it can do."""
    words = " ".join(text.replace("’", "'").split())
    if len(words) > LONGEST:
        return None
    for made, pattern in _ORDERS:
        if (match := pattern.fullmatch(words)) is not None:
            return made(match)
    if meant and (match := _LOOSE.fullmatch(words)) is not None:
        return _forget(match)
    if meant and (reason := _REASON.search(words)):
        return order_in(words[: reason.start()])
    return Explain() if meant and sign_of(words) == "question" else None
