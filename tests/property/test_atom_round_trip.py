"""Atom → file → atom, 0 differences; our own quick reader against the strict one; edits against files as hands write them."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta, timezone
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lattice_common.adapters.embedded.atom_blob import from_blob, to_blob
from lattice_common.adapters.files import frontmatter
from lattice_common.adapters.files.durable import inside
from lattice_common.adapters.files.strict_yaml import NotStrict, as_json, read_mapping
from lattice_common.adapters.files.yaml_lines import line, read_lines
from lattice_common.domain.atom import Atom, Relation, Span, content_hash, normalized_content_hash
from lattice_common.errors import InvalidInput

SYNTAX = st.sampled_from(["---", "--- ", "\n---\n", "NO", "010", "~", "null", "'", '"', "\\", "a: b", " #x"])
INVISIBLE = st.sampled_from(["\r\n", "\t", "\0", "\u2028", "\x85", "\ufeff", "\x7f", "\U0010ffff"])
WORDS = st.one_of(st.text(max_size=60), st.lists(st.one_of(SYNTAX, INVISIBLE, st.text(max_size=5)), max_size=6).map("".join))
LONG = st.integers(1000, 4000).map(lambda length: "x y" * length)
NUMBERS = st.floats(0, 1)
IDS = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=25, max_size=25).map("0".__add__)
OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
DATES = st.datetimes(timezones=OFFSETS)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
FIELD_NAMES = {field.name for field in fields(Atom)} | {"id", "body"}
EXTRA = st.dictionaries(WORDS.filter(lambda name: name not in FIELD_NAMES), JSON, max_size=3)


@st.composite
def atoms(draw: st.DrawFn) -> Atom:
    content = draw(WORDS | LONG)
    atom_id, other_id = draw(IDS), draw(IDS)
    others = tuple(target for target in (other_id,) if target != atom_id)
    return Atom(
        atom_id=atom_id,
        content=content,
        kind=draw(WORDS.filter(bool)),
        subject=draw(WORDS),
        capture_id=draw(IDS),
        source_quote=draw(WORDS),
        source_span=Span(3, 3 + draw(st.integers(0, 10**7))),
        observed_at=draw(DATES),
        ingested_at=draw(DATES),
        entities=tuple(draw(st.lists(WORDS, max_size=3))),
        category=draw(st.sampled_from(["fact", "preference", "instruction", "context"])),
        persistence=draw(st.sampled_from(["ephemeral", "short_term", "long_term"])),
        trust=draw(st.sampled_from(["user", "assistant", "document", "web"])),
        source_id=draw(st.none() | WORDS),
        session_id=draw(st.none() | WORDS),
        metadata=draw(st.dictionaries(WORDS, JSON, max_size=3)),
        valid_from=draw(st.none() | DATES),
        date_phrase=draw(st.none() | WORDS),
        quality_score=draw(st.floats(0.1, 2.0)),
        confidence=draw(NUMBERS),
        importance=draw(NUMBERS),
        recall_count=draw(st.integers(0, 2**62)),
        last_recalled_at=draw(st.none() | DATES),
        is_superseded=draw(st.booleans()),
        superseded_by=draw(st.none() | st.just(other_id)) if others else None,
        supersedes=others,
        relations=tuple(Relation("updates", target) for target in others),
        content_hash=content_hash(content),
        normalized_content_hash=normalized_content_hash(content),
        seq=draw(st.integers(0, 2**62)),
        extra=draw(EXTRA),
    )


@given(atoms())
def test_an_atom_comes_back_from_its_file_and_from_the_catalogue_as_it_was(atom: Atom) -> None:
    """One test, because making an atom takes longer than trying it."""
    loaded = frontmatter.load(frontmatter.dump(atom), atom.atom_id)
    assert loaded == frontmatter.Loaded(atom, ())
    assert from_blob(to_blob(atom)) == atom


TOGETHER = ("content", "content_hash", "normalized_content_hash"), ("atom_id", "superseded_by", "supersedes", "relations")
"""Fields that follow from each other."""
APART = [(field.name,) for field in fields(Atom) if not any(field.name in names for names in TOGETHER)]


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(st.lists(atoms(), min_size=4, max_size=4))
def test_ten_thousand_atoms_come_back_from_their_files_as_they_were(drawn: list[Atom]) -> None:
    """To draw one takes eight times as long as to try it, so that each field of twenty is that of one of four."""
    chance = Random(drawn[0].atom_id)
    for _ in range(20):
        chosen = [(names, chance.choice(drawn)) for names in (*TOGETHER, *APART)]
        atom = Atom(**{name: getattr(one, name) for names, one in chosen for name in names})
        assert frontmatter.load(frontmatter.dump(atom), atom.atom_id) == frontmatter.Loaded(atom, ())


@given(st.dictionaries(WORDS, JSON, min_size=1, max_size=5))
def test_the_quick_reader_reads_what_the_strict_one_reads(written: dict[str, object]) -> None:
    front = "".join(line(name, value, "\n") for name, value in written.items())  # type: ignore[arg-type]
    quick = read_lines(front)
    strict, _ = read_mapping(front)
    assert [type(value) for value in strict.values()] == [type(value) for value in (quick or strict).values()]
    assert quick is None or comparable(quick) == comparable(strict)


def comparable(value: object) -> object:
    """`true` and `null` come from the quick reader as JSON's, from the strict one as plain text; every field reads them alike."""
    return as_json(value)  # type: ignore[arg-type]


@given(
    st.lists(
        st.sampled_from(["kind", "a", '"b"', ": ", ":", " ", "\n", "[", "]", "{", "}", "1", "x", '"', "'", "#", "-", ",", "~"]),
        max_size=25,
    ).map("".join)
)
def test_the_quick_reader_never_reads_otherwise_than_the_strict_one(front: str) -> None:
    try:
        quick = read_lines(front + "\n")
    except NotStrict:
        with pytest.raises(NotStrict):
            read_mapping(front + "\n")
        return
    if quick is not None:
        assert comparable(quick) == comparable(read_mapping(front + "\n")[0])


HAND_WRITTEN = st.lists(
    st.sampled_from(
        [
            "# a note",
            "",
            "kind: goal  # mine",
            "subject: 'tea'",
            "mine: 010",
            "entities:\n  - Anna\n  # who?\n  - Bob",
            "other: {a: [1, 2]}",
            "source_quote: |\n  one\n\n  two",
            "date_phrase: >-\n  last\n  year",
            "metadata:\n  speaker: Anna\n  deep:\n    - x: 1\n      y: 2",
            "superseded_by:",
        ]
    ),
    unique=True,
)
EDITS = st.fixed_dictionaries(
    {},
    optional={
        "kind": WORDS.filter(bool),
        "subject": WORDS,
        "entities": st.lists(WORDS, max_size=2),
        "source_quote": WORDS,
        "metadata": st.dictionaries(WORDS, JSON, max_size=2),
        "superseded_by": st.none() | IDS,
        "content": WORDS,
        "is_superseded": st.booleans(),
    },
)


@given(HAND_WRITTEN, st.sampled_from(["\n", "\r\n"]), EDITS)
def test_an_edit_sets_its_fields_and_no_other(lines: list[str], newline: str, edits: dict[str, object]) -> None:
    atom_id = "01jd5k0000abcdefghjkmnpqrs"
    file = newline.join(["---", *"\n".join(lines).split("\n"), "---", "", "Anna likes tea.", ""]).encode()
    before = frontmatter.load(file, atom_id)
    assert isinstance(before, frontmatter.Loaded), before
    edited = frontmatter.edit(file, atom_id, edits)  # type: ignore[arg-type]
    after = frontmatter.load(edited, atom_id)
    assert isinstance(after, frontmatter.Loaded), after
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in edits.items()}
    content = values.get("content", before.atom.content)
    assert isinstance(content, str)
    hashes = {"content_hash": content_hash(content), "normalized_content_hash": normalized_content_hash(content)}
    assert after.atom == replace(before.atom, **values, **hashes)  # type: ignore[arg-type]
    assert edited.count(b"# a note") == file.count(b"# a note")


@given(st.lists(st.sampled_from(["..", ".", "/", "\\", "a", "\0", "link", "etc", "~", "", "C:", " "]), max_size=6).map("".join))
def test_no_path_leads_out_of_its_folder(tmp_path_factory: pytest.TempPathFactory, relative: str) -> None:
    root = tmp_path_factory.getbasetemp() / "paths" / "root"
    root.mkdir(parents=True, exist_ok=True)
    if not (root / "link").is_symlink():
        (root / "link").symlink_to(root.parent)
    try:
        path = inside(root, relative)
    except InvalidInput:
        return
    assert path.parent.resolve().is_relative_to(root.resolve())
    assert path != root
