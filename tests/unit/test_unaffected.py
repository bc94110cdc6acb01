"""News of what is somebody else's, a part, or was only looked at, which ends nothing that was said of the thing itself."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.unaffected import leaves_as_it_was


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Dr Shah bumped Anna's citalopram up to 40 mg.", "I take 20 mg of citalopram."),
        ("Das Handy von Anke ist hin, sie hat sich ein iPhone geholt.", "Mein Handy ist ein Pixel 7."),
        ("Signed Max up with the climbing gym yesterday, £20 a month.", "My gym is Everyone Active, £38 a month."),
        ("Peter stepped down as a school governor.", "Peter is the treasurer of the allotment society."),
        ("Sold the Volvo's old roof box on eBay.", "We drive a Volvo V60."),
        ("Mum moved into Ashgrove last weekend.", "Joel's mum lives in Harrogate."),
        ("Joel's mum moved to York.", "Mum lives in Hull."),
        ("A copy of the van keys is with Declan.", "The van keys hang on the hook behind the till."),
        ("I left Finch & Co early today.", "I work at Finch & Co as an architect."),
        ("Neue Handynummer: 0699 40 12 77", "der Opa: seine Nummer ist 0650 33 18 90"),
        ("novo número: 91 220 1470", "o número dela é 96 118 2035"),
        ("She's gone.", "SHE GOT IT."),
        ("She doesn't.", "She works nights at the depot."),
        ("We sold the Volvo.", "No thank you"),
        ("nouveau numéro de Léa 06 12 34 00 77", "le digicode a changé, c'est 90A33 maintenant"),
        ("bin umgezogen, neue adresse Gostenhofer Hauptstr. 41", "seit gestern im neuen büro in der Lagerstraße, 3. stock"),
        ("The new office is on Mill Street.", "I live on Larch Close."),
        ("new number for the plumber 07700 900 361", "The gate code is 4471."),
        ("Hi Pete, thanks for coming out.", "Pete does the kitchen."),
        ("Tom is captain now.", "AGM."),
        ("Viewed 3 places: Flat on Quay Parade, £950", "Live at 14 Tern Street"),
        ("We looked at a house in Coburg but it went for too much.", "We live in Preston."),
    ],
)
def test_what_is_of_another_is_told_from_news(newer: str, older: str) -> None:
    assert leaves_as_it_was(newer, older)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Neue Handynummer: 0699 40 12 77", "meine Nummer ist 0664 90 12 45"),
        ("Neue Handynummer vom Opa: 0699 40 12 77", "der Opa: seine Nummer ist 0650 33 18 90"),
        ("Dr Shah bumped my citalopram up to 40 mg.", "I take 20 mg of citalopram."),
        ("Anna's citalopram is up to 40 mg.", "Anna takes 20 mg of citalopram."),
        ("Signed up with the climbing gym yesterday.", "My gym is Everyone Active."),
        ("Enrolled Mia at Northgate.", "Mia goes to Westfield."),
        ("Peter stepped down as treasurer.", "Peter is the treasurer of the allotment society."),
        ("davy's retired, it's big Ronnie's crew now", "i plaster for wee Davy's crew"),
        ("Sold the Volvo on eBay.", "We drive a Volvo V60."),
        ("Mum moved to York.", "Mum lives in Hull."),
        ("Joel's mum moved to York.", "Joel's mum lives in Hull."),
        ("Viewed a flat on Elm Road and took it.", "I live in Preston."),
        ("I left Finch & Co in May.", "I work at Finch & Co as an architect."),
        ("I left Finch & Co late this summer.", "I work at Finch & Co as an architect."),
        ("Fixed the boiler's pump.", "The boiler is broken."),
        ("I quit.", "I work at BT."),
        ("The office moved to Mill Street.", "My desk is in the Harbour Road office."),
        ("Moved, the new address is 41 High Street.", "I live at 8 Larch Close."),
        ("It died.", "The fridge hums."),
        ("We eat fish now.", "Vegan."),
        ("Thank you Lord I passed the board, Chief license is mine.", "I am reviewing for Chief Engineer license."),
        ("Mom's warfarin is gone, it's the new kind, twice a day.", "My mother takes warfarin."),
    ],
)
def test_news_of_the_thing_itself_is_none_of_another(newer: str, older: str) -> None:
    assert not leaves_as_it_was(newer, older)
