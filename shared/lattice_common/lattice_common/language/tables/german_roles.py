"""German: what people, animals, places and things are to somebody, one row a role (`language.table.roles_of`)."""

from __future__ import annotations

from lattice_common.language.table import Belonging, roles_of
from lattice_common.language.vocabulary import vocabulary

ROLES = roles_of(
    """
    mother!^<parent person mutter mama mutti
    father!^<parent person vater papa vati
    parent person elternteil | eltern
    brother^<sibling person bruder | brüder brüdern
    sister^<sibling person schwester | schwestern
    sibling person geschwister
    son<child person sohn stiefsohn | söhne
    daughter<child person tochter stieftochter | töchter
    child person kind | kinder
    wife!<partner person frau ehefrau
    husband!<partner person mann ehemann
    partner! person partner partnerin freundin verlobte verlobter
    grandmother^<grandparent person großmutter oma omi
    grandfather^<grandparent person großvater opa opi
    grandchild person enkel enkelin | enkelkinder
    aunt^ person tante
    uncle^ person onkel
    cousin^ person cousin cousine
    nephew person neffe
    niece person nichte
    mother_in_law! person schwiegermutter
    father_in_law! person schwiegervater
    sister_in_law person schwägerin
    brother_in_law person schwager
    godmother person patentante
    godfather person patenonkel
    friend person freund kumpel | freunde freundinnen
    neighbour person nachbar nachbarin | nachbarn
    flatmate person mitbewohner mitbewohnerin
    colleague person kollege kollegin | kollegen
    boss! person chef chefin vorgesetzter vorgesetzte
    landlord! person vermieter vermieterin
    tenant person mieter mieterin
    doctor! person arzt ärztin hausarzt hausärztin
    dentist! person zahnarzt zahnärztin
    orthodontist! person kieferorthopäde kieferorthopädin
    therapist! person therapeut therapeutin
    physiotherapist! person physiotherapeut physiotherapeutin
    vet! person tierarzt tierärztin
    pediatrician!<doctor person kinderarzt kinderärztin
    dermatologist!<doctor person hautarzt hautärztin
    cardiologist!<doctor person kardiologe kardiologin
    gynaecologist!<doctor person frauenarzt frauenärztin gynäkologe gynäkologin
    optician! person optiker optikerin
    midwife! person hebamme
    nurse person krankenschwester krankenpfleger pflegerin
    hairdresser! person friseur friseurin frisör
    lawyer! person anwalt anwältin notar
    accountant! person steuerberater steuerberaterin
    teacher person lehrer lehrerin
    coach person trainer trainerin
    babysitter person babysitter babysitterin tagesmutter
    cleaner person putzfrau reinigungskraft
    plumber person klempner
    electrician person elektriker
    mechanic person mechaniker
    carpenter person tischler schreiner
    gardener person gärtner gärtnerin
    builder person handwerker
    architect person architekt architektin
    priest person pfarrer pfarrerin pastor pastorin
    assistant person assistent assistentin
    dog<pet animal hund welpe | hunde
    terrier<dog<pet animal terrier
    dachshund<dog<pet animal dackel
    poodle<dog<pet animal pudel
    labrador<dog<pet animal labrador
    cat<pet animal katze kater kätzchen | katzen
    rabbit<pet animal kaninchen hase
    guinea_pig<pet animal meerschweinchen
    hamster<pet animal hamster
    bird<pet animal vogel wellensittich
    horse animal pferd pony stute
    pet animal haustier
    employer! organisation arbeitgeber firma
    school organisation schule grundschule
    nursery organisation kita kindergarten
    bank! organisation bank hausbank
    insurer! organisation versicherung krankenkasse
    gym! organisation fitnessstudio
    club organisation verein chor
    garage organisation werkstatt
    cabin place hütte ferienhaus
    car!<vehicle thing auto wagen
    motorbike<vehicle thing motorrad roller
    bicycle thing fahrrad rad
    boat thing boot
    phone! thing handy
    """
)
BELONGING = Belonging(
    mine=vocabulary("""mein meine meinen meinem meiner meines unser unsere unseren unserem unserer unseres"""),
    theirs=vocabulary("sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer"),
    the=frozenset(("der", "die", "das", "den", "dem", "des")),
    a=frozenset(("ein", "eine", "einen", "einem", "einer")),
    of=frozenset(("von",)),
    is_=frozenset(("ist", "heißt", "wird")),
    was=frozenset(("war", "hieß")),
    named=frozenset(("namens", "heißt")),
    name=frozenset(("name",)),
    somebody=frozenset(("jemand", "jemanden", "mann", "frau", "typ", "mädchen", "junge", "jungen")),
    it=frozenset(("ihn", "sie", "es")),
    they=frozenset(("er", "sie", "es", "der", "die", "das")),
    gives=frozenset(("nennen", "nannten", "genannt", "getauft")),
    lately=frozenset(("heute", "gestern")),
    also=frozenset(("genannt", "alias", "kurz für")),
    calls=frozenset(("nennen", "nennt")),
    callers=frozenset(("wir", "sie", "alle", "freunde", "man", "jeder")),
    as_=frozenset(("als",)),
    over=vocabulary("ehemaliger ehemalige ehemaligen früherer frühere früheren alter alte alten"),
    new=vocabulary("neuer neue neuen neues jetziger jetzige"),
    until=frozenset(("bis",)),
    between=frozenset(("jetzt", "nun", "noch", "immer", "seit", "auch", "wieder")),
    i=frozenset(("ich", "wir")),
    has=frozenset(("habe", "haben", "hat", "bekommen", "gekauft", "adoptiert", "fahre", "fahren", "kaufte")),
    works=frozenset(("arbeite", "arbeitet")),
    at=frozenset(("bei",)),
    titles=frozenset(("dr", "herr", "herrn", "frau", "prof")),
    common=vocabulary(
        """ich wir er sie es heute morgen gestern termin termine geburtstag hochzeit urlaub adresse telefon nummer uhr der die das
        ein eine und oder aber wenn weil seit nach vor bei mit für am im zum zur nicht auch noch schon dann jetzt hier dort
        wann wo wer was wie warum"""
    ),
)
SHORT_NAMES = {
    "kathi": "katharina", "uli": "ulrich", "hansi": "hans", "basti": "sebastian", "flo": "florian", "steffi": "stefanie",
    "micha": "michael", "susi": "susanne", "gabi": "gabriele", "toni": "anton", "lisl": "elisabeth", "moni": "monika",
}  # fmt: skip
