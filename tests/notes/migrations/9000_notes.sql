CREATE TABLE notes (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  trash_id BIGINT REFERENCES trash (id),
  is_private BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  sha256 TEXT,
  size BIGINT,
  text TEXT NOT NULL
);
CREATE INDEX notes_by_blob ON notes (sha256) WHERE sha256 IS NOT NULL;
