"""An atom's file: what is read, what is refused, and what an edit leaves alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from lattice_common.adapters.files import frontmatter
from lattice_common.adapters.files.frontmatter import InvalidFile, Loaded
from lattice_common.domain.atom import Atom, Relation, Span, content_hash, normalized_content_hash
from lattice_common.domain.capture import JsonValue
from lattice_common.errors import Corrupt, InvalidInput

ATOM_ID = "01jd5k0000abcdefghjkmnpqrs"
OTHER_ID = "01jd5k0000abcdefghjkmnpqrt"
BY_HAND = """---
# my own note
kind:   preference   # as I see it
subject: 'tea'
country: NO
zip: 010
at: 12:30:45
ready: yes
entities:
  - Anna   # my sister
  - "Bob"

# before the source
source_quote: >-
  I like
  tea
mood: {colour: green, level: 3}
---

Anna likes tea.
"""


def read(text: str | bytes) -> Loaded:
    loaded = frontmatter.load(text.encode() if isinstance(text, str) else text, ATOM_ID)
    assert isinstance(loaded, Loaded), loaded
    return loaded


def refused(text: str | bytes) -> str:
    loaded = frontmatter.load(text.encode() if isinstance(text, str) else text, ATOM_ID)
    assert isinstance(loaded, InvalidFile), loaded
    assert loaded.detail
    return loaded.reason


def with_fields(fields: str, body: str = "Anna likes tea.") -> str:
    return f"---\n{fields}\n---\n\n{body}\n"


def an_atom(content: str = "Anna likes tea.") -> Atom:
    said = datetime(2024, 5, 1, 9, 30, tzinfo=UTC)
    return Atom(
        atom_id=ATOM_ID,
        content=content,
        kind="preference",
        subject="tea",
        capture_id=OTHER_ID,
        source_quote="I like tea",
        source_span=Span(3, 13),
        observed_at=said,
        ingested_at=said,
        entities=("Anna",),
        relations=(Relation("extends", OTHER_ID),),
        content_hash=content_hash(content),
        normalized_content_hash=normalized_content_hash(content),
        seq=7,
    )


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        pytest.param(with_fields("kind: a: b"), "invalid-yaml", id="60 colon"),
        pytest.param(with_fields("kind:\n\t- a"), "invalid-yaml", id="60 tab"),
        pytest.param(with_fields('kind: "fact'), "invalid-yaml", id="60 open quote"),
        pytest.param(with_fields("kind: fact\nkind: goal"), "duplicate-key", id="61 at the top"),
        pytest.param(with_fields("metadata: {a: 1, a: 2}"), "duplicate-key", id="61 nested"),
        pytest.param(with_fields('metadata: {"a": 1, "a": 2}'), "duplicate-key", id="61 nested in our own form"),
        pytest.param(with_fields("kind: fact\n'kind': goal"), "duplicate-key", id="61 quoted otherwise"),
        pytest.param(with_fields("a: &x [1, 1]\nb: [*x, *x]"), "alias", id="62 bomb"),
        pytest.param(with_fields("a: &x 1"), "alias", id="62 anchor only"),
        pytest.param(with_fields("a: !!python/object/apply:os.system ['true']"), "tag", id="63 object"),
        pytest.param(with_fields("a: !!str 1"), "tag", id="63 harmless tag"),
        pytest.param("---\nkind: fact\n\nAnna likes tea.\n", "front-matter-not-closed", id="66 no closing line"),
        pytest.param("---\nkind: fa", "front-matter-not-closed", id="66 truncated"),
        pytest.param("", "empty", id="66 zero bytes"),
        pytest.param(b"\0" * 512, "empty", id="66 all NUL"),
        pytest.param(with_fields("kind: fact") + "\0\0", "nul", id="66 NUL at the end"),
        pytest.param(b"---\nkind: \xff\xfe\n---\n", "not-utf-8", id="66 not UTF-8"),
        pytest.param(with_fields("kind: fact", "x" * 5_000_000), "too-large", id="71 body of 5 MB"),
        pytest.param(with_fields("note: " + "x" * 33_000), "front-matter-too-large", id="71 front matter of 33 KB"),
        pytest.param(with_fields("deep: " + "[" * 15_000 + "]" * 15_000), "too-deep", id="71 list 15,000 deep"),
        pytest.param(with_fields("deep: " + '{"a": ' * 20 + "1" + "}" * 20), "too-deep", id="71 mapping 20 deep"),
        pytest.param(with_fields("- a\n- b"), "not-a-mapping", id="a list"),
        pytest.param(with_fields("[a, b]: c"), "key-not-text", id="a list as key"),
        pytest.param(with_fields("body: quoted", "no JSON"), "body-not-quoted", id="quoted body that is none"),
        pytest.param(with_fields("body: quoted", "[1]"), "body-not-quoted", id="quoted body that is no string"),
    ],
)
def test_a_file_that_could_be_misread_is_refused_with_a_reason(file: str | bytes, reason: str) -> None:
    assert refused(file) == reason


def test_what_a_hand_wrote_is_read_as_it_stands() -> None:
    atom = read(BY_HAND).atom
    assert (atom.kind, atom.subject, atom.entities, atom.source_quote) == ("preference", "tea", ("Anna", "Bob"), "I like tea")
    assert atom.content == "Anna likes tea."
    assert atom.extra == {
        "country": "NO", "zip": "010", "at": "12:30:45", "ready": "yes", "mood": {"colour": "green", "level": 3},
    }  # fmt: skip


@pytest.mark.parametrize("value", ["NO", "yes", "12:30:45", "010", "1e3", "2025-02-30", "0x1f", "1_000", "~x"])
def test_a_typed_field_keeps_the_letters_that_yaml_would_convert(value: str) -> None:
    atom = read(with_fields(f"subject: {value}\nentities: [{value}]")).atom
    assert (atom.subject, atom.entities) == (value, (value,))


@pytest.mark.parametrize("before", ["\ufeff", "\n\n", "\ufeff \r\n\n", "  \n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_marks_blank_lines_and_other_line_ends_before_the_front_matter_are_accepted(before: str, newline: str) -> None:
    atom = read(before + with_fields("kind: goal\nsubject: tea", "one\ntwo").replace("\n", newline)).atom
    assert (atom.kind, atom.subject, atom.content) == ("goal", "tea", "one\ntwo")


def test_id_is_accepted_for_atom_id_and_the_file_name_wins() -> None:
    assert read(with_fields(f"id: {ATOM_ID}")).notes == ()
    loaded = read(with_fields(f"id: {OTHER_ID}"))
    assert (loaded.atom.atom_id, loaded.notes) == (ATOM_ID, ("atom_id:differs-from-file-name",))
    assert loaded.atom.extra == {}


def test_a_file_with_nothing_but_content_takes_its_times_from_its_name() -> None:
    atom = read("---\n---\nAnna likes tea.").atom
    assert (atom.kind, atom.content) == ("fact", "Anna likes tea.")
    assert atom.observed_at == atom.ingested_at == datetime(2024, 11, 20, 20, 7, 37, 216000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "field", "value", "note"),
    [
        ("quality_score: .nan", "quality_score", 1.0, "quality_score:out-of-range"),
        ("quality_score: nan", "quality_score", 1.0, "quality_score:out-of-range"),
        ("quality_score: inf", "quality_score", 1.0, "quality_score:out-of-range"),
        ("confidence: -0.5", "confidence", 0.8, "confidence:out-of-range"),
        ("importance: high", "importance", 0.5, "importance:out-of-range"),
        ("recall_count: -3", "recall_count", 0, "recall_count:out-of-range"),
        (f"recall_count: {'9' * 5000}", "recall_count", 0, "recall_count:out-of-range"),
        ("valid_from: 2025-02-30", "valid_from", None, "valid_from:no-date"),
        ("valid_until: 0000-01-01", "valid_until", None, "valid_until:no-date"),
        ("persistence: forever", "persistence", "long_term", "persistence:unknown"),
        ("is_superseded: perhaps", "is_superseded", False, "is_superseded:unknown"),
        ("source_span: {start: 9, end: 3}", "source_span", Span(0, 0), "source_span:unreadable"),
        ("relations: [{type: hates, target: x}]", "relations", (), "relations:unreadable"),
        ("metadata: [a]", "metadata", {}, "metadata:not-a-mapping"),
        (f"superseded_by: {ATOM_ID}", "superseded_by", None, "supersedes:itself"),
        (f"supersedes: [{ATOM_ID}, {OTHER_ID}]", "supersedes", (OTHER_ID,), "supersedes:itself"),
        ("content_hash: abc", "content_hash", content_hash("Anna likes tea."), "content_hash:content-changed"),
    ],
)
def test_a_value_that_cannot_be_meant_gives_the_default_and_a_note(line: str, field: str, value: object, note: str) -> None:
    loaded = read(with_fields(line))
    assert getattr(loaded.atom, field) == value
    assert note in loaded.notes


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2025-05-01", "2025-05-01T00:00:00+00:00"),
        ("2025-05-01 08:30:00+02:00", "2025-05-01T08:30:00+02:00"),
        ("20250501T0830Z", "2025-05-01T08:30:00+00:00"),
    ],
)
def test_a_date_without_an_offset_is_universal_time(written: str, meant: str) -> None:
    assert read(with_fields(f"observed_at: {written}")).atom.observed_at.isoformat() == meant


@pytest.mark.parametrize("none", ["", "null", "~"])
def test_an_empty_value_is_none(none: str) -> None:
    atom = read(with_fields(f"source_id: {none}\nsubject: tea\nentities: {none}\nvalid_from: {none}")).atom
    assert (atom.source_id, atom.entities, atom.valid_from) == (None, (), None)


@pytest.mark.parametrize(
    "content",
    ["", " ", " edge", "edge\n", "a\r\nb", "a\rb", "\0", "---", "---\nkind: x\n---\n", "\ufeffa", "a\u2028b\x85c", "é" * 9000],
)
def test_any_content_comes_back_as_it_was(content: str) -> None:
    atom = an_atom(content)
    assert read(frontmatter.dump(atom)) == Loaded(atom, ())


def test_plain_content_stands_in_the_body_as_it_is() -> None:
    assert (
        frontmatter.dump(an_atom("Anna likes tea.\n\n---\n\nMuch."))
        .decode()
        .endswith("\n---\n\nAnna likes tea.\n\n---\n\nMuch.\n")
    )


def test_line_ends_converted_by_a_version_control_system_change_no_atom() -> None:
    for content in ("one\ntwo", " edge\r\n"):
        atom = an_atom(content)
        assert read(frontmatter.dump(atom).replace(b"\n", b"\r\n")).atom == atom


@pytest.mark.parametrize(
    "text",
    [
        *[
            "NO",
            "true",
            "null",
            "~",
            "010",
            "1.5",
            "2024-05-01",
            "[a",
            "{a",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a",
            "'a",
            '"a',
            "a\\b",
        ],
        "a: b",
        "a #b",
        "- a",
        "a\nb",
        "",
        " ",
    ],
)
def test_a_string_that_could_be_taken_for_something_else_is_quoted(text: str) -> None:
    atom = replace(an_atom(), subject=text, entities=(text,), metadata={text: text}, extra={"mine": text})
    assert read(frontmatter.dump(atom)).atom == atom


def test_an_atom_too_large_to_be_read_again_is_not_written() -> None:
    with pytest.raises(InvalidInput, match="larger than a file may be"):
        frontmatter.dump(replace(an_atom(), source_quote="x" * 40_000))
    with pytest.raises(InvalidInput, match="larger than a file may be"):
        frontmatter.dump(an_atom("x" * 300_000))


def test_an_atom_nested_too_deep_to_be_read_again_is_not_written() -> None:
    deep: JsonValue = 1
    for _ in range(20):
        deep = [deep]
    with pytest.raises(InvalidInput, match="nested deeper"):
        frontmatter.dump(replace(an_atom(), metadata={"deep": deep}))


def test_half_a_surrogate_pair_is_not_written() -> None:
    for atom in (replace(an_atom(), content="\ud800"), replace(an_atom(), subject="\ud800")):
        with pytest.raises(InvalidInput, match="surrogate"):
            frontmatter.dump(atom)


def edit(text: str, **fields: JsonValue) -> str:
    return frontmatter.edit(text.encode(), ATOM_ID, fields).decode()


def test_an_edit_changes_the_value_and_not_the_comment_beside_it() -> None:
    assert edit(BY_HAND, kind="goal") == BY_HAND.replace("kind:   preference   # as I see it", "kind: goal   # as I see it")


def test_an_edit_replaces_a_list_of_several_lines_and_keeps_what_follows() -> None:
    expected = BY_HAND.replace('entities:\n  - Anna   # my sister\n  - "Bob"\n', 'entities: ["Carl"]\n')
    assert edit(BY_HAND, entities=["Carl"]) == expected


def test_an_edit_replaces_a_folded_text_and_keeps_what_follows() -> None:
    assert edit(BY_HAND, source_quote="Tea!") == BY_HAND.replace("source_quote: >-\n  I like\n  tea\n", 'source_quote: "Tea!"\n')


def test_an_edit_adds_what_is_missing_at_the_end_of_the_front_matter() -> None:
    edited = edit(BY_HAND, is_superseded=True, superseded_by=OTHER_ID)
    assert edited == BY_HAND.replace("level: 3}\n", f"level: 3}}\nis_superseded: true\nsuperseded_by: {OTHER_ID}\n")


def test_taking_back_an_addition_gives_the_former_bytes() -> None:
    assert edit(edit(BY_HAND, superseded_by=OTHER_ID), superseded_by=None) == BY_HAND


def test_setting_a_field_to_none_takes_its_lines_away() -> None:
    assert edit(BY_HAND, entities=[]) == BY_HAND.replace('entities:\n  - Anna   # my sister\n  - "Bob"\n', "")


def test_an_edit_of_nothing_changes_nothing() -> None:
    assert edit(BY_HAND) == BY_HAND
    assert edit(BY_HAND.replace("\n", "\r\n")) == BY_HAND.replace("\n", "\r\n")


def test_an_edit_keeps_line_ends_and_the_byte_order_mark() -> None:
    windows = "\ufeff" + BY_HAND.replace("\n", "\r\n")
    assert edit(windows, kind="goal", seq=9) == windows.replace("kind:   preference   # as", "kind: goal   # as").replace(
        "level: 3}\r\n", "level: 3}\r\nseq: 9\r\n"
    )


def test_new_content_replaces_the_body_and_its_hashes_only() -> None:
    edited = edit(BY_HAND, content="Anna likes coffee.")
    atom = read(edited).atom
    assert atom.content == "Anna likes coffee."
    assert f"content_hash: {content_hash('Anna likes coffee.')}\n" in edited
    assert edited.startswith(BY_HAND[: BY_HAND.index("---\n\nAnna")])
    assert edited.endswith("---\n\nAnna likes coffee.\n")


def test_content_that_needs_quotes_can_come_and_go() -> None:
    quoted = edit(BY_HAND, content=" Anna\r")
    assert read(quoted).atom.content == " Anna\r"
    plain = edit(quoted, content="Anna likes tea.")
    assert "body:" not in plain
    assert read(plain).atom.content == "Anna likes tea."


@pytest.mark.parametrize("front", ["{kind: fact, subject: tea}", "? kind\n: fact"])
def test_unusual_but_valid_front_matter_is_edited_or_refused_but_never_broken(front: str) -> None:
    file = with_fields(front)
    try:
        edited = edit(file, kind="goal")
    except (Corrupt, InvalidInput):
        return
    assert read(edited).atom == replace(read(file).atom, kind="goal")


def test_an_edit_of_a_broken_file_says_so() -> None:
    with pytest.raises(Corrupt, match="mend it by hand"):
        edit("---\nkind: fact\n", kind="goal")


def test_the_id_of_an_atom_cannot_be_edited() -> None:
    with pytest.raises(InvalidInput, match="cannot be changed"):
        edit(BY_HAND, atom_id=OTHER_ID)
