"""Days of the week and of a month as people name them, in languages that tell one Thursday from every Thursday by other words
than English does: "el jueves" and "los jueves", "jeudi" and "le jeudi", "w czwartek" and "w czwartki"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lattice_common.language.tables.dutch import WEEKDAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class DayNames:
    """Words in small letters. Single words and the forms of one have spaces between, phrases and numbered names commas.

    `days` from Monday, each with its forms; `short_days` are ordinals as well, and count only at the end of a clause or with
    `short_behind` behind them; `months` from January, where `Table.months` does not have them, empty for those that are called
    so in a language that it has; `behind` goes with a day, `joined`
    is the same written as one word with it. `bare`: whether a day may stand in a sentence without any of `Before`; at its
    beginning it always may. `usually` are words of a sentence that is about no single day, `not_it` those behind a day that is
    another thing, or read elsewhere. `dated` stands before a day in figures, "el 14/12". `tomorrow` is a word that means the
    morning as well, behind `morning`.
    """

    days: str
    short_days: str = ""
    short_behind: str = ""
    months: str = ""
    behind: str = ""
    joined: str = ""
    bare: bool = False
    usually: str = ""
    not_it: str = ""
    dated: str = ""
    tomorrow: str = ""
    morning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What stands before a day, written as in `DayNames`: `on` (it is one day), `this` (it may be today), `to` (it lies ahead,
    whatever else is said), `last`, `next`, or `each` (it comes back). `to_endings` and `to_behind` are endings of a day and words
    behind one that say the same as `to`."""

    on: str = ""
    this: str = ""
    to: str = ""
    each: str = ""
    last: str = ""
    next: str = ""
    to_endings: str = ""
    to_behind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """By which words a clause tells of what is past, written as in `DayNames`: `forms`, or words with `endings` but for
    `not_past`; a participle (`participles`, or with `participle_endings`, and with `participle_beginning` where there is one)
    behind one of `auxiliaries`, with words of `between` before it; of a language whose verb stands last, only there
    (`verb_last`). Beside `arranged`, or what is so on a day, it lies ahead. `clauses` are words that begin a clause."""

    forms: str = ""
    endings: str = ""
    not_past: str = ""
    auxiliaries: str = ""
    participles: str = ""
    participle_endings: str = ""
    participle_beginning: str = ""
    between: str = ""
    verb_last: bool = False
    arranged: str = ""
    clauses: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weekly:
    """What is on the same day of each week (`things`: classes, sports, choirs) and verbs with which such a thing is put on
    another one (`moved`), as single words in small letters."""

    things: str
    moved: str


@dataclass(frozen=True, slots=True)
class NamedDays:
    """Of one language."""

    names: DayNames
    before: Before
    past: Past
    weekly: Weekly


NAMED_DAYS: Mapping[str, NamedDays] = {
    "es": NamedDays(
        DayNames(
            days="lunes, martes, miércoles, jueves, viernes, sábado, domingo",
            usually="siempre normalmente habitualmente suelo suele solemos suelen cada todos",
            not_it="santo, de, pasado, próximo, que viene, siguiente",
            tomorrow="mañana",
            morning="la, esta, cada, una, de, pasado, toda",
            dated="el, día, al, para el",
        ),
        Before(
            on="el",
            this="este, ya el, hoy",
            to="al, para el, para este",
            each="los, cada, todos los, un, algún",
        ),
        Past(
            forms="fui fue fuimos fueron comimos bebimos corrimos vendimos conocimos volvimos perdimos pusimos dijimos "
            "trajimos quisimos anduvimos supimos pudimos vinimos era eran éramos estaba estaban estábamos estuve estuvo "
            "estuvimos estuvieron hice hizo hicimos hicieron tuve tuvo tuvimos tuvieron vine vinieron vi vio vimos vieron "
            "dije dijo dijeron di dio dimos puse puso pude pudo quise supe supo había habían iba íbamos nació murió "
            "nacido nacida",
            endings="é ó aron ieron aban aba",
            not_past="café té qué sé porqué bebé puré comité bidé olé josé rené andré noé chalé",
            auxiliaries="he has ha hemos habéis han",
            participle_endings="ado ido ído cho isto erto rito esto elto oto",
            arranged="quedado, quedé, reservado, reservé, aplazado, aplazaron, pedido, concertado, invitado, invitó, "
            "programado, apuntado, citado",
            clauses="y pero que porque así aunque si",
        ),
        Weekly(
            things="entreno entrenos entrenamiento entrenamientos clase clases ensayo ensayos coro yoga pilates fútbol "
            "baloncesto natación gimnasia baile judo kárate inglés francés alemán piano guitarra violín taller "
            "catequesis zumba",
            moved="cambia cambian cambió cambiaron cambiado cambiada pasa pasan pasó pasaron pasado mueve mueven movió "
            "movieron movido movida trasladan trasladado",
        ),
    ),
    "fr": NamedDays(
        DayNames(
            days="lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche",
            behind="matin, soir, midi, après-midi",
            bare=True,
            usually="toujours souvent habituellement généralement chaque tous habitude",
            not_it="gras, saint, de, noir, dernier, prochain, passé, suivant",
            dated="le, au, pour le",
        ),
        Before(
            this="ce",
            to="pour, pour ce, à, au",
            each="le, les, chaque, tous les, du, un, des, passe au, passent au",
        ),
        Past(
            forms="étais était étions étaient avais avait avions avaient allait allais fut né née nés",
            auxiliaries="ai as a avons avez ont suis es est sommes êtes sont",
            participles="fait dit écrit mis pris vu vus vue eu été venu venus venue fini parti partis partie sorti sortis "
            "sortie choisi dormi réussi lu bu su couru reçu perdu vendu rendu entendu attendu mort morte né née ouvert "
            "offert repris appris compris",
            participle_endings="é ée és ées",
            between="pas, plus, jamais, déjà, bien, tous, toutes, tout, encore, enfin, vraiment, beaucoup, mal",
            arranged="est fermé, est fermée, sont fermés, est ouvert, est ouverte, sont ouverts, est occupé, est occupée, "
            "suis occupé, suis occupée, réservé, rendez-vous, reporté, repoussé, décalé, prévu, prévue, prévus, invité, "
            "invitée, invités, fixé, calé, déplacé",
            clauses="et mais que qu car donc si parce",
        ),
        Weekly(
            things="entraînement entraînements cours répétition répétitions chorale yoga pilates foot football basket "
            "handball natation piscine gym danse judo karaté anglais allemand espagnol piano guitare violon solfège "
            "poterie théâtre atelier catéchisme zumba",
            moved="passe passent passé passée passés passées déplace déplacent déplacé déplacée déplacés décale décalé "
            "décalée décalés change changé",
        ),
    ),
    "it": NamedDays(
        DayNames(
            days="lunedì lunedi, martedì martedi, mercoledì mercoledi, giovedì giovedi, venerdì venerdi, sabato, domenica",
            behind="mattina, pomeriggio, sera",
            bare=True,
            usually="sempre solitamente normalmente ogni solito",
            not_it="santo, grasso, scorso, scorsa, prossimo, prossima, passato, passata, di, delle palme, seguente",
            dated="il, al, per il",
        ),
        Before(
            this="questo, questa",
            to="per, a",
            each="il, la, di, ogni, tutti i, tutte le, del, della, un, una, i, le",
        ),
        Past(
            forms="ero era eravamo erano avevo aveva avevamo avevano fu andai nato nata nati nate",
            auxiliaries="ho hai ha abbiamo avete hanno sono sei è siamo siete",
            participles="fatto dato stato detto visto vista visti viste preso scritto messo letto perso rotto chiuso aperto "
            "morto morta nato nata rimasto rimasti successo corso deciso speso",
            participle_endings="ato uto ito ata uta ita ati uti iti ate ute",
            between="già, non, mai, appena, anche, sempre, tutti, tutte, poi, proprio",
            arranged="è chiuso, è chiusa, sono chiusi, è aperto, è aperta, sono aperti, sono occupato, sono occupata, "
            "prenotato, rinviato, rinviata, rinviati, spostato, spostata, spostati, fissato, fissata, invitato, invitata, "
            "invitati, previsto",
            clauses="e ma che perché se quindi",
        ),
        Weekly(
            things="allenamento allenamenti corso lezione lezioni prova prove coro yoga pilates calcio calcetto basket "
            "pallavolo nuoto ginnastica danza judo karate inglese francese tedesco pianoforte chitarra violino "
            "catechismo zumba",
            moved="passa passano passato passata passati spostano sposta spostato spostata spostati spostate cambia "
            "cambiano cambiato cambiata",
        ),
    ),
    "pt": NamedDays(
        DayNames(
            days="segunda-feira, terça-feira, quarta-feira, quinta-feira, sexta-feira, sábado, domingo",
            short_days="segunda, terça, quarta, quinta, sexta",
            short_behind="às, à tarde, à noite, de manhã, tenho, temos, tem, vou, vamos, vai, há, fui, fomos, foi, vem, "
            "chega, chegam, começa, fiz",
            usually="sempre normalmente geralmente costumo costuma costumamos cada todas todos toda todo",
            not_it="santa, santo, de ramos, de cinzas, de páscoa, de carnaval, de folga, passado, passada, que vem, "
            "próximo, próxima",
            dated="dia, no dia, para o dia",
        ),
        Before(
            on="na, no",
            this="nesta, neste, esta, este, já na, já no",
            to="para a, para o, pra, pro, para",
            each="às, aos, cada, todas as, todos os, toda, todo, as, os, uma, um",
        ),
        Past(
            forms="fui foi fomos foram era eram éramos estava estavam estive esteve estivemos estiveram fiz fez fizemos "
            "fizeram tive teve tivemos tiveram caí caiu saí saiu vim veio vieram vi viu vimos viram disse disseram dei deu "
            "deram pus pôs quis soube havia ia nasceu nascido nascida",
            endings="ei ou eu iu aram eram iram ámos ámo",
            not_past="lei rei sei hei sou vou estou dou ou meu teu seu eu museu céu deus europeu chapéu",
            arranged="marquei, marcou, marcado, marcada, marcaram, reservei, reservou, adiaram, adiado, adiada, convidou, "
            "convidaram, combinei, combinámos, agendei, agendado",
            clauses="e mas que porque se então",
        ),
        Weekly(
            things="treino treinos aula aulas ensaio ensaios coro coral yoga ioga pilates futsal futebol basquete vôlei "
            "voleibol natação ginástica dança balé judo judô karatê inglês francês alemão piano violão guitarra "
            "violino catequese zumba capoeira",
            moved="muda mudam mudou mudaram mudado mudada passa passam passou passaram passado passada trocou trocaram",
        ),
    ),
    "nl": NamedDays(
        DayNames(
            days=", ".join(WEEKDAYS),
            months="januari, februari, maart, , mei, , , augustus",
            joined="ochtend, middag, avond, nacht",
            bare=True,
            usually="altijd meestal normaal gewoonlijk elke iedere vaak",
            not_it="goede, witte, zwarte",
            tomorrow="morgen",
            morning="de, goede, goeie, elke, iedere, deze, in de",
            dated="op, naar, voor",
        ),
        Before(
            on="op",
            this="deze",
            to="voor, naar, tot en met",
            each="elke, iedere, alle, een, nu op, voortaan op, tegenwoordig op",
            last="afgelopen, vorige, laatste",
            next="volgende, komende, aanstaande, aankomende",
        ),
        Past(
            forms="was waren had hadden ging gingen kwam kwamen deed deden zag zagen zei zeiden nam namen gaf gaven at aten "
            "dronk dronken sprak spraken werd werden kreeg kregen liep liepen reed reden vloog vlogen belde belden werkte "
            "werkten kocht kochten bracht brachten dacht dachten vond vonden stond stonden bleef bleven schreef wilde "
            "speelde verloor won zwom sliep geboren",
            not_past="gezicht gedicht gerecht gebied gebit geluid gewicht gebouwen getuigen",
            auxiliaries="heb hebt heeft hebben ben bent is zijn",
            participle_endings="t d en",
            participles="gedaan gegaan gestaan afgedaan meegedaan opgestaan uitgegaan verhuisd betaald besteld verteld ontvangen "
            "begonnen verloren vergeten vertrokken verkocht bezocht ontmoet hersteld verbouwd behandeld veranderd ontdekt "
            "bevallen overleden verdiend bekeken besloten moeten laten kunnen",
            participle_beginning="ge",
            arranged="is gesloten, zijn gesloten, is geopend, geboekt, afgesproken, verzet, verplaatst, verschoven, "
            "gepland, uitgenodigd, gereserveerd, ingepland",
            clauses="en maar dat want omdat als dus",
        ),
        Weekly(
            things="training trainingen les lessen repetitie repetities koor yoga pilates voetbal hockey korfbal volleybal "
            "zwemmen zwemles turnen gym dansen dansles ballet judo karate pianoles gitaarles engels duits zumba",
            moved="gaat gaan ging verplaatst verschoven verzet verhuist veranderd wisselt",
        ),
    ),
    "pl": NamedDays(
        DayNames(
            days="poniedziałek, wtorek, środę środa, czwartek, piątek, sobotę sobota, niedzielę niedziela",
            months="stycznia, lutego, marca, kwietnia, maja, czerwca, lipca, sierpnia, września, października, listopada, "
            "grudnia",
            behind="rano, wieczorem, po południu",
            usually="zawsze zwykle zazwyczaj często każdy każdą",
            not_it="wielki, wielka, wielką, tłusty, palmowa, palmową",
            dated="dnia",
        ),
        Before(
            on="w, we",
            this="w ten, w tę, w tą",
            to="na",
            each="w każdy, w każdą, każdy, każda, co",
            last="w zeszły, w zeszłą, w ubiegły, w ubiegłą, w ostatni, w ostatnią",
            next="w przyszły, w przyszłą, w następny, w następną, w najbliższy, w najbliższą",
        ),
        Past(
            endings="łem łam liśmy łyśmy łeś łaś ał ił ył ół eł ął ała iła yła ęła ało yło iło ali ili yli eli szli ęli ały "
            "iły yły dł kł gł rł ósł",
            not_past="źródł stół szkoła mały mała małe cały cała biały biała stały stała zły ciało miły tył wół dział podział "
            "materiał sygnał kawał szał kanał oryginał czyli jeżeli chwili niedzieli doskonały wspaniały wspaniała dojrzały "
            "żyły skały strzały upały zapał",
            arranged="umówiłem, umówiłam, umówiliśmy, umówiłyśmy, zarezerwowałem, zarezerwowałam, przełożyli, przełożył, "
            "przełożyła, zaprosił, zaprosiła, zaprosili, zaplanowałem, zaplanowałam",
            clauses="i ale że bo więc jeśli a",
        ),
        Weekly(
            things="trening treningi treningów zajęcia lekcje lekcja próby próba chór chóru joga jogę pilates basen basenu "
            "piłka piłkę futsal siatkówka siatkówkę koszykówka gimnastyka gimnastykę taniec tańce balet judo karate "
            "angielski angielskiego niemiecki niemieckiego hiszpański pianino gitara gitarę korepetycje religia zumba",
            moved="przenieśli przeniósł przeniosła przeniesiono przeniesiony przeniesiona przeniesione przesunęli przesunął "
            "przesunęła przesunięto przesunięty zmienili zmienił zmieniła przechodzi przechodzą",
        ),
    ),
    "tr": NamedDays(
        DayNames(
            days="pazartesi, salı, çarşamba, perşembe, cuma, cumartesi, pazar",
            months="ocak, şubat, mart, nisan, mayıs, haziran, temmuz, ağustos, eylül, ekim, kasım, aralık",
            behind="günü, sabahı, akşamı, öğleden sonra",
            bare=True,
            usually="hep genellikle daima her",
            not_it="namazı, namazına, namazında, pazarı, yeri, ekleri, kahvaltısı, günleri, sabahları, akşamları, geceleri, "
            "öğleden sonraları, hariç",
        ),
        Before(
            this="bu",
            each="her",
            last="geçen",
            next="gelecek, önümüzdeki, haftaya",
            to_endings="a e ya ye na ne",
            to_behind="gününe, sabahına, akşamına",
        ),
        Past(
            endings="dım dim dum düm tım tim tum tüm dı di du dü tı ti tu tü dık dik duk dük tık tik tuk tük dılar diler "
            "tılar tiler dular düler tular tüler",
            not_past="şimdi kendi hadi yedi kedi adı plastik pratik politik antik otomatik butik",
            verb_last=True,
            arranged="randevu, ayırttım, ertelendi, ertelediler, ertelemiş, kararlaştırdık, planladık, çağırdı",
            clauses="ve ama çünkü",
        ),
        Weekly(
            things="antrenman antrenmanı idman ders dersi dersler dersleri kurs kursu prova provası koro yoga pilates futbol "
            "halı basketbol voleybol yüzme jimnastik dans bale judo karate ingilizce almanca piyano gitar keman",
            moved="alındı aldılar aldı alınmış kaydı kaydırdılar kaydırıldı taşındı taşıdılar geçti değişti",
        ),
    ),
    "ru": NamedDays(
        DayNames(
            days="понедельник, вторник, среду среда, четверг, пятницу пятница, субботу суббота, воскресенье",
            behind="утром, днём, вечером",
            usually="всегда обычно часто каждый каждую каждое",
            not_it="великий, великая, чистый",
        ),
        Before(
            on="в, во",
            this="в этот, в эту, в это",
            to="на, на этот, на эту, на это, к",
            each="каждый, каждую, каждое, по",
            last="в прошлый, в прошлую, в прошлое",
            next="в следующий, в следующую, в следующее, в будущий, в будущую, в ближайший, в ближайшую",
        ),
        Past(
            forms="шёл шла шли пошёл пошла пошли ушёл ушла ушли пришёл пришла пришли нашёл нашла нашли был "
            "была было были умер умерла",
            endings="ал ала али ало ил ила или ило ел ела ели ело ыл ыла ыли ул ула ули ял яла яли лся лась лись лось",
            not_past="зал вокзал журнал материал канал подвал финал сигнал сила школа скала стул отдел дела дело тело недели "
            "предел раздел могила кобыла акула",
            arranged="перенёс, перенесла, перенесли, записался, записалась, записали, записал, забронировал, забронировала, "
            "забронировали, договорились, договорился, договорилась, пригласил, пригласила, пригласили, назначил, назначила, "
            "назначили, заказал, заказала, заказали",
            clauses="и но а что потому поэтому если когда",
        ),
        Weekly(
            things="тренировка тренировки тренировку занятие занятия урок уроки репетиция репетиции репетицию хор йога йогу "
            "пилатес футбол плавание бассейн гимнастика танцы балет дзюдо карате английский немецкий фортепиано "
            "гитара",
            moved="перенесли перенёс перенесла перенесены перенесён перенесена переносится переехал переехала",
        ),
    ),
}
