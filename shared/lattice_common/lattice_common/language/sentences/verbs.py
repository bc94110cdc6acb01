"""Words that make a clause of a phrase: finite verbs, as far as their form alone shows them. What is missing here leaves a
sentence whole."""

from __future__ import annotations

from dataclasses import dataclass

from lattice_common.language.tables.english_words import HELPING, MODALS, NEGATED
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import past

AUXILIARIES = HELPING | MODALS | NEGATED | frozenset(("am", "is", "are", "was", "were", "mustn't"))
PAST = (past("en") - vocabulary("bent cost cut did had read sown")) | {"caused", "lay"}
"""Irregular past forms that are seldom anything else."""
PRESENT = vocabulary(
    """
    works lives likes loves hates wants needs goes comes gets gives takes makes says tells keeps plays speaks knows
    thinks studies teaches drives drinks eats sleeps runs owns wears uses calls moves starts ends begins opens closes
    costs weighs lasts belongs means looks sounds smells tastes feels pays earns leaves arrives returns stays sits
    stands lies hangs fits leaks breaks shuts prefers enjoys dislikes avoids smokes cooks bakes paints writes
    reads sings dances swims rides climbs collects breeds grows sells buys rents lends owes manages leads coaches trains
    commutes travels visits meets hums snores limps barks bites sheds texts phones rings emails insists refuses expects
    hopes plans intends offers promises remembers forgets hears sees watches listens believes suffers turns
    becomes remains seems appears contains holds includes handles covers allows charges does has is
    """
)
"""Third persons, of which a subject may be left out ("and works at the mill")."""
BASE = vocabulary(
    """
    go come get take make work live like love hate want need keep play speak know think study teach drive drink eat
    sleep run own wear use call move start end begin open close cost weigh last belong mean look sound smell taste feel
    pay earn leave arrive stay sit stand lie hang fit leak break prefer enjoy
    """
)
"""Of "I", "we", "they" and things in the plural."""

ORDERS = vocabulary(
    """buy call ring pick bring book pay send ask tell put turn avoid remember cancel renew order return check fix
            clean water feed text email write wash give find stop try read watch meet visit always never please
            don't do add post collect fetch remind"""
)
"""What one is told to do, at the beginning."""

FINITE = AUXILIARIES | PAST | PRESENT
ADVERBS = (
    r"(?:(?:really|also|now|still|just|never|always|only|usually|already|even|actually|mostly|then|both|all|often|sometimes|finally|"
    r"recently|currently|definitely|apparently|rarely|hardly|barely|absolutely|nearly|almost)\s+)*"
)

ENGLISH = vocabulary("the and is are was were i my to of in for with at on it he she they we our you that this not a an")


@dataclass(frozen=True, slots=True)
class Lexis:
    """What shows clauses in another language: alternatives of regular expressions, and its most `frequent` words. `opaque` are
    words of saying, thinking, wishing and conditions, below which nothing is cut; `openings` begin no subject; `own` are verbs
    whose form says who does it, so that a clause may begin with them; `marks`, letters and endings that no other of these has,
    show the language by themselves. Where the verb stands last, a clause ends with it."""

    code: str
    pronouns: str
    determiners: str
    finite: str
    opaque: str
    openings: str
    frequent: frozenset[str]
    own: str = ""
    marks: str = ""
    verb_last: bool = False


OTHERS = (
    Lexis(
        "de",
        "ich|er|sie|es|wir|ihr|man|das|da",
        "der|die|das|mein|meine|unser|unsere|sein|seine|ihr|ihre|ein|eine",
        "ist|sind|war|waren|hat|haben|hatte|hatten|habe|wird|werden|wurde|will|wollen|kann|können|muss|müssen|soll|darf|geht|gehen|kommt|"
        "kommen|wohnt|wohne|wohnen|arbeitet|arbeite|kriegt|bekommt|bleibt|heißt|mag|isst|trinkt|spielt|fährt|lebt|braucht|kostet|liegt|"
        "steht|stehen|macht|nimmt|gibt|sagt|spricht|trägt|zahlt|beginnt|endet|schläft|zieht|hört|sieht|läuft|gehört|ging|kam|blieb|gab|"
        "nahm|stand|lag|bin|hasst|liebt|pfeift|passt|reicht|vermietet|verkauft|sucht|lernt|studiert",
        "wenn|ob|falls|dass|daß|sagt|sagte|meint|meinte|glaub\\w*|denk\\w*|dachte|hoff\\w*|wünsch\\w*|vielleicht|angeblich|weil|obwohl|hätte|wäre|"
        "würde|weder|entweder",
        "am|im|in|an|auf|bei|mit|von|für|nach|seit|jetzt|heute|morgen|gestern|dann|und|aber|nur|kein|keine|nicht|nie|zum|zur|ich|wir|es|da|"
        "hier|dort|wer|was|wie|wo|leider|bis|ab|zu|er|sie|man",
        vocabulary(
            """der die das den dem des ein eine einen einem einer und ist sind war hat haben ich er sie es wir nicht kein keine
            mit von für auf bei nach seit im am zum zur mein meine unser sein seine ihr ihre nur noch jetzt wird
            auch zu aus wie"""
        ),
        own="bin|hab|habe|wohne?|arbeite|hackl|fahre?|spiele?|zahle?|gehe?|heiß|heiße|mache?|lerne?|studiere?|lebe?|mag|brauche?",
    ),
    Lexis(
        "es",
        "yo|él|ella|ellos|ellas|nosotros|usted",
        "el|la|los|las|mi|mis|su|sus|nuestro|nuestra|un|una",
        "es|está|están|fue|era|tiene|tienen|tengo|va|van|voy|vive|viven|trabaja|come|bebe|quiere|quieren|necesita|paga|cuesta|viene|hace|"
        "puede|debe|sale|llega|estudia|juega|habla|lleva|toma|duerme|empieza|termina|abre|cierra|cumple|odia|prefiere|dura|vence|compró|"
        "vendió|fueron|hay|llama|llaman|soy|estoy|odio|quiero|debo",
        "si|que|dice|dijo|dicen|cree|creo|creía|pienso|piensa|espero|ojalá|quizá|quizás|tal vez|porque|aunque|cuando|ni|supongo",
        "en|a|de|con|por|para|y|pero|no|hoy|mañana|ayer|ahora|ya|desde|hasta|yo|sólo|solo|nunca|siempre|se|me|nos|lo|al|del|este|esta|qué|"
        "cómo|dónde|él|ella",
        vocabulary(
            """el la los las un una y es está son que de del en con por para mi su sus mis no se lo al muy pero desde hay
            nuestro nuestra
            tiene"""
        ),
        own="soy|estoy|vivo|vivimos|trabajo|trabajamos|tengo|tenemos|estudio|hago|hacemos|voy|vamos|juego|conduzco|pago|pagamos|"
        "empiezo|empezamos|llevo|nac[íi]|compré|compramos|vendí|vendimos|cambié|dejé|empecé|me llamo|me mud[oé]|nos mudamos",
    ),
    Lexis(
        "fr",
        "je|il|elle|on|nous|ils|elles|c['’]est|j['’]ai",
        "le|la|les|mon|ma|mes|son|sa|ses|notre|nos|leur|un|une",
        "est|sont|était|ont|va|vont|habite|travaille|veut|aime|fait|prend|vient|boit|mange|peut|doit|joue|parle|coûte|commence|finit|part|"
        "arrive|reste|dort|porte|paie|appelle|appellent|vit|vend|refait|adore|déteste|suis|ai|a|avons|avait|dure|ouvre|ferme|supporte|roule",
        "si|que|qu|dit|disait|pense|croit|crois|espère|peut-être|parce|quand|quoique|bien que|ni|paraît|voudrais|aimerais",
        "en|à|au|aux|de|du|avec|pour|sur|dans|et|mais|ne|pas|hier|demain|maintenant|depuis|jusqu|je|on|nous|il|elle|seulement|jamais|"
        "toujours|plus|y|ce|cet|cette|où|comment|qui",
        vocabulary(
            """le la les un une des et est sont que de du en avec pour dans mon ma mes son sa ses ne pas je il elle on nous au
            aux sur plus notre depuis"""
        ),
    ),
    Lexis(
        "it",
        "io|lui|lei|noi|loro",
        "il|lo|la|i|gli|le|mio|mia|suo|sua|nostro|nostra|un|una|l['’]\\w+",
        "è|sono|era|ha|hanno|ho|va|vanno|vive|lavora|vuole|fa|viene|piace|beve|mangia|può|deve|gioca|parla|costa|comincia|finisce|parte|"
        "arriva|resta|restano|dorme|porta|paga|prende|passa|apre|chiude|cerca|cercano|studia|odia|abita|dura|sta|stanno|spegne|chiama",
        "se|che|dice|diceva|pensa|penso|crede|credo|spero|forse|perché|quando|anche se|né|pare|vorrei|magari",
        "in|a|di|da|con|per|su|e|ma|non|oggi|domani|ieri|ora|adesso|già|dal|fino|io|solo|mai|sempre|si|mi|ci|lo|al|del|questo|questa|dove|"
        "come|chi|ne",
        vocabulary(
            """il lo la i gli le un una e è sono che di del della in con per mio mia suo sua non si al dal ha ho alla nel ma
            più anche"""
        ),
        own=r"sono(?! \d)|siamo|vivo|viviamo|abito|abitiamo|lavoro|lavoriamo|studio|gioco|guido|pago|paghiamo|inizio|comincio|"
        "vado|andiamo|mi chiamo|ho|abbiamo|faccio|facciamo",
    ),
    Lexis(
        "nl",
        "ik|hij|ze|zij|we|wij|het|dat|er|men|jullie",
        "de|het|een|mijn|m['’]n|onze|ons|zijn|z['’]n|haar|hun|deze|dit",
        "is|ben|bent|was|waren|heb|hebt|heeft|hebben|had|hadden|word|wordt|worden|werd|wil|willen|kan|kunnen|moet|moeten|mag|zal|zullen|"
        "ga|gaat|gaan|ging|kom|komt|komen|kwam|woon|woont|wonen|werk|werkt|werken|krijg|krijgt|kreeg|blijf|blijft|heet|eet|drinkt|speelt|"
        "rij|rijdt|leeft|kost|ligt|staat|doe|doet|neem|neemt|geeft|betaal|betaalt|begin|begint|stopt|slaapt|slik|slikt|loop|loopt|zit|zitten|"
        "houdt|studeert|koopt|verkoopt|zoekt|leert|draagt|haat|brengt|haalt|belt|kookt|opent|sluit",
        "als|of|dat|zegt|zei|denk\\w*|dacht|hoop\\w*|misschien|omdat|hoewel|zou|zouden|stel|noch|blijkbaar|volgens|vind\\w*|geloof\\w*|wilde",
        "op|in|aan|bij|met|van|voor|naar|sinds|nu|vandaag|morgen|gisteren|dan|en|maar|alleen|geen|niet|nooit|ik|we|het|er|hier|daar|wie|wat|"
        "hoe|waar|tot|vanaf|te|hij|ze|om|door|over|toen|ook|weg",
        vocabulary(
            """de het een en is zijn van ik hij ze we niet geen met voor op bij naar te mijn m'n onze nu ook maar dat er om aan
            als nog wel heb heeft hebben"""
        ),
    ),
    Lexis(
        "pt",
        "eu|ele|ela|eles|elas|nós|você|a gente",
        "o|a|os|as|meu|minha|nosso|nossa|seu|sua|um|uma",
        "é|são|está|estão|foi|era|tem|têm|tenho|temos|vai|vão|vou|mora|moram|moro|trabalha|trabalho|come|bebe|quer|querem|precisa|paga|custa|"
        "vem|faz|pode|deve|sai|chega|estuda|joga|fala|leva|toma|dorme|começa|termina|abre|fecha|odeia|prefere|dura|vence|comprou|vendeu|"
        "foram|há|chama|chamam|sou|estou|odeio|quero|gosta|gosto|fica|namora|ensina|dirige|morreu|nasceu|faço|tá",
        "se|que|diz|disse|dizem|acha|acho|achava|penso|pensa|espero|oxalá|talvez|porque|embora|quando|nem|suponho|gostava|queria|tomara",
        "em|de|com|por|para|e|mas|não|hoje|amanhã|ontem|agora|já|desde|até|eu|só|nunca|sempre|se|me|nos|ao|do|da|no|na|este|esta|como|onde|"
        "ele|ela",
        vocabulary(
            """os as um uma é está são do da em no na com por para meu minha seu sua não ao mas há desde muito nosso nossa tem
            que de e o a"""
        ),
        own="sou|somos|estou|estamos|moro|moramos|vivo|vivemos|trabalho|trabalhamos|tenho|temos|estudo|faço|fazemos|jogo|"
        "dirijo|pago|pagamos|assino|vou|vamos|começo|comecei|larguei|comprei|compramos|vendi|vendemos|mudei|mudamos|pedi|nasci|"
        "me chamo|tô|tamos",
    ),
    Lexis(
        "pl",
        "ja|on|ona|oni|one|my|wy",
        "mój|moja|moje|mojej|mojego|nasz|nasza|nasze|jego|jej|ich|ten|ta|te",
        r"to|jest|są|był|była|było|były|ma|mają|miał|miała|mieszka|mieszkają|pracuje|chodzi|chodzą|lubi|lubią|je|pije|gra|uczy|studiuje|"
        r"jeździ|kosztuje|płaci|zaczyna|kończy|nazywa|wychodzi|przyjeżdża|wyjeżdża|będzie|musi|robi|śpi|umie|woli|idzie|jedzie|"
        r"boli|stoi|leży|bierze|nosi|prowadzi|opiekuje|"
        r"\w{2,}(?:ował|owała|ował[aio]|ął|ęła|ił|iła|ył|yła|iał|iała|szedł|szła|edł|odła)|"
        r"(?:jestem|mam|mamy|jesteśmy|mieszkam|mieszkamy|\w{3,}uję|\w{3,}ujemy|chodzę|jeżdżę|lubię|płacę|uczę|robię|muszę|\w{2,}(?:łem|łam|liśmy|łyśmy))",
        r"jeśli|jeżeli|gdyby\w*|że|żeby|mówi\w*|powiedzia\w*|myśl\w*|chyba|może|podobno|ponieważ|bo|chociaż|choć|kiedy|gdy|ani|"
        r"marz\w+|chciał\w*|wolał\w*|wydaje|jakby|oby|o mał[oy]|prawie|mia(?:łem|łam|ł|ła|ły|li)",
        "w|we|na|od|do|z|ze|po|i|a|ale|nie|dziś|dzisiaj|jutro|wczoraj|teraz|już|się|u|o|za|przez|tylko|nigdy|zawsze|ja|on|ona|my|co|"
        "jak|gdzie|kto|to|tam|tu|potem|też",
        vocabulary(
            """i w we na z ze że się nie do to jest są jak po za od o ma mam mój moja moje mieszka u ale a teraz będzie czy już
            jej jego ich przez dla przy"""
        ),
        own=r"jestem|jesteśmy|mam|mamy|mieszkam|mieszkamy|pracuję|pracujemy|studiuję|chodzę|chodzimy|jeżdżę|lubię|płacę|"
        r"płacimy|uczę się|robię|gram|\w{2,}(?:łem|łam|liśmy|łyśmy)",
        marks="[ąęńśźż]",
    ),
    Lexis(
        "tr",
        r"(?!)",
        r"(?!)",
        r"\w*[ıiuü]yor(?:um|uz|sun|sunuz|lar)?|\w{2,}[dt][ıiuü](?:m|k|lar|ler)?|\w{2,}m[ıiuü]ş(?:ım|im|ız|iz|lar|ler)?|"
        r"\w+(?:acak|ecek)(?:lar|ler)?|\w+(?:acağım|eceğim|acağız|eceğiz)|var|yok|değil|\w+[ıiuü]r(?:ım|im|um|üm)?",
        r"diye|az kalsın|neredeyse|\w+[ae]cakt[ıi]\w*|dedi\w*|diyor\w*|"
        r"söyl\w+|eğer|belki|galiba|sanırım|keşke|umarım|\w+(?:[dt][ıiuü]kça|[ıiuü]rsa\w*|sa|se|sam|sem|sak|sek)",
        r"ve|de|da|ama|bir|bu|şu|o|çok|için|ile",
        vocabulary("ve bir bu çok için ile ama ne gibi daha şimdi artık olarak var yok benim bizim onun adı her"),
        marks=r"[ğış]|\w[ıiuü]yor",
        verb_last=True,
    ),
)
