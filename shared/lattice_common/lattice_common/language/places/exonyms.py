"""Towns and countries with different names in other languages: Munich is München."""

from __future__ import annotations

from lattice_common.language.patterns import lazy_regex

_PLACES = """munich münchen
cologne köln colonia
nuremberg nürnberg norimberga
hanover hannover
vienna wien vienne viena
zurich zürich zurigo
geneva genf genève ginevra ginebra
basel basle bâle basilea
berne bern berna
lucerne luzern lucerna
lisbon lisboa lissabon lisbonne lisbona
rome rom roma
milan milano mailand
naples napoli neapel nápoles
venice venezia venedig venise venecia
florence firenze florenz florencia
turin torino
genoa genova genua gênes
prague prag praha praga
warsaw warschau warszawa varsovie varsovia
krakow cracow kraków krakau
copenhagen kopenhagen københavn copenhague
brussels brüssel bruxelles brussel bruselas
antwerp antwerpen anvers
ghent gent gand
bruges brügge brugge
hague haag haye
athens athen athènes atene atenas
bucharest bukarest bucarest bucurești
belgrade belgrad beograd
moscow moskau moscou mosca moscú
petersburg petersbourg pietroburgo
kiev kiew kyiv
london londres londra
edinburgh edinburg édimbourg edimburgo
nice nizza niza
strasbourg straßburg strasburgo estrasburgo
marseille marseilles marsiglia marsella
seville sevilla séville siviglia
beijing peking pékin pechino pekín
tokyo tokio
cairo kairo caire
germany deutschland allemagne germania alemania
france frankreich francia
italy italien italia italie
spain spanien españa espagne spagna
portugal portogallo
austria österreich autriche
switzerland schweiz suisse svizzera suiza
netherlands niederlande holland holanda
belgium belgien belgique belgio bélgica
poland polen polska pologne polonia
sweden schweden suède svezia suecia
norway norwegen norvège norvegia noruega
denmark dänemark danemark danimarca dinamarca
greece griechenland grèce grecia
turkey türkei turquie turchia turquía
russia russland russie rusia
hungary ungarn hongrie ungheria hungría
croatia kroatien croatie croazia croacia
bavaria bayern bavière baviera
saxony sachsen
tuscany toskana toscana toscane"""

_NAMES = {name: tuple(line.split()) for line in _PLACES.splitlines() for name in line.split() if len(name) > 3}
_WORD = lazy_regex(r"[^\W\d_]+")


def also_called(text: str) -> str:
    """Return the other names of the places that a text names, one after the other; empty for most."""
    found = (_NAMES.get(word.lower()) for word in dict.fromkeys(_WORD.findall(text)) if word[0].isupper())
    return " ".join(name for names in found if names for name in names)
