"""What stands on letters, invoices and contracts, and how it is labelled: their type, their date, who sent them, what is due."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.table import Language
from lattice_common.language.words import any_of, months, short_months

_WHAT = (
    ("invoice", r"invoice|rechnung|facture|factura|fattura"),
    (
        "bill",
        r"(?:your|(?:tele)?phone|mobile|electricity|gas|water|heating|energy|internet|utility|medical) bill|annual statement",
    ),
    ("reminder of payment", r"payment reminder|mahnung|zahlungserinnerung"),
    ("receipt", r"receipt|quittung|kassenbon"),
    ("bank statement", r"(?:bank|account) statement|kontoauszug"),
    ("lease", r"(?:residential |tenancy |rental )?lease(?: agreement)?|tenancy agreement|mietvertrag"),
    ("employment contract", r"employment (?:contract|agreement)|arbeitsvertrag"),
    ("contract", r"contract|agreement|vertrag|contrat"),
    ("insurance policy", r"(?:insurance )?policy|versicherung\w*|police"),
    ("offer", r"quotation|quote|offer|angebot|kostenvoranschlag"),
    ("certificate", r"certificate|zertifikat|urkunde|bescheinigung"),
    (
        "minutes",
        r"(?<!\d )(?<!\d)(?<!\d-)(?<!few )minutes(?! (?:away|late|later|early|before|after|walk|drive)\b)(?: of)?|protokoll",
    ),
    ("agenda", r"agenda|tagesordnung"),
    ("manual", r"manual|handbook|user guide|handbuch|anleitung"),
    ("payslip", r"pay ?slip|payroll|gehaltsabrechnung|lohnabrechnung"),
    ("CV", r"curriculum vitae|resume|résumé|lebenslauf|cv"),
    ("tax document", r"tax (?:return|assessment)|steuerbescheid|steuererklärung"),
    ("recipe", r"recipe|rezept"),
    ("itinerary", r"itinerary|boarding pass|e-?ticket|booking confirmation|reservation|buchungsbestätigung"),
    ("newsletter", r"newsletter|rundbrief|gazette"),
    ("timetable", r"timetable|stundenplan|fahrplan"),
    ("report", r"report|\w*bericht|analysis|study"),
    ("prescription", r"prescription|laboratory report|befund|arztbrief"),
)
_LANGUAGES: tuple[Language, ...] = ("en", "de", "fr", "es", "it")
TYPES = tuple((what, lazy_regex(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)) for what, words in _WHAT)
"""What a document calls itself, the first of which that it does."""
_MONTH = rf"(?i:{any_of([*months(*_LANGUAGES), *short_months('en', 'de')])})"
_DATE = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}|\d{{1,2}}(?:st|nd|rd|th|er|\.)? (?:de )?{_MONTH}\.?,? \d{{4}}|"
    rf"{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}})"
)
_GAP = r"[ \t]*[|:]?[ \t|]*"
DATED = lazy_regex(
    r"(?im)^\W{0,4}(?:(?:invoice|bill|issue|document|contract|statement|order|letter|report)[ \t]+)?(?:date|dated|datum|"
    rf"rechnungsdatum|issued(?: on)?|date of issue|booked on|vom){_GAP}"
    rf"(?P<date>{_DATE})|^(?:[^\n,]{{2,30}}, ?(?:the |den |le |el |il )?)?(?P<line>{_DATE})"
    r"(?:\W*$|, (?:en|in) \w+ (?:exemplaires|originaux|ejemplares|copie)\b)"
)
ANY_DATE = lazy_regex(rf"(?<!\w){_DATE}(?!\w)")
HAPPENS = lazy_regex(
    r"(?:\b(?:on|by|until|till|from|to|since|before|after|due|next|valid|starting|starts?|begins?|ends?|"
    r"expir\w+|between|and|ab|bis|zum|vor|nach|seit|und|od|do|paiement|payment|zahlung|born|birth|geboren|geb\.|née?|naissance|nacid[oa]|nacimiento|nat[oa]|nascita)"
    r"|[-–—])[ \t|:]*\Z",
    re.IGNORECASE,
)
"""Before a date that something happens on, or somebody was born on, which is not the document's own."""
PARTIES = lazy_regex(r"\A(?:between|zwischen)[ \t]+(?:(?:der|dem|the)[ \t]+)?", re.IGNORECASE)
SENDER = lazy_regex(
    r"(?im)^\W{0,4}(?:(?:from|von)(?=[ \t]*[|:])|absender|sender|seller|vendor|supplier|"
    r"issued by|issuer|bill(?:ed)? from|landlord|lessor|employer|"
    r"insurer|provider|author|prepared by|rechnungssteller|vermieter(?:in)?|arbeitgeber(?:in)?|verkäufer(?:in)?|lieferant)(?!\w)"
    rf"{_GAP}(?P<name>[^\n|<,;]{{2,60}})"
)
FIRM = lazy_regex(
    r"(?m)^[#* \t]*(?P<name>[^\n|:]{2,60}?[ ,](?:GmbH|AG|KG|UG|e\.V\.|Inc|Ltd|LLC|LLP|PLC|plc|Co|Corp|S\.A|B\.V|S\.r\.l)\b\.?)"
)
_MONEY = (
    r"(?:(?:[€$£]|EUR|USD|GBP|CHF)\s?\d[\d.,' ]*|"
    r"\d[\d.,' ]*\s?(?:[€$£]|EUR\b|USD\b|GBP\b|CHF\b|euros?\b|dollars?\b|pounds?\b|zł))"
)
DUE = lazy_regex(
    r"(?im)(?P<label>(?:total|amount|balance)[ \t]+(?:amount[ \t]+)?(?:due|payable)|grand total|invoice total|"
    r"(?<!sub)(?<!sub )total"
    r"(?:[ \t]+(?:incl[^\n|:]{0,25}|amount|price|sum))?|(?:monthly|net|base|cold|warm)[ \t]+rent|annual premium|premium|"
    r"monthly fee|"
    r"(?:(?:sum|amount|total)[ \t]+)?to pay|montant total|total à payer|net à payer|"
    r"gesamtbetrag|rechnungsbetrag|zu zahlen(?:der betrag)?|endbetrag|kaltmiete|warmmiete|gesamtmiete)"
    rf"(?!\w)(?:[^\n\d€$£]|(?<=\| )\d[\d.,]{{0,12}}(?= \|)){{0,40}}?(?P<money>{_MONEY})"
)
"""What is to be paid, and how much; in a row of a table, also behind cells of bare numbers."""
OUTSIDE = lazy_regex(
    r"\b(?:not|excluded|excluding|except|beyond|besides|without|nicht|außer\w*|ohne|pas|hors|sans|sin|fuera|non|esclus\w+)\b"
    r"[^\n|.;:]{0,30}\Z",
    re.IGNORECASE,
)
"""Before "the total", of what is none of it: "not in the total: night rate €40"."""
WHOLE = lazy_regex(r"total|gesamt|endbetrag", re.IGNORECASE)
"""In a label of what is to be paid: of several the greatest is that of all."""
OF_ITS_DATE = lazy_regex(r"\b(?:dated?|issued|written|signed|sent|datum|datiert|ausgestellt|unterschrieben)\b", re.IGNORECASE)
OF_ITS_SUM = lazy_regex(
    r"\b(?:total|amount|due|invoice|bill|premium|rent|sum|rechnung\w*|betrag|gesamt\w*|miete|faktur\w*)\b", re.IGNORECASE
)
OF_ITS_SENDER = lazy_regex(r"\b(?:from|sent|sender|issued|wrote|with|landlord|insurer|seller|von|absender)\b", re.IGNORECASE)
"""Of questions about when a document is from, what it comes to, and who sent it."""
