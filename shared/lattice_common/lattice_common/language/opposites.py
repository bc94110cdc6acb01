"""Words for one of a few of a kind: sides, meals, times of day, medals. What is said of one of them is not said of the others.

One row a member, all its words behind its name; rows of one group are told apart.
"""

from __future__ import annotations

from collections.abc import Mapping


def _members(*rows: str) -> Mapping[str, str]:
    """Return, of rows of a member's words, the first of them by each."""
    return {word: row.split()[0] for row in rows for word in row.split()}


SIDES = _members(
    "left links linke linker linkes linken gauche izquierda izquierdo sinistra sinistro esquerda esquerdo lewa lewy lewe sol",
    "right rechts rechte rechter rechtes rechten droite droit derecha derecho destra destro direita direito prawa prawy "
    "prawe sağ",
    "middle centre center mittlere mittlerer mittleres mittleren",
)
FLOORS = _members(
    "upstairs upper top oben obere oberer oberes oberen", "downstairs lower bottom unten untere unterer unteres unteren"
)
ENDS = _members("front vorne vordere vorderer vorderes vorderen", "back rear hinten hintere hinterer hinteres hinteren")
MEDALS = _members("gold", "silver silber argent plata argento prata", "bronze bronce bronzo")
MEALS = _members(
    "breakfast brunch frühstück petit-déjeuner desayuno colazione ontbijt śniadanie kahvaltı",
    "lunch mittagessen almuerzo pranzo almoço middageten",
    "dinner supper abendessen abendbrot dîner cena jantar avondeten kolacja",
)
DEPTHS = _members("inner inside innere innerer inneres inneren", "outer outside äußere äußerer äußeres äußeren")
COMPASS = _members("north northern", "south southern", "east eastern", "west western")
TIMES_OF_DAY = _members(
    "morning mornings morgens vormittags matin matins mattina manhã ochtend ochtends rano sabah sabahları",
    "afternoon afternoons nachmittags après-midi pomeriggio middag middags",
    "evening evenings night nights tonight abends nachts soir soirs nuit sera sere notte noite noites avond avonds wieczorem "
    "akşam akşamları",
)
ORDINALS = _members(
    "first erste erster erstes ersten premier première primer primera primero primo prima primeiro primeira eerste pierwszy "
    "pierwsza pierwsze birinci ilk",
    "second zweite zweiter zweites zweiten deuxième seconde segundo segunda secondo seconda tweede drugi druga drugie ikinci",
    "third dritte dritter drittes dritten troisième tercer tercera tercero terzo terza terceiro terceira derde trzeci "
    "trzecia trzecie üçüncü",
    "fourth vierte vierter viertes vierten quatrième cuarto cuarta quarto quarta vierde czwarty czwarta czwarte dördüncü",
)
