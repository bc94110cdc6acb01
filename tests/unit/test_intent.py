"""Whether words tell something or ask for something."""

from __future__ import annotations

import pytest
from lattice_common.language.intents.asking import EXAMPLES, asks_unmarked
from lattice_common.language.intents.intent import certain_intent, intent_of
from lattice_common.language.sentences.news import announced

ASKING = [
    "Where does Ada live?",
    "what did I buy",
    "And when is it",
    "Tell me about Ghent",
    "do you remember Rex",
    "你好吗？",
    "¿Cuándo?",
    "Ada's car?",
    "Ada lives in Berlin, right?",
    "Remember when we went to Rome?",
    "Remember that?",
    "Please tell me Ada's address",
    "give me Ada's number",
    "how nice is the weather in Rome",
    "When was Ada born",
    "ok so tell me: where does Ada live",
    "wo wohnt Ada",
    "Wie heißt meine Schwester",
    "und wann kommt sie",
    "où habite Ada",
    "¿Dónde vive Ada",
    "где живёт Ада",
]


@pytest.mark.parametrize("text", ASKING)
def test_questions_ask(text: str) -> None:
    assert intent_of(text) == "ask"


TELLING = [
    "I live in Ghent.",
    "What a day!",
    "Have to call Ada",
    "Will's number is 12",
    "May 3 is her birthday",
    "Remember that I moved, ok?",
    "Note: is the key under the pot?",
    "Which is why I left",
    "my PIN is 4711, ok?",
    "Can you remember that I moved to Rome?",
    "Could you note that I owe Ben 20 euros?",
    "can you remind me to call Ada",
    "Reminder: is the oven off?",
    "What I ate today: pasta",
    "How to make pasta: boil water",
    "How old Max is: 7",
    "When Ada was born we lived in Rome",
    "has been a long day",
    "will be late",
    "can't find my keys",
    "find out about flights tomorrow",
    "Who would have thought!",
    "Was für ein Tag!",
    "Kannst du dir merken, dass ich umgezogen bin?",
    "Merke dir, dass Ada in Rom wohnt",
    "запомни, что Ада живёт в Риме",
    "Quand j'étais petit, nous vivions à Lyon",
    "Когда я был маленьким, мы жили в Риме",
    "Is it?\nIt is.",
    "",
]


@pytest.mark.parametrize("text", TELLING)
def test_statements_tell(text: str) -> None:
    assert intent_of(text) == "tell"


@pytest.mark.parametrize(("asking", "telling"), EXAMPLES)
def test_grammar_asks_where_it_leaves_no_doubt(asking: str, telling: str) -> None:
    assert asks_unmarked(asking)
    assert certain_intent(asking) == "ask"
    assert not asks_unmarked(telling)
    assert certain_intent(telling) != "ask"


NEVER_ASKED = [
    "Will is my cousin",
    "May is lovely here",
    "is what he said",
    "did the laundry",
    "did the school run with the twins",
    "Are you there is what the toddler says",
    "Who is coming with me on Monday is Thandeka",
    "Is it me you're looking for is my ringtone",
    "had I caught the earlier ferry I'd have missed it",
    "Where the hose is: in the shed",
    "did we take the corner table, no, too draughty",
    "was it the Tuesday we buried Whiskers. I want to say Tuesday",
    "is the name of the plumber, not a question",
    "Did I mention that we have a new dog",
    "am I glad that is over",
    "have to call Ada",
    "have the van serviced on Monday",
    "will be late",
    "What a day",
    "Was hab ich gelacht gestern",
    "hab ich schon erledigt",
    "Quelle rigolade hier au karaoké",
    "Donde está el horno hay un armario",
    "Chi fa le pizze il sabato è Gennaro",
    "wat zou ik graag vier dagen werken",
    "quem tem a chave é o Zeferino",
    "Czy-tam to nazwa klubu książki",
    "Ne güzel bir gündü",
    "何時でもいいよ",
    "Does my heart good to see Dad fishing again",
    "Was that fun or was that fun",
    "Whose fault it was we'll never agree on",
    "do we look like millionaires to the plumber or what",
    "Dov'è scritto che il padre della sposa deve pagare tutto",
    "what does this app do exactly",
]


@pytest.mark.parametrize("text", NEVER_ASKED)
def test_what_only_begins_like_a_question_never_certainly_asks(text: str) -> None:
    assert certain_intent(text) != "ask"


@pytest.mark.parametrize(
    "text",
    [
        "Who needs a holiday in Spain when it's 30 degrees in Hull?",
        "Isn't it obvious that the ash tree has to come down?",
        "Ist das Leben nicht viel zu kurz für schlechten Kaffee?",
        "¿para qué quiero yo coche, si vivo encima del metro?",
        "pra que carro se eu tenho a minha bike?",
        "wie had dat gedacht, onze Sjors geslaagd met een negen?",
        "po co mi auto jak mam rower?",
        "is er iets lekkerders dan koude meloen?",
        "who designs hospital gowns, a sadist?",
        "¿se puede borrar un solo dato?",
    ],
)
def test_a_question_that_tells_is_left_to_be_judged(text: str) -> None:
    assert certain_intent(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Remember that Tom moved.",
        "please note: the code is 4471",
        "Don't forget that Ada is allergic to nuts",
        "Merk dir bitte, dass Ada in Rom wohnt",
        "Rappelle-toi que le code est 6218",
        "No olvides que Ada vive en Roma",
        "Ricordati che Ada abita a Roma",
        "Onthoud dat Ada in Rome woont",
        "lembra-te que a Ada mora em Roma",
        "Zapamiętaj, że Ada mieszka w Rzymie",
    ],
)
def test_an_order_to_remember_certainly_tells(text: str) -> None:
    assert certain_intent(text) == "tell"


def test_who_asks_to_be_reminded_of_something_known_is_not_taken_to_tell() -> None:
    assert certain_intent("lembra-me lá do nome do veterinário") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("can you remember that I parked on level 3", "I parked on level 3"),
        ("Can you remember that I parked on level 3?", "I parked on level 3?"),
        ("Guess what, I got the job", "I got the job"),
        ("guess what! we sold the boat", "we sold the boat"),
        ("You know what? I'm done with dating", "I'm done with dating"),
        ("Meant to say the jets were wrong", "the jets were wrong"),
        ("I forgot to mention that Mia's got a new flat", "Mia's got a new flat"),
        ("Did I tell you Anna is pregnant?", "Anna is pregnant?"),
        ("did i mention that the flat is sold", "the flat is sold"),
        ("Have I told you we're moving to Bath?", "we're moving to Bath?"),
        ("Did I tell you that Ben's got himself a puppy?", "Ben's got himself a puppy?"),
    ],
)
def test_what_is_only_announced_is_told(text: str, told: str) -> None:
    begin = announced(text)
    assert begin is not None
    assert text[begin:] == told
    assert certain_intent(text) == "tell"
    assert intent_of(text) == "tell"


@pytest.mark.parametrize(
    "text",
    [
        "did I tell you where the key is?",
        "did I tell you the code we use?",
        "Have I told you my new address?",
        "Did I mention anything about Tom?",
        "can you remember that restaurant we went to?",
        "Guess what, did Anna call?",
        "you know what the waiter is called",
    ],
)
def test_what_is_asked_for_is_not_announced(text: str) -> None:
    assert announced(text) is None
    assert certain_intent(text) != "tell"


@pytest.mark.parametrize(
    "text", ["what a day: the boiler broke and the plumber came", "How about that, the neighbour apologised"]
)
def test_a_cry_is_no_question(text: str) -> None:
    assert certain_intent(text) == "tell"


@pytest.mark.parametrize("text", ["what a lovely photo, who is it", "What a day", "what a day?"])
def test_a_cry_alone_or_before_a_question_is_not_certain_to_tell(text: str) -> None:
    assert certain_intent(text) != "tell"


@pytest.mark.parametrize(
    "text",
    [
        "Kannst du mich am 3. daran erinnern, dass ich die Miete überweise?",
        "Tu peux me rappeler le 17 de rendre les skis à Solveig ?",
        "Avísame el día 9 de que caduca el abono",
        "Mi ricordi giovedì che devo spegnere la pompa?",
        "Você me avisa dia 28 que o seguro vence?",
        "Wil je me de 21e eraan helpen denken dat de boot uit het water moet?",
        "Przypomnisz mi w środę, żeby wystawić kubły?",
    ],
)
def test_an_errand_is_told_in_other_languages_too_also_as_a_question(text: str) -> None:
    assert certain_intent(text) == "tell"


@pytest.mark.parametrize(
    "text", ["rappelle-moi l'âge de la petite", "ricordami a che piano abita Ottolenghi", "me lembra o que a Cida não pode comer"]
)
def test_what_one_wants_to_be_reminded_of_is_asked_for(text: str) -> None:
    assert certain_intent(text) != "tell"
