-- What files held before. Size and owner stand here as well, so that what somebody takes up is summed without the files.
CREATE TABLE file_versions (
  id ID,
  file_id BIGINT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL REFERENCES users (id),
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  replaced_at BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  content_type TEXT NOT NULL
);
CREATE INDEX file_versions_by_file ON file_versions (file_id, id);
CREATE INDEX file_versions_by_owner ON file_versions (owner_id, size);
CREATE INDEX file_versions_by_blob ON file_versions (sha256, size);
CREATE INDEX file_versions_by_time ON file_versions (replaced_at);

-- When the content was written; null: with the file.
ALTER TABLE files ADD COLUMN content_at BIGINT;

-- For sums: who holds how much, and how much of it is different.
CREATE INDEX files_by_owner ON files (owner_id, size);
CREATE INDEX directories_by_owner ON files (owner_id) WHERE sha256 IS NULL;
DROP INDEX files_by_blob;
CREATE INDEX files_by_blob ON files (sha256, size) WHERE sha256 IS NOT NULL;
