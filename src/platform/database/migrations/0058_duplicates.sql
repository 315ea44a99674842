-- What a picture looks like, as 64 bits in two columns of 32: copies of a picture differ in few of them. Both are null if the
-- picture is too even to be told from others, and `look_read_at` while that has not been computed.
ALTER TABLE images ADD COLUMN look_read_at BIGINT;
ALTER TABLE images ADD COLUMN look_high BIGINT;
ALTER TABLE images ADD COLUMN look_low BIGINT;
CREATE INDEX images_without_look ON images (sha256) WHERE look_read_at IS NULL AND thumbhash IS NOT NULL;

-- When a photo was compared with the others of its owner; null if that is still to be done.
ALTER TABLE photos ADD COLUMN compared_at BIGINT;
CREATE INDEX photos_not_compared ON photos (owner_id, id) WHERE compared_at IS NULL AND trash_id IS NULL;

-- Photos of one owner that look the same, unless the owner has said that they are not (`dismissed_at`).
CREATE TABLE photo_pairs (
  one_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  other_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
  owner_id BIGINT NOT NULL,
  dismissed_at BIGINT,
  PRIMARY KEY (one_id, other_id)
);
CREATE INDEX photo_pairs_by_other ON photo_pairs (other_id);
CREATE INDEX photo_pairs_of_owner ON photo_pairs (owner_id, one_id, other_id) WHERE dismissed_at IS NULL;
