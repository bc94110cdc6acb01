"""The tables of the SQLite catalogue, and the number of their format."""

from __future__ import annotations

from lattice_common.adapters.embedded.atom_blob import FORMAT

VERSION = FORMAT ^ 17  # count up the last number when the tables change, or what is told of a statement in them
SCHEMA = """
CREATE TABLE atoms (
    position INTEGER PRIMARY KEY, atom_id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL,
    hash TEXT NOT NULL, nhash TEXT NOT NULL, subject INTEGER NOT NULL, capture_id TEXT NOT NULL, source_id TEXT,
    superseded INTEGER NOT NULL, superseded_by TEXT, path TEXT NOT NULL, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
    packed BLOB NOT NULL, entities BLOB NOT NULL, revision INTEGER NOT NULL, archived INTEGER NOT NULL);
CREATE INDEX atoms_revision ON atoms (revision);
CREATE TABLE gone (atom_id TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX gone_revision ON gone (revision);
CREATE TABLE generation (number INTEGER NOT NULL, revision INTEGER NOT NULL);
INSERT INTO generation VALUES (abs(random()), 0);
CREATE INDEX atoms_seq ON atoms (seq);
CREATE INDEX atoms_hash ON atoms (hash);
CREATE INDEX atoms_nhash ON atoms (nhash, seq);
CREATE INDEX atoms_subject ON atoms (subject, superseded, seq);
CREATE INDEX atoms_subject_seq ON atoms (subject, seq);
CREATE INDEX atoms_capture ON atoms (capture_id);
CREATE INDEX atoms_source ON atoms (source_id) WHERE source_id IS NOT NULL;
CREATE TABLE slots (key TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (key, position)) WITHOUT ROWID;
CREATE INDEX slots_position ON slots (position);
CREATE TABLE links (target TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (target, position)) WITHOUT ROWID;
CREATE INDEX links_position ON links (position);
CREATE TABLE doubts (position INTEGER NOT NULL, target TEXT NOT NULL, PRIMARY KEY (position, target)) WITHOUT ROWID;
CREATE TABLE contradictions (position INTEGER NOT NULL, target TEXT NOT NULL, PRIMARY KEY (position, target)) WITHOUT ROWID;
CREATE TABLE ties (position INTEGER PRIMARY KEY, said REAL NOT NULL, ties TEXT NOT NULL);
CREATE TABLE contents (position INTEGER PRIMARY KEY, fields BLOB NOT NULL);
CREATE TABLE interned (space TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (space, number));
"""
PUT_ATOM = """
INSERT INTO atoms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (position) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, nhash = excluded.nhash,
    subject = excluded.subject, capture_id = excluded.capture_id, source_id = excluded.source_id,
    superseded = excluded.superseded, superseded_by = excluded.superseded_by, path = excluded.path,
    mtime_ns = excluded.mtime_ns, size = excluded.size, packed = excluded.packed, entities = excluded.entities,
    revision = excluded.revision, archived = excluded.archived
"""
