"""Days of the week and of a month in languages that tell one Thursday from every Thursday by other words than English does, and
days in figures and in words."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

import pytest
from lattice_common.language.dates.mentions import resolve

WEDNESDAY = datetime(2026, 11, 25, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "phrase", "day"),
    [
        ("El jueves tengo dentista.", "El jueves", date(2026, 11, 26)),
        ("El sábado fuimos al cine.", "El sábado", date(2026, 11, 21)),
        ("El jueves, fuimos a verla.", "El jueves", date(2026, 11, 19)),
        ("Marta me llamó: el viernes viene.", "el viernes", date(2026, 11, 27)),
        ("Marta dijo que viene el viernes.", "el viernes", date(2026, 11, 27)),
        ("Han aplazado la cita al jueves.", "al jueves", date(2026, 11, 26)),
        ("He quedado con Ana el sábado.", "el sábado", date(2026, 11, 28)),
        ("Jueves dentista a las 9.", "Jueves", date(2026, 11, 26)),
        ("Jueves 9:00 dentista.", "Jueves", date(2026, 11, 26)),
        ("Mañana por la mañana vuelo.", "Mañana", date(2026, 11, 26)),
        ("Jeudi j'ai dentiste.", "Jeudi", date(2026, 11, 26)),
        ("Je suis tombé mardi en vélo.", "mardi", date(2026, 11, 24)),
        ("Jeudi matin j'ai vu le kiné.", "Jeudi matin", date(2026, 11, 19)),
        ("Luc a dit qu'il vient samedi.", "samedi", date(2026, 11, 28)),
        ("Le magasin est fermé dimanche.", "dimanche", date(2026, 11, 29)),
        ("Ho una visita giovedì.", "giovedì", date(2026, 11, 26)),
        ("Sabato siamo andati al cinema.", "Sabato", date(2026, 11, 21)),
        ("Luca ha detto che arriva venerdì.", "venerdì", date(2026, 11, 27)),
        ("No sábado fomos ao cinema.", "No sábado", date(2026, 11, 21)),
        ("Sábado fomos ao cinema.", "Sábado", date(2026, 11, 21)),
        ("Na quinta tenho dentista.", "Na quinta", date(2026, 11, 26)),
        ("Vamos à quinta da avó na sexta.", "na sexta", date(2026, 11, 27)),
        ("Donderdag heb ik tandarts.", "Donderdag", date(2026, 11, 26)),
        ("Dinsdag heb ik Jan gebeld.", "Dinsdag", date(2026, 11, 24)),
        ("De loodgieter komt donderdagochtend.", "donderdagochtend", date(2026, 11, 26)),
        ("Morgen ga ik naar de dokter.", "Morgen", date(2026, 11, 26)),
        ("W czwartek mam dentystę.", "W czwartek", date(2026, 11, 26)),
        ("We wtorek spadłam z roweru.", "We wtorek", date(2026, 11, 24)),
        ("Jan mówił, że przyjdzie w piątek.", "w piątek", date(2026, 11, 27)),
        ("14 grudnia lecę do Limy.", "14 grudnia", date(2026, 12, 14)),
        ("Urodziłam się 3 maja 1988.", "3 maja 1988", date(1988, 5, 3)),
        ("Salı saat 10'da randevum var.", "Salı", date(2026, 12, 1)),
        ("Salı günü bisikletten düştüm.", "Salı günü", date(2026, 11, 24)),
        ("14 Aralık'ta Lima'ya uçuyorum.", "14 Aralık'ta", date(2026, 12, 14)),
        ("El 3/4 tengo cita con el notario.", "El 3/4", date(2027, 4, 3)),
        ("Le 3/11 j'ai vu le notaire.", "Le 3/11", date(2026, 11, 3)),
        ("El 12/05/2027 caduca el pasaporte.", "El 12/05/2027", date(2027, 5, 12)),
        ("Dr appt 14/12 at 9.", "14/12", date(2026, 12, 14)),
        ("Flight on 23/12, back late.", "on 23/12", date(2026, 12, 23)),
        ("Le plombier vient mardi prochain, pas vendredi.", "mardi prochain", date(2026, 12, 1)),
        ("El fontanero viene el martes, no el viernes.", "el martes", date(2026, 12, 1)),
        ("De loodgieter komt dinsdag, niet vrijdag.", "dinsdag", date(2026, 12, 1)),
        ("Mama komt zaterdag en blijft tot dinsdag.", "zaterdag", date(2026, 11, 28)),
        ("Cumartesi göz doktoruna gittim, yeni gözlük lazım.", "Cumartesi", date(2026, 11, 21)),
        ("the due date moved to the ninth of February", "the ninth of February", date(2027, 2, 9)),
        ("The dentist is on the twenty first of June.", "on the twenty first of June", date(2027, 6, 21)),
        ("March the first we fly to Rome.", "March the first", date(2027, 3, 1)),
        ("В четверг у меня стоматолог.", "В четверг", date(2026, 11, 26)),
        ("В субботу мы ходили в кино.", "В субботу", date(2026, 11, 21)),
        ("В прошлую пятницу уволился.", "В прошлую пятницу", date(2026, 11, 20)),
        ("Перенесли на четверг.", "на четверг", date(2026, 11, 26)),
        ("木曜日に歯医者があります。", "木曜日", date(2026, 11, 26)),
        ("土曜日に映画を見ました。", "土曜日", date(2026, 11, 21)),
        ("来週の金曜日に試験があります。", "来週の金曜日", date(2026, 12, 4)),
        ("周四我要看牙医。", "周四", date(2026, 11, 26)),
        ("星期六我们看了电影。", "星期六", date(2026, 11, 21)),
        ("上周一我辞职了。", "上周一", date(2026, 11, 16)),
        ("Geçen cuma maça gittik.", "Geçen cuma", date(2026, 11, 20)),
    ],
)
def test_one_day_is_the_coming_one_or_where_it_is_told_of_the_last(text: str, phrase: str, day: date) -> None:
    found, *_ = resolve(text, WEDNESDAY)
    assert (found.phrase, found.whole[0].date()) == (phrase, day)


@pytest.mark.parametrize(
    "text",
    [
        "Los lunes voy a yoga.",
        "El domingo siempre comemos con mamá.",
        "El martes y el jueves nado.",
        "Trabajo de lunes a viernes.",
        "El Viernes Santo cerramos.",
        "Vivimos en Santo Domingo.",
        "Por la mañana corro.",
        "Le lundi je fais du yoga.",
        "Mardi gras, on fait des crêpes.",
        "Il lunedì vado a yoga.",
        "La lezione del giovedì è saltata.",
        "Às segundas vou ao ioga.",
        "Na segunda vez deu certo.",
        "Elke dinsdag zwem ik.",
        "Van maandag tot vrijdag werk ik.",
        "Goede Vrijdag zijn we vrij.",
        "Goede morgen allemaal.",
        "W każdy wtorek pływam.",
        "W poniedziałki chodzę na jogę.",
        "Her salı yüzüyorum.",
        "Lundi : 9h - 18h",
        "Lunes 9:00 a 14:00",
        "Maandag 9 tot 17 uur",
        "毎週火曜日に泳ぎます。",
        "月曜日から金曜日まで働きます。",
        "每周二我游泳。",
        "一周三次去健身房。",
        "两周一次打扫。",
        "三个星期一次开会。",
        "这周五天都上班。",
        "日曜大工が好きです。",
        "周一到周五上班。",
        "По понедельникам хожу на йогу.",
        "Каждый вторник плаваю.",
        "С понедельника по пятницу работаю.",
        "Cuma namazına gidiyorum.",
        "Pazardan elma aldım.",
        "El 3/4 de la población vive aquí.",
        "Le 3/4 du budget est parti.",
        "On 24/7 support we agree.",
        "A third of May's pay went on rent.",
        "May first complete the form.",
        "Score was 21/12 in the end.",
        "Meet on 3/4 at noon.",
    ],
)
def test_every_such_day_and_what_only_has_its_name_is_none(text: str) -> None:
    assert resolve(text, WEDNESDAY) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Volgende week vrijdag vlieg ik naar Oslo.", date(2026, 12, 4)),
        ("La semana que viene, el jueves, tengo examen.", date(2026, 12, 3)),
    ],
)
def test_a_day_is_in_the_week_that_its_sentence_names(text: str, day: date) -> None:
    assert resolve(text, WEDNESDAY)[-1].whole[0].date() == day


@pytest.mark.parametrize("word", ["el lunes ", "lundi a ", "w czwartek ", "na quinta ", "heb ge ", "14 maja ", "周四我 "])
def test_many_of_them_are_read_in_linear_time(word: str) -> None:
    began = time.process_time()
    resolve(word * 5_000, WEDNESDAY)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I said I'd bring the potato salad on Saturday", date(2026, 11, 28)),
        ("Mum promised she'd call on Sunday.", date(2026, 11, 29)),
        ("He mentioned he'd be away on Friday", date(2026, 11, 27)),
        ("Tom said he'd been ill on Saturday", date(2026, 11, 21)),
        ("He said he'd moved on Friday.", date(2026, 11, 20)),
    ],
)
def test_what_somebody_said_they_would_do_lies_ahead(text: str, day: date) -> None:
    (found,) = resolve(text, WEDNESDAY)
    assert found.whole[0].date() == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("El contrato venció el 20 de febrero.", date(2026, 2, 20)),
        ("El contrato vence el 20 de mayo.", date(2027, 5, 20)),
        ("Me operaron el 20 de febrero.", date(2026, 2, 20)),
        ("J'ai déménagé le 20 février.", date(2026, 2, 20)),
        ("Contrôle technique le 6 mai.", date(2027, 5, 6)),
        ("Abbiamo traslocato il 20 febbraio.", date(2026, 2, 20)),
        ("La visita dal dentista è il 12 maggio.", date(2027, 5, 12)),
        ("Si chiama Agnese, nata il 9 febbraio.", date(2026, 2, 9)),
        ("Mudámo-nos a 20 de fevereiro.", date(2026, 2, 20)),
        ("Umowa wygasa 20 maja.", date(2027, 5, 20)),
        ("We zijn op 20 februari verhuisd.", date(2026, 2, 20)),
        ("We verhuizen op 20 februari.", date(2027, 2, 20)),
        ("Мы переехали 20 февраля.", date(2026, 2, 20)),
        ("Договор истекает 20 мая.", date(2027, 5, 20)),
        ("2月20日に引っ越しました。", date(2026, 2, 20)),
        ("契約は5月20日に終わります。", date(2027, 5, 20)),
        ("我们2月20日搬家了。", date(2026, 2, 20)),
        ("¡Nació Mateo! El 7 de noviembre, 3,2 kilos.", date(2026, 11, 7)),
        ("Am 20.2. hat Lena Prüfung.", date(2027, 2, 20)),
        ("Am 20.2. bin ich umgezogen.", date(2026, 2, 20)),
        ("Mittwoch, 2.12. Elternabend.", date(2026, 12, 2)),
    ],
)
def test_a_day_of_a_month_is_of_the_year_that_its_verb_tells(text: str, day: date) -> None:
    assert [each.whole[0].date() for each in resolve(text, datetime(2026, 11, 25, 18, tzinfo=UTC))] == [day]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Ik ben sinds 1 mei teamleider.", date(2026, 5, 1), None),
        ("De uitkering loopt tot 1 juni.", None, date(2027, 6, 2)),
        ("Karta pobytu do 14 stycznia.", None, date(2027, 1, 15)),
        ("Bis zum 20.2. muss ich mich anmelden.", None, date(2027, 2, 21)),
        ("Seit dem 20.2. bin ich krankgeschrieben.", date(2026, 2, 20), None),
    ],
)
def test_a_day_that_begins_or_ends_something_is_no_day_of_it(text: str, first: date | None, last: date | None) -> None:
    (found,) = resolve(text, datetime(2026, 11, 25, 18, tzinfo=UTC))
    assert (found.valid_from and found.valid_from.date(), found.valid_until and found.valid_until.date()) == (first, last)


@pytest.mark.parametrize("text", ["3.1. Scope of the agreement", "Version 20.2. of the app", "Geburtstag von Lena ist am 20.2."])
def test_figures_with_full_stops_are_days_only_behind_a_word_for_it(text: str) -> None:
    assert resolve(text, datetime(2026, 11, 25, 18, tzinfo=UTC)) == []


MONDAY = datetime(2026, 11, 16, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Zebranie przenieśli na czwartek 26 listopada.", ["2026-11-26"]),
        ("Dentysta przesunął kontrolę na poniedziałek 7 grudnia.", ["2026-12-07"]),
        ("Muayeneyi 26 kasım perşembeye aldılar.", ["2026-11-26"]),
        ("Muayene 26 kasıma alındı.", ["2026-11-26"]),
        ("26 Kasım perşembe günü veli toplantısı var.", ["2026-11-26"]),
        ("Han movido el examen al jueves 26 de noviembre.", ["2026-11-26"]),
        ("Le conseil a été décalé au jeudi 26 novembre.", ["2026-11-26"]),
        ("Od 1 lutego uczę w liceum.", ["2027-02-01"]),
        ("Od 1 września uczę w liceum.", ["2026-09-01"]),
        ("Od 1 lutego pracowałam w Orange.", ["2026-02-01"]),
        ("Cumartesi günleri yüzüyoruz.", []),
        ("Çarşamba akşamları koroya gidiyorum.", []),
    ],
)
def test_the_year_is_that_of_the_weekday_and_of_what_was_moved_to_a_day(text: str, days: list[str]) -> None:
    found = [mention.valid_from.date().isoformat() for mention in resolve(text, MONDAY) if mention.valid_from]
    assert found == days


def test_what_was_cancelled_from_a_day_ends_on_the_nearest() -> None:
    [mention] = resolve("Netflix stopped from 20 August.", datetime(2026, 7, 10, 18, tzinfo=UTC))
    assert mention.whole[0].date() == date(2026, 8, 20)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("A natação mudou de segunda pra quinta.", []),
        ("Niemiecki przesunęli z wtorku na czwartek.", []),
        ("El ensayo ha pasado al jueves.", []),
        ("La chorale est déplacée au jeudi.", []),
        ("Il nuoto è spostato a giovedì.", []),
        ("Jeudi on est passés à la piscine.", ["2026-11-12"]),
        ("O dentista mudou para a quinta.", ["2026-11-19"]),
        ("Orchestra has moved to Thursday.", []),
        ("They moved judo from Tuesday to Thursday.", []),
        ("Die Bandprobe wurde auf Donnerstag verlegt.", []),
        ("Das Schwimmtraining wurde von Dienstag auf Donnerstag verschoben.", []),
        ("Das Turnen ist ab sofort am Donnerstag statt am Dienstag.", []),
        ("Der Arzttermin wurde auf Donnerstag verlegt.", ["2026-11-19"]),
        ("She wants the weekly summary by Friday.", []),
        ("Sent the weekly summary on Friday.", ["2026-11-13"]),
        ("Thursday isn't open to members.", []),
        ("We meet on Thursday instead of Tuesday.", ["2026-11-19"]),
    ],
)
def test_a_class_that_was_put_on_another_day_has_it_each_week(text: str, days: list[str]) -> None:
    assert [f"{each.whole[0]:%F}" for each in resolve(text, MONDAY)] == days
