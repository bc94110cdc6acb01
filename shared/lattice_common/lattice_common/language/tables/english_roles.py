"""English: what people, animals, places and things are to somebody, one row a role (`language.table.roles_of`)."""

from __future__ import annotations

from lattice_common.language.table import Belonging, roles_of
from lattice_common.language.vocabulary import vocabulary

ROLES = roles_of(
    """
    mother!^<parent person mother mom mum mama mommy mummy ma
    father!^<parent person father dad papa daddy pa
    parent person parent | parents folks
    brother^<sibling person brother bro twin_brother | brothers
    sister^<sibling person sister sis twin_sister | sisters
    sibling person sibling | siblings
    twin<sibling person twin
    son<child person son stepson | sons
    daughter<child person daughter stepdaughter | daughters
    child person child kid baby toddler | children kids
    wife!<partner person wife
    husband!<partner person husband hubby
    partner! person partner spouse girlfriend boyfriend fiancé fiancée fiance fiancee better_half
    grandmother^<grandparent person grandmother grandma granny gran nana nan
    grandfather^<grandparent person grandfather grandpa granddad grandad gramps
    grandparent person grandparent | grandparents
    grandchild person grandchild grandson granddaughter | grandchildren
    aunt^ person aunt auntie aunty | aunts
    uncle^ person uncle | uncles
    cousin^ person cousin | cousins
    nephew person nephew | nephews
    niece person niece | nieces
    mother_in_law! person mother-in-law mother_in_law
    father_in_law! person father-in-law father_in_law
    sister_in_law person sister-in-law sister_in_law
    brother_in_law person brother-in-law brother_in_law
    godmother person godmother
    godfather person godfather
    godchild person godchild godson goddaughter
    friend person friend mate buddy pal bestie | friends
    neighbour person neighbour neighbor next-door_neighbour | neighbours neighbors
    flatmate person flatmate roommate housemate lodger | flatmates roommates housemates
    colleague person colleague coworker co-worker workmate teammate | colleagues coworkers
    boss! person boss manager line_manager supervisor
    assistant person assistant secretary intern
    landlord! person landlord landlady
    tenant person tenant subtenant
    doctor! person doctor gp physician family_doctor
    dentist! person dentist
    orthodontist! person orthodontist
    therapist! person therapist psychologist counsellor counselor shrink
    physiotherapist! person physiotherapist physio
    vet! person vet veterinarian
    pediatrician!<doctor person pediatrician paediatrician
    dermatologist!<doctor person dermatologist
    cardiologist!<doctor person cardiologist
    gynaecologist!<doctor person gynaecologist gynecologist
    optician! person optician optometrist
    midwife! person midwife
    nurse person nurse
    hairdresser! person hairdresser barber stylist
    lawyer! person lawyer solicitor attorney notary
    accountant! person accountant bookkeeper tax_adviser tax_advisor
    teacher person teacher tutor instructor | teachers
    coach person coach trainer
    babysitter person babysitter sitter childminder nanny au_pair
    cleaner person cleaner cleaning_lady
    plumber person plumber
    electrician person electrician
    mechanic person mechanic
    carpenter person carpenter joiner
    gardener person gardener
    builder person builder contractor handyman
    architect person architect
    priest person priest pastor vicar
    dog<pet animal dog doggo puppy pup mutt | dogs
    terrier<dog<pet animal terrier jack_russell
    labrador<dog<pet animal labrador lab
    retriever<dog<pet animal retriever golden_retriever
    dachshund<dog<pet animal dachshund sausage_dog
    poodle<dog<pet animal poodle labradoodle cockapoo
    spaniel<dog<pet animal spaniel cocker
    beagle<dog<pet animal beagle
    collie<dog<pet animal collie border_collie sheepdog
    greyhound<dog<pet animal greyhound whippet
    husky<dog<pet animal husky
    pug<dog<pet animal pug bulldog
    shepherd_dog<dog<pet animal german_shepherd alsatian
    cat<pet animal cat kitten kitty tomcat tabby | cats kittens
    rabbit<pet animal rabbit bunny | rabbits
    guinea_pig<pet animal guinea_pig | guinea_pigs
    hamster<pet animal hamster
    parrot<bird<pet animal parrot
    budgie<bird<pet animal budgie budgerigar canary cockatiel
    bird<pet animal bird
    tortoise<pet animal tortoise turtle
    fish<pet animal fish goldfish
    horse animal horse pony mare gelding stallion
    hen animal hen chicken | hens chickens
    pet animal pet | pets
    ferret<pet animal ferret | ferrets
    lizard<pet animal lizard gecko bearded_dragon iguana
    snake<pet animal snake
    employer! organisation employer company firm
    school organisation school primary_school
    nursery organisation nursery kindergarten daycare creche preschool
    university organisation university uni college
    bank! organisation bank
    insurer! organisation insurer insurance insurance_company health_insurance
    gym! organisation gym fitness_studio
    club organisation club team choir band orchestra
    garage organisation garage
    bakery organisation bakery
    pharmacy organisation pharmacy chemist
    restaurant organisation restaurant pizzeria
    café organisation café cafe coffee_shop
    pub organisation pub
    supplier organisation supplier energy_supplier electricity_supplier
    provider! organisation provider internet_provider
    client organisation client customer
    cabin place cabin cottage hut chalet
    allotment place allotment
    office place office
    hometown place hometown home_town
    car!<vehicle thing car
    van<vehicle thing van camper campervan motorhome
    motorbike<vehicle thing motorbike motorcycle scooter moped
    bicycle thing bike bicycle e-bike ebike road_bike | bikes
    boat thing boat sailboat dinghy yacht
    vehicle thing vehicle
    phone! thing phone mobile smartphone
    laptop! thing laptop notebook
    guitar thing guitar
    piano thing piano
    sourdough thing sourdough sourdough_starter starter
    """,
    plural="s",
)
MAKES = {
    **dict.fromkeys(
        (
            "skoda", "škoda", "volvo", "toyota", "honda", "ford", "opel", "volkswagen", "vw", "audi", "bmw", "mercedes",
            "renault",
            "peugeot", "citroën", "citroen", "fiat", "seat", "kia", "hyundai", "mazda", "nissan", "subaru", "suzuki", "tesla",
            "dacia", "vauxhall", "mini", "golf", "polo", "passat", "corsa", "yaris", "octavia", "fabia", "clio", "twingo",
            "fiesta", "panda", "berlingo", "kangoo", "prius", "civic", "saab", "jeep", "lexus", "chevrolet", "chevy",
        ),
        "car",
    ),
    **dict.fromkeys(("vespa", "yamaha", "kawasaki", "ducati", "harley", "triumph"), "motorbike"),
    **dict.fromkeys(("brompton", "trek", "canyon", "cube", "gazelle", "bianchi", "cannondale"), "bicycle"),
    **dict.fromkeys(("iphone", "pixel", "fairphone", "galaxy"), "phone"),
    **dict.fromkeys(("macbook", "thinkpad", "chromebook"), "laptop"),
}  # fmt: skip
BELONGING = Belonging(
    mine=frozenset(("my", "our")),
    theirs=frozenset(("his", "her", "their", "its")),
    the=frozenset(("the",)),
    a=frozenset(("a", "an")),
    of=frozenset(("of",)),
    is_=frozenset(("is", "are", "becomes", "became", "s", "will be")),
    was=frozenset(("was", "were")),
    named=frozenset(("called", "named")),
    name=frozenset(("name",)),
    somebody=frozenset(
        ("someone", "somebody", "guy", "chap", "man", "woman", "lady", "girl", "boy", "bloke", "fellow", "lad", "lass")
    ),
    it=frozenset(("it", "him", "her", "them")),
    they=frozenset(("he", "she", "it", "they", "who")),
    gives=frozenset(("named", "call", "calls", "called", "naming", "calling", "christened")),
    lately=frozenset(("today", "yesterday", "tonight", "finally")),
    marries=frozenset(("married", "marrying", "marry")),
    also=frozenset(("aka", "a.k.a", "alias", "nicknamed", "called", "known as", "also known as", "short for", "goes by")),
    calls=frozenset(("call", "calls", "called")),
    callers=frozenset(("i", "we", "they", "you", "people", "friends", "all", "everybody", "everyone")),
    as_=frozenset(("as",)),
    over=frozenset(("former", "old", "ex", "previous", "late")),
    new=frozenset(("new", "current", "now")),
    until=frozenset(("until", "till", "til")),
    between=frozenset(("now", "still", "currently", "called", "named", "actually", "also", "again", "the", "new", "now")),
    i=frozenset(("i", "we")),
    has=vocabulary(
        """have has got get getting bought own owns drive drives adopted adopt leased had picked rescued welcomed
        bringing switched changed found"""
    ),
    works=frozenset(("work", "works", "working", "employed")),
    at=frozenset(("at", "for", "by")),
    titles=frozenset(("dr", "mr", "mrs", "ms", "miss", "prof", "professor", "doctor", "sir", "st", "rev")),
    common=vocabulary(
        """i dutch german french english spanish italian irish scottish welsh british american swiss austrian danish swedish
        norwegian finnish polish czech russian ukrainian turkish greek portuguese chinese japanese korean indian brazilian
        mexican canadian australian vegan catholic protestant muslim jewish buddhist christian mr mrs ms dr ok tv pm am asap
        just got met saw had took went told asked called texted sold bought both all today tomorrow yesterday tonight
        remember reminder note update happy birthday christmas easter thanks thank please ordered booked lunch dinner
        breakfast coffee picked dropped visited paid lent gave found lost fixed moved turns hello hey hi dear maybe also
        nobody everyone somebody people because since when while after before although though if so and but or yes no
        there here then now once one two three"""
    ),
)
SHORT_NAMES = {
    "alex": "alexander", "andy": "andrew", "bea": "beatrice", "ben": "benjamin", "bill": "william", "bob": "robert",
    "cathy": "catherine", "charlie": "charles", "chris": "christopher", "dan": "daniel", "danny": "daniel", "dave": "david",
    "ed": "edward", "fred": "frederick", "greg": "gregory", "harry": "harold", "jack": "john", "jen": "jennifer",
    "jenny": "jennifer", "jim": "james", "jimmy": "james", "joe": "joseph", "jon": "jonathan", "josh": "joshua",
    "kate": "katherine", "kathy": "katherine", "katie": "katherine", "ken": "kenneth", "liz": "elizabeth", "beth": "elizabeth",
    "maggie": "margaret", "matt": "matthew", "max": "maximilian", "meg": "megan", "mike": "michael", "nick": "nicholas",
    "pat": "patricia", "pete": "peter", "phil": "philip", "rob": "robert", "ron": "ronald", "sally": "sarah",
    "sam": "samuel", "steve": "stephen", "sue": "susan", "ted": "edward", "theo": "theodore", "tim": "timothy",
    "tom": "thomas", "tony": "anthony", "vicky": "victoria", "will": "william",
}  # fmt: skip
