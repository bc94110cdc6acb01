"""OpenDocument files, books, calendars, contacts, subtitles and rich text for the tests of the readers, as several programs write
them."""

from __future__ import annotations

import io
import zipfile

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_SPACES = (
    " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table", "presentation")
    )
    + ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"'
)


def package(mimetype: str, **parts: str) -> bytes:
    """A zip whose first entry is its type, uncompressed; `__` in a name is a slash, `_xml` its ending."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", mimetype, zipfile.ZIP_STORED)
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return out.getvalue()


def opendocument(kind: str, body: str, manifest: str = "<manifest/>") -> bytes:
    """`kind` is `text`, `spreadsheet` or `presentation`."""
    content = (
        f'<?xml version="1.0"?><office:document-content {_SPACES}><office:body><office:{kind}>{body}</office:{kind}>'
        "</office:body></office:document-content>"
    )
    return package(
        f"application/vnd.oasis.opendocument.{kind}",
        content_xml=content,
        **{"META-INF__manifest_xml": manifest},
    )


LEASE = (
    '<text:tracked-changes>struck out</text:tracked-changes><text:h text:outline-level="1">Mietvertrag</text:h>'
    "<text:p>Berlin, den 3. März 2026</text:p><text:p>Die Miete<text:s/>beträgt<text:tab/>900 Euro.</text:p>"
    "<text:list><text:list-item><text:p>Keller</text:p></text:list-item><text:list-item><text:p>Garten mit Apfelbaum</text:p>"
    "<text:list><text:list-item><text:p>Schuppen</text:p></text:list-item></text:list></text:list-item></text:list>"
    "<table:table><table:table-row><table:table-cell><text:p>Raum</text:p></table:table-cell><table:table-cell><text:p>Größe"
    "</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Küche</text:p></table:table-cell>"
    '<table:table-cell office:value-type="float"><text:p>12</text:p></table:table-cell></table:table-row></table:table>'
)
BUDGET = (
    '<table:table table:name="Budget"><table:table-row><table:table-cell><text:p>Item</text:p></table:table-cell>'
    "<table:table-cell><text:p>Jan</text:p></table:table-cell>"
    '<table:table-cell table:number-columns-repeated="1000"/></table:table-row>'
    "<table:table-row><table:table-cell><text:p>Rent</text:p></table:table-cell>"
    '<table:table-cell office:value-type="float" office:value="900"><text:p>900.00</text:p></table:table-cell></table:table-row>'
    '<table:table-row table:number-rows-repeated="1048573"><table:table-cell table:number-columns-repeated="16384"/>'
    "</table:table-row></table:table>"
)
SLIDES = "".join(
    f'<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Plan {n}</text:p></draw:text-box></draw:frame>'
    f"<draw:frame><draw:text-box><text:p>We open shop {n}.</text:p></draw:text-box></draw:frame></draw:page>"
    for n in (1, 2)
)


def book(**more: str) -> bytes:
    """Two chapters, the second before the first in the archive; their order is the spine's."""
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:title>The Boat Book</dc:title></metadata><manifest>"
        '<item id="b" href="two.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="a" href="o%6Ee.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    page = (
        '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body><h1>{}</h1><p>{}</p></body></html>'
    )
    container = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    parts = {
        "META-INF__container_xml": container,
        "OEBPS__book_opf": opf,
        "OEBPS__two_xhtml": page.format("Storm", "The sail is red &amp; new."),
        "OEBPS__one_xhtml": page.format("Harbour", "The boat is in berth 12."),
        "OEBPS__nav_xhtml": page.format("Contents", "Harbour Storm"),
        **more,
    }
    return package("application/epub+zip", **parts)


CALENDAR = b"""BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Ada\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r
DTSTART:19701025T030000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nDTSTART;TZID=Europe/Berlin:20260512T100000\r
DTEND;TZID=Europe/Berlin:20260512T110000\r\nSUMMARY:Dentist\\, upper left\r\nLOCATION:Smile Dental\\, Park\r\n  Row 9\r
DESCRIPTION:Bring the card.\\nBe early.\r\nATTENDEE;CN="Bob: Roe":mailto:bob@x.org\r\nSTATUS:CONFIRMED\r\nBEGIN:VALARM\r
TRIGGER:-PT10M\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20260801\r
DTEND;VALUE=DATE:20260815\r\nSUMMARY:Holiday in Norway\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nDTSTART:20260106T183000\r
DURATION:PT1H30M\r\nRRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231T000000\r\nSUMMARY:Choir\r\nSTATUS:TENTATIVE\r\nEND:VEVENT\r
BEGIN:VTODO\r\nSUMMARY:Tax return\r\nDUE;VALUE=DATE:20260731\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"""

CONTACTS = b"""BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ines Costa\r\nN:Costa;Ines;;Dr.;\r\nTEL;TYPE=CELL,VOICE:+351 912 345 678\r
item1.EMAIL;TYPE=INTERNET:ines@x.org\r\nADR;TYPE=HOME:;;Rua do Sol 5;Lisboa;;1200-001;Portugal\r\nORG:ACME;Sales\r
TITLE:Head of sales\r\nBDAY:1985-04-12\r\nNOTE:Has the spare key\\, ask first.\r\nPHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ\r
 ABAQ\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;\r
TEL;CELL:0170 1234567\r\nADR;HOME;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;;Hauptstra=C3=9Fe 5=\r
;Berlin;;10115;Germany\r\nEND:VCARD\r\n"""

SRT = (
    "\ufeff1\r\n00:00:01,000 --> 00:00:03,000\r\n<i>The boat is in berth 12.</i>\r\n\r\n2\r\n00:00:03,200 --> 00:00:05,000\r\n"
    "[music] It sails\r\nin May.\r\n\r\n3\r\n00:01:10,000 --> 00:01:12,000\r\nInes has the key.\r\n"
).encode()
VTT = (
    b"WEBVTT\nKind: captions\n\nNOTE made by x\n\n00:01.000 --> 00:03.000 align:start\n<v Ada Roe>The boat is in berth 12.\n\n"
    b"cue-2\n00:03.500 --> 00:05.000\n<v Bob>When does it sail?\n"
)
ROLLING = (
    b"WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nthe boat is<00:00:01.000><c> in</c>\n\n00:00:02.000 --> 00:00:04.000\n"
    b"the boat is in\nberth twelve and\n\n00:00:04.000 --> 00:00:06.000\nberth twelve and\nsails in may\n"
)
RTF = (
    rb"{\rtf1\ansi\ansicpg1252\uc1\deff0{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fswiss\fcharset238 Arial CE;}}"
    rb"{\colortbl;\red0;}{\stylesheet{\s0 Normal;}}{\info{\title The Lease}{\author Ada}}{\*\generator Riched20;}"
    rb"\pard\plain \b Lease\b0\par "
    rb"The rent is 900 \'80 a month, says M\'fcller.\par{\f1 Za\'bf\'f3\'b3\'e6}\par Uni \u8364? and \u26085\'3f.\par"
    rb"{\pict\pngblip 89504e47}\trowd\pard\intbl Room\cell Size\cell\row\pard\intbl Kitchen\cell 12\cell\row\pard"
    rb"{\field{\*\fldinst HYPERLINK x}{\fldrslt The link}} ends.\par}"
)
TEXTEDIT_RTF = (
    b"{\\rtf1\\ansi\\ansicpg1252\\cocoartf2639\n{\\fonttbl\\f0\\fswiss\\fcharset0 Helvetica;}\n{\\*\\expandedcolortbl;;}\n"
    b"\\pard\\tx566\\f0\\fs24 \\cf0 The key is with Ines.\\\nThe bins go out on Tuesday.\\\n\\'93Quoted\\'94 words}"
)
