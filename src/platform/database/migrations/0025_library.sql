-- What photos are sorted and found by: from the file, or as the owner has corrected it (`taken_at_set`, `place`). `kind` is null
-- until the server has read the file of a photo for these columns, and added the photo to `photo_lists`.
ALTER TABLE photos ADD COLUMN taken_at BIGINT;
ALTER TABLE photos ADD COLUMN taken_at_set BIGINT;
ALTER TABLE photos ADD COLUMN is_favourite BIGINT NOT NULL DEFAULT 0;
ALTER TABLE photos ADD COLUMN kind TEXT;
ALTER TABLE photos ADD COLUMN camera_key TEXT;
ALTER TABLE photos ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE photos ADD COLUMN place TEXT;
ALTER TABLE photos ADD COLUMN alt_text TEXT NOT NULL DEFAULT '';
UPDATE photos SET taken_at = (
  SELECT images.taken_at FROM files JOIN images ON images.sha256 = files.sha256
  WHERE files.id = photos.file_id AND files.owner_id = photos.owner_id);

DROP INDEX photos_by_owner;
CREATE INDEX photos_by_taken_at ON photos (is_private, taken_at, id) WHERE trash_id IS NULL;
CREATE INDEX photos_of_owner_by_taken_at ON photos (owner_id, is_private, taken_at, id) WHERE trash_id IS NULL;
CREATE INDEX photos_undescribed ON photos (id) WHERE kind IS NULL;

-- The photos that each filter finds, in both orders: `tag:sea`, `camera:x-t5`, `kind:video`, `favourite:1` (of this owner) and
-- `album:3`. Photos in the trash are in none. `seen_by` is 0 for public photos, and the owner's id for private ones.
CREATE TABLE photo_lists (
  photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  list TEXT NOT NULL,
  seen_by BIGINT NOT NULL,
  taken_at BIGINT,
  PRIMARY KEY (photo_id, list)
);
CREATE INDEX photo_lists_by_id ON photo_lists (list, seen_by, photo_id);
CREATE INDEX photo_lists_by_taken_at ON photo_lists (list, seen_by, taken_at, photo_id);

-- How many photos each owner took in each month (UTC, such as 2026-06), and all owners together (0). Each count is the sum over
-- its lanes.
CREATE TABLE photo_months (
  owner_id BIGINT NOT NULL,
  is_private BIGINT NOT NULL,
  month TEXT NOT NULL,
  lane BIGINT NOT NULL,
  photos BIGINT NOT NULL,
  PRIMARY KEY (owner_id, is_private, month, lane)
);

-- An album is at the top level while its parent is in the trash, and returns below it with the parent. parent_id has no foreign
-- key: the parent may have been deleted permanently, and rows are copied to another database in any order.
ALTER TABLE albums ADD COLUMN parent_id BIGINT;
ALTER TABLE albums ADD COLUMN description TEXT NOT NULL DEFAULT '';
CREATE INDEX albums_by_parent ON albums (parent_id, id) WHERE parent_id IS NOT NULL;
