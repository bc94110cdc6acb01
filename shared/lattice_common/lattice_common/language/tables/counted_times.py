"""Times that are counted from today, in languages other than English: "vor drei Wochen", "hace tres semanas", "üç hafta önce"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedTimes:
    """Words in small letters. `numbers`: from 1, with commas between, the forms of each with spaces. `units`: by English names.
    `ago`, `ahead`: what stands around a number `{n}` and a unit `{u}`; `last`, `this`, `next`: around a unit. `days`: by their
    distance from today, where `Table.days` does not have them; `named`: words for a whole unit, by that and their distance from
    this one."""

    numbers: str
    units: Mapping[str, str]
    ago: tuple[str, ...]
    ahead: tuple[str, ...]
    last: tuple[str, ...] = ()
    this: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    days: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, tuple[str, int]] = field(default_factory=dict)


COUNTED_TIMES: Mapping[str, CountedTimes] = {
    "de": CountedTimes(
        numbers="ein eine einem einen einer, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf",
        units={"day": "tag tagen", "week": "woche wochen", "month": "monat monaten", "year": "jahr jahren"},
        ago=("vor {n} {u}",),
        ahead=("in {n} {u}",),
        named={"heuer": ("year", 0)},
    ),
    "fr": CountedTimes(
        numbers="un une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze",
        units={"day": "jour jours", "week": "semaine semaines", "month": "mois", "year": "an ans année"},
        ago=("il y a {n} {u}",),
        ahead=("dans {n} {u}",),
        last=(
            "la {u} dernière",
            "le {u} dernier",
            "l'{u} dernière",
            "l'{u} dernier",
        ),
        this=("cette {u}", "ce {u}-ci"),
        next=(
            "la {u} prochaine",
            "le {u} prochain",
            "l'{u} prochaine",
            "l'{u} prochain",
        ),
        days={"après-demain": 2},
    ),
    "es": CountedTimes(
        numbers="un una uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce",
        units={"day": "día días", "week": "semana semanas", "month": "mes meses", "year": "año años"},
        ago=("hace {n} {u}",),
        ahead=(
            "dentro de {n} {u}",
            "en {n} {u}",
        ),
        last=(
            "la {u} pasada",
            "el {u} pasado",
        ),
        this=("esta {u}", "este {u}"),
        next=(
            "la próxima {u}",
            "el próximo {u}",
            "la {u} que viene",
            "el {u} que viene",
        ),
        days={"pasado mañana": 2, "anoche": -1},
    ),
    "it": CountedTimes(
        numbers="un una uno un', due, tre, quattro, cinque, sei, sette, otto, nove, dieci, undici, dodici",
        units={"day": "giorno giorni", "week": "settimana settimane", "month": "mese mesi", "year": "anno anni"},
        ago=("{n} {u} fa",),
        ahead=(
            "tra {n} {u}",
            "fra {n} {u}",
        ),
        last=(
            "la {u} scorsa",
            "la scorsa {u}",
            "il {u} scorso",
            "lo scorso {u}",
            "l'{u} scorso",
        ),
        this=("questa {u}", "questo {u}", "quest'{u}"),
        next=(
            "la {u} prossima",
            "la prossima {u}",
            "il {u} prossimo",
            "il prossimo {u}",
            "l'{u} prossimo",
        ),
        days={"dopodomani": 2, "altroieri": -2, "l'altro ieri": -2},
    ),
    "pt": CountedTimes(
        numbers="um uma, dois duas, três, quatro, cinco, seis, sete, oito, nove, dez, onze, doze",
        units={"day": "dia dias", "week": "semana semanas", "month": "mês meses", "year": "ano anos"},
        ago=(
            "há {n} {u}",
            "{n} {u} atrás",
            "faz {n} {u}",
        ),
        ahead=(
            "daqui a {n} {u}",
            "dentro de {n} {u}",
        ),
        last=(
            "na {u} passada",
            "a {u} passada",
            "no {u} passado",
            "o {u} passado",
        ),
        this=("essa {u}", "esta {u}", "nessa {u}", "nesta {u}", "esse {u}", "este {u}", "nesse {u}", "neste {u}"),
        next=(
            "{u} que vem",
            "próxima {u}",
            "na próxima {u}",
            "no próximo {u}",
            "na {u} que vem",
            "no {u} que vem",
            "o {u} que vem",
        ),
        days={"anteontem": -2, "ontem": -1, "hoje": 0, "amanhã": 1, "depois de amanhã": 2},
    ),
    "nl": CountedTimes(
        numbers="een één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf",
        units={"day": "dag dagen", "week": "week weken", "month": "maand maanden", "year": "jaar"},
        ago=("{n} {u} geleden",),
        ahead=("over {n} {u}",),
        last=(
            "vorige {u}",
            "vorig {u}",
            "afgelopen {u}",
        ),
        this=("deze {u}", "dit {u}"),
        next=(
            "volgende {u}",
            "volgend {u}",
            "komende {u}",
            "komend {u}",
        ),
        days={"eergisteren": -2, "gisteren": -1, "gisteravond": -1, "vandaag": 0, "vanavond": 0, "overmorgen": 2},
    ),
    "pl": CountedTimes(
        numbers="jeden jedną jedno, dwa dwie, trzy, cztery, pięć, sześć, siedem, osiem, dziewięć, dziesięć, jedenaście",
        units={
            "day": "dzień dni",
            "week": "tydzień tygodnie tygodni tygodniu",
            "month": "miesiąc miesiące miesięcy miesiącu",
            "year": "rok lata lat roku",
        },
        ago=(
            "{n} {u} temu",
            "{u} temu",
        ),
        ahead=(
            "za {n} {u}",
            "za {u}",
        ),
        last=(
            "w zeszłym {u}",
            "w ubiegłym {u}",
        ),
        this=("w tym {u}", "przez ten {u}", "ten {u}", "tego {u}"),
        next=(
            "w przyszłym {u}",
            "przyszłego {u}",
            "w następnym {u}",
        ),
        days={"przedwczoraj": -2, "wczoraj": -1, "dziś": 0, "dzisiaj": 0, "jutro": 1, "pojutrze": 2},
    ),
    "tr": CountedTimes(
        numbers="bir, iki, üç, dört, beş, altı, yedi, sekiz, dokuz, on",
        units={"day": "gün", "week": "hafta", "month": "ay", "year": "yıl sene"},
        ago=("{n} {u} önce",),
        ahead=("{n} {u} sonra",),
        last=("geçen {u}",),
        this=("bu {u}",),
        next=(
            "gelecek {u}",
            "önümüzdeki {u}",
        ),
        named={"haftaya": ("week", 1), "seneye": ("year", 1)},
        days={"evvelsi gün": -2, "dün": -1, "bugün": 0, "yarın": 1, "öbür gün": 2},
    ),
    "ru": CountedTimes(
        numbers="один одну, два две, три, четыре, пять, шесть, семь, восемь, девять, десять, одиннадцать, двенадцать",
        units={
            "day": "день дня дней",
            "week": "неделя неделю недели недель неделе",
            "month": "месяц месяца месяцев месяце",
            "year": "год года лет году",
        },
        ago=(
            "{n} {u} назад",
            "{u} назад",
        ),
        ahead=(
            "через {n} {u}",
            "через {u}",
        ),
        last=(
            "на прошлой {u}",
            "в прошлом {u}",
        ),
        this=("на этой {u}", "в этом {u}"),
        next=(
            "на следующей {u}",
            "в следующем {u}",
        ),
        days={"позавчера": -2, "послезавтра": 2},
    ),
}
