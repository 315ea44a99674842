-- What was read of an image, by its bytes. Without width it cannot be decoded, and failure says why. `clean` tells, packed,
-- which bytes everybody may see; null: all of them.
CREATE TABLE images (
  sha256 TEXT PRIMARY KEY,
  width BIGINT,
  height BIGINT,
  taken_at BIGINT,
  read_at BIGINT NOT NULL,
  thumbhash TEXT,
  failure TEXT,
  camera TEXT NOT NULL,
  place TEXT,
  clean_sha256 TEXT,
  clean_size BIGINT,
  clean TEXT
);

-- When the owner chose that everybody may see where it was taken.
ALTER TABLE photos ADD COLUMN location_shown_at BIGINT;
CREATE INDEX photos_by_file ON photos (file_id);
