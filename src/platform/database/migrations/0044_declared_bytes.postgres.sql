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

-- The names that the program gives them: so the bytes are counted also until it creates them again.
ALTER TRIGGER files_stored ON files RENAME TO files_size_stored;
ALTER TRIGGER files_resized ON files RENAME TO files_size_resized;
ALTER TRIGGER files_removed ON files RENAME TO files_size_removed;
ALTER TRIGGER file_versions_stored ON file_versions RENAME TO file_versions_size_stored;
ALTER TRIGGER file_versions_removed ON file_versions RENAME TO file_versions_size_removed;
ALTER TRIGGER posters_stored ON photos RENAME TO photos_poster_size_stored;
ALTER TRIGGER posters_resized ON photos RENAME TO photos_poster_size_resized;
ALTER TRIGGER posters_removed ON photos RENAME TO photos_poster_size_removed;
ALTER TRIGGER post_bytes_stored ON post_bytes RENAME TO post_bytes_bytes_stored;
ALTER TRIGGER post_bytes_changed ON post_bytes RENAME TO post_bytes_bytes_resized;
ALTER TRIGGER post_bytes_removed ON post_bytes RENAME TO post_bytes_bytes_removed;
ALTER TRIGGER responses_stored ON idempotency_keys RENAME TO idempotency_keys_bytes_stored;
ALTER TRIGGER responses_resized ON idempotency_keys RENAME TO idempotency_keys_bytes_resized;
ALTER TRIGGER responses_removed ON idempotency_keys RENAME TO idempotency_keys_bytes_removed;
