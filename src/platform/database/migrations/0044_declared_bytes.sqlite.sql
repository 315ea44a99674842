-- All bytes that count as stored, and those of what is unfinished. The program creates these views again from what its
-- modules declare, with the triggers that count.
CREATE VIEW counted_bytes AS
  SELECT owner_id, size AS bytes FROM files WHERE size <> 0
  UNION ALL SELECT owner_id, size FROM file_versions WHERE size <> 0
  UNION ALL SELECT owner_id, poster_size FROM photos WHERE poster_size <> 0
  UNION ALL SELECT owner_id, bytes FROM post_bytes WHERE bytes <> 0
  UNION ALL SELECT owner_id, bytes FROM idempotency_keys WHERE bytes <> 0;
CREATE VIEW reserved_bytes AS
  SELECT owner_id, length AS bytes FROM uploads WHERE file_id IS NULL
  UNION ALL SELECT owner_id, size FROM share_uploads;

-- The server counts again when it starts.
DROP TRIGGER files_stored;
DROP TRIGGER files_resized;
DROP TRIGGER files_removed;
DROP TRIGGER file_versions_stored;
DROP TRIGGER file_versions_removed;
DROP TRIGGER posters_stored;
DROP TRIGGER posters_resized;
DROP TRIGGER posters_removed;
DROP TRIGGER post_bytes_stored;
DROP TRIGGER post_bytes_changed;
DROP TRIGGER post_bytes_removed;
DROP TRIGGER responses_stored;
DROP TRIGGER responses_resized;
DROP TRIGGER responses_removed;
