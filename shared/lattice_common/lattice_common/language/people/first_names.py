"""Common first names with a known gender ("she" or "he"). A name that is not listed may be either."""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

SHE = frozenset(
    """ada agnes alice amanda amelia amy anita ana ann anna anne annette barbara bea beatrice bella birgit brigitte carla carol
    caroline catherine cathy charlotte chiara chloe christina claire clara claudia deborah diana doris dorothy elena
    eleanor elif elisabeth elise elizabeth ella ellen elsa emilia emily emma erica erika esther eva eve fatima fiona
    florence frida gabriela giulia grace greta hanna hannah heidi helen helena helga ines ingrid irene iris isabel
    isabella jana jane janet jasmine jennifer jenny jessica joanna johanna josephine judith julia julie karen karin kate
    katharina katherine katja kathrin laura lena leonie lily linda lisa lola louise lucia lucy luisa lydia magda maja
    margaret maria marie marta martha martina mary mathilda maya megan melanie melissa mia michelle mila miriam molly
    monica monika nadia nancy naomi natalie natasha nina nora olga olivia patricia paula petra pia priya rachel rebecca
    renate rita rosa rose ruth sabine sally samantha sandra sara sarah silvia simone sofia sonja sophia sophie stella
    stephanie susan susanne svetlana sylvia tanja tatiana teresa theresa tina ursula valentina vanessa vera veronica
    victoria wendy yasmin yuki yvonne zara zoe""".split()
)
HE = frozenset(
    """aaron abdul adam adrian ahmed alan albert alberto alexander alfred ali anders andreas andrew anthony anton antonio
    arthur axel ben benjamin bernd bernhard bill bob boris brian bruno carl carlos charles christian christopher claus
    daniel dave david dennis dieter dirk dmitri dominik edgar eduard edward elias emil enzo eric erik ernst ethan fabian
    felix finn florian francesco frank franz fred frederick fritz gabriel george gerald gerhard giovanni greg gregory
    günter gustav hamid hannes hans harald harry heinz helmut henrik henry herbert hugo ian igor ivan jack jacob jakob
    jamal james jan jason jean jeff jens jeremy jim joachim joao joe joel johannes john jonas jonathan jorge jose josef
    joseph joshua juan jürgen karl kevin klaus konrad kurt lars leo leon leonard liam luca lucas luis lukas manfred
    manuel marco marcus mario mark markus martin mateo matteo matthew matthias max michael miguel mike mohammed moritz
    nathan nick nicolas niklas nikolai noah oliver omar oscar oskar otto pablo patrick paul pedro peter philip pierre
    rainer ralf raj ravi rene richard rob robert roland ron ryan samuel sebastian sergei simon stefan stephen steve
    steven sven theo thomas thorsten tim timothy tobias tom tony uwe victor viktor vincent vladimir walter werner will
    william wolfgang yusuf""".split()
)
