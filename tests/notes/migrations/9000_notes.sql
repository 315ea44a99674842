CREATE TABLE notes (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  is_private FLAG NOT NULL DEFAULT 0,
  created_at TIME NOT NULL,
  sha256 HASH,
  size SIZE,
  text TEXT NOT NULL
);
CREATE INDEX notes_by_blob ON notes (sha256) WHERE sha256 IS NOT NULL;
-- The list, with page numbers and by cursor; that of an owner, for everyone and for the owner; what a deletion took along.
CREATE INDEX notes_listed ON notes (is_private, id) WHERE trash_id IS NULL;
CREATE INDEX notes_of_owner ON notes (owner_id, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX notes_by_owner ON notes (owner_id, id) WHERE trash_id IS NULL;
CREATE INDEX notes_in_trash ON notes (trash_id) WHERE trash_id IS NOT NULL;
