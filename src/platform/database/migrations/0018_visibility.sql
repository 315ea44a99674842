-- What is private exists only for its owner and for admins. Everything that exists is public.
ALTER TABLE photos ADD COLUMN is_private BIGINT NOT NULL DEFAULT 0;
ALTER TABLE posts ADD COLUMN is_private BIGINT NOT NULL DEFAULT 0;
ALTER TABLE albums ADD COLUMN is_private BIGINT NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN is_private BIGINT NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN is_private BIGINT NOT NULL DEFAULT 0;

-- The lists of everyone, and of one owner for others.
DROP INDEX photos_live;
DROP INDEX posts_live;
DROP INDEX albums_live;
CREATE INDEX photos_listed ON photos (is_private, id) WHERE trash_id IS NULL;
CREATE INDEX posts_listed ON posts (is_private, id) WHERE trash_id IS NULL;
CREATE INDEX albums_listed ON albums (is_private, id) WHERE trash_id IS NULL;
CREATE INDEX photos_of_owner ON photos (owner_id, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX posts_of_owner ON posts (owner_id, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX albums_of_owner ON albums (owner_id, is_private, id) WHERE trash_id IS NULL;
CREATE INDEX files_public ON files (parent_id, order_key, id) WHERE trash_id IS NULL AND is_private = 0;

-- Who sees a photo in its albums: everyone (0), only its owner (the owner's id, admins aside), or nobody (-1): it is in the trash.
ALTER TABLE album_photos ADD COLUMN seen_by BIGINT NOT NULL DEFAULT 0;
UPDATE album_photos SET seen_by = -1 WHERE photo_id IN (SELECT id FROM photos WHERE trash_id IS NOT NULL);
CREATE INDEX album_photos_seen ON album_photos (album_id, seen_by, position, photo_id);

CREATE TABLE album_counts (
  album_id BIGINT NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
  seen_by BIGINT NOT NULL,
  photos BIGINT NOT NULL,
  PRIMARY KEY (album_id, seen_by)
);
INSERT INTO album_counts (album_id, seen_by, photos)
SELECT album_id, seen_by, count(*) FROM album_photos WHERE seen_by >= 0 GROUP BY album_id, seen_by;
ALTER TABLE albums DROP COLUMN photo_count;
