"""Entries of an address book: whoever is in it is known, by each name, and with who is related."""

from __future__ import annotations

from pathlib import Path

from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits

from tests.pipeline.living import finished, send_file, started

BOOK = b"""BEGIN:VCARD
VERSION:3.0
FN:Jonas Weber
ORG:Acme
TEL;TYPE=CELL:+49 170 1234567
BDAY:1985-04-12
ANNIVERSARY:20100612
RELATED;TYPE=spouse;VALUE=text:Ida Weber
RELATED;TYPE=friend:urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Ines Costa
NICKNAME:Nessie
item1.X-ABRELATEDNAMES:Max Costa
item1.X-ABLabel:_$!<Brother>!$_
item2.X-ABDATE:2011-05-03
item2.X-ABLabel:_$!<Anniversary>!$_
END:VCARD
BEGIN:VCARD
VERSION:3.0
ORG:Stadtwerke
TEL:0431 1234567
END:VCARD
"""


def test_whoever_is_in_an_address_book_is_known(tmp_path: Path) -> None:
    with started(tmp_path, reader=SandboxedReader(Limits())) as store:
        finished(store, send_file(store, "people.vcf", BOOK))
        who = store.lattice.entity
        told = {atom.subject: atom for atom in store.stores.catalogue.all()}
        assert who("Jonas Weber").kind == "person"
        assert who("Jonas Weber").proofs == (told["Jonas Weber"].atom_id,)
        assert [(role.role, role.phrase) for role in who("Ida Weber").roles] == [("partner", "Jonas Weber's partner")]
        assert who("Nessie").name == "Ines Costa"
        assert [role.phrase for role in who("Max Costa").roles] == ["Ines Costa's brother"]
        assert who("Stadtwerke").kind == "organisation"
        assert "Anniversary: 12 June 2010; Related: Ida Weber (spouse)" in told["Jonas Weber"].content
        assert "Anniversary: 3 May 2011; Related: Max Costa (brother)" in told["Ines Costa"].content
        assert "urn:uuid" not in told["Jonas Weber"].content
