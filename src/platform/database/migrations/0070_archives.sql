-- The archive that a person has asked for of their own data: one at a time, until expires_at. `status` is waiting, ready or failed;
-- one that is being made is waiting.
CREATE TABLE archives (
  user_id BIGINT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  error TEXT,
  sha256 TEXT,
  size BIGINT,
  requested_at BIGINT NOT NULL,
  made_at BIGINT,
  expires_at BIGINT NOT NULL
);
CREATE INDEX archives_by_blob ON archives (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX archives_by_end ON archives (expires_at);
CREATE INDEX archives_waiting ON archives (requested_at) WHERE status = 'waiting';
