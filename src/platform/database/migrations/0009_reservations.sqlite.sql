-- Whatever removes the last reference to a blob leaves the blob's name here, and the server removes the bytes right after
-- the transaction. With PostgreSQL, where other servers may be about to store the same bytes, the daily sweep does that.
CREATE TRIGGER files_release AFTER DELETE ON files
WHEN OLD.sha256 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob_references WHERE sha256 = OLD.sha256) BEGIN
  INSERT INTO reservations (owner_id, bytes, expires_at, unused_blob)
  VALUES (OLD.owner_id, OLD.size, unixepoch() * 1000 + 3600000, OLD.sha256); END;
CREATE TRIGGER file_contents_release AFTER UPDATE OF sha256 ON files
WHEN OLD.sha256 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM blob_references WHERE sha256 = OLD.sha256) BEGIN
  INSERT INTO reservations (owner_id, bytes, expires_at, unused_blob)
  VALUES (OLD.owner_id, OLD.size, unixepoch() * 1000 + 3600000, OLD.sha256); END;
CREATE TRIGGER file_versions_release AFTER DELETE ON file_versions
WHEN NOT EXISTS (SELECT 1 FROM blob_references WHERE sha256 = OLD.sha256) BEGIN
  INSERT INTO reservations (owner_id, bytes, expires_at, unused_blob)
  VALUES (OLD.owner_id, OLD.size, unixepoch() * 1000 + 3600000, OLD.sha256); END;
CREATE TRIGGER upload_parts_release AFTER DELETE ON upload_parts
WHEN NOT EXISTS (SELECT 1 FROM blob_references WHERE sha256 = OLD.sha256) BEGIN
  INSERT INTO reservations (owner_id, bytes, expires_at, unused_blob)
  VALUES ((SELECT owner_id FROM uploads WHERE id = OLD.upload_id), OLD.size, unixepoch() * 1000 + 3600000, OLD.sha256); END;
