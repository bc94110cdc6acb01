"""Towns known by name, for text without capitals: "moved to lisbon" is a move, "moved to bed" is none.

Large towns of the world and of Germany, Austria, Switzerland and the British Isles. Names that are everyday words in lower case
(nice, reading, bath, split, essen) are left out: they need a capital.
"""

from __future__ import annotations

from lattice_common.language.vocabulary import vocabulary

TOWNS = vocabulary(
    """berlin hamburg munich münchen muenchen cologne köln koeln frankfurt stuttgart düsseldorf duesseldorf leipzig dortmund
    bremen dresden hanover hannover nuremberg nürnberg duisburg bochum wuppertal bielefeld bonn münster karlsruhe mannheim
    augsburg wiesbaden gelsenkirchen mönchengladbach braunschweig kiel chemnitz aachen magdeburg freiburg krefeld lübeck
    mainz erfurt oberhausen rostock kassel potsdam saarbrücken oldenburg osnabrück leverkusen heidelberg darmstadt
    regensburg paderborn ingolstadt würzburg ulm heilbronn pforzheim wolfsburg göttingen reutlingen koblenz bremerhaven jena
    trier konstanz tübingen weimar bamberg bayreuth passau vienna wien graz linz salzburg innsbruck klagenfurt zurich zürich
    geneva genf basel bern berne lausanne winterthur lucerne luzern lugano london birmingham manchester glasgow liverpool
    leeds sheffield edinburgh bristol cardiff belfast leicester nottingham coventry southampton portsmouth newcastle
    brighton plymouth norwich oxford cambridge aberdeen dundee swansea exeter york dublin galway limerick paris marseille
    lyon toulouse nantes strasbourg montpellier bordeaux lille rennes grenoble madrid barcelona valencia seville sevilla
    zaragoza málaga malaga murcia palma bilbao granada lisbon lisboa lissabon porto braga coimbra faro rome rom milan milano
    mailand naples napoli turin torino palermo genoa genova bologna florence firenze florenz venice venedig verona trieste
    amsterdam rotterdam utrecht eindhoven groningen maastricht haarlem leiden delft brussels brussel brüssel antwerp ghent
    bruges luxembourg copenhagen kopenhagen aarhus odense stockholm gothenburg malmö uppsala oslo bergen trondheim stavanger
    helsinki tampere turku reykjavik tallinn riga vilnius kaunas warsaw warschau krakow kraków cracow gdansk gdańsk wrocław
    wroclaw poznań poznan łódź prague prag brno ostrava bratislava budapest debrecen ljubljana zagreb belgrade sarajevo
    skopje bucharest cluj athens athen thessaloniki istanbul ankara izmir kyiv kiev lviv odessa moscow petersburg tbilisi
    yerevan baku jerusalem haifa cairo casablanca marrakesh tunis lagos accra nairobi johannesburg durban dubai doha riyadh
    beirut tehran karachi lahore delhi mumbai bangalore bengaluru chennai hyderabad kolkata pune dhaka colombo kathmandu
    bangkok hanoi saigon singapore jakarta manila taipei shanghai beijing shenzhen guangzhou chengdu seoul busan tokyo osaka
    kyoto yokohama nagoya sapporo fukuoka sydney melbourne brisbane perth adelaide canberra auckland wellington christchurch
    toronto montreal vancouver ottawa calgary edmonton winnipeg boston chicago houston philadelphia seattle denver austin
    dallas atlanta miami baltimore minneapolis detroit pittsburgh cleveland cincinnati milwaukee nashville memphis portland
    sacramento albuquerque tucson honolulu guadalajara monterrey bogotá bogota medellín medellin quito caracas santiago
    valparaíso montevideo brasília brasilia recife salvador curitiba"""
) | frozenset(
    (
        "new york", "new york city", "san francisco", "los angeles", "san diego", "las vegas", "new orleans", "salt lake city",
        "washington dc", "tel aviv", "cape town", "hong kong", "kuala lumpur", "buenos aires", "rio de janeiro", "são paulo",
        "sao paulo", "ho chi minh city", "new delhi", "mexico city", "st gallen", "st petersburg", "the hague", "den haag",
        "frankfurt am main", "berlin mitte", "berlin kreuzberg", "berlin neukölln",
    )
)  # fmt: skip
