-- The bytes that each owner has stored: files, versions and posters, also those in the trash. The quota reads them.
CREATE TABLE stored_bytes (
  owner_id BIGINT NOT NULL,
  lane BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (owner_id, lane)
);

CREATE TRIGGER files_stored AFTER INSERT ON files WHEN NEW.size <> 0 BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (NEW.owner_id, 0, NEW.size)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
CREATE TRIGGER files_resized AFTER UPDATE OF size ON files WHEN NEW.size <> OLD.size BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (NEW.owner_id, 0, NEW.size - OLD.size)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
CREATE TRIGGER files_removed AFTER DELETE ON files WHEN OLD.size <> 0 BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (OLD.owner_id, 0, -OLD.size)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;

CREATE TRIGGER file_versions_stored AFTER INSERT ON file_versions WHEN NEW.size <> 0 BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (NEW.owner_id, 0, NEW.size)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
CREATE TRIGGER file_versions_removed AFTER DELETE ON file_versions WHEN OLD.size <> 0 BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (OLD.owner_id, 0, -OLD.size)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;

CREATE TRIGGER posters_stored AFTER INSERT ON photos WHEN NEW.poster_size IS NOT NULL BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (NEW.owner_id, 0, NEW.poster_size)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
CREATE TRIGGER posters_resized AFTER UPDATE OF poster_size ON photos WHEN NEW.poster_size IS NOT OLD.poster_size BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes)
  VALUES (NEW.owner_id, 0, coalesce(NEW.poster_size, 0) - coalesce(OLD.poster_size, 0))
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;
CREATE TRIGGER posters_removed AFTER DELETE ON photos WHEN OLD.poster_size IS NOT NULL BEGIN
  INSERT INTO stored_bytes (owner_id, lane, bytes) VALUES (OLD.owner_id, 0, -OLD.poster_size)
  ON CONFLICT (owner_id, lane) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes; END;

INSERT INTO stored_bytes (owner_id, lane, bytes)
SELECT owner_id, 0, sum(size) FROM (
  SELECT owner_id, size FROM files
  UNION ALL SELECT owner_id, size FROM file_versions
  UNION ALL SELECT owner_id, poster_size FROM photos WHERE poster_size IS NOT NULL) AS contents
GROUP BY owner_id;
