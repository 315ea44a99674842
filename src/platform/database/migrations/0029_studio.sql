-- Finds the deletion of a record.
CREATE INDEX trash_by_record ON trash (kind, record_id);

-- Who saved a state of a post; null if that was not stored, by an earlier version. The user may have been removed since.
ALTER TABLE posts ADD COLUMN revised_by BIGINT;
ALTER TABLE post_revisions ADD COLUMN revised_by BIGINT;

-- Pictures that could not be read.
CREATE INDEX images_failed ON images (sha256) WHERE failure IS NOT NULL;

-- When the last backup was made.
CREATE TABLE backups (
  id ID,
  made_at BIGINT NOT NULL
);
