-- Files on their way, which may come in many parts. What was said of the file stays as it was sent. file_id has no foreign
-- key: it tells which file was made, not that there still is one.
CREATE TABLE uploads (
  id ID,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  length BIGINT NOT NULL,
  received BIGINT NOT NULL,
  parts BIGINT NOT NULL,
  file_id BIGINT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  metadata TEXT NOT NULL
);
CREATE INDEX uploads_unfinished ON uploads (owner_id) WHERE file_id IS NULL;
CREATE INDEX uploads_by_expiry ON uploads (expires_at);

-- The parts of an upload lie end to end, each a blob of its own.
CREATE TABLE upload_parts (
  upload_id BIGINT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  start BIGINT NOT NULL,
  size BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (upload_id, start)
);
CREATE INDEX upload_parts_by_blob ON upload_parts (sha256);
