"""What speaks of the product itself: an instruction to it ("merge the two entries", "dark mode on"), or a question about it ("do you
work offline?"). One table for each language: what the product is and holds, and what is done to that.

A sign, and no proof: "Print the list" may be an errand. The judge's probability that something is to be done is raised by it
(`raised`), so that the sign decides where the judge is in doubt, and doesn't where it is sure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lattice_common.language.patterns import lazy_regex

LONGEST = 160
"""Characters of an instruction; who types more tells something."""

Sign: TypeAlias = Literal["command", "question", "change"]


@dataclass(frozen=True, slots=True)
class _Words:
    """Of a language. `things`: what the product is and holds; `done`: verbs of what is done to it, as an order; `asks`: a question
    about it; `named`: settings that are switched by their name alone."""

    things: str
    done: str
    asks: str
    named: str


class _Table:
    """The patterns of a language."""

    def __init__(self, words: _Words, opening: str = r"\b") -> None:
        self.asks = lazy_regex(words.asks, re.IGNORECASE)
        self._things = lazy_regex(rf"\b(?:{words.things})", re.IGNORECASE)
        self._done = lazy_regex(rf"{opening}(?:{words.done})", re.IGNORECASE)
        self._named = lazy_regex(rf"(?:{words.named})\W*", re.IGNORECASE)

    def commands(self, text: str) -> bool:
        """Return whether a text has an order and what it is carried out on, or names a setting."""
        if self._named.fullmatch(text) is not None:
            return True
        return self._done.search(text) is not None and self._things.search(text) is not None


_OPENING = (
    r"(?:^|[,;:.!] |\b(?:please|now|then|and|so|just|can|could|would|can't|will) (?:you |we |i )?|\bi(?:'d| would) (?:like|love|want|need) you to |\bi want you to |"
    r"\b(?:time|ready|how (?:do|can|would) (?:i|you|we)|want(?:ed)?|like|able|possible|a way|be great) to )(?:(?:please|just|kindly|also|now) )*"
)
"""What stands before an order in English: nothing, or politeness."""

ENGLISH = _Words(
    things=r"(?:this|the|your) (?:app|thing|program|tool|site|box|screen|window|menus?|settings?|preferences|search box|sidebar|interface)\b|(?:in|on|of|from) here\b|yourself\b|"
    r"(?:your|the) (?:memory|records?|voice|speech|microphone|answers|digest|history)\b|settings\b|preferences\b|notifications?\b|reminders?\b|digest\b|summar(?:y|ies)\b|"
    r"(?:dark|light|night|reading|private|quiet) (?:mode|theme)\b|theme\b|contrast\b|fonts?\b|letters (?:larger|bigger|smaller)|(?:text|letter) size|backups?\b|shortcuts?\b|animations\b|"
    r"(?:my|the) (?:account|password|passcode|pin|contacts|calendar|entries|notes?|diary|recipes|records|conversation|features)\b|(?:a|an) (?:pin|passcode|shortcut)\b|"
    r"(?:entry|entries|notes?|memories|tags?|records|duplicates)\b|csv\b|json\b|pdfs?\b|telegram\b|evernote\b|outlook\b|the printer\b|voice\b|speech\b|sounds?\b|microphone\b|"
    r"what (?:you|i) (?:just )?(?:did|said|typed|wrote|entered)\b|(?:the )?same (?:person|man|woman|dog|cat|thing)\b|updates\b|asking (?:me|whether|if|about)\b|(?:about|of|on) (?:everywhere|all of them)\b",
    done=r"(?:turn|switch|swich|set|put|mute|unmute|silence|pause|snooze|dismiss|cancel|stop|hide|show the (?:help|settings|menu)|open|close|lock|share|print|send|export|import|download|"
    r"upload|save|load|restore|back|connect|disconnect|link|hook|sync|merge|join|combine|split|rename|pin|unpin|tag|untag|archive|sort|delete|del|remove|erase|wipe|clear|forget|discard|"
    r"undo|redo|rewind|bring|update|install|check for|reset|resize|mark|schedule|enable|disable|activate|slow|change|make|lose|ditch|chuck|throw|get rid|unlearn|strike|scrap|bin|"
    r"give me (?:a |the )?tour|take me to|drop)\b",
    asks=r"^(?:and |so |but |ok |hi,? |hey,? )*(?:(?:can|could|do|does|will|is|are|how|what|which|where|who|may|am)\b).*\b(?:this (?:app|thing|program|tool|site)|(?:write|put|type|say|enter|keep|stored?) "
    r"(?:in )?here|in here|the (?:settings|app|search box|microphone)|shortcuts?|(?:attach|upload|import) (?:a |an |my |some )?\w+)\b|"
    r"^(?:and |so |but )*(?:can|could|do|does|are|will|would) (?:you|it|this) (?:also |actually |ever |only |really |just |able to |even )*(?:work|run|function|sync|support|store|save my|send (?:my|any|things)|"
    r"encrypt|understand (?:\w+ )?(?:languages?|english|german|french|spanish|polish|dutch)|speak|read (?:my )?(?:pdfs?|photos?|images?|e-?mails?|files?|handwriting|attachments?)|"
    r"take (?:in )?(?:voice|photos?|pictures?|pdfs?|images?|files?)|do (?:voice|reminders|photos|pdfs)|cost|handle (?:photos|pdfs|images|files)|listen|spy)\b|"
    r"^(?:which|what) (?:languages?|file (?:types?|formats?)|formats?|kinds? of files?) (?:can|do|are|does)\b|^what (?:can|do) you (?:\w+ )?do\b|what (?:else )?can you do\b|"
    r"^(?:what|which) version\b|^how (?:do|can|would) (?:i|we|you) (?:\w+ )?(?:you|this)\b|^(?:where|how) (?:do|are|is) (?:you |my |the )?(?:store|keep|save|data|stuff|notes|backups?)\b|"
    r"^(?:is|are) (?:my|the|what|all) (?:data|stuff|notes|things|words|what i \w+|i \w+)\b.*\b(?:stored|saved|encrypted|private|safe|secure|shared|backed up|kept|server|cloud)\b|"
    r"^is there (?:a|an|any) (?:\w+ )?(?:shortcut|limit|dark|night|setting|menu|app|way to (?:export|import|delete|undo|get my|change my))|^who (?:else )?can (?:see|read)\b.*\b(?:i|here)\b|"
    r"^can i (?:use|dictate|talk|export|import|install|undo|attach|upload|share my|delete|trust) (?:you|to you|this|my (?:notes|data)|photos?|pictures|files?|pdfs?|a (?:photo|picture|file)|single|it)\b|"
    r"\bhow do i (?:load|get|import|bring) (?:it|them|that|those|these) (?:in|into)\b",
    named=r"(?:please )?(?:the )?(?:dark|light|night|reading|read aloud|private|quiet) (?:mode|theme)(?: (?:on|off|please|again|pls))*|high contrast(?: (?:on|off))?|full ?screen|"
    r"(?:bigger|smaller|larger) (?:font|text|letters|print)\b.{0,40}|(?:font|text) size (?:up|down|\d+)(?: \w+)?|(?:voice|sound|speech|microphone|notifications|reminders) (?:on|off)\b.{0,30}|settings|factory reset|"
    r"(?:log|sign) (?:me )?(?:out|off)(?: .{1,30})?|(?:un)?mute(?: yourself)?|redo|rewind(?: \w+ steps?)?(?: please)?",
)
"""An order begins a clause, and its verb has the form that it has there."""

GERMAN = _Words(
    things=r"app\b|programm\b|menüs?\b|einstellung|benachrichtigung|erinnerung(?:en|stöne)?\b|schrift\b|buchstaben\b|design\b|modus\b|theme\b|ton\b|stimme\b|vorlese|sicherung|backup|eintr[aä]ge?n?\b|notiz|"
    r"gerät\b|konto\b|passwort|datei|druckers?\b|pdf\b|csv\b|album\b|liste\b|was ich .*(?:geschrieben|gesagt|erzählt)|alles, was|speicher|gespeichert|sprache\b|tonsignal",
    done=r"(?:lösche?n?\b|vergiss|vergessen|entferne?n?|wirf|werfe|nimm|streich\w*|stell\w*|schalte?n?|umschalten|ausschalten|einschalten|mach\w*|leg\w*|führ\w*|zusammenführen|zusammenlegen|verbinde?n?|"
    r"benenne?|umbenennen|(?:aus)?drucken?\b|ausgedruckt|schick\w*|exportier\w*|importier\w*|ausgeben|rausschreiben|sichern?\b|melde|abmelden|gib .* frei|teil\w*|ausgeblendet|aktivier\w*|deaktivier\w*|stumm\b|änder\w*|wechsl?e)",
    asks=r"(?:in dieser app|dieses? (?:programm|app)|\bhier\b).*\b(?:\w*import\w*|\w*export\w*|\w*lade?n?|rein\w*|passwort|sprache|foto\w*|bilder|dateien?)|(?:import|export|foto|bilder|datei|passwort)\w*.*\b(?:hier|in dieser app)\b|"
    r"^(?:kannst|sprichst|verstehst|speicherst|liest) du\b.*\b(?:sprachen?|offline|pdf\w*|fotos?|bilder|dateien|meine daten|e-?mails?|deutsch|englisch)|^welche (?:sprachen|dateiformate|formate|befehle|funktionen)\b|nimmst du (?:auch )?(?:bilder|fotos)",
    named=r"(?:dunkelmodus|dunkles design|nachtmodus|ton|vollbild|hochkontrast)(?: (?:an|aus|bitte|ein))*|größere schrift(?: bitte)?",
)
FRENCH = _Words(
    things=r"appli(?:cation)?\b|menus?\b|réglages?|paramètres|notifications?|rappels?|caractères|police\b|thème|mode\b|affichage|sons?\b|bruit\b|voix\b|sauvegarde|fiches?\b|notes?\b|entrées?\b|compte\b|"
    r"mot de passe|fichier|imprimante|pdf\b|liste\b|page\b|silencieux|(?:ce|tout ce) que (?:je|j')|tout ce qui|données|mémoire\b|langue\b|infos\b",
    done=r"(?:effac\w*|supprim\w*|oubli(?:e|er|ez)\b|enlève|retir\w*|annul\w*|coup(?:e|er|ez)\b|mets|met(?:tez|tre)\b|pass(?:e|er|ez)\b|fusionn\w*|renomm\w*|imprim(?:e|er|ez)\b|export\w*|import\w*|récupérer|télécharg\w*|"
    r"sauvegarder\b|fais\b|partag(?:e|er|ez)\b|déconnect\w*|agrandi\w*|activ\w*|désactiv\w*|chang(?:e|er|ez)\b)",
    asks=r"(?:cette appli(?:cation)?|\bici\b).*\b(?:fonctionn\w*|export\w*|import\w*|photos?|mot de passe|langue)|(?:mettre|ajouter|charger|exporte\w*|importe\w*|envoyer|photos?)\b.*\b(?:ici|cette appli\w*)\b|"
    r"^(?:quelles|combien de) langues\b|^(?:tu|est-ce que tu) (?:parles|comprends|sais lire|stockes|enregistres|fonctionnes)\b|par quel menu|tu sais faire quoi",
    named=r"(?:mode|thème) (?:nuit|sombre|clair)(?: .{0,15})?|plein écran",
)
SPANISH = _Words(
    things=r"app\b|aplicación|menús?\b|ajustes|avisos|notificaciones|recordatorios|letra\b|pantalla|tema\b|modo\b|voz\b|sonidos?\b|copia de seguridad|respaldo|fichas?\b|notas?\b|entradas?\b|sesión\b|cuenta\b|"
    r"contraseña|archivo|impresora|pdf\b|hoja\b|carpeta|idioma|conversación|lo (?:último|que|de)\b|todo lo|cuanto\b|datos\b|memoria\b",
    done=r"(?:borr(?:a|ar|e)\b|elimin(?:a|ar|e)\b|olvid(?:a|ar)\b|quit(?:a|ar)\b|deshaz|silenci(?:a|ar)\b|pon(?:er)?\b|apag(?:a|ar)\b|cambi(?:a|ar)\b|cierra|cerrar|imprim\w*|export\w*|descarg\w*|compart\w*|júnta\w*|junt(?:a|ar)\b|"
    r"fusion\w*|renombr\w*|activ(?:a|ar)\b|desactiv\w*|haz(?:me)?\b|déjame|guard(?:a|ar)\b|ábreme|anul(?:a|ar)\b)",
    asks=r"(?:esta aplicación|esta app|\baqu[ií]\b).*\b(?:subir|fotos?|notas de voz|importar|exportar\w*|contraseña|idioma)|(?:subir|fotos?|importan?|exportan?)\b.*\b(?:aqu[ií]|esta (?:app|aplicación))\b|"
    r"^¿?qué (?:idiomas|formatos)\b|^¿?(?:entiendes|hablas|funcionas|guardas)\b.*\b(?:idiomas?|inglés|español|internet|datos)|tus funciones",
    named=r"(?:modo|tema) (?:oscuro|claro)(?: .{0,15})?|letra más grande(?: \w+)?|pantalla completa",
)
ITALIAN = _Words(
    things=r"app\b|applicazione|menu\b|impostazioni|notifiche|promemoria|caratteri|tema\b|modalità|voce\b|suoni\b|backup|schede?\b|appunt[oi]\b|note?\b|voc[ei]\b|account\b|password|file\b|stampante|pdf\b|"
    r"lingua\b|quello che|ricette|dati\b|memoria\b|\bindietro|ogni nota",
    done=r"(?:cancell(?:a|are)\b|elimin(?:a|are)\b|dimentic(?:a|are)\b|togli(?:ere)?\b|annull(?:a|are)\b|torna\b|stamp(?:a|are)\b|esport(?:a|are)\b|scaric(?:a|are|ami)\b|condivid\w*|unisci|unire|rinomin\w*|attiv(?:a|are)\b|"
    r"disattiv\w*|metti\w*|ingrandi\w*|esci\b|fai\b|fammi\b|passa\b|cambi(?:a|are)\b|salv(?:a|are)\b)",
    asks=r"(?:quest['’ ]?app|questa (?:app|applicazione)|\bqui\b).*\b(?:foto|lingua|esportare|importare|caricare|dati)|(?:esportare|importare|caricare)\b.*\b(?:qui|quest['’]app)\b|^(?:che|quali) lingue\b|^(?:funzioni|capisci|parli)\b",
    named=r"(?:tema|modalità) (?:scur[oa]|chiar[oa]|notte)|schermo intero",
)
PORTUGUESE = _Words(
    things=r"app\b|aplicativo|aplicação|menus?\b|definições|configurações|notificaç\w*|lembretes|avisos\b|letra\b|modo\b|tema\b|áudio|voz\b|som\b|cópia de segurança|backup|fichas?\b|notas?\b|anotaç\w*|sessão\b|conta\b|"
    r"senha|ficheiro|arquivo|impressora|pdf\b|planilha|idioma|(?:tudo )?o que\b|isso que|receitas|dados\b|mesma pessoa",
    done=r"(?:apag(?:a|ar|asse|ue)\b|elimin(?:a|ar|e)\b|esquec(?:e|er)\b|remov(?:e|er)\b|desfaz\w*|deslig(?:a|ar)\b|coloca\b|põe\b|aument(?:a|ar)\b|par(?:a|ar) de\b|desativ\w*|ativ(?:a|ar)\b|mud(?:a|ar)\b|junt(?:a|ar)\b|"
    r"imprim\w*|export(?:a|ar)\b|baixar\b|descarreg\w*|partilh\w*|compartilh\w*|termin(?:a|ar) a sessão|faça um\b|faz um\b|renomei\w*|volta\b)",
    asks=r"(?:est[ea] (?:app|aplicativo|aplicação)|\b(?:por )?aqui\b).*\b(?:fotos?|exporta\w*|importa\w*|celulares|idioma)|(?:subir|fotos?|usar est\w+ app|exporta\w*|importa\w*)\b.*\b(?:aqui|app)\b|^(?:que|quais) (?:línguas|idiomas)\b|"
    r"cópia de segurança disto|^(?:funcionas|entendes|falas)\b",
    named=r"(?:modo|tema) (?:escuro|claro|noturno)|tela cheia",
)
DUTCH = _Words(
    things=r"app\b|menu\b|instellingen|meldingen|herinneringen|letters\b|scherm\b|modus\b|thema\b|geluid(?:jes)?\b|stem\b|reservekopie|back-?up|invoer|notities?\b|\w+notities\b|aantekening\w*|account\b|wachtwoord|bestand\w*|"
    r"printer\b|pdf\b|taal\b|overzicht|lijst\b|laatste\b|alles over|gegevens|één persoon|dezelfde persoon",
    done=r"(?:verwijder\w*|wis(?:sen)?\b|vergeet|vergeten\b|weggooien|gooi\b|haal\b|draai\b|maak\b|zet(?:ten)?\b|print(?:en)?\b|deel\b|delen\b|exporteer|exporteren|importe\w*|voeg\b|samenvoegen|hernoem\w*|log\b|leg\b|schakel\w*|zoek .* uit)",
    asks=r"(?:deze app|\bhier\b|dit scherm).*\b(?:foto['’]?s|uploaden|exporteer|importe\w*|groter|gegevens|huisgenoot)|(?:delen|exporteren|importeren|uploaden)\b.*\b(?:hier|deze app)\b|^(?:welke|hoeveel) talen\b|^(?:werk|spreek|begrijp|lees) je\b",
    named=r"donkere modus(?: \w+){0,2}|(?:geluid(?:jes)?|meldingen|herinneringen) (?:aan|uit)|volledig scherm",
)
POLISH = _Words(
    things=r"aplikacj\w*|menu\b|ustawieni\w*|powiadomieni\w*|przypomnieni\w*|czcionk\w*|litery\b|motyw\b|tryb\b|dźwięk\w*|czytanie na głos|głos\w*|kopi[ęa] zapasow\w*|notat\w*|wpis\w*|kont[oa]\b|hasł\w*|plik\w*|"
    r"drukark\w*|pdf\b|język\b|listę\b|z pamięci|pamięć\b|dane\b|ta sama osoba|jedna osoba|funkcje i polecenia|wszystko o\b",
    done=r"(?:usuń|usunąć|usunięcie|skasuj|skasować|zapomnij|cofnij|wyczyść|wycisz|włącz|wyłącz|przełącz|powiększ|wydrukuj|wyeksportuj|eksportuj|pobrać|pobierz|udostępnij|połącz|scal|zmień|wyloguj|zrób|przywróć|ustaw)\b",
    asks=r"(?:\btu\b|\bstąd\b|tej aplikacji).*\b(?:wrzuca\w*|wgrywa\w*|eksport\w*|import\w*|zdję\w*|dane|język)|^(?:jakie|ile) języki?\b|^(?:czy )?(?:działasz|rozumiesz|mówisz)\b|jakie masz funkcje|wylogować",
    named=r"(?:ciemny motyw|tryb ciemny|tryb nocny)",
)
TURKISH = _Words(
    things=r"uygulama\w*|menü\w*|ayarlar\w*|bildirim\w*|hatırlatma\w*|yazılar\w*|yazı boyut\w*|tema\w*|mod\b|ses\w*|yede[kğ]\w*|notlar\w*|notu\w*|kayd\w*|kayıt\w*|oturum\w*|hesab\w*|şifre\w*|dosya\w*|yazıcı\w*|dil\w*|"
    r"aynı kişi|hakkında|dair ne varsa|ilgili ne varsa|her şeyi",
    done=r"(?:sil(?:menizi|er misin)?|unut|geri al|iptal et|kapat\w*|aç|sustur|büyüt|küçült|yazdır|dışa aktar|indir\w*|paylaş|birleştir|çevir|değiştir|yedekle|geç|çıkış yap)\b",
    asks=r"(?:bur(?:ay|ad)a|bu uygulama\w*).*\b(?:foto\w*|yüklen\w*|aktar\w*|kullan\w*)|veriler.*aktar|hangi dilleri",
    named=r"(?:karanlık|koyu) (?:mod|tema)(?: aç)?|hesabımdan çıkış yap",
)
OTHERS = (GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, POLISH, TURKISH)
_JAPANESE = lazy_regex(
    r"(?:アプリ|メモ|ノート|記録|通知|画面|文字|音声|読み上げ|メニュー|言語|データ|バックアップ|ダークモード|設定|入れたやつ|同じ人|先月分|今月分).*(?:して|消して|消去|切って|変更|切り替え|印刷|書き出し|取り消し|まとめて|できる|取るんですか)|ログアウト"
)

_CHANGE = lazy_regex(
    rf"{_OPENING}(?:(?:change|correct|amend|edit|update|alter) (?:the |my |our |\w+'s |that |what).+ (?:to|into|from)\b|(?:rename|call) .+ (?:to|into|everywhere|instead)\b|"
    r"(?:move|push|shift|postpone|reschedule) (?:the|my|our|\w+'s) (?:\w+ ){0,3}(?:appointment|meeting|check-?up|booking|visit|call|lesson|session)s? (?:to|from|by)\b|"
    r"(?:mark|tick|check) (?:the |that |my |off )?.+ (?:as done|done|off|as finished|as paid)\b|leave .+ out\b|merge .+ (?:and|with)\b|(?:clear|take|wipe) .+ out of here\b)",
    re.IGNORECASE,
)
"""Orders to change what is remembered, by its own name."""
_NOT_AN_ORDER = lazy_regex(
    r"^(?:i|we|he|she|they|my|our|his|her|ich|wir|je|nous|yo|noi|ik|wij|eu|mam)\b(?! (?:want|wanna|need|would like)|['’]d (?:like|love|rather|want)|['’]ve got\b|.*\b(?:please|bitte)\b)"
    r"|\b(?:tomorrow|for the \w+|at work|before (?:the|we|i)|must|have to|need to)\b|\w (?:was|were|is|are) \w+ed\b",
    re.IGNORECASE,
)
"""Somebody tells of themselves, or of what is to be done elsewhere."""

_TABLES = (_Table(ENGLISH, _OPENING), *(_Table(words) for words in OTHERS))

LIFT: dict[Sign, float] = {"command": 100.0, "question": 100.0, "change": 10.0}
"""By how much each sign raises the odds that something is to be done. Found on utterances that the judge was not trained on."""
LEAST = 0.01
"""A probability below it is not raised: the judge is sure, and most of what is told need not be looked at."""


def sign_of(text: str) -> Sign | None:
    """Return the sign that words are about the product itself."""
    words = " ".join(text.replace("’", "'").split())
    if not words or len(words) > LONGEST:
        return None
    if any(each.asks.search(words) for each in _TABLES):
        return "question"
    if _NOT_AN_ORDER.search(words):
        return None
    if any(each.commands(words) for each in _TABLES) or _JAPANESE.search(words):
        return "command"
    return "change" if _CHANGE.search(words) else None


def raised(likely: float, text: str) -> float:
    """Return the judge's probability that something is to be done, raised by what speaks for it in the text."""
    if likely < LEAST or (sign := sign_of(text)) is None:
        return likely
    return likely * LIFT[sign] / (likely * LIFT[sign] + 1 - likely)
