"""French, Spanish and Italian: what people and animals are to somebody, one row a role (`language.table.roles_of`)."""

from __future__ import annotations

from lattice_common.language.table import Belonging, roles_of

FRENCH_ROLES = roles_of(
    """
    mother!^<parent person mère maman
    father!^<parent person père papa
    parent person parent | parents
    brother<sibling person frère | frères
    sister<sibling person sœur soeur | sœurs
    son<child person fils
    daughter<child person fille | filles
    wife!<partner person femme épouse
    husband!<partner person mari époux
    partner! person compagnon compagne copain copine
    grandmother^ person grand-mère mamie
    grandfather^ person grand-père papi papy
    aunt^ person tante
    uncle^ person oncle
    cousin person cousin cousine
    friend person ami amie | amis
    neighbour person voisin voisine
    colleague person collègue
    boss! person patron patronne cheffe
    landlord! person propriétaire
    doctor! person médecin
    dentist! person dentiste
    vet! person vétérinaire
    dog<pet animal chien chienne
    cat<pet animal chat chatte
    car!<vehicle thing voiture
    """
)
SPANISH_ROLES = roles_of(
    """
    mother!^<parent person madre mamá
    father!^<parent person padre papá
    brother<sibling person hermano | hermanos
    sister<sibling person hermana | hermanas
    son<child person hijo | hijos
    daughter<child person hija
    wife!<partner person esposa mujer
    husband!<partner person marido esposo
    partner! person novio novia pareja
    grandmother^ person abuela
    grandfather^ person abuelo
    aunt^ person tía
    uncle^ person tío
    cousin person primo prima
    friend person amigo amiga
    neighbour person vecino vecina
    boss! person jefe jefa
    landlord! person casero casera
    doctor! person médico médica doctora
    dentist! person dentista
    vet! person veterinario veterinaria
    dog<pet animal perro perra
    cat<pet animal gato gata
    car!<vehicle thing coche
    """
)
ITALIAN_ROLES = roles_of(
    """
    mother!^<parent person madre mamma
    father!^<parent person padre papà
    brother<sibling person fratello | fratelli
    sister<sibling person sorella
    son<child person figlio
    daughter<child person figlia
    wife!<partner person moglie
    husband!<partner person marito
    partner! person fidanzato fidanzata compagno compagna
    grandmother^ person nonna
    grandfather^ person nonno
    aunt^ person zia
    uncle^ person zio
    cousin person cugino cugina
    friend person amico amica
    neighbour person vicino vicina
    boss! person capo
    landlord! person padrone_di_casa
    doctor! person medico dottoressa
    dentist! person dentista
    vet! person veterinario veterinaria
    dog<pet animal cane cagnolino
    cat<pet animal gatto gatta
    car!<vehicle thing macchina
    """
)
FRENCH = Belonging(
    mine=frozenset(("mon", "ma", "mes", "notre", "nos")),
    theirs=frozenset(("son", "sa", "ses", "leur")),
    the=frozenset(("le", "la", "l", "les")),
    a=frozenset(("un", "une")),
    of=frozenset(("de", "d", "du")),
    is_=frozenset(("est",)),
    was=frozenset(("était",)),
    named=frozenset(("appelé", "appelée", "nommé")),
    also=frozenset(("dit", "alias")),
    over=frozenset(("ancien", "ancienne", "ex")),
    new=frozenset(("nouveau", "nouvelle")),
    titles=frozenset(("m", "mme", "dr")),
    common=frozenset(("je", "nous", "il", "elle", "le", "la", "les", "un", "une", "quand", "où", "qui")),
)
SPANISH = Belonging(
    mine=frozenset(("mi", "mis", "nuestro", "nuestra")),
    theirs=frozenset(("su", "sus")),
    the=frozenset(("el", "la", "los", "las")),
    a=frozenset(("un", "una")),
    of=frozenset(("de", "del")),
    is_=frozenset(("es",)),
    was=frozenset(("era",)),
    named=frozenset(("llamado", "llamada")),
    also=frozenset(("alias",)),
    over=frozenset(("antiguo", "antigua", "ex")),
    new=frozenset(("nuevo", "nueva")),
    titles=frozenset(("sr", "sra", "dr", "dra")),
    common=frozenset(("yo", "el", "la", "los", "un", "una", "cuándo", "dónde", "quién", "hoy", "ayer")),
)
ITALIAN = Belonging(
    mine=frozenset(("mio", "mia", "nostro", "nostra")),
    theirs=frozenset(("suo", "sua")),
    the=frozenset(("il", "lo", "la")),
    a=frozenset(("un", "una", "uno")),
    of=frozenset(("di", "del", "della")),
    is_=frozenset(("è",)),
    was=frozenset(("era",)),
    named=frozenset(("chiamato", "chiamata")),
    also=frozenset(("detto", "detta")),
    over=frozenset(("ex", "vecchio", "vecchia")),
    new=frozenset(("nuovo", "nuova")),
    titles=frozenset(("sig", "dott")),
    common=frozenset(("io", "il", "la", "un", "una", "quando", "dove", "chi", "oggi", "ieri")),
)
