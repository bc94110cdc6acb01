"""The branches of a day: by the words that turns share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from lattice_common.domain.chat import ChatTurn, captured_answer, line_of, turn_of
from lattice_common.recall.topics import MOST_BRANCHES, MOST_TURNS, add, bounded, branches, query_topic

MORNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def asked(*questions: str) -> list[ChatTurn]:
    return [ChatTurn(MORNING + timedelta(minutes=n), question, "…") for n, question in enumerate(questions)]


def test_questions_that_share_words_are_one_branch() -> None:
    found = branches(asked("Where is the spare key?", "Who is my dentist?", "Who has the key now?"))
    assert [branch.questions for branch in found] == [["Where is the spare key?", "Who has the key now?"], ["Who is my dentist?"]]


def test_a_topic_is_named_by_the_subject_that_is_spoken_of() -> None:
    turn = ChatTurn(MORNING, "Where does my sister Nora work?", "…", subjects=("user", "Siemens", "Nora"))
    assert query_topic(turn, []) == "Nora"


def test_without_a_subject_the_words_themselves_name_it() -> None:
    assert query_topic(asked("When is the boiler serviced?")[0], []) == "boiler serviced"


def test_a_follow_up_belongs_where_it_was_understood_to() -> None:
    first = asked("Who has the spare key?", "When is the boiler serviced?")
    follow = ChatTurn(
        MORNING + timedelta(hours=1), "And since when?", "…", reformulated_query="Since when has Ines the spare key?"
    )
    assert branches([*first, follow])[0].questions == ["Who has the spare key?", "And since when?"]


def test_what_was_told_of_many_things_draws_no_question_to_it() -> None:
    told = ChatTurn(MORNING, "The key is with Ines. My dentist is Dr. Okafor.", captured_answer(2, 0), subjects=("key",))
    found = branches([told, *asked("Who is my dentist?")])
    assert [branch.topic for branch in found] == ["key", "dentist"]


def test_what_was_told_at_length_is_drawn_to_no_question_by_a_word_in_passing() -> None:
    words = "Bind what a call is about where it is made; die at a named step."
    told = ChatTurn(MORNING + timedelta(hours=1), words, captured_answer(1, 0), subjects=("named step",))
    found = branches([*asked("What is my cat called?"), told])
    assert [branch.topic for branch in found] == ["cat called", "named step"]


def test_what_was_told_of_a_topic_stands_beside_the_question() -> None:
    told = ChatTurn(
        MORNING + timedelta(hours=1), "The spare key is with Tom now.", captured_answer(1, 1), subjects=("spare key",)
    )
    (branch,) = branches([*asked("Where is the spare key?"), told])
    assert len(branch.turns) == 2


def test_a_question_without_a_word_of_its_own_goes_on_with_its_conversation() -> None:
    told = [
        ChatTurn(MORNING + timedelta(minutes=n), question, "…", session_id=session)
        for n, (question, session) in enumerate(
            [("Where do I live now?", "a"), ("Who is my dentist?", "b"), ("And before that?", "a"), ("And before that?", "c")]
        )
    ]
    assert [branch.questions for branch in branches(told)] == [
        ["Where do I live now?", "And before that?"],
        ["Who is my dentist?"],
        ["And before that?"],
    ]


def test_a_turn_without_words_is_on_no_branch() -> None:
    assert branches([ChatTurn(MORNING, "", "", context_reset=True)]) == []


@given(st.lists(st.text(min_size=1, max_size=40), max_size=12))
def test_every_turn_is_on_exactly_one_branch(questions: list[str]) -> None:
    turns = asked(*questions)
    found = branches(turns)
    assert sorted(turn.ts for branch in found for turn in branch.turns) == [turn.ts for turn in turns]
    assert len({branch.topic.casefold() for branch in found}) == len(found)


@given(
    st.builds(
        ChatTurn,
        st.datetimes(timezones=st.just(UTC)),
        st.text(),
        st.text(),
        st.none() | st.text(),
        st.none() | st.text(),
        st.lists(st.text()).map(tuple),
        st.lists(st.text()).map(tuple),
        st.booleans(),
        st.none() | st.text(min_size=1),
        st.none() | st.text(min_size=1),
    )
)
def test_a_line_gives_back_its_turn(turn: ChatTurn) -> None:
    assert turn_of(line_of(turn)) == turn


def test_of_a_day_with_thousands_of_turns_the_latest_are_kept_and_new_ones_still_find_their_branch() -> None:
    found = bounded([])
    for turn in asked(*(f"Where is parcel{n % 900} from shop{n % 900}?" for n in range(3_000)), *["Who is my dentist?"] * 300):
        add(turn, found)
        found = bounded(found)
    assert len(found) <= 2 * MOST_BRANCHES
    assert max(len(branch.turns) for branch in found) <= MOST_TURNS
    assert [branch.topic for branch in found[-1:]] == ["dentist"]
    assert query_topic(asked("Is my dentist away?")[0], found) == "dentist"


def test_of_a_branch_in_memory_the_last_turn_of_each_conversation_is_kept() -> None:
    found = bounded([])
    for number in range(40):
        turn = ChatTurn(
            MORNING + timedelta(minutes=number), f"Where is the key, {number}?", "…", session_id=f"s{min(number // 10, 2)}"
        )
        add(turn, found)
        found = bounded(found)
    [branch] = found
    assert len(branch.turns) <= MOST_TURNS
    assert {turn.session_id for turn in branch.turns} == {"s0", "s1", "s2"}
    assert branch.turns[-1].ts == MORNING + timedelta(minutes=39)
    follow_up = ChatTurn(MORNING + timedelta(hours=1), "And then?", "…", session_id="s0")
    assert query_topic(follow_up, found) == branch.topic
