-- Bytes that count towards an owner's quota without being a file, a version or an unfinished upload: those of an upload
-- that is coming in, and, with the name of a blob, those of a blob that nothing refers to any more and that is about to be
-- removed. owner_id has no foreign key: a row outlives its owner until the bytes are gone.
CREATE TABLE reservations (
  id ID,
  owner_id BIGINT,
  bytes BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  unused_blob TEXT
);
CREATE INDEX reservations_by_owner ON reservations (owner_id);

-- Every row that refers to a blob, in the trash or not.
CREATE VIEW blob_references AS
  SELECT sha256 FROM files WHERE sha256 IS NOT NULL UNION ALL
  SELECT sha256 FROM file_versions UNION ALL
  SELECT sha256 FROM upload_parts;
